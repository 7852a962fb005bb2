"""Days that are not like others: a launch, a lost zone, a slow Discord; and the day's rhythm."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import simpy

from benchmarks.capacity.figures import Figures
from benchmarks.simulation.assumptions import Assumptions
from benchmarks.simulation.bots import Bot
from benchmarks.simulation.discords import Afar
from benchmarks.simulation.fleet import WARM, Fleet, Ran, simulate
from benchmarks.simulation.machine import Steps
from benchmarks.simulation.plan import AT_ONCE, Plan

UNLIMITED = math.inf
SHARE = 1 / 16
"""The part of a million servers' fleet that is simulated by itself (docs/capacity.md says why)."""
LATE = 3.0
"""Seconds after which a click that was not acknowledged has failed."""
LEASE = 30.0
"""Seconds after which games of a process that is gone are taken over, as is assumed here."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens, and what was seen."""

    name: str
    ran: Ran
    then: str
    """What follows from it."""


def at_peak(
    figures: Figures,
    assumed: Assumptions,
    plan: Plan,
    fleet: Fleet,
    *,
    share: float,
    seconds: float,
) -> Ran:
    """A part of the fleet at the peak of the day."""
    return steady(figures, assumed, plan.moves * share, fleet.part(share), seconds)


def steady(
    figures: Figures, assumed: Assumptions, rate: float, fleet: Fleet, seconds: float, seed: int = 1
) -> Ran:
    """A fleet at one rate."""
    return simulate(figures, assumed, fleet, lambda _: rate, seconds, seed=seed)


def day(
    figures: Figures, assumed: Assumptions, plan: Plan, seconds: float
) -> list[tuple[float, Ran]]:
    """Each hour: moves a second of the whole bot, and a while of it with a part of the fleet.

    Queues of seconds settle within seconds, so a minute shows what the hour is like.
    """
    found = []
    fleet = plan.fleet(UNLIMITED).part(SHARE)
    for hour in range(24):
        rate = assumed.moves_a_second(plan.servers, hour)
        ran = steady(figures, assumed, rate * SHARE, fleet, seconds, seed=hour + 1)
        found.append((rate, ran))
    return found


def scenarios(figures: Figures, assumed: Assumptions, plan: Plan, seconds: float) -> list[Scenario]:
    """What may happen at the peak of the day, each with a part of the fleet."""
    whole, rate = plan.fleet(UNLIMITED), plan.moves * SHARE
    part = whole.part(SHARE)
    burst = assumed.launch * rate
    grown = whole.part(SHARE * assumed.launch)
    lost = whole.part(SHARE * (assumed.zones - 1) / assumed.zones)
    limited = replace(part, limit=assumed.global_limit * SHARE)

    def slowly(_env: simpy.Environment, _bots: list[Bot], discord: Afar) -> Steps:
        discord.slower = assumed.slow_discord
        yield from ()

    slow = simulate(figures, assumed, part, lambda _: rate, seconds, meanwhile=slowly)
    away = LEASE + 5.0 * math.ceil(plan.shards / assumed.zones / AT_ONCE)
    return [
        Scenario("the day's peak", steady(figures, assumed, rate, part, seconds), "as planned"),
        Scenario(
            f"the same with Discord's limit at {assumed.global_limit:g} a second",
            steady(figures, assumed, rate, limited, seconds),
            "the first to break: boards fall behind without end. Edit by the click's token, and "
            "ask Discord for more",
        ),
        Scenario(
            f"a launch, {assumed.launch:g} times the peak, nothing added",
            steady(figures, assumed, burst, part, seconds),
            "event loops are full, and clicks fail until players have gone or processes came",
        ),
        Scenario(
            f"the same with {assumed.launch:g} times as much of everything",
            steady(figures, assumed, burst, grown, seconds),
            "scale before a launch that is known: new processes have to identify their shards",
        ),
        Scenario(
            f"a zone of {assumed.zones} is lost",
            steady(figures, assumed, rate, lost, seconds),
            f"its servers get no answer for about {away:.0f} s, then all goes on, a little slower",
        ),
        Scenario(
            f"Discord is {assumed.slow_discord:g} times slower",
            slow,
            "nothing of ours fills up: waiting costs memory, not CPU. Boards come late",
        ),
    ]


def late(ran: Ran, seconds: float) -> float:
    """The share of clicks whose board took longer than a click may, or had not come at the end."""
    due = max(1, ran.tally.begun * (seconds - WARM - LATE) / seconds)
    in_time = sum(wait <= LATE for wait in ran.tally.waits)
    return max(0.0, 1.0 - in_time / due)
