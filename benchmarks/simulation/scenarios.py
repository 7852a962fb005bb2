"""Situations: a day, a launch, a lost zone and a slow Discord."""

from __future__ import annotations

import math
from dataclasses import dataclass

import simpy

from benchmarks.capacity.figures import Figures
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.bots import Bot
from benchmarks.simulation.discords import Discord
from benchmarks.simulation.fleet import LATE, Fleet, Ran, simulate
from benchmarks.simulation.machine import Steps
from benchmarks.simulation.plan import AT_ONCE, Plan

UNLIMITED = math.inf
LEASE = 30.0
"""Assumed seconds until games of a dead process are taken over."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A situation and its results."""

    name: str
    ran: Ran
    then: str
    """The consequence."""


def steady(
    figures: Figures, assumed: Assumptions, rate: float, fleet: Fleet, seconds: float, seed: int = 1
) -> Ran:
    """Simulate a deployment at a constant rate."""
    return simulate(figures, assumed, fleet, lambda _: rate, seconds, seed=seed)


def day(
    figures: Figures, assumed: Assumptions, plan: Plan, seconds: float
) -> list[tuple[float, Ran]]:
    """Moves per second and a simulation of `seconds` for each hour."""
    found = []
    fleet = plan.fleet(UNLIMITED)
    for hour in range(24):
        rate = assumed.moves_a_second(plan.servers, hour)
        ran = steady(figures, assumed, rate, fleet, seconds, seed=hour + 1)
        found.append((rate, ran))
    return found


def scenarios(figures: Figures, assumed: Assumptions, plan: Plan, seconds: float) -> list[Scenario]:
    """Simulate all situations at the peak of the day."""
    whole, rate = plan.fleet(UNLIMITED), plan.moves
    burst = assumed.launch * rate
    grown, lost = whole.times(assumed.launch), whole.without(1.0 / assumed.zones)
    limited = plan.fleet(assumed.global_limit)
    freed = plan.fleet(assumed.global_limit, by_token=True)

    def slowly(_env: simpy.Environment, _bots: list[Bot], discord: Discord) -> Steps:
        discord.slowdown = assumed.slow_discord
        yield from ()

    slow = simulate(figures, assumed, whole, lambda _: rate, seconds, meanwhile=slowly)
    away = LEASE + 5.0 * math.ceil(plan.shards / assumed.zones / AT_ONCE)
    return [
        Scenario("the day's peak", steady(figures, assumed, rate, whole, seconds), "as planned"),
        Scenario(
            f"the same with Discord's limit at {assumed.global_limit:g} a second",
            steady(figures, assumed, rate, limited, seconds),
            "boards fall behind without end. Edit by the click's token, and ask Discord for more",
        ),
        Scenario(
            "that limit, with boards edited by the click's token",
            steady(figures, assumed, rate, freed, seconds),
            "no request of a move counts any more; a change of `BoardRequests.edit`",
        ),
        Scenario(
            f"a launch, {assumed.launch:g} times the peak, nothing added",
            steady(figures, assumed, burst, whole, seconds),
            "database and event loops are full: clicks fail until load falls or machines are added",
        ),
        Scenario(
            f"the same with {assumed.launch:g} times as much of everything",
            steady(figures, assumed, burst, grown, seconds),
            "scale before a known launch: new processes must identify their shards",
        ),
        Scenario(
            f"a zone of {assumed.zones} is lost",
            steady(figures, assumed, rate, lost, seconds),
            f"its servers get no answer for about {away:.0f} s, then the rest is a little slower",
        ),
        Scenario(
            f"Discord is {assumed.slow_discord:g} times slower",
            slow,
            "boards are late; nothing is full, since waiting costs memory, not CPU",
        ),
    ]


def late(ran: Ran) -> float:
    """The share of clicks whose board took longer than three seconds."""
    waits = ran.tally.waits
    return sum(wait > LATE for wait in waits) / max(1, len(waits))
