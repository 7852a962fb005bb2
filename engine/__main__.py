"""`python -m engine`: the engine for people and scripts."""

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from engine.cli.main import main
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _cluster))
