"""Common parts of all requests, and the routes that only look something up."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from tests.bot.stand_in.payloads import ANA, APPLICATION, user


@dataclass(frozen=True, slots=True)
class Request:
    """A request as the bot sent it."""

    method: str
    path: str
    payload: Any
    files: dict[str, bytes]
    at: float = field(default_factory=time.monotonic)
    """When it came, by the monotonic clock, in seconds."""


def get_user(request: web.Request, _payload: Any) -> web.Response:
    """A user; `@me` is the bot."""
    return web.json_response(user(request.match_info["user"].replace("@me", APPLICATION)))


def get_application(_request: web.Request, _payload: Any) -> web.Response:
    """The bot's application."""
    texts = dict.fromkeys(("name", "description", "verify_key", "icon"), "")
    no = dict.fromkeys(("bot_public", "bot_require_code_grant"), False)
    return web.json_response({"id": APPLICATION, **texts, **no, "owner": user(ANA)})


def put_commands(_request: web.Request, payload: Any) -> web.Response:
    """Store the commands as they are sent."""
    facts = {"application_id": APPLICATION, "version": "1"}
    commands = [{"description": "", **one, **facts, "id": "1"} for one in payload]
    return web.json_response(commands)


async def read(request: web.Request) -> tuple[Any, dict[str, bytes]]:
    """A request's JSON and files."""
    if not request.content_type.startswith("multipart/"):
        text = await request.text()
        return json.loads(text) if text else None, {}
    payload, files = None, {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        if part.name == "payload_json":
            payload = json.loads(await part.text())
        else:
            files[part.filename or ""] = bytes(await part.read())
    return payload, files
