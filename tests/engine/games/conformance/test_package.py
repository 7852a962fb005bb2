"""What the package of every registered game declares, and what its agents and studies do."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine.core.compiled import compile_all, is_warm
from engine.core.game import Cell, Game, IllegalMove, Player, UnknownVariant
from engine.core.jobs import Job
from engine.core.limits import Limit
from engine.core.package import GamePackage, Ref
from engine.core.registry import game_of, package_of, parts
from engine.core.registry import games as all_games
from engine.strength.judging import JudgeGame, losses_of, quality
from engine.strength.ladder import estimate, ladder_of
from engine.strength.roster import ChooseMove
from engine.study.hints import GiveHint
from engine.study.review import ReviewGame
from tests.builders import RandomPosition
from tests.engine.games.conformance.plain import flat, moves_of, played, walk

RESOLVED = [
    (key, field.name)
    for key, package in all_games().items()
    for field in fields(package)
    if isinstance(getattr(package, field.name), Ref)
]
"""The parts of each game that are imported when they are first called."""
RARE = {"boom.both"}
"""Remarks that a few random games do not meet; the tests of their games provoke them."""
EVERY_LEVEL = ("easy", "medium", "hard", "expert", "perfect")


def test_a_package_is_listed_under_its_key(package: GamePackage) -> None:
    """Packages are found by the key that their games have; the usual variant is one of all."""
    assert {*package.suggested_variants} <= {*package.variants}
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


def test_variants_are_different_games() -> None:
    """No two variants of any game are equal."""
    named = [(key, variant) for key, one in all_games().items() for variant in one.variants]
    assert len({game_of(*each) for each in named}) == len(named)


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
    assert remarks | (RARE & set(package.remarks)) == set(package.remarks)
    assert effects - {""} == set(package.effects)


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


def test_threats_and_sight_match_the_position(
    package: GamePackage, random_position: RandomPosition
) -> None:
    """Threats name legal moves and squares of the board; `sight` has the board's stones."""
    game = package.from_variant(package.usual)
    for moves in range(0, 16, 3):
        position = random_position(game, Random(moves), moves)
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
