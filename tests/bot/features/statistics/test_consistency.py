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

from bot.features.statistics.cards import CardContents, stats_card, stats_lines
from bot.features.statistics.lists import Heading, PageOf, history_card, leaders_card, report_scene
from bot.features.statistics.rules import Statistics
from bot.i18n import say_in
from bot.ratings.levels import SizeClass, class_of, classes_of
from bot.store.results import Scope
from bot.store.store import Store
from engine.core.registry import games as all_games
from tests.bot.features.statistics.sixty_games import ANA, BEA, BOARDS, DAY, GAMES, HERE, fill

export = pytest.importorskip("bot.features.privacy.view", reason="there is no export")

ENGLISH = say_in("en")
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
    store = Store(f"sqlite+aiosqlite:///{file.as_posix()}")
    await store.open()
    statistics = Statistics(store, lambda: DAY + GAMES * 100)
    text = export.as_csv(await store.games.finished_by(ANA), ANA)
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
    """Ana's card with its text."""
    found = await played.statistics.of_player(ANA, family, size)
    shown = CardContents(found.game, found.rung, found.coverage, found.others)
    lines = stats_lines(found.history, found.standing, "Ana", shown, ENGLISH)
    return stats_card(found.history, found.standing, "Ana", shown, ENGLISH), lines, found


async def history_of(played: Played, family: str, size: SizeClass | None) -> Any:
    """All rows of Ana's history, and its last page."""
    rows: list[tuple[str, ...]] = []
    number, pages = 0, 1
    while number < pages:
        page = await played.statistics.history(ANA, family, number, 8, size)
        pages = page.pages
        place = PageOf(number, pages, page.coverage)
        card = history_card("Ana", family, page.games, {BEA: "Bea"}, place, ENGLISH)
        rows += card.table.rows if card.table else ()
        number += 1
    return rows, card


async def require_card_and_export_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """Card and export agree in total, by opponent, and in hints and moves."""
    rows = played.of(family, size)
    card, lines, found = await card_of(played, family, size)
    games, wins, draws, losses = results(rows)
    assert games >= 4
    expected = f"Games **{games}** · Wins **{wins}** · Draws **{draws}** · Losses **{losses}**"
    assert expected in lines
    assert f"Hints used **{sum(int(row['hints']) for row in rows)}**" in lines
    moves = sum(len(row["moves"].split()) for row in rows)
    assert f"Moves per game **{moves / games:.1f}**" in lines
    expected = {
        name: results([row for row in rows if kind_of(row) == name]) for name in map(kind_of, rows)
    }
    assert {kind(name): tuple(map(int, cells)) for name, *cells in card.table.rows} == expected
    assert found.history.games == games


async def require_history_and_export_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """History and export have the same results; the history also lists stopped games."""
    exported = {row["game"]: row for row in played.of(family, size)}
    rows, card = await history_of(played, family, size)
    listed = {row[0]: row for row in rows}
    assert len(listed) == len(rows)
    stopped = {number for number, row in listed.items() if row[-1] == "stopped"}
    assert listed.keys() - stopped == exported.keys()
    words = {"win": "won", "draw": "drawn", "loss": "lost"}
    for number, row in exported.items():
        against = kind(listed[number][-2])
        assert against == ("Bea" if kind_of(row) == "people" else kind_of(row))
        assert listed[number][-1] == words[row["result"]]
        assert family != "connect4" or listed[number][2] == row["size"]
    shown, _, _ = await card_of(played, family, size)
    assert shown.footer.split(" · ")[:2] == card.footer.split(" · ")[:2]


async def require_report_and_card_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """The report has the card's rows without people, at the same strengths."""
    found = await played.statistics.report(Scope(family, user_id=ANA), size)
    heading = Heading("Ana", family, found.coverage)
    scene = report_scene(heading, found.levels, found.games, ENGLISH)
    card, _, _ = await card_of(played, family, size)
    reported = {row[0]: (int(row[1]), row[5], row[6]) for row in scene.table.rows}
    expected = {
        name: (int(games), f"{round(100 * int(won) / int(games))}%",
               f"{round(100 * int(lost) / int(games))}%")
        for name, games, won, _, lost in card.table.rows
        if name != "people"
    }  # fmt: skip
    assert reported == expected
    rows = [row for row in played.of(family, size) if kind_of(row) != "people"]
    nodes = sum(int(n) for row in rows for n in row["nodes"].split() if n != "-")
    assert sum(level.engine_nodes for level in found.levels) == nodes
    assert sum(len(cloud.places) for cloud in scene.scatter.clouds) == len(rows)
    assert f"{len(rows)} finished games" in scene.footer
    assert scene.footer.split(" · ")[1:3] == card.footer.split(" · ")[:2]


async def require_leaderboard_and_card_agree(
    played: Played, family: str, size: SizeClass | None
) -> None:
    """Leaderboard and card agree on rating, number of games and place, also without a rating."""
    page = await played.statistics.leaderboard(family, HERE, 0, 8, size, seen_by=ANA)
    names = {ANA: "Ana", BEA: "Bea"}
    place = PageOf(0, page.pages, page.coverage)
    board = leaders_card("server", family, page.players, names, place, ENGLISH)
    card, lines, found = await card_of(played, family, size)
    ratings = [*([found.standing.rating] if found.standing.rating else []),
               *(rating for _, rating in found.others)]  # fmt: skip
    numbers = [rating for rating in ratings if rating.shown is not None]
    rows = {row[1]: row for row in board.table.rows} if board.table else {}
    assert ("Ana" in rows) == bool(numbers)
    if numbers:
        best = max(numbers, key=lambda rating: rating.shown)
        assert rows["Ana"][-2].removesuffix(" ?") == f"{best.shown:.0f}"
        assert rows["Ana"][-1] == str(best.games)
        assert any(f"{best.shown:.0f} ±" in figure.value for figure in card.figures)
        assert rows["Ana"][0] == str(page.own.rank.place)
    if size is not None or family != "connect4":
        rank = f"Rank **{page.own.rank.place} of {page.own.rank.of}**" if numbers else "Rank"
        assert (rank in lines) == bool(numbers)


@pytest.mark.parametrize(("family", "size"), SCOPES)
async def test_all_figures_agree(played: Played, family: str, size: SizeClass | None) -> None:
    """Card, history, report, leaderboard and export have the same figures of a game and size."""
    await require_card_and_export_agree(played, family, size)
    await require_history_and_export_agree(played, family, size)
    await require_report_and_card_agree(played, family, size)
    await require_leaderboard_and_card_agree(played, family, size)


async def test_ratings_follow_the_exported_results(played: Played) -> None:
    """Each size class counts its rated games; after placement a result decides the sign."""
    rated = Counter()
    for record in await played.store.games.finished_by(ANA):
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
