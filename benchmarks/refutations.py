"""What follows a wrong answer, and how long it takes: `python -m benchmarks.refutations`.

Rungs of the ladder play each other. Each exercise that their games give is answered with every
wrong move, and what refutes it is found and drawn as it is for people. Where the review has proven
what such a move is worth, the line must end as that says. Prints for each game how many wrong
answers there were, how many lines are proven, how many of those differ from the review, how long a
line takes on one core and its animation, and how large the animations are.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from random import Random
from time import process_time

from benchmarks.review import played, players, timing
from bot.drills.discord import play_picture
from bot.i18n import say_in
from engine.core.game import Game, Move, Player, replay
from engine.core.problem import Problem, Step
from engine.core.registry import game_called
from engine.core.values import Value
from engine.study.analysis import Line, ShowLine, best_line
from engine.study.exercises import Exercise, exercises
from engine.study.review import review

GAMES = ("6x7", "5x4", "8x8", "gato", "boom")


@dataclass(frozen=True, slots=True)
class Refuted:
    """One wrong answer."""

    proven: bool
    differs: bool
    """Whether the line ends otherwise than the review says, which has proven it."""
    cpu: float
    drawn: float
    size: int
    """Bytes of the animation."""


def main() -> None:
    """Play, answer wrongly, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.refutations", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=GAMES, help="which games, such as boom")
    parser.add_argument("--games", type=int, default=20, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    print(
        "| game | wrong answers | proven | differ | line, CPU s | animation, CPU s | most bytes |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for kind in options.kinds:
            wanted = [(kind, options.seed + number) for number in range(options.games)]
            print(row(kind, list(chain(*pool.map(refuted, wanted)))), flush=True)


def refuted(wanted: tuple[str, int]) -> list[Refuted]:
    """All wrong answers to the exercises of one game."""
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
    """What follows each wrong answer to an exercise."""
    problem = Problem(game, exercise.moves, (Step(exercise.solutions),))
    for move in problem.position(0).legal_moves():
        if problem.is_answer(0, move):
            continue
        cpu = process_time()
        line = best_line(game.start(), (*exercise.moves, move), seconds=ShowLine().seconds)
        cpu, drawn = process_time() - cpu, process_time()
        gif, _ = play_picture(problem, 0, line.moves[len(exercise.moves) :], say_in("en"))
        drawn = process_time() - drawn
        yield Refuted(line.proven, differs(problem, exercise, move, line), cpu, drawn, len(gif))


def differs(problem: Problem, exercise: Exercise, move: Move, line: Line) -> bool:
    """Whether a line ends otherwise than the review has proven."""
    found = exercise.played.analysis
    worth = found.value(move, problem.solver)
    if worth is None or not line.proven:
        return False
    ended = Value.of_ended(replay(problem.game, line.moves))
    # A search knows the winner of such a move, but how soon only of the best ones.
    return ended != worth if found.proven else ended.winner is not worth.winner


def row(kind: str, done: Sequence[Refuted]) -> str:
    """A line of the table."""
    proven = f"{sum(one.proven for one in done) / max(len(done), 1):.0%}"
    times = [timing([seconds(one) for one in done]) for seconds in (_cpu, _drawn)] if done else []
    most = max((one.size for one in done), default=0)
    wrong = sum(one.differs for one in done)
    return f"| {' | '.join(map(str, (kind, len(done), proven, wrong, *times, most)))} |"


def _cpu(one: Refuted) -> float:
    return one.cpu


def _drawn(one: Refuted) -> float:
    return one.drawn


if __name__ == "__main__":
    main()
