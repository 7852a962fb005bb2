"""How strong players are: which games count, what a result changes, who `auto` plays as."""
