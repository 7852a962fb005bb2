"""Card, leaderboard, history, report and export agree about the same games."""

from __future__ import annotations

import asyncio
import csv
import io
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from bot.features.statistics.cards import stats_scene
from bot.features.statistics.lists import (
    Heading,
    PageOf,
    history_scene,
    leaders_scene,
    option_text,
    report_scene,
)
from bot.features.statistics.rules import Statistics
from bot.i18n import say_in
from bot.ratings.levels import SizeClass, class_of, classes_of
from bot.store.results import Scope
from bot.store.store import Store
from engine.core.registry import games as all_games
from tests.bot.databases import address_of
from tests.bot.features.statistics.sixty_games import ANA, BEA, BOARDS, DAY, GAMES, HERE, fill

export = pytest.importorskip("bot.features.privacy.view", reason="there is no export")

ENGLISH = say_in("en")
NOW = DAY + GAMES * 100
SCOPES = [(family, None) for family in all_games()] + [
    ("connect4", size) for size in classes_of("connect4")
]


@dataclass(frozen=True)
class Played:
    """The store with the games, and their lines in the export."""

    store: Store
    statistics: Statistics
    rows: tuple[dict[str, str], ...]

    def of(self, family: str, size: SizeClass | None) -> list[dict[str, str]]:
        """The lines of the export that count as results."""
        return [
            row
            for row in self.rows
            if row["family"] == family
            and (size is None or row["size_class"] == size.ladder)
            and row["ending"] not in ("stopped", "aborted")
        ]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """Sixty games of Ana on four sizes of Connect 4 and in three games; tests copy the file."""
    file = copyfile(migrated, tmp_path_factory.mktemp("sixty") / "store.db")
    asyncio.run(fill(file))
    return file


@pytest.fixture
async def played(tmp_path: Path, filled: Path) -> AsyncIterator[Played]:
    """The games, and Ana's export of them."""
    file = copyfile(filled, tmp_path / "store.db")
    store = Store(address_of(file))
    await store.open()
    statistics = Statistics(store, lambda: NOW)
    text = export.as_csv(await store.results.finished_by(ANA), ANA)
    yield Played(store, statistics, tuple(csv.DictReader(io.StringIO(text))))
    await store.close()


def results(rows: list[dict[str, str]]) -> tuple[int, int, int, int]:
    """Games, wins, draws and losses."""
    count = Counter(row["result"] for row in rows)
    return len(rows), count["win"], count["draw"], count["loss"]


def kind(opponent: str) -> str:
    """A picture's name of an opponent, without the strength."""
    return "auto" if opponent.startswith("auto (~") else opponent


def kind_of(row: dict[str, str]) -> str:
    """The name of the opponent in a line of the export."""
    if row["opponent"] == "person":
        return "people"
    return "auto" if row["auto"] == "True" else row["opponent"]


async def card_of(played: Played, family: str, size: SizeClass | None) -> Any:
    """Ana's card, and what it is made from."""
    found = await played.statistics.of_player(ANA, family, size)
    return stats_scene(ANA, "Ana", found, NOW, ENGLISH), found


async def history_of(played: Played, family: str, size: SizeClass | None) -> Any:
    """All games of Ana's history, with their rows and menu entries, by their number."""
    games, rows, options = [], [], []
    number, pages = 0, 1
    while number < pages:
        page = await played.statistics.history(ANA, family, number, 5, size)
        pages = page.pages
        place = PageOf(number, pages, page.coverage, page.count, ANA, NOW)
        scene = history_scene(family, page.games, {BEA: "Bea"}, place, ENGLISH)
        games += page.games
        rows += scene.rows
        options += [option_text(family, one, {BEA: "Bea"}, ENGLISH) for one in page.games]
        assert f"{page.count} games" in scene.subtitle
        number += 1
    assert [one.number for one in games] == [*range(len(games), 0, -1)]
    return list(zip(games, rows, options, strict=True))


async def require_card_and_export_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """Card and export agree in all results, and by opponent in those that it adds up."""
    rows = played.of(family, size)
    card, found = await card_of(played, family, size)
    games, wins, draws, losses = results(rows)
    assert games >= 4
    assert card.tally.counts == (wins, draws, losses)
    assert card.footer.startswith(f"{games} games since ")
    assert found.history.games == games


async def require_history_and_export_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """History and export have the same results; the history also lists stopped games."""
    exported = {row["game"]: row for row in played.of(family, size)}
    listed = {str(one.game.id): (row, option) for one, row, option in
              await history_of(played, family, size)}  # fmt: skip
    stopped = {number for number, (row, _) in listed.items() if row.result is None}
    assert listed.keys() - stopped == exported.keys()
    words = {"win": "won", "draw": "drawn", "loss": "lost"}
    for number, exported_row in exported.items():
        row, option = listed[number]
        name = kind_of(exported_row)
        assert row.title.endswith("Bea" if name == "people" else "Cuatro")
        assert name == "people" or kind(option.split(" · ")[2]) == name
        assert row.result == words[exported_row["result"]]
        is_usual = exported_row["size"] == all_games()[family].usual
        assert is_usual or exported_row["size"] in row.details
        assert row.board is not None


