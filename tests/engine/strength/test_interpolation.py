"""The agent for a rating, interpolated between two rungs of a ladder."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.strength.agent import Strength
from engine.strength.interpolation import interpolate
from engine.strength.ladder import Ladder, Rung
from engine.strength.perfect import Perfect

LOW = Strength("low", depth=2, noise=40, overlook=0.4, blind=0.6, timid=0.5)
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
    """At a rung's rating the ladder gives the settings of that rung."""
    agent = LADDER.at(1200).agent
    assert isinstance(agent, Strength)
    assert (agent.depth, agent.noise, agent.overlook, agent.surely) == (6, 0, 0.0, 2)


def test_between_rungs_settings_are_interpolated() -> None:
    """Halfway between two rungs, every setting is halfway; `surely` is rounded down."""
    assert LADDER.at(1150).agent == Strength(
        "elo-1150", depth=4, noise=20, overlook=0.2, surely=1, blind=0.3, timid=0.25
    )
    assert interpolate(LOW, MIDDLE, 0.25, "x") == Strength(
        "x", depth=3, noise=30, overlook=0.3, surely=1, blind=0.45, timid=0.375
    )
    assert interpolate(HIGHER, replace(HIGHER, fitted=1.0), 0.25, "x").fitted == 0.25


def test_an_agent_between_rungs_is_found_by_its_name() -> None:
    """Its stored name is its rating, so it is rebuilt from any later ladder of the same scale."""
    between = LADDER.at(1170)
    assert (between.name, between.elo, between.level) == ("elo-1170", 1170, "")
    assert LADDER.named("elo-1170") == LADDER.nearest("elo-1170") == between
    assert LADDER.elo_of("elo-1170") == 1170
    moved = Ladder(tuple(replace(rung, elo=rung.elo + 30) for rung in LADDER.rungs), {})
    assert moved.named("elo-1170") == moved.at(1170) != between
    assert moved.named("elo-1170").elo == 1170
    assert LADDER.elo_of("elo-9000") == LADDER.rungs[-1].elo


def test_numbers_of_positions_grow_by_factors() -> None:
    """Halfway between node limits of ten thousand and a million is a hundred thousand."""
    agent = LADDER.at(1350).agent
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
    below, above = LADDER.at(1240).agent, LADDER.at(1260).agent
    assert isinstance(below, Strength)
    assert isinstance(above, Strength)
    assert (below.nodes, below.depth) == (None, 6)
    assert (above.nodes, above.depth) == (10_000, 40)


def test_ratings_beyond_the_ladder_give_its_ends() -> None:
    """Ratings beyond the ladder's ends give its first or last rung."""
    assert LADDER.at(0).agent is LOW
    assert LADDER.at(9000).agent is LADDER.rungs[-1].agent


def test_the_perfect_agent_is_not_interpolated() -> None:
    """Between the strongest searching rung and the perfect agent, the nearer of the two plays."""
    assert LADDER.at(1440).agent is HIGHER
    assert isinstance(LADDER.at(1460).agent, Perfect)
