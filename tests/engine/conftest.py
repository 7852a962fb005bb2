"""Fixtures of the engine's tests: tables of known values, and slow, plain reference solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from engine.core.compiled.scores import WIN
from engine.core.game import Game, Move, Position
from engine.games.boom.rules import Boom, BoomPosition
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.builders import after
from tests.engine.tables import rows_of

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def exact_scores() -> list[tuple[Connect4Position, int]]:
    """Positions on 6x7 with their value on the engine's scale."""
    game = Connect4()
    found = []
    for row in rows_of(DATA / "exact_scores.csv"):
        position, score = after(game, row["moves"]), int(row["score"])
        stone = 22 - abs(score)
        mover_begins = position.ply % 2 == 0
        number = 2 * stone - 1 if mover_begins == (score > 0) else 2 * stone
        value = 0 if score == 0 else WIN - number if score > 0 else number - WIN
        found.append((position, value))
    return found


@pytest.fixture(scope="session")
def boom_games() -> Mapping[str, list[dict[str, str]]]:
    """Recorded games of Conecta-4 BOOM by name, each row a position."""
    games: dict[str, list[dict[str, str]]] = {}
    for row in rows_of(DATA / "boom_games.csv"):
        games.setdefault(row["game"], []).append(row)
    return games


@pytest.fixture(scope="session")
def boom_positions(boom_games: Mapping[str, list[dict[str, str]]]) -> list[BoomPosition]:
    """Every undecided recorded position of Conecta-4 BOOM."""
    found = []
    for rows in boom_games.values():
        position = Boom().start()
        for row in rows[1:]:
            found.append(position)
            position = position.play(Boom().parse(row["move"]))
    return found


@pytest.fixture(scope="session")
def student_tables() -> Mapping[str, list[dict[str, str]]]:
    """By the agent's name, rows of values that were derived without this program.

    The head of each table explains its columns.
    """
    return {path.stem: rows_of(path) for path in DATA.glob("students/*.csv")}


@pytest.fixture(scope="session")
def random_position() -> Callable[[Game, Random, int], Position]:
    """Play a number of random moves that do not end the game; fewer if every move ends it."""

    def walk(game: Game, rng: Random, moves: int) -> Position:
        position = game.start()
        for _ in range(moves):
            following = [position.play(move) for move in position.legal_moves()]
            going_on = [after for after in following if after.outcome is None]
            if not going_on:
                break
            position = rng.choice(going_on)
        return position

    return walk


@pytest.fixture(scope="session")
def nearly_full(
    random_position: Callable[[Game, Random, int], Position],
) -> Callable[[Connect4, Random, int], Position]:
    """Find an undecided position with a given number of empty squares."""

    def find(game: Connect4, rng: Random, empty: int) -> Position:
        wanted = game.rows * game.columns - empty
        while True:
            position = random_position(game, rng, wanted)
            if position.ply == wanted:
                return position

    return find


@pytest.fixture(scope="session")
def play_perfectly() -> Callable[[Position], dict[Move, int]]:
    """Score every move of a position by playing all games to their end."""

    def value(position: Position, known: dict[Position, int]) -> int:
        if position.outcome is not None:
            return 0 if position.outcome.winner is None else position.ply - WIN
        if position not in known:
            known[position] = max(
                -value(position.play(move), known) for move in position.legal_moves()
            )
        return known[position]

    def scores(position: Position) -> dict[Move, int]:
        known: dict[Position, int] = {}
        return {move: -value(position.play(move), known) for move in position.legal_moves()}

    return scores
