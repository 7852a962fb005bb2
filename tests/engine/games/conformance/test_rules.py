"""The rules of every registered game in every variant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import pairwise
from operator import or_
from random import Random

import pytest

from engine.core.game import (
    Cell,
    Game,
    IllegalMove,
    Move,
    NotAMove,
    Outcome,
    Player,
    Position,
    Square,
    marked_after,
    replay,
    target,
)
from engine.core.position_code import code_of, position_of
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from tests.engine.games.conformance.plain import played

CODED = [
    (key, variant)
    for key, package in all_games().items()
    for variant in package.variants
    if package.code is not None
]
"""The variants with position codes."""
FILLING = [
    (key, variant)
    for key, package in all_games().items()
    for variant in package.variants
    if package.stones_stay and package.sight is not None
]
"""The variants of games in which lines win and stones stay."""


def test_a_game_starts_at_the_start(game: Game) -> None:
    """A new game has no moves made, a player to move and legal moves."""
    position = game.start()
    assert (position.ply, position.outcome, position.game) == (0, None, game)
    assert position.to_move is Player.FIRST
    assert position.legal_moves()


def test_labels_are_read_back(game: Game) -> None:
    """Every button has a unique label, which is read back as its move, with or without spaces."""
    moves = [move for row in game.buttons() for move in row]
    labels = [game.label(move) for move in moves]
    assert len(set(moves)) == len(set(labels)) == len(moves)
    assert [game.parse(label) for label in labels] == moves
    assert [game.parse(f" {label} ") for label in labels] == moves


@pytest.mark.parametrize("text", ["", "?", "-1", "1.5", "hello", "٣", "1000"])
def test_text_that_is_not_a_move_is_refused(game: Game, text: str) -> None:
    """Text that is not a move raises NotAMove with the text and what is expected."""
    with pytest.raises(NotAMove) as caught:
        game.parse(text)
    assert caught.value.text == text
    assert caught.value.expected


def test_a_whole_game_is_written_and_read(game: Game) -> None:
    """The labels of a game's moves, one after the other, are read back as the same moves."""
    rng, position, moves = Random(game.variant), game.start(), []
    while position.outcome is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    assert game.moves("".join(game.label(move) for move in moves)) == tuple(moves)
    assert replay(game, moves) == position


def test_plies_and_legal_moves_are_consistent(game: Game) -> None:
    """Plies count up, legal moves are in the order of buttons, and only the end has none."""
    controls = [move for row in game.buttons() for move in row]
    for seed in range(4):
        positions = played(game, seed)
        for ply, position in enumerate(positions):
            legal = position.legal_moves()
            assert position.ply == ply
            assert position.game == game
            assert list(legal) == [move for move in controls if move in legal]
            assert bool(legal) == (position.outcome is None) == (ply < len(positions) - 1)
        outcome = positions[-1].outcome
        assert outcome is not None
        assert bool(outcome.squares) == (outcome.ending == "line")
        assert (outcome.winner is None) == (outcome.ending == "draw")


def test_moves_that_are_not_legal_are_refused(game: Game) -> None:
    """A move that is not legal raises IllegalMove with its label and a reason."""
    refused = 0
    for position in played(game, 7):
        for move in (move for row in game.buttons() for move in row):
            if move not in position.legal_moves():
                with pytest.raises(IllegalMove) as caught:
                    position.play(move)
                assert caught.value.label == game.label(move)
                assert caught.value.reason.isalpha()
                with pytest.raises(IllegalMove) as again:
                    position.changes(move)
                assert str(again.value) == str(caught.value)
                assert target(position, move) is None
                refused += 1
    assert refused


def test_playing_changes_no_position(game: Game) -> None:
    """Trying every legal move leaves a position unchanged, and no field can be assigned."""
    for position, fresh in zip(played(game, 3), played(game, 3), strict=True):
        cells = position.cells()
        after = {position.play(move) for move in position.legal_moves()}
        assert position == fresh
        assert hash(position) == hash(fresh)
        assert position.cells() == cells
        with pytest.raises(AttributeError):
            position.game = game
        assert position not in after
        assert len(after) == len(position.legal_moves())


