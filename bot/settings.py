"""Settings: environment variables, which may also be kept in a `.env` file."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from dotenv import dotenv_values
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.shards import Shards

POSTGRES = "postgresql+asyncpg"

LONGEST_GUESS = 3600
"""Seconds that may lie between a watched game and its first move, at most."""

SECRETS = ("DISCORD_TOKEN", "DATABASE_URL", "DATABASE_PASSWORD")
"""Settings that can be kept in files: `NAME_FILE` says where."""

LARGEST_SECRET = 65_536
"""Bytes of such a file that are read, so that a wrong path takes no memory."""

LONGEST_NUMBER = 9
"""Digits of a number: more than any setting needs, and few enough to be read at once."""


class SettingsError(Exception):
    """A setting is missing or wrong; the message names it and says how to fix it."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many in so many seconds."""

    most: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How often one person may ask for something; None for as often as they like."""

    undos: Rate | None = Rate(3, 600.0)
    """Requests to take a turn back, which ping the other person; for each partner."""
    draws: Rate | None = Rate(3, 600.0)
    """Offers of a draw, for each partner."""
    challenges: Rate | None = Rate(3, 600.0)
    """Challenges, for each person challenged."""
    starts: Rate | None = Rate(10, 60.0)
    """New games of any kind, challenges included."""
    hints: Rate | None = Rate(10, 60.0)
    """Hints and explanations, which take searches."""
    pictures: Rate | None = Rate(30, 60.0)
    """Pictures: statistics, reports, lists, boards posted again, replays, reviews, analyses."""

    @classmethod
    def read(cls, texts: Mapping[str, str]) -> Self:
        """Read limits by the names of their settings; raises SettingsError."""
        usual = cls()
        names = (one.name for one in fields(cls))
        return cls(**{name: _rate(name, texts, getattr(usual, name)) for name in names})


UNLIMITED = Limits(None, None, None, None, None, None)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; see `.env.example` for what each one does."""

    token: str | None = field(default=None, repr=False)
    """The bot's token; without one it plays locally. Never shown or logged."""
    database_url: str = field(default="sqlite+aiosqlite:///cuatro.db", repr=False)
    """Where games are kept; may hold a password."""
    port: int = 8440
    """Where the local page is served on the loopback address; 0 takes any free port."""
    api_url: str | None = None
    gateway_url: str | None = None
    shards: Shards | None = None
    """The shards whose games this process looks after; None for all, over one connection."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Searches that may run at the same time."""
    games_per_player: int = 5
    turn_hours: int = 48
    """Hours that a person has for a move, in games started without a clock of their own."""
    limits: Limits = field(default_factory=Limits)
    """How often one person may ask for something."""
    cluster: str | None = None
    """The scheduler of a Dask cluster for the engine's work; None for local threads."""
    cluster_tls: tuple[Path, Path, Path] | None = None
    """The files of the authority by which it is trusted, of this bot's certificate and its key."""
    cluster_jobs: int | None = None
    """Jobs that the cluster is given at a time; None for as many as it has threads."""
    cluster_places: int = 1
    """Jobs that the cluster should do at a time, at least; with fewer, an alert is raised."""
    watch_pace: float = 2.0
    """Seconds between the moves of two agents."""
    watch_vote: int = 15
    """Seconds in which everybody can say who wins before two agents begin; 0 for none."""
    log_level: str = "INFO"
    log_format: Literal["plain", "json"] = "plain"
    health_port: int = 8441
    """Where `cuatro health` and other checks ask; 0 for nowhere."""
    health_address: str = "127.0.0.1"
    metrics_port: int = 0
    """Where Prometheus finds `/metrics`; 0 for nowhere."""
    metrics_address: str = "127.0.0.1"

    @classmethod
    def load(
        cls, env_file: Path = Path(".env"), over: Mapping[str, str | None] | None = None
    ) -> Self:
        """Read what goes `over` all, the environment, then `env_file`; raises SettingsError."""
        return cls.read({**dotenv_values(env_file), **os.environ, **(over or {})})

    @classmethod
    def read(cls, given: Mapping[str, str | None]) -> Self:
        """Read settings by name; empty ones count as not set. Raises SettingsError."""
        texts = {name: text.strip() for name, text in given.items() if text and text.strip()}
        texts = _with_secrets(texts)
        usual = cls()
        api_url = _url("DISCORD_API_URL", texts, ("http", "https"), "http://host:port/api/v10")
        return cls(
            token=_token(texts.get("DISCORD_TOKEN"), is_discords=api_url is None),
            database_url=_with_password(
                database_address("DATABASE_URL", texts.get("DATABASE_URL", usual.database_url)),
                texts.get("DATABASE_PASSWORD"),
            ),
            port=_whole("CUATRO_PORT", texts, usual.port, 0, 65_535),
            api_url=api_url,
            gateway_url=_url("DISCORD_GATEWAY_URL", texts, ("ws", "wss"), "ws://host:port/path"),
            shards=_shards(texts),
            workers=_whole("CUATRO_WORKERS", texts, usual.workers, 1, 256),
            games_per_player=_whole(
                "CUATRO_GAMES_PER_PLAYER", texts, usual.games_per_player, 1, 100
            ),
            turn_hours=_whole("CUATRO_TURN_HOURS", texts, usual.turn_hours, 1, 8760),
            limits=Limits.read(texts),
            cluster=_cluster(texts.get("CUATRO_CLUSTER")),
            cluster_tls=_cluster_tls(texts),
            cluster_jobs=_cluster_jobs(texts),
            cluster_places=_whole("CUATRO_CLUSTER_PLACES", texts, usual.cluster_places, 1, 100_000),
            watch_pace=_whole("CUATRO_WATCH_PACE", texts, int(usual.watch_pace), 2, 60),
            watch_vote=_whole("CUATRO_WATCH_VOTE", texts, usual.watch_vote, 0, LONGEST_GUESS),
            log_level=_log_level(texts.get("CUATRO_LOG_LEVEL", usual.log_level)),
            log_format=_log_format(texts.get("CUATRO_LOG_FORMAT", usual.log_format)),
            health_port=_whole("CUATRO_HEALTH_PORT", texts, usual.health_port, 0, 65_535),
            health_address=_address("CUATRO_HEALTH_ADDRESS", texts, usual.health_address),
            metrics_port=_whole("CUATRO_METRICS_PORT", texts, usual.metrics_port, 0, 65_535),
            metrics_address=_address("CUATRO_METRICS_ADDRESS", texts, usual.metrics_address),
        )


