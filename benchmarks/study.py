"""Time and proven share of analyses, reviews and refutations: `python -m benchmarks.study WHAT`.

`analysis` analyses the positions of games between two rungs of the ladder, and prints for each game
and part of it the seconds of one core, the share that is proven, and the search depth of the rest.

`review` reviews games of rungs and of random movers, and compares every move with the solver, which
has no book and solves each move separately. On boards of more than 25 squares, positions with fewer
stones than `--from` are skipped, except in the first `--deep` games. Prints the number of compared
and of different moves, the time of a review, and the accuracies of the rungs.

`refutations` answers each exercise from games between rungs with every wrong move, and finds and
draws its refutation as the bot does. Where the review has proven the value of such a move, the line
must end accordingly. Prints for each game the number of wrong answers, the share of proven lines,
the number that differ from the review, the CPU time of a line and its animation, and the size of
the largest animation.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain
from multiprocessing import get_context
from random import Random
from statistics import fmean
from time import perf_counter, process_time

from benchmarks.printing import MEDIAN, P99, head, quantile, row, spread, table
from bot.drills.discord import play_picture
from bot.drills.rules import Drill, Question
from bot.i18n import say_in
from engine.cli.study import review_json as as_json
from engine.core.game import Game, Move, Player, Position, replay
from engine.core.problem import Problem, Step
from engine.core.registry import game_called, package_of
from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.strength.ladder import ladder_of
from engine.strength.roster import agent_named
from engine.study.analysis import Line, PositionAnalysis, ShowLine, analyse_position, best_line
from engine.study.exercises import Exercise, exercises
from engine.study.move_class import class_of
from engine.study.review import Review, review

GAMES = {
    "analysis": ("6x7", "5x4", "7x7", "8x8", "gato", "boom"),
    "review": ("6x7", "5x4"),
    "refutations": ("6x7", "5x4", "8x8", "gato", "boom"),
}
NUMBERS = {"analysis": 12, "review": 200, "refutations": 20}
"""Games of each kind; of all kinds together for `review`."""
PARTS = 4
"""Parts of a game, by the number of moves, with a line each in the table of analyses."""
RANDOM = "random"
TABLE_BITS = 22


def main() -> None:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=__doc__)
    parser.add_argument("what", choices=GAMES)
    parser.add_argument("kinds", nargs="*", help="games, such as boom")
    parser.add_argument("--games", type=int, help="of each kind; in all for reviews")
    parser.add_argument("--long", type=int, default=40, help="full boards of random moves a size")
    parser.add_argument("--from", type=int, default=12, help="stones, on the classic board")
    parser.add_argument("--deep", type=int, default=2, help="games compared from fewer stones on")
    parser.add_argument("--deep-from", type=int, default=8, help="these stones")
    parser.add_argument("--players", help="only these, separated by commas: random,easy,medium")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    options.kinds = options.kinds or GAMES[options.what]
    options.games = options.games or NUMBERS[options.what]
    measure = {"analysis": _analyses, "review": _reviews, "refutations": _refutations}
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        measure[options.what](options, pool)


# Analyses


def _analyses(options: argparse.Namespace, _pool: Executor) -> None:
    """Print a row for each game and part of it."""
    names = ("game", "moves made", "positions", "proven", "p50", "p99", "depth of the others")
    print(head(names))
    for name in options.kinds:
        game = game_called(name)
        analyse_position(game.start())  # loads the kernels
        found = [
            (position, *timed(position))
            for number in range(options.games)
            for position in positions(game, Random(options.seed + number))
        ]
        size = -(-max(position.ply + 1 for position, _, _ in found) // PARTS)
        for first in range(0, PARTS * size, size):
            part = [one for one in found if first <= one[0].ply < first + size]
            if part:
                print(row((name, f"{first}–{first + size - 1}", *cells(part))), flush=True)


def positions(game: Game, rng: Random) -> Iterator[Position]:
    """The positions of a game between two rungs."""
    rungs = ladder_of(game).rungs
    agents = [rng.choice(rungs).agent for _ in range(2)]
    position: Position = game.start()
    longest = min(package_of(game).longest(game), 64)
    while position.outcome is None and position.ply < longest:
        yield position
        agent = agents[position.to_move - 1]
        position = position.play(agent.choose(position, rng=rng).move)


def timed(position: Position) -> tuple[PositionAnalysis, float]:
    """An analysis and its CPU seconds."""
    began = process_time()
    found = analyse_position(position)
    return found, process_time() - began


def cells(part: Sequence[tuple[Position, PositionAnalysis, float]]) -> tuple[object, ...]:
    """The figures of some analyses as cells of a row."""
    seconds = [one[2] for one in part]
    proven = fmean(one[1].analysis.proven for one in part)
    depths = sorted(one[1].analysis.depth for one in part if not one[1].analysis.proven)
    ends = f"{depths[0]}–{depths[-1]}" if depths else "–"
    times = (f"{quantile(seconds, share):.2f}" for share in (MEDIAN, P99))
    return (len(part), f"{proven:.0%}", *times, ends)


# Reviews


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game to be played, reviewed and compared."""

    game: str
    seed: int
    since: int
    """Number of stones from which on moves are compared."""
    players: tuple[str, ...]
    """Names of possible players."""
    quiet: bool = False
    """Whether the game fills the board with random moves, to measure long reviews."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The results for one game."""

    wanted: Wanted
    names: tuple[str, str]
    plies: int
    proven: int
    cpu: float
    wall: float
    accuracies: tuple[float | None, float | None]
    sound: tuple[float, ...]
    """The accuracies of the sides without a mistake."""
    compared: int
    wrong: tuple[str, ...]
    """Moves for which review and solver differ, with both results."""


