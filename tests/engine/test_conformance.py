"""Properties of every registered game in every variant.

The tests run over the registry, so an installed game of another distribution is tested as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine.cli.main import count_by_depth
from engine.core.compiled import compile_all, is_warm
from engine.core.game import (
    Cell,
    Game,
    IllegalMove,
    Move,
    NotAMove,
    Player,
    Position,
    Square,
    UnknownVariant,
    marked_after,
    replay,
    target,
)
from engine.core.jobs import Job
from engine.core.kernel import PlainKernel
from engine.core.limits import Limit, Stop
from engine.core.package import GamePackage, Ref
from engine.core.position_code import code_of, position_of
from engine.core.registry import game_of, package_of, parts
from engine.core.registry import games as all_games
from engine.core.search import SMALL_TABLE, analyse
from engine.core.values import is_decided, plies_to_end
from engine.strength.judging import FULL_MARGIN, JudgeGame, losses_of, quality
from engine.strength.ladder import estimate, ladder_of
from engine.strength.roster import LEVELS, ChooseMove
from engine.study.hints import GiveHint
from engine.study.review import ReviewGame

GAMES = [(key, variant) for key, package in all_games().items() for variant in package.variants]
Wander = Callable[[Game, Random, int], Position]
RESOLVED = [
    (key, field.name)
    for key, package in all_games().items()
    for field in fields(package)
    if isinstance(getattr(package, field.name), Ref)
]
"""The parts of each game that are imported when they are first called."""
EVERY_LEVEL = ("easy", "medium", "hard", "expert", "perfect")
FULL_DEPTH = 6
"""Plies before the longest end at which two searches are compared to the end."""
FARTHEST = 4
"""Plies for which a search by the rules is quick enough."""


@pytest.fixture(params=GAMES, ids=" ".join)
def game(request: pytest.FixtureRequest) -> Game:
    """Every variant of every game in turn."""
    key, variant = request.param
    return game_of(key, variant)


@pytest.fixture(params=all_games().values(), ids=all_games())
def package(request: pytest.FixtureRequest) -> GamePackage:
    """Every package in turn."""
    found: GamePackage = request.param
    return found


def played(game: Game, seed: int) -> list[Position]:
    """All positions of a random game, from the start to its end."""
    rng, positions = Random(seed), [game.start()]
    while positions[-1].outcome is None:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
    return positions


def test_a_package_is_listed_under_its_key(package: GamePackage) -> None:
    """Packages are found by the key that their games have; the usual variant is one of all."""
    assert all_games()[package.key] is package
    assert package_of(package.from_variant(package.usual)) is package
    assert package.usual in package.variants
    assert len(set(package.variants)) == len(package.variants)


@pytest.mark.parametrize("text", ["", " ", "?", "0x0", "99x99", "classic game"])
def test_text_that_is_not_a_variant_is_refused(package: GamePackage, text: str) -> None:
    """Text that is not a variant raises UnknownVariant with what is expected."""
    with pytest.raises(UnknownVariant) as caught:
        package.from_variant(text)
    assert caught.value.text == text
    assert caught.value.expected


def test_a_variant_is_read_back(game: Game) -> None:
    """The text of a variant is read back as the same game, a hashable value."""
    again = package_of(game).from_variant(game.variant)
    assert again == game
    assert hash(again) == hash(game)
    assert game.variant in package_of(game).variants
    assert len({game_of(*each) for each in GAMES}) == len(GAMES)


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


def test_reasons_remarks_and_effects_are_declared(package: GamePackage) -> None:
    """Reasons for refusing moves, remarks and effects are exactly those that the package lists."""
    game, reasons, remarks = package.from_variant(package.usual), set(), set()
    effects: set[str] = set()
    for seed in range(6):
        for position in played(game, seed):
            remarks |= {remark.key for remark in position.remarks()}
            effects |= {position.changes(move).effect for move in position.legal_moves()}
            for move in (move for row in game.buttons() for move in row):
                try:
                    position.play(move)
                except IllegalMove as error:
                    reasons.add(error.reason)
    assert reasons - {"over", "outside"} == set(package.refusals)
    assert remarks == set(package.remarks)
    assert effects - {""} == set(package.effects)


def test_playing_changes_no_position(game: Game) -> None:
    """Trying every legal move leaves a position unchanged."""
    for position, fresh in zip(played(game, 3), played(game, 3), strict=True):
        cells = position.cells()
        after = {position.play(move) for move in position.legal_moves()}
        assert position == fresh
        assert hash(position) == hash(fresh)
        assert position.cells() == cells
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


def test_compiled_counts_are_those_of_the_plain_rules(game: Game) -> None:
    """Three moves deep, the compiled rules count the same sequences as the plain rules."""
    layer, plain = [game.start()], []
    for depth in range(4):
        plain.append((depth, len(layer)))
        layer = [position.play(move) for position in layer for move in position.legal_moves()]
    assert list(count_by_depth(game.start(), 3)) == plain


def test_every_position_can_be_searched(game: Game, wander: Wander) -> None:
    """In every position, the search and every level give a legal move and a playable line."""
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
    """Searching a finished game raises ValueError."""
    with pytest.raises(ValueError, match="over"):
        analyse(played(game, 1)[-1], Limit(depth=1))


@pytest.mark.parametrize(("key", "field"), RESOLVED)
def test_every_reference_names_something_that_can_be_called(key: str, field: str) -> None:
    """Every reference of a package can be resolved and called."""
    assert callable(getattr(all_games()[key], field).resolve())


def test_every_part_can_be_compiled(package: GamePackage) -> None:
    """The modules of each part compile, and the modules for searching are among the parts."""
    for part in package.parts:
        assert parts()[part.name] is part
        compile_all(part.modules)
        assert is_warm(part.modules)
    assert set(package.part_names(for_search_only=True)) <= set(package.part_names())
    assert (package.kernel is None) or package.part_names(for_search_only=True)


def test_stones_stay_where_a_package_says_so(package: GamePackage) -> None:
    """If stones stay, no square is ever emptied or captured; otherwise some square is."""
    left = False
    for seed in range(12):
        positions = played(package.from_variant(package.usual), seed)
        for before, after in pairwise(positions):
            pairs = zip(flat(before), flat(after), strict=True)
            left |= any(old not in (Cell.EMPTY, new) for old, new in pairs)
    assert left is not package.stones_stay


def test_no_game_is_longer_than_the_longest(game: Game) -> None:
    """Random games end within the plies that the package declares."""
    assert all(len(played(game, seed)) - 1 <= package_of(game).longest(game) for seed in range(6))


@pytest.mark.parametrize(
    ("key", "variant"), [each for each in GAMES if all_games()[each[0]].code is not None]
)
def test_codes_are_read_back(key: str, variant: str) -> None:
    """Every position of a game with codes has one that is read back as an equal position."""
    game = game_of(key, variant)
    for position in played(game, 9):
        again = position_of(code_of(position))
        assert (again.game, again.ply, again.cells()) == (game, position.ply, position.cells())
        assert (again.to_move, again.legal_moves()) == (position.to_move, position.legal_moves())
        assert again.outcome == position.outcome


def test_sequences_are_counted_as_by_the_rules(package: GamePackage, wander: Wander) -> None:
    """In the middle of games the package counts the same sequences as the plain rules."""
    game, plain = package.from_variant(package.usual), replace(package, sequences=None)
    for moves in (3, 9, 14):
        position = wander(game, Random(moves), moves)
        for depth in range(3):
            counted = package.count_sequences(position, depth)
            assert counted == plain.count_sequences(position, depth)


@pytest.mark.parametrize("key", [key for key, one in all_games().items() if one.stones_stay])
def test_the_end_of_a_game_has_the_same_scores_by_the_rules(key: str, wander: Wander) -> None:
    """Searched to the end of the game, both kernels give every move the same score.

    Games whose stones leave the board are excluded: they end by a line long before the longest
    game.
    """
    package = all_games()[key]
    game, compared = package.from_variant(package.usual), 0
    for seed in range(4):
        position = wander(game, Random(seed), package.longest(game) - FULL_DEPTH)
        left = package.longest(game) - position.ply
        if left <= FULL_DEPTH:
            assert scores_of(package, position, left) == plain_scores(package, position, left)
            compared += 1
    assert compared


def test_decided_scores_are_those_of_the_rules(package: GamePackage, wander: Wander) -> None:
    """A win or loss by the rules is one for the package's kernel, and the other way round.

    If replies are forced, a kernel may see further than its depth; the rules are then searched to
    the end that it has seen.
    """
    game = package.from_variant(package.usual)
    for seed in range(6):
        position = wander(game, Random(seed), 5 + 2 * seed)
        for depth in (1, 2):
            found = scores_of(package, position, depth)
            assert decided(plain_scores(package, position, depth)).items() <= found.items()
            for move, score in decided(found).items():
                plies = plies_to_end(score, position.ply)
                if plies <= FARTHEST:
                    assert plain_scores(package, position, plies)[move] == score


def test_threats_and_sight_match_the_position(package: GamePackage, wander: Wander) -> None:
    """Threats name legal moves and squares of the board; `sight` has the board's stones."""
    game = package.from_variant(package.usual)
    for moves in range(0, 16, 3):
        position = wander(game, Random(moves), moves)
        rows, columns = len(position.cells()), len(game.column_names)
        for threat in package.threats_in(position):
            assert all(0 <= s.row < rows and 0 <= s.column < columns for s in threat.squares)
            assert {move for row in game.buttons() for move in row} >= set(threat.moves)
        if package.sight is not None:
            seen = package.sight(position)
            owners = [cell.owner for cell in flat(position)]
            assert seen.first.bit_count() == owners.count(Player.FIRST)
            assert seen.second.bit_count() == owners.count(Player.SECOND)
            assert seen.lines


