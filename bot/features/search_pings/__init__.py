"""Pings for people who want to know when another member of a server looks for a game.

They choose that in their settings, for each server. A search pings few of them, and none too often.
Once the search is over, the message says so.
"""

from __future__ import annotations

from functools import partial

from bot.feature import Core, Feature, Parts, PersonalData, SettingsBox
from bot.features.search_pings.discord import SearchPings
from bot.features.search_pings.store import (
    PingStore,
    WishStore,
    count_wishes,
    forget_guild,
    forget_person,
    guilds_query,
    wish_files,
)


def build(core: Core) -> Parts:
    """The box in the settings, the pings with their button, and the personal data."""
    stored = WishStore(core.store.database)
    pings = SearchPings(core, stored, PingStore(core.store.database))
    return Parts(
        settings_boxes=(
            SettingsBox("tell", "searches", "settings.tell.searches", stored.has, pings.choose),
        ),
        game_sought=pings.tell,
        routes=pings.routes,
        tasks=(pings.task,),
        personal=PersonalData(
            order=40,
            count=count_wishes,
            files=partial(wish_files, stored),
            delete=forget_person,
            guilds=guilds_query,
            forget_guild=forget_guild,
        ),
    )


FEATURE = Feature("search_pings", build)
