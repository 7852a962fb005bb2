"""The bot without Discord: a local page, typed commands and a demo."""
