"""What several commands have in common: statuses, refusals, lines of JSON and limits of time."""

from __future__ import annotations

import argparse
import json
import sys
from math import isfinite

OK, BAD_INPUT, INTERRUPTED = 0, 2, 130
"""The statuses with which a program ends."""


def refused(what: object) -> int:
    """Say why a command cannot be carried out; returns the status for that."""
    print(f"python -m engine: {what}", file=sys.stderr, flush=True)
    return BAD_INPUT


def print_json(told: object) -> None:
    """Print something as one line of JSON, at once: whoever asks may be another program."""
    print(json.dumps(told, separators=(",", ":")), flush=True)


def add_seconds(parser: argparse.ArgumentParser, default: float) -> None:
    """Add `--seconds`: what work may take on one core, counted in positions."""
    parser.add_argument(
        "--seconds",
        help=f"of one core, counted in positions; more prove more (default {default:g})",
        type=_seconds,
        default=default,
    )


def _seconds(text: str) -> float:
    """A number of seconds above 0, as a command line has it."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not (isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds
