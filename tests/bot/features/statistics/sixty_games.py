"""Sixty games of one person on four sizes of Connect 4 and in three games."""

from __future__ import annotations

from pathlib import Path
from random import Random

from bot.game.session import Session
from bot.ratings.glicko import Evidence
from bot.ratings.rated import rated_end, unrated_because
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
    store = Store(f"sqlite+aiosqlite:///{file.as_posix()}")
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
    game_id = await store.games.add(
        GameSetup(family, variant, number, HERE, "en", *seats, auto=auto, clock=TimeControl(300.0)),
        at,
    )
    position = game_of(family, variant).start()
    for made in range(rng.randint(4, 6)):
        seat = seats[position.to_move - 1]
        searched = {} if seat.user_id else {"nodes": 10 + made, "depth": 3, "score": -made}
        label = position.game.label(rng.choice(position.legal_moves()))
        hinted = seat.user_id == ANA and rng.random() < 0.03
        if hinted:
            await store.games.add_hint(game_id, HintRecord(made + 1, ANA, label, at))
        move = MoveRecord(position.to_move, seat.user_id, label, hinted, at, 1.0, **searched)
        await store.games.append(game_id, made + 1, move, look_at=None)
        position = position.play(position.game.parse(label))
    await end(store, game_id, at, rng)


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
    rated = None if unrated_because(session) else rated_end(session, evidence)
    await store.ratings.rate(game_id, rated)
