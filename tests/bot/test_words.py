"""The texts that players read."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from bot.words import LANGUAGES, REGIONS, say_for, say_in
from engine.core.registry import games
from engine.strength.roster import agents_for

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
    keys = set(re.findall(r"""\b(?:say|spoken)\(\s*"([a-z_0-9.]+)\"""", code))
    assert len(keys) > 20
    assert keys <= say_in("en").texts.keys()


@pytest.mark.parametrize("key", games())
def test_every_game_can_be_spoken_of(key: str) -> None:
    """Each game has its name, its commands with their options, its help and its players."""
    package = games()[key]
    commands = ["start", "watch", "hint", "undo", "board", "resign", "stats", "help"]
    commands += [verb.name for verb in package.commands]
    options = [verb.option for verb in package.commands if verb.option]
    options += [package.variant_option] if len(package.variants) > 1 else []
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
    groups = {texts[f"command.{key}.name"] for key in (*games(), "privacy")}
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


@pytest.mark.parametrize(
    ("locale", "whole", "half"),
    [
        ("en", "12,345", "0.50"),
        ("en-US", "12,345", "0.50"),
        ("en-GB", "12,345", "0.50"),
        ("es", "12.345", "0,50"),
        ("es-ES", "12.345", "0,50"),
        ("es-419", "12,345", "0.50"),
        ("fr", "12,345", "0.50"),
    ],
)
def test_numbers_are_written_as_the_region_does(locale: str, whole: str, half: str) -> None:
    """Thousands and decimals follow the region: Latin America writes them as English does."""
    say = say_for(locale)
    assert say.number(12345) == whole
    assert say.number(0.5, 2) == half
    assert say.decimal(0.5) == half


def test_regions_share_their_texts() -> None:
    """Only numbers and dates differ between the regions of a language."""
    assert say_for("es-419").texts == say_for("es-ES").texts == say_in("es").texts


@pytest.mark.parametrize("locale", REGIONS)
def test_ratings_have_no_separator(locale: str) -> None:
    """A rating is a whole number, written alike everywhere."""
    assert say_for(locale).rating(1189.6) == "1190"


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [
        (0, "0 nodes", "0 nodos"),
        (1, "1 node", "1 nodo"),
        (1234567, "1,234,567 nodes", "1.234.567 nodos"),
    ],
)
def test_what_is_counted_has_its_plural(number: int, english: str, spanish: str) -> None:
    """One thing has another word than several."""
    assert say_in("en").count("nodes", number) == english
    assert say_in("es").count("nodes", number) == spanish


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_counted_has_a_general_form(language: str) -> None:
    """Each key of a count is a plural form, and the one for every other number exists."""
    say = say_in(language)
    counts = [key.split(".") for key in say.texts if key.startswith("count.")]
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "bot").rglob("*.py"))
    asked = set(re.findall(r"""say\.count\(\s*"([a-z_]+)\"""", code))
    assert {form for _, _, form in counts} <= {"zero", "one", "two", "few", "many", "other"}
    assert asked | {what for _, what, _ in counts} == {
        what for _, what, form in counts if form == "other"
    }


@pytest.mark.parametrize(
    ("seconds", "english", "spanish"),
    [
        (0, "0 s", "0 s"),
        (0.0004, "0.0004 s", "0,0004 s"),
        (0.034, "0.03 s", "0,03 s"),
        (4.2, "4.2 s", "4,2 s"),
        (12.34, "12.3 s", "12,3 s"),
        (59.94, "59.9 s", "59,9 s"),
        (59.96, "1 min", "1 min"),
        (61, "1 min 1 s", "1 min 1 s"),
        (192, "3 min 12 s", "3 min 12 s"),
        (3599.7, "1 h", "1 h"),
        (3900, "1 h 5 min", "1 h 5 min"),
        (86399, "1 day", "1 día"),
        (100000, "1 day 4 h", "1 día 4 h"),
        (172800, "2 days", "2 días"),
        (86400000, "1,000 days", "1.000 días"),
    ],
)
def test_times_are_written_as_people_say_them(seconds: float, english: str, spanish: str) -> None:
    """Two units at most, rounded; below a minute, decimals that say something."""
    assert say_in("en").duration(seconds) == english
    assert say_in("es").duration(seconds) == spanish


COMMANDS = (
    *("start", "watch", "hint", "undo", "board", "resign", "stats", "leaderboard", "history"),
    *("report", "export", "privacy", "pings", "help", "league", "analyze"),
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", games())
def test_help_lists_every_command(language: str, family: str) -> None:
    """A game's help has a line for each of its commands, and is short enough for a message."""
    say = say_in(language)
    game = say(f"command.{family}.name")
    text = "\n".join((say(f"help.{family}"), say("help.every", game=game)))
    verbs = [verb.name for verb in games()[family].commands]
    for command in (*COMMANDS, *verbs):
        assert f"`/{game} {say(f'command.{command}.name')}`" in text
    assert len(text) <= 2000


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_and_options_fit_discord(language: str) -> None:
    """Names are lower case without spaces, descriptions and choices have at most 100 characters."""
    for key, text in say_in(language).texts.items():
        if re.fullmatch(r"(command|option)\..*\.name", key):
            assert re.fullmatch(r"[\w-]{1,32}", text), key
            assert text == text.lower(), key
        elif re.match(r"(command|option|level|first|clock|whose|where|privacy|pings|menu)\.", key):
            assert len(text) <= 100, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_of_a_command_have_names_of_their_own(language: str) -> None:
    """Discord takes no command with two options of one name."""
    say = say_in(language)
    for options in (
        ["level", "opponent", "agent", "first", "clock", "size", "variant", "full_board"],
        ["first_agent", "second_agent", "size", "variant", "full_board"],
        ["played", "code", "size", "variant", "full_board"],
    ):
        names = [say(f"option.{option}.name") for option in options]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_name_means_one_command(language: str) -> None:
    """In each game no two commands go by the same name."""
    say = say_in(language)
    for family in games():
        verbs = [verb.name for verb in games()[family].commands]
        names = [say(f"command.{command}.name") for command in (*COMMANDS, "spoken", *verbs)]
        assert len(set(names)) == len(names)
