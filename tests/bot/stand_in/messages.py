"""The messages of all channels."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.bot.stand_in.payloads import EPHEMERAL, Json, empty_message, error

NONCE_SECONDS = 300.0
"""The seconds that Discord remembers a nonce: "the past few minutes"."""
LONGEST_NONCE = 25
SHOWN = ("content", "components", "flags", "embeds")
"""The fields of a payload that a message shows."""


@dataclass(slots=True)
class Messages:
    """Messages by id, changed as the API changes them."""

    new_id: Callable[[], str]
    picture_url: str = ""
    by_id: dict[str, Json] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)
    """Deleted channels."""
    archived: set[str] = field(default_factory=set)
    """Archived threads, in which nothing can be edited."""
    _nonces: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)

    def in_channel(self, channel_id: str) -> list[Json]:
        """The messages of a channel, the oldest first."""
        return [one for one in self.by_id.values() if one["channel_id"] == channel_id]

    def clear(self) -> None:
        """Forget all messages."""
        self.by_id.clear()
        self.deleted.clear()
        self._nonces.clear()

    def delete(self, message_id: str) -> bool:
        """Delete a message; False if there is none."""
        self.deleted.add(message_id)
        return self.by_id.pop(message_id, None) is not None

    def close(self, channel_id: str) -> None:
        """Delete a channel with its messages."""
        self.closed.add(channel_id)
        for message in self.in_channel(channel_id):
            self.delete(message["id"])

    def write(self, payload: Json, channel_id: str, message_id: str | None = None) -> Json:
        """Create or change a message by a payload; returns it as Discord shows it."""
        message_id = message_id or self.new_id()
        old = self.by_id.get(message_id) or empty_message(message_id, channel_id)
        changed = {key: payload[key] for key in SHOWN if key in payload}
        if "attachments" in payload:
            shown = {"id": "1", "size": 1, "url": self.picture_url, "proxy_url": self.picture_url}
            changed["attachments"] = [{**given, **shown} for given in payload["attachments"] or []]
        if message_id in self.by_id:
            changed["edits"] = old.get("edits", 0) + 1
        self.by_id[message_id] = {**old, **changed}
        return self.by_id[message_id]

    # Routes

    def post(self, request: web.Request, payload: Any) -> web.Response:
        """POST to a channel; an enforced nonce that was used before returns its message."""
        channel, nonce = request.match_info["channel"], payload.get("nonce")
        if channel in self.closed:
            return error(404, 10003, "Unknown Channel")
        refused = self.archived_error(channel)
        if refused is not None:
            return refused
        if nonce is not None and len(str(nonce)) > LONGEST_NONCE:
            return error(400, 50035, "Invalid Form Body")
        known = self._nonces.get((channel, str(nonce)))
        if nonce is not None and payload.get("enforce_nonce") and known is not None:
            said_at, message_id = known
            if time.monotonic() - said_at < NONCE_SECONDS and message_id in self.by_id:
                return web.json_response({**self.by_id[message_id], "nonce": nonce})
        message = self.write(payload, channel)
        if nonce is not None:
            self._nonces[channel, str(nonce)] = (time.monotonic(), message["id"])
            message = {**message, "nonce": nonce}
        return web.json_response(message)

    def edit(self, request: web.Request, payload: Any) -> web.Response:
        """PATCH of a message; an ephemeral one cannot be edited this way."""
        refused = self._refused(request) or self.archived_error(request.match_info["channel"])
        channel, message_id = request.match_info["channel"], request.match_info["message"]
        return refused or web.json_response(self.write(payload, channel, message_id))

    def get(self, request: web.Request, _payload: Any) -> web.Response:
        """GET of a message."""
        refused = self._refused(request)
        return refused or web.json_response(self.by_id[request.match_info["message"]])

    def remove(self, request: web.Request, _payload: Any) -> web.Response:
        """DELETE of a message."""
        refused = self._refused(request)
        if refused is not None:
            return refused
        self.delete(request.match_info["message"])
        return web.Response(status=204)

    def archived_error(self, channel_id: str) -> web.Response | None:
        """The error for messages in a thread that is archived, and that the bot may not reopen."""
        return error(400, 50083, "Thread is archived") if channel_id in self.archived else None

    def _refused(self, request: web.Request) -> web.Response | None:
        if request.match_info["channel"] in self.closed:
            return error(404, 10003, "Unknown Channel")
        message = self.by_id.get(request.match_info["message"])
        if message is None or message["flags"] & EPHEMERAL:
            return error(404, 10008, "Unknown Message")
        return None
