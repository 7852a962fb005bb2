"""What everything is painted with: colours, shapes, letters, a canvas and its file format."""
