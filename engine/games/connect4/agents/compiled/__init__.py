"""The compiled searches of the seed agents."""
