"""Where the bot meets Discord: commands, buttons and messages; no rules live here."""
