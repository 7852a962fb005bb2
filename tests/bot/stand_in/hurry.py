"""discord.py without its pause for further servers."""

from __future__ import annotations

from typing import Any

import pytest
from discord.state import ConnectionState


def expect_no_more_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make discord.py ready at once: it waits two seconds for more servers, and there are none."""
    begin = ConnectionState.__init__

    def hurried(self: ConnectionState[Any], **options: Any) -> None:
        begin(self, **{**options, "guild_ready_timeout": 0.05})

    monkeypatch.setattr(ConnectionState, "__init__", hurried)
