"""Players of any strength: ladders, levels, agents by name, and how games are judged."""
