"""The command line of the engine: `python -m engine`."""
