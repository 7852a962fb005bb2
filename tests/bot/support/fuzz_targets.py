"""Readers of external input, each with its documented errors."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.board.setups import other_seat
from bot.discord.routes import row_id
from bot.game.clocks import NotATimeControl, parse_control
from bot.game.refusal import Refusal
from bot.i18n import LONGEST_MESSAGE, cleaned, escaped, fitting, in_code, quoted
from bot.local.client import LANGUAGE
from bot.local.typed import Mistyped, language_of, read_line
from bot.sessions.sessions import known_agent
from bot.settings import Settings, SettingsError
from bot.show.texts import size_from_text
from engine.core.game import IllegalMove, NotAMove, UnknownVariant, replay
from engine.core.registry import game_of, games
from engine.strength.roster import LEVELS
from tests.bot.support.command_tree import routes, typed_commands
from tests.bot.support.fuzz_texts import MAX_CUSTOM_ID, Texts

KEYS = tuple(games())
MOVES = {"connect4": ("1", "7"), "gato": ("a1", "D4", "b3"), "boom": ("1", "7", "B")}
CODES = {"connect4": ("4453", "1212121"), "gato": ("a1b2c3",), "boom": ("443346146116B",)}
SIZES = ("6x7", "8x8", "4x4", "7x7-draw", "5×4", "all", "small", "classic", "grandes")
CUSTOM_IDS = (
    "cuatro:move:12:3:4", "cuatro:move:12:3:B", "cuatro:hint:12", "cuatro:undo:12",
    "cuatro:more:12:3:2", "cuatro:takeback:7", "cuatro:rematch:12", "cuatro:why:3",
    "cuatro:review:3", "cuatro:accept:9",
    "cuatro:undo:decline:9", "cuatro:draw:accept:9", "cuatro:step:forward:12:5",
    "cuatro:page:history:connect4:2:1456074443980800012:small",
    "cuatro:page:server:gato:0:1456074443980800007:by1456074443980800012",
    "cuatro:page:everywhere:boom:9999:0:all:by1", "cuatro:open:connect4", "cuatro:watched:boom",
    "cuatro:begin:connect4:easy", "cuatro:help:gato", "cuatro:forget:1456074443980800012",
    "cuatro:language:es",
)  # fmt: skip
LINES = (
    "/connect4 start size:5x4 level:medium", "/connect4 start 5x4 hard", "/connect4 drop 3",
    "/conecta4 empezar 5x4 medio", "/gato place b3", "/boom explode", "/boom drop columna:4",
    "/lab watch 5x4 easy hard", "/connect4 start opponent:ana clock:5m", "/privacy show",
    "/stats gato size:small", "/connect4", "/", "hello",
)  # fmt: skip
SETTINGS = {
    "CUATRO_LIMIT_HINTS": ("5/60", "off"), "CUATRO_PORT": ("8440",), "CUATRO_WORKERS": ("2",),
    "DATABASE_URL": ("sqlite+aiosqlite:///cuatro.db",), "CUATRO_LOG_LEVEL": ("INFO",),
    "DISCORD_API_URL": ("http://localhost:80/api/v10",), "DISCORD_TOKEN": ("a.b.c",),
}  # fmt: skip
LOCALES = ("en-US", "es-419", "fr", "")


@dataclass(frozen=True, slots=True)
class Target:
    """A reader of external input."""

    name: str
    read: Callable[[Texts, Random], object]
    """Reads one random input."""
    documented: tuple[type[Exception], ...] = ()
    """The exceptions that refuse an input."""


def _moves(texts: Texts, rng: Random) -> object:
    """A move by command: text, or a number from Discord."""
    family = rng.choice(KEYS)
    game = games()[family].from_variant(rng.choice(games()[family].variants))
    text = str(texts.number()) if rng.random() < 0.3 else texts.like(MOVES[family])
    position = game.start()
    for _ in range(rng.randint(0, 6)):
        if position.outcome is None:
            position = position.play(rng.choice(position.legal_moves()))
    return position.play(game.parse(text))


def _codes(texts: Texts, rng: Random) -> object:
    family = rng.choice(KEYS)
    game = games()[family].from_variant(games()[family].usual)
    return replay(game, game.moves(texts.like(CODES[family])))


def _variants(texts: Texts, rng: Random) -> object:
    return game_of(rng.choice(KEYS), texts.like(SIZES))


def _sizes(texts: Texts, rng: Random) -> object:
    return size_from_text(rng.choice(KEYS), texts.like(SIZES))


def _levels(texts: Texts, rng: Random) -> object:
    return known_agent(rng.choice(KEYS), texts.like((*LEVELS, "auto", "window-6", "tuples")))


def _clocks(texts: Texts, _rng: Random) -> object:
    return parse_control(texts.like(("30s", "5m", "1h", "7d", "30d")))


def _seats(texts: Texts, rng: Random) -> object:
    def maybe(value: object) -> Any:
        return value if rng.random() < 0.5 else None

    return other_seat(maybe(texts.like(("easy", "hard"))), maybe(texts.number()))


def _custom_ids(texts: Texts, _rng: Random) -> object:
    """A custom id that Discord accepts, read by all routes."""
    custom_id = texts.like(CUSTOM_IDS)[:MAX_CUSTOM_ID]
    read: list[object] = []
    for ids in (*(route.ids for route in routes()), LANGUAGE):
        given = ids.read(custom_id)
        if given is not None:
            read.append(given)
            numbers = [value for value in given.values() if isinstance(value, int)]
            assert all(number < 2**64 for number in numbers), custom_id
    assert len(read) < 2, custom_id
    return read[0] if read else _refuse("unknown_button")


def _values(texts: Texts, _rng: Random) -> object:
    found = row_id(texts.like(("1", "4711", "999999999999999")))
    assert 0 <= found < 2**63
    return found or _refuse("not_in_that_game")


def _lines(texts: Texts, rng: Random) -> object:
    commands, line = typed_commands(), texts.like(LINES)
    return read_line(commands, line, {}, language_of(commands, line, rng.choice(LOCALES)))


def _settings(texts: Texts, rng: Random) -> object:
    name = rng.choice(tuple(SETTINGS))
    return Settings.read({name: texts.like(SETTINGS[name])})


def _echoes(texts: Texts, _rng: Random) -> object:
    """Text of a user in a response."""
    text = texts.anything()
    for made in (cleaned(text), quoted(text), in_code(text), fitting(text), escaped(text[:500])):
        assert len(made) <= LONGEST_MESSAGE
    return quoted(text).encode()


def _refuse(key: str) -> None:
    raise Refusal(key)


TARGETS = (
    Target("moves", _moves, (NotAMove, IllegalMove)),
    Target("codes of games", _codes, (NotAMove, IllegalMove)),
    Target("variants", _variants, (UnknownVariant,)),
    Target("sizes of statistics", _sizes, (Refusal,)),
    Target("levels and agents", _levels, (Refusal,)),
    Target("time controls", _clocks, (NotATimeControl,)),
    Target("seats", _seats, (Refusal,)),
    Target("custom ids", _custom_ids, (Refusal,)),
    Target("values of menus", _values, (Refusal,)),
    Target("typed lines", _lines, (Mistyped,)),
    Target("settings", _settings, (SettingsError,)),
    Target("echoes", _echoes),
)


@dataclass(slots=True)
class Tally:
    """Counts of what one reader did with its inputs."""

    accepted: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)
    """A traceback for each error that is not documented."""


def fuzz(count: int, seed: int = 1, targets: Sequence[Target] = TARGETS) -> dict[str, Tally]:
    """Try `count` random inputs, the targets in turn; returns tallies by target."""
    rng = Random(seed)
    texts, tallies = Texts(rng), {target.name: Tally() for target in targets}
    for number in range(count):
        target = targets[number % len(targets)]
        tally = tallies[target.name]
        try:
            target.read(texts, rng)
            tally.accepted += 1
        except target.documented:
            tally.refused += 1
        except Exception:  # noqa: BLE001 - undocumented errors are counted
            tally.broken.append(traceback.format_exc())
    return tallies
