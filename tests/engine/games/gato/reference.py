"""The end of a Gato search by the plain rules, and the compiled search."""

from __future__ import annotations

from engine.core.compiled.memory import NO_LIMIT
from engine.core.limits import Stop
from engine.games.gato.compiled.lines import open_beside, weigh
from engine.games.gato.compiled.memory import MOST_NODES, new_memory
from engine.games.gato.compiled.search import negamax
from engine.games.gato.kernel import words_of
from engine.games.gato.rules import GatoPosition
from tests.engine.games.conformance.plain import Windowed, two_moves_ahead


def settled(position: GatoPosition, depth: int) -> int | None:
    """The value at the end of a search, which still considers the next two stones."""
    return two_moves_ahead(position, evaluated) if depth <= 0 else None


def evaluated(position: GatoPosition) -> int:
    """The compiled weight of a quiet position's lines, which has tests of its own."""
    own, opp = words_of(position)
    return int(weigh(own, open_beside(opp)) - weigh(opp, open_beside(own)))


def windowed(position: GatoPosition, depth: int) -> Windowed:
    """The compiled search of a position, with a small table for all calls."""
    memory, stop = new_memory(6), Stop()
    memory[MOST_NODES] = NO_LIMIT
    given = *words_of(position), position.ply, depth
    return lambda alpha, beta: int(negamax(*given, alpha, beta, memory, stop.flag))
