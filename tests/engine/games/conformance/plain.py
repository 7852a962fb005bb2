"""Results of the plain rules of any game: random games, counts, and scores without cutoffs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from random import Random
from typing import Any

from engine.core.compiled.scores import WIN, WON_BOUND
from engine.core.game import Cell, Game, Move, Player, Position
from engine.core.kernel import KernelKind
from engine.core.limits import Stop
from engine.core.package import GamePackage
from engine.core.registry import package_of
from engine.core.values import is_decided
from engine.strength.judging import FULL_MARGIN

Settled = Callable[[Any, int], int | None]
"""The value of an unfinished position at which a kernel's search ends, for the side to move.

It gets the depth that is left, which may be negative, and returns None if the search goes on.
"""

Windowed = Callable[[int, int], int]
"""A compiled search of one position to one depth: (alpha, beta)."""


def played(game: Game, seed: int) -> list[Position]:
    """All positions of a random game, from the start to its end."""
    rng, positions = Random(seed), [game.start()]
    while positions[-1].outcome is None:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
    return positions


def moves_of(positions: Sequence[Position]) -> list[Move]:
    """The moves that lead from each position to the next one."""
    return [
        next(move for move in before.legal_moves() if before.play(move) == after)
        for before, after in pairwise(positions)
    ]


def walk(game: Game, rng: Random, most: int) -> tuple[Position, tuple[str, ...]]:
    """A position after random moves that do not end the game, and these as players write them."""
    positions = [game.start()]
    while len(positions) <= most:
        following = [positions[-1].play(move) for move in positions[-1].legal_moves()]
        going_on = [after for after in following if after.outcome is None]
        if not going_on:
            break
        positions.append(rng.choice(going_on))
    return positions[-1], tuple(map(game.label, moves_of(positions)))


def flat(position: Position) -> list[Cell]:
    """The squares of a board, row by row."""
    return [cell for row in position.cells() for cell in row]


def decided(scores: Mapping[Move, int]) -> dict[Move, int]:
    """The scores that are proven wins or losses."""
    return {move: score for move, score in scores.items() if is_decided(score)}


def settled_of(package: GamePackage) -> Settled | None:
    """The ends of a game's searches; None for an installed game whose kernel has its own.

    For each kernel of this repository, the game's folder of tests has a module `reference`.
    """
    if package.kernel is None:
        return lambda position, depth: evaluated(package, position) if depth <= 0 else None
    reference = reference_of(package.key)
    return None if reference is None else reference.settled


def reference_of(key: str) -> Any:
    """The module that describes the compiled search of a game; None without one."""
    name = f"tests.engine.games.{key}.reference"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        # A module that exists but imports a missing one is a fault.
        if not f"{name}.".startswith(f"{error.name}."):
            raise
        return None


def evaluated(package: GamePackage, position: Position) -> int:
    """The evaluation of a position by the package, within the bounds of what is not proven."""
    value = 0 if package.evaluate is None else package.evaluate(position)
    return min(max(value, 1 - WON_BOUND), WON_BOUND - 1)


class PlainSearch:
    """A search by the plain rules, without cutoffs. It remembers the values of positions."""

    def __init__(self, settled: Settled) -> None:
        self._settled = settled
        self._values: dict[tuple[Position, int], int] = {}

    def scores(self, position: Position, depth: int) -> dict[Move, int]:
        """The scores of all moves to a depth."""
        return {
            move: self._after(position.play(move), depth - 1, position.to_move)
            for move in position.legal_moves()
        }

    def _after(self, after: Position, depth: int, mover: Player) -> int:
        """The value of a position for the player who made the last move."""
        if after.outcome is not None:
            if after.outcome.winner is None:
                return 0
            score = WIN - after.ply
            return score if after.outcome.winner is mover else -score
        value = self.value(after, depth)
        return value if after.to_move is mover else -value

    def value(self, position: Position, depth: int) -> int:
        """The value of an unfinished position for the side to move."""
        known = self._values.get((position, depth))
        if known is None:
            known = self._settled(position, depth)
            if known is None:
                known = max(self.scores(position, depth).values())
            self._values[position, depth] = known
        return known


def two_moves_ahead(position: Position, evaluate: Callable[[Any], int]) -> int:
    """The value of a position where a search ends that still sees wins of both players' next moves.

    It is the end of the searches of games in which the players alternate and make a line to win.
    """
    following = [position.play(move) for move in position.legal_moves()]
    if any(map(_is_won, following)):
        return WIN - (position.ply + 1)
    if all(any(_is_won(after.play(m)) for m in after.legal_moves()) for after in following):
        return position.ply + 2 - WIN
    return evaluate(position)


def _is_won(position: Position) -> bool:
    return position.outcome is not None and position.outcome.winner is not None


def scores_of(position: Position, depth: int, table_bits: int = 8) -> dict[Move, int]:
    """The scores of all moves by the package's own kernel."""
    kernel = package_of(position.game).load(position, table_bits)
    kernel.allow(None)
    found = kernel.score_moves(depth, FULL_MARGIN, position.legal_moves(), Stop().flag)
    assert found is not None
    return found


def check_scores(
    position: Position,
    depth: int,
    settled: Settled,
    rng: Random,
    kind: KernelKind = KernelKind.USUAL,
) -> None:
    """Assert that a kernel's scores within several margins are exact, with a table for all.

    The table is so small that entries are overwritten. It first holds what a shallower search has
    left, then bounds, then exact values.
    """
    package = package_of(position.game)
    exact = PlainSearch(settled).scores(position, depth)
    kernel = package.load(position, 6, kind)
    kernel.allow(None)
    if depth > 1:
        kernel.score_moves(depth - 1, FULL_MARGIN, position.legal_moves(), Stop().flag)
    for margin in (0, rng.randrange(1, 26), FULL_MARGIN, rng.randrange(1, 26), 0):
        order = rng.sample(list(exact), len(exact))
        lowest = max(exact.values()) - margin
        expected = {move: score for move, score in exact.items() if score >= lowest}
        assert kernel.score_moves(depth, margin, order, Stop().flag) == expected


def count_plainly(position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` moves, by playing every one of them."""
    if depth == 0:
        return 1
    return sum(count_plainly(position.play(move), depth - 1) for move in position.legal_moves())
