"""How long people wait in the queue, and for whom: `python -m benchmarks.queue`.

People with known strengths arrive at random for two hours and look for an opponent with the usual
wishes; the bot's own rules pair them, at each arrival and every ten seconds. After a game of some
minutes half of them look again. After an hour without an opponent people leave.

    python -m benchmarks.queue --people 300 20 --times 50
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from random import Random
from statistics import median, quantiles

from benchmarks.printing import row
from bot.features.queue.discord import EVERY
from bot.features.queue.rules import IN_A_ROW, NARROW, SECONDS, Waiting, possible_pairs
from bot.features.queue.store import QueuePlace
from engine.core.registry import default_game

ARRIVING = 2 * 3600.0
"""Seconds during which people arrive."""

MEAN, SPREAD = 1100.0, 250.0
"""The strengths of people: normally distributed."""

ERROR = 60.0
"""The standard deviation of a rating from the strength that it estimates."""

PLAYING = 360.0
"""Seconds of an average game; games are exponentially distributed, from a minute on."""

AGAIN = 0.5
"""The share of people who look for another opponent after a game."""


@dataclass
class Evening:
    """One simulation, and what has been measured in it."""

    people: int
    rng: Random
    strengths: dict[int, float] = field(default_factory=dict)
    ratings: dict[int, float] = field(default_factory=dict)
    latest: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The latest partners of each person, the newest first."""
    waiting: dict[int, Waiting] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    """Seconds that each of those waited who were paired."""
    pairs: list[tuple[float, float]] = field(default_factory=list)
    """The differences of ratings and of strengths in each pair."""
    met: Counter[frozenset[int]] = field(default_factory=Counter)
    """How often each pair has met."""
    given_up: int = 0
    """The number of people who left without an opponent."""

    def run(self) -> None:
        """Simulate all arrivals, waits, games and departures."""
        arrivals = []
        for person in range(1, self.people + 1):
            self.strengths[person] = self.rng.gauss(MEAN, SPREAD)
            self.ratings[person] = self.strengths[person] + self.rng.gauss(0.0, ERROR)
            arrivals.append((self.rng.uniform(0.0, ARRIVING), person))
        heapify(arrivals)
        now = 0.0
        while arrivals or self.waiting:
            look = now - now % EVERY + EVERY
            if arrivals and arrivals[0][0] <= look:
                now, person = heappop(arrivals)
                self._join(person, now)
            else:
                now = look
                self._expire(now)
            for person in self._pair(now):
                if self.rng.random() < AGAIN:
                    heappush(arrivals, (now + self.rng.expovariate(1 / PLAYING) + 60.0, person))

    def _join(self, person: int, now: float) -> None:
        game = default_game()
        wants = (game.key, game.usual, None, now, now + SECONDS)
        place = QueuePlace(person, 1, 1, "en", person, *wants)
        ratings = {game.usual: self.ratings[person]}
        self.waiting[person] = Waiting(place, ratings, self.latest.get(person, ()))

    def _expire(self, now: float) -> None:
        for person, one in list(self.waiting.items()):
            if one.place.expires_at <= now:
                del self.waiting[person]
                self.given_up += 1

    def _pair(self, now: float) -> list[int]:
        """Pair waiting people, and return all who were paired."""
        paired = list[int]()
        for one, other in possible_pairs(self.waiting.values(), now):
            both = (one.place.user_id, other.place.user_id)
            if set(both) & set(paired):
                continue
            paired += both
            for each, partner in (both, both[::-1]):
                self.waits.append(now - self.waiting.pop(each).place.joined_at)
                self.latest[each] = (partner, *self.latest.get(each, ()))[:IN_A_ROW]
            self.met[frozenset(both)] += 1
            a, b = both
            by_rating = abs(self.ratings[a] - self.ratings[b])
            self.pairs.append((by_rating, abs(self.strengths[a] - self.strengths[b])))
        return paired


def report(people: int, times: int) -> None:
    """Simulate some evenings with this number of people, and print one row about all of them."""
    evenings = [Evening(people, Random(seed)) for seed in range(times)]
    for evening in evenings:
        evening.run()
    waits = [wait for evening in evenings for wait in evening.waits]
    pairs = [one for evening in evenings for one in evening.pairs]
    games = len(pairs)
    near = [sum(one[kind] <= NARROW for one in pairs) / games for kind in (0, 1)]
    repeats = sum(count - 1 for evening in evenings for count in evening.met.values())
    given_up = sum(evening.given_up for evening in evenings)
    print(
        row(
            (
                people,
                f"{games / times:.0f}",
                f"{median(waits):.0f} s",
                f"{quantiles(waits, n=10)[-1] / 60:.1f} min",
                *(f"{share:.0%}" for share in near),
                f"{repeats / games:.0%}",
                f"{given_up / (given_up + len(waits)):.0%}",
            )
        )
    )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", default=[300, 20])
    parser.add_argument("--times", type=int, default=50, help="evenings for each row")
    options = parser.parse_args()
    names = ("people", "games", "median wait", "p90", "ratings within 150", "strengths within 150")
    print(row((*names, "repeats", "given up")))
    print(row(("---:",) * 8))
    for people in options.people:
        report(people, options.times)


if __name__ == "__main__":
    main()
