"""Names of agents."""

from __future__ import annotations

from random import Random

from bot.i18n import say_in
from bot.show.texts import agent_title, opponent_sort_key
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of

GAME = game_of("connect4", "6x7")
ENGLISH, SPANISH = say_in("en"), say_in("es")


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


def test_opponents_are_listed_by_strength() -> None:
    """Opponents are listed by strength, then other agents in their given order, and people last."""
    rungs = [rung.name for rung in ladder_of(GAME).rungs]
    wanted = [*rungs, "window-2", "greedy", "rung-99", None]
    shuffled = Random(1).sample(wanted, len(wanted))
    assert sorted(shuffled, key=lambda name: opponent_sort_key(GAME, name)) == wanted
