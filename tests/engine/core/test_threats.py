"""Threats: each statement is checked by enumeration."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.game import Move, Player, Position, Square, replay
from engine.core.registry import game_called, games, package_of
from engine.core.threat import Threat, ThreatKind
from tests.builders import after
from tests.engine.threat_checks import Piece, checked, random_game
from tests.engine.threat_truth import always_wins, is_true, missed


def seen(kind: str, moves: str) -> tuple[Threat, ...]:
    """The threats after some moves."""
    return games()[after(kind, moves).game.key].threats(after(kind, moves))


def the(found: tuple[Threat, ...], kind: ThreatKind, player: Player) -> tuple[str, ...]:
    """The columns, counted from 1, of the single statement of a kind about a player."""
    (threat,) = [t for t in found if (t.kind, t.player) == (kind, player)]
    return tuple(str(move + 1) for move in threat.moves)


FIRST, SECOND = Player.FIRST, Player.SECOND


SAMPLE = {"6x7": 12, "5x4": 15, "8x8": 4, "gato": 10, "boom": 6}
"""Positions of each game; `python -m benchmarks.threats` takes thousands."""


@pytest.mark.parametrize("kind", SAMPLE)
def test_every_statement_is_true_by_enumeration(kind: str) -> None:
    """Every statement about random positions is true, and no immediate decision is missing."""
    game, rng, statements = game_called(kind), Random(3), 0
    for _ in range(SAMPLE[kind]):
        position = replay(game, random_game(game, rng))
        found = package_of(game).threats(position)
        for threat in found:
            assert is_true(position, threat), (position, threat)
        assert not [*missed(position, found)], position
        statements += len(found)
    assert statements


def test_statements_about_values_are_true() -> None:
    """Statements about values agree with a solver without books, for every move."""
    tally = checked(Piece("5x4", 7, 6))
    assert tally.said["5x4", "value"]
    assert not tally.wrong


@pytest.mark.parametrize(
    "wrong",
    [
        Threat(ThreatKind.WIN, SECOND, (Square(4, 4),), (Move(4),)),
        Threat(ThreatKind.THREAT, FIRST, (Square(5, 0),), (Move(0),)),
        Threat(ThreatKind.DOUBLE, FIRST, (Square(4, 4),), (Move(4),)),
        Threat(ThreatKind.HELPLESS, SECOND),
        Threat(ThreatKind.FORCED, SECOND, (Square(5, 5),), (Move(5),)),
        Threat(ThreatKind.FORK, SECOND, (Square(5, 5),), (Move(5),)),
        Threat(ThreatKind.ZUGZWANG, FIRST, (Square(3, 4),)),
        Threat(ThreatKind.GIVES, FIRST, (Square(3, 4),), (Move(4),)),
        Threat(ThreatKind.STACKED, FIRST, (Square(4, 4), Square(3, 4))),
        Threat(ThreatKind.OPEN_THREE, SECOND, (Square(4, 0), Square(4, 4))),
        Threat(ThreatKind.ODD, FIRST, (Square(4, 4),)),
        Threat(ThreatKind.QUIET, SECOND),
    ],
)
def test_the_check_rejects_false_statements(wrong: Threat) -> None:
    """The check rejects false statements about three in the second row."""
    assert not is_true(after("6x7", "4332254"), wrong)


def test_a_threat_that_must_be_answered() -> None:
    """A threat is stated together with the only move that answers it."""
    found = seen("6x7", "4332254")
    assert [t.kind for t in found[:2]] == [ThreatKind.THREAT, ThreatKind.FORCED]
    assert the(found, ThreatKind.THREAT, FIRST) == ("5",)
    assert the(found, ThreatKind.FORCED, SECOND) == ("5",)


def test_a_double_threat_and_how_it_comes_about() -> None:
    """Two in the bottom row with space on both sides become an open three, a double threat."""
    assert the(seen("6x7", "4455"), ThreatKind.FORK, FIRST) == ("3", "6")
    assert the(seen("6x7", "44551"), ThreatKind.FORK, FIRST) == ("3", "6")
    found = seen("6x7", "44553")
    assert the(found, ThreatKind.DOUBLE, FIRST) == ("2", "6")
    (three,) = [t for t in found if t.kind is ThreatKind.OPEN_THREE]
    assert (three.player, three.squares) == (FIRST, (Square(5, 1), Square(5, 5)))
    assert not [t for t in found if t.kind in (ThreatKind.HELPLESS, ThreatKind.FORCED)]


def test_an_immediate_win_suppresses_forced_replies() -> None:
    """If the player to move can win at once, no forced reply is stated."""
    found = seen("6x7", "44125533")
    assert found[0] == Threat(ThreatKind.WIN, FIRST, (Square(5, 5),), (Move(5),))
    assert not [t for t in found if t.kind in (ThreatKind.FORCED, ThreatKind.DOUBLE)]


def test_rows_are_counted_from_the_bottom() -> None:
    """The rows of odd and even threats are counted from the bottom."""
    found = seen("6x7", "4332254")
    (even,) = [t for t in found if t.kind in (ThreatKind.EVEN, ThreatKind.ODD)]
    assert even == Threat(ThreatKind.EVEN, FIRST, (Square(4, 0),))


def test_the_empty_board_is_quiet() -> None:
    """The empty board has a single statement: that it is quiet."""
    for kind in ("6x7", "4x4", "gato", "boom"):
        assert seen(kind, "") == (Threat(ThreatKind.QUIET, FIRST),)


def test_two_movements_of_boom_win_together() -> None:
    """Two movements of BOOM can win together, also in one column or with a bomb's explosion."""
    (turn, *_) = seen("boom", "4113344")
    assert (turn.kind, turn.player, len(turn.moves)) == (ThreatKind.TURN, FIRST, 2)
    assert is_true(after("boom", "4113344"), turn)
    for moves, kind, wins in (
        ("4516453634611475", ThreatKind.WIN, (Move(7),)),
        ("23435323147526274", ThreatKind.TURN, (Move(0), Move(7))),
    ):
        (first, *_) = seen("boom", moves)
        assert (first.kind, first.moves) == (kind, wins)
        assert is_true(after("boom", moves), first)


def test_zugzwang_is_stated_only_if_following_up_wins() -> None:
    """Zugzwang is stated only if answering in the same column wins in every order of play."""
    game, rng, statements = game_called("4x5"), Random(2), 0
    for _ in range(120):
        position: Position = replay(game, random_game(game, rng))
        for threat in package_of(game).threats(position):
            if threat.kind is ThreatKind.ZUGZWANG:
                statements += 1
                assert is_true(position, threat), position
        always_wins.cache_clear()
    assert statements > 3
