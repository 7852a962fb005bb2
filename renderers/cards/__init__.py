"""Pictures of figures: cards of statistics and reports of many games."""
