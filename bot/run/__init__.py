"""Three ways to run the bot: on Discord, on a local page, by itself."""
