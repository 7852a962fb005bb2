"""Cards, history, leaderboards and reports."""
