"""Settings of a process, from environment variables and a `.env` file.

Each field of `Settings` is declared with the variable it is read from: functions such as `_whole`
return a dataclass field with a default and a reader.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import SplitResult, urlsplit

from dotenv import dotenv_values
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.shards import Shards
from engine.strength.habits import Habits, NotHabits, read_habits

POSTGRES = "postgresql+asyncpg"

LONGEST_SERIES = 100
"""The most games of a series between two agents."""

LONGEST_GUESS = 3600
"""The most seconds between the start of a watched game and its first move."""

SECRETS = ("DISCORD_TOKEN", "DATABASE_URL", "DATABASE_PASSWORD")
"""Settings that can be kept in files, whose paths are in `NAME_FILE`."""

MAX_SECRET_BYTES = 65_536
"""The most bytes that are read of such a file, so that a wrong path does not fill the memory."""

MAX_DIGITS = 9
"""The most digits of a number: more than any setting needs, and few enough to convert quickly."""

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")

Texts = Mapping[str, str]
"""The variables that are set, by name."""


class SettingsError(Exception):
    """A setting is missing or wrong; the message names it and says how to fix it."""


# These functions return dataclass fields, so it is safe to call them in a dataclass.
# ruff: noqa: RUF009


def _field(default: Any, read: Callable[[Texts], Any], *, is_secret: bool = False) -> Any:
    return field(default=default, repr=not is_secret, metadata={"read": read})


def _setting(name: str, default: Any, parse: Callable[[str], Any]) -> Any:
    return _field(default, lambda texts: parse(texts[name]) if name in texts else default)


def _is_whole(text: str, least: int, most: int) -> bool:
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return is_number and least <= int(text) <= most


def _whole(name: str, default: int | None, least: int, most: int) -> Any:
    """Declare a whole number."""

    def parse(text: str) -> int:
        if not _is_whole(text, least, most):
            usual = "" if default is None else f" for {default}"
            raise SettingsError(
                f"{name} is {text!r}. Set a whole number from {least} to {most}, or leave it out"
                f"{usual}."
            )
        return int(text)

    return _setting(name, default, parse)


def _choice(name: str, default: str, choices: str, options: tuple[str, ...]) -> Any:
    """Declare one of some words; `choices` says which."""

    def parse(text: str) -> str:
        for option in options:
            if option.lower() == text.lower():
                return option
        raise SettingsError(f"{name} is {text!r}. Set {choices}.")

    return _setting(name, default, parse)


def _ip_address(name: str, default: str) -> Any:
    """Declare an IP address of this machine."""

    def parse(text: str) -> str:
        try:
            return str(ipaddress.ip_address(text))
        except ValueError as error:
            raise SettingsError(
                f"{name} is {text!r}. Set an address of this machine, such as "
                "127.0.0.1, or 0.0.0.0 for all of them."
            ) from error

    return _setting(name, default, parse)


def _split(text: str, schemes: tuple[str, ...]) -> SplitResult | None:
    """Return the parts of a URL with one of the schemes; None if it is none."""
    try:
        parts = urlsplit(text)
        # Reading the port validates it.
        is_valid = parts.scheme in schemes and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if is_valid else None


def _url(name: str, schemes: tuple[str, ...], example: str) -> Any:
    """Declare the URL of another server than Discord's."""

    def parse(text: str) -> str:
        if _split(text, schemes) is None:
            raise SettingsError(
                f"{name} is {text!r}. Set an address like {example}, with a number for the port, "
                "or leave it out for Discord's own."
            )
        return text.rstrip("/")

    return _setting(name, None, parse)


@dataclass(frozen=True, slots=True)
class Rate:
    """At most a number of times within a number of seconds."""

    most: int
    seconds: float


def _rate(name: str, most: int, seconds: float) -> Any:
    """Declare a rate that can be switched off."""

    def parse(text: str) -> Rate | None:
        if text.lower() == "off":
            return None
        first, _, second = (part.strip() for part in text.partition("/"))
        if not _is_whole(first, 1, 1000) or not _is_whole(second, 1, 86_400):
            raise SettingsError(
                f"{name} is {text!r}. Set how many in how many seconds, such as "
                f"{most}/{seconds:.0f} (up to 1000/86400), or off, or leave it out."
            )
        return Rate(int(first), float(second))

    return _setting(name, Rate(most, seconds), parse)


