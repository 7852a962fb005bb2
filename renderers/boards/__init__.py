"""Pictures of boards: the cells, drawn in the style of each game, and the frame around them."""
