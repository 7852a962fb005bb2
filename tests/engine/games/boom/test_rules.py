"""The plain rules of Conecta-4 BOOM."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
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
    Remark,
    Square,
    UnknownVariant,
    replay,
    target,
)
from engine.games.boom.rules import BOOM, Boom, BoomPosition, bomb_of, lines, mover_of, round_of
from tests.engine.games.counts import counts_of

FULL_AT_TURN = "754452671541B4733B3317242623143B35227414134277B571216655666"
FULL_IN_TURN = "13734417626676713B6B613134664361B25522632753B23524651B42371455B43527"
FULL_WITH_BOMB = "63215421747257B4314515364374B622144166637277B7154336526275B"


def play(moves: str, variant: str = "7x7") -> BoomPosition:
    """The position after a game string."""
    game = Boom.from_variant(variant)
    return replay(game, game.moves(moves))  # type: ignore[return-value]


def board(position: BoomPosition) -> list[str]:
    """The rows that are not empty, from the top."""
    rows = ["".join(row) for row in position.cells()]
    return [row for row in rows if row != "......."]


def test_every_recorded_position_is_met(boom_games: Mapping[str, list[dict[str, str]]]) -> None:
    """Every position of the recorded games agrees with the simulator in all its properties."""
    assert sum(len(rows) for rows in boom_games.values()) == 979
    for rows in boom_games.values():
        position = Boom().start()
        for row in rows:
            if row["move"]:
                position = position.play(Boom().parse(row["move"]))
            assert "/".join("".join(column) for column in position.columns) == row["board"]
            legal = "".join(Boom().label(move) for move in position.legal_moves())
            assert legal == row["legal"]
            bombs = [player for player in Player if bomb_of(position.columns, player)]
            assert "".join(str(int(player)) for player in bombs) == row["bombs"]
            if row["winner"]:
                assert position.outcome is not None
                assert position.outcome.winner == int(row["winner"])
            else:
                assert position.outcome is None
                assert position.to_move == int(row["to_move"])
                assert position.puts_bomb == bool(int(row["puts_bomb"]))


def test_counts_are_as_known() -> None:
    """There are as many sequences of moves, ends and explosions as in the simulator."""
    for row in counts_of("boom"):
        start, depth = play(row["moves"]), int(row["depth"])
        if not 1 <= depth <= 4:
            continue
        layer = [start]
        for _ in range(depth - 1):
            layer = [position.play(m) for position in layer for m in position.legal_moves()]
        last = [
            (move, position.play(move)) for position in layer for move in position.legal_moves()
        ]
        over = sum(position.outcome is not None for _, position in last)
        counts = len(last), over, sum(move == BOOM for move, _ in last)
        assert counts == tuple(int(row[n]) for n in ("sequences", "over", "last_is_boom"))


def test_the_first_player_begins_with_one_movement_and_then_turns_have_two() -> None:
    """Player 1 makes movement 1, then each turn is two movements; BOOM is one like a stone."""
    assert "".join(str(int(mover_of(movement))) for movement in range(1, 16)) == "122112211221122"
    position = play("355552174526")
    assert position.to_move is Player.FIRST
    assert position.play(BOOM).to_move is Player.SECOND


def test_a_round_is_one_turn_of_each_player() -> None:
    """Movements 1 to 3 are round 1; from then on a round has four movements."""
    assert [round_of(movement) for movement in range(1, 17)] == [
        *(1, 1, 1, 2, 2, 2, 2, 3),
        *(3, 3, 3, 4, 4, 4, 4, 5),
    ]


def test_the_first_stone_of_every_fourth_turn_is_a_bomb() -> None:
    """The first stone of rounds 4, 8, ... is a bomb if the player has none."""
    assert board(play("35555217452")) == ["....2..", "....1..", "....1..", ".2..2..", "22112.1"]
    assert board(play("355552174526"))[-1] == "22112A1"
    after = play("3555521745267")
    assert "".join("".join(row) for row in after.cells()).count("A") == 1


def test_an_explosion_removes_the_opponents_row_and_stones_fall() -> None:
    """The bomb and the opponent's stones of its row are removed, and stones above them fall."""
    after = play("355552174526B")
    assert board(after) == ["....2..", "....1..", "....1..", ".2112.1"]
    assert after.outcome is None
    assert after.puts_bomb


def test_an_explosion_removes_the_opponents_bomb() -> None:
    """A bomb of the opponent in that row is removed without exploding, and no bomb remains."""
    assert board(play("53664322754456")) == ["...A1B.", ".12221.", ".221121"]
    after = play("53664322754456B")
    assert board(after) == [".12221.", ".221121"]
    assert [bomb_of(after.columns, player) for player in Player] == [None, None]


def test_an_explosion_can_win() -> None:
    """A player who gets four in line by exploding wins."""
    after = play("553366746541B")
    assert board(after) == ["....21.", "...222.", "..1111."]
    squares = frozenset(Square(6, column) for column in range(2, 6))
    assert after.outcome == Outcome(Player.FIRST, squares)


