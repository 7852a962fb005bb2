"""The kernel of every registered game, compared with searches by the plain rules."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.compiled.scores import INFINITE, MOST_DEPTH
from engine.core.game import Game, Position
from engine.core.kernel import PlainKernel
from engine.core.limits import Limit, Stop
from engine.core.package import GamePackage
from engine.core.registry import games as all_games
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.values import plies_to_end
from engine.strength.judging import FULL_MARGIN
from engine.strength.roster import LEVELS
from tests.builders import RandomPosition
from tests.engine.games.conformance.plain import (
    PlainSearch,
    Settled,
    check_scores,
    decided,
    played,
    reference_of,
    scores_of,
    settled_of,
)

REFERENCES = {key: found for key, one in all_games().items() if (found := settled_of(one))}
"""The ends of the searches that can be compared in every position."""
COMPILED = [key for key in REFERENCES if all_games()[key].kernel is not None]
LINES, FEWER_LINES = 1300, 300
"""Sequences of moves up to which a search without cutoffs is quick enough."""
FULL_DEPTH = 6
"""Plies before the longest end at which two searches are compared to the end."""
FARTHEST = 4
"""Plies for which a search by the rules is quick enough."""


def plain_scores(package: GamePackage, position: Position, depth: int) -> dict[int, int]:
    """The scores of all moves by the rules, where positions that are not over are worth 0."""
    kernel = PlainKernel(position, package.longest(position.game) - position.ply)
    found = kernel.score_moves(depth, FULL_MARGIN, position.legal_moves(), (0,))
    assert found is not None
    return {**found}


@pytest.mark.parametrize("key", REFERENCES)
def test_scores_within_the_margin_are_exact(key: str, random_position: RandomPosition) -> None:
    """Moves within a margin of the best get the score that the rules give them; no others do."""
    package, rng = all_games()[key], Random(key)
    for number in range(60):
        game = package.from_variant(rng.choice(package.variants))
        position = random_position(game, rng, rng.randrange(min(60, package.longest(game))))
        deepest = max(d for d in range(1, 5) if d == 1 or len(position.legal_moves()) ** d <= LINES)
        check_scores(position, max(1, deepest - number % 3), REFERENCES[key], rng)


@pytest.mark.parametrize("key", COMPILED)
def test_values_inside_a_window_are_exact(key: str, random_position: RandomPosition) -> None:
    """Values inside the window are exact and others are bounds, for any content of the table."""
    package, rng, settled, number = all_games()[key], Random(key), REFERENCES[key], 0
    while number < 70:
        game = package.from_variant(rng.choice(package.variants))
        position = random_position(game, rng, rng.randrange(min(60, package.longest(game))))
        # The search is called only where no move decides the turn.
        if settled(position, 1) is None:
            depth = max(d for d in range(4) if len(position.legal_moves()) ** d <= FEWER_LINES)
            check_windows(position, max(0, depth - number % 3), settled, rng)
            number += 1


def check_windows(position: Position, depth: int, settled: Settled, rng: Random) -> None:
    """Compare values in several windows with the exact value."""
    exact = PlainSearch(settled).value(position, depth)
    search = reference_of(position.game.key).windowed(position, depth)
    lowest = [exact + rng.randint(-15, 15) for _ in range(6)]
    windows = [(alpha, alpha + rng.randint(1, 12)) for alpha in lowest]
    inside = 0
    for alpha, beta in [*windows, (-INFINITE, INFINITE), *windows]:
        found = search(alpha, beta)
        if found <= alpha:
            assert exact <= found
        elif found >= beta:
            assert exact >= found
        else:
            assert found == exact
            inside += 1
    assert inside == 1 + 2 * sum(alpha < exact < beta for alpha, beta in windows)


@pytest.mark.parametrize("key", [key for key, one in all_games().items() if one.stones_stay])
def test_the_end_of_a_game_has_the_same_scores_by_the_rules(
    key: str, random_position: RandomPosition
) -> None:
    """Searched to the end of the game, both kernels give every move the same score.

    Games whose stones leave the board are excluded: they end by a line long before the longest
    game.
    """
    package, rng, compared = all_games()[key], Random(key), 0
    for variant in package.variants[-8:] * (8 // len(package.variants[-8:])):
        game = package.from_variant(variant)
        position = random_position(game, rng, package.longest(game) - rng.randint(1, FULL_DEPTH))
        left = package.longest(game) - position.ply
        if left <= FULL_DEPTH:
            assert scores_of(position, left) == plain_scores(package, position, left)
            compared += 1
    assert compared > 4


def test_decided_scores_are_those_of_the_rules(
    package: GamePackage, random_position: RandomPosition
) -> None:
    """A win or loss by the rules is one for the package's kernel, and the other way round.

    If replies are forced, a kernel may see further than its depth; the rules are then searched to
    the end that it has seen.
    """
    game = package.from_variant(package.usual)
    for seed in range(6):
        position = random_position(game, Random(seed), 5 + 2 * seed)
        for depth in (1, 2):
            found = scores_of(position, depth)
            assert decided(plain_scores(package, position, depth)).items() <= found.items()
            for move, score in decided(found).items():
                plies = plies_to_end(score, position.ply)
                if plies <= FARTHEST:
                    assert plain_scores(package, position, plies)[move] == score


def test_the_deepest_search_reaches_the_longest_end(game: Game) -> None:
    """A kernel knows after how many plies nothing is left; compiled ones search 63 at most."""
    package = package_of(game)
    for position in played(game, 2)[:-1]:
        left = package.longest(game) - position.ply
        expected = left if package.kernel is None else min(left, MOST_DEPTH)
        assert package.load(position, 4).deepest == expected


def test_a_node_limit_and_a_stop_end_a_search(package: GamePackage) -> None:
    """A search visits the nodes that it may, plus at most one per ply to end; a stop ends it."""
    position, depth, stop = package.from_variant(package.usual).start(), 12, Stop()
    kernel = package.load(position, 14)
    kernel.allow(1000)
    assert kernel.score_moves(depth, 0, position.legal_moves(), stop.flag) is None
    assert 1000 < kernel.nodes <= 1001 + depth
    kernel.allow(None)
    assert kernel.score_moves(3, 0, position.legal_moves(), stop.flag) is not None
    stop.set()
    assert kernel.score_moves(3, 0, position.legal_moves(), stop.flag) is None


def test_an_interrupted_search_leaves_no_trace(
    package: GamePackage, random_position: RandomPosition
) -> None:
    """After a search that was cut short at its first node, another one is as if it were first."""
    # So early, no move wins at once, which would need no search.
    position = random_position(package.from_variant(package.usual), Random(5), 2)
    for ended_by in ("nodes", "stop"):
        kernel, fresh = package.load(position, 10), package.load(position, 10)
        fresh.allow(None)
        expected = fresh.score_moves(3, FULL_MARGIN, position.legal_moves(), Stop().flag)
        stop = Stop()
        if ended_by == "stop":
            kernel.allow(None)
            stop.set()
        else:
            kernel.allow(0)
        for move in position.legal_moves():
            assert kernel.score_moves(3, FULL_MARGIN, [move], stop.flag) is None
        visited = kernel.nodes
        assert visited == len(position.legal_moves())
        assert all(kernel.remembered(position.play(m)) is None for m in position.legal_moves())
        kernel.allow(None)
        again = kernel.score_moves(3, FULL_MARGIN, position.legal_moves(), Stop().flag)
        assert again == expected
        assert kernel.nodes - visited == fresh.nodes


@pytest.mark.parametrize("key", REFERENCES)
def test_the_preferred_move_is_remembered(key: str, random_position: RandomPosition) -> None:
    """After a search the kernel knows a best reply in visited positions, and in no others."""
    package, rng, known = all_games()[key], Random(key), 0
    for moves in (6, 7, 9):
        position = random_position(package.from_variant(package.usual), rng, moves)
        kernel = package.load(position, 16)
        kernel.allow(None)
        following = [position.play(move) for move in position.legal_moves()]
        assert all(kernel.remembered(after) is None for after in following)
        assert kernel.score_moves(3, FULL_MARGIN, position.legal_moves(), Stop().flag)
        plain = PlainSearch(REFERENCES[key])
        for after in following:
            preferred = kernel.remembered(after)
            if preferred is not None:
                replies = plain.scores(after, 2)
                assert replies[preferred] == max(replies.values())
                known += 1
    assert known > 8


def test_every_position_can_be_searched(game: Game, random_position: RandomPosition) -> None:
    """In every position, the search and every level give a legal move and a playable line."""
    rng = Random(game.variant)
    for moves in (0, 5, 11):
        position = random_position(game, rng, moves)
        assert position.outcome is None
        found = analyse(position, Limit(depth=4))
        assert 1 <= found.depth <= 4
        assert found.scores.keys() <= set(position.legal_moves())
        for line in found.lines.values():
            replayed = position
            for move in line:
                replayed = replayed.play(move)
        for name in ("easy", "medium"):
            assert LEVELS[name].choose(position, rng=rng).move in position.legal_moves()


def test_a_game_that_is_over_is_not_searched(game: Game) -> None:
    """Searching a finished game raises ValueError."""
    with pytest.raises(ValueError, match="over"):
        analyse(played(game, 1)[-1], Limit(depth=1))
