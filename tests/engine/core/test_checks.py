"""The checks that a game's package is complete."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from engine.core import compiled, installed, registry
from engine.core.checks import IncompleteGame, check, check_all
from engine.core.package import GamePackage, KernelPart, MoveCommand, PuzzleSettings, Ref
from engine.core.registry import games
from engine.games.boom import GAME as BOOM
from engine.games.connect4 import GAME as CONNECT4
from engine.games.gato import GAME as GATO
from engine.games.gato.rules import Gato


def part(*modules: str) -> KernelPart:
    """A part with these modules."""
    return KernelPart("more", "More", modules, seconds=1.0)


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "short key": ({"key": "g"}, "key: two to sixteen"),
    "shouted key": ({"key": "GATO"}, "key: two to sixteen"),
    "usual": ({"usual": "5x5"}, "usual: 5x5 is none of the variants"),
    "variants": ({"variants": ("4x4", "5x5")}, "variants: 5x5 cannot be read"),
    "another text": (
        {"from_variant": lambda _text: Gato(), "variants": ("4x4", "4X4")},
        "variants: 4X4 is read as 4x4",
    ),
    "ladder": ({"size_class": lambda _game: "huge"}, "ladder: ladders/huge.csv does not exist"),
    "kernel": ({"kernel": Ref("engine.games.gato.core:load")}, "kernel: there is no module"),
    "package": ({"sight": Ref("nowhere.kernel:sight")}, "sight: there is no module nowhere.kernel"),
    "compiled module": (
        {"parts": (part("engine.games.gato.compiled.none"),)},
        "parts: there is no module engine.games.gato.compiled.none",
    ),
    "compiled folder": (
        {"parts": (part("engine.games.gato.rules"),)},
        "parts: engine.games.gato.rules is in no folder `compiled`",
    ),
    "no command": ({"commands": ()}, "commands: none of them writes the move a"),
    "number": (
        {"commands": (MoveCommand("place", "square", is_number=True),)},
        "commands: none of them writes the move a",
    ),
    "place": ({"place": None}, "code: a code number and `place` go together"),
    "code": ({"code": None}, "code: a code number and `place` go together"),
    "puzzles": ({"puzzles": PuzzleSettings(("5x5",))}, "puzzles: 5x5 is none of the variants"),
    "lesson": (
        {"courses": CONNECT4.courses[:1]},
        "lessons: line has 6x7, which is no variant",
    ),
    "calibration": (
        {"calibrations": CONNECT4.calibrations},
        "calibrations: no variant is of the size class connect4-classic",
    ),
}


@pytest.mark.parametrize("package", games().values(), ids=games())
def test_every_registered_game_is_complete(package: GamePackage) -> None:
    """The checks find no problem in a registered game."""
    check(package)


@pytest.mark.parametrize(("changed", "message"), BROKEN.values(), ids=BROKEN)
def test_a_missing_part_is_one_sentence(changed: dict[str, Any], message: str) -> None:
    """The error names the game, the part and what is missing, in one line."""
    package = replace(GATO, **changed)
    with pytest.raises(IncompleteGame) as caught:
        check(package)
    text = str(caught.value)
    assert text.startswith(f"{package.key}: {message}")
    assert "\n" not in text


def test_a_ladder_has_every_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ladder without some levels is refused with their names; so is a puzzle without a file."""
    home = tmp_path / "halfgame"
    shutil.copytree(GATO.folder("ladders"), home / "ladders")
    (home / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    package = replace(GATO, home="halfgame")
    with pytest.raises(IncompleteGame, match=r"^gato: puzzles: puzzles/gato-4x4.csv does not"):
        check(package)
    ladder = home / "ladders" / "gato.csv"
    ladder.write_text(ladder.read_text("utf-8").replace("easy", "").replace("expert", ""), "utf-8")
    with pytest.raises(IncompleteGame, match=r"^gato: ladder: ladders/gato.csv has no easy, exp"):
        check(package)


def test_a_move_has_a_button_that_fits() -> None:
    """More than twenty buttons, or more than four rows of them, are refused."""

    class DoubledGato(Gato):
        """Gato with every square twice."""

        def buttons(self) -> Any:
            return (*super().buttons(), *super().buttons())

    with pytest.raises(IncompleteGame, match="gato: buttons: at most 20 in 4 rows"):
        check(replace(GATO, from_variant=lambda _text: DoubledGato()))


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"key": "gato"}, "gato: key: gato is taken by another game"),
        ({"code": 1}, "boom: code: 1 is taken by another game"),
        ({"parts": GATO.parts}, "boom: parts: gato is taken by another game"),
        ({}, "boom: code: 2 is not in 16 to 31"),
        ({"code": 32}, "boom: code: 32 is not in 16 to 31"),
    ],
    ids=["key", "code", "part", "numbers of ours", "too high"],
)
def test_games_do_not_clash(second: dict[str, Any], message: str) -> None:
    """Keys, codes and parts are unique; other distributions have code numbers of their own."""
    with pytest.raises(IncompleteGame) as caught:
        check_all((GATO, replace(BOOM, **second)), shipped=1)
    assert str(caught.value) == message


def test_games_can_have_no_code() -> None:
    """Any number of games can have no code number."""
    check_all((GATO, replace(BOOM, code=None, place=None)), shipped=1)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import nothing_of_this_name", "other: package: it cannot be imported: No module named"),
        ("GAME = 3", "other: package: othergame:GAME is no GamePackage"),
        ("", "other: package: it cannot be imported: module 'othergame' has no attribute 'GAME'"),
    ],
    ids=["import", "value", "name"],
)
def test_an_unimportable_game_is_named(
    source: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed game that cannot be imported is named; if left out, it is not imported."""
    (tmp_path / "othergame.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "othergame", raising=False)
    entry = EntryPoint("other", "othergame:GAME", installed.GROUP)
    monkeypatch.setattr(installed, "entry_points", lambda group: (entry,))
    monkeypatch.delenv(installed.WITHOUT, raising=False)
    with pytest.raises(IncompleteGame) as caught:
        registry.games.__wrapped__()
    assert str(caught.value).startswith(message)
    monkeypatch.setenv(installed.WITHOUT, "popout, other")
    assert list(registry.games.__wrapped__()) == ["connect4", "gato", "boom"]


def test_digests_cover_installed_games(tmp_path: Path) -> None:
    """The digest of compiled code includes other distributions' compiled files, and only these."""
    (tmp_path / "compiled").mkdir()
    rules, kernel = tmp_path / "rules.py", tmp_path / "compiled" / "search.py"
    rules.touch()
    alone = compiled.sources_digest(games={})
    assert compiled.sources_digest(games={"othergame": tmp_path}) == alone
    seen = set()
    for text in ("", "A = 1\n"):
        kernel.write_text(text, "utf-8")
        seen.add(compiled.sources_digest(games={"othergame": tmp_path}))
    assert len(seen | {alone}) == 3
    assert compiled.sources_digest(games={"another": tmp_path}) not in seen
    names = [name for _, name in compiled.all_sources({".py"}, games={"othergame": tmp_path})]
    assert names[-2:] == ["othergame:compiled/search.py", "othergame:rules.py"]