def test_an_explosion_can_lose() -> None:
    """A player who gives only the opponent a line by exploding loses; bombs count as stones."""
    after = play("562712234552325B")
    assert board(after)[0] == ".B....."
    squares = frozenset(Square(row, 1) for row in range(3, 7))
    assert after.outcome == Outcome(Player.SECOND, squares)


def test_the_exploding_player_wins_if_both_get_a_line() -> None:
    """If an explosion gives both players a line, the player who exploded wins by their own line."""
    after = play("332124134246B")
    assert board(after) == ["..1....", "2222...", "1111..."]
    squares = frozenset(Square(6, column) for column in range(4))
    assert after.outcome == Outcome(Player.FIRST, squares)
    assert after.remarks() == (Remark("boom.both"),)


def test_a_stone_after_an_explosion_can_be_a_new_bomb() -> None:
    """In a bomb turn that begins with BOOM, the stone that follows is a bomb."""
    before = play("15612546552717234B775277715B")
    assert before.puts_bomb
    expected = ["....A..", "....2.1", ".2..1.1", "22..2.2", "12..1.1", "111.2.2"]
    assert board(before.play(Move(4))) == expected


def test_a_full_board_does_not_end_the_game_of_a_player_with_a_bomb() -> None:
    """On a full board BOOM is the only move of a player with a bomb."""
    position = play(FULL_WITH_BOMB[:-1])
    assert position.legal_moves() == (BOOM,)
    after = position.play(BOOM)
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.ending) == (Player.SECOND, "line")


@pytest.mark.parametrize("moves", [FULL_AT_TURN, FULL_IN_TURN], ids=["next turn", "same turn"])
def test_a_player_who_cannot_move_loses(moves: str) -> None:
    """With a full board and no bomb the player to move loses, even if their own stone filled it.

    In the variant of the written assignment the game is drawn.
    """
    position = play(moves)
    assert position.outcome == Outcome(Player.SECOND)
    assert position.outcome.ending == "stuck"
    assert play(moves, "7x7-draw").outcome == Outcome(None)
    assert play(moves[:-1]).outcome is None


def test_a_win_with_the_first_movement_of_a_turn_ends_the_game() -> None:
    """A line completed by the first movement of a turn ends the game."""
    position = play("37342225")
    assert position.outcome is not None
    assert position.outcome.winner is Player.FIRST
    assert position.legal_moves() == ()


def test_a_bomb_is_a_stone_of_a_line() -> None:
    """A bomb completes a line like any other stone."""
    position = play("674645323725")
    assert board(position)[-2] == ".211A12"
    assert position.outcome is not None
    assert position.outcome.winner is Player.FIRST


def late(moves: str, ply: int, variant: str = "7x7") -> BoomPosition:
    """The board of these moves with a later ply."""
    return dataclasses.replace(play(moves, variant), ply=ply)


@pytest.mark.parametrize("variant", Boom.VARIANTS)
def test_a_game_is_drawn_after_two_hundred_movements(variant: str) -> None:
    """Movement 200 draws a game that is not decided by it."""
    position = late("4453", 198, variant).play(Move(0))
    assert position.outcome is None
    assert position.play(Move(1)).outcome == Outcome(None)


def test_the_last_movement_can_still_win() -> None:
    """A line, or a player who cannot move, decides the game even at movement 200."""
    won = late("3734222", 199).play(Move(4)).outcome
    assert won is not None
    assert won.ending == "line"
    assert late(FULL_AT_TURN[:-1], 199).play(Move(5)).outcome == Outcome(Player.SECOND)


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("37342225", 0, "over"),
        ("37342225", 9, "over"),
        ("4", -1, "outside"),
        ("4", 8, "outside"),
        ("4", 7, "nobomb"),
        ("1211211211", 0, "full"),
    ],
)
def test_illegal_moves_are_refused_with_a_reason(moves: str, move: int, reason: str) -> None:
    """A refused move has a reason: over, outside, no bomb, or a full column."""
    with pytest.raises(IllegalMove) as caught:
        play(moves).play(Move(move))
    assert caught.value.reason == reason


def test_labels_are_columns_and_the_letter_of_the_bomb() -> None:
    """Moves are written 1-7 and B; a small letter, the word and outer spaces are accepted."""
    game = Boom()
    assert [game.label(move) for row in game.buttons() for move in row] == list("1234567B")
    assert {game.parse(text) for text in ("b", "B", " boom ", "BOOM", "Boom")} == {BOOM}
    assert game.parse(" 7\n") == 6
    assert game.moves(" 44b7B\n") == (3, 3, BOOM, 6, BOOM)
    for text in ("0", "8", "", "bb", "boo", "٣", "77"):
        with pytest.raises(NotAMove) as caught:
            game.parse(text)
        assert caught.value.expected == "1-7 or B"


def test_the_controls_are_the_columns_and_the_bomb() -> None:
    """One row of buttons has the columns, another the bomb; columns have names, rows have none."""
    game = Boom()
    assert game.buttons() == ((0, 1, 2, 3), (4, 5, 6, BOOM))
    assert game.column_names == tuple("1234567")
    assert game.row_names == ()


