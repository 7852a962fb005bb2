"""How long a hint of each level takes: `python -m benchmarks.hints [--positions N]`.

The first press searches, draws and finds the words; what is said after that is about the same
answer, as it is stored. Neither Discord nor the database is in these times. Prints a Markdown table
by game: the middle, the 99th percentile and the longest of random positions, in milliseconds of one
thread, with all caches warm.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from random import Random
from time import perf_counter

from benchmarks.threats import random_game
from bot.play.hints import HINT_SECONDS, found_by, hint_record
from bot.show.hint_pictures import hint_picture
from bot.show.scenes import Names
from bot.store import GameRecord, HintRecord, MoveRecord, NewGameRecord, SeatRecord
from bot.table.hints import Hint, HintLevel
from bot.table.session import Session
from bot.words import say_in
from engine.game import Game
from engine.games import FAMILIES, game_called
from engine.jobs import GiveHint, find_move
from engine.search import Limit

GAMES = ("6x7", "5x4", "8x8", "gato", "boom")
PERSON = 1
NAMES: Names = {PERSON: "Ana"}
ENGLISH = say_in("en")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hints", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.positions} positions a game, ms")
    print("| game | level | p50 | p99 | longest | threats alone, p99 |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for kind in options.games:
        print(*measured(kind, options.positions, Random(options.seed)), sep="\n")


def measured(kind: str, positions: int, rng: Random) -> list[str]:
    """The rows of one game."""
    game = game_called(kind)
    times = {level: list[float]() for level in HintLevel}
    alone = list[float]()
    for number in range(-3, positions):
        session = random_session(game, rng)
        seconds = timed(session)
        looked = timed_once(partial(FAMILIES[game.key].threats, session.position))
        if number < 0:
            continue  # what is compiled or drawn for the first time
        alone.append(looked)
        for level, took in zip(HintLevel, seconds, strict=True):
            times[level].append(took)
    return [
        f"| {kind} | {level.name.lower()} | {figures(times[level])} | {percentile(alone, 0.99)} |"
        for level in HintLevel
    ]


def timed(session: Session) -> tuple[float, float, float]:
    """How long each level of a hint takes."""
    kept = list[HintRecord]()

    def first() -> None:
        job = replace(session.job(GiveHint(), seed=1), limit=Limit(seconds=HINT_SECONDS))
        found = find_move(job)
        kept.append(hint_record(session, PERSON, found, 0.0, HintLevel.AREA))
        show(Hint(session, found, HintLevel.AREA))

    def again(level: HintLevel) -> Callable[[], None]:
        return lambda: show(Hint(session, found_by(kept[0], session.game), level))

    took = timed_once(first)
    return took, timed_once(again(HintLevel.THREAT)), timed_once(again(HintLevel.MOVE))


def show(hint: Hint) -> None:
    """Find a hint's words and draw its picture."""
    hint_picture(hint, NAMES, ENGLISH)


def timed_once(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def random_session(game: Game, rng: Random) -> Session:
    """A game against an agent after some moves."""
    moves = random_game(game, rng)
    opening = NewGameRecord(
        game.key,
        game.variant,
        1,
        None,
        "en",
        SeatRecord(PERSON, None),
        SeatRecord(None, "medium"),
        False,
        0.0,
    )
    made, position = list[MoveRecord](), game.start()
    for move in moves:
        player = int(position.to_move)
        made.append(MoveRecord(player, PERSON, game.label(move), False, 0.0, 1.0))
        position = position.play(move)
    return Session.from_record(GameRecord(1, opening, None, tuple(made), (), None))


def figures(seconds: list[float]) -> str:
    """The middle, the 99th percentile and the longest."""
    return " | ".join(percentile(seconds, part) for part in (0.5, 0.99, 1.0))


def percentile(seconds: list[float], part: float) -> str:
    """A percentile in milliseconds."""
    return f"{1000 * sorted(seconds)[ceil(part * len(seconds)) - 1]:.1f}"


if __name__ == "__main__":
    main()
