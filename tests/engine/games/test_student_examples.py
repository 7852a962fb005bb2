"""The examples of student agents, in their docstrings and in `docs/agents.md`, are true."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest

from engine.core.agent import Explanation
from engine.core.game import replay
from engine.core.registry import game_called
from engine.games import boom
from engine.games.connect4.agents.greedy import Greedy
from engine.games.connect4.agents.tuples import Tuples
from engine.games.connect4.agents.window import Window
from engine.games.gato.agents import Lines
from engine.strength.roster import agent_of_depth
from tests.builders import ROOT

ROW = re.compile(r"^\| (\w+) \| `([\w-]+)` \| (\S+) \| ([-\d. ]+) \| ([\dB ]+) \|$", re.MULTILINE)
"""A row of the examples in `docs/agents.md`."""
DOCUMENTED = ROW.findall((ROOT / "docs" / "agents.md").read_text("utf-8"))


def explained(game_name: str, agent: str, moves: str) -> Explanation:
    """What an agent sees after a game."""
    game = game_called(game_name)
    explaining: Any = agent_of_depth(game.key, agent)
    found: Explanation = explaining.explain(replay(game, game.moves(moves)))
    return found


def test_the_document_has_an_example_of_each_kind() -> None:
    """Windows, tuples, the greedy tree and tokens each have an example."""
    assert [agent for _, agent, *_ in DOCUMENTED] == ["window-2", "tuples-3", "greedy", "tokens"]


@pytest.mark.parametrize(("game", "agent", "moves", "values", "plays"), DOCUMENTED)
def test_examples_of_the_document(
    game: str, agent: str, moves: str, values: str, plays: str
) -> None:
    """Values and choices are those that the document prints."""
    seen = explained(game, agent, moves.strip("-"))
    shown = seen.leaf if isinstance(seen.leaf, tuple) else seen.values.values()
    label = game_called(game).label
    assert " ".join(map(str, shown)) == values
    assert " ".join(map(label, seen.choices)) == plays


def said(about: Any, sentence: str) -> None:
    """Fail unless a docstring has this sentence."""
    assert sentence in " ".join(about.__doc__.split())


def test_the_example_of_window() -> None:
    """On the empty board the centre column counts 3 and the others nothing."""
    said(Window, "On an empty 6x7 board with depth 2, column 4 is worth 3 and all others 0.")
    values = explained("6x7", "window-2", "").values
    assert list(values.values()) == [0, 0, 0, 3, 0, 0, 0]


def test_the_example_of_tuples() -> None:
    """After 445 two columns prevent a three with an open end."""
    said(Tuples, "After 445, columns 3 and 6 are worth 0 and all others -100")
    values = explained("6x7", "tuples-3", "445").values
    assert list(values.values()) == [-100, -100, 0, -100, -100, 0, -100]


def test_the_examples_of_greedy() -> None:
    """The original's figure has the rounding of its floating-point numbers."""
    said(Greedy, "after 445 it plays column 3, for -96000002.8.")
    said(Greedy, "So it printed -96000002.80000001, and on the empty board it plays column 4")
    for agent, value in (("greedy", "-96000002.8"), ("greedy-original", "-96000002.80000001")):
        seen = explained("6x7", agent, "445")
        assert seen.choices == (2,)
        assert seen.values[seen.choices[0]] == Decimal(value)
    assert explained("6x7", "greedy-original", "").choices == (3,)
    assert explained("6x7", "greedy", "").choices == (1,)


def test_the_example_of_lines() -> None:
    """After a1b2 no square is better than another."""
    said(Lines, "After a1b2 all squares are worth 0.")
    values = explained("gato", "lines", "a1b2").values
    assert (len(values), set(values.values())) == (14, {0})


def test_the_example_of_tokens() -> None:
    """After 4112543 the first player has 4 + 2 + 3 + 10, the second 1 + 1 + 4 + 3 + 20."""
    said(boom.agents, "10 for each of two pairs: -10 for the first player.")
    assert explained("boom", "tokens", "4112543").leaf == (4 + 2 + 3 + 10 - 29, 29 - 19)
