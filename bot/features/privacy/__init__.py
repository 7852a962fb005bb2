"""What is stored about a person: showing, exporting and deleting it."""