def _reviews(options: argparse.Namespace, pool: Executor) -> None:
    """Print the comparison, times and accuracies for each kind of game."""
    since, each = getattr(options, "from"), options.games // len(options.kinds)
    for kind in options.kinds:
        game = game_called(kind)
        small = isinstance(game, Connect4) and game.rows * game.columns <= 25
        names = tuple(options.players.split(",")) if options.players else players(game)
        wanted = []
        for number in range(each):
            first = 0 if small else options.deep_from if number < options.deep else since
            wanted.append(Wanted(kind, options.seed + number, first, names))
        if isinstance(game, Connect4):
            seeds = range(options.seed, options.seed + options.long)
            wanted += [Wanted(kind, seed, since, names, quiet=True) for seed in seeds]
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
    accuracies = (found.accuracy(Player.FIRST), found.accuracy(Player.SECOND))
    proven = sum(one.is_proven for one in found.moves)
    sound = tuple(
        accuracy
        for player, accuracy in zip(Player, accuracies, strict=True)
        if accuracy is not None and is_sound(found, player)
    )
    return Reviewed(
        wanted, names, len(moves), proven, cpu, wall, accuracies, sound, compared, tuple(wrong)
    )


def is_sound(found: Review, player: Player) -> bool:
    """Whether a side made no move with "?" or "??"."""
    own = [one for one in found.moves if one.player is player]
    return not any(class_of(one).is_serious for one in own)


def players(game: Game) -> tuple[str, ...]:
    """Names of all rungs of the game's ladder, and of a random mover."""
    return (RANDOM, *(rung.name for rung in ladder_of(game).rungs))


def played(game: Game, names: Sequence[str], rng: Random) -> list[Move]:
    """The moves of a game between two players."""
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
    """The moves of a random game without a line before the last square."""
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
    """One solver per game and process, which keeps its table."""
    return Solver(game, TABLE_BITS)


def compare(
    game: Connect4, moves: Sequence[Move], found: Review, since: int
) -> tuple[int, list[str]]:
    """The number of compared moves, and those for which the solver's result differs."""
    position, before = game.start(), list[Connect4Position]()
    for move in moves:
        before.append(position)
        position = position.play(move)
    compared, wrong = 0, list[str]()
    for at in range(len(moves) - 1, -1, -1):
        if before[at].ply < since:
            break
        said = as_json(game, found.moves[at])
        if said["value"] is None or said["best"] is None:
            continue
        compared += 1
        scores = {move: truth(game, before[at], move) for move in before[at].legal_moves()}
        best = max(scores.values())
        expected = {
            "move": game.label(moves[at]),
            "player": at % 2 + 1,
            "value": scores[moves[at]],
            "best": best,
            "best_moves": [game.label(move) for move, score in scores.items() if score == best],
        }
        if any(said[key] != value for key, value in expected.items()):
            wrong.append(f"{''.join(map(game.label, moves[:at]))} {json.dumps([said, expected])}")
    return compared, wrong


