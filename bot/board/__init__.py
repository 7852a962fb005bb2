"""Playing on Discord: boards, moves, starting games."""
