"""What is wrong with a move that somebody writes, as a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.table.refusal import Refusal
from engine.core.game import IllegalMove, NotAMove


@contextmanager
def refusing(text: str) -> Iterator[None]:
    """Refuse `text` where the block finds that it is no move, or an illegal one."""
    try:
        yield
    except NotAMove as error:
        raise Refusal("not_a_move", text=text, expected=error.expected) from error
    except IllegalMove as error:
        raise Refusal(f"illegal.{error.reason}", move=error.label) from error
