"""Values and builders of the bot's tests: people, channels, new games and refusals."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest

from bot.game.refusal import Refusal
from bot.store.records import GameSetup, SeatRecord, agent, person

ANA, BEA, HERE, THERE = 1, 2, 100, 200
"""Ids of two people and two channels."""


def new_game(channel_id: int = HERE, second: SeatRecord | None = None, **changes: Any) -> GameSetup:
    """Ana's setup of Connect 4 on 5x4 against `second`, or `easy`; any field can be changed."""
    seats = person(ANA), second or agent("easy")
    return replace(GameSetup("connect4", "5x4", channel_id, 9, "en", *seats, ANA), **changes)


async def refusal_of(work: Awaitable[object]) -> str:
    """The key of the refusal that awaiting `work` raises."""
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.key
