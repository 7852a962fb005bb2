"""From sessions and histories to what pictures and lists say, in one language."""
