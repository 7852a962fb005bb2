"""How long a hint of each level takes: `python -m benchmarks.hints [--positions N]`.

The first press searches, draws and finds the words; what is said after that is about the same
answer, as it is stored. Neither Discord nor the database is in these times. Prints a Markdown table
by game, of random positions with all caches warm: the middle, the 99th percentile and the longest
CPU time of one thread, then the 99th percentile by the clock, which depends on what else runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from random import Random
from time import perf_counter, thread_time
from typing import NamedTuple

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
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hints", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.positions} positions a game, ms")
    print("| game | level | CPU p50 | CPU p99 | longest | by the clock p99 |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for kind in options.games:
        print(*measured(kind, options.positions, Random(options.seed)), sep="\n")


def measured(kind: str, positions: int, rng: Random) -> list[str]:
    """The rows of one game."""
    game = game_called(kind)
    times = {level: list[Times]() for level in HintLevel}
    for number in range(-3, positions):
        given = timed(random_session(game, rng))
        if number < 0:
            continue  # what is compiled or drawn for the first time
        for level, took in zip(HintLevel, given, strict=True):
            times[level].append(took)
    return [f"| {kind} | {level.name.lower()} | {figures(times[level])} |" for level in HintLevel]


def timed(session: Session) -> tuple[Times, Times, Times]:
    """How long each level of a hint takes."""
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
    """How long something takes."""
    cpu, clock = thread_time(), perf_counter()
    work()
    return Times(thread_time() - cpu, perf_counter() - clock)


def random_session(game: Game, rng: Random) -> Session:
    """A game against an agent after some moves."""
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


def figures(times: list[Times]) -> str:
    """The columns of a row."""
    cpu, clock = [each.cpu for each in times], [each.clock for each in times]
    ways = ((cpu, 0.5), (cpu, 0.99), (cpu, 1.0), (clock, 0.99))
    return " | ".join(f"{1000 * percentile(each, part):.1f}" for each, part in ways)


def percentile(seconds: list[float], part: float) -> float:
    """The least time that so large a part of all do not exceed."""
    return sorted(seconds)[ceil(part * len(seconds)) - 1]


if __name__ == "__main__":
    main()
