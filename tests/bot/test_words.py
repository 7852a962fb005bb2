"""The texts that players read."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from bot.discord.dialects import dialect_of
from bot.words import LANGUAGES, say_for, say_in
from engine.games import FAMILIES
from engine.roster import agents_for

ROOT = Path(__file__).parents[2]


def fields(text: str) -> set[str]:
    """The names of the fields of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    """Each language has the same keys with the same fields, and no text is empty."""
    english, other = say_in("en").texts, say_in(language).texts
    assert english.keys() == other.keys()
    for key, text in english.items():
        assert other[key].strip()
        assert fields(text) == fields(other[key]), key


def test_every_key_in_the_code_has_a_text() -> None:
    """Every text that the code asks for by a whole key exists."""
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "bot").rglob("*.py"))
    keys = set(re.findall(r"""(?:say|spoken)\(\s*"([a-z_0-9.]+)\"""", code))
    assert len(keys) > 20
    assert keys <= say_in("en").texts.keys()


@pytest.mark.parametrize("key", FAMILIES)
def test_every_game_can_be_spoken_of(key: str) -> None:
    """Each game has its name, its commands with their options, its help and its players."""
    dialect = dialect_of(key)
    commands = ["start", "watch", "hint", "undo", "board", "resign", "stats", "help"]
    commands += [verb.name for verb in dialect.verbs]
    options = [verb.option for verb in dialect.verbs if verb.option]
    options += [dialect.variant] if len(FAMILIES[key].variants) > 1 else []
    wanted = {f"game.{key}", f"help.{key}", *(f"level.{name}" for name in agents_for(key))}
    for kind, names in (("command", [key, *commands]), ("option", options)):
        wanted |= {f"{kind}.{name}.{part}" for name in names for part in ("name", "description")}
    assert wanted <= say_in("en").texts.keys()


def test_every_refusal_has_a_text() -> None:
    """Every reason for refusing a request can be told."""
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "bot").rglob("*.py"))
    reasons = set(re.findall(r"""Refusal\(\s*"([a-z_]+)\"""", code))
    assert len(reasons) > 8
    assert {f"refusal.{reason}" for reason in reasons} <= say_in("en").texts.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_name_commands_as_the_reader_sees_them(language: str) -> None:
    """A command in a text has the names that Discord shows in that language."""
    texts = say_in(language).texts
    groups = {texts[f"command.{key}.name"] for key in FAMILIES}
    commands = {text for key, text in texts.items() if re.fullmatch(r"command\..*\.name", key)}
    named = [
        found for text in texts.values() for found in re.findall(r"/(\w+|\{game\}) (\w+)", text)
    ]
    assert len(named) > 10
    assert {first for first, _ in named} - {"{game}"} <= groups
    assert {second for _, second in named} <= commands


def test_a_missing_text_is_an_error() -> None:
    """A key that does not exist is no text of its own."""
    with pytest.raises(KeyError):
        say_in("en")("no.such.key")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("en-US", "en"), ("en-GB", "en"), ("es-ES", "es"), ("es-419", "es"), ("fr", "en"), ("", "en")],
)
def test_a_locale_finds_its_language(locale: str, language: str) -> None:
    """Any Spanish is Spanish; what is not spoken here is English."""
    assert say_for(locale).language == language


def test_numbers_are_written_as_the_language_does() -> None:
    """Thousands and decimals follow the language."""
    assert say_in("en").number(12345) == "12,345"
    assert say_in("es").number(12345) == "12.345"
    assert say_in("en").number(0.5, 2) == "0.50"
    assert say_in("es").number(0.5, 2) == "0,50"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.00 s"), (0.0004, "0.0004 s"), (0.034, "0.03 s"), (59.5, "59.50 s"), (61, "1 min 01 s")],
)
def test_times_are_short(seconds: float, text: str) -> None:
    """Small times keep digits that say something, long ones become minutes."""
    assert say_in("en").duration(seconds) == text