@pytest.mark.parametrize("level", EVERY_LEVEL)
def test_every_level_plays(package: GamePackage, level: str) -> None:
    """Each level makes a legal move in an unfinished game, within a limit."""
    game = package.from_variant(package.usual)
    position, labels = walk(game, Random(level), 10)
    limit = Limit(seconds=0.2, nodes=4_000)
    found = Job(game.key, game.variant, labels, ChooseMove(level), 3, limit).run()
    assert found.move in position.legal_moves()
    assert position.play(found.line[0]).ply == position.ply + 1


def test_a_game_is_hinted_judged_reviewed_and_rated(package: GamePackage) -> None:
    """Hints are legal, every move is judged and reviewed, and a measured ladder gives a rating."""
    game = package.from_variant(package.usual)
    positions = played(game, 4)
    moves = moves_of(positions)
    labels = tuple(map(game.label, moves))

    def job(task: Any, labels: tuple[str, ...], limit: Limit | None = None) -> Any:
        return Job(game.key, game.variant, labels, task, 1, limit).run()

    hint = job(GiveHint(), labels[:5], Limit(seconds=0.2))
    assert hint.move in positions[5].legal_moves()
    judgement = job(JudgeGame(), labels)
    assert len(judgement.losses) == len(labels)
    reviewed = job(ReviewGame(0.2), labels)
    assert [one.move for one in reviewed.moves] == list(moves)
    ladder = ladder_of(game)
    if package.ladder == "measured":
        value = quality(losses_of(judgement, Player.FIRST), trimmed=True)
        elo, deviation = estimate(ladder, 0.0 if value is None else value, trimmed=True)
        assert ladder.rungs[0].elo <= elo <= ladder.rungs[-1].elo
        assert deviation > 0
    assert set(EVERY_LEVEL) <= {rung.level for rung in ladder.rungs}