def _with_secrets(texts: Mapping[str, str]) -> dict[str, str]:
    """The settings with those that are kept in files; raises SettingsError."""
    found = dict(texts)
    for name in SECRETS:
        path = texts.get(f"{name}_FILE")
        if path is None:
            continue
        if name in texts:
            raise SettingsError(f"{name} and {name}_FILE are both set. Set only one of them.")
        try:
            with Path(path).open("rb") as file:
                text = file.read(LARGEST_SECRET).decode().strip()
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


def _with_password(address: str, password: str | None) -> str:
    """The address of a server with a password that is kept apart from it; raises SettingsError."""
    if password is None:
        return address
    url = make_url(address)
    if url.drivername != POSTGRES or url.password is not None:
        raise SettingsError(
            "DATABASE_PASSWORD (or DATABASE_PASSWORD_FILE) belongs to a DATABASE_URL on a server "
            f"that has no password in it: {POSTGRES}://USER@HOST/NAME."
        )
    return url.set(password=password).render_as_string(hide_password=False)


def _token(text: str | None, *, is_discords: bool) -> str | None:
    """Read a token; only the real Discord's are known to have three parts."""
    if text is None:
        return None
    has_its_form = len(text.split(".")) == 3 or not is_discords
    if not has_its_form or any(character.isspace() for character in text):
        raise SettingsError(
            "DISCORD_TOKEN does not look like a bot token (three parts with dots between them). "
            "Copy it again from the Bot page of your application in Discord's developer portal, "
            "or leave it out to play locally."
        )
    return text


