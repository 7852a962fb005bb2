"""The gaps between neighbouring rungs, and the games from which they follow."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from random import Random
from shutil import copyfile

import pytest

from benchmarks import ladder_pairs
from benchmarks.ladder_pairs import Gap, collect, gap_between, gaps_of, measure
from engine.core.registry import game_called, games
from engine.strength.elo import expected
from engine.strength.ladder import ladder_file, ladder_of
from engine.strength.tournament import Played

GATO = game_called("gato:4x4")


def options(folder: Path, **changed: object) -> Namespace:
    """Options for two games of each pair."""
    usual = {
        "out": folder,
        "games": 2,
        "slow": 2,
        "perfect": 2,
        "seed": 1,
        "processes": 1,
        "upto": "perfect",
        "since": "",
    }
    return Namespace(**{**usual, "perfect_again": False, "so_far": False, **changed})


def test_a_gap_explains_the_score() -> None:
    """A score of 64 % is a gap of 100 points, and most intervals contain the true gap."""
    assert gap_between("a", "b", [1.0] * 640 + [0.0] * 360).elo == pytest.approx(100, abs=1)
    rng, chance = Random(1), float(expected(100.0))
    gaps = [
        gap_between("a", "b", [float(rng.random() < chance) for _ in range(400)])
        for _ in range(200)
    ]
    assert 0.9 <= sum(abs(gap.elo - 100) <= gap.error for gap in gaps) / len(gaps) <= 0.99


def test_draws_make_a_gap_more_certain() -> None:
    """Where all games are drawn there is no gap, and its interval is narrow."""
    drawn, split = gap_between("a", "b", [0.5] * 400), gap_between("a", "b", [0.0, 1.0] * 200)
    assert abs(drawn.elo) < 1
    assert drawn.error < split.error / 4


def test_a_gap_may_differ_from_the_mean_by_thirty_points_and_its_uncertainty() -> None:
    """With an interval of 20 points, gaps from 50 to 150 are even where 100 is the mean."""
    gaps = [Gap("a", "b", 100, 0.6, elo, 20.0) for elo in (49.0, 51.0, 149.0, 151.0)]
    assert [gap.is_even(100.0) for gap in gaps] == [False, True, True, False]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Played]]:
    """The games of all pairs, played once, and the folder with them."""
    folder = tmp_path_factory.mktemp("pairs")
    return folder, collect(GATO, options(folder))


def test_games_are_kept_and_repeated_only_on_demand(
    played: tuple[Path, list[Played]], tmp_path: Path
) -> None:
    """A second run plays nothing again, but for the games of `perfect` if asked to."""
    folder, first = played
    file = Path(copyfile(folder / "gato.jsonl", tmp_path / "gato.jsonl"))
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(first) == len(lines) == 2 * (len(ladder_of(GATO).rungs) - 1)
    assert collect(GATO, options(tmp_path)) == first
    assert file.read_text(encoding="utf-8").splitlines() == lines
    assert collect(GATO, options(tmp_path, games=4, so_far=True)) == first
    collect(GATO, options(tmp_path, perfect_again=True))
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(lines) + 2


def test_every_pair_of_neighbours_has_a_gap(played: tuple[Path, list[Played]]) -> None:
    """There is one gap for each rung but the lowest, from both seats' games."""
    ladder, (_, games_played) = ladder_of(GATO), played
    gaps = gaps_of(ladder, games_played)
    assert [gap.upper for gap in gaps] == [rung.name for rung in ladder.rungs[1:]]
    assert {gap.games for gap in gaps} == {2}


def test_upper_rungs_can_be_measured_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Since a rung only the pairs above it play; that rung and those below keep their ratings."""
    pages, ladder_csv = tmp_path / "pages", tmp_path / "gato.csv"
    pages.mkdir()
    page = pages / "gato-pairs.csv"
    page.write_text((ladder_pairs.PAGES / page.name).read_text("utf-8"), "utf-8")
    before = page.read_text("utf-8").splitlines()
    monkeypatch.setattr(ladder_pairs, "PAGES", pages)
    monkeypatch.setattr(ladder_pairs, "ladder_file", lambda package, name: ladder_csv)
    ladder = ladder_of(GATO)
    since = ladder.rungs[-3].name
    measure(GATO, options(tmp_path, since=since, write=True))
    after = page.read_text("utf-8").splitlines()
    assert [one for one in after if "," in one][:-2] == [one for one in before if "," in one][:-2]
    assert [one.split(",")[2] for one in after[-2:]] == ["2", "2"]
    assert sum("--since" in one for one in after) == 1
    lines = ladder_csv.read_text("utf-8").splitlines()
    known = ladder_file(games()["gato"], "gato").read_text("utf-8").splitlines()
    assert [one for one in lines if one[:1] in "-0123456789"][:-2] == [
        one for one in known if one[:1] in "-0123456789"
    ][:-2]
    assert sum("--since" in one for one in lines) == 1
    capsys.readouterr()
