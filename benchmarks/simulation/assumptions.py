"""Assumptions about players and Discord, each with its reason. All other figures are measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any


def given(value: Any, reason: str) -> Any:
    """A field with a default value and its reason."""
    if isinstance(value, Mapping):
        frozen = MappingProxyType(dict(value))
        return field(default_factory=lambda: frozen, metadata={"reason": reason})
    return field(default=value, metadata={"reason": reason})


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Assumptions about players, Discord and operation."""

    playing_servers: float = given(
        0.10, "share of servers with a game on a day; most that add a bot use it rarely"
    )
    games_a_day: float = given(10.0, "games a day on a server that plays: a few people, two each")
    moves_a_game: float = given(
        14.0, "a person's moves in a game on 6x7, which ends after 28 of 42 moves or so"
    )
    hints_a_game: float = given(0.3, "one game in three has a hint; each may take two seconds")
    hours: tuple[float, ...] = given(
        (
            *(0.55, 0.42, 0.35, 0.32, 0.33, 0.40, 0.52, 0.65, 0.75, 0.85, 0.95, 1.05),
            *(1.15, 1.20, 1.25, 1.35, 1.45, 1.55, 1.65, 1.75, 1.70, 1.50, 1.20, 0.85),
        ),
        "the day's rhythm by the hour, UTC: evenings of Europe and the Americas, quiet Asian ones",
    )
    levels: Mapping[str, float] = given(
        {"easy": 0.25, "medium": 0.40, "hard": 0.20, "expert": 0.10, "perfect": 0.05},
        "shares of games by level; `auto`, the usual one, is near medium for most people",
    )
    kept_open: float = given(
        0.10, "share of abandoned games, which stay open for the 48 hours of a turn"
    )
    seconds_a_move: float = given(15.0, "a person thinks and looks away now and then")
    launch: float = given(
        5.0, "times the day's peak, when a big channel shows the bot and many people try it"
    )
    discord_median: float = given(0.09, "s, of a request to Discord's API from a nearby region")
    discord_tail: float = given(4.0, "p99 of these as a multiple of the median")
    slow_discord: float = given(10.0, "times slower, as in a bad hour on its status page")
    global_limit: float = given(50.0, "Discord's requests a second for a bot, if it raises nothing")
    servers_a_shard: int = given(
        1000, "Discord recommends about this many, and forbids 2,500 and more"
    )
    busy: float = given(
        0.6, "share of a core that an event loop may be busy at the day's peak; beyond, waits grow"
    )
    zones: int = given(3, "places where processes run; one of them may be lost at any time")
    moves_kept: float = given(365.0, "days of games that the database holds; nothing is deleted")

    @property
    def moves_a_day(self) -> float:
        """Moves of people per day on an average server."""
        return self.playing_servers * self.games_a_day * self.moves_a_game

    @property
    def peak(self) -> float:
        """The busiest hour of a day, as a multiple of the mean."""
        return max(self.hours) / self.rhythm

    @property
    def rhythm(self) -> float:
        """The mean of `hours`."""
        return sum(self.hours) / len(self.hours)

    def moves_a_second(self, servers: float, hour: int | None = None) -> float:
        """Moves of people per second on `servers` servers, at the peak or in an hour."""
        share = self.peak if hour is None else self.hours[hour] / self.rhythm
        return servers * self.moves_a_day / 86_400.0 * share

    def reasons(self) -> list[tuple[str, str, str]]:
        """Each assumption with its value and its reason."""
        return [
            (one.name, _written(getattr(self, one.name)), one.metadata["reason"])
            for one in fields(self)
        ]


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {share:.0%}" for name, share in value.items())
    if isinstance(value, tuple):
        return f"from {min(value):g} to {max(value):g} of the mean"
    return f"{value:g}" if isinstance(value, float) else str(value)
