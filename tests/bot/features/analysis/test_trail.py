"""Trails of positions: what people type, and what buttons hold."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.analysis.rules import LONGEST, Trail, trail_of, typed_trail
from bot.game.refusal import Refusal
from engine.core.game import Move, replay
from engine.core.position_code import code_of
from engine.core.registry import game_called, games


def typed(family: str, text: str, variant: str | None = None) -> Trail:
    """The trail that a text means in a game."""
    return typed_trail(games()[family], variant or games()[family].usual, text)


@pytest.mark.parametrize(
    ("family", "text", "moves"),
    [
        ("connect4", "4453", "4453"),
        ("connect4", " 4 4, 5;3\n", "4453"),
        ("connect4", "", ""),
        ("gato", "b2 C3,a1", "b2c3a1"),
        ("boom", "443", "443"),
    ],
)
def test_moves_are_read_as_people_write_them(family: str, text: str, moves: str) -> None:
    """Moves are read with or without separators; back leads to the first of them."""
    trail = typed(family, text)
    assert trail.moves == trail.game.moves(moves)
    assert trail.position.ply == len(trail.moves)
    assert trail.begin().position == trail.game.start()
    assert len(trail.back().moves) == max(len(trail.moves) - 1, 0)


def test_a_bomb_that_is_not_due_is_refused() -> None:
    """The sign of the bomb is read as a move and refused while the game has no bomb."""
    with pytest.raises(Refusal, match="analysis_move"):
        typed("boom", "4 b")


@pytest.mark.parametrize(
    ("family", "variant", "text", "code"),
    [
        ("connect4", "6x7", "......./" * 5 + "...1...", "4"),
        ("connect4", "8x8", "......./" * 5 + "...x...", "4"),
        ("connect4", "6x7", "0000/0000/0000/0200/1100", None),
        ("gato", "4x4", "x.../.o../..../....", "a1b2"),
        ("boom", "7x7-draw", " ".join(["......."] * 6 + ["12.2..."]), None),
    ],
)
def test_a_board_is_read_by_its_rows(
    family: str, variant: str, text: str, code: str | None
) -> None:
    """A board is read by its rows; its size selects the rules, or those asked for among equals."""
    trail = typed(family, text, variant)
    assert not trail.moves
    rows = len(text.replace(" ", "/").split("/"))
    assert len(trail.position.cells()) == rows
    if family == "boom":
        assert trail.game.variant == variant
    if code is not None:
        assert trail.position == typed(family, code, trail.game.variant).position


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1" * 501, "analysis_long"),
        ("4x", "not_a_move"),
        ("4444444", "analysis_move"),
        ("12121212", "analysis_move"),
        ("..1/...", "analysis_board"),
        ("......./" * 5 + "...2...", "analysis_board"),
        ("......./" * 5 + "..12..?", "analysis_board"),
    ],
)
def test_unreadable_input_is_refused(text: str, key: str) -> None:
    """Overlong text, unknown or impossible moves and unknown boards are refused."""
    with pytest.raises(Refusal) as caught:
        typed("connect4", text)
    assert caught.value.key == f"refusal.{key}"


def test_the_move_that_is_wrong_is_named() -> None:
    """A refusal gives the number of the first wrong move."""
    with pytest.raises(Refusal) as caught:
        typed("connect4", "41414141")
    assert caught.value.details == {"number": 8, "move": "1"}


@given(st.sampled_from(["6x7", "8x8", "gato", "boom"]), st.integers(0, 2**32))
@settings(max_examples=12)
def test_a_trail_is_read_back_from_a_button(name: str, seed: int) -> None:
    """A trail is read back from a button at any length; an overlong one begins at a later move."""
    rng, game = Random(seed), game_called(name)
    trail = Trail(game.start())
    while trail.position.outcome is None and trail.position.ply < 70:
        trail = trail.on(rng.choice(trail.position.legal_moves()))
        assert len(trail.moves) == min(trail.position.ply, LONGEST)
    read = trail_of(code_of(trail.root), trail.way)
    assert read == trail
    assert read.position == trail.position


def test_a_trail_that_is_too_long_begins_later() -> None:
    """A shortened trail ends at the same position, and each step back is one that was made."""
    game = game_called("8x8")
    rng, position, moves = Random(1), game.start(), list[Move]()
    while len(moves) < LONGEST + 6:
        after = {move: position.play(move) for move in position.legal_moves()}
        moves.append(rng.choice([move for move, end in after.items() if end.outcome is None]))
        position = after[moves[-1]]
    trail = Trail(game.start()).on(*moves)
    assert trail.position.outcome is None
    assert trail.position == replay(game, moves)
    assert len(trail.moves) == LONGEST < len(moves)
    assert trail.begin().position == replay(game, moves[:-LONGEST])
    assert trail.back().position == replay(game, moves[:-1])


@given(
    way=st.text(alphabet="0123456", max_size=7),
    wrong=st.sampled_from("789abcdefz"),
    rest=st.text(alphabet="0123456789abcdefz", max_size=8),
)
@settings(max_examples=20)
def test_a_forged_trail_is_valid_or_refused(way: str, wrong: str, rest: str) -> None:
    """Any forged button is valid or refused."""
    assert trail_of("1212", way).position.ply == len(way)
    with pytest.raises(Refusal, match="analysis_code"):
        trail_of("1212", way + wrong + rest)
