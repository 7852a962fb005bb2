"""Who may be paired with whom, as a table, and for which game."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.queue.rules import (
    NARROW,
    PER_MINUTE,
    SECONDS,
    Waiting,
    possible_pairs,
    terms_of,
)
from bot.features.queue.store import QueuePlace
from tests.bot.builders import ANA, BEA, HERE

CARLA = 3
USUAL = ("connect4", "6x7", None)
NOW = 1000.0


def one(user_id: int, rating: float, waited: float = 0.0, **others: Any) -> Waiting:
    """A person who has waited for some seconds; `wants` and `latest` can be given."""
    family, variant, clock = others.pop("wants", USUAL)
    joined = NOW - waited
    wants = (family, variant, clock, joined, joined + SECONDS)
    ratings = {"6x7": rating, "5x4": rating - 500, "8x8": rating, "4x4": rating}
    return Waiting(QueuePlace(user_id, 9, HERE, "en", user_id, *wants), ratings, **others)


@pytest.mark.parametrize(
    ("waiting", "pairs"),
    [
        # Ratings: 150 points, and 40 more for every minute of the one who has waited longer.
        ((one(ANA, 1000), one(BEA, 1150)), [(ANA, BEA)]),
        ((one(ANA, 1000), one(BEA, 1151)), []),
        ((one(ANA, 1000, 59), one(BEA, 1190)), []),
        ((one(ANA, 1000, 60), one(BEA, 1190)), [(ANA, BEA)]),
        ((one(ANA, 1000), one(BEA, 1190, 60)), [(BEA, ANA)]),
        ((one(ANA, 1000, 60), one(BEA, 1191, 60)), []),
        ((one(ANA, 600, 600), one(BEA, 1150)), [(ANA, BEA)]),
        # The longest waiting person comes first, and meets the nearest first.
        (
            (one(ANA, 1000, 1), one(BEA, 1100, 9), one(CARLA, 1120, 5)),
            [(BEA, CARLA), (BEA, ANA), (CARLA, ANA)],
        ),
        # The game, and size and time unless one of the two takes any.
        ((one(ANA, 1000), one(BEA, 1000, wants=("gato", "4x4", None))), []),
        ((one(ANA, 1000), one(BEA, 1000, wants=("connect4", "5x4", None))), []),
        ((one(ANA, 1000), one(BEA, 1000, wants=("connect4", None, "30s"))), [(ANA, BEA)]),
        (
            tuple(one(id, 1000, wants=("connect4", "6x7", f"{id}m")) for id in (ANA, BEA)),
            [],
        ),
        # Not the same two people three times in a row, for either of them.
        ((one(ANA, 1000, latest=(BEA,)), one(BEA, 1000, latest=(ANA,))), [(ANA, BEA)]),
        ((one(ANA, 1000, latest=(BEA, BEA)), one(BEA, 1000, latest=(CARLA, ANA))), []),
        ((one(ANA, 1000), one(BEA, 1000, latest=(ANA, ANA))), []),
        ((one(ANA, 1000, latest=(BEA, CARLA)), one(BEA, 1000)), [(ANA, BEA)]),
        ((one(ANA, 1000, latest=(None, None)), one(BEA, 1000)), [(ANA, BEA)]),
        # A person cannot play themself.
        ((one(ANA, 1000), one(ANA, 1000)), []),
    ],
)
def test_who_may_be_paired(waiting: tuple[Waiting, ...], pairs: list[tuple[int, int]]) -> None:
    """Pairs suit each other by rating, wishes and their latest games."""
    found = possible_pairs(waiting, NOW)
    assert [(first.place.user_id, second.place.user_id) for first, second in found] == pairs


def test_the_range_lets_in_everybody_before_a_place_expires() -> None:
    """Within an hour the range reaches any difference that there is between ratings."""
    assert NARROW + PER_MINUTE * SECONDS / 60.0 > 2000.0


@pytest.mark.parametrize(
    ("first", "second", "terms"),
    [
        ((None, None), (None, None), ("6x7", "5m")),
        (("5x4", None), (None, "30s"), ("5x4", "30s")),
        ((None, "2d"), ("8x8", "2d"), ("8x8", "2d")),
    ],
)
def test_what_two_people_play(first: Any, second: Any, terms: tuple[str, str]) -> None:
    """The person with a wish decides; without wishes: the usual size and five minutes a move."""
    both = [one(id, 1000, wants=("connect4", *w)).place for id, w in ((ANA, first), (BEA, second))]
    for order in (both, both[::-1]):
        assert terms_of(*order) == ("connect4", *terms)
