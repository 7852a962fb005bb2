"""Loops over many items: the failure of one is logged, and the others get their turn."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bot.store import Unavailable

logger = logging.getLogger(__name__)


@contextmanager
def isolated(what: str, item: object) -> Iterator[None]:
    """Do something for one item of many; a failure is logged and ends only this block.

    A database that is unavailable fails all items alike: that is raised. So is what the block
    raises to be told apart by its caller, if it is caught inside.

    Args:
        what: What kind of item it is, and what is done with it, such as `challenge to expire`.
        item: Its id.
    """
    try:
        yield
    except Unavailable:
        raise
    except Exception:
        logger.exception("%s %s was left out: it failed", what, item)
