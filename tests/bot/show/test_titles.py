"""Names of agents."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from bot.i18n import say_in
from bot.show.texts import agent_title, group_title, opponent_sort_key
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of

GAME = game_of("connect4", "6x7")
ENGLISH, SPANISH = say_in("en"), say_in("es")


class Met(NamedTuple):
    """Games against one agent in one variant."""

    agent: str | None
    variant: str
    games: int


def test_a_rung_is_named_by_its_rating() -> None:
    """A rung that is not a level is named by its rating, rounded to ten."""
    rung = next(rung for rung in ladder_of(GAME).rungs if not rung.level)
    elo = round(rung.elo / 10) * 10
    assert agent_title(GAME, rung.name, ENGLISH) == f"about {elo}"
    assert agent_title(GAME, rung.name, SPANISH) == f"unos {elo}"
    assert elo % 10 == 0
    assert agent_title(GAME, "elo-905", ENGLISH) == "about 900"


def test_levels_and_other_agents_keep_their_names() -> None:
    """Levels and agents with a text of their own keep it, the shorter one if there are two.

    A rung of another ladder keeps its name.
    """
    assert agent_title(GAME, "easy", ENGLISH) == "easy"
    assert agent_title(GAME, "greedy", ENGLISH).startswith("greedy")
    assert agent_title(GAME, "window-6", ENGLISH) == "window 6"
    assert agent_title(GAME, "window-6", SPANISH) == "ventana 6"
    assert agent_title(GAME, "rung-99", ENGLISH) == "rung-99"


@pytest.mark.parametrize(
    ("key", "variant", "english", "spanish"),
    [
        ("connect4", "6x7", "perfect", "perfecto"),
        ("connect4", "6x6", "perfect", "perfecto"),
        ("connect4", "7x6", "strongest", "máximo"),
        ("gato", "4x4", "perfect", "perfecto"),
        ("connect4", "8x6", "strongest", "máximo"),
        ("connect4", "8x8", "strongest", "máximo"),
        ("boom", "7x7", "strongest", "máximo"),
    ],
)
def test_only_play_that_is_proven_is_called_perfect(
    key: str, variant: str, english: str, spanish: str
) -> None:
    """Where not every move is proven, the strongest level has another name."""
    game = game_of(key, variant)
    assert agent_title(game, "perfect", ENGLISH) == english
    assert agent_title(game, "perfect", SPANISH) == spanish


def test_a_group_of_games_on_several_boards_has_the_name_that_is_true_on_all() -> None:
    """Games on 6x7 and on 8x8 against the strongest level have one name."""
    met = [Met("perfect", variant, 1) for variant in ("6x7", "8x8")]
    assert group_title("connect4", "perfect", met, ENGLISH) == "strongest"
    assert group_title("connect4", "perfect", met[:1], ENGLISH) == "perfect"


def test_opponents_are_listed_by_strength() -> None:
    """Opponents are listed by strength, then other agents in their given order, and people last."""
    rungs = [rung.name for rung in ladder_of(GAME).rungs]
    wanted = [*rungs, "window-2", "greedy", "rung-99", None]
    shuffled = Random(1).sample(wanted, len(wanted))
    assert sorted(shuffled, key=lambda name: opponent_sort_key(GAME, name)) == wanted