def test_the_board_has_one_shape(game: Game) -> None:
    """Every position has the rows and columns of the start, and names for them if there are any."""
    shape = [len(row) for row in game.start().cells()]
    assert len(set(shape)) == 1
    assert len(game.column_names) == shape[0]
    assert len(game.row_names) in (0, len(shape))
    for position in played(game, 5):
        assert [len(row) for row in position.cells()] == shape
        if position.outcome is not None and position.outcome.winner is not None:
            for square in position.outcome.squares:
                cell = position.cells()[square.row][square.column]
                assert cell.owner is position.outcome.winner
    assert all(cell is Cell.EMPTY for row in game.start().cells() for cell in row)


def board_of(position: Position) -> dict[Square, Cell]:
    """The content of every square of a board."""
    return {
        Square(row, column): cell
        for row, line in enumerate(position.cells())
        for column, cell in enumerate(line)
    }


def stones_on(board: Mapping[Square, Cell]) -> frozenset[Square]:
    """The squares that are not empty."""
    return frozenset(square for square, cell in board.items() if cell is not Cell.EMPTY)


def every_move(game: Game) -> Iterator[tuple[Position, Move]]:
    """Every legal move in every position of some random games."""
    for seed in range(3):
        for position in played(game, seed):
            for move in position.legal_moves():
                yield position, move


def test_changes_give_the_board_after_a_move(game: Game) -> None:
    """Removing and moving stones, then placing them, gives the board after the move."""
    for position, move in every_move(game):
        changes, board = position.changes(move), board_of(position)
        for square in changes.removed:
            assert board[square] is not Cell.EMPTY
            board[square] = Cell.EMPTY
        lifted = {before: board[before] for before, _ in changes.moved}
        assert Cell.EMPTY not in lifted.values()
        assert len(lifted) == len(changes.moved)
        board |= dict.fromkeys(lifted, Cell.EMPTY)
        placed = [*((after, lifted[before]) for before, after in changes.moved), *changes.placed]
        for square, cell in placed:
            assert board[square] is Cell.EMPTY
            assert cell is not Cell.EMPTY
            board[square] = cell
        assert board == board_of(position.play(move))


def test_a_move_without_a_target_has_an_effect(game: Game) -> None:
    """A move that does not place exactly one stone has an effect with a word."""
    for position, move in every_move(game):
        changes = position.changes(move)
        assert target(position, move) == changes.target
        assert changes.target is not None or changes.effect
        assert re.fullmatch(r"[a-z_]*", changes.effect)
        assert changes.origin is None or changes.origin in board_of(position)


def test_marks_follow_their_stones(game: Game) -> None:
    """If all stones are marked, all are after a move; a move that places none marks its origin."""
    for position, move in every_move(game):
        changes, before = position.changes(move), stones_on(board_of(position))
        after = stones_on(board_of(position.play(move)))
        own = {square for square, _ in changes.placed} or {changes.origin} - {None}
        assert marked_after(before, changes) == after | own
        assert marked_after(frozenset(), changes) == own


def test_announced_moves_are_legal_and_remove_stones(game: Game) -> None:
    """Announced moves are legal and remove stones, and a finished game has none."""
    for seed in range(3):
        for position in played(game, seed):
            assert set(position.announced()) <= set(position.legal_moves())
            assert all(position.changes(move).removed for move in position.announced())


@pytest.mark.parametrize(("key", "variant"), FILLING)
def test_a_game_ends_with_the_first_line(key: str, variant: str) -> None:
    """Players alternate until one has a line, with all squares of their lines, or none are left."""
    game, package = game_of(key, variant), all_games()[key]
    for seed in range(12):
        for before, position in pairwise(played(game, seed)):
            assert before.to_move is (Player.SECOND if before.ply % 2 else Player.FIRST)
            seen = package.sight(position)
            stones = seen.first if before.to_move is Player.FIRST else seen.second
            completed = [line for line in seen.lines if line & stones == line]
            if completed:
                squares = reduce(or_, completed).bit_count()
                assert position.outcome is not None
                assert position.outcome.winner is before.to_move
                assert len(position.outcome.squares) == squares
            elif position.ply == package.longest(game):
                assert position.outcome == Outcome(None)
            else:
                assert position.outcome is None


@pytest.mark.parametrize(("key", "variant"), CODED)
def test_codes_are_read_back(key: str, variant: str) -> None:
    """Every position of a game with codes has one that is read back as an equal position."""
    game = game_of(key, variant)
    for position in played(game, 9):
        again = position_of(code_of(position))
        assert (again.game, again.ply, again.cells()) == (game, position.ply, position.cells())
        assert (again.to_move, again.legal_moves()) == (position.to_move, position.legal_moves())
        assert again.outcome == position.outcome
