"""Deletion of people and servers in a test's own database, with the parts of all features."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from bot.feature import PersonalData, Services
from bot.features.privacy.rules import Erasure
from bot.features.privacy.store import Departures, People
from bot.store.store import Store
from tests.bot.support.command_tree import personal_data


@cache
def contributed() -> tuple[PersonalData, ...]:
    """The contributions of features that need none of the features' own services."""
    return tuple(replace(one, files=None, leave=None) for one in personal_data())


def people(store: Store) -> People:
    """The people of a store."""
    return People(store.database, contributed)


def departures(store: Store) -> Departures:
    """The departures of servers of a store."""
    return Departures(store.database, contributed)


def erasure(services: Services) -> Erasure:
    """The service that deletes people and servers."""
    return Erasure(
        services.store.database,
        services.sessions,
        services.ratings,
        services.clock,
        contributed,
        shards=services.settings.shards,
    )
