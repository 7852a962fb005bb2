"""The features: each folder registers itself and can be deleted."""
