"""The compiled search of Conecta-4 BOOM compared with a search without cutoffs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import lru_cache
from random import Random

import numpy as np
import pytest

from engine.core.compiled.memory import NO_LIMIT, Words
from engine.core.compiled.scores import INFINITE, WIN
from engine.core.game import Game, Move, Position, replay
from engine.games.boom.compiled.evaluation import evaluate
from engine.games.boom.compiled.memory import ABORTED, MOST_NODES, NODES, TABLE, new_memory
from engine.games.boom.compiled.rules import landing_squares, two_puts
from engine.games.boom.compiled.search import negamax
from engine.games.boom.kernel import load, words_of
from engine.games.boom.rules import Boom, BoomPosition

pytestmark = pytest.mark.long

Wander = Callable[[Game, Random, int], Position]
LATE = {
    "own explosion wins": "553366746541B",
    "own explosion loses": "562712234552325B",
    "explosion gives both a line": "332124134246B",
    "full board, bomb": "63215421747257B4314515364374B622144166637277B7154336526275B",
    "full board at a turn": "754452671541B4733B3317242623143B35227414134277B571216655666",
    "full board in a turn": "13734417626676713B6B613134664361B25522632753B23524651B42371455B43527",
}


def at(moves: str, variant: str = "7x7") -> BoomPosition:
    """The position after a game string."""
    game = Boom.from_variant(variant)
    return replay(game, game.moves(moves))  # type: ignore[return-value]


@lru_cache(maxsize=200_000)
def following(position: BoomPosition) -> tuple[BoomPosition, ...]:
    """All positions after one movement."""
    return tuple(position.play(move) for move in position.legal_moves())


def ended(position: BoomPosition, mover: int) -> int:
    """The value of a finished game for a player."""
    assert position.outcome is not None
    if position.outcome.winner is None:
        return 0
    score = WIN - position.ply
    return score if position.outcome.winner == mover else -score


def has_line(position: BoomPosition, mover: int) -> bool:
    """Whether a player has just won by a line."""
    end = position.outcome
    return end is not None and end.winner == mover and end.ending == "line"


def soon(position: BoomPosition) -> int:
    """The fewest movements of this turn in which the mover can make a line; 0 if it cannot."""
    mover = position.to_move
    if any(has_line(after, mover) for after in following(position)):
        return 1
    going_on = [after for after in following(position) if after.outcome is None]
    same = [after for after in going_on if after.to_move is mover]
    return 2 if any(has_line(end, mover) for after in same for end in following(after)) else 0


@lru_cache(maxsize=200_000)
def value(position: BoomPosition, depth: int) -> int:
    """The value of a position to `depth` movements, by the plain rules and without cutoffs.

    At the search's end, the rest of the turn is still considered; it continues for one movement if
    the other player could win with two stones and the turn is about to pass.
    """
    if position.outcome is not None:
        return ended(position, position.to_move)
    if soon(position):
        return WIN - (position.ply + soon(position))
    if depth <= 0:
        own, opp, mine, theirs = words_of(position)
        two_left = position.ply % 2 == 1 and position.ply < 199
        if two_left or not two_puts(opp, landing_squares(own | opp)):
            return int(evaluate(own, opp, mine, theirs))
    return max(value_for(after, depth - 1, position.to_move) for after in following(position))


def value_for(after: BoomPosition, depth: int, mover: int) -> int:
    """The value of a position for one of the players."""
    if after.outcome is not None:
        return ended(after, mover)
    return value(after, depth) if after.to_move == mover else -value(after, depth)


def memory_for(position: BoomPosition) -> Words:
    """Working memory without a limit of nodes, with a table small enough to be overwritten."""
    memory = new_memory(position.game.stuck_is_draw, 6)
    memory[MOST_NODES] = NO_LIMIT
    return memory


def check(position: BoomPosition, depth: int, rng: Random) -> None:
    """Assert that values inside the window are exact and others bounds, for any table."""
    exact, memory, flag = value(position, depth), memory_for(position), np.zeros(1, np.uint8)
    windows = [(exact + low, exact + low + rng.randint(1, 12)) for low in (-12, -5, -1, 0, 3)]
    inside = 0
    for alpha, beta in [*windows, (-INFINITE, INFINITE), *windows]:
        found = negamax(*words_of(position), position.ply, depth, alpha, beta, memory, flag)
        if found <= alpha:
            assert exact <= found
        elif found >= beta:
            assert exact >= found
        else:
            assert found == exact
            inside += 1
    assert inside == 1 + 2 * sum(alpha < exact < beta for alpha, beta in windows)


@pytest.mark.parametrize(("depth", "count"), [(0, 60), (1, 40), (2, 30), (3, 15), (4, 6)])
def test_values_inside_the_window_are_exact(wander: Wander, depth: int, count: int) -> None:
    """From random positions, values inside the window are exact and others are bounds."""
    rng = Random(depth)
    while count:
        position = wander(Boom(), rng, rng.randrange(8, 60))
        assert isinstance(position, BoomPosition)
        if position.outcome is None and not soon(position):
            check(position, depth, rng)
            count -= 1


@pytest.mark.parametrize("variant", Boom.VARIANTS)
@pytest.mark.parametrize("name", LATE)
def test_a_search_is_exact_near_the_end(name: str, variant: str) -> None:
    """Values are exact around explosions that give lines, and on boards that fill up."""
    rng = Random(name)
    for back in (1, 2, 3, 4, 6):
        position = at(LATE[name][:-back], variant)
        check(position, 1 if "explosion" in name else 3, rng)


@pytest.mark.parametrize("ply", [195, 196, 197, 198, 199])
def test_a_search_ends_with_the_last_movement(ply: int, boom_positions: list[BoomPosition]) -> None:
    """Near movement 200 the value is exact: movements after it do not count."""
    rng = Random(ply)
    alike = [p for p in boom_positions if p.ply % 16 == ply % 16]
    crowded = [p for p in alike if len(p.legal_moves()) <= 5]
    for position in crowded[:6]:
        check(dataclasses.replace(position, ply=ply), min(200 - ply, 4), rng)


@pytest.mark.parametrize("margin", [0, 6, 2 * WIN])
def test_moves_within_the_margin_have_exact_scores(
    margin: int, boom_positions: list[BoomPosition]
) -> None:
    """Moves within the margin of the best get their exact score; the others are left out."""
    rng = Random(margin)
    for position in rng.sample(boom_positions, 12):
        depth = rng.randint(1, 3) if len(position.legal_moves()) < 6 else rng.randint(1, 2)
        exact = {
            move: value_for(position.play(move), depth - 1, position.to_move)
            for move in position.legal_moves()
        }
        kernel = load(position, 8)
        kernel.allow(None)
        order = rng.sample(position.legal_moves(), len(exact))
        found = kernel.score_moves(depth, margin, order, np.zeros(1, np.uint8))
        best = max(exact.values())
        assert found == {move: score for move, score in exact.items() if score >= best - margin}


@pytest.mark.parametrize("how", ["flag", "nodes"])
def test_an_interrupted_search_stores_nothing(how: str) -> None:
    """A search that is cut short at its first node gives no scores and stores nothing."""
    position, flag = Boom().start(), np.zeros(1, np.uint8)
    memory = memory_for(position)
    if how == "flag":
        flag[0] = 1
    else:
        memory[MOST_NODES] = 0
    negamax(*words_of(position), 0, 6, -INFINITE, INFINITE, memory, flag)
    assert memory[ABORTED] == 1
    assert memory[NODES] == 1
    assert not memory[TABLE:].any()


def test_a_node_limit_is_kept() -> None:
    """A search visits exactly the nodes that it may; a stop flag ends it as well."""
    position = Boom().start()
    kernel, flag = load(position, 14), np.zeros(1, np.uint8)
    kernel.allow(1000)
    assert kernel.score_moves(14, 0, position.legal_moves(), flag) is None
    assert 1000 < kernel.nodes <= 1015
    kernel.allow(None)
    assert kernel.score_moves(4, 0, position.legal_moves(), flag) is not None
    flag[0] = 1
    assert kernel.score_moves(4, 0, position.legal_moves(), flag) is None


def test_the_preferred_move_is_remembered() -> None:
    """After a search the kernel returns its preferred move of visited positions only."""
    position = at("42425")
    kernel = load(position, 14)
    kernel.allow(None)
    after = position.play(Move(0))
    assert kernel.remembered(after) is None
    scores = kernel.score_moves(3, 2 * WIN, position.legal_moves(), np.zeros(1, np.uint8))
    assert scores is not None
    preferred = kernel.remembered(after)
    if preferred is not None:
        replies = {m: value_for(after.play(m), 1, after.to_move) for m in after.legal_moves()}
        assert replies[preferred] == max(replies.values())
