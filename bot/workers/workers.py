"""Access to the engine, and threads for work that would block the event loop.

`Workers.do` does one job. `Workers.ask` answers a person's question with one: people with the same
question share the answer, and each person waits for one answer at a time. Jobs go to the cluster
where there is one, else to threads of this process. `Readiness` tells whether the compiled engine
can be used yet: on a new machine compiling takes a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

from bot.game.refusal import Refusal
from bot.telemetry import SILENT, Meter, TimedSearch
from bot.workers.pondering import Pondering
from bot.workers.pool import NO_ACCOUNT, Claim, Kind, Pool
from bot.workers.remote import ClusterStatus, RemoteEngine
from engine.core.analysis import SearchResult
from engine.core.jobs import Job
from engine.core.limits import Stop

A = TypeVar("A")
P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)

SEARCHES = (Kind.MOVE, Kind.HINT)
"""The kinds of work done by the threads for searches; those for judgements do the rest."""


class NotPrepared(Exception):
    """The process ends before the engine was ready."""


class Readiness:
    """Which parts of the engine can be used: here all of them, as in tests and for the demo.

    Parts are those of `engine.core.registry.parts`.
    """

    def load(self) -> None:
        """Begin to load the compiled parts."""

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether these parts can be used now."""
        return True

    def is_complete(self) -> bool:
        """Whether all parts are known to be ready."""
        return False

    def seconds_left(self, parts: Sequence[str]) -> int | None:
        """About how long these parts still take; None if they can be used in a moment or now."""
        return None

    async def wait_for(self, parts: Sequence[str]) -> None:
        """Wait until these parts can be used; raises NotPrepared where they never will be."""

    def close(self) -> None:
        """Prepare nothing more, and end all waits."""


AT_ONCE = Readiness()
"""An engine that needs no preparation."""


@dataclass(slots=True, eq=False)
class _Question(Generic[A]):
    """A question, and the answer once it is found."""

    answer: asyncio.Task[A] = field(init=False)
    stop: Stop = field(default_factory=Stop)
    games: set[int] = field(default_factory=set)
    """The running games that it is about, if any."""

    def drop(self, game_id: int) -> None:
        """Drop it for one game; it is stopped with the last one."""
        self.games.discard(game_id)
        if not self.games:
            self.stop.set()


class AnswerCache(Generic[A]):
    """The latest answers of one kind, and those still to be found; failures are not kept."""

    def __init__(self, size: int, counted_as: str | None = None) -> None:
        """Keep this many known answers; count their searches under a name, if given."""
        self.counted_as = counted_as
        self._size = size
        self._questions: dict[Hashable, _Question[A]] = {}

    def find(self, key: Hashable) -> _Question[A] | None:
        """The question of a key, unless it has been stopped; None if there is none."""
        question = self._questions.get(key)
        return None if question is None or question.stop.is_set else question

    def known(self, key: Hashable) -> A | None:
        """The answer to the question of a key, if it has been found."""
        question = self.find(key)
        if question is None or not question.answer.done() or question.answer.cancelled():
            return None
        return None if question.answer.exception() else question.answer.result()

    def add(self, key: Hashable, question: _Question[A]) -> None:
        """Keep a question whose answer has to be found."""
        self._questions[key] = question

        def end(answer: asyncio.Task[A]) -> None:
            failed = answer.cancelled() or answer.exception() is not None or question.stop.is_set
            if failed and self._questions.get(key) is question:
                del self._questions[key]
            known = [key for key, one in self._questions.items() if one.answer.done()]
            for oldest in known[: max(0, len(known) - self._size)]:
                del self._questions[oldest]

        question.answer.add_done_callback(end)


