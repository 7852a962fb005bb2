"""What remains in memory after games have ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from benchmarks import leaks


async def test_nothing_remains_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No session, view or task of finished games remains, and no other class grows."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    remains = await leaks.run(12, tmp_path, tables=4)
    assert remains.games == 12
    assert remains.stuck == 0
    assert remains.late["bot.game.session.Session"] == 0
    kept = set(leaks.KEPT_FOR_MINUTES)
    assert not {name: count for name, count in remains.grown.items() if name not in kept}
