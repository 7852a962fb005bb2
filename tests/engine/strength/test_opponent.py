"""Models of opponents by their rating."""

from __future__ import annotations

import pytest

from engine.core.registry import game_called
from engine.strength.ladder import ladder_of
from engine.strength.opponent import RatedOpponent


@pytest.mark.parametrize("text", ["5x4", "6x7", "gato"])
def test_an_unknown_opponent_counts_as_medium(text: str) -> None:
    """An opponent of unknown rating is modelled as medium."""
    game = game_called(text)
    medium = ladder_of(game).named("medium").agent
    assert repr(RatedOpponent().model(game)).partition(",")[2] == repr(medium).partition(",")[2]


def test_every_opponent_model_errs() -> None:
    """An opponent of any rating, however high, is modelled by an agent that errs."""
    game = game_called("6x7")
    assert RatedOpponent(2600).model(game) is ladder_of(game).named("expert").agent
    assert RatedOpponent(-500).model(game) is ladder_of(game).rungs[0].agent
