"""Stored results that a change must not alter without saying so.

`python -m tests.golden --write` writes the files, a test compares them. Every line stands for one
result, so that a difference names what has changed.
"""
