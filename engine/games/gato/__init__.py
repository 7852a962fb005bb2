"""Gato 4x4: four in line on a flat board of four by four."""
