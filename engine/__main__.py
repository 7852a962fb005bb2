"""`python -m engine`: the engine for people and scripts."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.parallel import ParallelMap


def _cluster(address: str, tls: Sequence[Path] | None) -> AbstractContextManager[ParallelMap]:
    # The only place that combines the engine with a cluster; Dask is optional.
    try:
        from cluster.batch import cluster_map
    except ModuleNotFoundError as error:
        raise OSError(
            "--cluster needs Dask. Run `pip install -r requirements-cluster.txt`."
        ) from error
    return cluster_map(address, tls)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status; Ctrl-C and a closed pipe end it silently."""
    # Ctrl-C ends the process at once, also while it imports or is in compiled code; commands that
    # have something to finish change that (`interruptible`).
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from engine.cli.common import CLOSED_PIPE, INTERRUPTED
    from engine.cli.main import main

    try:
        try:
            status = main(arguments, _cluster)
        finally:
            # Here, and not when Python ends, so that a closed pipe is noticed; also after --help.
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Python would write what is left once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
