"""Analysis of any position."""
