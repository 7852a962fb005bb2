"""The stand-in for Discord fails, limits and forgets as configured, and as Discord does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.bot.discord_server import CHANNEL, MESSAGE, TOKEN, DiscordServer
from tests.bot.stand_in.faults import breaks, fails, limited, resets
from tests.bot.stand_in.gateway import IDENTIFY, INVALID

Json = dict[str, Any]
WRITE = f"/channels/{CHANNEL}/messages"
TIMEOUT = 30


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord to talk to."""
    async with DiscordServer() as server:
        yield server


@pytest.fixture
async def http(server: DiscordServer) -> AsyncIterator[aiohttp.ClientSession]:
    """A client that sends requests as the bot."""
    headers = {"Authorization": f"Bot {TOKEN}"}
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    async with aiohttp.ClientSession(headers=headers, timeout=timeout) as http:
        yield http


async def write(
    http: aiohttp.ClientSession, server: DiscordServer, text: str, **more: Any
) -> tuple[int, Json, Any]:
    """Post a message: the status, the body and the headers."""
    body = {"content": text, **more}
    async with http.post(server.api_url + WRITE, json=body) as answer:
        return answer.status, await answer.json(), answer.headers


def texts(server: DiscordServer) -> list[str]:
    """The texts in the channel."""
    return [message["content"] for message in server.messages.values()]


async def test_the_nth_request_fails(server: DiscordServer, http: aiohttp.ClientSession) -> None:
    """A rule counts its matching requests and lets the others pass."""
    rule = server.faults.on("POST", "/messages", breaks(500), nth=2, times=2)
    statuses = [(await write(http, server, text))[0] for text in "abcd"]
    assert statuses == [200, 500, 500, 200]
    assert texts(server) == ["a", "d"]
    assert (rule.seen, rule.hits) == (4, 2)


async def test_a_fault_comes_before_or_after_a_request_takes_effect(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """The same error is returned whether or not the message was written."""
    faults = {(502, 0): breaks(502), (404, 10062): fails(10062), (403, 50013): fails(50013)}
    faults[429, 30046] = limited(1.5, code=30046)
    for answer, fault in faults.items():
        for one in (fault, fault.once_taken()):
            server.faults.on("POST", "/messages", one)
            status, body, _ = await write(http, server, str(answer))
            assert (status, body["code"]) == answer
    assert texts(server) == [str(answer) for answer in faults]
    server.faults.on("POST", "/messages", resets().once_taken())
    with pytest.raises(aiohttp.ClientConnectionError):
        await write(http, server, "reset")
    assert texts(server)[-1] == "reset"


@pytest.mark.parametrize("everywhere", [False, True])
async def test_too_many_requests_are_answered_as_by_discord(
    server: DiscordServer, http: aiohttp.ClientSession, everywhere: bool
) -> None:
    """A 429 names its scope and the time to wait in its headers and its body."""
    server.faults.on("POST", "/messages", limited(2.0, everywhere=everywhere))
    status, body, headers = await write(http, server, "a")
    assert (status, body["retry_after"], body["global"]) == (429, 2.0, everywhere)
    assert (headers["Retry-After"], "X-RateLimit-Global" in headers) == ("2", everywhere)
    assert headers["Via"]


async def test_buckets_count_by_channel(server: DiscordServer, http: aiohttp.ClientSession) -> None:
    """The sixth request in five seconds is refused, and another channel has its own limit."""
    server.limits.as_usual()
    found = [await write(http, server, str(number)) for number in range(6)]
    assert [status for status, _, _ in found] == [200] * 5 + [429]
    left = [headers["X-RateLimit-Remaining"] for _, _, headers in found]
    assert left == ["4", "3", "2", "1", "0", "0"]
    assert 0 < found[-1][1]["retry_after"] <= 5
    assert len({headers["X-RateLimit-Bucket"] for _, _, headers in found}) == 1
    other = server.api_url + "/channels/77/messages"
    async with http.post(other, json={"content": "there"}) as answer:
        assert answer.status == 200


async def answer(http: aiohttp.ClientSession, server: DiscordServer, token: str) -> int:
    """Answer an interaction; returns 0 or Discord's code."""
    asked = server.interactions.asked[token]["id"]
    url = f"{server.api_url}/interactions/{asked}/{token}/callback"
    async with http.post(url, json={"type": MESSAGE, "data": {"content": "a"}}) as response:
        return int((await response.json()).get("code", 0))


async def test_an_interaction_is_answered_once_and_in_time(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """A second answer gets 40060, a late one 10062, and an expired token edits nothing."""
    first = await server.command("start")
    assert [await answer(http, server, first) for _ in range(2)] == [0, 40060]
    server.interactions.patience = 0.0
    assert await answer(http, server, await server.command("start")) == 10062
    server.interactions.expire(first)
    url = f"{server.api_url}/webhooks/1/{first}/messages/@original"
    async with http.patch(url, json={"content": "b"}) as response:
        assert (await response.json())["code"] == 10015


async def greet(http: aiohttp.ClientSession, server: DiscordServer, op: int, **said: Any) -> Any:
    """A connection to the gateway that has identified itself."""
    socket = await http.ws_connect(server.gateway_url)
    assert (await socket.receive_json())["d"]["heartbeat_interval"] > 0
    await socket.send_json({"op": op, "d": {"token": TOKEN, **said}})
    return socket


async def test_identifies_of_a_bucket_are_spaced(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """An IDENTIFY that is too soon after another one of its bucket gets an invalid session."""
    server.gateway.identify_interval, server.gateway.max_concurrency = 5.0, 2
    async with http.get(f"{server.api_url}/gateway/bot") as answer:
        assert (await answer.json())["session_start_limit"]["max_concurrency"] == 2
    sockets = [await greet(http, server, IDENTIFY, shard=[one, 4]) for one in (0, 1, 2)]
    received = [await socket.receive_json() for socket in sockets]
    assert [one["op"] for one in received] == [0, 0, INVALID]
    assert [one.bucket for one in server.gateway.identifies] == [0, 1, 0]
    for socket in sockets:
        await socket.close()


async def test_all_requests_together_are_limited(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """Requests on all routes together have a global limit."""
    server.limits.everywhere = (2, 60.0)
    answers = [await write(http, server, text) for text in "abc"]
    assert [status for status, _, _ in answers] == [200, 200, 429]
    assert answers[-1][1]["global"] is True
    assert server.limits.refused == 1
