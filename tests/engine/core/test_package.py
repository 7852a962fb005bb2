"""The registration of a game, and the defaults for its optional parts."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.game import Drawing, replay
from engine.core.kernel import PlainKernel
from engine.core.package import (
    COMPILED_SPEED,
    PLAIN_SPEED,
    Calibration,
    GamePackage,
    KernelPart,
    Ref,
)
from engine.core.registry import games
from engine.games.connect4.rules import Connect4

LEAST = GamePackage(
    key="plain",
    home="engine.games.connect4",
    from_variant=Connect4.from_variant,
    variants=("6x7", "5x4"),
    usual="6x7",
    longest=lambda game: game.rows * game.columns,
    drawing=Drawing.DISCS,
)
"""A package with only the required parts."""


def test_a_reference_imports_its_module_when_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Creating a reference imports nothing; calling it calls the object at its address."""
    (tmp_path / "referred_module.py").write_text(
        "def twice(number, plus=0):\n    return 2 * number + plus\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    twice: Ref[int] = Ref("referred_module:twice")
    assert twice.module == "referred_module"
    assert "referred_module" not in sys.modules
    assert twice(4, plus=1) == 9
    monkeypatch.delitem(sys.modules, "referred_module")


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("engine.no_such_module:load", ImportError),
        ("engine.core.game:no_such_name", AttributeError),
    ],
)
def test_an_unresolvable_reference_is_an_error(address: str, error: type[Exception]) -> None:
    """A module or a name that does not exist is reported when the reference is resolved."""
    with pytest.raises(error):
        Ref(address).resolve()


def test_a_game_without_a_kernel_is_searched_by_its_rules() -> None:
    """A game without a kernel is searched by its rules, to the longest game at most and slowly."""
    position = replay(Connect4(), Connect4().moves("4444"))
    kernel = LEAST.load(position, 14)
    assert isinstance(kernel, PlainKernel)
    assert kernel.deepest == 38
    assert LEAST.nodes_per_second == PLAIN_SPEED
    assert replace(LEAST, speed=123).nodes_per_second == 123
    assert games()["connect4"].nodes_per_second == COMPILED_SPEED


def test_a_game_without_a_solver_has_no_proofs() -> None:
    """A game without a solver has no exact solver and no proofs."""
    assert LEAST.solver(Connect4()) is None
    assert LEAST.prove(Connect4().start(), seconds=1.0) is None


def test_a_game_has_no_threats_by_default() -> None:
    """By default a game has no threats in any position."""
    assert LEAST.threats_in(replay(Connect4(), Connect4().moves("414141"))) == ()
    assert games()["connect4"].threats_in(replay(Connect4(), Connect4().moves("41414")))


def test_sequences_are_counted_by_playing_them() -> None:
    """By default sequences are counted by the rules; a finished game has only the empty one."""
    start = Connect4(4, 4).start()
    assert [LEAST.count_sequences(start, depth) for depth in range(4)] == [1, 4, 16, 64]
    over = replay(Connect4(), Connect4().moves("1212121"))
    assert [LEAST.count_sequences(over, depth) for depth in (0, 1)] == [1, 0]


def test_variants_share_one_size_class_by_default() -> None:
    """By default all variants share one size class, the game's key; a game can define others."""
    assert LEAST.class_of(Connect4(5, 4)) == "plain"
    assert games()["connect4"].class_of(Connect4(5, 4)) == "connect4-small"


def test_data_is_beside_the_package() -> None:
    """A data folder is found beside the package that the game names as its home."""
    assert (LEAST.folder("ladders") / "connect4-small.csv").is_file()


def test_parts_can_be_limited_to_those_for_searching() -> None:
    """A package names all its compiled parts, or only those that a search needs."""
    parts = (
        KernelPart("one", "One", (), seconds=1.0),
        KernelPart("two", "Two", (), seconds=1.0, for_search=False),
    )
    package = replace(LEAST, parts=parts)
    assert package.part_names() == ("one", "two")
    assert package.part_names(for_search_only=True) == ("one",)


def test_the_correction_of_an_estimate_depends_on_result_and_length() -> None:
    """More is taken away for wins and, with these figures, less in short games."""
    calibration = Calibration(base=10.0, won=100.0, short=-200.0, deviation=50.0)
    assert calibration.corrected(1000.0, 1.0, 20) == 900.0
    assert calibration.corrected(1000.0, 0.5, 20) == 950.0
    assert calibration.corrected(1000.0, 0.0, 10) == 1010.0
