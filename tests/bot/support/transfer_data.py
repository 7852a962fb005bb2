"""A database with many moves, made quickly: whole games, played once and stored many times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any

from sqlalchemy import insert

from bot.database.database import NoteRow
from bot.database.statements import Base
from bot.store.rows import state_number
from bot.store.store import Store
from bot.store.tables import (
    ChallengeRow,
    GameFiguresRow,
    GameRow,
    HintRow,
    MoveRow,
    PlayerRow,
    RatingChangeRow,
    RatingDueRow,
    RatingRow,
    UnaidedRow,
)
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of

GAME = game_of("connect4", "6x7")
PLAYED = 200
"""Number of different games."""
PER_PLAYER = 7
"""Games per player."""
AT_ONCE = 1000
"""Games per transaction."""
BEGAN = 1.7e9
LADDER, VARIANT = "connect4-classic", "6x7"

Rows = dict[type[Base] | str, list[dict[str, Any]]]
"""Rows by their tables; those of features are named, and left out where they are not declared."""


async def fill(store: Store, moves: int, played: int = PLAYED) -> int:
    """Store finished games with at least the given number of moves; returns the moves stored."""
    texts = [moves_of(number) for number in range(played)]
    rng, stored, games = Random(1), 0, count(1)
    while stored < moves:
        rows: Rows = defaultdict(list)
        for game_id in islice(games, AT_ONCE):
            text = texts[game_id % played]
            _add(rows, game_id, text, rng)
            stored += len(text)
            if stored >= moves:
                break
        await _store(store, rows)
    await _store(store, _once())
    return stored


def moves_of(number: int) -> list[str]:
    """The moves of a whole game between two rungs of the ladder, as players write them."""
    rng, position, moves = Random(number), GAME.start(), list[str]()
    rungs = ladder_of(GAME).rungs[:8]
    agents = rng.choice(rungs).agent, rng.choice(rungs).agent
    while position.outcome is None:
        move = agents[position.to_move - 1].choose(position, rng=rng).move
        moves.append(GAME.label(move))
        position = position.play(move)
    return moves


async def _store(store: Store, rows: Rows) -> None:
    named = {one if isinstance(one, str) else one.__tablename__: rows[one] for one in rows}
    async with store.database.writing() as connection:
        for table in Base.metadata.sorted_tables:
            if table.name in named:
                await connection.execute(insert(table), named[table.name])


def _add(rows: Rows, game_id: int, text: list[str], rng: Random) -> None:
    player = 10**17 + game_id // PER_PLAYER
    began = BEGAN + 60.0 * game_id + rng.random()
    if game_id % PER_PLAYER == 0 or game_id == 1:
        rows[PlayerRow].append({"id": player, "joined_at": began, "private": rng.random() < 0.1})
        figures = {name: rng.gauss(1500.0, 300.0) for name in ("value", "deviation", "surprise")}
        rows[RatingRow].append(
            {"user_id": player, "ladder": LADDER, "volatility": 0.06, "shown": None, "games": 7,
             "updated_at": began, **figures}
        )  # fmt: skip
    made = list(_moves(game_id, player, text, began, rng))
    rows[MoveRow].extend(made)
    rows[GameRow].append(_game(game_id, player, made, began))
    engine = [move for move in made if move["user_id"] is None]
    sums = {f"engine_{name}": sum(move[name] for move in engine) for name in ("nodes", "seconds")}
    rows[GameFiguresRow].append(
        {"game_id": game_id, "moves": len(made), "person_moves": len(made) - len(engine),
         "hinted": 0, "engine_moves": len(engine), **sums}
    )  # fmt: skip
    rows[RatingChangeRow].append(_change(game_id, player, began, rng))
    rows[UnaidedRow].append(
        {"game_id": game_id, "user_id": player, "ladder": LADDER, "at": began + 30.0,
         "judged": len(made) // 2, "loss": rng.random()}
    )  # fmt: skip
    if game_id % 10 == 0:
        rows[HintRow].append(
            {"game_id": game_id, "number": 1, "position": rng.getrandbits(63) - 2**62,
             "user_id": player, "move": "4", "at": began, "seconds": 0.5}
        )  # fmt: skip


def _moves(
    game_id: int, player: int, text: list[str], began: float, rng: Random
) -> Iterator[dict[str, Any]]:
    for number, move in enumerate(text, 1):
        is_agents = number % 2 == 0
        found = rng.randrange(10**6), rng.randrange(4, 20), rng.randrange(-1000, 1000)
        nodes, depth, score = found if is_agents else (None, None, None)
        yield {
            "game_id": game_id, "number": number, "player": 2 - number % 2, "move": move,
            "user_id": None if is_agents else player, "hinted": False,
            "at": began + number + rng.random(), "seconds": rng.random() * 10, "nodes": nodes,
            "depth": depth, "score": score, "proven": is_agents and rng.random() < 0.2,
        }  # fmt: skip


def _game(game_id: int, player: int, made: list[dict[str, Any]], began: float) -> dict[str, Any]:
    state = state_number(len(made), 0, is_over=True, is_rated=True)
    return {
        "id": game_id, "family": "connect4", "variant": VARIANT, "channel_id": 10**18 + game_id,
        "guild_id": None if game_id % 3 else 10**18 - game_id % 50, "message_id": 2**62 + game_id,
        "locale": "es" if game_id % 4 else "en", "first_user": player, "second_agent": "easy",
        "auto": game_id % 2 == 0, "started_by": player, "started_at": began,
        "finished_at": made[-1]["at"], "ending": "line", "winner": made[-1]["player"],
        "state": state, "shown": state,
    }  # fmt: skip


def _change(game_id: int, player: int, began: float, rng: Random) -> dict[str, Any]:
    names = ("value", "deviation", "volatility")
    figures = {f"{name}_{when}": rng.random() for name in names for when in ("before", "after")}
    return {
        "game_id": game_id, "user_id": player, "ladder": LADDER, "shown_before": None,
        "shown_after": rng.choice([None, 1500.5]), "games_after": 1, "opponent": 1500.0,
        "at": began, **figures,
    }  # fmt: skip


def _once() -> Rows:
    """A few rows for the small tables."""
    people = {"asker": 10**17, "made": 1, "undos": 0, "asked_at": BEGAN, "game_id": 1}
    offer = {"channel_id": 5, "locale": "es", "challenger": 10**17, "challenged": 7,
             "challenger_first": True, "offered_at": BEGAN, "expires_at": BEGAN}  # fmt: skip
    return {
        NoteRow: [{"name": name, "text": f"«{name}»"} for name in ("Z", "a", "é", "_", "B-1")],
        ChallengeRow: [{"id": 40, "family": "gato", "variant": "4x4", **offer}],
        "undos": [{**people, "remaining": 0, "answer": "lapsed"}],
        "draws": [{**people, "id": 9}],
        RatingDueRow: [{"id": 12, "game_id": 1}],
        "league_due": [{"game_id": 2}],
    }
