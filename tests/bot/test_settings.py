"""Settings of an operator, and the messages about invalid ones."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from dotenv import dotenv_values
from sqlalchemy import make_url

from bot.settings import Limits, Rate, Settings, SettingsError
from bot.shards import Shards
from engine.strength.habits import FEATURES, Habits, written

TOKEN = ".".join(("MTAwMQ", "Zq1XwA", "nobody-may-see-this-part"))
NAMES = (
    "DISCORD_TOKEN",
    "DATABASE_URL",
    "CUATRO_PORT",
    "DISCORD_API_URL",
    "DISCORD_GATEWAY_URL",
    "CUATRO_SHARDS",
    "CUATRO_WORKERS",
    "CUATRO_TABLE_MIB",
    "CUATRO_PONDER_SECONDS",
    "CUATRO_OPPONENT_MODEL",
    "CUATRO_GAMES_PER_PLAYER",
    "CUATRO_TURN_HOURS",
    "CUATRO_LOG_LEVEL",
    "CUATRO_LOG_FORMAT",
    "CUATRO_HEALTH_PORT",
    "CUATRO_HEALTH_ADDRESS",
    "CUATRO_METRICS_PORT",
    "CUATRO_METRICS_ADDRESS",
    "CUATRO_CLUSTER",
    "CUATRO_CLUSTER_CA",
    "CUATRO_CLUSTER_CERT",
    "CUATRO_CLUSTER_KEY",
    "CUATRO_CLUSTER_JOBS",
    "CUATRO_CLUSTER_PLACES",
)


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove all settings from the environment."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_nothing_needs_to_be_set() -> None:
    """Without any settings the bot plays locally, with a database in the working folder."""
    settings = Settings.read({})
    assert settings == Settings()
    assert settings.token is None
    assert settings.database_url == "sqlite+aiosqlite:///cuatro.db"
    assert settings.port == 8440
    assert settings.api_url is None
    assert settings.gateway_url is None
    assert settings.shards is None
    assert settings.workers == (os.cpu_count() or 1)
    assert settings.games_per_player == 5
    assert settings.turn_hours == 48
    assert settings.log_level == "INFO"
    assert settings.log_format == "plain"
    assert settings.health_port == 8441
    assert settings.health_address == "127.0.0.1"
    assert settings.metrics_port == 0
    assert settings.metrics_address == "127.0.0.1"
    assert settings.cluster is None
    assert settings.cluster_tls is None
    assert settings.cluster_jobs is None
    assert settings.cluster_places == 1


def test_everything_can_be_set(tmp_path: Path) -> None:
    """Each variable changes its setting; spaces around a value are ignored."""
    ca, cert, key = (tmp_path / name for name in ("ca.pem", "cert.pem", "key.pem"))
    for file in (ca, cert, key):
        file.touch()
    habits, model = Habits((0.5,) * len(FEATURES)), tmp_path / "opponents.json"
    model.write_text(written({"gato": (habits, 100)}))
    given = {
        "DISCORD_TOKEN": f" {TOKEN}\n",
        "DATABASE_URL": "sqlite+aiosqlite:////data/games.db",
        "CUATRO_PORT": "0",
        "DISCORD_API_URL": "http://127.0.0.1:8080/api/v10/",
        "DISCORD_GATEWAY_URL": "wss://gateway.example/path",
        "CUATRO_SHARDS": "0-3/4",
        "CUATRO_WORKERS": "3",
        "CUATRO_TABLE_MIB": "64",
        "CUATRO_PONDER_SECONDS": "0",
        "CUATRO_OPPONENT_MODEL": str(model),
        "CUATRO_GAMES_PER_PLAYER": "100",
        "CUATRO_TURN_HOURS": "12",
        "CUATRO_LOG_LEVEL": "debug",
        "CUATRO_LOG_FORMAT": "JSON",
        "CUATRO_HEALTH_PORT": "0",
        "CUATRO_HEALTH_ADDRESS": "0.0.0.0",  # noqa: S104
        "CUATRO_METRICS_PORT": "9100",
        "CUATRO_METRICS_ADDRESS": "::",
        "CUATRO_CLUSTER": "tls://scheduler:8786/",
        "CUATRO_CLUSTER_CA": str(ca),
        "CUATRO_CLUSTER_CERT": str(cert),
        "CUATRO_CLUSTER_KEY": str(key),
        "CUATRO_CLUSTER_JOBS": "64",
        "CUATRO_CLUSTER_PLACES": "8",
    }
    assert tuple(given) == NAMES
    assert Settings.read(given) == Settings(
        token=TOKEN,
        database_url="sqlite+aiosqlite:////data/games.db",
        port=0,
        api_url="http://127.0.0.1:8080/api/v10",
        gateway_url="wss://gateway.example/path",
        shards=Shards(frozenset(range(4)), 4),
        workers=3,
        table_mib=64,
        ponder_seconds=0,
        habits=(("gato", habits),),
        games_per_player=100,
        turn_hours=12,
        log_level="DEBUG",
        log_format="json",
        health_port=0,
        health_address="0.0.0.0",  # noqa: S104
        metrics_port=9100,
        metrics_address="::",
        cluster="tls://scheduler:8786",
        cluster_tls=(ca, cert, key),
        cluster_jobs=64,
        cluster_places=8,
    )


def test_secrets_can_be_kept_in_files(tmp_path: Path) -> None:
    """A secret can be read from a file, without the white space around it."""
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    (tmp_path / "url").write_text("postgresql+asyncpg://cuatro@host/games", encoding="utf-8")
    (tmp_path / "password").write_text("p@ss:w/rd%\n", encoding="utf-8")
    read = Settings.read(
        {
            "DISCORD_TOKEN_FILE": str(tmp_path / "token"),
            "DATABASE_URL_FILE": str(tmp_path / "url"),
            "DATABASE_PASSWORD_FILE": str(tmp_path / "password"),
            "CUATRO_SHARDS": "0/2",
        }
    )
    assert read.token == TOKEN
    assert make_url(read.database_url).password == "p@ss:w/rd%"  # noqa: S105
    assert make_url(read.database_url).host == "host"
    assert "p@ss" not in repr(read)


@pytest.mark.parametrize(
    ("given", "mend"),
    [
        ({"DISCORD_TOKEN": "a.b.c", "DISCORD_TOKEN_FILE": "token"}, "both set"),
        ({"DISCORD_TOKEN_FILE": "missing"}, "No such file"),
        ({"DATABASE_URL_FILE": "."}, "cannot be read"),
        ({"DATABASE_URL_FILE": "binary"}, "it is not text"),
        ({"DATABASE_PASSWORD_FILE": "empty"}, "is empty"),
        ({"DATABASE_PASSWORD": "secret"}, "belongs to a DATABASE_URL on a server"),
        (
            {"DATABASE_PASSWORD": "secret", "DATABASE_URL": "postgresql+asyncpg://u:v@host/games"},
            "no password in it",
        ),
    ],
)
def test_a_secret_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], mend: str
) -> None:
    """A secret that cannot be read is named with its setting and file, and without its content."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text(" \n", encoding="utf-8")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=mend) as refused:
        Settings.read(given)
    assert next(iter(given)) in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("empty", ["", "  ", None])
