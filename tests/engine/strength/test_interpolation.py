"""The agent for a rating, interpolated between two rungs of a ladder."""

from __future__ import annotations

import pytest

from engine.strength.agent import Strength
from engine.strength.interpolation import agent_at_rating, interpolate
from engine.strength.ladder import Ladder, Rung
from engine.strength.perfect import Perfect

LOW = Strength("low", depth=2, noise=40, overlook=0.4, blind=0.6)
MIDDLE = Strength("middle", depth=6, noise=0, overlook=0.0, surely=2)
HIGH = Strength("high", depth=40, surely=2, nodes=10_000)
HIGHER = Strength("higher", depth=40, surely=2, nodes=1_000_000)
LADDER = Ladder(
    tuple(
        Rung(number, "", 1000 + 100 * number, 20, agent)
        for number, agent in enumerate((LOW, MIDDLE, HIGH, HIGHER, Perfect()), start=1)
    ),
    {},
)


def test_a_rungs_rating_gives_its_settings() -> None:
    """At a rung's rating the dial gives the settings of that rung."""
    agent = agent_at_rating(LADDER, 1200)
    assert isinstance(agent, Strength)
    assert (agent.depth, agent.noise, agent.overlook, agent.surely) == (6, 0, 0.0, 2)


def test_between_rungs_settings_are_interpolated() -> None:
    """Halfway between two rungs, every setting is halfway; `surely` is rounded down."""
    assert agent_at_rating(LADDER, 1150) == Strength(
        "elo-1150", depth=4, noise=20, overlook=0.2, surely=1, blind=0.3
    )
    assert interpolate(LOW, MIDDLE, 0.25, "x") == Strength(
        "x", depth=3, noise=30, overlook=0.3, surely=1, blind=0.45
    )


def test_numbers_of_positions_grow_by_factors() -> None:
    """Halfway between node limits of ten thousand and a million is a hundred thousand."""
    agent = agent_at_rating(LADDER, 1350)
    assert isinstance(agent, Strength)
    assert agent.nodes == pytest.approx(100_000, abs=1)


def test_knowing_is_interpolated_linearly() -> None:
    """Halfway between knowing no positions and knowing 40 % of them is 20 %."""
    wise = Strength("wise", depth=40, surely=2, nodes=10_000, knows=0.4)
    assert interpolate(HIGH, wise, 0.5, "x") == Strength(
        "x", depth=40, surely=2, nodes=10_000, knows=0.2
    )


def test_a_limit_appears_half_the_way() -> None:
    """If only the stronger rung has a node limit, the nearer rung's settings are used."""
    below, above = agent_at_rating(LADDER, 1240), agent_at_rating(LADDER, 1260)
    assert isinstance(below, Strength)
    assert isinstance(above, Strength)
    assert (below.nodes, below.depth) == (None, 6)
    assert (above.nodes, above.depth) == (10_000, 40)


def test_ratings_beyond_the_ladder_give_its_ends() -> None:
    """Ratings beyond the ladder's ends give its first or last rung."""
    assert agent_at_rating(LADDER, 0) is LOW
    assert agent_at_rating(LADDER, 9000) is LADDER.rungs[-1].agent


def test_the_perfect_agent_is_not_interpolated() -> None:
    """Between the strongest searching rung and the perfect agent, the nearer of the two plays."""
    assert agent_at_rating(LADDER, 1440) is HIGHER
    assert isinstance(agent_at_rating(LADDER, 1460), Perfect)
