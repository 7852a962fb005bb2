"""Hints as values: how much each says, and what the engine found for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from bot.table.session import Session
from engine.core.analysis import SearchResult


class HintLevel(IntEnum):
    """How much a hint says. Each level says what those below it do, too."""

    AREA = 1
    """Where to look: a part of the board."""
    THREAT = 2
    """The threats that matter."""
    MOVE = 3
    """The move, and what the moves are worth."""

    @classmethod
    def called(cls, name: str | None) -> Self | None:
        """The level with this name; None for no level's."""
        return next((level for level in cls if level.name.lower() == name), None)

    @property
    def following(self) -> HintLevel:
        """The level that says the next bit more, if there is one."""
        return HintLevel(min(self + 1, HintLevel.MOVE))


def level_wanted(session: Session) -> HintLevel:
    """What a hint says to whoever does not ask for a certain level.

    That is one level more than was said in this position. Where only one move is possible, there is
    nothing to say by and by.
    """
    if len(session.position.legal_moves()) == 1:
        return HintLevel.MOVE
    given = session.hint
    return HintLevel.AREA if given is None else HintLevel(given.level).following


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint as it is shown."""

    session: Session
    """The game that it was given in."""
    result: SearchResult
    """What the engine would play, with the values of the moves that are proven."""
    level: HintLevel
