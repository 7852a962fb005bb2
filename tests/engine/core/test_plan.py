"""What is said of a move's plans holds on the board."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Player, replay
from engine.core.plan import Plan, PlanKind
from engine.core.registry import game_called, package_of
from tests.builders import after
from tests.engine.plan_truth import plans
from tests.engine.reason_truth import case_of
from tests.engine.threat_checks import random_game

EXAMPLES = (
    (PlanKind.FORCE_PAIR, "7664547345", "5"),
    (PlanKind.FORCE_PAIR, "26472117", "3"),
    (PlanKind.FORCE_STACK, "157727562556", "3"),
    (PlanKind.BUILDS_PAIR, "57", "3"),
    (PlanKind.BUILDS_STACK, "67774544", "7"),
    (PlanKind.PREVENTS, "362", "1"),
    (PlanKind.BUILDS_WAITING, "3114", "3"),
    (PlanKind.DENIES, "362", "1"),
    (PlanKind.MOST_LINES, "", "4"),
)
EVEN = "243334551"
"""The second player has a waiting threat on an even row, the first one none on an odd row."""
BOARDS = {"connect4:6x7": 20, "connect4:5x4": 20, "connect4:4x5": 10, "gato:4x4": 15}
"""The boards, and the number of random positions of each whose moves are all compared."""


@pytest.mark.parametrize("board", BOARDS)
def test_plans_are_those_of_enumeration(board: str) -> None:
    """Of every move of random positions the plans are those that plain enumeration finds."""
    game, rng = game_called(board), Random(board)
    for _ in range(BOARDS[board]):
        position = replay(game, random_game(game, rng))
        for move in position.legal_moves():
            found = package_of(game).plans_of(position, move)
            expected = tuple(plans(case_of(position, move)))
            assert found == expected, (position.cells(), game.label(move))


@pytest.mark.parametrize(("kind", "before", "move"), EXAMPLES)
def test_every_plan_has_an_example(kind: PlanKind, before: str, move: str) -> None:
    """Each kind of plan is found where enumeration finds it."""
    position = after("connect4:6x7", before)
    game = position.game
    found = package_of(game).plans_of(position, game.parse(move))
    assert found == tuple(plans(case_of(position, game.parse(move))))
    assert kind in {one.kind for one in found}


def test_every_kind_is_among_the_examples() -> None:
    """No kind of plan goes without an example."""
    assert {kind for kind, _, _ in EXAMPLES} == set(PlanKind)


def test_a_block_that_is_forced_names_what_follows() -> None:
    """Where a block is forced first, the plan has the block and the moves that fork after it."""
    position = after("connect4:6x7", "1454416564664537")
    game = position.game
    first, *_ = package_of(game).plans_of(position, game.parse("5"))
    block, forks = game.parse("7"), (game.parse("3"),)
    assert first == Plan(PlanKind.FORCE_PAIR, forks, block=block, blocks=1)


@pytest.mark.parametrize(
    ("before", "favoured"),
    [
        ("", None),
        ("3424243737" + "4", Player.FIRST),
        ("146711332" + "1", None),
    ],
)
def test_odd_threats_favour_who_began(before: str, favoured: Player | None) -> None:
    """The rows of the waiting threats favour the first player if theirs are odd."""
    position = after("connect4:6x7", before)
    assert package_of(position.game).favoured_in(position) is favoured


def test_even_threats_favour_who_moved_second() -> None:
    """An even threat of the second player counts where the first has no odd one."""
    position = after("connect4:6x7", EVEN)
    assert package_of(position.game).favoured_in(position) is Player.SECOND
    odd_rows = after("connect4:5x4", "222333" + "4")
    assert package_of(odd_rows.game).favoured_in(odd_rows) is None


def test_games_without_such_rules_have_no_plans() -> None:
    """In BOOM, where a turn has two moves, there are no plans."""
    position = after("boom:7x7", "")
    assert package_of(position.game).plans_of(position, position.legal_moves()[0]) == ()
    assert package_of(position.game).favoured_in(position) is None