def test_an_empty_text_is_not_set(empty: str | None) -> None:
    """A variable with an empty value counts as not set."""
    assert Settings.read(dict.fromkeys(NAMES, empty)) == Settings()


@pytest.mark.parametrize(
    ("name", "text", "mend"),
    [
        ("DISCORD_TOKEN", "secret-but-not-a-token", "developer portal"),
        ("DISCORD_TOKEN", "secret.with a space.in it", "developer portal"),
        ("DISCORD_TOKEN", "secret.of.four.parts", "leave it out"),
        ("DATABASE_URL", "games.db", "sqlite+aiosqlite:///cuatro.db"),
        ("DATABASE_URL", "postgresql://host/games", "sqlite+aiosqlite:///cuatro.db"),
        ("DATABASE_URL", "sqlite:///games.db", "sqlite+aiosqlite:///cuatro.db"),
        (
            "DATABASE_URL",
            "postgresql+asyncpg://host",
            "postgresql+asyncpg://USER:PASSWORD@HOST/NAME",
        ),
        ("DATABASE_URL", "postgresql+asyncpg:///games", "names no server"),
        ("CUATRO_CLUSTER", "scheduler:8786", "tcp://host:8786"),
        ("CUATRO_CLUSTER", "tcp://scheduler", "tcp://host:8786"),
        ("CUATRO_CLUSTER", "http://scheduler:8786", "tls://host:8786"),
        ("CUATRO_CLUSTER", "tcp://scheduler:many", "leave it out"),
        ("CUATRO_CLUSTER", "tls://scheduler:8786", "set all three"),
        ("CUATRO_CLUSTER_KEY", "key.pem", "set all three, or none"),
        ("CUATRO_CLUSTER_JOBS", "0", "from 1 to 100000"),
        ("CUATRO_CLUSTER_PLACES", "0", "leave it out for 1"),
        ("CUATRO_PORT", "many", "from 0 to 65535"),
        ("CUATRO_PORT", "-1", "from 0 to 65535"),
        ("CUATRO_PORT", "65536", "leave it out for 8440"),
        ("DISCORD_API_URL", "127.0.0.1:8080", "http://host:port/api/v10"),
        ("DISCORD_API_URL", "ws://127.0.0.1", "http://host:port/api/v10"),
        ("DISCORD_API_URL", "http://", "http://host:port/api/v10"),
        ("DISCORD_GATEWAY_URL", "http://127.0.0.1", "ws://host:port/path"),
        ("CUATRO_SHARDS", "0-3", "such as 0-3/16"),
        ("CUATRO_SHARDS", "4/4", "the last one is 3"),
        ("CUATRO_SHARDS", "0/99999", "1 to 16384"),
        ("CUATRO_SHARDS", "0-3/16", "set DATABASE_URL to postgresql+asyncpg://"),
        ("CUATRO_WORKERS", "0", "from 1 to 256"),
        ("CUATRO_TABLE_MIB", "-1", "from 0 to 1048576"),
        ("CUATRO_WORKERS", "257", "from 1 to 256"),
        ("CUATRO_WORKERS", "1.5", "from 1 to 256"),
        ("CUATRO_GAMES_PER_PLAYER", "0", "from 1 to 100"),
        ("CUATRO_GAMES_PER_PLAYER", "101", "leave it out for 5"),
        ("CUATRO_TURN_HOURS", "0", "from 1 to 8760"),
        ("CUATRO_TURN_HOURS", "two", "leave it out for 48"),
        ("CUATRO_LOG_FORMAT", "xml", "plain or json"),
        ("CUATRO_HEALTH_PORT", "-1", "leave it out for 8441"),
        ("CUATRO_HEALTH_ADDRESS", "localhost", "0.0.0.0 for all"),
        ("CUATRO_METRICS_PORT", "65536", "leave it out for 0"),
        ("CUATRO_METRICS_ADDRESS", "everywhere", "127.0.0.1"),
        ("CUATRO_LOG_LEVEL", "loud", "DEBUG, INFO, WARNING, ERROR"),
        ("CUATRO_OPPONENT_MODEL", "absent.json", "No such file"),
        ("CUATRO_OPPONENT_MODEL", ".", "directory"),
        ("CUATRO_OPPONENT_MODEL", __file__, "`cuatro fit-opponents`"),
    ],
)
def test_a_wrong_setting_is_named(name: str, text: str, mend: str) -> None:
    """The message about an invalid setting names it and says how to correct it."""
    with pytest.raises(SettingsError) as caught:
        Settings.read({name: text})
    assert name in str(caught.value)
    assert mend in str(caught.value)
    assert "\n" not in str(caught.value)


