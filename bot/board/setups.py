"""The setups of new games, from what people have typed, chosen or played before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import Interaction

from bot.discord.locales import public_locale
from bot.discord.replies import channel_of
from bot.game.clocks import NotATimeControl, parse_control
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.store.records import (
    AUTO,
    FORMER_PLAYER,
    GameSetup,
    SeatRecord,
    TimeControl,
    agent,
    person,
)
from engine.core.game import Game, UnknownVariant
from engine.core.package import GamePackage
from engine.core.registry import game_of, games
from engine.study.balanced import balanced_variants

EMPTY, BALANCED, SWAP = "empty", "balanced", "swap"
OPENINGS = (EMPTY, BALANCED, SWAP)
"""How a game between people may begin: on the empty board, from a balanced opening, or on the empty
board with the pie rule."""


def other_seat(name: str | None, opponent: int | None) -> SeatRecord:
    """The seat opposite the person who starts a game; AUTO if no opponent is given.

    Raises Refusal if both a level or agent and a person are given.
    """
    if opponent is None:
        return agent(name or AUTO)
    if name is not None:
        raise Refusal("level_and_opponent")
    return person(opponent)


def game_from_text(family: str, variant: str) -> Game:
    """The game of a typed variant. Raises Refusal if there is no such variant."""
    try:
        return game_of(family, variant)
    except UnknownVariant as error:
        raise Refusal("not_a_variant", text=error.text, expected=error.expected) from error


def control_from_text(text: str | None) -> TimeControl | None:
    """The time control of a typed time per move; None for none. Raises Refusal if it is not one."""
    if text is None:
        return None
    try:
        return parse_control(text)
    except NotATimeControl as error:
        raise Refusal("not_a_clock", text=text) from error


def openings_of(family: GamePackage) -> tuple[str, ...]:
    """How games between people may begin on the boards of a game."""
    return tuple(one for one in OPENINGS if one != BALANCED or balanced_variants(family))


def openings_on(family: str, variant: str) -> tuple[str, ...]:
    """How games between people may begin on one board."""
    has_balanced = variant in balanced_variants(games()[family])
    return tuple(one for one in OPENINGS if one != BALANCED or has_balanced)


def with_opening(setup: GameSetup, opening: str) -> GameSetup:
    """A setup that begins in one of OPENINGS; refused for a board without balanced openings."""
    boards = balanced_variants(games()[setup.family])
    if opening == BALANCED and setup.variant not in boards:
        raise Refusal("no_balanced", boards=", ".join(boards))
    return replace(setup, balanced=opening == BALANCED, pie=opening == SWAP)


def usual_opening(setup: GameSetup, *, is_open: bool) -> str:
    """How a game begins if nothing is said about it, one of OPENINGS.

    A rated game that is open to anyone is balanced where its board has balanced openings.
    """
    proposes = is_open and not setup.friendly
    return BALANCED if proposes and BALANCED in openings_on(setup.family, setup.variant) else EMPTY


def opening_of(setup: GameSetup) -> str:
    """How a game between people begins, one of OPENINGS."""
    return BALANCED if setup.balanced else SWAP if setup.pie else EMPTY


def setup_for(
    interaction: Interaction[Any], game: Game, first: SeatRecord, second: SeatRecord
) -> GameSetup:
    """The setup of a game that a person requests in a channel, with the usual rules."""
    return GameSetup(
        family=game.key,
        variant=game.variant,
        channel_id=channel_of(interaction),
        guild_id=interaction.guild_id,
        locale=public_locale(interaction),
        first=first,
        second=second,
        started_by=interaction.user.id,
    )


def rematch_of(old: Session, channel_id: int, user_id: int, locale: str) -> GameSetup:
    """The setup of a game again with the sides swapped; refused to non-players if people played.

    A game that went on from a position is repeated with the same sides. An agent that was chosen to
    fit the player is chosen again.
    """
    if old.people and user_id not in old.people:
        raise Refusal("rematch_not_yours", game=old.game.key)
    if FORMER_PLAYER in old.people:
        raise Refusal("rematch_former", game=old.game.key)
    second, first = (
        agent(AUTO) if old.setup.auto and seat.agent is not None else seat for seat in old.seats
    )
    if old.setup.goes_on:
        # From a position one tries again, on the same side.
        first, second = second, first
    return replace(
        old.setup,
        channel_id=channel_id,
        locale=locale,
        first=first,
        second=second,
        started_by=user_id,
        match_of=None,
    )
