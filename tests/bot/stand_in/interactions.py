"""Interactions: people's actions, the answers to them, and tokens that expire."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.bot.stand_in.messages import Messages
from tests.bot.stand_in.payloads import EPHEMERAL, Json, error

MESSAGE, LATER_MESSAGE, LATER_UPDATE, UPDATE, SUGGESTIONS = 4, 5, 6, 7, 8  # answers
TOKEN_SECONDS = 900.0


@dataclass(slots=True)
class Interactions:
    """Interactions by token; each may be answered once and in time, as on Discord."""

    messages: Messages
    patience: float | None = None
    """Seconds within which an interaction must be acknowledged, 3 on Discord; None for no limit."""
    asked: dict[str, Json] = field(default_factory=dict)
    answered: dict[str, str | None] = field(default_factory=dict)  # ids of messages
    answers: dict[str, Json] = field(default_factory=dict)
    """The first answers that were accepted."""
    deliveries: dict[str, int] = field(default_factory=dict)
    """The number of gateway sessions that received each interaction."""
    seconds: dict[str, float] = field(default_factory=dict)
    """The time that each answer took."""
    late_answers: list[str] = field(default_factory=list)
    """The tokens of interactions that were answered too late."""
    whispers: set[str] = field(default_factory=set)
    """The tokens of interactions with a private follow-up message."""
    second_answers: list[str] = field(default_factory=list)
    """The tokens of interactions that were answered twice."""
    _asked_at: dict[str, float] = field(default_factory=dict)
    _expired: set[str] = field(default_factory=set)

    def ask(self, token: str, interaction: Json) -> None:
        """Note a person's action."""
        self.asked[token] = interaction
        self._asked_at[token] = time.monotonic()

    def clear(self) -> None:
        """Forget all interactions; all tokens are unknown."""
        for kept in (self.asked, self.answered, self.answers, self.deliveries, self._asked_at):
            kept.clear()
        self.late_answers.clear()
        self.whispers.clear()
        self.second_answers.clear()
        self.seconds.clear()
        self._expired.clear()

    def expire(self, token: str) -> None:
        """Expire a token, as after fifteen minutes."""
        self._expired.add(token)

    def callback(self, request: web.Request, payload: Any) -> web.Response:
        """POST of the first answer."""
        token, kind = request.match_info["token"], payload["type"]
        asked = self.asked.get(token)
        if asked is None or asked["id"] != request.match_info["interaction"] or self._late(token):
            self.late_answers.append(token)
            return error(404, 10062, "Unknown interaction")
        if token in self.answered:
            self.second_answers.append(token)
            return error(400, 40060, "Interaction has already been acknowledged.")
        data, message = payload.get("data") or {}, asked.get("message")
        if kind == UPDATE and message is not None:
            if message["id"] in self.messages.by_id:
                message = self.messages.write(data, asked["channel_id"], message["id"])
        elif kind in (MESSAGE, LATER_MESSAGE):
            message = self.messages.write(data, asked["channel_id"])
        self.answered[token] = message_id = message and message["id"]
        self.answers[token] = payload
        self.seconds[token] = time.monotonic() - self._asked_at[token]
        facts = {"id": asked["id"], "type": asked["type"], "response_message_id": message_id}
        resource = {"type": kind, "message": message} if message else None
        return web.json_response({"interaction": facts, "resource": resource})

    def follow_up(self, request: web.Request, payload: Any) -> web.Response:
        """POST of a further message."""
        token = request.match_info["token"]
        if not self._lives(token):
            return error(404, 10015, "Unknown Webhook")
        if payload.get("flags", 0) & EPHEMERAL:
            self.whispers.add(token)
        channel_id = self.asked[token]["channel_id"]
        refused = self.messages.archived_error(channel_id)
        return refused or web.json_response(self.messages.write(payload, channel_id))

    def edit(self, request: web.Request, payload: Any) -> web.Response:
        """PATCH of the first answer, or of a further message."""
        found = self._message(request)
        if isinstance(found, web.Response):
            return found
        refused = self.messages.archived_error(found["channel_id"])
        if refused is not None:
            return refused
        return web.json_response(self.messages.write(payload, found["channel_id"], found["id"]))

    def get(self, request: web.Request, _payload: Any) -> web.Response:
        """GET of the first answer, or of a further message."""
        found = self._message(request)
        return found if isinstance(found, web.Response) else web.json_response(found)

    def remove(self, request: web.Request, _payload: Any) -> web.Response:
        """DELETE of the first answer, or of a further message."""
        found = self._message(request)
        if isinstance(found, web.Response):
            return found
        self.messages.delete(found["id"])
        return web.Response(status=204)

    def _message(self, request: web.Request) -> Json | web.Response:
        token = request.match_info["token"]
        if not self._lives(token):
            return error(404, 10015, "Unknown Webhook")
        message_id = request.match_info.get("message") or self.answered[token] or ""
        return self.messages.by_id.get(message_id) or error(404, 10008, "Unknown Message")

    def _lives(self, token: str) -> bool:
        age = time.monotonic() - self._asked_at.get(token, 0.0)
        return token in self.answered and token not in self._expired and age < TOKEN_SECONDS

    def _late(self, token: str) -> bool:
        waited = time.monotonic() - self._asked_at[token]
        return token in self._expired or (self.patience is not None and waited > self.patience)
