"""Threats derived in random positions, each checked by playing it out and by solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from engine.core.game import Game, Move, Player, Position, replay
from engine.core.registry import game_called, package_of
from engine.core.threat import Threat, ThreatKind
from engine.core.values import Value, plies_to_end, share_of
from engine.games.boom.rules import Boom
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver import Solver
from engine.study.hints import Adviser
from tests.engine.threat_truth import always_wins, is_true, loses_at_once, missed

LATEST_IN_BOOM = 60
NEAR = 3
"""Movements of BOOM within which the distance of a win or a loss is enumerated."""
SOLVED = {"gato": 6, "8x8": 44, "7x6": 14, "6x7": 14, "4x8": 10, "5x4": 0}
"""The number of stones from which values are compared."""
TABLE_BITS = 22


@dataclass(frozen=True, slots=True)
class Piece:
    """A number of positions of one game."""

    game: str
    seed: int
    positions: int


@dataclass(slots=True)
class Tally:
    """The results of checking them."""

    said: Counter[tuple[str, str]]
    false: Counter[tuple[str, str]]
    missed: Counter[tuple[str, str]]
    wrong: list[str]
    """The false statements."""


def checked(piece: Piece) -> Tally:
    """Derive and check the threats in a number of positions."""
    game, rng = game_called(piece.game), Random(piece.seed)
    tally = Tally(Counter(), Counter(), Counter(), [])
    for _ in range(piece.positions):
        position = replay(game, random_game(game, rng))
        found = package_of(game).threats(position)
        for threat in found:
            count_statement(
                tally, piece.game, threat.kind, position, holds(position, threat), threat
            )
        for kind in missed(position, found):
            tally.missed[piece.game, kind] += 1
            tally.wrong.append(f"missed {kind} {position}")
        if position.ply >= SOLVED.get(piece.game, 0):
            for kind, is_right, hint in hinted_values(piece.game, position, rng):
                count_statement(tally, piece.game, kind, position, is_right, hint)
        always_wins.cache_clear()
    return tally


def count_statement(
    tally: Tally, game: str, kind: str, position: Position, is_right: bool, hint: object
) -> None:
    """Count a statement."""
    tally.said[game, kind] += 1
    if not is_right:
        tally.false[game, kind] += 1
        tally.wrong.append(f"false {hint} {position}")


def random_game(game: Game, rng: Random) -> list[Move]:
    """A random number of random moves after which the game is not over.

    In every second game neither side permits an immediate win if it can prevent one. Otherwise most
    positions would be wins.
    """
    most = LATEST_IN_BOOM if isinstance(game, Boom) else package_of(game).longest(game)
    while True:
        wanted, is_careful = rng.randrange(most), rng.random() < 0.5
        position, moves = game.start(), list[Move]()
        while position.ply < wanted:
            goes_on = [m for m in position.legal_moves() if position.play(m).outcome is None]
            careful = [m for m in goes_on if is_careful and not loses_at_once(position, m)]
            if not goes_on:
                break
            moves.append(rng.choice(careful or goes_on))
            position = position.play(moves[-1])
        if position.ply == wanted:
            return moves


def holds(position: Any, threat: Threat) -> bool:
    """Whether a statement is true by enumeration and, for zugzwang, by the solver."""
    return is_true(position, threat) and wins(position, threat)


def wins(position: Any, threat: Threat) -> bool:
    """Whether the solver agrees that the player with zugzwang wins, if it is asked."""
    if threat.kind is not ThreatKind.ZUGZWANG or position.ply < SOLVED[position.game.variant]:
        return True
    solver = solver_of(position.game)
    if threat.player is not position.to_move:
        return (solver.solve(position).score or 0) < 0
    after = [position.play(move) for move in threat.moves]
    return all((solver.solve(each).score or 0) < 0 for each in after)


@cache
def solver_of(game: Connect4) -> Solver:
    """One solver per game and process, which keeps its results."""
    return Solver(game, TABLE_BITS)


def hinted_values(game: str, position: Any, rng: Random) -> Iterator[tuple[str, bool, object]]:
    """The values in a hint: their kind, whether they are true, and the value."""
    hint = Adviser(seconds=1.0).choose(position, rng=rng)
    true = {move: true_score(game, position, move, score) for move, score in hint.exact}
    for move, score in hint.exact:
        if true[move] is not None:
            yield "value", true[move] == score, (move, score, true[move])
    shares = sorted((share_of(score) for _, score in hint.exact), reverse=True)
    if len(shares) < len(position.legal_moves()) or len(shares) < 2 or shares[0] == shares[1]:
        return
    trues = [share_of(score) for score in true.values() if score is not None]
    if len(trues) == len(shares):
        yield "only", sorted(trues, reverse=True)[:2] == shares[:2], hint.exact


def true_score(game: str, position: Any, move: Move, said: int) -> int | None:
    """The value of a move; None if enumeration would take too long."""
    after = position.play(move)
    if not isinstance(position.game, Boom):
        return exact(game, after).search(position.to_move)
    if plies_to_end(said, position.ply) > NEAR:
        return None
    return enumerated(after, position.to_move, NEAR)


def exact(game: str, position: Any) -> Value:
    """The value of a position, by a solver without books or by enumeration."""
    if position.outcome is not None:
        return Value.of_ended(position)
    if game == "gato":
        return exhaustive_value(position)
    score = solver_of(position.game).solve(position).score
    assert score is not None, "nothing cuts it short"
    squares = position.game.rows * position.game.columns
    return Value.from_score(score, position.to_move, squares)


@cache
def exhaustive_value(position: Any) -> Value:
    """The value of a position of Gato: the best of all continuations."""
    if position.outcome is not None:
        return Value.of_ended(position)
    after = [exhaustive_value(position.play(move)) for move in position.legal_moves()]
    return max(after, key=lambda value: value.search(position.to_move))


def enumerated(position: Any, player: Player, plies: int) -> int:
    """The score of a position of BOOM for a player; 0 if undecided after this many plies."""
    if position.outcome is not None:
        return Value.of_ended(position).search(player)
    if not plies:
        return 0
    scores = [enumerated(position.play(m), player, plies - 1) for m in position.legal_moves()]
    return max(scores) if position.to_move is player else min(scores)
