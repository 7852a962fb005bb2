"""The bot seen from outside: health, metrics and logs."""
