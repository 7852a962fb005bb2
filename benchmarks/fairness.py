"""How much one user's hints slow down others: `python -m benchmarks.fairness`.

Ana plays `medium` on 6x7. Bea requests 30 hints at a time in different positions on 8x8, the
slowest board, and repeats each request after its hint. Ana's waits are measured without Bea; with a
plain queue; with a fair queue; and as in the bot, which also refuses a user's second request.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.printing import head, row, spread
from bot.features.hints.rules import HINT_SECONDS
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.searches import Searches
from bot.store.records import GameRecord, GameSetup, SeatRecord
from bot.workers.pool import NO_ACCOUNT, Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.analysis import SearchResult
from engine.core.jobs import Task
from engine.core.limits import Limit
from engine.strength.roster import ChooseMove
from engine.study.hints import GiveHint

ANA, BEA, SERVER = 1, 2, 3
HINTS, THREADS = 30, 2
Ask = Callable[[Session], Awaitable[object | None]]


def game_between(variant: str, user_id: int, number: int, moves: int) -> Session:
    """A game of Connect 4 between a person and `medium`, after some random moves."""
    rng = Random(number)
    seats = SeatRecord(user_id, None), SeatRecord(None, "medium")
    opening = GameSetup("connect4", variant, number, SERVER, "en", *seats, user_id)
    session = Session.from_record(GameRecord(number, opening, 0.0, None, (), (), None))
    for _ in range(moves):
        session = session.after(rng.choice(session.position.legal_moves()), 1.0)
    assert not session.is_over
    return session


def ask_threads(workers: Workers, task: Task[Any], claim: Claim) -> Ask:
    """Return a function that runs a task in the threads, accounted to a claim."""

    async def ask(session: Session) -> object:
        job = replace(session.job(task), limit=Limit(seconds=HINT_SECONDS))
        return await workers.do(job, claim)

    return ask


def ask_bot(workers: Workers) -> tuple[Ask, Ask]:
    """Return functions that request a move and a hint as the bot does."""
    searches = Searches(workers, Random(1))

    cache = AnswerCache[SearchResult](0, counted_as="hint")

    async def hint(session: Session) -> object | None:
        job = replace(session.job(GiveHint()), limit=Limit(seconds=HINT_SECONDS))
        claim = Claim(Kind.HINT, BEA, SERVER)
        try:
            return await workers.ask(
                job, claim, cache, 20.0, failed="hint_failed", game_id=session.id
            )
        except Refusal:
            await asyncio.sleep(0.1)
            return None

    return searches.answer, hint


async def ask_on(ask: Ask, number: int, given: Counter[str]) -> None:
    """Request hints in one position after the other."""
    for later in range(1000):
        hint = await ask(game_between("8x8", BEA, 1000 * number + later, 6))
        given["hints"] += hint is not None


async def measure(moves: int, answer: Ask, hint: Ask | None) -> tuple[list[float], int]:
    """Return Ana's waits in seconds, sorted, and the number of Bea's hints."""
    given = Counter[str]()
    beas = [] if hint is None else [ask_on(hint, number, given) for number in range(HINTS)]
    tasks = [asyncio.create_task(work) for work in beas]
    rng, waits = Random(5), []
    if hint is None:
        await answer(game_between("6x7", ANA, 1000, 7))  # the first search loads kernels
    for number in range(moves):
        await asyncio.sleep(rng.uniform(0.0, 0.5))
        began = perf_counter()
        await answer(game_between("6x7", ANA, number, 7))
        waits.append(perf_counter() - began)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return sorted(waits), given["hints"]


async def report(name: str, moves: int, kinds: str) -> None:
    """Measure once and print a row; `kinds` is the kind of queue."""
    workers = Workers(THREADS)
    medium = ChooseMove("medium")
    if kinds == "bot":
        answer, hint = ask_bot(workers)
    else:
        claims = {"fair": (Claim(Kind.MOVE, ANA, SERVER), Claim(Kind.HINT, BEA, SERVER))}
        mine, hers = claims.get(kinds, (NO_ACCOUNT, NO_ACCOUNT))
        answer = ask_threads(workers, medium, mine)
        hint = ask_threads(workers, GiveHint(), hers)
    waits, given = await measure(moves, answer, None if kinds == "alone" else hint)
    workers.close()
    print(row((name, moves, spread(waits, 3), given)), flush=True)


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--crowded", type=int, default=6, help="moves in the plain queue")
    given = parser.parse_args()
    print(head(("moves of `medium`", "moves", "p50, p99, worst s", "hints given")))
    asyncio.run(report("alone", given.moves, "alone"))
    asyncio.run(report("30 hints, first come, first served", given.crowded, "plain"))
    asyncio.run(report("30 hints, fair queue", given.moves, "fair"))
    asyncio.run(report("30 hints, as the bot is: one at a time", given.moves, "bot"))


if __name__ == "__main__":
    main()
