"""All games of a server as two tables."""

from __future__ import annotations

import csv
import gzip
import io
from typing import Any

import pytest
from sqlalchemy import update

from bot.features.privacy import tables as module
from bot.features.privacy.tables import GAME_FIELDS, MOVE_FIELDS, ServerGames, Tables, parts_of
from bot.store.records import (
    FORMER_PLAYER,
    THE_CHANNEL,
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    SeatRecord,
    agent,
    person,
)
from bot.store.store import Store
from bot.store.tables import GameRow
from tests.bot.builders import ANA, BEA

GUILD = 987_654_321


def game(first: SeatRecord, second: SeatRecord, end: EndRecord, **others: Any) -> GameRecord:
    """A game that began on 14 November 2023 on a server."""
    setup = GameSetup("connect4", "5x4", 765, GUILD, "en", first, second, started_by=ANA)
    moves = (
        MoveRecord(1, first.user_id, "3", True, 1_700_000_005.0, 5.0),
        MoveRecord(2, second.user_id, "2", False, 1_700_000_006.0, 0.25, 10, 4, -7, True),
    )
    hints = (HintRecord(1, ANA, "3", 1_700_000_004.0, given=2),)
    return GameRecord(4321, setup, 1_700_000_000.0, 9999, moves, hints, end, **others)


def rows(data: bytes) -> list[dict[str, str]]:
    """The lines of a table."""
    return list(csv.DictReader(io.StringIO(data.decode())))


def test_people_are_numbers() -> None:
    """People are numbered by their first appearance; no id and no time of day is in the files."""
    won, drawn = (
        EndRecord(Ending.LINE, 2, 1_700_000_060.0),
        EndRecord(Ending.DRAW, None, 1_700_000_060.0),
    )
    tables = Tables()
    for first, second, end in (
        (person(BEA), agent("easy"), won),
        (person(ANA), person(BEA), drawn),
        (SeatRecord(THE_CHANNEL, None), person(FORMER_PLAYER), won),
    ):
        tables.add(game(first, second, end))
    files = tables.files(1, is_only=True)
    assert list(files) == ["cuatro-server-games.csv", "cuatro-server-moves.csv"]
    games, moves = (rows(data) for data in files.values())
    assert tuple(games[0]) == GAME_FIELDS
    assert tuple(moves[0]) == MOVE_FIELDS
    assert [(one["game"], one["first"], one["second"], one["winner"]) for one in games] == [
        ("1", "player 1", "easy", "2"),
        ("2", "player 2", "player 1", "draw"),
        ("3", "channel", "former", "2"),
    ]
    assert games[0]["day"] == "2023-11-14"
    assert (games[0]["moves"], games[0]["hints"], games[0]["seconds"]) == ("2", "2", "60.0")
    assert (games[0]["engine_nodes"], games[0]["engine_seconds"]) == ("10", "0.25")
    assert [(one["game"], one["number"], one["player"]) for one in moves[:3]] == [
        ("1", "1", "player 1"),
        ("1", "2", "easy"),
        ("2", "1", "player 2"),
    ]
    assert (moves[0]["hinted"], moves[0]["seconds"], moves[0]["nodes"]) == ("True", "5.0", "")
    assert (moves[1]["nodes"], moves[1]["depth"], moves[1]["score"]) == ("10", "4", "-7")
    text = b"".join(files.values()).decode()
    for secret in (GUILD, 765, 4321, 9999, 1_700_000, "22:13"):
        assert str(secret) not in text


def test_many_games_are_several_compressed_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts have a limited number of games; people and games keep their numbers across them."""
    monkeypatch.setattr(module, "GAMES_A_PART", 2)
    assert list(parts_of([5, 6, 7])) == [(1, [5, 6]), (2, [7])]
    end = EndRecord(Ending.LINE, 1, 1_700_000_060.0)
    first = Tables()
    first.add(game(person(ANA), agent("easy"), end))
    second = first.next_part()
    second.add(game(person(BEA), person(ANA), end))
    files = second.files(2, is_only=False)
    assert list(files) == ["cuatro-server-games-2.csv.gz", "cuatro-server-moves-2.csv.gz"]
    (line,) = rows(gzip.decompress(files["cuatro-server-games-2.csv.gz"]))
    assert (line["game"], line["first"], line["second"]) == ("2", "player 2", "player 1")
    large = first.next_part()
    for _ in range(50_000):
        large.moves.append(dict.fromkeys(MOVE_FIELDS, "something"))
    assert all(name.endswith(".csv.gz") for name in large.files(1, is_only=True))


@pytest.mark.databases
async def test_games_of_the_server_are_read(store: Store) -> None:
    """Finished games of the server are read, of unknown boards too, but not those called off."""
    ids = []
    for channel, (guild, ending) in enumerate(
        (
            (GUILD, Ending.LINE),
            (GUILD, Ending.STOPPED),
            (GUILD, Ending.ABORTED),
            (GUILD + 1, Ending.LINE),
            (GUILD, None),
            (GUILD, Ending.LINE),
        )
    ):
        setup = GameSetup("connect4", "5x4", channel, guild, "en", person(ANA), agent("easy"), ANA)
        ids.append(await store.games.add(setup, 1.0))
        if ending is not None:
            winner = 1 if ending is Ending.LINE else None
            await store.games.finish(ids[-1], EndRecord(ending, winner, 2.0))
    games = ServerGames(store.database)
    found = await games.ids(GUILD)
    assert found == [ids[0], ids[1], ids[5]]
    assert [one.id async for one in games.read(found)] == found
    async with store.database.writing() as connection:
        spoiled = update(GameRow).where(GameRow.id == ids[5])
        await connection.execute(spoiled.values(variant="0x0"))
    tables = Tables()
    async for one in games.read(found):
        tables.add(one)
    assert tables.count == 3


async def test_a_private_chat_has_no_server(venue: Any) -> None:
    """In a direct message there is no server whose games could be downloaded."""
    ana = venue.ana.user
    await ana.send_dm("hello")
    refused = await ana.slash("lab export", whose="server")
    assert "no server here" in refused.response.content
