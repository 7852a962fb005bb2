"""The end of a Conecta-4 BOOM search by the plain rules, and the compiled search."""

from __future__ import annotations

from functools import lru_cache

from engine.core.compiled.memory import NO_LIMIT
from engine.core.compiled.scores import WIN
from engine.core.limits import Stop
from engine.games.boom.compiled.evaluation import evaluate
from engine.games.boom.compiled.memory import MOST_NODES, new_memory
from engine.games.boom.compiled.rules import landing_squares, two_puts
from engine.games.boom.compiled.search import negamax
from engine.games.boom.kernel import words_of
from engine.games.boom.rules import BoomPosition
from tests.engine.games.conformance.plain import Windowed


@lru_cache(maxsize=20_000)
def following(position: BoomPosition) -> tuple[BoomPosition, ...]:
    """All positions after one movement."""
    return tuple(position.play(move) for move in position.legal_moves())


def has_line(position: BoomPosition, mover: int) -> bool:
    """Whether a player has just won by a line."""
    end = position.outcome
    return end is not None and end.winner == mover and end.ending == "line"


@lru_cache(maxsize=20_000)
def movements_to_line(position: BoomPosition) -> int:
    """The fewest movements of this turn in which the mover can make a line; 0 if it cannot."""
    mover = position.to_move
    if any(has_line(after, mover) for after in following(position)):
        return 1
    going_on = [after for after in following(position) if after.outcome is None]
    same = [after for after in going_on if after.to_move is mover]
    return 2 if any(has_line(end, mover) for after in same for end in following(after)) else 0


def settled(position: BoomPosition, depth: int) -> int | None:
    """The value of a line in this turn, or at the end of a search; None if it goes on.

    At the end, the rest of the turn is still considered; the search continues for one movement if
    the other player could win with two stones and the turn is about to pass.
    """
    if movements_to_line(position):
        return WIN - (position.ply + movements_to_line(position))
    if depth > 0:
        return None
    own, opp, mine, theirs = words_of(position)
    two_left = position.ply % 2 == 1 and position.ply < 199
    if two_left or not two_puts(opp, landing_squares(own | opp)):
        return int(evaluate(own, opp, mine, theirs))
    return None


def windowed(position: BoomPosition, depth: int) -> Windowed:
    """The compiled search of a position without a line in this turn; all calls share a table."""
    memory, stop = new_memory(position.game.stuck_is_draw, 6), Stop()
    memory[MOST_NODES] = NO_LIMIT
    given = *words_of(position), position.ply, depth
    return lambda alpha, beta: int(negamax(*given, alpha, beta, memory, stop.flag))
