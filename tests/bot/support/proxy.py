"""TCP proxies that inject faults.

`Proxy` is in front of a PostgreSQL server and can freeze, slow down, cut or redirect connections,
as a suspended server, a bad network, a crash or a failover would.
"""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic

from sqlalchemy import URL

CHUNK = 65_536


@dataclass(eq=False, slots=True)
class _Pipe:
    """One connection through the proxy."""

    client: StreamWriter
    flows: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether bytes are forwarded to the server."""
    answers: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether bytes are forwarded to the client."""
    is_stranded: bool = False
    """Whether it stays silent for good."""
    upstream: StreamWriter | None = None

    @property
    def upstream_is_gone(self) -> bool:
        """Whether the connection to the server is closed."""
        return self.upstream is None or self.upstream.is_closing()

    def abort(self) -> None:
        for writer in (self.client, self.upstream):
            if writer is not None:
                writer.transport.abort()


class Proxy:
    """Forwards connections to a server."""

    def __init__(self, upstream: URL) -> None:
        """Forward to the server at an address."""
        self.upstream = upstream
        self.delay = 0.0
        """Seconds by which each message is late, in both directions together."""
        self.loses_answer_to: bytes | None = None
        """The next message that contains this is forwarded, and no answer to it comes back."""
        self.withholds: bytes | None = None
        """The next message that contains this is not forwarded."""
        self._port = 0
        self._frozen = self._refuses = False
        self._pipes: set[_Pipe] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def address_of(self, name: str) -> str:
        """The address of a database, through this proxy."""
        user = self.upstream.username or "postgres"
        address = URL.create(
            "postgresql+asyncpg", user, self.upstream.password, "127.0.0.1", self._port, name
        )
        return address.render_as_string(hide_password=False)

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._pipes)

    def freeze(self) -> None:
        """Stop forwarding on all connections; new connections are accepted."""
        self._frozen = True
        for pipe in self._pipes:
            pipe.flows.clear()
            pipe.answers.clear()

    def thaw(self) -> None:
        """Forward what was held back, and everything that follows."""
        self._frozen = False
        for pipe in self._pipes:
            if not pipe.is_stranded:
                pipe.flows.set()
                pipe.answers.set()

    def cut(self, *, refuse: bool = False) -> None:
        """Break all connections; with `refuse`, also new ones at once, until the next call."""
        self._refuses = refuse
        for pipe in tuple(self._pipes):
            pipe.abort()

    def fail_over(self, upstream: URL) -> None:
        """Forward new connections to another server; the existing ones stay open but silent.

        The connections to the previous server are aborted, so it rolls back what was uncommitted.
        """
        self.upstream = upstream
        for pipe in self._pipes:
            pipe.is_stranded = True
            pipe.answers.clear()
            if pipe.upstream is not None:
                pipe.upstream.transport.abort()

    async def serve(self) -> asyncio.Server:
        """Begin to listen at a free port."""
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port = int(server.sockets[0].getsockname()[1])
        return server

    async def close(self) -> None:
        """Break all connections for good."""
        self.cut(refuse=True)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        pipe = _Pipe(writer)
        if self._refuses:
            pipe.abort()
            return
        if not self._frozen:
            pipe.flows.set()
            pipe.answers.set()
        self._pipes.add(pipe)
        try:
            await pipe.flows.wait()
            back, pipe.upstream = await self._connect()
            there = asyncio.create_task(self._forward(pipe, reader, pipe.upstream, to_server=True))
            here = asyncio.create_task(self._forward(pipe, back, writer, to_server=False))
            await asyncio.wait({there, here}, return_when=asyncio.FIRST_COMPLETED)
            if pipe.is_stranded:
                # Its client closes it after a timeout.
                await there
            for one in (there, here):
                one.cancel()
            await asyncio.gather(there, here, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._pipes.discard(pipe)
            pipe.abort()

    async def _connect(self) -> tuple[StreamReader, StreamWriter]:
        host = self.upstream.query.get("host", self.upstream.host) or "127.0.0.1"
        assert isinstance(host, str)
        port = self.upstream.port or 5432
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _forward(
        self, pipe: _Pipe, source: StreamReader, target: StreamWriter, *, to_server: bool
    ) -> None:
        gate = pipe.flows if to_server else pipe.answers
        with suppress(OSError):
            while data := await source.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay / 2)
                if to_server and self.withholds is not None and self.withholds in data:
                    self.withholds, pipe.is_stranded = None, True
                    pipe.answers.clear()
                    continue
                if to_server and self.loses_answer_to is not None and self.loses_answer_to in data:
                    self.loses_answer_to, pipe.is_stranded = None, True
                    pipe.answers.clear()
                await gate.wait()
                if not (to_server and pipe.is_stranded and pipe.upstream_is_gone):
                    target.write(data)
                    await target.drain()


class LatencyProxy:
    """A TCP proxy with latency in both directions, which does not limit throughput."""

    def __init__(self, port: int) -> None:
        """Forward to a port of this machine; `delay` is the latency in seconds, each way."""
        self._to = port
        self._tasks: set[asyncio.Task[None]] = set()
        self.delay = 0.0
        self.port = 0

    async def __aenter__(self) -> LatencyProxy:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _forward(self, reader: StreamReader, writer: StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        for one, other in ((reader, back), (there, writer)):
            waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
            for work in (self._read(one, waiting), self._write(other, waiting)):
                task = asyncio.create_task(work)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _read(
        self, reader: StreamReader, waiting: asyncio.Queue[tuple[float, bytes]]
    ) -> None:
        data = b"-"
        while data:
            try:
                data = await reader.read(65_536)
            except OSError:
                data = b""
            waiting.put_nowait((monotonic() + self.delay, data))

    @staticmethod
    async def _write(writer: StreamWriter, waiting: asyncio.Queue[tuple[float, bytes]]) -> None:
        with suppress(OSError):
            while True:
                due, data = await waiting.get()
                await asyncio.sleep(max(0.0, due - monotonic()))
                if not data:
                    break
                writer.write(data)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def proxy_to(upstream: URL) -> AsyncIterator[Proxy]:
    """A proxy in front of a server while the block runs."""
    proxy = Proxy(upstream)
    server = await proxy.serve()
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