def flat(position: Position) -> list[Cell]:
    """The squares of a board, row by row."""
    return [cell for row in position.cells() for cell in row]


def moves_of(positions: Sequence[Position]) -> list[Move]:
    """The moves that lead from each position to the next one."""
    return [
        next(move for move in before.legal_moves() if before.play(move) == after)
        for before, after in pairwise(positions)
    ]


def walk(game: Game, rng: Random, most: int) -> tuple[Position, tuple[str, ...]]:
    """A position after random moves that do not end the game, and these as players write them."""
    positions = [game.start()]
    while len(positions) <= most:
        following = [positions[-1].play(move) for move in positions[-1].legal_moves()]
        going_on = [after for after in following if after.outcome is None]
        if not going_on:
            break
        positions.append(rng.choice(going_on))
    return positions[-1], tuple(map(game.label, moves_of(positions)))


def scores_of(package: GamePackage, position: Position, depth: int) -> dict[Move, int]:
    """The scores of all moves by the package's own kernel."""
    kernel = package.load(position, SMALL_TABLE)
    kernel.allow(None)
    found = kernel.score_moves(depth, FULL_MARGIN, position.legal_moves(), Stop().flag)
    assert found is not None
    return found


def plain_scores(package: GamePackage, position: Position, depth: int) -> dict[Move, int]:
    """The scores of all moves by the rules, where positions that are not over are worth 0."""
    kernel = PlainKernel(position, package.longest(position.game) - position.ply)
    found = kernel.score_moves(depth, FULL_MARGIN, position.legal_moves(), (0,))
    assert found is not None
    return found


def decided(scores: Mapping[Move, int]) -> dict[Move, int]:
    """The scores that are proven wins or losses."""
    return {move: score for move, score in scores.items() if is_decided(score)}
