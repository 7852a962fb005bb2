"""The bot's Discord interface: commands, buttons and messages, without rules of games."""
