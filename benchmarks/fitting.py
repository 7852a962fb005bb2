"""Fits the evaluation of large boards to exact results: `python -m benchmarks.fitting 7x8`.

Games of rungs, with random first moves, give quiet positions with 20 to 26 discs. The solver says
who wins each; those that take it too long are left out. A logistic regression gives each feature
of `engine.games.connect4.compiled.evaluation.fitted` its weight, which is written as a file of
`engine/games/connect4/fitted`. Printed is the share of decided positions whose winner is
predicted, by cross-validation, beside the ordinary evaluation.

With `--keep FILE` positions are added to a file, so that a run can be stopped and continued.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import board_word, winning_squares
from engine.core.compiled.memory import Words
from engine.core.game import Player
from engine.games.connect4.compiled.evaluation import WEIGHT_SCALE, evaluate
from engine.games.connect4.compiled.memory import new_memory, use_weights
from engine.games.connect4.kernel import words_of
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.compiled.rules import FASTEST
from engine.games.connect4.solver.kernel import SolverKernel
from engine.games.connect4.solver.solver import NEVER_STOPPED
from engine.games.connect4.weights import FOLDER, in_order, names
from engine.strength.ladder import ladder_of

RUNGS = ("rung-6", "rung-8", "medium", "rung-10")
DISCS, RANDOM_PLIES = (20, 26), (2, 8)
TABLE_BITS, NODES = 21, 1_500_000
"""The table of the solver, and the most nodes for the winner of a position."""
SPREAD = 20
"""Points in which the odds of winning grow by e, as in `GamePackage.judging`."""
PENALTY, ROUNDS, FOLDS = 10.0, 12, 5
"""The regression's penalty for large weights, its iterations, and the parts for validation."""

Row = tuple[int, int, int]
"""The discs of both players, and 1 if the first one wins, -1 if it loses, 0 for a draw."""
Numbers = npt.NDArray[np.float64]


