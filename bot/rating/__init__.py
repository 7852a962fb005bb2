"""How strong players are: which games count, what a result changes, whom they meet next."""