@dataclass(frozen=True, slots=True)
class Limits:
    """How often one person may ask for something; None for no limit."""

    undos: Rate | None = _rate("CUATRO_LIMIT_UNDOS", 3, 600.0)
    """Requests to take a turn back, which ping the opponent; counted for each opponent."""
    draws: Rate | None = _rate("CUATRO_LIMIT_DRAWS", 3, 600.0)
    """Offers of a draw, counted for each opponent."""
    challenges: Rate | None = _rate("CUATRO_LIMIT_CHALLENGES", 3, 600.0)
    """Challenges, counted for each person challenged."""
    starts: Rate | None = _rate("CUATRO_LIMIT_STARTS", 10, 60.0)
    """New games of any kind, challenges included."""
    hints: Rate | None = _rate("CUATRO_LIMIT_HINTS", 10, 60.0)
    """Hints and explanations, which need searches."""
    pictures: Rate | None = _rate("CUATRO_LIMIT_PICTURES", 30, 60.0)
    """Pictures: statistics, reports, lists, boards posted again, replays, reviews, analyses."""
    series: Rate | None = _rate("CUATRO_LIMIT_SERIES", 5, 3600.0)
    """Series of games between agents, which keep the engine busy for a while."""


UNLIMITED = Limits(None, None, None, None, None, None, None)


def _read_limits(texts: Texts) -> Limits:
    return Limits(**{one.name: one.metadata["read"](texts) for one in fields(Limits)})


def _token(texts: Texts) -> str | None:
    """Read the token; only Discord's own tokens are known to have three parts."""
    text = texts.get("DISCORD_TOKEN")
    if text is None:
        return None
    is_formed = len(text.split(".")) == 3 or "DISCORD_API_URL" in texts
    if not is_formed or any(character.isspace() for character in text):
        raise SettingsError(
            "DISCORD_TOKEN does not look like a bot token (three parts with dots between them). "
            "Copy it again from the Bot page of your application in Discord's developer portal, "
            "or leave it out to play locally."
        )
    return text


DEFAULT_DATABASE = "sqlite+aiosqlite:///cuatro.db"


def _database_url(texts: Texts) -> str:
    """Read the database's address, with a password that is kept apart from it."""
    address = database_address("DATABASE_URL", texts.get("DATABASE_URL", DEFAULT_DATABASE))
    password = texts.get("DATABASE_PASSWORD")
    if password is None:
        return address
    url = make_url(address)
    if url.drivername != POSTGRES or url.password is not None:
        raise SettingsError(
            "DATABASE_PASSWORD (or DATABASE_PASSWORD_FILE) belongs to a DATABASE_URL on a server "
            f"that has no password in it: {POSTGRES}://USER@HOST/NAME."
        )
    return url.set(password=password).render_as_string(hide_password=False)


def database_address(name: str, text: str) -> str:
    """Check and return a database address from a setting or an option; raises SettingsError."""
    leave = " or leave it out for that;" if name == "DATABASE_URL" else ""
    mend = (
        f"Use sqlite+aiosqlite:///FILE, such as sqlite+aiosqlite:///cuatro.db,{leave} "
        f"or {POSTGRES}://USER:PASSWORD@HOST/NAME."
    )
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise SettingsError(f"{name} is not a database address. {mend}") from error
    if url.drivername == "sqlite+aiosqlite":
        return text
    if url.drivername != POSTGRES:
        raise SettingsError(f"{name} asks for {url.drivername!r}. {mend}")
    if not url.database or not (url.host or url.query.get("host")):
        raise SettingsError(
            f"{name} names no server or no database. Use {POSTGRES}://USER:PASSWORD@HOST/NAME."
        )
    if find_spec("asyncpg") is None:
        raise SettingsError(
            f"{name} asks for PostgreSQL, and its driver is not installed. Run "
            "`pip install -r requirements-postgres.txt`."
        )
    return text


