"""The options that send a command's work to a cluster."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TypeVar

from engine.parallel import ParallelMap

Usual = TypeVar("Usual", bound=ParallelMap | None)
Clusters = Callable[[str, Sequence[Path] | None], AbstractContextManager[ParallelMap]]
"""Opens a cluster by its address and, for TLS, the files of the authority, the certificate and its
key; raises OSError where none can be reached. The engine itself knows none: `engine.__main__` does.
"""


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


def chosen(
    options: argparse.Namespace, usual: Usual
) -> AbstractContextManager[ParallelMap] | AbstractContextManager[Usual]:
    """Where to do the work: on the cluster if one was named; raises OSError without one there."""
    if options.cluster is None:
        return nullcontext(usual)
    if options.clusters is None:
        raise OSError("--cluster works with `python -m engine` only")
    opened: AbstractContextManager[ParallelMap] = options.clusters(options.cluster, options.tls)
    return opened
