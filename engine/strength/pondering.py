"""Searching on the opponent's time: the tables of `perfect` are filled while a person thinks.

The positions after the opponent's likeliest moves are proven where proofs can succeed, and the
position itself is searched deeper. Nothing but the kept tables changes (`engine.core.kept`), so the
next move begins with what was found. A stop flag ends it at once, and the tables are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from engine.core.agent import FULL_MARGIN
from engine.core.exact import ExactSolver
from engine.core.game import Game, Move, Position, replay
from engine.core.kept import TABLES
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import LARGE_TABLE, Deepening
from engine.strength.perfect import Perfect
from engine.strength.roster import nearest_agent

RANKING, MOST_RANKING = 0.3, 1.0
"""The share of the time, and the most seconds, for the search that ranks the opponent's moves."""

FIRST_PROOF = 0.25
"""Seconds for the first proof after each of the opponent's moves; doubled with each round."""


def can_ponder(game: Game, agent: str) -> bool:
    """Whether an agent has use for its opponent's time: it proves moves, but not all in time."""
    is_perfect = isinstance(nearest_agent(game, agent), Perfect)
    return is_perfect and not package_of(game).is_all_proven(game)


@dataclass(frozen=True, slots=True)
class Ponder:
    """The task of filling the tables on the opponent's time; the opponent is to move."""

    priority: ClassVar[int] = 0
    takes_limit: ClassVar[bool] = False

    seconds: float

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> int:
        """Return the number of positions that were searched; those of proofs are not counted."""
        return ponder(replay(game, moves), seconds=self.seconds, stop=stop or Stop())

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()


def ponder(position: Position, *, seconds: float, stop: Stop) -> int:
    """Fill the kept tables for the positions after a position; returns the nodes searched.

    Ends after `seconds`, when `stop` is set, or when all of these positions are proven. Does
    nothing in a game whose searches keep no table, or that is over.
    """
    if position.outcome is not None:
        return 0
    package, ends = package_of(position), perf_counter() + seconds
    kernel = TABLES.take("search", position, package.related)
    if kernel is None:
        kernel = package.load(position, LARGE_TABLE, KernelKind.STRONGEST)
    if not kernel.table_bytes:
        return 0
    kernel.move_to(position)
    search = Deepening(position, kernel, FULL_MARGIN)
    try:
        brief = Limit(seconds=min(RANKING * seconds, MOST_RANKING))
        scores = search.go_on(brief, stop).scores
        ranked = sorted(scores, key=lambda move: -scores[move])
        is_complete = _prove_after(position, ranked, ends, stop)
        left = ends - perf_counter()
        if not is_complete and left > 0 and not stop.is_set:
            search.go_on(Limit(seconds=left), stop)
    finally:
        TABLES.keep("search", position, kernel, kernel.table_bytes)
    return int(kernel.nodes)


def _prove_after(position: Position, moves: Sequence[Move], ends: float, stop: Stop) -> bool:
    """Prove the positions after moves, the first ones first, in rounds of growing length.

    Where a proof would probably fail none is attempted. Returns whether all are proven.
    """
    package, following = package_of(position), [position.play(move) for move in moves]
    unproven = [one for one in following if one.outcome is None]
    if package.exact is None or not all(package.worth_proving(one) for one in unproven):
        return False
    kept: ExactSolver | None = TABLES.take("proof", position, package.related)
    solver, seconds = kept or package.exact(position.game), FIRST_PROOF
    while unproven and not stop.is_set and perf_counter() < ends:
        unproven = [
            one
            for one in unproven
            if solver.values(one, seconds=_at_most(seconds, ends), stop=stop) is None
        ]
        seconds *= 2
    TABLES.keep("proof", position, solver, solver.table_bytes)
    return not unproven


def _at_most(seconds: float, ends: float) -> float:
    """This many seconds, or fewer if less time is left."""
    return max(min(seconds, ends - perf_counter()), 0.0)
