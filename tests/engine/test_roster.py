"""Who may be asked to play which game."""

from __future__ import annotations

import pytest

from engine.games import FAMILIES
from engine.levels import LEVELS
from engine.roster import SEEDS, agent_named, agents_for

CONNECT4 = ["window-2", "window-4", "window-6", "tuples-3", "tuples-5", "tuples-7", "greedy"]


def test_the_seed_agents_are_these() -> None:
    """Connect 4 has agents by windows, tuples and runs, Gato one by lines."""
    assert list(SEEDS["connect4"]) == CONNECT4
    assert list(SEEDS["gato"]) == ["lines"]


@pytest.mark.parametrize("family", sorted({*FAMILIES, *SEEDS}))
def test_levels_come_before_seed_agents(family: str) -> None:
    """Every game is played by all levels, then by its own seed agents, under different names."""
    names = list(agents_for(family))
    assert names == [*LEVELS, *SEEDS.get(family, {})]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("family", sorted({*FAMILIES, *SEEDS}))
def test_agents_are_found_by_their_own_names(family: str) -> None:
    """The name that an agent is stored under gives the same agent again."""
    for name, agent in agents_for(family).items():
        assert agent.name == name
        assert agent_named(family, name) is agent


def test_a_game_without_seed_agents_is_played_by_the_levels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A family that no seed agent plays still has the levels."""
    monkeypatch.setattr("engine.roster.SEEDS", {})
    assert agents_for("connect4") == LEVELS


@pytest.mark.parametrize(
    ("family", "name"),
    [("connect4", "nobody"), ("connect4", "lines"), ("gato", "greedy"), ("chess", "easy")],
)
def test_unknown_agents_and_games_are_unknown(family: str, name: str) -> None:
    """A name that nobody plays this game under, or a game there is not, raises KeyError."""
    with pytest.raises(KeyError):
        agent_named(family, name)


def test_an_unknown_game_has_no_agents() -> None:
    """A family that nobody knows raises KeyError."""
    with pytest.raises(KeyError, match="chess"):
        agents_for("chess")
