"""Parts that several commands share: exit statuses, errors, JSON lines, time limits, a cluster."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import isfinite
from pathlib import Path
from typing import TypeVar

from engine.core.parallel import ParallelMap

OK, BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 0, 2, 130, 141
"""Exit statuses."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt inside, for commands that have something to finish.

    Elsewhere it ends the process at once (`engine.__main__`), also in the middle of a long search.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def refused(what: object) -> int:
    """Print why a command cannot be carried out, and return its exit status."""
    words = _in_words(what) if isinstance(what, OSError) else what
    print(f"python -m engine: {words}", file=sys.stderr, flush=True)
    return BAD_INPUT


def _in_words(error: OSError) -> str:
    """Return what an error says, without the number that the operating system has for it."""
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def print_json(value: object) -> None:
    """Print a value as one line of JSON and flush it, since another program may be reading."""
    print(json.dumps(value, separators=(",", ":")), flush=True)


def add_seconds(parser: argparse.ArgumentParser, default: float) -> None:
    """Add `--seconds`: the time limit on one core, counted in positions."""
    parser.add_argument(
        "--seconds",
        help=f"of one core, counted in positions; more prove more (default {default:g})",
        type=_seconds,
        default=default,
    )


def _seconds(text: str) -> float:
    """Parse a number of seconds above 0."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not (isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds


Usual = TypeVar("Usual", bound=ParallelMap | None)

Clusters = Callable[[str, Sequence[Path] | None], AbstractContextManager[ParallelMap]]
"""Opens a cluster by its address and, for TLS, the files of the authority, the certificate and its
key; raises OSError if none can be reached. `engine.__main__` provides it, since the engine does not
import the cluster."""


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a command."""
    parser.add_argument(
        "--cluster", help="a Dask scheduler that has the work done, such as tcp://host:8786"
    )
    parser.add_argument(
        "--tls",
        help="for tls:// addresses: the files of the authority, the certificate and its key",
        nargs=3,
        type=Path,
        metavar=("CA", "CERT", "KEY"),
    )


def parallel_map_of(
    options: argparse.Namespace, usual: Usual
) -> AbstractContextManager[ParallelMap] | AbstractContextManager[Usual]:
    """Return the map of the cluster that `--cluster` names; without the option, `usual`.

    Raises OSError for an unreachable cluster.
    """
    if options.cluster is None:
        return nullcontext(usual)
    if options.clusters is None:
        raise OSError("--cluster works with `python -m engine` only")
    opened: AbstractContextManager[ParallelMap] = options.clusters(options.cluster, options.tls)
    return opened
