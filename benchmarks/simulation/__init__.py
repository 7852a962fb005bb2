"""The bot as a discrete-event simulation, from one process to a million servers' worth of them."""
