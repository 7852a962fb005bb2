"""The compiled searches of the student agents."""
