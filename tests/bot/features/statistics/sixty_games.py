"""Sixty games of one person on four sizes of Connect 4 and in three games, many with help."""

from __future__ import annotations

from pathlib import Path
from random import Random

from bot.game.session import Session
from bot.ratings.glicko import Evidence
from bot.ratings.rated import rated_end
from bot.store.records import (
    Ending,
    EndRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    SeatRecord,
    TimeControl,
)
from bot.store.store import Store
from engine.core.game import Player
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from tests.bot.databases import address_of

ANA, BEA, HERE, DAY = 1, 2, 9, 1_790_000_000.0
BOARDS = (
    *(("connect4", size) for size in ("5x4", "6x7", "7x6", "8x8")),
    ("gato", "4x4"),
    ("boom", "7x7"),
)
GAMES = 60
ENDINGS = ("line",) * 6 + ("draw", "resigned", "time", "agreed", "stopped", "aborted")


async def fill(file: Path) -> None:
    """Play the games."""
    store = Store(address_of(file))
    await store.open()
    rng = Random(60)
    for number in range(GAMES):
        await play(store, number, rng)
    await store.close()


async def play(store: Store, number: int, rng: Random) -> None:
    """Play a random game, end it, and rate it if it counts, with misleading evidence."""
    family, variant = BOARDS[number % len(BOARDS)]
    other, auto = opponent(family, variant, rng)
    seats = (SeatRecord(ANA, None), other)[:: rng.choice((1, -1))]
    at = DAY + 100 * number
    is_friendly = other.user_id is not None and rng.random() < 0.5
    setup = GameSetup(
        family,
        variant,
        number,
        HERE,
        "en",
        *seats,
        auto=auto,
        clock=TimeControl(300.0),
        friendly=is_friendly,
    )
    game_id = await store.games.add(setup, at)
    # Rated games between people have no hints.
    has_hints = (other.user_id is None or is_friendly) and rng.random() < 0.3
    if rng.random() < 0.15:
        await moves(store, game_id, setup, 2, has_hints=False, rng=rng)
        await store.games.take_back(game_id, 0, at, look_at=None)
    await moves(store, game_id, setup, rng.randint(4, 6), has_hints=has_hints, rng=rng)
    await end(store, game_id, at, rng)


async def moves(
    store: Store, game_id: int, setup: GameSetup, count: int, *, has_hints: bool, rng: Random
) -> None:
    """Make a game's first moves at random, Ana's after a hint each if there are hints."""
    position = game_of(setup.family, setup.variant).start()
    at = DAY + 100 * setup.channel_id
    for number in range(1, count + 1):
        seat = (setup.first, setup.second)[position.to_move - 1]
        searched = {} if seat.user_id else {"nodes": 9 + number, "depth": 3, "score": 1 - number}
        label = position.game.label(rng.choice(position.legal_moves()))
        hinted = has_hints and seat.user_id == ANA
        if hinted:
            await store.games.add_hint(game_id, HintRecord(number, ANA, label, at))
        move = MoveRecord(position.to_move, seat.user_id, label, hinted, at, 1.0, **searched)
        await store.games.append(game_id, number, move, look_at=None)
        position = position.play(position.game.parse(label))


def opponent(family: str, variant: str, rng: Random) -> tuple[SeatRecord, bool]:
    """Bea, a level, or a rung for `auto`."""
    if rng.random() < 0.2:
        return SeatRecord(BEA, None), False
    if rng.random() < 0.5:
        return SeatRecord(None, rng.choice(("easy", "hard"))), False
    rungs = ladder_of(game_of(family, variant)).rungs
    return SeatRecord(None, rng.choice(rungs[:5]).name), True


async def end(store: Store, game_id: int, at: float, rng: Random) -> None:
    """End a game and rate it."""
    ending = rng.choice(ENDINGS)
    winner = None if ending in ("draw", "agreed", "stopped", "aborted") else rng.choice((1, 2))
    await store.games.finish(game_id, EndRecord(Ending(ending), winner, at + 50), counts=True)
    record = await store.games.find(game_id)
    assert record is not None
    session = Session.from_record(record)
    evidence = {player: Evidence(rng.uniform(300, 2500), 350.0) for player in Player}
    await store.ratings.rate(game_id, rated_end(session, evidence))
