"""The texts that games bring: their location and their completeness."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from bot.i18n import LANGUAGES, check_texts, check_texts_of, key_in, merged, needed_by, say_in
from engine.core.checks import IncompleteGame
from engine.core.package import GamePackage
from engine.core.registry import games
from tests.builders import ROOT


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GamePackage:
    """Gato as a game of another distribution, with its texts in that distribution's folder."""
    gato = games()["gato"]
    for language in LANGUAGES:
        text = (gato.folder("texts") / f"{language}.po").read_text("utf-8")
        _write(tmp_path, language, text.replace("gato.", "noughts.").replace(".gato", ".noughts"))
    (tmp_path / "noughts" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "noughts", raising=False)
    return replace(gato, key="noughts", home="noughts")


def _write(folder: Path, language: str, text: str) -> None:
    path = folder / "noughts" / "texts" / f"{language}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _change(folder: Path, language: str, old: str, new: str) -> None:
    path = folder / "noughts" / "texts" / f"{language}.po"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_every_registered_game_has_its_texts() -> None:
    """All games that ship with the bot pass the startup check of texts."""
    check_texts()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_of_another_distribution_brings_its_texts(game: GamePackage, language: str) -> None:
    """The texts of another distribution's game are read from its own folder."""
    texts = merged(language, [*games().values(), game])
    check_texts_of(game, language, texts)
    assert texts["game.noughts"] == texts["game.gato"]
    assert texts.items() >= say_in(language).texts.items()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_missing_text_is_named(game: GamePackage, language: str) -> None:
    """If a needed text is missing, the message names game, language and key."""
    texts = dict(merged(language, [game]))
    needed = set(needed_by(game, texts))
    assert {"game.noughts", "expected.noughts", "command.noughts.place.name"} <= needed
    assert {"refusal.illegal.noughts.taken", "button.begin.noughts.auto"} <= needed
    for key in needed:
        without = {other: text for other, text in texts.items() if other != key}
        with pytest.raises(IncompleteGame) as caught:
            check_texts_of(game, language, without)
        shared = key_in({}, *_parts(key))
        assert str(caught.value) in {
            f"noughts: texts: {language}.po has no {name}" for name in (key, shared)
        }


def _parts(key: str) -> tuple[str, str, str]:
    """Kind, game and name of a text's key."""
    kind, _, name = key.partition(".noughts")
    return kind, "noughts", name.removeprefix(".")


def test_lessons_remarks_and_effects_need_texts() -> None:
    """A game's lessons, remarks and board effects need texts."""
    boom = set(needed_by(games()["boom"], say_in("en").texts))
    assert {"remark.boom.bomb_in", "hint.area.boom.explode"} <= boom
    connect4 = set(needed_by(games()["connect4"], say_in("en").texts))
    assert {"lesson.connect4.parity.ask", "menu.challenge.connect4"} <= connect4


def test_an_empty_text_is_missing(game: GamePackage, tmp_path: Path) -> None:
    """An empty translation stops the start like a missing one."""
    name = 'msgid "game.noughts"\nmsgstr "{}"'
    _change(tmp_path, "es", name.format("Gato 4x4"), name.format(""))
    with pytest.raises(IncompleteGame, match=r"noughts: texts: es.po has no game.noughts"):
        check_texts_of(game, "es", merged("es", [game]))


@pytest.mark.parametrize("key", ["refusal.no_game", "game.gato"])
def test_a_game_cannot_replace_other_texts(game: GamePackage, tmp_path: Path, key: str) -> None:
    """A game's text with a key of the bot or of another game is refused, and its owner named."""
    name = 'msgid "game.noughts"'
    _change(tmp_path, "en", name, f'msgid "{key}"\nmsgstr "?"\n\n{name}')
    owner = "the bot" if key.startswith("refusal") else "gato"
    with pytest.raises(IncompleteGame, match=f"noughts: texts: en.po repeats {key}, .* {owner}"):
        merged("en", [*games().values(), game])


def test_a_language_that_is_missing_is_named(game: GamePackage, tmp_path: Path) -> None:
    """If a game lacks a language, the message says where its file is expected."""
    path = tmp_path / "noughts" / "texts"
    (path / "es.po").unlink()
    with pytest.raises(IncompleteGame) as caught:
        merged("es", [game])
    assert str(caught.value) == f"noughts: texts: there is no es.po in {path}"


@pytest.mark.parametrize("text", ['msgid "game', "msgid", "\udcff"])
def test_a_damaged_file_is_named(game: GamePackage, tmp_path: Path, text: str) -> None:
    """A damaged catalogue stops the start and is named."""
    path = tmp_path / "noughts" / "texts" / "en.po"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(IncompleteGame, match=r"noughts: texts: en.po cannot be read"):
        merged("en", [game])


def test_own_texts_come_before_shared_ones() -> None:
    """For commands, options and refusals a game's own text is preferred to the shared one."""
    texts = say_in("en").texts
    assert key_in(texts, "command", "gato", "place.name") == "command.gato.place.name"
    assert key_in(texts, "command", "boom", "drop.name") == "command.drop.name"
    assert key_in(texts, "refusal.illegal", "boom", "full") == "refusal.illegal.full"


def test_the_wheel_has_the_texts() -> None:
    """Every data file of a game has a suffix that pyproject.toml includes in the wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shipped = {
        path
        for package, patterns in project["tool"]["setuptools"]["package-data"].items()
        for pattern in patterns
        for path in (ROOT / package).glob(pattern)
    }
    for package in games().values():
        folders = map(package.folder, ("ladders", "puzzles", "texts"))
        present = {path for folder in folders for path in folder.glob("*.*")}
        assert {path.name for path in present} >= {"en.po", "es.po"}
        assert present <= shipped
    catalogues = {*(ROOT / "bot/i18n").glob("*.po"), *(ROOT / "bot/features").glob("*/*.po")}
    assert len(catalogues) > 2 * len(LANGUAGES)
    assert catalogues <= shipped
