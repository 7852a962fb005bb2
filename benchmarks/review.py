"""Reviews of games against the solver, and how long they take: `python -m benchmarks.review`.

Rungs of the ladder, and somebody who moves at random, play each other. Every review is compared
move by move with the solver, which has no book and is asked about each move by itself. On boards
of more than 25 squares, positions with fewer stones than `--from` are left out, but for the first
`--deep` games. Prints how many moves were compared and how many differ, how long a review takes,
and what accuracies the rungs reach.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from random import Random
from statistics import fmean
from time import perf_counter, process_time

from engine.cli.study import review_json as as_json
from engine.core.game import Game, Move, Player
from engine.core.registry import game_called, package_of
from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.strength.ladder import ladder_of
from engine.strength.roster import agent_named
from engine.study.review import Review, review

GAMES = ("6x7", "5x4")
RANDOM = "random"
TABLE_BITS = 22


@dataclass(frozen=True, slots=True)
class Wanted:
    """One game to be played, reviewed and compared."""

    game: str
    seed: int
    since: int
    """Stones from which on moves are compared."""
    players: tuple[str, ...]
    """Who may play."""
    quiet: bool = False
    """Whether the game is one of random moves that fills the board, for its length."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What came of it."""

    wanted: Wanted
    names: tuple[str, str]
    plies: int
    proven: int
    cpu: float
    wall: float
    accuracies: tuple[float | None, float | None]
    compared: int
    wrong: tuple[str, ...]
    """The lines that differ, beside the truth."""


def main() -> None:
    """Play, review, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=GAMES, help="which games, such as boom")
    parser.add_argument("--games", type=int, default=200, help="in all")
    parser.add_argument("--long", type=int, default=40, help="full boards of random moves a size")
    parser.add_argument("--from", type=int, default=12, help="stones, on the classic board")
    parser.add_argument("--deep", type=int, default=2, help="games compared from fewer stones on")
    parser.add_argument("--deep-from", type=int, default=8, help="these stones")
    parser.add_argument("--players", help="only these, with commas between: random,easy,medium")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    since, each = getattr(options, "from"), options.games // len(options.kinds)
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for kind in options.kinds:
            game = game_called(kind)
            small = isinstance(game, Connect4) and game.rows * game.columns <= 25
            names = tuple(options.players.split(",")) if options.players else players(game)
            wanted = []
            for number in range(each):
                first = 0 if small else options.deep_from if number < options.deep else since
                wanted.append(Wanted(kind, options.seed + number, first, names))
            if isinstance(game, Connect4):
                numbers = range(options.long)
                wanted += [
                    Wanted(kind, options.seed + n, since, names, quiet=True) for n in numbers
                ]
            print("\n".join(report(kind, list(pool.map(reviewed, wanted, chunksize=4)))), "\n")


def reviewed(wanted: Wanted) -> Reviewed:
    """Play a game, review it, and compare the review with the solver."""
    game, rng = game_called(wanted.game), Random(wanted.seed)
    names = (rng.choice(wanted.players), rng.choice(wanted.players))
    moves = full_board(game, rng) if wanted.quiet else played(game, names, rng)
    cpu, wall = process_time(), perf_counter()
    found = review(game, moves)
    cpu, wall = process_time() - cpu, perf_counter() - wall
    compared, wrong = 0, list[str]()
    if isinstance(game, Connect4):
        compared, wrong = compare(game, moves, found, wanted.since)
    return Reviewed(
        wanted,
        names,
        len(moves),
        sum(one.is_proven for one in found.moves),
        cpu,
        wall,
        (found.accuracy(Player.FIRST), found.accuracy(Player.SECOND)),
        compared,
        tuple(wrong),
    )


def players(game: Game) -> tuple[str, ...]:
    """Who may play: all rungs of the game's ladder, and chance."""
    return (RANDOM, *(rung.name for rung in ladder_of(game).rungs))


def played(game: Game, names: Sequence[str], rng: Random) -> list[Move]:
    """The moves of a game between two."""
    position, moves = game.start(), list[Move]()
    while position.outcome is None:
        name = names[position.to_move - 1]
        if name == RANDOM:
            move = rng.choice(position.legal_moves())
        else:
            move = agent_named(game.key, name).choose(position, rng=rng).move
        moves.append(move)
        position = position.play(move)
    return moves


