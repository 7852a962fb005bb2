"""The texts for players."""

from __future__ import annotations

import ast
import dataclasses
import re
import string
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from discord import app_commands

from bot.i18n import LANGUAGES, REGIONS, needed_by, optional_for, say_for, say_in
from engine.core.plan import PlanKind
from engine.core.reason import ReasonKind
from engine.core.registry import games
from engine.core.threat import ThreatKind
from engine.strength.roster import agents_for
from engine.study.advice import Effect
from engine.study.move_class import Fault, MoveClass, Praise
from engine.study.puzzles import PuzzleKind
from engine.study.themes import Theme
from renderers import THEMES, AltPhrases
from tests.bot.present import FEATURES
from tests.bot.support.command_tree import group_of
from tests.builders import ROOT

FILES = sorted(
    path
    for folder in (
        ROOT / "bot/i18n",
        *(ROOT / "bot/features").iterdir(),
        *(game.folder("texts") for game in games().values()),
    )
    for path in folder.glob("*.po")
)


def fields(text: str) -> set[str]:
    """The names of the fields of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


EITHER = {"either": "moves"}
"""Fields that are the same list, joined by "or" in one language and by "and" in another."""


def list_fields(text: str) -> set[str]:
    """The names of the fields of a text, with one name for the same list."""
    return {EITHER.get(name, name) for name in fields(text)}


def remark_numbers(key: str, text: str) -> set[str]:
    """The numbers that a game's remark can count, which may have words."""
    return fields(text) if key.startswith("remark.") else set()


HELPERS = (
    *("action", "begins", "clock", "command", "count", "first", "hint_level", "level", "mark"),
    *("move", "opening", "option", "page", "short", "variant"),
    *("reply", "turn", "where", "whose"),
)
"""Kinds of texts with keys that functions put together from an argument."""
VOCABULARY = {
    *("one", "two", "few", "many", "other", "name", "description", "help"),
    *ThreatKind,
    *MoveClass,
    *Praise,
    *Fault,
    *ReasonKind,
    *PlanKind,
    *Effect,
    *PuzzleKind,
    *Theme,
    *(name for key in games() for name in agents_for(key)),
    *(command.name for game in games().values() for command in game.commands),
    *(command.text for game in games().values() for command in game.commands),
    *(variant for game in games().values() for variant in game.variants),
    *(name for game in games().values() for name in game.calibrations),
    *(remark for game in games().values() for remark in game.remarks),
    *(one.name for one in dataclasses.fields(AltPhrases)),
    *(word for theme in THEMES for word in (theme, *theme.split("-"))),
    *(name for text in say_in("en").texts.items() for name in remark_numbers(*text)),
}
"""Parts of keys that do not occur in the bot's code."""


NAMING = {
    "refusal.not_in_that_game": "statistics",
    "refusal.damaged_game": "statistics",
    "refusal.nothing_to_review": "statistics",
    "refusal.nothing_to_replay": "statistics",
}
"""Texts that name a command of another package, with the feature that it belongs to."""

VARIED = {"hint": "hints"}
"""Kinds of texts that games may vary, with the feature that says them."""


def catalogue(path: Path) -> dict[str, str]:
    """The texts of one file by their keys."""
    with path.open("rb") as file:
        return {str(one.id): str(one.string) for one in read_po(file) if one.id}


@cache
def written_keys() -> tuple[set[str], list[re.Pattern[str]]]:
    """The strings in the bot's code, and the patterns of keys that are put together there."""
    whole, forms = set(), {rf"(?:{'|'.join(HELPERS)})\.(.+)"}
    for script in (ROOT / "bot/local").glob("*.js"):
        named = re.findall(r'\bsay\("(\w+)"', script.read_text("utf-8"))
        whole |= {f"page.{name}" for name in named}
    for path in (ROOT / "bot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                parts = (one.value if isinstance(one, ast.Constant) else "" for one in node.values)
                form = "".join(re.escape(str(part)) or "(.+)" for part in parts)
                forms.add(form)
    return whole, [re.compile(form) for form in forms if re.match(r"[a-z_?:|()]+\\?\.", form)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    """Each language has the same keys with the same fields, and no text is empty."""
    english, other = say_in("en").texts, say_in(language).texts
    assert english.keys() == other.keys()
    for key, text in english.items():
        assert other[key].strip()
        assert list_fields(text) == list_fields(other[key]), key


def test_every_key_in_the_code_has_a_text() -> None:
    """Every key that occurs in full in the code has a text."""
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "bot").rglob("*.py"))
    keys = set(re.findall(r"""\b(?:say|localized)\(\s*"([a-z_0-9.]+)\"""", code))
    assert len(keys) > 20
    assert keys <= say_in("en").texts.keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", games())
