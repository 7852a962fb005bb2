"""Deleting people and servers in a test's own database, with what all features have there."""

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
    """What features contribute, without what needs the features' own services."""
    return tuple(replace(one, files=None, leave=None) for one in personal_data())


def people(store: Store) -> People:
    """The people of a store."""
    return People(store.database, contributed)


def departures(store: Store) -> Departures:
    """The servers that have left a store."""
    return Departures(store.database, contributed)


def erasure(services: Services) -> Erasure:
    """What deletes people and servers."""
    return Erasure(
        services.store.database,
        services.sessions,
        services.ratings,
        services.clock,
        contributed,
        shards=services.settings.shards,
    )
