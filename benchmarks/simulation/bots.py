"""One process of the bot, and how a move goes through it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import simpy

from benchmarks.capacity.figures import Spread, Wire
from benchmarks.simulation.databases import Database
from benchmarks.simulation.discords import Discord
from benchmarks.simulation.machine import Machine, Steps, Threads
from bot.discord.runner import APART, BLINK

COMMANDS = 0.25
"""The share of moves that are made by command, as in benchmarks.wire.tables."""


@dataclass(slots=True)
class Tally:
    """What is counted; the same one for all processes of a simulation."""

    waits: list[float] = field(default_factory=list)
    """Seconds from each click to the board with the answer."""
    open: set[float] = field(default_factory=set)
    """When the clicks were made whose board has not come yet."""
    begun: int = 0
    """Moves asked for."""
    writes: int = 0
    edits: int = 0
    answers: int = 0
    """Requests through interactions."""
    overtaken: int = 0
    """Boards that were not sent, for a newer one."""
    ends: int = 0

    def under(self, share: float) -> float:
        """The wait below which this share lies."""
        ordered = sorted(self.waits)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


@dataclass(slots=True)
class _Board:
    """A board that is being shown; another one may overtake it."""

    is_sent: bool = False
    is_overtaken: bool = False


class Bot:
    """A process: its event loop and threads, on a machine, with a database and Discord."""

    def __init__(
        self,
        machine: Machine,
        wire: Wire,
        database: Database,
        discord: Discord,
        searches: Threads,
        rng: Random,
        tally: Tally,
        search: Callable[[Random], float] | None = None,
        *,
        as_measured: bool = False,
    ) -> None:
        """Search in the threads `searches`, for as long as `search` says or as was measured.

        What threads beside the loop do takes CPU of the machine, or, `as_measured`, as long as it
        took there by the clock; so does the look at what the database says of a board.
        """
        self._as_measured = as_measured
        self._env = machine.env
        self._wire, self._database, self._discord = wire, database, discord
        self._searches, self._rng, self._tally = searches, rng, tally
        self._search = search or wire.search.draw
        self.loop = Threads(machine, 1)
        self._boards = Threads(machine, 1)
        self._judges = Threads(machine, 1)

    def click(self, channel: simpy.Resource, *, counts: bool = True) -> Steps:
        """A person's move, until the board shows it and the answer to it.

        Where it `counts`, the wait is noted.
        """
        began, rng = self._env.now, self._rng
        self._tally.begun += 1
        if counts:
            self._tally.open.add(began)
        by_command, ends = rng.random() < COMMANDS, rng.random() < self._wire.ends
        yield from self._discord.deliver()
        yield from self._on_loop(self._wire.receive)
        yield from self._write()
        yield from self._answer_interaction()
        # Every other game ends with the person's own move.
        if ends and rng.random() < 0.5:
            yield from self._show(channel, _Board())
        else:
            yield from self._let_agent_move(channel)
        if counts:
            self._tally.waits.append(self._env.now - began)
            self._tally.open.discard(began)
        yield from self._on_loop(self._wire.tail)
        if by_command:
            yield from self._discord.answer()
        if ends:
            self._env.process(self._after(channel))

    def hint(self, seconds: float) -> Steps:
        """Work in the threads for searches that no board waits for."""
        yield from self._searches.do(seconds)

    def _let_agent_move(self, channel: simpy.Resource) -> Steps:
        """As `GameRunner` does: a board that is soon replaced is skipped, two come apart."""
        answered = self._env.process(self._reply())
        yield answered | self._env.timeout(BLINK)
        first, shown_at = _Board(), None
        if not answered.triggered:
            showing = self._env.process(self._show(channel, first))
            yield answered | showing
            shown_at = self._env.now
            yield answered
        if shown_at is not None and shown_at + APART > self._env.now:
            yield self._env.timeout(shown_at + APART - self._env.now)
        if not first.is_sent and shown_at is not None:
            first.is_overtaken = True
        yield from self._show(channel, _Board())

    def _reply(self) -> Steps:
        for _ in range(self._answers()):
            yield from self._on_loop(self._wire.hand_over)
            yield from self._thread(self._searches, "search", self._search(self._rng))
            yield from self._write()

    def _answers(self) -> int:
        """Mostly one; more where an agent has several moves in a row."""
        return 1 + (self._rng.random() < self._wire.answers - 1.0)

    def _show(self, channel: simpy.Resource, board: _Board) -> Steps:
        with channel.request() as turn:
            yield turn
            if board.is_overtaken:
                self._tally.overtaken += 1
                return
            if self._as_measured:
                yield self._env.timeout(self._wire.beside["look"].draw(self._rng))
            yield from self.loop.do(self._wire.edit.mean / 2)
            yield from self._thread(self._boards, "draw", self._wire.draw.draw(self._rng))
            yield from self.loop.do(self._wire.edit.draw(self._rng) / 2)
            if board.is_overtaken:
                self._tally.overtaken += 1
                return
            board.is_sent = True
            self._tally.edits += 1
            yield from self._discord.edit()

    def _after(self, channel: simpy.Resource) -> Steps:
        """What the end of a game brings: it is judged and rated, and its board shows that."""
        self._tally.ends += 1
        yield from self._judges.do(self._wire.judge.draw(self._rng))
        yield from self._write()
        yield from self._show(channel, _Board())

    def _write(self) -> Steps:
        self._tally.writes += 1
        yield from self._database.write(self.loop, self._wire.write.draw(self._rng))

    def _answer_interaction(self) -> Steps:
        self._tally.answers += 1
        yield from self._on_loop(self._wire.acknowledge)
        yield from self._discord.answer()

    def _thread(self, threads: Threads, name: str, seconds: float) -> Steps:
        if self._as_measured:
            yield from threads.rest(self._wire.beside[name].draw(self._rng))
        else:
            yield from threads.do(seconds)

    def _on_loop(self, stage: Spread) -> Steps:
        yield from self.loop.do(stage.draw(self._rng))
