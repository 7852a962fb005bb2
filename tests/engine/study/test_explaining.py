"""Explanations of levels, rungs and other agents."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from random import Random

import pytest

from engine.core.analysis import SearchResult
from engine.core.compiled.scores import WIN
from engine.core.game import Player, Position
from engine.core.limits import Stop
from engine.core.values import Score
from engine.games.connect4.rules import Connect4
from engine.strength.ladder import RungAgent, ladder_of
from engine.strength.roster import LEVELS, own_agents
from engine.study.explaining import explanation_of
from tests.builders import after


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "rung-1"])
def test_a_rung_is_explained_at_its_best(name: str) -> None:
    """A rung scores every move, its choices are the best ones, and it has no probabilities."""
    position = after("6x7", "112233")
    seen = explanation_of(RungAgent(name), position)
    assert seen.agent == ladder_of(position.game).named(name).name
    assert tuple(seen.values) == position.legal_moves()
    assert seen.choices == (3,)
    assert seen.values[seen.choices[0]] == WIN - 7
    assert (seen.leaf, seen.chances) == (None, None)
    assert seen.depth >= 1


def test_a_perfect_player_explains_exact_values() -> None:
    """If everything is proven, the values of the perfect level are exact."""
    seen = explanation_of(LEVELS["perfect"], after("6x7", ""))
    assert [seen.values[move] for move in sorted(seen.values)] == [
        *(40 - WIN, 42 - WIN, 0, WIN - 41, 0, 42 - WIN, 40 - WIN)
    ]
    assert seen.choices == (3,)


def test_without_a_proof_a_search_explains() -> None:
    """Conecta-4 BOOM has no solver, so the values are those of a search."""
    position = after("boom", "63215421747257B4314515364374B622144166637277B7154336526275")
    seen = explanation_of(LEVELS["perfect"], position)
    assert tuple(seen.values) == seen.choices == position.legal_moves()


@pytest.mark.parametrize("agent", [*own_agents("connect4").values(), *LEVELS.values()], ids=str)
def test_a_finished_game_has_no_values(agent: RungAgent) -> None:
    """A finished game has no values."""
    seen = explanation_of(agent, after("6x7", "1212121"))
    assert (dict(seen.values), seen.choices, seen.nodes) == ({}, (), 0)


def test_an_explanation_can_be_pickled() -> None:
    """An explanation can be pickled, and is equal when unpickled."""
    for agent in (*own_agents("connect4").values(), LEVELS["easy"]):
        seen = explanation_of(agent, after("6x7", "445"))
        assert pickle.loads(pickle.dumps(seen)) == seen  # noqa: S301


@dataclass(frozen=True)
class Silent:
    """An agent without explanations."""

    name: str = "silent"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose the first legal move."""
        move = rng.choice(position.legal_moves())
        return SearchResult(
            move, Score.from_stored(0, Player.FIRST, proven=False), 0, 0, 0.0, (move,)
        )


def test_an_agent_without_explanations_is_refused() -> None:
    """An agent without explanations raises ValueError with its name."""
    with pytest.raises(ValueError, match="silent"):
        explanation_of(Silent(), Connect4().start())
