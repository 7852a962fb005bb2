"""Services of proposals, and small games in which tests propose something."""

from __future__ import annotations

from typing import Any, TypeVar

from bot.features.proposals.rules import Draws, Proposals, Swaps, Undos
from bot.features.proposals.store import DrawRow, Proposal, ProposalRepository, UndoRow
from bot.game.session import Session
from bot.store.records import GameSetup, SeatRecord, person
from bot.store.store import Store
from engine.core.registry import games
from tests.bot.builders import ANA, BEA, HERE

Kind = TypeVar("Kind", bound=Proposals)

EVE = 3
"""A person who plays in none of the games."""


def undos_of(services: Any) -> Undos:
    """The service of undos."""
    return _made(Undos, services)


def draws_of(services: Any) -> Draws:
    """The service of draws."""
    return _made(Draws, services)


def swaps_of(services: Any) -> Swaps:
    """The service of swaps."""
    owner_id, games = services.ownership.id, services.sessions.games
    return Swaps(services.store.database, games, owner_id, services.clock)


RULES = {"undo": undos_of, "draw": draws_of}
"""The services of proposals that the other person answers, by kind."""


def stored_undos(store: Store) -> ProposalRepository:
    """The repository of undo requests."""
    return ProposalRepository(store.database, UndoRow)


def stored_draws(store: Store) -> ProposalRepository:
    """The repository of draw offers."""
    return ProposalRepository(store.database, DrawRow)


def order(
    first: SeatRecord, second: SeatRecord, family: str = "connect4", channel: int = HERE
) -> GameSetup:
    """Ana's order for a small game."""
    variant = "5x4" if family == "connect4" else games()[family].usual
    return GameSetup(family, variant, channel, 9, "en", first, second, ANA)


async def begin(services: Any, moves: str, *, other: int = BEA, channel: int = HERE) -> Session:
    """A game of Connect 4 between Ana and another person after these moves."""
    await services.sessions.start(order(person(ANA), person(other), channel=channel))
    return await play_on(services, moves, channel)


async def play_on(services: Any, moves: str, channel: int = HERE) -> Session:
    """Make these moves, each for the player to move."""
    sessions = services.sessions
    for move in moves:
        await sessions.play(channel, (await sessions.games.current(channel)).mover.user_id, move)
    session: Session = await sessions.games.current(channel)
    return session


async def propose(rules: Proposals, user_id: int, channel: int = HERE) -> Proposal:
    """A new proposal of this person."""
    _, asked = await rules.ask(channel, user_id)
    assert asked is not None
    assert asked.answer is None
    return asked


async def close_lapsed(venue: Any) -> None:
    """Run the periodic task that closes proposals which can no longer be answered."""
    (task,) = [one for one in venue.app.tasks if one.name == "proposals"]
    await task.run()


def _made(kind: type[Kind], services: Any) -> Kind:
    return kind(services.store, services.sessions, services.clock, services.limiter)
