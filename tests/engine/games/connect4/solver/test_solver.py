"""Perfect play: scores, bounds and lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from threading import Thread, Timer

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player, Position
from engine.core.limits import Stop
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solution, Solver
from engine.games.connect4.solver.compiled.rules import ALL, Rule
from tests.builders import CLASSIC, SIZES, NearlyFull, after
from tests.engine.tables import rows_of

DATA = Path(__file__).parent / "data" / "exact_scores.csv"


def known_scores() -> Mapping[str, list[tuple[Connect4Position, int]]]:
    """By set: positions on 6x7 with their scores."""
    found: dict[str, list[tuple[Connect4Position, int]]] = {}
    for row in rows_of(DATA):
        position = after(CLASSIC, row["moves"])
        found.setdefault(row["set"], []).append((position, int(row["score"])))
    return found


def on_the_solvers_scale(game: Connect4, value: int) -> int:
    """A score of the engine's search as one of the solver."""
    if value == 0:
        return 0
    score = (game.rows * game.columns + 2 - (WIN - abs(value))) // 2
    return score if value > 0 else -score


def mirrored(position: Connect4Position) -> Connect4Position:
    """The mirror image of a position."""
    last = 8 * (position.game.columns - 1)

    def turned(word: int) -> int:
        columns = range(0, last + 8, 8)
        return sum((word >> shift & 0xFF) << (last - shift) for shift in columns)

    return Connect4Position(position.game, turned(position.first), turned(position.second))


@pytest.mark.parametrize(("name", "positions"), known_scores().items())
def test_known_scores(name: str, positions: list[tuple[Connect4Position, int]]) -> None:
    """Positions of the public test sets have the published scores.

    Early positions take the longest, so there are few of them.
    """
    solver = Solver(CLASSIC)
    for position, score in positions if name.startswith(("L3", "L2")) else positions[::4]:
        found = solver.solve(position)
        assert (found.score, found.lower, found.upper) == (score, score, score)


@pytest.mark.parametrize(
    ("sizes", "score"),
    [
        ("4x4 4x5 4x7 5x4 5x5 5x6 6x4 6x5 7x4", 0),
        ("4x6 4x8", -1),
    ],
)
def test_known_values_of_whole_boards(sizes: str, score: int) -> None:
    """With perfect play the first player draws most small boards, and loses some."""
    for size in sizes.split():
        game = Connect4.from_variant(size)
        found = Solver(game).solve(game.start()).score
        assert found is not None
        assert (found > 0) - (found < 0) == score, size


@settings(max_examples=60)
@given(game=st.sampled_from(SIZES), seed=st.integers(0, 2**32), empty=st.integers(1, 10))
def test_every_move_has_the_score_of_perfect_play(
    nearly_full: NearlyFull,
    play_perfectly: Callable[[Position], dict[Move, int]],
    game: Connect4,
    seed: int,
    empty: int,
) -> None:
    """On every size and with any table, playing all games to their end gives the same scores."""
    position = nearly_full(game, Random(seed), empty)
    expected = {m: on_the_solvers_scale(game, v) for m, v in play_perfectly(position).items()}
    solver = Solver(game, table_bits=6)
    assert solver.solve(position).score == max(expected.values())
    assert {m: found.score for m, found in solver.solve_moves(position).items()} == expected


@pytest.mark.parametrize("size", ["8x4", "8x8", "8x5", "4x8", "7x7"])
def test_boards_without_a_spare_row(
    nearly_full: NearlyFull, play_perfectly: Callable[[Position], dict[Move, int]], size: str
) -> None:
    """Boards of eight rows, which fill a column's byte, are solved like any other."""
    game, rng = Connect4.from_variant(size), Random(5)
    solver = Solver(game, table_bits=12)
    for _ in range(8):
        position = nearly_full(game, rng, rng.randint(1, 7))
        best = max(play_perfectly(position).values())
        assert solver.solve(position).score == on_the_solvers_scale(game, best)


@settings(max_examples=40)
@given(game=st.sampled_from(SIZES), seed=st.integers(0, 2**32))
def test_mirror_images_have_the_same_score(
    nearly_full: NearlyFull, game: Connect4, seed: int
) -> None:
    """A position and its mirror image have the same score."""
    position = nearly_full(game, Random(seed), min(14, game.rows * game.columns - 2))
    turned = mirrored(position)
    assert Solver(game, 12).solve(position).score == Solver(game, 12).solve(turned).score


@settings(max_examples=40)
@given(game=st.sampled_from(SIZES), seed=st.integers(0, 2**32))
def test_the_line_agrees_with_the_score(nearly_full: NearlyFull, game: Connect4, seed: int) -> None:
    """The line is a whole game, and its winner completes the four with the stone scored."""
    position = nearly_full(game, Random(seed), min(14, game.rows * game.columns - 2))
    solver = Solver(game, 12)
    score = solver.solve(position).score
    mover: Player = position.to_move
    for move in solver.line(position):
        position = position.play(move)
    assert position.outcome is not None
    if position.outcome.winner is None:
        assert score == 0
    else:
        worth = (game.rows * game.columns + 2 - position.ply) // 2
        assert score == (worth if position.outcome.winner is mover else -worth)


