"""The Discord bot: settings, sessions, store and everything that Discord touches."""
