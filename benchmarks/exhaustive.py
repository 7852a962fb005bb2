"""The solver against every position of a small board: `python -m benchmarks.exhaustive SIZE`.

Scores all positions of a board of up to 5x5, 4x6 or 6x4 by plain rules, backwards from the full
board, then queries the solver for each unfinished position from the empty board on, with one table.
`--rules` repeats this with each rule disabled. The exit status is 1 if any result is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np
from rich.progress import Progress

from benchmarks.exhaustive_questions import question
from benchmarks.exhaustive_truth import Truth, board_words
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver.compiled.memory import new_memory
from engine.games.connect4.solver.compiled.rules import ALL, Rule

CHUNK = 1 << 18
"""Number of positions per step of the progress bar."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The results for some positions."""

    stones: int
    positions: int = 0
    asked: int = 0
    wrong: int = 0
    fault: tuple[int, int] | None = None
    """The first position with a wrong result, and its query."""

    def with_chunk(self, positions: int, asked: int, wrong: int, key: int, alpha: int) -> Tally:
        """This tally with further positions added."""
        fault = self.fault or ((key, alpha) if wrong else None)
        return Tally(
            self.stones, self.positions + positions, self.asked + asked, self.wrong + wrong, fault
        )


def check(
    truth: Truth, rules: int, table_bits: int, advance: Callable[[int], None] = lambda count: None
) -> Iterator[Tally]:
    """Query the solver for all unfinished positions, layer by layer, without clearing the table.

    Shallow layers come first, since their searches leave results of later ones in the table.
    `advance` is called with the number of positions done.
    """
    memory = new_memory(truth.game.rows, truth.game.columns, table_bits, rules)
    stop = np.zeros(1, np.uint8)
    for stones, layer in enumerate(truth.layers[:-1]):
        tally = Tally(stones)
        for at in range(0, layer.size, CHUNK):
            keys = layer[at : at + CHUNK]
            found = question(keys, stones, truth.board, truth.scores, memory, stop)
            tally = tally.with_chunk(keys.size, *found)
            advance(keys.size)
        yield tally


def drawing(game: Connect4, key: int) -> str:
    """A position as text, X for the first player."""
    columns = [
        (key >> ((game.rows + 1) * column)) & ((2 << game.rows) - 1)
        for column in range(game.columns)
    ]
    return "\n".join(
        # A square with a higher bit in its column is below the guard bit and occupied.
        " ".join("OX"[(c >> height) & 1] if c >> (height + 1) else "." for c in columns)
        for height in reversed(range(game.rows))
    )


def describe(truth: Truth, tally: Tally) -> str:
    """The first wrong result of a layer as text."""
    assert tally.fault
    key, alpha = tally.fault
    return (
        f"{drawing(truth.game, key)}\n"
        f"is worth {truth.scores[key]}; wrong when asked if it is worth more than {alpha}"
    )


def run(truth: Truth, name: str, rules: int, table_bits: int, progress: Progress) -> list[Tally]:
    """Check with a set of rules and print the sum; with all rules also a row per layer."""
    task = progress.add_task(name, total=truth.open_positions)
    began, tallies = perf_counter(), []
    if rules == ALL:
        say(progress, "| stones | positions | wrong |\n| ---: | ---: | ---: |")
    for tally in check(truth, rules, table_bits, partial(progress.advance, task)):
        tallies.append(tally)
        if rules == ALL:
            say(progress, f"| {tally.stones} | {tally.positions:,} | {tally.wrong:,} |")
        if tally.fault:
            say(progress, describe(truth, tally))
    progress.remove_task(task)
    asked, wrong = sum(t.asked for t in tallies), sum(t.wrong for t in tallies)
    seconds = perf_counter() - began
    say(progress, f"{name}: {asked:,} questions, {wrong:,} wrong, {seconds:.1f} seconds")
    return tallies


def say(progress: Progress, text: str) -> None:
    """Print above the progress bar."""
    progress.console.print(text, markup=False, highlight=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, check, and return the exit status."""
    options = _options(arguments)
    game: Connect4 = options.size
    rule_sets = {"all rules": ALL}
    if options.rules:
        rule_sets |= {f"without {rule.name}": ALL & ~rule for rule in Rule}
    began, tallies = perf_counter(), []
    with Progress(transient=True, disable=not sys.stdout.isatty()) as progress:
        task = progress.add_task("every score", total=2 * game.rows * game.columns + 1)
        truth = Truth.of(game, lambda ply: progress.advance(task))
        progress.remove_task(task)
        without, won = f"{truth.positions:,} positions without a four", f"{truth.won:,} with one"
        say(progress, f"{game.variant}: {without}, {won}")
        for name, rules in rule_sets.items():
            tallies += run(truth, name, rules, options.table_bits, progress)
    asked, wrong = sum(t.asked for t in tallies), sum(t.wrong for t in tallies)
    seconds = perf_counter() - began
    print(
        f"{truth.open_positions:,} positions, {asked:,} questions, {wrong:,} wrong, "
        f"{seconds:.0f} seconds"
    )
    return 1 if wrong else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exhaustive", description=__doc__)
    parser.add_argument("size", help="a board, ROWSxCOLUMNS", type=_small_board)
    parser.add_argument("--rules", action="store_true", help="also with each rule switched off")
    parser.add_argument("--table-bits", type=int, default=22, metavar="N")
    return parser.parse_args(arguments)


def _small_board(text: str) -> Connect4:
    try:
        game = Connect4.from_variant(text)
        board_words(game)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return game


if __name__ == "__main__":
    sys.exit(main())
