"""The tools for painting pictures: colours, shapes, letters, a canvas and its file format."""
