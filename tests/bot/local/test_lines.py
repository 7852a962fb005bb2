"""Typed lines: recognised commands, and the answers to other lines."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from bot.app import make_client, open_services
from bot.i18n import LANGUAGES, say_in
from bot.local.typed import Command, Mistyped, commands_of, language_of, listed, read_line
from bot.settings import Settings
from tests.bot.databases import address_of
from tests.bot.present import needs

Commands = tuple[Command, ...]


@pytest.fixture(scope="module")
def commands(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """The commands of the bot, which no line changes."""
    file = Path(copyfile(migrated, tmp_path_factory.mktemp("lines") / "lines.db"))

    async def read() -> Commands:
        settings = Settings(database_url=address_of(file))
        async with open_services(settings) as services, make_client(services) as client:
            return await commands_of(client.tree)

    return asyncio.run(read())


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("/connect4 start", "connect4 start", {}),
        (
            "/connect4 start size:5x4 level:medium",
            "connect4 start",
            {"size": "5x4", "level": "medium"},
        ),
        ("/connect4 start 5x4 hard", "connect4 start", {"size": "5x4", "level": "hard"}),
        ("/connect4  drop   3 ", "connect4 drop", {"column": 3}),
        pytest.param("/privacy show", "privacy", {"action": "show"}, marks=needs("privacy")),
        pytest.param("/privacidad borrar", "privacy", {"action": "delete"}, marks=needs("privacy")),
        ("/connect4 drop column:3", "connect4 drop", {"column": 3}),
        (
            "/lab watch 5x4 easy hard",
            "lab watch",
            {"size": "5x4", "first": "easy", "second": "hard"},
        ),
        ("/connect4 start hard 5x4", "connect4 start", {"level": "hard", "size": "5x4"}),
        pytest.param(
            "/together 40 5x4 gato",
            "together",
            {"seconds": 40, "size": "5x4", "game": "gato"},
            marks=needs("voting"),
        ),
        (
            "/lab ver difícil window-4 gato",
            "lab watch",
            {"first": "hard", "second": "window-4", "game": "gato"},
        ),
        ("/play gato hard", "play", {"game": "gato", "level": "hard"}),
        ("/jugar 5x4 fácil", "play", {"size": "5x4", "level": "easy"}),
        ("/help", "help", {}),
        ("/ayuda juego:boom", "help", {"game": "boom"}),
        ("/connect4 start hard", "connect4 start", {"level": "hard"}),
        ("/connect4 board", "connect4 board", {}),
        ("/CONNECT4 Start LEVEL:Hard", "connect4 start", {"level": "hard"}),
        (
            "/conecta4 empezar tamaño:5x4 nivel:fácil",
            "connect4 start",
            {"size": "5x4", "level": "easy"},
        ),
        ("/conecta4 empezar tamano:5x4", "connect4 start", {"size": "5x4"}),
        ("/conecta4 tablero", "connect4 board", {}),
        pytest.param("/conecta4 estadisticas", "connect4 stats", {}, marks=needs("statistics")),
        ("/gato poner b3", "gato place", {"square": "b3"}),
        ("/boom detonar", "boom explode", {}),
    ],
)
def test_a_typed_line_is_read_as_a_command(
    commands: Commands, text: str, name: str, options: Mapping[str, Any]
) -> None:
    """Options are matched by name or in order, in either language, with or without accents."""
    command = read_line(commands, text, {}, "en-US")
    assert (command.name, dict(command.options)) == (name, options)


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("/", "unknown", "/connect4 start"),
        ("/connect5 start", "unknown", "/connect4"),
        ("/connect4", "no_command", "`start`"),
        ("/connect4 fly", "no_command", "`drop`"),
        ("/connect4 drop", "missing", "/connect4 drop 3"),
        ("/connect4 drop three", "not_a_number", "/connect4 drop 3"),
        ("/connect4 drop abc", "not_a_number", "`abc`"),
        ("/gato place", "missing", "/gato place b3"),
        ("/connect4 start level:foo", "not_a_choice", "`medium`"),
        pytest.param("/connect4 hint level:foo", "not_a_choice", "`threat`", marks=needs("hints")),
        ("/connect4 start colour:red", "no_option", "`level`"),
        pytest.param("/together seconds:1", "out_of_range", "not `1`", marks=needs("voting")),
        ("/connect4 board now", "nothing_to_add", "/connect4 board"),
        ("/connect4 drop 3 4", "too_much", "`4`"),
        ("/connect4 start opponent:nobody", "nobody", "`nobody`"),
    ],
)
def test_other_lines_are_answered_with_what_to_type(
    commands: Commands, text: str, key: str, said: str
) -> None:
    """Each kind of mistake has an answer that says what to type instead."""
    with pytest.raises(Mistyped) as caught:
        read_line(commands, text, {}, "en-US")
    assert caught.value.key == key
    for language in LANGUAGES:
        assert say_in(language)(f"typed.{key}", **caught.value.details)
    assert said in say_in("en")(f"typed.{key}", **caught.value.details)


@pytest.mark.parametrize(
    ("line", "locale", "spoken"),
    [
        ("/connect4 fly", "en-US", "en"),
        ("/conecta4 volar", "en-US", "es"),
        ("/connect4 fly", "es-419", "en"),
        ("/gato fly", "es-419", "es-419"),
        ("/gato volar", "en-US", "en-US"),
        ("/", "es-419", "es-419"),
    ],
)
def test_a_line_is_answered_in_the_language_it_is_typed_in(
    commands: Commands, line: str, locale: str, spoken: str
) -> None:
    """A line is answered in the language of the game's name, if that name exists in one alone."""
    assert language_of(commands, line, locale) == spoken


def test_the_page_completes_commands_from_what_is_registered(commands: Commands) -> None:
    """The page's list has every command, with its options and choices."""
    found = {one["titles"]["en"]: one for one in listed(commands, ["Ana", "Bruno"])}
    assert len(found) == len(commands)
    start = found["/connect4 start"]
    assert start["titles"]["es"] == "/conecta4 empezar"
    options = {option["name"]: option for option in start["options"]}
    assert options["size"]["suggested"]
    assert options["size"]["names"] == {"en": "size", "es": "tamaño"}
    words = [choice["words"] for choice in options["level"]["choices"]]
    assert {"en": "hard", "es": "difícil"} in words
    people = [choice["words"]["es"] for choice in options["opponent"]["choices"]]
    assert people == ["Ana", "Bruno"]
    for one in found.values():
        for option in one["options"]:
            for choice in option["choices"]:
                assert not any(" " in word for word in choice["words"].values())
