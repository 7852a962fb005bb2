"""Commands of the bot that need Discord or a stored database."""
