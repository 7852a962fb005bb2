"""The services of proposals, built from a process's parts."""

from __future__ import annotations

from typing import Any, TypeVar

from bot.features.proposals.rules import Draws, Proposals, Swaps, Undos
from bot.features.proposals.store import DrawRow, ProposalRepository, UndoRow
from bot.store.store import Store

Kind = TypeVar("Kind", bound=Proposals)


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


def stored_undos(store: Store) -> ProposalRepository:
    """The repository of undo requests."""
    return ProposalRepository(store.database, UndoRow)


def stored_draws(store: Store) -> ProposalRepository:
    """The repository of draw offers."""
    return ProposalRepository(store.database, DrawRow)


def _made(kind: type[Kind], services: Any) -> Kind:
    return kind(services.store, services.sessions, services.clock, services.limiter)
