"""What puzzles people are given: `python -m benchmarks.puzzle_choice`.

Prints Markdown: for each board the shipped puzzles and those that are given, by theme, and how many
moves they ask and how far their point is away; then the first thirty of new players, by the rule
that only looks at ratings (before) and by the present one (after). With --check, everything that is
stored with the puzzles is derived again; the exit status is 1 if anything differs.

`--solve` prints instead how many of all shipped puzzles two simulated players solve, who are no
rungs: by decile of the puzzles' ratings, and as their own ratings foresee, which are measured by
games against rungs.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import fmean, median

import numpy as np

from benchmarks.adaptive.characters import CHARACTERS, Style
from benchmarks.perfect_choice import error_of, rating_of
from benchmarks.printing import head, row
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
from engine.strength.elo import expected
from engine.strength.ladder import ladder_of, size_class
from engine.study.mining.describing import described, related
from engine.study.mining.lines import judge_of
from engine.study.mining.ranking import correlation, ranks
from engine.study.puzzles import Puzzle, boards, file_of, puzzles_in, puzzles_of, read
from engine.study.themes import Theme

PEOPLE = 40
"""The number of new players on each board."""

NOW = 1e9
"""The time at which all puzzles are given."""

SOLVERS = ("gambler", "league player")
"""A weak and a strong simulated player for `--solve`, with whom no rung or puzzle was made."""

TRIES = 8
"""How often each of them tries a puzzle, with different seeds."""

GAMES = 400
"""Games against rungs that give each of them a rating on a board."""

PARTS = 10
"""Deciles."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; returns 1 if a check failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.puzzle_choice", description=__doc__)
    parser.add_argument("--check", help="derive all that is stored again", action="store_true")
    parser.add_argument(
        "--solve", help="let held-out players try all puzzles", nargs="*", metavar="BOARD"
    )
    parser.add_argument("--tries", help="of each of these puzzles", type=int, default=TRIES)
    parser.add_argument("--games", help="that rate each player", type=int, default=GAMES)
    options = parser.parse_args(arguments)
    if options.solve is not None:
        print_solved(options.solve, options.tries, options.games)
        return 0
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


def print_solved(names: Sequence[str], tries: int, games: int) -> None:
    """The shares of puzzles that held-out players solve on these boards, or else on all."""
    titles = (f"decile {number}" for number in range(1, PARTS + 1))
    print(head(("board", "player", "Elo", *titles, "all", "foreseen", "rank correlation", "pairs")))
    by_grade = list[str]()
    for game in boards():
        if names and name_of(game) not in names:
            continue
        puzzles = as_measured(game)
        ratings = [float(one.rating) for one in puzzles]
        means = [f"{fmean(part):.0f}" for part in in_parts(ratings)]
        print(row((name_of(game), "mean rating", "", *means, *[""] * 4)), flush=True)
        for name in SOLVERS:
            player, seed = CHARACTERS[name], f"{game.variant} {name}"
            elo = rating_of(game, player, Random(seed), games)
            shares = [solved(player, one, tries, seed) for one in puzzles]
            cells = solved_cells(ratings, shares, elo)
            rating = f"{elo:.0f} ± {error_of(game, elo, games):.0f}"
            print(row((name_of(game), name, rating, *cells)), flush=True)
            by_grade += grade_rows(
                game, name, {one.id: share for one, share in zip(puzzles, shares, strict=True)}
            )
    print("\n".join(by_grade))


def as_measured(game: Game) -> list[Puzzle]:
    """A board's puzzles by their ratings as they were measured, before grades replace them."""
    lines = file_of(game).read_text("utf-8").splitlines()
    return sorted(read(game, lines), key=lambda one: one.rating)


def in_parts(values: Sequence[float]) -> list[Sequence[float]]:
    """Values in ten parts, whose sizes differ by one at most, in the same order."""
    bounds = [len(values) * number // PARTS for number in range(PARTS + 1)]
    return [values[first:last] for first, last in pairwise(bounds)]


def solved(player: Style, puzzle: Puzzle, tries: int, seed: str) -> float:
    """The share of tries in which a player makes every move that people are asked."""
    problem = puzzle.played
    positions = [problem.position(number) for number in range(len(problem.steps))]

    def is_solved(rng: Random) -> bool:
        moves = (player.choose(position, rng) for position in positions)
        return all(problem.is_answer(number, move) for number, move in enumerate(moves))

    return fmean(is_solved(Random(f"{seed} {puzzle.id} {number}")) for number in range(tries))


def solved_cells(ratings: Sequence[float], shares: Sequence[float], elo: float) -> list[str]:
    """The shares of puzzles that a player solves, as cells of a table.

    They are those of each decile and of all puzzles, the share that is foreseen for the player's
    rating, the rank correlation of the deciles with theirs, and the pairs in order.
    """
    parts = [fmean(part) for part in in_parts(shares)]
    foreseen = float(np.mean(expected(elo - np.array(ratings))))
    percents = [f"{100 * share:.0f}" for share in (*parts, fmean(shares), foreseen)]
    order = correlation(ranks(np.arange(PARTS, dtype=float)), ranks(np.array(parts)))
    return [*percents, f"{order:.2f}", f"{100 * ordered_pairs(ratings, shares):.0f}"]


def ordered_pairs(ratings: Sequence[float], shares: Sequence[float]) -> float:
    """The share of pairs of a solved and a failed try in which the failed puzzle is rated higher.

    Equal ratings count half; NaN if all tries were solved, or none.
    """
    places, share = ranks(np.array(ratings)), np.array(shares)
    below = (places[:, None] < places[None, :]) + (places[:, None] == places[None, :]) / 2
    with np.errstate(invalid="ignore"):
        return float(share @ below @ (1 - share) / (share.sum() * (1 - share).sum()))


def grade_rows(game: Game, name: str, shares: Mapping[str, float]) -> list[str]:
    """The shares that a player solves by grade; none on boards without grades."""
    groups = defaultdict[int, list[float]](list)
    for one in puzzles_of(game):
        groups[one.grade].append(shares[one.id])
    cells = (f"grade {grade}: {100 * fmean(its):.0f} %" for grade, its in sorted(groups.items()))
    return [row((name_of(game), name, *cells))] if 0 not in groups else []


def name_of(game: Game) -> str:
    """A board, as the table names it."""
    return game.variant if game.key == "connect4" else game.key


if __name__ == "__main__":
    sys.exit(main())