async def require_report_and_export_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """The report has the export's results by level, without people."""
    found = await played.statistics.report(Scope(family, user_id=ANA), size)
    heading = Heading("Ana", family, found.coverage, ANA, NOW)
    scene = report_scene(heading, found.levels, ENGLISH)
    rows = [row for row in played.of(family, size) if kind_of(row) != "people"]
    expected = {
        name: results([row for row in rows if kind_of(row) == name])[1:]
        for name in map(kind_of, rows)
    }
    assert {kind(level.name): level.counts for level in scene.levels} == expected
    games, won, *others = results(rows)
    assert scene.tally.counts == (won, *others)
    assert scene.number.value == f"{round(100 * won / games)}%"
    assert scene.footer.startswith(f"{games} games since ")


async def require_leaderboard_and_card_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """Leaderboard and card agree on rating, change and place, also without a rating."""
    page = await played.statistics.leaderboard(family, HERE, 0, 8, size, seen_by=ANA)
    card, found = await card_of(played, family, size)
    rating = found.standing.rating
    if rating is None or rating.shown is None:
        assert ANA not in {player.user_id for player in page.players}
        assert (card.rank, card.course) == (None, None)
        return
    place = PageOf(0, page.pages, page.coverage, reader=ANA)
    names = {ANA: "Ana", BEA: "Bea"}
    board = leaders_scene("server", family, page, names, place, ENGLISH)
    (row,) = [row for row in board.rows if row.is_reader]
    assert (row.name, row.number, row.change) == ("Ana", card.number.value, card.change)
    assert card.rank is not None
    assert card.rank.value == f"{page.own.rank.place} of {page.own.rank.of}"
    assert row.rank == page.own.rank.place
    assert card.course is not None
    assert f"{card.course.values[-1]:.0f}" == row.number


@pytest.mark.parametrize(("family", "size"), SCOPES)
async def test_all_figures_agree(played: Played, family: str, size: SizeClass | None) -> None:
    """Card, history, report, leaderboard and export have the same figures of a game and size."""
    await require_card_and_export_agree(played, family, size)
    await require_history_and_export_agree(played, family, size)
    await require_report_and_export_agree(played, family, size)
    await require_leaderboard_and_card_agree(played, family, size)


async def test_ratings_follow_the_exported_results(played: Played) -> None:
    """Each size class counts its rated games; after placement a result decides the sign."""
    rated = Counter()
    for record in await played.store.results.finished_by(ANA):
        for change in record.changes:
            if change.user_id != ANA:
                continue
            size = class_of(record.setup.family, record.setup.variant)
            rated[size.ladder] += 1
            assert change.after.games == rated[size.ladder]
            assert (change.after.shown is None) == (change.after.games < 5)
            if change.before.shown is not None and change.after.shown is not None:
                moved = change.after.shown - change.before.shown
                row = next(row for row in played.rows if row["game"] == str(record.id))
                assert abs(moved) <= 60
                assert row["result"] == "draw" or (moved > 0) == (row["result"] == "win")
    assert len(rated) == 5
    assert max(rated.values()) > 6


async def test_a_game_with_help_counts_only_if_it_is_lost(played: Played) -> None:
    """Against an agent, only a lost game with help is rated, and none is a crown or a best win."""
    kinds = Counter()
    for row in played.rows:
        has_help = row["hints"] != "0" or row["undos"] != "0"
        has_ended = row["ending"] not in ("stopped", "aborted")
        if row["opponent"] == "person":
            is_rated = has_ended and row["friendly"] == "False" and not has_help
        else:
            is_rated = has_ended and (not has_help or row["result"] == "loss")
        assert row["rated"] == str(is_rated)
        kinds[row["opponent"] == "person", has_help, row["result"]] += 1
    assert all(kinds[False, True, result] for result in ("win", "draw", "loss"))
    helped = {int(row["game"]) for row in played.rows if row["hints"] != "0" or row["undos"] != "0"}
    for family, size in SCOPES:
        found = await played.statistics.of_player(ANA, family, size)
        assert not helped & {crown.game_id for crown in found.crowns}


async def test_each_size_counts_its_rated_games(played: Played) -> None:
    """Stored ratings, their course and the export have the same number of rated games."""
    ratings = await played.store.ratings.all_of(ANA)
    exported = Counter(row["size_class"] for row in played.rows if row["rated"] == "True")
    assert {one.ladder: one.rating.games for one in ratings if one.rating.games} == exported
    for one in ratings:
        course = await played.store.ratings.course(ANA, one.ladder)
        assert len(course) == one.rating.games
        assert not course or course[-1].rating.shown == one.rating.shown


async def test_every_game_is_in_the_export(played: Played) -> None:
    """Every game is in the export with size, time control and engine figures."""
    assert len(played.rows) == GAMES
    assert {(row["family"], row["size"]) for row in played.rows} == set(BOARDS)
    for row in played.rows:
        assert (row["clock_seconds"], row["clock_per"]) == ("300.0", "move")
        words = [row[name].split() for name in ("moves", "nodes", "depth", "score")]
        assert len({len(one) for one in words}) == 1
        assert "-" in words[1]
        assert (row["opponent"] == "person") != ("3" in words[2])
