"""Tournaments: every agent plays every other one, with both colours."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.cli.main import main
from engine.cli.tournament import markdown
from engine.core.game import Player
from engine.core.parallel import in_processes
from engine.core.registry import game_called
from engine.games.connect4.rules import Connect4
from engine.strength.ladder import ladder_lines, ladder_of
from engine.strength.ladder_file import (
    COLUMNS,
    LOSS_CELLS,
    LOSSES,
    csv_lines,
    lines_with_losses,
    spread_of,
)
from engine.strength.tournament import (
    MAX_JUDGED,
    Pairing,
    Played,
    cross_table,
    pairings,
    play,
    play_all,
    random_start,
    standings,
)
from tests.builders import SMALL

NAMES = ("rung-1", "rung-2", "easy")


def won(first: str, second: str, winner: int | None, losses: tuple[float, ...] = ()) -> Played:
    """A played game: ten moves by each side, with 20 and 40 nodes per move."""
    pairing = Pairing("connect4", "5x4", first, second, "a", "b")
    return Played(pairing, winner, (10, 10), (200, 400), (0.1, 0.2), (losses, losses))


HAND_MADE = [
    *[won("a", "b", 1)] * 3,
    won("b", "a", None),
    *[won("b", "c", 1)] * 3,
    won("c", "b", 1),
    *[won("c", "a", 2)] * 4,
]
"""a beats b 3.5 to 0.5 and c 4 to 0; b beats c 3 to 1."""


def test_every_pair_meets_with_both_colours_and_the_same_openings() -> None:
    """Each pair plays the number of games, each start twice with colours reversed."""
    found = pairings(SMALL, NAMES, 6, seed=1)
    assert len(found) == 3 * 6
    counts = Counter((pairing.first, pairing.second) for pairing in found)
    assert set(counts.values()) == {3}
    assert len(counts) == 6
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert (one.first, one.second) == (other.second, other.first)
        assert one.start == other.start
        assert random_start(SMALL, one) == random_start(SMALL, other)
        assert one.seed != other.seed


def test_only_neighbours_meet_with_near() -> None:
    """With `near`, agents further apart in the list do not play each other."""
    found = pairings(SMALL, NAMES, 2, seed=1, near=1)
    pairs = {frozenset((pairing.first, pairing.second)) for pairing in found}
    assert pairs == {frozenset(NAMES[:2]), frozenset(NAMES[1:])}


def test_some_games_of_each_pair_are_judged() -> None:
    """Only the first games of each pair are judged, if judging is requested."""
    found = pairings(SMALL, NAMES[:2], MAX_JUDGED + 20, seed=1, judged=True)
    assert sum(pairing.judged for pairing in found) == MAX_JUDGED
    assert not any(pairing.judged for pairing in pairings(SMALL, NAMES, 2, seed=1))


@pytest.mark.parametrize("text", ["5x4", "gato", "boom"])
def test_a_game_can_be_played_again(text: str) -> None:
    """The same pairing gives the same game, except for the time it took."""
    game = game_called(text)
    for pairing in pairings(game, NAMES, 2, seed=3, judged=True):
        one, other = play(pairing), play(pairing)
        assert (one.winner, one.moves, one.nodes) == (other.winner, other.moves, other.nodes)
        assert one.losses == other.losses


def test_other_seeds_give_other_openings() -> None:
    """The seed determines how the games begin."""
    begun = [
        [random_start(Connect4(), pairing) for pairing in pairings(Connect4(), NAMES, 8, seed)]
        for seed in (1, 2)
    ]
    assert begun[0] != begun[1]
    assert all(len(moves) == 2 for moves in begun[0])


def test_only_own_moves_are_judged() -> None:
    """The random first moves are not judged."""
    (pairing, _) = pairings(Connect4(), NAMES[:2], 2, seed=1, judged=True)
    done = play(pairing)
    for side in (0, 1):
        assert len(done.losses[side]) <= done.moves[side]
    assert any(done.losses)


def test_processes_play_every_game() -> None:
    """Two processes yield each game once, equal to a game played by one process."""
    wanted = pairings(SMALL, NAMES, 4, seed=1)
    done = list(play_all(wanted, in_processes(2)))
    assert {played.pairing for played in done} == set(wanted)
    assert len(done) == len(wanted)
    example = done[0]
    assert play(example.pairing).winner == example.winner


def test_points_of_a_game() -> None:
    """A win counts one point, a draw half a point for both."""
    assert won("a", "b", Player.FIRST).points() == (1.0, 0.0)
    assert won("a", "b", Player.SECOND).points() == (0.0, 1.0)
    assert won("a", "b", None).points() == (0.5, 0.5)


def test_the_cross_table_counts_points_and_games() -> None:
    """Rows score against columns, whichever side began."""
    points, games = cross_table(HAND_MADE, ["a", "b", "c"])
    assert np.array_equal(points, [[0, 3.5, 4], [0.5, 0, 3], [0, 1, 0]])
    assert np.array_equal(games, [[0, 4, 4], [4, 0, 4], [4, 4, 0]])


def test_standings_put_the_strongest_first() -> None:
    """Each line has the score, the score against each other agent, and the effort per move."""
    table = standings(HAND_MADE, ["c", "b", "a"])
    assert [line.name for line in table] == ["a", "b", "c"]
    best = table[0]
    assert best.score == pytest.approx(7.5 / 8)
    assert best.against == (None, 0.875, 1.0)
    assert best.elo > table[1].elo > table[2].elo
    # Of its eight games it began three, with 20 nodes a move; in the others it took 40.
    assert best.nodes == pytest.approx((3 * 200 + 5 * 400) / 80)
    assert best.seconds == pytest.approx((3 * 0.1 + 5 * 0.2) / 80)


def test_pairs_without_games_have_no_score() -> None:
    """The cell of a pair that played no game is empty."""
    table = standings([won("a", "b", 1), won("b", "c", 1)], ["a", "b", "c"])
    cells = [row.split("|") for row in markdown(table).splitlines()]
    assert len({len(row) for row in cells}) == 1
    assert cells[2][7].strip() == ""


def test_qualities_are_spread_over_games() -> None:
    """An agent's games give the mean and the deviation of its quality."""
    games = [won("a", "b", 1, (0.1,) * 4), won("a", "c", 1, (0.3,) * 4), won("b", "c", 1, (0.9,))]
    found = spread_of(games, "a")
    assert found is not None
    assert found.mean == pytest.approx(0.2)
    assert found.deviation == pytest.approx(0.02**0.5)
    assert spread_of(games, "nobody") is None


