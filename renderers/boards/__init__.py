"""Pictures of boards: their cells, which each game draws its own way, and the frame around them."""
