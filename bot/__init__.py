"""The Discord bot: game sessions, their storage, commands and features."""