class Workers:
    """A pool of threads for each kind of work, so that no kind waits for another.

    Searches may keep all cores busy for seconds. Judging a finished game takes about a tenth of a
    second, as does a report with its charts; the picture of a board takes milliseconds. All of them
    release the GIL for most of that time.

    Where there is a cluster, the threads do the engine's jobs only while it is away, fails or is
    slow, and those that have waited too long for a place there.
    """

    def __init__(
        self,
        searches: int,
        readiness: Readiness = AT_ONCE,
        remote: RemoteEngine | None = None,
        meter: Meter = SILENT,
        ponder_seconds: float = 0.0,
    ) -> None:
        """Start this many threads for searches, and one for every other kind of work.

        `ponder_seconds` may be spent on the opponents' time after each move; never with a cluster,
        where the tables that this fills are in other processes.
        """
        self.pondering = Pondering(0.0 if remote is not None else ponder_seconds, meter)
        self._remote = remote
        self._meter = meter
        self._readiness = readiness
        self._searches = Pool(searches, "search")
        self._judgements = Pool(1, "judge")
        self._boards = Pool(1, "board")
        self._reports = Pool(1, "report")
        self._left: Counter[Pool] = Counter()
        """By pool: how many of its jobs had waited too long for a place in the cluster."""
        self._waiting: set[int] = set()
        """The people who wait for an answer."""
        self._questions: set[_Question[Any]] = set()
        """The questions that are being answered."""
        self._is_closing = False

    async def wait_prepared(self, job: Job[Any]) -> None:
        """Wait until the engine can do a job; raises NotPrepared where it never will be.

        This wait does not count towards a time limit.
        """
        if not self._is_remote:
            await self._readiness.wait_for(job.parts())

    @property
    def is_prepared(self) -> bool:
        """Whether the engine is known to be able to do any job now."""
        return self._readiness.is_complete()

    def seconds_until_prepared(self, job: Job[Any]) -> int | None:
        """About how long that takes; None if the engine can do the job now."""
        return None if self._is_remote else self._readiness.seconds_left(job.parts())

    async def ask(
        self,
        job: Job[A],
        claim: Claim,
        cache: AnswerCache[A],
        seconds: float,
        *,
        failed: str | None = None,
        key: Hashable | None = None,
        game_id: int | None = None,
        here: bool = False,
    ) -> A:
        """Return the answer to a person's question.

        It is found once for all who have the same question, even if one of them stops waiting. Each
        person waits for one answer at a time, but may repeat a question about a running game.

        Args:
            job: The question.
            claim: The account of the person who asks, and the kind of question.
            cache: The answers to such questions.
            seconds: Seconds that the job may run.
            failed: The refusal if the engine fails, which is logged; None to raise the failure.
            key: Equal for the same questions; by default the job.
            game_id: The running game that the question is about. It is dropped when the game moves
                on (`drop`), and its search stops once all its games have.
            here: As for `do`.

        Raises:
            Refusal: The person waits for another answer (`one_at_a_time`), the game has moved on
                (`moved_on`), or the engine has failed.
        """
        if game_id is not None and self._is_closing:
            raise Refusal("moved_on")
        key = job if key is None else key
        question = cache.find(key)
        joins = question is not None and game_id is not None
        with nullcontext() if joins else self.one_at_a_time(claim.user_id):
            if question is None:
                question = _Question[A]()
                do = partial(self.do, job, claim, seconds, stop=question.stop, here=here)
                work = self._answer(question.stop, job, cache.counted_as, do)
                question.answer = asyncio.get_running_loop().create_task(work)
                self._questions.add(question)
                question.answer.add_done_callback(partial(self._forget, question))
                cache.add(key, question)
            if game_id is not None:
                question.games.add(game_id)
            try:
                found = await asyncio.shield(question.answer)
            except Exception as error:
                if game_id is not None and game_id not in question.games:
                    raise Refusal("moved_on") from error
                if failed is None:
                    raise
                if not isinstance(error, NotPrepared):
                    logger.exception("the engine cannot do %s", job)
                raise Refusal(failed) from error
        if game_id is not None and game_id not in question.games:
            raise Refusal("moved_on")
        return found

    def drop(self, game_id: int) -> None:
        """Drop the questions about a running game: it has moved on."""
        for question in self._questions:
            if game_id in question.games:
                question.drop(game_id)

    def drop_all(self) -> None:
        """Drop the questions about all running games, and take no more of them."""
        self._is_closing = True
        self.pondering.close()
        for question in self._questions:
            for game_id in tuple(question.games):
                question.drop(game_id)

    def _forget(self, question: _Question[Any], _answer: asyncio.Task[Any]) -> None:
        self._questions.discard(question)

    async def _answer(
        self, stop: Stop, job: Job[A], counted_as: str | None, do: Callable[..., Awaitable[A]]
    ) -> A:
        try:
            await self.wait_prepared(job)
            if stop.is_set:
                raise Refusal("moved_on")
            if counted_as is None:
                return await do()
            with TimedSearch(counted_as, self._meter) as timed:
                found = await do(begin=timed.begin)
                if isinstance(found, SearchResult):
                    timed.found(found.nodes, is_stopped=stop.is_set)
                return found
        except asyncio.CancelledError as error:
            # The pools cancel waiting work when they close.
            if not self._is_closing:
                raise
            raise NotPrepared from error

    @contextmanager
    def one_at_a_time(self, user_id: int | None) -> Iterator[None]:
        """Refuse a person who already waits for an answer, so that one cannot fill the queue."""
        if user_id is None:
            yield
            return
        if user_id in self._waiting:
            raise Refusal("one_at_a_time")
        self._waiting.add(user_id)
        try:
            yield
        finally:
            self._waiting.discard(user_id)

    async def do(
        self,
        job: Job[A],
        claim: Claim = NO_ACCOUNT,
        seconds: float | None = None,
        *,
        stop: Stop | None = None,
        begin: Callable[[], None] = lambda: None,
        here: bool = False,
    ) -> A:
        """Return the answer to a job, found by the cluster or in a thread of this process.

        Args:
            job: The job; it waits until the engine is prepared for it.
            claim: Its kind and its account. Moves and hints have threads of their own, so that no
                move of a running game waits for other work.
            seconds: Seconds that it may run before it is stopped; see `Pool.run`.
            stop: A flag that ends it early.
            begin: Called from any thread when it stops waiting for its turn; again if the cluster
                loses the job.
            here: Whether only this process has what the job needs, such as tables.

        Raises:
            NotPrepared: The engine will never be prepared in this process.
            WorkHangs: The job took too long.
            WorkerLost: The thread that did the job has died.
        """
        async with self.pondering.paused():
            return await self._do(job, claim, seconds, stop or Stop(), begin, here=here)

    async def _do(
        self,
        job: Job[A],
        claim: Claim,
        seconds: float | None,
        stop: Stop,
        begin: Callable[[], None],
        *,
        here: bool,
    ) -> A:
        await self.wait_prepared(job)
        pool = self._searches if claim.kind in SEARCHES else self._judgements
        has_left = False

        def may_leave() -> bool:
            """Whether a job that waits for a place in the cluster can begin here at once."""
            nonlocal has_left
            # Jobs that have just left are not in the pool yet, and many may leave at one time.
            has_left = (
                pool.has_idle_thread
                and self._left[pool] < pool.size
                and self._readiness.seconds_left(job.parts()) is None
            )
            self._left[pool] += has_left
            return has_left

        def run_here() -> A:
            begin()
            return job.run(stop)

        try:
            if self._remote is not None:
                found = None
                if not here:
                    found = await self._remote.answer(
                        job, stop=stop, claim=claim, begin=begin, may_leave=may_leave
                    )
                if found is not None:
                    return found
                await self._readiness.wait_for(job.parts())
            self._meter.worked("local")
            return await pool.run(run_here, seconds, stop=stop, claim=claim)
        finally:
            self._left[pool] -= has_left

    async def draw(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a board."""
        return await self._boards.run(partial(work, *args, **kwargs))

    async def draw_report(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a card or a report, in another thread than boards."""
        return await self._reports.run(partial(work, *args, **kwargs))

    @property
    def cluster(self) -> ClusterStatus | None:
        """The state of the cluster; None where no cluster is set."""
        return None if self._remote is None else self._remote.status

    @property
    def _is_remote(self) -> bool:
        return self._remote is not None and self._remote.is_available

    def close(self) -> None:
        """Wait for running work and cancel the rest."""
        self._is_closing = True
        self.pondering.close(wait=True)
        for pool in (self._searches, self._judgements, self._boards, self._reports):
            pool.shutdown(wait=True, cancel_futures=True)