def test_a_table_is_kept_until_it_is_cleared() -> None:
    """A second question needs no search, and after `clear` the same nodes as the first time."""
    position, solver = after(CLASSIC, "274552224131661"), Solver(CLASSIC)
    first = solver.solve(position)
    again = solver.solve(position)
    solver.clear()
    assert again.nodes < first.nodes / 10
    assert solver.solve(position).nodes == first.nodes
    assert again.score == first.score == 0


def test_a_stopped_search_gives_its_bounds() -> None:
    """A search whose stop flag is set returns bounds without a score, and no line."""
    stop, solver = Stop(), Solver(Connect4(8, 8))
    position = Connect4(8, 8).start()
    Timer(0.2, stop.set).start()
    found = solver.solve(position, stop)
    assert found.score is None
    assert found.lower < found.upper
    assert solver.line(position, stop) == ()
    assert all(answer.score is None for answer in solver.solve_moves(position, stop).values())


def test_a_time_limit_gives_bounds_and_leaves_the_solver_usable() -> None:
    """After a time limit has ended a search, the next one is not limited."""
    solver = Solver(CLASSIC)
    found = solver.solve(CLASSIC.start(), seconds=0.1)
    assert found.score is None
    assert found.lower < 1 <= found.upper
    assert solver.solve(after(CLASSIC, "274552224131661")).score == 0


def test_solvers_run_in_parallel() -> None:
    """Solvers in several threads share nothing: each needs the same nodes as alone."""
    position = after(CLASSIC, "335662333565")
    alone = Solver(CLASSIC, 16).solve(position)
    found: list[Solution] = []
    threads = [
        Thread(target=lambda: found.append(Solver(CLASSIC, 16).solve(position))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(one.score, one.nodes) for one in found] == [(-2, alone.nodes)] * 3


def test_unsolvable_positions_are_refused() -> None:
    """A finished game, and a position of another board, raise ValueError."""
    solver = Solver(CLASSIC)
    with pytest.raises(ValueError, match="the game is over"):
        solver.solve(after(CLASSIC, "1212121"))
    with pytest.raises(ValueError, match="6x7, not 4x4"):
        solver.solve_moves(Connect4(4, 4).start())
    with pytest.raises(ValueError, match="the game is over"):
        solver.solve_many([CLASSIC.start(), after(CLASSIC, "1212121")])


@pytest.mark.parametrize(("size", "empty"), [("6x7", 20), ("8x5", 26), ("4x5", 18), ("5x8", 22)])
def test_vector_instructions_change_nothing(nearly_full: NearlyFull, size: str, empty: int) -> None:
    """With and without vector instructions, the same nodes are searched and the bounds found."""
    game, rng = Connect4.from_variant(size), Random(7)
    positions = [nearly_full(game, rng, empty) for _ in range(20)]
    vectors = Solver(game, 16).solve_many(positions, nodes=50_000)
    words = Solver(game, 16, ALL & ~Rule.LANES).solve_many(positions, nodes=50_000)
    assert [one[:4] for one in vectors] == [one[:4] for one in words]
    assert sum(one.nodes for one in vectors) > 100


def test_many_positions_are_solved_as_one_by_one() -> None:
    """A batch has the same scores and bounds as the same positions solved in turn."""
    positions = [position for position, _ in known_scores()["L2_R2"]]
    batch = Solver(CLASSIC, 16).solve_many(positions)
    solver = Solver(CLASSIC, 16)
    assert [one[:3] for one in batch] == [solver.solve(each)[:3] for each in positions]
    assert all(one.nodes > 0 and one.seconds > 0 for one in batch)
    assert solver.solve_many([]) == []


def test_a_batch_stops_at_its_limit() -> None:
    """Once the nodes of a batch are used up, the remaining positions have bounds only."""
    positions = [position for position, _ in known_scores()["L2_R2"]]
    whole = Solver(CLASSIC, 16).solve_many(positions)
    most = sum(one.nodes for one in whole) // 2
    found = Solver(CLASSIC, 16).solve_many(positions, nodes=most)
    assert None not in {one.score for one in whole}
    assert None in {one.score for one in found}
    for one, other in zip(found, whole, strict=True):
        assert one.score in {None, other.score}
        assert one.lower <= other.lower <= other.upper <= one.upper


def test_scores_of_moves() -> None:
    """Only columns that are not full have scores; an immediate win counts the remaining stones."""
    game = Connect4(4, 5)
    solver = Solver(game)
    moves = solver.solve_moves(after(game, "12121"))
    assert [moves[Move(column)].score for column in range(1, 5)] == [-7] * 4
    assert moves[Move(0)].score not in {None, -7}
    moves = solver.solve_moves(after(game, "121212"))
    assert moves[Move(0)] == Solution(7, 7, 7, 0, 0.0)
    assert list(solver.solve_moves(after(game, "11112"))) == [1, 2, 3, 4]
