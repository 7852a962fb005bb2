"""Solving one position with several threads."""

from __future__ import annotations

from pathlib import Path
from threading import Timer

import pytest

from engine.core.limits import Stop
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver.compiled.memory import DONE, MINE, new_memories
from engine.games.connect4.solver.compiled.rules import FASTEST
from engine.games.connect4.solver.kernel import SolverKernel
from engine.games.connect4.solver.solver import SharedSolver, Solver
from tests.builders import CLASSIC, after
from tests.engine.tables import rows_of

DATA = Path(__file__).parent / "data" / "exact_scores.csv"


@pytest.mark.parametrize(("table_bits", "threads"), [(1, 2), (6, 5), (16, 2), (16, 8)])
def test_several_threads_find_the_known_scores(table_bits: int, threads: int) -> None:
    """Scores are exact, also in a tiny table in which all threads write to the same buckets."""
    solver = SharedSolver(CLASSIC, table_bits, threads=threads)
    solved = 0
    for row in rows_of(DATA)[::3]:
        position = after(CLASSIC, row["moves"])
        # With fewer stones a position takes too long here.
        if position.ply >= 15:
            solved += 1
            assert solver.solve(position).score == int(row["score"])
    assert solved >= 10


def test_a_message_about_an_earlier_position_does_not_end_a_later_search() -> None:
    """That another thread has finished a position with fewer stones is forgotten afterwards."""
    position, stop = after(CLASSIC, "44444325633277"), Stop()
    memory, _ = new_memories(CLASSIC.rows, CLASSIC.columns, 16, FASTEST, 2)
    kernel = SolverKernel(memory)
    kernel.begin()
    memory[int(memory[MINE]) + DONE] = position.ply - 1
    found = kernel.ask(position, 0, stop.flag)
    assert found is not None
    lower, upper = found
    score = Solver(CLASSIC, 16).solve(position).score
    assert score is not None
    assert lower <= score <= upper


def test_a_table_is_kept_until_it_is_cleared() -> None:
    """A second question needs no search until the table is cleared."""
    game = Connect4(5, 6)
    solver = SharedSolver(game, 18)
    assert solver.solve(game.start()).score == 0
    assert solver.solve(game.start()).nodes < 10
    solver.clear()
    assert solver.solve(game.start()).nodes > 1_000


@pytest.mark.parametrize(("threads", "most"), [(2, 1.3), (16, 1.6)])
def test_threads_share_out_the_work(threads: int, most: float) -> None:
    """Together, threads search hardly more positions than one thread alone."""
    game = Connect4(6, 6)
    together = SharedSolver(game, 20, threads=threads).solve(game.start())
    assert together.nodes < most * Solver(game, 20).solve(game.start()).nodes


def test_a_position_needs_a_thread() -> None:
    """Without a thread there is no solver."""
    with pytest.raises(ValueError, match="at least one thread"):
        SharedSolver(CLASSIC, 6, threads=0)


def test_threads_out_of_time_return_proven_bounds() -> None:
    """Cut short by a time limit, they return valid bounds, and the solver can be used again."""
    solver = SharedSolver(CLASSIC, 18)
    found = solver.solve(CLASSIC.start(), seconds=0.2)
    assert found.score is None
    assert found.lower <= 1 <= found.upper
    again = solver.solve(after(CLASSIC, "444444"), seconds=0.2)
    assert again.lower <= 1 <= again.upper
    position = after(CLASSIC, "4444442252555")
    assert solver.solve(position).score == Solver(CLASSIC, 18).solve(position).score


def test_a_stop_ends_all_threads() -> None:
    """The flag stops all threads, during a search and before it begins."""
    solver, stop = SharedSolver(CLASSIC, 18, threads=3), Stop()
    timer = Timer(0.2, stop.set)
    timer.start()
    found = solver.solve(CLASSIC.start(), stop)
    timer.join()
    assert found.score is None
    assert found.lower <= 1 <= found.upper
    assert solver.solve(CLASSIC.start(), stop).nodes == 0