def truth(game: Connect4, position: Connect4Position, move: Move) -> int:
    """The score of a move for its player, by the solver alone."""
    after, squares = position.play(move), game.rows * game.columns
    if after.outcome is not None:
        return Value.of_ended(after).score(position.to_move, squares)
    score = solver_of(game).solve(after).score
    assert score is not None, "there is no limit"
    return -score


def report(kind: str, done: Sequence[Reviewed]) -> Iterable[str]:
    """The output for one kind of game."""
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
            cpu, wall = (spread([getattr(one, name) for one in some]) for name in ("cpu", "wall"))
            yield f"{title}, {length:.0f} moves: p50, p99, most s: CPU {cpu}, wall {wall}"
    sound = [accuracy for one in done for accuracy in one.sound]
    if sound:
        least = min(sound)
        yield f"sides without a mistake: {len(sound)}, least accuracy {least:.0f}"
    accuracies = defaultdict[str, list[float]](list)
    for one in done:
        for name, accuracy in zip(one.names, one.accuracies, strict=True):
            if accuracy is not None and not one.wanted.quiet:
                accuracies[name].append(accuracy)
    elos = {rung.name: f"{rung.elo:.0f}" for rung in ladder_of(game_called(kind)).rungs}
    yield table(
        ("player", "Elo", "sides", "accuracy"),
        (
            (name, elos.get(name, ""), len(accuracies[name]), f"{fmean(accuracies[name]):.0f}")
            for name in players(game_called(kind))
            if accuracies[name]
        ),
    )


# Refutations


@dataclass(frozen=True, slots=True)
class Refuted:
    """The refutation of one wrong answer."""

    proven: bool
    differs: bool
    """Whether the line ends differently than the review has proven."""
    cpu: float
    drawn: float
    size: int
    """Bytes of the animation."""


def _refutations(options: argparse.Namespace, pool: Executor) -> None:
    """Print a row for each kind of game."""
    times = ("line, CPU s: p50, p99, most", "animation, CPU s: p50, p99, most")
    print(head(("game", "wrong answers", "proven", "differ", *times, "most bytes")))
    for kind in options.kinds:
        wanted = [(kind, options.seed + number) for number in range(options.games)]
        print(refutation_row(kind, list(chain(*pool.map(refuted, wanted)))), flush=True)


def refuted(wanted: tuple[str, int]) -> list[Refuted]:
    """The refutations of all wrong answers to the exercises of one game."""
    kind, seed = wanted
    game, rng = game_called(kind), Random(seed)
    names = players(game)
    found = review(game, played(game, (rng.choice(names), rng.choice(names)), rng))
    return [
        answer
        for player in Player
        for exercise in exercises(found, player)
        for answer in answers(game, exercise)
    ]


def answers(game: Game, exercise: Exercise) -> Iterator[Refuted]:
    """The refutation of each wrong answer to an exercise."""
    problem = Problem(game, exercise.moves, (Step(exercise.solutions),))
    for move in problem.position(0).legal_moves():
        if problem.is_answer(0, move):
            continue
        cpu = process_time()
        line = best_line(game.start(), (*exercise.moves, move), seconds=ShowLine().seconds)
        cpu, drawn = process_time() - cpu, process_time()
        drill, made = Drill("", problem, (Question("", ""),)), len(exercise.moves)
        gif, _ = play_picture(drill, 0, line.moves[made:], say_in("en"))
        drawn = process_time() - drawn
        yield Refuted(line.proven, differs(problem, exercise, move, line), cpu, drawn, len(gif))


def differs(problem: Problem, exercise: Exercise, move: Move, line: Line) -> bool:
    """Whether a line ends differently than the review has proven."""
    found = exercise.played.analysis
    value = found.value(move, problem.solver)
    if value is None or not line.proven:
        return False
    ended = Value.of_ended(replay(problem.game, line.moves))
    # A search knows the winner after such a move, but the distance only for the best moves.
    return ended != value if found.proven else ended.winner is not value.winner


def refutation_row(kind: str, done: Sequence[Refuted]) -> str:
    """A row of the table."""
    proven = f"{sum(one.proven for one in done) / max(len(done), 1):.0%}"
    times = [spread([getattr(one, name) for one in done]) for name in ("cpu", "drawn")]
    most = max((one.size for one in done), default=0)
    return row((kind, len(done), proven, sum(one.differs for one in done), *times, most))


if __name__ == "__main__":
    main()
