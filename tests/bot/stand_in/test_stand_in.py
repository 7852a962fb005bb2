"""The stand-in for Discord fails, limits and forgets as configured, and as Discord does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.bot.discord_server import CHANNEL, GUILD, MESSAGE, TOKEN, DiscordServer
from tests.bot.stand_in.faults import Fault, breaks, fails, hangs, limited, resets, slow
from tests.bot.stand_in.gateway import IDENTIFY, INVALID, RECONNECT, RESUME

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


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (breaks(502), 502, 0),
        (fails(10003), 404, 10003),
        (fails(10008), 404, 10008),
        (fails(10062), 404, 10062),
        (fails(40060), 400, 40060),
        (fails(50001), 403, 50001),
        (fails(50013), 403, 50013),
        (fails(30046), 400, 30046),
        (limited(1.5, code=30046), 429, 30046),
    ],
)
@pytest.mark.parametrize("taken", [False, True])
async def test_a_request_fails_before_or_after_it_was_taken(
    server: DiscordServer, http: aiohttp.ClientSession, fault: Fault, status: int, code: int,
    taken: bool,
) -> None:  # fmt: skip
    """A fault returns the same error before and after the message was written."""
    server.faults.on("POST", "/messages", fault.once_taken() if taken else fault)
    got, body, _ = await write(http, server, "a")
    assert (got, body["code"]) == (status, code)
    assert texts(server) == ["a"] * taken


@pytest.mark.parametrize("taken", [False, True])
async def test_a_connection_breaks(
    server: DiscordServer, http: aiohttp.ClientSession, taken: bool
) -> None:
    """A reset connection raises a connection error before and after the message was written."""
    server.faults.on("POST", "/messages", resets().once_taken() if taken else resets())
    with pytest.raises(aiohttp.ClientConnectionError):
        await write(http, server, "a")
    assert texts(server) == ["a"] * taken


async def test_a_request_hangs(server: DiscordServer, http: aiohttp.ClientSession) -> None:
    """A hanging request gets no answer until it times out; a slow one is answered."""
    server.faults.on("POST", "/messages", hangs())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(write(http, server, "a"), 0.2)
    server.faults.on("POST", "/messages", slow(0.1))
    assert (await write(http, server, "b"))[0] == 200
    assert texts(server) == ["b"]


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


async def test_an_enforced_nonce_writes_once(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """An enforced nonce returns the message that already has it; other nonces are ignored."""
    _, first, _ = await write(http, server, "a", nonce="n1", enforce_nonce=True)
    _, again, _ = await write(http, server, "a", nonce="n1", enforce_nonce=True)
    _, other, _ = await write(http, server, "a", nonce="n2", enforce_nonce=True)
    _, loose, _ = await write(http, server, "a", nonce="n1")
    assert first["id"] == again["id"]
    assert len({first["id"], other["id"], loose["id"]}) == len(server.messages) == 3


async def test_deleted_games_are_unknown(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """A deleted message cannot be edited, and nothing can be posted in a deleted channel."""
    _, message, _ = await write(http, server, "a")
    server.board.delete(message["id"])
    async with http.patch(f"{server.api_url}{WRITE}/{message['id']}", json={}) as answer:
        assert (answer.status, (await answer.json())["code"]) == (404, 10008)
    await server.delete_channel(CHANNEL)
    status, body, _ = await write(http, server, "b")
    assert (status, body["code"]) == (404, 10003)


async def test_a_message_is_deleted_without_a_word(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """A deletion is answered with an empty body that is not declared as JSON."""
    _, message, _ = await write(http, server, "a")
    async with http.delete(f"{server.api_url}{WRITE}/{message['id']}") as answer:
        assert (answer.status, await answer.text()) == (204, "")
        assert answer.content_type != "application/json"
    assert texts(server) == []


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


async def test_missed_events_are_replayed(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """A resumed session receives the missed events and then RESUMED."""
    socket = await greet(http, server, IDENTIFY)
    ready, guild = await socket.receive_json(), await socket.receive_json()
    assert (ready["t"], ready["s"], guild["t"], guild["s"]) == ("READY", 1, "GUILD_CREATE", 2)
    await socket.close()
    await server.until(lambda: not server.bots)
    await server.command("start")
    session = ready["d"]["session_id"]
    socket = await greet(http, server, RESUME, session_id=session, seq=2)
    events = [await socket.receive_json() for _ in range(2)]
    assert [event["t"] for event in events] == ["INTERACTION_CREATE", "RESUMED"]
    await socket.close()
    server.gateway.forgets = True
    socket = await greet(http, server, RESUME, session_id=session, seq=2)
    assert await socket.receive_json() == {"op": INVALID, "d": False}
    await socket.close()


async def test_each_session_of_a_shard_gets_events(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """A server's events go to all sessions of its shard, except those that were closed."""
    here = int(GUILD) >> 22
    shards = [here % 2, here % 2, (here + 1) % 2]
    sockets = [await greet(http, server, IDENTIFY, shard=[one, 2]) for one in shards]
    ready = [await socket.receive_json() for socket in sockets]
    assert [one["d"]["shard"] for one in ready] == [[one, 2] for one in shards]
    assert [len(one["d"]["guilds"]) for one in ready] == [1, 1, 0]
    token = await server.command("start")
    assert server.interactions.deliveries[token] == 2
    for socket in sockets[:2]:
        events = [(await socket.receive_json())["t"] for _ in range(2)]
        assert events == ["GUILD_CREATE", "INTERACTION_CREATE"]
    await sockets[0].close(code=1000)
    await server.until(lambda: len(server.gateway.sessions) == 2)
    assert server.interactions.deliveries[await server.command("start")] == 1
    for socket in sockets[1:]:
        await socket.close()


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


async def test_the_gateway_sends_bots_away(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """Op 7, op 9 and close codes reach the bot; heartbeats are acknowledged only if enabled."""
    server.gateway.acknowledges = False
    socket = await greet(http, server, IDENTIFY)
    await socket.receive_json(), await socket.receive_json()
    await socket.send_json({"op": 1, "d": 2})
    await server.gateway.ask_to_reconnect()
    assert (await socket.receive_json())["op"] == RECONNECT
    await server.until(lambda: server.gateway.heartbeats == 1)
    await server.gateway.invalidate(resumable=True)
    assert await socket.receive_json() == {"op": INVALID, "d": True}
    closing = asyncio.create_task(server.hang_up(4008))
    assert (await socket.receive()).data == 4008
    await closing


async def test_all_requests_together_are_limited(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """Requests on all routes together have a global limit."""
    server.limits.everywhere = (2, 60.0)
    answers = [await write(http, server, text) for text in "abc"]
    assert [status for status, _, _ in answers] == [200, 200, 429]
    assert answers[-1][1]["global"] is True
    assert server.limits.refused == 1


async def test_an_archived_thread_refuses_edits(
    server: DiscordServer, http: aiohttp.ClientSession
) -> None:
    """An archived thread refuses edits until it is open again."""
    _, message, _ = await write(http, server, "a")
    edit = f"{server.api_url}{WRITE}/{message['id']}"
    statuses = []
    for change in (server.archive, server.reopen):
        await change(CHANNEL)
        async with http.patch(edit, json={"content": "b"}) as answer:
            statuses.append((answer.status, (await answer.json()).get("code")))
    assert statuses == [(400, 50083), (200, None)]