def _shards(texts: Texts) -> Shards | None:
    text = texts.get("CUATRO_SHARDS")
    if text is None:
        return None
    try:
        shards = Shards.parse(text)
    except ValueError as error:
        raise SettingsError(
            f"CUATRO_SHARDS (or --shards) is {text!r}: {error}. Set shards such as 0-3/16, or "
            "leave it out for a bot that is not sharded."
        ) from error
    if len(shards.ids) < shards.count and not texts.get("DATABASE_URL", "").startswith(POSTGRES):
        raise SettingsError(
            f"CUATRO_SHARDS (or --shards) is {text!r}, so other processes serve the other shards, "
            "and all of them need one database: set DATABASE_URL to "
            f"{POSTGRES}://USER:PASSWORD@HOST/NAME."
        )
    return shards


def _cluster(text: str) -> str:
    parts = _split(text, ("tcp", "tls"))
    if parts is None or not parts.port or parts.path.strip("/"):
        raise SettingsError(
            f"CUATRO_CLUSTER is {text!r}. Set a scheduler's address such as tcp://host:8786 or "
            "tls://host:8786, or leave it out for threads of this process."
        )
    if find_spec("distributed") is None:
        raise SettingsError(
            "CUATRO_CLUSTER asks for a Dask cluster, and Dask is not installed. Run "
            "`pip install -r requirements-cluster.txt`."
        )
    return text.rstrip("/")


def _cluster_tls(texts: Texts) -> tuple[Path, Path, Path] | None:
    """Read the three files, which an address with tls needs and any other must not have."""
    names = ("CUATRO_CLUSTER_CA", "CUATRO_CLUSTER_CERT", "CUATRO_CLUSTER_KEY")
    given = [name for name in names if name in texts]
    is_wanted = texts.get("CUATRO_CLUSTER", "").startswith("tls:")
    if len(given) != (len(names) if is_wanted else 0):
        raise SettingsError(
            f"{', '.join(names)} belong to a CUATRO_CLUSTER that begins with tls://: set all "
            "three, or none."
        )
    ca, cert, key = (Path(texts.get(name, "")) for name in names)
    for name, file in zip(names, (ca, cert, key), strict=True):
        if is_wanted and not file.is_file():
            raise SettingsError(f"{name} is {str(file)!r}, where no file is. Set a PEM file.")
    return (ca, cert, key) if is_wanted else None


def _habits(text: str) -> tuple[tuple[str, Habits], ...]:
    try:
        return tuple(read_habits(Path(text).read_text("utf-8")).items())
    except OSError as error:
        reason = error.strerror or "it is no file"
    except ValueError as error:  # of which NotHabits is one
        reason = str(error) if isinstance(error, NotHabits) else "it is not text"
    raise SettingsError(
        f"CUATRO_OPPONENT_MODEL is {text!r}, which cannot be used: {reason}. Name a file that "
        "`cuatro fit-opponents` has written, or leave it out for the usual model."
    )


