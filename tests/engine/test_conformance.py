"""What holds for every game in every variant."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine.cli.main import count_by_depth
from engine.core.game import (
    Cell,
    Game,
    IllegalMove,
    NotAMove,
    Player,
    Position,
    UnknownVariant,
    replay,
)
from engine.core.limits import Limit
from engine.core.package import GamePackage
from engine.core.registry import game_of, package_of
from engine.core.registry import games as all_games
from engine.core.search import analyse
from engine.strength.roster import LEVELS

GAMES = [(key, variant) for key, family in all_games().items() for variant in family.variants]
Wander = Callable[[Game, Random, int], Position]


@pytest.fixture(params=GAMES, ids=" ".join)
def game(request: pytest.FixtureRequest) -> Game:
    """Every game there is, one after the other."""
    key, variant = request.param
    return game_of(key, variant)


@pytest.fixture(params=all_games().values(), ids=all_games())
def family(request: pytest.FixtureRequest) -> GamePackage:
    """Every family of games, one after the other."""
    found: GamePackage = request.param
    return found


def played(game: Game, seed: int) -> list[Position]:
    """All positions of a random game, from the start to its end."""
    rng, positions = Random(seed), [game.start()]
    while positions[-1].outcome is None:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
    return positions


def test_a_family_is_listed_under_its_key(family: GamePackage) -> None:
    """Families are found by the key that their games carry; the usual variant is one of all."""
    assert all_games()[family.key] is family
    assert family.usual in family.variants
    assert len(set(family.variants)) == len(family.variants)


@pytest.mark.parametrize("text", ["", " ", "?", "0x0", "99x99", "classic game"])
def test_a_family_knows_what_it_does_not_know(family: GamePackage, text: str) -> None:
    """Text that names no variant raises UnknownVariant, which says what would."""
    with pytest.raises(UnknownVariant) as caught:
        family.from_variant(text)
    assert caught.value.text == text
    assert caught.value.expected


def test_a_game_is_known_by_its_variant(game: Game) -> None:
    """The text of a variant is read back as the same game, a hashable value."""
    again = package_of(game).from_variant(game.variant)
    assert again == game
    assert hash(again) == hash(game)
    assert game.variant in package_of(game).variants
    assert len({game_of(*each) for each in GAMES}) == len(GAMES)


def test_a_game_starts_at_the_start(game: Game) -> None:
    """A new game has no move made, somebody to move and something to choose."""
    position = game.start()
    assert (position.ply, position.outcome, position.game) == (0, None, game)
    assert position.to_move is Player.FIRST
    assert position.legal_moves()


def test_labels_are_read_back(game: Game) -> None:
    """Every control has a label of its own, which is read back as its move, spaces or not."""
    moves = [move for row in game.buttons() for move in row]
    labels = [game.label(move) for move in moves]
    assert len(set(moves)) == len(set(labels)) == len(moves)
    assert [game.parse(label) for label in labels] == moves
    assert [game.parse(f" {label} ") for label in labels] == moves


@pytest.mark.parametrize("text", ["", "?", "-1", "1.5", "hello", "٣", "1000"])
def test_what_is_no_move_is_said_to_be_none(game: Game, text: str) -> None:
    """Text that names no move raises NotAMove with the text and what is expected."""
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


def test_every_position_of_a_game_keeps_the_rules_of_positions(game: Game) -> None:
    """Plies count up, moves come from the controls in their order, and only the end has none."""
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
    """A control that is not legal raises IllegalMove with its label and a word of reason."""
    for position in played(game, 7):
        for move in (move for row in game.buttons() for move in row):
            if move not in position.legal_moves():
                with pytest.raises(IllegalMove) as caught:
                    position.play(move)
                assert caught.value.label == game.label(move)
                assert caught.value.reason.isalpha()


def test_playing_changes_no_position(game: Game) -> None:
    """A position stays what it was after every legal move was tried from it."""
    for position, fresh in zip(played(game, 3), played(game, 3), strict=True):
        cells = position.cells()
        after = {position.play(move) for move in position.legal_moves()}
        assert position == fresh
        assert hash(position) == hash(fresh)
        assert position.cells() == cells
        assert position not in after
        assert len(after) == len(position.legal_moves())


def test_the_board_has_one_shape(game: Game) -> None:
    """Every position shows as many rows and columns as the start, named where names exist."""
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


def test_targets_are_squares_of_the_board(game: Game) -> None:
    """The target of a legal move is a square of the board, if it has a single one."""
    for position in played(game, 6)[:-1]:
        for move in position.legal_moves():
            target = position.target(move)
            if target is not None:
                changed = position.play(move).cells()[target.row][target.column]
                assert changed is not position.cells()[target.row][target.column]


def test_compiled_counts_are_those_of_the_plain_rules(game: Game) -> None:
    """Three moves deep, the compiled rules count the sequences that the plain rules play."""
    layer, plain = [game.start()], []
    for depth in range(4):
        plain.append((depth, len(layer)))
        layer = [position.play(move) for position in layer for move in position.legal_moves()]
    assert list(count_by_depth(game.start(), 3)) == plain


def test_every_position_can_be_searched(game: Game, wander: Wander) -> None:
    """Wherever a game stands, search and every level give a legal move and a playable line."""
    rng = Random(game.variant)
    for moves in (0, 5, 11):
        position = wander(game, rng, moves)
        assert position.outcome is None
        found = analyse(position, Limit(depth=4))
        assert 1 <= found.depth <= 4
        assert found.scores.keys() <= set(position.legal_moves())
        for line in found.lines.values():
            replayed = position
            for move in line:
                replayed = replayed.play(move)
        for name in ("easy", "medium"):
            assert LEVELS[name].choose(position, rng=rng).move in position.legal_moves()


def test_a_game_that_is_over_is_not_searched(game: Game) -> None:
    """There is nothing to search for once a game is over."""
    with pytest.raises(ValueError, match="over"):
        analyse(played(game, 1)[-1], Limit(depth=1))
