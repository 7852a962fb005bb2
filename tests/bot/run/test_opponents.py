"""The command that fits the model of perfect play's opponents, as it is typed."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import copyfile

import pytest

import bot.__main__ as program
from bot.run import opponents
from bot.settings import Settings
from bot.store.records import Ending, EndRecord, GameSetup, MoveRecord, agent, person
from bot.store.store import Store
from engine.core.game import Player
from engine.core.registry import game_called
from tests.bot.databases import address_of

ANA, GUILD, CHANNEL = 987_654_321_012, 876_543_210_123, 765_432_101_234
FILE = "opponents.json"
Fit = Callable[..., int]


async def fill(url: str, count: int, *, hinted: bool = False) -> None:
    """Store finished games of Ana, who plays the first column that has room."""
    store, game, rng = Store(url), game_called("5x4"), Random(1)
    await store.open()
    seats = person(ANA), agent("easy")
    for number in range(count):
        setup = GameSetup("connect4", "5x4", CHANNEL + number, GUILD, "en", *seats, ANA)
        game_id = await store.games.add(setup, 10.0)
        position, made = game.start(), 0
        while position.outcome is None:
            moves, player = position.legal_moves(), position.to_move
            is_ana = player is Player.FIRST
            move = moves[0] if is_ana else rng.choice(moves)
            made += 1
            record = MoveRecord(
                int(player), ANA if is_ana else None, game.label(move), hinted, 10.0, 1.0
            )
            position = position.play(move)
            end = None
            if position.outcome is not None:
                winner = position.outcome.winner
                end = EndRecord(Ending(position.outcome.ending), winner and int(winner), 11.0)
            await store.games.append(game_id, made, record, look_at=None, end=end)
    await store.close()


@pytest.fixture
def given(migrated: Path, tmp_path: Path) -> Path:
    """An empty database."""
    return copyfile(migrated, tmp_path / "given.db")


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: Path) -> Fit:
    """Run the command on the database; returns its exit status."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", url_of(given))
    monkeypatch.setattr(opponents, "LEAST", 30)
    return lambda *more: program.main(["fit-opponents", FILE, *more])


def url_of(file: Path) -> str:
    """The address of a database file."""
    return address_of(file)


def test_a_model_is_fitted_and_can_be_set(
    given: Path, fitted: Fit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file has the habits of people on each ladder with enough moves, and is a setting."""
    asyncio.run(fill(url_of(given), 16))
    connection = sqlite3.connect(given)
    rating = (ANA, "connect4-small", 950.0, 60.0, 0.06, 9, 11.0)
    columns = "user_id, ladder, value, deviation, volatility, games, updated_at"
    connection.execute(f"INSERT INTO ratings ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", rating)  # noqa: S608
    connection.commit()
    connection.close()
    assert fitted() == 0
    out = capsys.readouterr().out
    assert "connect4-small" in out
    assert "fewer than 30" in out
    assert "CUATRO_OPPONENT_MODEL" in out
    text = (tmp_path / FILE).read_text("utf-8")
    found = json.loads(text)
    assert set(found["ladders"]) == {"connect4-small"}
    assert found["ladders"]["connect4-small"]["moves"] >= 30
    # Ana always plays at the edge.
    ((ladder, habits),) = Settings.read({"CUATRO_OPPONENT_MODEL": FILE}).habits
    assert ladder == "connect4-small"
    assert habits.weights[-1] < -0.3
    first = text
    assert fitted("--moves", "40") == 0
    assert (
        json.loads((tmp_path / FILE).read_text("utf-8"))["ladders"]["connect4-small"]["moves"] <= 40
    )
    assert fitted() == 0
    assert (tmp_path / FILE).read_text("utf-8") == first


def test_a_model_names_nobody(given: Path, fitted: Fit, tmp_path: Path) -> None:
    """The file has no numbers of people, servers, channels or games, and no moves."""
    asyncio.run(fill(url_of(given), 10))
    assert fitted() == 0
    text = (tmp_path / FILE).read_text("utf-8")
    assert not any(str(number) in text for number in (ANA, GUILD, CHANNEL))
    (ladder,) = json.loads(text)["ladders"].values()
    assert set(ladder) == {"moves", "weights"}
    assert all(isinstance(weight, float) for weight in ladder["weights"].values())


@pytest.mark.parametrize(("count", "hinted"), [(0, False), (2, False), (10, True)])
def test_too_few_moves_write_nothing(
    given: Path,
    fitted: Fit,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    count: int,
    hinted: bool,
) -> None:
    """With too few moves that people chose alone there is no file, and one line says why."""
    asyncio.run(fill(url_of(given), count, hinted=hinted))
    assert fitted() == 1
    assert capsys.readouterr().err == (
        "cuatro: There are too few moves of people to fit anything.\n"
    )
    assert not (tmp_path / FILE).exists()


def test_one_person_counts_only_so_often(
    given: Path, fitted: Fit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one person, a limited number of moves is used."""
    monkeypatch.setattr(opponents, "PER_PERSON", 35)
    asyncio.run(fill(url_of(given), 16))
    assert fitted() == 0
    (ladder,) = json.loads((tmp_path / FILE).read_text("utf-8"))["ladders"].values()
    assert ladder["moves"] <= 35


def test_a_file_that_cannot_be_written_is_named(
    given: Path, fitted: Fit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the file cannot be written, one line says so, with status 1."""
    asyncio.run(fill(url_of(given), 10))
    (tmp_path / FILE).mkdir()
    assert fitted() == 1
    assert "cannot be written" in capsys.readouterr().err
