"""Conecta-4 BOOM: 7x7, two discs a turn, and bombs."""
