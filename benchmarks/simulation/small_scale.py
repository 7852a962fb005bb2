"""The simulation of what `benchmarks.load` does: one bot, people and stand-in on one machine."""

from __future__ import annotations

from random import Random

import simpy

from benchmarks.capacity.figures import Wire
from benchmarks.simulation.bots import Bot, Tally
from benchmarks.simulation.databases import Sqlite
from benchmarks.simulation.discords import StandIn
from benchmarks.simulation.machine import Machine, Steps, Threads


def simulate(
    wire: Wire,
    *,
    games: int,
    rate: float,
    seconds: float,
    cores: int = 2,
    ends: float | None = None,
    seed: int = 1,
) -> Tally:
    """Play so many games at once, so many moves a second in all, as the real tables do.

    Args:
        wire: What was measured over the wire.
        games: Tables, each in a channel of its own; the next free one makes each move.
        rate: Moves and other interactions a second, evenly spaced.
        seconds: How long.
        ends: The share of moves that end a game; as recorded if left out.
        cores: Of the machine, which the people and the stand-in share with the bot.
        seed: Of all chance.
    """
    env, rng, tally = simpy.Environment(), Random(seed), Tally()
    machine = Machine(env, cores)
    stand_in = StandIn(machine, wire.stand_in)
    database = Sqlite(env)
    searches = Threads(machine, cores)
    bot = Bot(machine, wire, database, stand_in, searches, rng, tally, as_measured=True, ends=ends)
    tables = [simpy.Resource(env, 1) for _ in range(games)]

    def sit(number: int) -> Steps:
        yield from bot.click(tables[number])
        busy.discard(number)

    busy, turn, others = set[int](), 0, wire.others_a_move

    def play() -> Steps:
        nonlocal turn
        for _ in range(int(rate * seconds)):
            # The real tables begin or give up a game instead of a move now and then.
            if rng.random() < others / (1.0 + others):
                env.process(bot.other())
                yield env.timeout(1.0 / rate)
                continue
            free = next((n % games for n in range(turn, turn + games) if n % games not in busy), -1)
            if free >= 0:
                turn = free + 1
                busy.add(free)
                env.process(sit(free))
            yield env.timeout(1.0 / rate)

    env.process(play())
    env.run(until=seconds + 60.0)
    return tally
