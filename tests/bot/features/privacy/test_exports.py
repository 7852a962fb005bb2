"""A person's games as files."""

from __future__ import annotations

import csv
import io
import json

from bot.features.privacy.view import FIELDS, as_csv, as_json_lines
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    SeatRecord,
    TimeControl,
)
from tests.bot.builders import ANA, BEA


def game(
    id_: int, second: SeatRecord, moves: tuple[MoveRecord, ...] = (), *, end: EndRecord | None
) -> GameRecord:
    """A game that Ana began."""
    opening = GameSetup(
        "connect4",
        "5x4",
        7,
        None,
        "en",
        SeatRecord(ANA, None),
        second,
        auto=second.agent is not None,
        clock=TimeControl(300.0),
    )
    hints = (HintRecord(1, ANA, "3", 1_700_000_004.0), HintRecord(2, BEA, "1", 1_700_000_004.0))
    return GameRecord(id_, opening, 1_700_000_000.0, None, moves, hints, end)


GAMES = (
    game(
        1,
        SeatRecord(None, "easy"),
        (
            MoveRecord(1, ANA, "3", True, 1_700_000_005.0, 5.0),
            MoveRecord(2, None, "2", False, 1_700_000_006.0, 0.25, nodes=10, depth=4, score=-7),
        ),
        end=EndRecord(Ending.RESIGNED, 2, 1_700_000_060.0),
    ),
    game(2, SeatRecord(BEA, None), end=EndRecord(Ending.DRAW, None, 1_700_000_099.0)),
    game(3, SeatRecord(BEA, None), end=EndRecord(Ending.STOPPED, None, 1_700_000_100.0)),
    game(4, SeatRecord(BEA, None), end=None),
)


def test_a_table_has_a_line_a_game() -> None:
    """The CSV has a header and a line for each game, from its owner's point of view."""
    rows = list(csv.DictReader(io.StringIO(as_csv(GAMES, ANA))))
    assert tuple(rows[0]) == FIELDS
    first = rows[0]
    assert (first["game"], first["variant"], first["opponent"]) == ("1", "5x4", "easy")
    assert (first["moves"], first["hints"], first["result"]) == ("3 2", "1", "loss")
    assert first["started"] == "2023-11-14T22:13:20+00:00"
    assert (first["size"], first["size_class"], first["auto"]) == ("5x4", "connect4-small", "True")
    assert (first["clock_seconds"], first["clock_per"]) == ("300.0", "move")
    assert (first["nodes"], first["depth"], first["score"]) == ("- 10", "- 4", "- -7")
    assert rows[1]["auto"] == "False"
    assert [row["result"] for row in rows] == ["loss", "draw", "none", ""]


def test_other_people_stay_nameless() -> None:
    """No other person's id is in the files, and results are the owner's."""
    texts = (as_csv(GAMES, BEA), as_json_lines(GAMES, BEA))
    rows = list(csv.DictReader(io.StringIO(texts[0])))
    assert rows[1]["opponent"] == "person"
    assert rows[1]["side"] == "2"
    assert all("user" not in text for text in texts)


def test_json_lines_hold_every_move() -> None:
    """Each line of the JSON file is an object with a game's moves, their times and hints."""
    games = [json.loads(line) for line in as_json_lines(GAMES, ANA).splitlines()]
    assert [one["game"] for one in games] == [1, 2, 3, 4]
    assert games[0]["moves"][0] == {
        "player": 1,
        "move": "3",
        "at": "2023-11-14T22:13:25+00:00",
        "seconds": 5.0,
        "hinted": True,
        "nodes": None,
        "depth": None,
        "score": None,
        "proven": False,
    }
    found = games[0]["moves"][1]
    assert (found["nodes"], found["depth"], found["score"]) == (10, 4, -7)
    assert games[3]["finished"] is None


def test_an_export_without_games_has_only_its_header() -> None:
    """Without games the CSV has only its header, and the JSON file no line."""
    assert as_csv((), ANA).strip() == ",".join(FIELDS)
    assert as_json_lines((), ANA) == ""