def database_address(name: str, text: str) -> str:
    """Check the address of a database that a setting or an option gives; raises SettingsError."""
    leave = " or leave it out for that;" if name == "DATABASE_URL" else ""
    mend = (
        f"Use sqlite+aiosqlite:///FILE, such as sqlite+aiosqlite:///cuatro.db,{leave} "
        f"or {POSTGRES}://USER:PASSWORD@HOST/NAME."
    )
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise SettingsError(f"{name} is not a database address. {mend}") from error
    if url.drivername == POSTGRES:
        return _server_address(name, text, url)
    if url.drivername != "sqlite+aiosqlite":
        raise SettingsError(f"{name} asks for {url.drivername!r}. {mend}")
    return text


def _server_address(name: str, text: str, url: URL) -> str:
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


def _shards(texts: Mapping[str, str]) -> Shards | None:
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


def _whole(name: str, texts: Mapping[str, str], usual: int, least: int, most: int) -> int:
    text = texts.get(name)
    if text is None:
        return usual
    is_number = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    if not is_number or not least <= int(text) <= most:
        raise SettingsError(
            f"{name} is {text!r}. Set a whole number from {least} to {most}, or leave it out "
            f"for {usual}."
        )
    return int(text)


def _rate(limit: str, texts: Mapping[str, str], usual: Rate) -> Rate | None:
    name = f"CUATRO_LIMIT_{limit.upper()}"
    text = texts.get(name)
    if text is None:
        return usual
    if text.lower() == "off":
        return None
    most, slash, seconds = text.partition("/")
    parts = (most.strip(), seconds.strip())
    whole = all(
        part.isascii() and part.isdecimal() and len(part) <= LONGEST_NUMBER for part in parts
    )
    if not slash or not whole or not 1 <= int(most) <= 1000 or not 1 <= int(seconds) <= 86_400:
        raise SettingsError(
            f"{name} is {text!r}. Set how many in how many seconds, such as "
            f"{usual.most}/{usual.seconds:.0f} (up to 1000/86400), or off, or leave it out."
        )
    return Rate(int(most), float(seconds))


def _url(name: str, texts: Mapping[str, str], schemes: tuple[str, ...], example: str) -> str | None:
    text = texts.get(name)
    if text is None:
        return None
    try:
        parts = urlsplit(text)
        # Reading `port` validates it.
        readable = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        readable = False
    if not readable:
        raise SettingsError(
            f"{name} is {text!r}. Set an address like {example}, with a number for the port, or "
            "leave it out for Discord's own."
        )
    return text.rstrip("/")


def _cluster(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        parts = urlsplit(text)
        readable = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        readable = False
    if not readable or parts.path.strip("/"):
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


def _cluster_tls(texts: Mapping[str, str]) -> tuple[Path, Path, Path] | None:
    """The three files, which are all needed for an address with tls and for no other."""
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


def _cluster_jobs(texts: Mapping[str, str]) -> int | None:
    if "CUATRO_CLUSTER_JOBS" not in texts:
        return None
    return _whole("CUATRO_CLUSTER_JOBS", texts, 1, 1, 100_000)


def _log_level(text: str) -> str:
    levels = ("DEBUG", "INFO", "WARNING", "ERROR")
    if text.upper() not in levels:
        raise SettingsError(f"CUATRO_LOG_LEVEL is {text!r}. Set one of {', '.join(levels)}.")
    return text.upper()


def _log_format(text: str) -> Literal["plain", "json"]:
    if text.lower() == "plain":
        return "plain"
    if text.lower() == "json":
        return "json"
    raise SettingsError(f"CUATRO_LOG_FORMAT is {text!r}. Set plain or json.")


def _address(name: str, texts: Mapping[str, str], usual: str) -> str:
    text = texts.get(name, usual)
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        raise SettingsError(
            f"{name} is {text!r}. Set an address of this machine, such as "
            "127.0.0.1, or 0.0.0.0 for all of them."
        ) from error
