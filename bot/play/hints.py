"""Hints: what is kept of one, and what it says again later."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store import HintRecord
from bot.table.fingerprints import fingerprint
from bot.table.session import Session
from engine.game import Game
from engine.search import SearchResult

HINT_SECONDS = 2.0
"""How long one search for a hint may keep a thread, on the largest board too. Proofs that take
longer are rare on boards of the usual size, and on larger ones ten seconds would not do either; two
are what people take for an answer that is being worked on."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint and the session it was given for."""

    session: Session
    result: SearchResult


def hint_record(session: Session, user_id: int, result: SearchResult, at: float) -> HintRecord:
    """What is stored of a hint for the present position."""
    return HintRecord(
        number=session.number,
        user_id=user_id,
        move=session.game.label(result.move),
        at=at,
        position=fingerprint(session.position),
        seconds=result.seconds,
        nodes=result.nodes,
        depth=result.depth,
        score=result.score,
        proven=result.proven,
    )


def found_by(hint: HintRecord, game: Game) -> SearchResult:
    """What the search for a stored hint found; of the line, only its first move is kept."""
    move = game.parse(hint.move)
    return SearchResult(
        move=move,
        score=hint.score or 0,
        depth=hint.depth or 0,
        nodes=hint.nodes or 0,
        seconds=hint.seconds,
        line=(move,),
        proven=hint.proven,
    )
