"""A process of the bot, and the steps of a move in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

import simpy

from benchmarks.capacity.figures import Move, Step, Wire
from benchmarks.simulation.databases import Database
from benchmarks.simulation.discords import Discord
from benchmarks.simulation.machine import Machine, Steps, Threads
from bot.board.runner import BOARD_INTERVAL, SKIP_WITHIN

PIECE = 0.001
"""Longest uninterrupted computation of the loop for background work."""


@dataclass(slots=True)
class Tally:
    """Counts over all processes of a simulation."""

    waits: list[float] = field(default_factory=list)
    """Seconds from each click to the board with the answer."""
    open: set[float] = field(default_factory=set)
    """Times of the clicks without a board so far."""
    begun: int = 0
    """Requested moves."""
    writes: int = 0
    edits: int = 0
    answers: int = 0
    """Requests through interactions."""
    overtaken: int = 0
    """Boards that were skipped because of a newer one."""
    ends: int = 0

    def under(self, share: float) -> float:
        """The quantile of waits at a share."""
        ordered = sorted(self.waits)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


@dataclass(slots=True)
class _Board:
    """A board that is being shown, unless a newer one overtakes it."""

    is_sent: bool = False
    is_overtaken: bool = False


class Bot:
    """A process: its event loop and threads on a machine, with a database and Discord.

    Whole moves are drawn from the recorded ones, since steps of one move are correlated.
    """

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
        ends: float | None = None,
        spare_writes: float = 0.0,
        judges: Threads | None = None,
    ) -> None:
        """Create a process on a machine.

        Args:
            machine: The machine of the process.
            wire: The recorded moves.
            database: Stores changes.
            discord: Responds to requests.
            searches: The threads for searches, which may be on another machine.
            rng: The source of all random numbers.
            tally: The counts.
            search: Draws the CPU seconds of a search; by default as recorded.
            ends: The share of moves that end a game; by default as recorded.
            spare_writes: Further writes per move.
            judges: Evaluates finished games; by default a thread of this process.
        """
        self._env = machine.env
        self._wire, self._database, self._discord = wire, database, discord
        self._searches, self._rng, self._tally = searches, rng, tally
        self._search, self._ends, self._spare_writes = search, ends, spare_writes
        self.loop = Threads(machine, 1)
        self._boards = Threads(machine, 1)
        self._judges = judges or Threads(machine, 1)

    def click(self, channel: simpy.Resource, *, counts: bool = True) -> Steps:
        """A person's move until its board is shown; its wait is recorded if it `counts`."""
        began = self._env.now
        move = self._drawn()
        self._tally.begun += 1
        if counts:
            self._tally.open.add(began)
        yield from self._discord.deliver()
        yield from self._do(move.store)
        if move.answer:
            yield from self._let_agent_move(move, channel)
        else:
            yield from self._show(move, channel, _Board())
        if counts:
            self._tally.waits.append(self._env.now - began)
            self._tally.open.discard(began)
        yield from self.loop.do(move.tail)
        if move.by_command:
            yield from self._discord.answer()
        self._env.process(self._after(move))

    def other(self) -> Steps:
        """An interaction that is not a move, such as a start."""
        yield from self._in_pieces(self._rng.choice(self._wire.others))

    def hint(self, seconds: float) -> Steps:
        """A hint: work in the threads for searches that edits no board."""
        yield from self._searches.do(seconds)

    def _drawn(self) -> Move:
        if self._ends is None:
            return self._wire.draw(self._rng)
        return self._wire.draw(self._rng, ends=self._rng.random() < self._ends)

    def _let_agent_move(self, move: Move, channel: simpy.Resource) -> Steps:
        """Shows boards like `GameRunner`: the first is skipped if the answer comes soon."""
        answered = self._env.process(self._do(move.answer))
        yield answered | self._env.timeout(SKIP_WITHIN)
        first, shown_at = _Board(), None
        if not answered.triggered:
            showing = self._env.process(self._show(move, channel, first))
            yield answered | showing
            shown_at = self._env.now
            yield answered
        if shown_at is not None and shown_at + BOARD_INTERVAL > self._env.now:
            yield self._env.timeout(shown_at + BOARD_INTERVAL - self._env.now)
        if not first.is_sent and shown_at is not None:
            first.is_overtaken = True
        yield from self._show(move, channel, _Board())

    def _show(self, move: Move, channel: simpy.Resource, board: _Board) -> Steps:
        with channel.request() as turn:
            yield turn
            for step in move.show:
                if board.is_overtaken:
                    self._tally.overtaken += 1
                    return
                if step.name == "edit":
                    board.is_sent = True
                    self._tally.edits += 1
                yield from self._one(step)

    def _after(self, move: Move) -> Steps:
        """Background work: further writes, and the end of a game."""
        if move.ends:
            self._tally.ends += 1
            yield from self._judges.do(self._wire.judge.draw(self._rng))
            yield from self._in_pieces(self._wire.settle)
        for _ in range(int(self._spare_writes + self._rng.random())):
            self._tally.writes += 1
            yield from self._database.write(self.loop, 0.0, 0.0)

    def _in_pieces(self, seconds: float) -> Steps:
        while seconds > 0.0:
            yield from self.loop.do(min(seconds, PIECE))
            # It waits for a disk or Discord in between, so that other work can run.
            yield self._env.timeout(PIECE)
            seconds -= PIECE

    def _do(self, steps: Iterable[Step]) -> Steps:
        for step in steps:
            yield from self._one(step)

    def _one(self, step: Step) -> Steps:
        if step.name == "write":
            self._tally.writes += 1
            yield from self._database.write(self.loop, step.loop, step.wait)
            return
        yield from self.loop.do(step.loop)
        if step.name == "acknowledge":
            self._tally.answers += 1
            yield from self._discord.answer()
        elif step.name == "edit":
            yield from self._discord.edit()
        elif step.name in ("search", "draw"):
            yield from self._in_thread(step)
        else:
            yield self._env.timeout(step.wait)

    def _in_thread(self, step: Step) -> Steps:
        threads = self._searches if step.name == "search" else self._boards
        if step.name == "search" and self._search is not None:
            yield from threads.do(self._search(self._rng))
        else:
            yield from threads.do(step.thread)
