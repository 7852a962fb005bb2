"""Asking the running bot how it is, for the command `cuatro health`. Loads no engine."""

from __future__ import annotations

import hashlib
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from pathlib import Path

from sqlalchemy.engine import make_url

from bot.settings import Settings, SettingsError

PATIENCE = 10.0
"""Seconds in which the bot must have answered."""


def ask(settings: Settings) -> tuple[bool, str]:
    """Whether the running bot is well, and what it says; raises SettingsError if it has no port."""
    if not settings.health_port:
        raise SettingsError(
            "CUATRO_HEALTH_PORT is 0, so nobody can ask the bot how it is. Set a port, or leave "
            "it out."
        )
    address = _reachable(settings.health_address)
    connection = HTTPConnection(address, settings.health_port, timeout=PATIENCE)
    try:
        connection.request("GET", f"/readyz?bot={name_of(settings)}")
        response = connection.getresponse()
        text = response.read().decode(errors="replace").strip()
    except (OSError, HTTPException) as error:
        return False, f"No bot answers on port {settings.health_port} (CUATRO_HEALTH_PORT): {error}"
    finally:
        connection.close()
    return response.status == 200, text


def _reachable(address: str) -> str:
    """Where a port that is open on this address is reached from the same machine."""
    parsed = ip_address(address)
    if not parsed.is_unspecified:
        return address
    return "127.0.0.1" if parsed.version == 4 else "::1"


def name_of(settings: Settings) -> str:
    """A name for the bot with these settings, so that two on one machine are told apart."""
    file = database_file(settings)
    text = settings.database_url if file is None else str(file.resolve())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def database_file(settings: Settings) -> Path | None:
    """The file of the database; None for one in memory or on a server."""
    url = make_url(settings.database_url)
    name = url.database if url.get_backend_name() == "sqlite" else None
    return None if name in (None, "", ":memory:") else Path(name)
