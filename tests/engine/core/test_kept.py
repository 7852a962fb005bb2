"""Tables that are kept between the moves of a game, within a budget."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Game, Position, replay
from engine.core.kept import TABLES, KeptTables
from engine.core.limits import Limit
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.games.boom.rules import Boom
from engine.games.connect4.rules import Connect4
from engine.strength.perfect import Perfect

pytestmark = pytest.mark.usefixtures("no_tables")

GAME = Connect4(8, 8)


def after(moves: str) -> Position:
    """The position after some moves."""
    return replay(GAME, GAME.moves(moves))


def related(one: Position, other: Position) -> bool:
    """Whether two positions may be of one game."""
    return package_of(one).related(one, other)


def test_a_table_is_taken_once_and_later_in_the_same_game() -> None:
    """A table is found for a later position of its game, not for an earlier or another game."""
    tables = KeptTables(100)
    tables.keep("search", after("44"), "table", 10)
    assert tables.take("proof", after("4455"), related) is None
    assert tables.take("search", after("4"), related) is None
    assert tables.take("search", after("1122"), related) is None
    assert (
        tables.take("search", replay(Connect4(8, 7), Connect4(8, 7).moves("4455")), related) is None
    )
    assert tables.take("search", after("4455"), related) == "table"
    assert tables.take("search", after("4455"), related) is None


def test_the_table_of_the_latest_position_is_taken() -> None:
    """Of several tables of a game the one used last in it is taken."""
    tables = KeptTables(100)
    tables.keep("search", after("4455"), "later", 10)
    tables.keep("search", after("44"), "earlier", 10)
    assert tables.take("search", after("445566"), related) == "later"


def test_the_least_recently_used_tables_are_dropped() -> None:
    """Tables never exceed the budget, and the oldest go first."""
    tables = KeptTables(25)
    for moves in ("1", "2", "3"):
        tables.keep("search", after(moves), moves, 10)
    assert tables.size == 20
    assert tables.take("search", after("1"), related) is None
    assert tables.take("search", after("3"), related) == "3"
    tables.keep("search", after("4"), "too large", 30)
    assert tables.size == 0


@pytest.mark.parametrize("game", [Connect4(8, 8), Boom()], ids=["8x8", "boom"])
def test_a_kept_table_makes_the_next_search_cheaper(game: Game) -> None:
    """With the table of the search before, the same depth takes fewer nodes."""
    before, now = game.start(), replay(game, game.moves("44"))
    analyse(before, Limit(depth=10), keeps_table=True)
    assert TABLES.size > 0
    fresh = analyse(now, Limit(depth=8))
    again = analyse(now, Limit(depth=8), keeps_table=True)
    assert again.nodes < fresh.nodes
    assert again.depth == fresh.depth == 8


def test_the_strongest_level_keeps_its_tables_and_others_none() -> None:
    """On 8x8 `perfect` keeps its table; on 6x7 it does not, nor does a rung."""
    classic = Connect4()
    Perfect(seconds=0.3).choose(replay(classic, classic.moves("4444")), rng=Random(1))
    analyse(after("44"), Limit(depth=7))
    assert TABLES.size == 0
    Perfect(seconds=0.1).choose(after("44"), rng=Random(1))
    assert TABLES.size > 0