def test_the_variant_determines_the_result_of_a_full_board() -> None:
    """The usual variant follows the simulator; `7x7-draw` follows the written assignment."""
    assert Boom.from_variant("7x7") == Boom()
    assert Boom.from_variant(" 7X7-Draw ") == Boom(stuck_is_draw=True)
    with pytest.raises(UnknownVariant) as caught:
        Boom.from_variant("6x7")
    assert caught.value.expected == "7x7 or 7x7-draw"


def test_a_stone_has_a_target_and_an_explosion_has_none() -> None:
    """A stone lands on the lowest empty square of its column; BOOM has no single target."""
    position = play("355552174526")
    assert target(position, Move(4)) == Square(1, 4)
    assert target(position, Move(3)) == Square(5, 3)
    assert BOOM in position.legal_moves()
    assert target(position, BOOM) is None
    assert target(play("1211211"), Move(9)) is None


def test_the_changes_of_an_explosion() -> None:
    """An explosion's changes list the removed stones and, for each stone above one, its fall."""
    position = play("355552174526")
    changes = position.changes(BOOM)
    bomb = bomb_of(position.columns, position.to_move)
    assert bomb is not None
    column, height = bomb
    assert changes.origin == Square(6 - height, column)
    assert (changes.placed, changes.effect) == ((), "explode")
    assert changes.origin in changes.removed
    for square in changes.removed:
        owner = position.cells()[square.row][square.column].owner
        assert square.row == changes.origin.row
        assert square == changes.origin or owner is position.to_move.other
    columns = {square.column for square in changes.removed}
    assert {before.column for before, _ in changes.moved} <= columns
    assert all(after == (before.row + 1, before.column) for before, after in changes.moved)
    assert position.announced() == (BOOM,)
    assert play("3").announced() == ()


@pytest.mark.parametrize("player", Player)
def test_stones_above_a_removed_one_fall(player: Player) -> None:
    """On a fixed board, stones above a removed one fall by the number of stones removed below."""
    one, other = Cell(str(player.value)), Cell(str(player.other.value))
    bomb = Cell.FIRST_BOMB if player is Player.FIRST else Cell.SECOND_BOMB
    ply = 16 if player is Player.FIRST else 17
    columns = ((bomb, other), (other, one, other), (one, other), (), (), (), ())
    while mover_of(ply + 1) is not player:
        ply += 1
    changes = BoomPosition(Boom(), columns, ply).changes(BOOM)
    assert set(changes.removed) == {Square(6, 0), Square(6, 1)}
    assert set(changes.moved) == {
        (Square(5, 0), Square(6, 0)),
        (Square(5, 1), Square(6, 1)),
        (Square(4, 1), Square(5, 1)),
    }


def turn(movement: int, of: int = 2) -> Remark:
    """The remark on the movements of a turn."""
    return Remark("boom.turn", (("movement", movement), ("of", of)))


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("", (turn(1, 1), Remark("boom.bomb_in", (("turns", 3),)))),
        ("3", (turn(1), Remark("boom.bomb_in", (("turns", 3),)))),
        ("35", (turn(2), Remark("boom.bomb_in", (("turns", 3),)))),
        ("355", (turn(1), Remark("boom.bomb_in", (("turns", 2),)))),
        ("355552174", (turn(1), Remark("boom.bomb_in", (("turns", 1),)))),
        ("35555217452", (turn(1), Remark("boom.bomb_now"))),
        ("355552174526", (turn(2), Remark("boom.bomb_held"))),
        ("355552174526B", (turn(1), Remark("boom.bomb_now"))),
        ("15612546552717234B775277715B", (turn(2), Remark("boom.bomb_now"))),
        ("37342225", ()),
    ],
)
def test_remarks_describe_the_turn_and_the_bomb(moves: str, expected: tuple[Remark, ...]) -> None:
    """Remarks give the movement within the turn and the rounds until the next bomb."""
    assert play(moves).remarks() == expected


def test_a_bomb_comes_in_the_announced_turn(
    random_position: Callable[[Game, Random, int], Position],
) -> None:
    """If the next bomb is announced in n own turns, it is put in the n-th and not before."""
    rng, announced = Random(4), 0
    while announced < 20:
        position = random_position(Boom(), rng, rng.randrange(40))
        assert isinstance(position, BoomPosition)
        if position.remarks()[1].key != "boom.bomb_in":
            continue
        player, turns = position.to_move, position.remarks()[1].numbers[0][1]
        for own_turn in range(1, turns + 1):
            position = next_turn(position, player, rng)
            assert position.puts_bomb == (own_turn == turns)
        announced += 1


def next_turn(position: BoomPosition, player: Player, rng: Random) -> BoomPosition:
    """Put random stones up to the start of the player's next turn, ignoring lines."""
    while True:
        move = rng.choice([m for m in position.legal_moves() if m != BOOM])
        position = dataclasses.replace(position.play(move), outcome=None)
        if position.to_move is player and position.remarks()[0] == turn(1):
            return position


def test_the_number_of_lines() -> None:
    """Seven by seven squares have 28 lines up, 28 across and 16 on each diagonal."""
    assert len(lines()) == len(set(lines())) == 28 + 28 + 16 + 16
