"""Hints: what is kept of one, and what it says again later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.store import HintRecord
from bot.table.fingerprints import fingerprint
from bot.table.hints import HintLevel
from bot.table.session import Session
from engine.core.analysis import SearchResult
from engine.core.game import Game, Move, Player
from engine.core.values import Score

HINT_SECONDS = 2.0
"""How long one search for a hint may keep a thread, on the largest board too. Proofs that take
longer are rare on boards of the usual size, and on larger ones ten seconds would not do either; two
are what people take for an answer that is being worked on."""


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