def main() -> None:
    """Collect positions, fit the weights of a board and write them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fitting")
    parser.add_argument("size", help="a board, ROWSxCOLUMNS")
    parser.add_argument("--positions", type=int, default=4000)
    parser.add_argument("--keep", type=Path, help="a file of positions, read first", metavar="FILE")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = Connect4.from_variant(options.size)
    rows = collected(game, options.positions, options.keep, options.seed)
    results = np.array([(result + 1) / 2 for *_, result in rows])
    usual = evaluated(game, rows)
    fitted = features(game, rows)
    for name, values in (("ordinary", usual), ("fitted", fitted)):
        print(f"{name}: {100 * predicted(values, results, options.seed):.1f} % predicted")
    weights = regression(fitted, results) * SPREAD * WEIGHT_SCALE
    write_weights(options.out / f"{game.variant}.csv", weights, len(rows))


def collected(game: Connect4, count: int, path: Path | None, seed: int) -> list[Row]:
    """Positions with their results, read from a file and added to it."""
    rows: list[Row] = []
    if path is not None and path.exists():
        for line in path.read_text("utf-8").splitlines():
            first, second, known = map(int, line.split())
            rows.append((first, second, known))
    if len(rows) >= count:
        return rows[:count]
    kernel = SolverKernel.alone(game, TABLE_BITS, FASTEST)
    for position in quiet_positions(game, Random(f"{game.variant} {seed} {len(rows)}")):
        result = winner(kernel, position)
        if result is not None:
            rows.append((position.first, position.second, result))
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write("{} {} {}\n".format(*rows[-1]))
        if len(rows) == count:
            break
    return rows


def quiet_positions(game: Connect4, rng: Random) -> Iterator[Connect4Position]:
    """Positions of games of rungs in which neither player can complete a four now."""
    agents = [ladder_of(game).named(name).agent for name in RUNGS]
    while True:
        agent, discs, random = rng.choice(agents), rng.randint(*DISCS), rng.randint(*RANDOM_PLIES)
        position = game.start()
        while position.ply < discs and position.outcome is None:
            moves = position.legal_moves()
            chosen = rng.choice(moves) if position.ply < random else None
            position = position.play(
                agent.choose(position, rng=rng).move if chosen is None else chosen
            )
        if position.outcome is None and not any(wins_now(game, position)):
            yield position


def wins_now(game: Connect4, position: Connect4Position) -> Iterator[int]:
    """The playable squares that complete a four of either player."""
    occupied = position.first | position.second
    bottom = sum(1 << (8 * column) for column in range(game.columns))
    playable = (occupied + bottom) & ~occupied & int(board_word(game.rows, game.columns))
    for wins in completing(game, position.first, position.second):
        yield wins & playable


def completing(game: Connect4, first: int, second: int) -> tuple[int, int]:
    """The empty squares that complete a four, of either player."""
    empty = int(board_word(game.rows, game.columns)) & ~(first | second)
    one, other = (int(winning_squares(np.uint64(discs))) & empty for discs in (first, second))
    return one, other


def winner(kernel: SolverKernel, position: Connect4Position) -> int | None:
    """1 if the first player wins, -1 if it loses, 0 for a draw; None if that takes too long."""
    kernel.begin()
    kernel.allow(NODES)
    signs = kernel.judge_many([position], NEVER_STOPPED.flag)
    if signs is None:
        return None
    return signs[0] if position.to_move is Player.FIRST else -signs[0]


def evaluated(game: Connect4, rows: Sequence[Row]) -> Numbers:
    """The ordinary evaluation for the first player, and 1, of each position."""
    memory = new_memory(game.rows, game.columns, 0)
    values = [value_of(one, memory) for one in questions(game, rows)]
    return np.column_stack([values, np.ones(len(rows))]).astype(np.float64)


def features(game: Connect4, rows: Sequence[Row]) -> Numbers:
    """What each weight counts, by position: a column for each weight in the order of `names`.

    It asks the compiled evaluation with one weight at a time.
    """
    memory, asked = new_memory(game.rows, game.columns, 0), questions(game, rows)
    columns = []
    for name, _ in names():
        use_weights(in_order({name: WEIGHT_SCALE}), memory)
        columns.append([value_of(one, memory) for one in asked])
    return np.array(columns, np.float64).T


def questions(game: Connect4, rows: Sequence[Row]) -> list[tuple[Any, ...]]:
    """The arguments of the compiled evaluation, by position."""
    found = []
    for first, second, _ in rows:
        position = Connect4Position(game, first, second)
        own, opp, _ = words_of(position)
        wins = completing(game, int(own), int(opp))
        found.append((own, opp, position.ply, *map(np.uint64, wins)))
    return found


def value_of(asked: tuple[Any, ...], memory: Words) -> int:
    """The evaluation of a position for the first player."""
    own, opp, ply, own_wins, opp_wins = asked
    value = int(evaluate(own, opp, ply, own_wins, opp_wins, memory))
    return value if ply % 2 == 0 else -value


def regression(values: Numbers, results: Numbers) -> Numbers:
    """The weights under which the values predict the results best."""
    weights = np.zeros(values.shape[1])
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (results - chances) - PENALTY * weights
        spread = (values * (chances * (1 - chances))[:, None]).T @ values
        weights += np.linalg.solve(spread + PENALTY * np.eye(len(weights)), slope)
    return weights


def predicted(values: Numbers, results: Numbers, seed: int) -> float:
    """The share of decided positions whose winner is predicted, by cross-validation."""
    order = np.random.default_rng(seed).permutation(len(results))
    hits = decided = 0
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        rest = np.setdiff1d(order, held)
        ahead = values[held] @ regression(values[rest], results[rest]) > 0
        wins = results[held]
        hits += int((ahead == (wins > 0.5))[wins != 0.5].sum())
        decided += int((wins != 0.5).sum())
    return hits / decided


def write_weights(path: Path, weights: Numbers, positions: int) -> None:
    """Write the weights that are not 0."""
    lines = [f"# python -m benchmarks.fitting {path.stem}, {positions} positions", "counts,weight"]
    for (name, _), weight in zip(names(), np.rint(weights).astype(int).tolist(), strict=True):
        if weight:
            lines.append(f"{name},{weight}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
