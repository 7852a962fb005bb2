"""A discrete-event simulation of the bot with up to a million servers."""
