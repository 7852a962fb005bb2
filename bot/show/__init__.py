"""Texts and scenes for pictures and lists, from sessions and histories, in one language."""