def test_a_ladders_file_is_written_from_a_tournament() -> None:
    """Medium has 1200, no rung is below the one before, and other agents come last."""
    ladder = ladder_of(SMALL)
    names = ["rung-1", "easy", "medium", "window-2"]
    played = [
        *[won("medium", "easy", 1, (0.1, 0.2, 0.3))] * 5,
        won("easy", "medium", 1),
        *[won("rung-1", "easy", 1)] * 2,
        won("easy", "rung-1", 2),
        won("window-2", "medium", 2),
    ]
    lines = list(csv_lines(ladder, standings(played, names), played, "python tournament"))
    assert lines[0] == "# python tournament"
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) == 1 + len(ladder.rungs) + 1
    by_level = {row[1]: row for row in rows[1:] if row[1]}
    assert float(by_level["medium"][2]) == 1200
    assert float(rows[1][2]) <= float(by_level["easy"][2]) <= 1200
    assert float(by_level["easy"][10]) == pytest.approx(0.2)
    assert rows[-1][:2] == ["", "window-2"]


def test_rungs_above_all_that_played_keep_their_distance() -> None:
    """If the best rung that played is rated higher than before, so are those above it."""
    ladder = ladder_of(SMALL)
    played = [*[won("hard", "medium", 1)] * 20, won("medium", "hard", 1)]
    lines = csv_lines(ladder, standings(played, ["medium", "hard"]), played, "python tournament")
    rows = [line.split(",") for line in lines if line[:1].isdigit()]
    elos = {row[1]: float(row[2]) for row in rows if row[1]}
    assert elos["hard"] > ladder.named("hard").elo + 100
    between = ladder.named("perfect").elo - ladder.named("hard").elo
    assert elos["perfect"] - elos["hard"] == pytest.approx(between, abs=1)