def full_board(game: Game, rng: Random) -> list[Move]:
    """The moves of a random game in which nobody makes a four before the last square, if then."""
    while True:
        position, moves = game.start(), list[Move]()
        while position.outcome is None:
            every = position.legal_moves()
            quiet = [m for m in every if position.play(m).outcome is None] or every
            moves.append(rng.choice(quiet))
            position = position.play(moves[-1])
        if len(moves) == package_of(game).longest(game):
            return moves


@cache
def solver_of(game: Connect4) -> Solver:
    """One solver for all games of a process: it only ever gets quicker."""
    return Solver(game, TABLE_BITS)


def compare(
    game: Connect4, moves: Sequence[Move], found: Review, since: int
) -> tuple[int, list[str]]:
    """How many moves were compared, and the lines that differ from what the solver says."""
    position, positions = game.start(), list[Connect4Position]()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    compared, wrong = 0, list[str]()
    for at in range(len(moves) - 1, -1, -1):
        if positions[at].ply < since:
            break
        told = as_json(game, found.moves[at])
        if told["value"] is None or told["best"] is None:
            continue
        compared += 1
        scores = {move: truth(game, positions[at], move) for move in positions[at].legal_moves()}
        best = max(scores.values())
        expected = {
            "move": game.label(moves[at]),
            "player": at % 2 + 1,
            "value": scores[moves[at]],
            "best": best,
            "best_moves": [game.label(move) for move, score in scores.items() if score == best],
        }
        if any(told[key] != value for key, value in expected.items()):
            wrong.append(f"{''.join(map(game.label, moves[:at]))} {json.dumps([told, expected])}")
    return compared, wrong


def truth(game: Connect4, position: Connect4Position, move: Move) -> int:
    """The score of a move for its maker, by the solver alone."""
    after, squares = position.play(move), game.rows * game.columns
    if after.outcome is not None:
        return Value.of_ended(after).score(position.to_move, squares)
    score = solver_of(game).solve(after).score
    assert score is not None, "nothing cuts it short"
    return -score


def report(kind: str, done: Sequence[Reviewed]) -> Iterable[str]:
    """What is printed about one game."""
    wrong = [line for one in done for line in one.wrong]
    plies = sum(one.plies for one in done)
    yield f"{kind}: {len(done)} games, {plies} moves, {sum(one.proven for one in done)} proven"
    yield f"compared with the solver: {sum(one.compared for one in done)}, wrong: {len(wrong)}"
    yield from wrong
    for title, some in (
        ("games between rungs", [one for one in done if not one.wanted.quiet]),
        ("full boards", [one for one in done if one.wanted.quiet]),
    ):
        if some:
            length = fmean(one.plies for one in some)
            times = (timing([one.cpu for one in some]), timing([one.wall for one in some]))
            yield f"{title}, {length:.0f} moves on average: CPU s {times[0]}, wall s {times[1]}"
    yield from table(kind, [one for one in done if not one.wanted.quiet])


def timing(seconds: Sequence[float]) -> str:
    """The usual and the worst of some times."""
    ranked = sorted(seconds)
    p50, p99 = (ranked[min(int(part * len(ranked)), len(ranked) - 1)] for part in (0.5, 0.99))
    return f"p50 {p50:.2f}, p99 {p99:.2f}, most {ranked[-1]:.2f}"


def table(kind: str, done: Sequence[Reviewed]) -> Iterable[str]:
    """The mean accuracy of each player."""
    found = defaultdict[str, list[float]](list)
    for one in done:
        for name, accuracy in zip(one.names, one.accuracies, strict=True):
            if accuracy is not None:
                found[name].append(accuracy)
    elos = {rung.name: f"{rung.elo:.0f}" for rung in ladder_of(game_called(kind)).rungs}
    yield "| player | Elo | sides | accuracy |"
    yield "| --- | ---: | ---: | ---: |"
    for name in players(game_called(kind)):
        if found[name]:
            elo = elos.get(name, "")
            yield f"| {name} | {elo} | {len(found[name])} | {fmean(found[name]):.0f} |"


if __name__ == "__main__":
    main()
