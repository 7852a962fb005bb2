"""What players ask sessions for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.difficulty import AUTO
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Order:
    """What a player asks for who starts a game against an agent."""

    channel_id: int
    guild_id: int | None
    user_id: int
    locale: str
    game: Game
    level: str = AUTO
    """A level's name, or `auto`."""
    person_first: bool = True


@dataclass(frozen=True, slots=True)
class Control:
    """What a control on a picture belongs to: one move of one game."""

    game_id: int
    number: int