POSTGRES = "postgresql+asyncpg://cuatro:secret@host/games"


def test_a_database_on_a_server() -> None:
    """A database address on a server is used unchanged, and its password is not displayed."""
    pytest.importorskip("asyncpg")
    settings = Settings.read({"DATABASE_URL": POSTGRES})
    assert settings.database_url == POSTGRES
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("text", ["0-3/16", "5/16", "0,2,4/8"])
def test_a_part_of_the_shards_needs_a_server(text: str) -> None:
    """A setting for a part of the shards requires a database on a server."""
    pytest.importorskip("asyncpg")
    settings = Settings.read({"CUATRO_SHARDS": text, "DATABASE_URL": POSTGRES})
    assert str(settings.shards) == text
    with pytest.raises(SettingsError, match="all of them need one database"):
        Settings.read({"CUATRO_SHARDS": text})


def test_command_line_options_take_precedence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option on the command line overrides the environment's setting."""
    monkeypatch.setenv("CUATRO_SHARDS", "0-1/2")
    none = tmp_path / ".env"
    assert Settings.load(none).shards == Shards(frozenset({0, 1}), 2)
    over = Settings.load(none, {"CUATRO_SHARDS": "0-2/3"})
    assert over.shards == Shards(frozenset({0, 1, 2}), 3)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PostgreSQL address without an installed driver is refused with advice on installing it."""
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(SettingsError, match=r"requirements-postgres\.txt"):
        Settings.read({"DATABASE_URL": POSTGRES})


def test_a_cluster_needs_dask_and_the_files_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cluster is refused without its packages, with advice, and without a file, by its name."""
    names = ("CUATRO_CLUSTER_CA", "CUATRO_CLUSTER_CERT", "CUATRO_CLUSTER_KEY")
    files = {name: str(tmp_path / "missing.pem") for name in names}
    with pytest.raises(SettingsError, match=r"CUATRO_CLUSTER_CA is .*missing\.pem"):
        Settings.read({"CUATRO_CLUSTER": "tls://scheduler:8786", **files})
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SettingsError, match=r"requirements-cluster\.txt"):
        Settings.read({"CUATRO_CLUSTER": "tcp://scheduler:8786"})


