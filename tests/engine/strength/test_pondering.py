"""Searching on the opponent's time: the next move is proven or searched with fewer nodes."""

from __future__ import annotations

from time import perf_counter

import pytest

from engine.core.kept import TABLES
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.registry import game_called, package_of
from engine.core.search import analyse
from engine.strength.pondering import can_ponder, ponder
from tests.builders import TIMEOUT, after
from tests.engine.stopping import stopped

pytestmark = pytest.mark.usefixtures("no_tables")

HARD = "44444412374551"
"""Moves on 7x7 after which a proof of any reply takes 80,000 to 520,000 nodes."""


@pytest.mark.parametrize("reply", ["1", "7"])
def test_the_next_proof_takes_fewer_nodes(reply: str) -> None:
    """With enough time, every reply is proven almost without a search."""
    position, following = after("7x7", HARD), after("7x7", HARD + reply)
    package = package_of(position)
    alone = package.prove(following)
    ponder(position, seconds=TIMEOUT, stop=Stop())
    found = package.prove_if_likely(following, seconds=TIMEOUT)
    assert alone is not None
    assert found is not None
    assert found.scores == alone.scores
    assert found.nodes < alone.nodes / 100


def test_the_next_search_takes_fewer_nodes() -> None:
    """Where no proof is attempted, the next search reaches the same depth with fewer nodes."""
    position, following = after("8x8", "44"), after("8x8", "445")
    alone = analyse(following, Limit(depth=9), kind=KernelKind.STRONGEST)
    assert ponder(position, seconds=1.0, stop=Stop()) > 0
    found = analyse(following, Limit(depth=9), keeps_table=True)
    assert found.depth == alone.depth == 9
    assert found.nodes < alone.nodes


def test_it_ends_in_time_and_when_stopped() -> None:
    """It ends after its time, and at once when its flag is set; the tables are kept."""
    position, began = after("8x8", "44"), perf_counter()
    ponder(position, seconds=0.2, stop=Stop())
    assert perf_counter() - began < TIMEOUT / 2
    assert stopped(lambda stop: ponder(position, seconds=3600, stop=stop), bool)
    assert TABLES.size > 0


def test_a_game_without_kept_tables_is_left_alone() -> None:
    """A finished game needs nothing, and neither does one whose searches keep no table."""
    assert ponder(after("7x7", "1212121"), seconds=TIMEOUT, stop=Stop()) == 0
    assert ponder(after("gato", "b2"), seconds=TIMEOUT, stop=Stop()) == 0
    assert TABLES.size == 0


@pytest.mark.parametrize(
    ("name", "agent", "expected"),
    [
        ("7x7", "perfect", True),
        ("8x6", "perfect", True),
        ("boom", "perfect", True),
        ("6x7", "perfect", False),
        ("gato", "perfect", False),
        ("8x8", "expert", False),
        ("8x8", "rung-12", False),
    ],
)
def test_only_the_strongest_level_has_use_for_it(name: str, agent: str, expected: bool) -> None:
    """Only the strongest level uses its opponent's time, where not every move is proven."""
    assert can_ponder(game_called(name), agent) is expected
