"""Hints: what is kept of one, and what it says again later.

Hints as values: how much each says, and what the engine found for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Self

from bot.game.session import Session, fingerprint
from bot.store.records import HintRecord
from engine.core.analysis import SearchResult
from engine.core.game import Game, Move, Player
from engine.core.values import Score


def hint_record(
    session: Session, user_id: int, result: SearchResult, at: float, level: HintLevel
) -> HintRecord:
    """What is stored of a hint for the present position."""
    game = session.game
    return HintRecord(
        number=session.number,
        user_id=user_id,
        move=game.label(result.move),
        at=at,
        position=fingerprint(session.position),
        seconds=result.seconds,
        nodes=result.nodes,
        depth=result.depth,
        score=result.score.stored(),
        proven=result.proven,
        exact=" ".join(f"{game.label(move)}:{score}" for move, score in result.exact),
        level=level,
    )


def said_after(session: Session, level: HintLevel) -> HintRecord | None:
    """The hint for the present position once this much of it has been said, if there is one.

    Each time more is said counts as a hint.
    """
    hint = session.hint
    if hint is None or level <= hint.level:
        return hint
    return replace(hint, level=level, given=hint.given + 1)


def with_hint(session: Session, said: HintRecord) -> Session:
    """The session with a hint, in the place of what it was when less of it had been said."""
    same = (said.number, said.position)
    hints = tuple(said if (h.number, h.position) == same else h for h in session.hints)
    return replace(session, hints=hints if said in hints else (*hints, said))


def found_by(hint: HintRecord, game: Game, player: Player) -> SearchResult:
    """Return what the search for a stored hint found for `player`, who was to move.

    Of the line, only its first move is kept.
    """
    move = game.parse(hint.move)
    return SearchResult(
        move=move,
        score=Score.from_stored(hint.score or 0, player, proven=hint.proven),
        depth=hint.depth or 0,
        nodes=hint.nodes or 0,
        seconds=hint.seconds,
        line=(move,),
        proven=hint.proven,
        exact=tuple(_exact(hint, game)),
    )


def _exact(hint: HintRecord, game: Game) -> Iterator[tuple[Move, int]]:
    for told in hint.exact.split():
        label, score = told.split(":")
        yield game.parse(label), int(score)


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