def _with_secrets(texts: Texts) -> dict[str, str]:
    """Return the settings with those that are kept in files; raises SettingsError."""
    found = dict(texts)
    for name in SECRETS:
        path = texts.get(f"{name}_FILE")
        if path is None:
            continue
        if name in texts:
            raise SettingsError(f"{name} and {name}_FILE are both set. Set only one of them.")
        try:
            with Path(path).open("rb") as file:
                text = file.read(MAX_SECRET_BYTES).decode().strip()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise SettingsError(
                f"{name}_FILE is {path!r}, which cannot be read: {reason}. Name a text file that "
                f"holds nothing but the {name}, or set {name} itself."
            ) from error
        if not text:
            raise SettingsError(f"{name}_FILE is {path!r}, which is empty. Write the {name} there.")
        found[name] = text
    return found


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; see `.env.example` for what each one does."""

    token: str | None = _field(None, _token, is_secret=True)
    """The bot's token; without one it plays locally. Never shown or logged."""
    database_url: str = _field(DEFAULT_DATABASE, _database_url, is_secret=True)
    """Where games are kept; may contain a password."""
    port: int = _whole("CUATRO_PORT", 8440, 0, 65_535)
    """Where the local page is served on the loopback address; 0 takes any free port."""
    api_url: str | None = _url("DISCORD_API_URL", ("http", "https"), "http://host:port/api/v10")
    gateway_url: str | None = _url("DISCORD_GATEWAY_URL", ("ws", "wss"), "ws://host:port/path")
    shards: Shards | None = _field(None, _shards)
    """The shards whose games this process serves; None for all, over one connection."""
    workers: int = _whole("CUATRO_WORKERS", os.cpu_count() or 1, 1, 256)
    """Searches that may run at the same time."""
    table_mib: int = _whole("CUATRO_TABLE_MIB", 256, 0, 1 << 20)
    """Memory for the tables that are kept between the moves of games, in MiB."""
    ponder_seconds: int = _whole("CUATRO_PONDER_SECONDS", 10, 0, 600)
    """Seconds after a move of the strongest level that may be searched on its opponent's time."""
    habits: tuple[tuple[str, Habits], ...] = _setting("CUATRO_OPPONENT_MODEL", (), _habits)
    """How people deviate from the rungs of their rating, by size class; none by default."""
    games_per_player: int = _whole("CUATRO_GAMES_PER_PLAYER", 5, 1, 100)
    turn_hours: int = _whole("CUATRO_TURN_HOURS", 48, 1, 8760)
    """Hours that a person has for a move, in games started without a clock of their own."""
    open_minutes: int = _whole("CUATRO_OPEN_CHALLENGE_MINUTES", 15, 1, 1440)
    """Minutes for which anyone can join a game that a person offers to anyone in a channel."""
    limits: Limits = _field(Limits(), _read_limits)
    """How often one person may ask for something."""
    cluster: str | None = _setting("CUATRO_CLUSTER", None, _cluster)
    """The scheduler of a Dask cluster for the engine's work; None for local threads."""
    cluster_tls: tuple[Path, Path, Path] | None = _field(None, _cluster_tls)
    """The files of the trusted authority, of this bot's certificate and of its key."""
    cluster_jobs: int | None = _whole("CUATRO_CLUSTER_JOBS", None, 1, 100_000)
    """Jobs that the cluster is given at a time; None for as many as it has threads."""
    cluster_places: int = _whole("CUATRO_CLUSTER_PLACES", 1, 1, 100_000)
    """Jobs that the cluster should do at a time, at least; with fewer, an alert is raised."""
    watch_pace: float = _whole("CUATRO_WATCH_PACE", 2, 2, 60)
    """Seconds between the moves of two agents."""
    watch_vote: int = _whole("CUATRO_WATCH_VOTE", 15, 0, LONGEST_GUESS)
    """Seconds in which people can guess the winner before two agents begin; 0 for none."""
    log_level: str = _choice("CUATRO_LOG_LEVEL", "INFO", f"one of {', '.join(LEVELS)}", LEVELS)
    log_format: Literal["plain", "json"] = _choice(
        "CUATRO_LOG_FORMAT", "plain", "plain or json", ("plain", "json")
    )
    health_port: int = _whole("CUATRO_HEALTH_PORT", 8441, 0, 65_535)
    """The port that answers `cuatro health` and other checks; 0 for none."""
    health_address: str = _ip_address("CUATRO_HEALTH_ADDRESS", "127.0.0.1")
    metrics_port: int = _whole("CUATRO_METRICS_PORT", 0, 0, 65_535)
    """The port at which Prometheus finds `/metrics`; 0 for none."""
    metrics_address: str = _ip_address("CUATRO_METRICS_ADDRESS", "127.0.0.1")

    @classmethod
    def load(
        cls, env_file: Path = Path(".env"), over: Mapping[str, str | None] | None = None
    ) -> Self:
        """Read `over`, then the environment, then `env_file`; the first value wins.

        Raises SettingsError.
        """
        return cls.read({**dotenv_values(env_file), **os.environ, **(over or {})})

    @classmethod
    def read(cls, given: Mapping[str, str | None]) -> Self:
        """Read settings by name; empty ones count as not set. Raises SettingsError."""
        texts = {name: text.strip() for name, text in given.items() if text and text.strip()}
        texts = _with_secrets(texts)
        return cls(**{one.name: one.metadata["read"](texts) for one in fields(cls)})

    @property
    def database_file(self) -> Path | None:
        """The file of the database; None for one in memory or on a server."""
        url = make_url(self.database_url)
        name = url.database if url.get_backend_name() == "sqlite" else None
        return None if name in (None, "", ":memory:") else Path(name)

    @property
    def fingerprint(self) -> str:
        """A short hash that differs between bots with different databases on one machine."""
        file = self.database_file
        text = self.database_url if file is None else str(file.resolve())
        return hashlib.sha256(text.encode()).hexdigest()[:16]
