"""Compiled Conecta-4 BOOM: rules, alpha-beta, perft, and the search of its student agent."""
