"""What puzzles people are given: `python -m benchmarks.puzzle_choice`.

Prints Markdown: for each board the shipped puzzles and those that are given, by theme, and how many
moves they ask and how far their point is away; then the first thirty of new players, by the rule
that only looks at ratings (before) and by the present one (after). With --check, everything that is
stored with the puzzles is derived again; the exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import median

from bot.features.puzzles.choice import (
    EXPERT,
    FAR,
    FIRST_WINS,
    choose,
    is_given,
    next_puzzle,
    suits,
)
from bot.features.puzzles.store import PuzzleTry
from bot.ratings.glicko import newcomer
from engine.core.game import Game
from engine.strength.ladder import ladder_of, size_class
from engine.study.mining.describing import described, related
from engine.study.mining.lines import judge_of
from engine.study.puzzles import Puzzle, boards, puzzles_in, puzzles_of
from engine.study.themes import Theme

PEOPLE = 40
"""The number of new players on each board."""

NOW = 1e9
"""The time at which all puzzles are given."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; returns 1 if a check failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.puzzle_choice", description=__doc__)
    parser.add_argument("--check", help="derive all that is stored again", action="store_true")
    options = parser.parse_args(arguments)
    print_themes()
    print_distances()
    print_first()
    return sum(faults(game) for game in boards()) > 0 if options.check else 0


def print_themes() -> None:
    """How many puzzles of each theme are shipped, and how many of them are given."""
    print(f"| board | puzzles | {' | '.join(Theme)} |")
    print("| --- | ---: |" + " ---: |" * len(Theme))
    for game in boards():
        every = puzzles_of(game)
        given = [one for one in every if is_given(one)]
        cells = [f"{len(given):,} of {len(every):,}"]
        for theme in Theme:
            counts = [sum(theme in one.themes for one in some) for some in (given, every)]
            cells.append(f"{counts[0]:,} of {counts[1]:,}")
        print(f"| {name_of(game)} | {' | '.join(cells)} |")


def print_distances() -> None:
    """The moves that puzzles ask and the distance of their point: all, and those that are given."""
    print("\n| board | puzzles | number | one click | clicks | distance | beyond six |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for game in boards():
        every = puzzles_of(game)
        groups = {
            "before": (before(every), False),
            "below 1500": ([one for one in every if suits(one, EXPERT - 1)], True),
            "from 1500": ([one for one in every if suits(one, EXPERT)], True),
        }
        for name, (some, is_after) in groups.items():
            print(f"| {name_of(game)} | {name} | {figures(some, is_after=is_after)} |")


def before(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The puzzles that were shipped before plain wins were added, all of which were given."""
    return [one for one in puzzles if one.source.startswith("1/")]


def figures(puzzles: Sequence[Puzzle], *, is_after: bool) -> str:
    """The number, the single clicks, the median clicks and distance, and those beyond six moves."""
    clicks = [one.clicks if is_after else one.asked for one in puzzles]
    far = [one.distance > FAR for one in puzzles]
    shares = [f"{100 * sum(some) / len(puzzles):.0f} %" for some in ([c == 1 for c in clicks], far)]
    distance = median(one.distance for one in puzzles)
    return f"{len(puzzles):,} | {shares[0]} | {median(clicks):g} | {distance:g} | {shares[1]}"


def print_first() -> None:
    """The first thirty puzzles of new players, by the former rule and the present one."""
    columns = "plain wins | one click | clicks | distance | beyond six | same game as before"
    print(f"\n| board | rule | puzzles | {columns} |\n| --- | --- | ---: |" + " ---: |" * 6)
    for ladder, game in {size_class(game): game for game in boards()}.items():
        rating = newcomer(ladder_of(game)).value

        def former(
            tries: Sequence[PuzzleTry], rng: Random, ladder: str = ladder, rating: float = rating
        ) -> Puzzle:
            # Sources are left out, so that puzzles of one game may follow each other.
            return choose(before(puzzles_in(ladder)), tries, rating, NOW, rng, apart=False)

        def present(
            tries: Sequence[PuzzleTry], rng: Random, ladder: str = ladder, rating: float = rating
        ) -> Puzzle:
            return next_puzzle(ladder, tries, rating, NOW, rng)

        for name, rule in (("before", former), ("after", present)):
            people = [first_of(rule, Random(f"{ladder} {number}")) for number in range(PEOPLE)]
            every = [one for found in people for one in found]
            pairs = [pair for found in people for pair in pairwise(found)]
            again = sum(one.source == other.source for one, other in pairs) / len(pairs)
            plain = sum(one.is_plain_win for one in every) / len(every)
            number, *rest = figures(every, is_after=rule is present).split(" | ")
            cells = (number, f"{100 * plain:.0f} %", *rest, f"{100 * again:.1f} %")
            print(f"| {name_of(game)} | {name} | {' | '.join(cells)} |")


def first_of(rule: Callable[[Sequence[PuzzleTry], Random], Puzzle], rng: Random) -> list[Puzzle]:
    """The first puzzles of one new player, who solves them all."""
    tries, found = list[PuzzleTry](), list[Puzzle]()
    for _ in range(FIRST_WINS):
        found.append(rule(tries, rng))
        at = float(len(tries))
        tries.append(PuzzleTry(1, found[-1].id, "", at, at, at, True, None, None))
    return found


def faults(game: Game) -> int:
    """Derive what is stored with a board's puzzles again; prints and counts those that differ."""
    judge, stored = judge_of(game), puzzles_of(game)
    derived = related([described(replace(one, within=""), judge) for one in stored])
    wrong = [one.id for one, other in zip(stored, derived, strict=True) if one != other]
    print(f"{name_of(game)}: {len(stored):,} puzzles derived again, {len(wrong)} differ {wrong}")
    return len(wrong)


def name_of(game: Game) -> str:
    """A board, as the table names it."""
    return game.variant if game.key == "connect4" else game.key


if __name__ == "__main__":
    sys.exit(main())
