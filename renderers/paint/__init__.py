"""What pictures are painted with: colours, shapes, letters, a canvas and its file format."""
