"""The time of a hint of each level: `python -m benchmarks.hints [--positions N]`.

The first level searches, draws and formulates; the others use the stored result. The times exclude
Discord and the database. Prints a row for each game and level, for random positions with warm
caches: median, 99th percentile and maximum of CPU time, then the 99th percentile of wall-clock
time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from time import perf_counter, thread_time
from typing import NamedTuple

from benchmarks.printing import MAXIMUM, MEDIAN, P99, head, quantile, row
from bot.features.hints.rules import HINT_SECONDS, Hint, HintLevel, found_by, hint_record
from bot.features.hints.view import hint_picture
from bot.game.session import Session
from bot.i18n import say_in
from bot.show.scenes import Names
from bot.store.records import GameRecord, GameSetup, HintRecord, MoveRecord, SeatRecord
from engine.core.game import Game
from engine.core.limits import Limit
from engine.core.registry import game_called
from engine.study.hints import GiveHint
from tests.engine.threat_checks import random_game

GAMES = ("6x7", "5x4", "8x8", "gato", "boom")
PERSON = 1
NAMES: Names = {PERSON: "Ana"}
ENGLISH = say_in("en")


class Times(NamedTuple):
    """Seconds."""

    cpu: float
    clock: float


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hints", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.positions} positions a game, ms")
    print(head(("game", "level", "CPU p50", "CPU p99", "longest", "wall-clock p99")))
    for kind in options.games:
        print(*measured(kind, options.positions, Random(options.seed)), sep="\n")


def measured(kind: str, positions: int, rng: Random) -> list[str]:
    """The rows of one game."""
    game = game_called(kind)
    times = {level: list[Times]() for level in HintLevel}
    for number in range(-3, positions):
        given = timed(random_session(game, rng))
        if number < 0:
            continue  # compiles and fills caches
        for level, took in zip(HintLevel, given, strict=True):
            times[level].append(took)
    return [row((kind, level.name.lower(), *figures(times[level]))) for level in HintLevel]


def timed(session: Session) -> tuple[Times, Times, Times]:
    """The times of each level of a hint."""
    kept = list[HintRecord]()

    def first() -> None:
        job = replace(session.job(GiveHint(), seed=1), limit=Limit(seconds=HINT_SECONDS))
        found = job.run()
        kept.append(hint_record(session, PERSON, found, 0.0, HintLevel.AREA))
        hint_picture(Hint(session, found, HintLevel.AREA), NAMES, ENGLISH)

    def again(level: HintLevel) -> None:
        hint_picture(
            Hint(session, found_by(kept[0], session.game, session.position.to_move), level),
            NAMES,
            ENGLISH,
        )

    took = timed_once(first)
    return (
        took,
        timed_once(partial(again, HintLevel.THREAT)),
        timed_once(partial(again, HintLevel.MOVE)),
    )


def timed_once(work: Callable[[], object]) -> Times:
    """The time of a function call."""
    cpu, clock = thread_time(), perf_counter()
    work()
    return Times(thread_time() - cpu, perf_counter() - clock)


def random_session(game: Game, rng: Random) -> Session:
    """A game against an agent after some random moves."""
    moves = random_game(game, rng)
    opening = GameSetup(
        game.key, game.variant, 1, None, "en", SeatRecord(PERSON, None), SeatRecord(None, "medium")
    )
    made, position = list[MoveRecord](), game.start()
    for move in moves:
        player = int(position.to_move)
        made.append(MoveRecord(player, PERSON, game.label(move), False, 0.0, 1.0))
        position = position.play(move)
    return Session.from_record(GameRecord(1, opening, 0.0, None, tuple(made), (), None))


def figures(times: list[Times]) -> list[str]:
    """The columns of a row."""
    cpu, clock = [each.cpu for each in times], [each.clock for each in times]
    ways = ((cpu, MEDIAN), (cpu, P99), (cpu, MAXIMUM), (clock, P99))
    return [f"{1000 * quantile(each, share):.1f}" for each, share in ways]


if __name__ == "__main__":
    main()
