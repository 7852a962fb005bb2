"""Series of games between two agents, played in the background from random openings."""

from __future__ import annotations

from functools import partial

from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.series.discord import OPEN, STOP, SeriesHandler, SeriesPoster
from bot.features.series.rules import SeriesPlay, series_files
from bot.features.series.store import (
    SeriesStore,
    count_series,
    forget_asker,
    forget_guild,
    guilds_query,
)


def build(core: Core) -> Parts:
    """The games of `/lab watch games:`, their messages, and what is stored about who asked."""
    stored = SeriesStore(core.store.database)
    play = SeriesPlay(core.store, stored, core.workers, core.clock, core.rng)
    poster = SeriesPoster(core.client, stored, play, core.ownership)
    handler = SeriesHandler(core, play)
    return Parts(
        routes=(STOP.route(handler.stop, repeatable=False), OPEN.route(handler.open)),
        tasks=(poster.task,),
        begin_series=handler.begin,
        personal=PersonalData(
            order=35,
            count=count_series,
            files=partial(series_files, stored),
            leave=play.stop_all,
            delete=forget_asker,
            guilds=guilds_query,
            forget_guild=forget_guild,
        ),
    )


FEATURE = Feature("series", build, requires=("league",))
