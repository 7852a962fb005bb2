"""Stored results that must not change unintentionally.

`python -m tests.golden --write` writes the files, a test compares them. Every line is one result,
so that a difference names what has changed.
"""
