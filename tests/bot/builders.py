"""Values and builders of the bot's tests: people, channels, new games and refusals."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest

from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    MoveRecord,
    SeatRecord,
    agent,
    person,
)
from engine.core.game import Game

ANA, BEA, HERE, THERE = 1, 2, 100, 200
"""Ids of two people and two channels."""

NAMES = {ANA: "Ana", BEA: "Bea"}
"""The names of these people, as pictures show them."""


def new_game(channel_id: int = HERE, second: SeatRecord | None = None, **changes: Any) -> GameSetup:
    """Ana's setup of Connect 4 on 5x4 against `second`, or `easy`; any field can be changed."""
    seats = person(ANA), second or agent("easy")
    return replace(GameSetup("connect4", "5x4", channel_id, 9, "en", *seats, ANA), **changes)


def session_of(game: Game, moves: list[str], end: EndRecord | None = None) -> Session:
    """A game between Ana and an agent after some moves, ended by its rules if they end it."""
    opening = GameSetup(game.key, game.variant, 1, 2, "en", person(ANA), agent("medium"))
    records, position = list[MoveRecord](), game.start()
    for number, text in enumerate(moves, 1):
        player = position.to_move
        took = (None, None, None) if player == 1 else (1000 * number, 4, 3)
        user = ANA if player == 1 else None
        records.append(MoveRecord(int(player), user, text, False, 10.0 * number, 0.25, *took))
        position = position.play(game.parse(text))
    if position.outcome is not None:
        winner = position.outcome.winner
        end = EndRecord(Ending(position.outcome.ending), winner and int(winner), 999.0)
    return Session.from_record(GameRecord(7, opening, 0.0, 5, tuple(records), (), end))


async def refusal_of(work: Awaitable[object]) -> str:
    """The key of the refusal that awaiting `work` raises."""
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.key
