"""Nodes and time of the exact solver: `python -m benchmarks.solver FOLDER`.

The folder holds files `NAME.txt` of lines `moves score` on 6x7, such as the usual test sets of
Connect 4 solvers. The table is cleared before every position, which is not timed.

With `--bitbully`, the package of that name (AGPL, in the extra `bench`) solves the same positions
in the same run, taking turns with ours, also without a book and from a cleared table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.compiled.rules import ALL, Rule
from engine.games.connect4.solver.solver import solver_of

GAME = Connect4()
SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3")
SLOW_SET_SIZES = {"L1_R3": 40}
"""Largest number of positions of slow sets."""
TURNS = {"L2_R2": 20, "L1_R1": 20, "L1_R2": 1, "L1_R3": 1}
"""Number of positions per turn of a solver: few, as the speed of a machine changes within seconds.
Other sets are short and taken whole."""
ABLATION = {"L2_R2": 100, "L1_R1": 400, "L1_R3": 4}
"""The sets of the ablation, with their number of positions; the empty board is another."""


@dataclass
class Figures:
    """The costs of solving a set."""

    nodes: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    """Seconds of CPU time."""
    wall: list[float] = field(default_factory=list)
    """Seconds of wall-clock time."""
    wrong: int = 0

    def add(self, nodes: int, cpu: float, wall: float, wrong: bool) -> None:
        """Add one position."""
        self.nodes.append(nodes)
        self.cpu.append(cpu)
        self.wall.append(wall)
        self.wrong += wrong

    @property
    def mean(self) -> float:
        """Mean nodes per position."""
        return fmean(self.nodes)


def p99(values: Sequence[float]) -> float:
    """The 99th percentile."""
    return sorted(values)[(99 * len(values) - 1) // 100]


def positions(path: Path, most: int | None) -> list[tuple[Connect4Position, int]]:
    """The first positions of a file, with their scores."""
    found = []
    for line in path.read_text("utf-8").splitlines()[:most]:
        moves, score = line.split()
        position = GAME.start()
        for move in GAME.moves(moves):
            position = position.play(move)
        found.append((position, int(score)))
    return found


def measure(solver: Solver, pairs: list[tuple[Connect4Position, int]]) -> Figures:
    """Solve positions one by one, each from an empty table."""
    solver.solve(GAME.start(), seconds=0.01)
    figures = Figures()
    for position, score in pairs:
        add_ours(figures, solver, position, score)
    return figures


def add_ours(figures: Figures, solver: Solver, position: Connect4Position, score: int) -> None:
    """Solve one position with our solver."""
    solver.clear()
    wall, began = time.perf_counter(), time.process_time()
    found = solver.solve(position)
    spent = time.process_time() - began
    figures.add(found.nodes, spent, time.perf_counter() - wall, found.score != score)


def add_bitbully(figures: Figures, agent: Any, position: Connect4Position, score: int) -> None:
    """Solve one position with BitBully."""
    from bitbully import Board

    board = Board([[0 if cell == "." else int(cell) for cell in row] for row in position.cells()])
    agent.reset_transposition_table()
    agent.reset_node_counter()
    wall, began = time.perf_counter(), time.process_time()
    found = agent.mtdf(board)
    spent = time.process_time() - began
    figures.add(agent.get_node_counter(), spent, time.perf_counter() - wall, found != score)


def print_beside_bitbully(
    folder: Path, names: Sequence[str], table_bits: int, most: int | None
) -> None:
    """Print a row of CPU time and one of wall time for each set, with both solvers side by side."""
    from bitbully import BitBully

    solver, agent = Solver(GAME, table_bits), BitBully(opening_book=None)
    solver.solve(GAME.start(), seconds=0.01)
    print("| set | positions | wrong | nodes | BitBully | µs | mean | BitBully | ratio ", end="")
    print("| p99 | BitBully | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | --- |" + " ---: |" * 6)
    for name in names:
        ours, theirs = Figures(), Figures()
        pairs = positions(folder / f"{name}.txt", most or SLOW_SET_SIZES.get(name))
        turn = TURNS.get(name, len(pairs))
        for begin in range(0, len(pairs), turn):
            for position, score in pairs[begin : begin + turn]:
                add_ours(ours, solver, position, score)
            for position, score in pairs[begin : begin + turn]:
                add_bitbully(theirs, agent, position, score)
        print(
            f"| {name} | {len(pairs)} | {ours.wrong} + {theirs.wrong} "
            f"| {ours.mean:,.1f} | {theirs.mean:,.1f} | CPU | {times(ours.cpu, theirs.cpu)} |"
        )
        print(f"| | | | | | wall | {times(ours.wall, theirs.wall)} |", flush=True)


def times(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Cells: mean and 99th percentile of both in microseconds, and the ratios."""
    cells = []
    for own, other in ((fmean(ours), fmean(theirs)), (p99(ours), p99(theirs))):
        cells += [f"{1e6 * own:,.0f}", f"{1e6 * other:,.0f}", f"{own / other:.3f}"]
    return " | ".join(cells)