def test_every_game_has_its_texts(key: str, language: str) -> None:
    """Each game has texts for its name, commands, options, help and players."""
    say, group = say_in(language), group_of(key)
    assert set(needed_by(games()[key], say.texts)) <= say.texts.keys()
    assert all(say.agent(key, name) for name in agents_for(key))
    for made in group.commands:
        assert say(say.key("command", key, f"{made.extras['name']}.name"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", games())
def test_a_game_defines_texts_of_its_own_only(key: str, language: str) -> None:
    """The key of each text in a game's folder contains the game's key, so games never clash."""
    texts = catalogue(games()[key].folder("texts") / f"{language}.po")
    assert len(texts) > 10
    assert all(key in text.split(".") for text in texts)


@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}-{path.stem}"
)
def test_no_catalogue_repeats_a_key(path: Path) -> None:
    """Each key occurs once in a file."""
    keys = re.findall(r'(?m)^msgid "(.+)"$', path.read_text("utf-8"))
    assert sorted(keys) == sorted(catalogue(path))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_unused(language: str) -> None:
    """Every text is used: its key, or a pattern that matches its key, occurs in the code."""
    whole, forms = written_keys()
    needed = {key for game in games().values() for key in needed_by(game, say_in("en").texts)}
    needed |= {key for game in games().values() for key in optional_for(game)}
    words = {word for text in (*whole, *VOCABULARY) for word in re.split(r"[._-]", text)}
    words |= games().keys()
    # The page's scripts get its texts by these names.
    for script in (ROOT / "bot/local").glob("*.js"):
        words.update(re.findall(r"\w+", script.read_text("utf-8")))

    def is_present(key: str) -> bool:
        return VARIED.get(key.split(".")[0], "") in {"", *FEATURES}

    def is_used(key: str) -> bool:
        found = (form.fullmatch(key) for form in forms)
        rests = [re.split(r"[._-]", ".".join(one.groups())) for one in found if one is not None]
        return key in whole | needed or any(words.issuperset(rest) for rest in rests)

    keys = [key for key in say_in(language).texts if is_present(key)]
    assert [key for key in keys if not is_used(key)] == []


def test_every_refusal_has_a_text() -> None:
    """Every refusal key has a text."""
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "bot").rglob("*.py"))
    reasons = set(re.findall(r"""Refusal\(\s*"([a-z_]+)\"""", code))
    assert len(reasons) > 8
    assert {f"refusal.{reason}" for reason in reasons} <= say_in("en").texts.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_name_commands_as_the_reader_sees_them(language: str) -> None:
    """A command in a text has the name that Discord shows in that language."""
    texts = say_in(language).texts
    groups = {texts[f"command.{key}.name"] for key in (*games(), "lab")} | {"{game}", "{other}"}
    commands = {text for key, text in texts.items() if re.fullmatch(r"command\..*\.name", key)}
    named = [
        found
        for key, text in texts.items()
        if NAMING.get(key, "") in {"", *FEATURES}
        for found in re.findall(r"(?<!\w)/(\w+|\{[a-z]+\})(?: (\w+))?", text)
    ]
    if {"analysis", "hints", "league", "lessons", "statistics"} <= FEATURES:
        # Without one of these features, fewer texts name commands.
        assert len(named) > 10
    assert {first for first, _ in named} <= commands | groups
    assert {second for first, second in named if first in groups and second} <= commands


def test_a_missing_text_is_an_error() -> None:
    """Asking for a key that does not exist raises an error."""
    with pytest.raises(KeyError):
        say_in("en")("no.such.key")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("en-US", "en"), ("en-GB", "en"), ("es-ES", "es"), ("es-419", "es"), ("fr", "en"), ("", "en")],
)
def test_a_locale_finds_its_language(locale: str, language: str) -> None:
    """Every Spanish locale uses the Spanish texts, and an unknown locale the English ones."""
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
    """Numbers use the separators of the region; Latin America's are the English ones."""
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
def test_counted_texts_have_plurals(number: int, english: str, spanish: str) -> None:
    """A count of one and other counts have different texts."""
    assert say_in("en").count("nodes", number) == english
    assert say_in("es").count("nodes", number) == spanish


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_counted_has_a_general_form(language: str) -> None:
    """Every counted text is a plural form, and the form for all other numbers exists."""
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
    """A duration has at most two units and is rounded; below a minute it has useful decimals."""
    assert say_in("en").duration(seconds) == english
    assert say_in("es").duration(seconds) == spanish


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_and_options_fit_discord(language: str) -> None:
    """Names are lower case without spaces, descriptions and choices have at most 100 characters."""
    names = descriptions = 0
    for key, text in say_in(language).texts.items():
        if re.fullmatch(r"(command|option)\..*\.name", key):
            assert re.fullmatch(r"[\w-]{1,32}", text), key
            assert text == text.lower(), key
            names += 1
        elif re.match(r"(command|option|level|first|clock|whose|where|privacy|pings|menu)\.", key):
            assert len(text) <= 100, key
            descriptions += 1
    assert min(names, descriptions) > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_of_a_command_have_names_of_their_own(language: str) -> None:
    """No command has two options of the same name, which Discord would refuse."""
    say = say_in(language)
    named = 0
    for family in games():
        for made in group_of(family).commands:
            assert isinstance(made, app_commands.Command)
            options = [one._rename for one in made._params.values()]
            names = [say(one.extras["key"]) for one in options]
            assert len(set(names)) == len(names)
            named = max(named, len(names))
    assert named > 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_name_means_one_command(language: str) -> None:
    """No two commands of a game have the same name."""
    say = say_in(language)
    for family in games():
        made = [one.extras["name"] for one in group_of(family).commands]
        names = [say(say.key("command", family, f"{name}.name")) for name in made]
        assert len(set(names)) == len(names) > 5