def test_losses_are_measured_by_themselves() -> None:
    """Measuring losses changes nothing else in the file and replaces the earlier command."""
    others = ",window-2,5,1,,,,,,,,,,,"
    rungs = [f"{number},x,9,1,,,,,,,1,2,3,4,0.5" for number in (1, 2)]
    old = ["# made by", f"{LOSSES}older", COLUMNS, *rungs, others]
    ladder = ladder_of(SMALL)
    games = [won("rung-1", "rung-9", 1, (loss,) * 4) for loss in (0.1, 0.3)]
    made = f"{LOSSES}python -m engine newer"
    assert list(lines_with_losses(old, ladder, games, "newer")) == [
        "# made by",
        made,
        COLUMNS,
        "1,x,9,1,,,,,,,0.2000,0.1414,0.2000,0.1414,0.5",
        rungs[1],
        others,
    ]


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """`tournament` prints Markdown, with a line for each agent."""
    arguments = "tournament easy,rung-1,window-2 --game 5x4 --games 2 --processes 1"
    assert main(arguments.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 3
    assert all(line.startswith("| ") and line.endswith(" |") for line in lines)
    assert {line.split("|")[1].strip() for line in lines[2:]} == {"easy", "rung-1", "window-2"}


def test_one_agent_may_play_all_others(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--against`, the others do not play each other, and the file's command includes it."""
    arguments = "tournament easy,rung-1,rung-2 --game 5x4 --games 2 --processes 1 --csv"
    assert main([*arguments.split(), "--against", "easy"]) == 0
    out = capsys.readouterr().out
    rows = [line.split("|") for line in out.splitlines()[2:5]]
    filled = {row[1].strip(): sum(cell.strip() != "" for cell in row[5:8]) for row in rows}
    assert filled == {"easy": 2, "rung-1": 1, "rung-2": 1}
    assert "--seed 1 --against easy --csv" in out


def test_the_command_prints_the_ladders_file(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--csv` the ladder's new file follows, with the command that made it."""
    arguments = "tournament rung-1,medium --game 5x4 --games 2 --processes 1 --csv --near 1"
    assert main(arguments.split()) == 0
    text = capsys.readouterr().out
    made = "--game connect4:5x4 --games 2 --seed 1 --near 1 --csv"
    assert f"# python -m engine tournament rung-1,medium {made}" in text
    assert text.count("\n") > 4 + len(ladder_of(SMALL).rungs)


def test_the_command_prints_the_file_with_new_losses(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--losses` the ladder's own file follows, with new losses only."""
    arguments = "tournament rung-1,medium --game 5x4 --games 2 --processes 1 --losses"
    assert main(arguments.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    made = "tournament rung-1,medium --game connect4:5x4 --games 2 --seed 1 --losses"
    assert f"{LOSSES}python -m engine {made}" in lines
    new = {without_losses(line) for line in lines}
    assert {without_losses(line) for line in ladder_lines(SMALL) if line[0] != "#"} < new


def without_losses(line: str) -> tuple[str, ...]:
    """A line's other cells."""
    cells = line.split(",")
    del cells[LOSS_CELLS]
    return tuple(cells)


@pytest.mark.parametrize(
    "arguments",
    [
        "tournament easy,nobody",
        "tournament easy,rung-99",
        "tournament easy,hard --against nobody",
        "tournament easy",
        "tournament easy,hard --games 3",
        "tournament easy,lines",
        "tournament , --games 2",
    ],
)
def test_impossible_tournaments_are_refused(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown agents, one agent alone or an odd number of games exit with status 2."""
    assert main(arguments.split()) == 2
    assert "tournament needs two or more of" in capsys.readouterr().err