def time_empty_board(table_bits: int, counts: Sequence[int]) -> None:
    """Solve the empty board from scratch, with one thread and with these numbers of threads."""
    print("| threads on the empty 6x7 board | nodes | CPU s | wall s |")
    print("| --- | ---: | ---: | ---: |")
    for threads in (1, *counts):
        solver = solver_of(GAME, threads, table_bits)
        wall, began = time.perf_counter(), time.process_time()
        found = solver.solve(GAME.start())
        spent = time.process_time() - began
        print(f"| {threads} | {found.nodes:,} | {spent:.1f} | {time.perf_counter() - wall:.1f} |")


def print_sets(
    folder: Path, names: Sequence[str], rules: int, table_bits: int, most: int | None
) -> None:
    """Print a row for each set."""
    solver = Solver(GAME, table_bits, rules)
    print("| set | positions | mean nodes | p99 nodes | CPU µs a position | wrong |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        if (path := folder / f"{name}.txt").exists():
            found = measure(solver, positions(path, most or SLOW_SET_SIZES.get(name)))
            print(
                f"| {name} | {len(found.nodes)} | {found.mean:,.1f} | {p99(found.nodes):,} "
                f"| {1e6 * fmean(found.cpu):,.0f} | {found.wrong} |",
                flush=True,
            )


def print_ablation(folder: Path, table_bits: int) -> None:
    """Print a row for each rule: the factors of nodes and of CPU time without it.

    Each position is solved with and without the rule in turn.
    """
    sets = {name: positions(folder / f"{name}.txt", most) for name, most in ABLATION.items()}
    sets["empty board"] = [(GAME.start(), 1)]
    print("| without | " + " | ".join(sets) + " |")
    print("| --- |" + " ---: |" * len(sets))
    usual = Solver(GAME, table_bits, ALL)
    usual.solve(GAME.start(), seconds=0.01)
    for rule in Rule:
        solver, cells = Solver(GAME, table_bits, ALL & ~rule), []
        solver.solve(GAME.start(), seconds=0.01)
        for pairs in sets.values():
            with_it, without = Figures(), Figures()
            for position, score in pairs:
                add_ours(with_it, usual, position, score)
                add_ours(without, solver, position, score)
            assert with_it.wrong == without.wrong == 0
            spent = sum(without.cpu) / sum(with_it.cpu)
            cells.append(f"{without.mean / with_it.mean:.2f}, {spent:.2f}")
        print(f"| {rule.name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Read the command line and print Markdown tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", action="append", default=[], choices=[r.name for r in Rule])
    parser.add_argument("--ablation", action="store_true", help="switch each rule off in turn")
    parser.add_argument("--positions", type=int, help="at most this number of each set")
    parser.add_argument("--table-bits", type=int, default=22)
    parser.add_argument("--bitbully", action="store_true", help="beside that solver")
    parser.add_argument("--empty", action="store_true", help="the empty board only")
    parser.add_argument(
        "--threads", type=int, nargs="+", default=[2], help="that share the empty board"
    )
    parser.add_argument("--set", action="append", choices=SETS, help="only this one; repeatable")
    options = parser.parse_args()
    names = options.set or SETS
    if options.bitbully:
        print_beside_bitbully(options.folder, names, options.table_bits, options.positions)
    elif options.empty:
        time_empty_board(options.table_bits, options.threads)
    elif options.ablation:
        print_ablation(options.folder, options.table_bits)
    else:
        off = sum(Rule[name] for name in options.without)
        print_sets(options.folder, names, ALL & ~off, options.table_bits, options.positions)


if __name__ == "__main__":
    main()