@pytest.mark.parametrize("text", ["http://[::1", "http://host:port/api", "http://host:99999"])
def test_no_address_ends_in_another_error(text: str) -> None:
    """An address that cannot be parsed is an invalid setting like any other."""
    with pytest.raises(SettingsError, match="DISCORD_API_URL"):
        Settings.read({"DISCORD_API_URL": text})


def test_another_servers_token_may_have_any_form() -> None:
    """With another API address a token may be any single word."""
    given = {"DISCORD_API_URL": "http://127.0.0.1:8080/api/v10", "DISCORD_TOKEN": "simple"}
    assert Settings.read(given).token == given["DISCORD_TOKEN"]
    with pytest.raises(SettingsError, match="DISCORD_TOKEN"):
        Settings.read(given | {"DISCORD_TOKEN": "two words"})


def test_a_token_is_never_shown() -> None:
    """Neither the settings nor messages about them contain the token."""
    assert TOKEN not in repr(Settings.read({"DISCORD_TOKEN": TOKEN}))
    secret = "secret-but-not-a-token"  # noqa: S105
    with pytest.raises(SettingsError) as caught:
        Settings.read({"DISCORD_TOKEN": secret})
    assert secret not in str(caught.value)
    with pytest.raises(SettingsError) as caught:
        Settings.read({"DISCORD_TOKEN": TOKEN, "CUATRO_PORT": "x"})
    assert TOKEN not in str(caught.value)


def test_a_database_password_is_not_repeated() -> None:
    """The message about an unsupported kind of database does not contain its password."""
    with pytest.raises(SettingsError) as caught:
        Settings.read({"DATABASE_URL": "postgresql://ana:pa55word@host/games"})
    assert "pa55word" not in str(caught.value)


def test_a_file_is_read(tmp_path: Path) -> None:
    """A `.env` file provides settings that the environment does not have."""
    file = tmp_path / ".env"
    file.write_text(f"DISCORD_TOKEN={TOKEN}\nCUATRO_WORKERS=2 # of four\n", encoding="utf-8")
    settings = Settings.load(file)
    assert settings.token == TOKEN
    assert settings.workers == 2


def test_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable of the environment overrides the `.env` file."""
    file = tmp_path / ".env"
    file.write_text("CUATRO_WORKERS=2\nCUATRO_PORT=1234\n", encoding="utf-8")
    monkeypatch.setenv("CUATRO_WORKERS", "7")
    settings = Settings.load(file)
    assert (settings.workers, settings.port) == (7, 1234)


def test_no_file_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a `.env` file settings come from the environment alone."""
    monkeypatch.setenv("CUATRO_PORT", "9000")
    assert Settings.load(tmp_path / ".env").port == 9000


def test_limits_are_requests_per_seconds() -> None:
    """Each limit can be set to N requests per S seconds, or switched off."""
    read = Settings.read({"CUATRO_LIMIT_HINTS": "2 / 30", "CUATRO_LIMIT_STARTS": "Off"}).limits
    assert (read.hints, read.starts) == (Rate(2, 30.0), None)
    assert read.undos == Limits().undos


@pytest.mark.parametrize(
    "text", ["5", "0/10", "5/0", "5/1e9", "five/ten", "5/10/2", "²/3", "9" * 99]
)
def test_a_wrong_limit_is_refused(text: str) -> None:
    """The message about an invalid limit names the setting and its format."""
    with pytest.raises(SettingsError, match=r"CUATRO_LIMIT_UNDOS is .*3/600.*or off"):
        Settings.read({"CUATRO_LIMIT_UNDOS": text})


def test_the_example_file_names_every_setting_with_its_usual_value() -> None:
    """A copy of `.env.example` changes nothing, and names all variables that are read."""
    example = Path(__file__).parents[2] / ".env.example"
    assert Settings.read(dotenv_values(example)) == Settings.read({})
    source = Path(sys.modules[Settings.__module__].__file__ or "").read_text("utf-8")
    names = set(re.findall(r'"((?:CUATRO|DATABASE|DISCORD)_[A-Z_]+)"', source))
    assert len(names) > 20
    assert names <= set(re.findall(r"^(?:# )?([A-Z_]+)=", example.read_text("utf-8"), re.MULTILINE))
