"""How operators observe the bot: health checks, metrics and logs."""
