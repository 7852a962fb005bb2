"""What one person's hints cost others: `python -m benchmarks.fairness [--moves N] [--crowded N]`.

Ana plays `medium` on 6x7. Beside her Bea wants 30 hints at a time in different positions on 8x8,
the board that takes longest, and asks again whenever she has one. How long Ana waits for an answer
is measured without Bea; with threads that take work as it comes; with threads that share their time
fairly; and as the bot is, which also refuses whoever waits for a hint already.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from time import perf_counter

from bot.features.hints.rules import HINT_SECONDS
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.searches import Searches
from bot.store.records import GameRecord, GameSetup, SeatRecord
from bot.workers.pool import NOBODY, Claim, Kind
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
    """A game of Connect 4 between a person and `medium`, after so many moves at random."""
    rng = Random(number)
    seats = SeatRecord(user_id, None), SeatRecord(None, "medium")
    opening = GameSetup("connect4", variant, number, SERVER, "en", *seats, user_id)
    session = Session.from_record(GameRecord(number, opening, 0.0, None, (), (), None))
    for _ in range(moves):
        session = session.after(rng.choice(session.position.legal_moves()), 1.0)
    assert not session.is_over
    return session


def directly(workers: Workers, task: Task, claim: Claim) -> Ask:
    """Ask the threads for something, on this account."""

    async def ask(session: Session) -> object:
        job = replace(session.job(task), limit=Limit(seconds=HINT_SECONDS))
        return await workers.do(job, claim)

    return ask


def by_the_bot(workers: Workers) -> tuple[Ask, Ask]:
    """Ask for a move and for a hint as the bot does."""
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
    """Bea's games: a hint in one position, then in the next."""
    for later in range(1000):
        hint = await ask(game_between("8x8", BEA, 1000 * number + later, 6))
        given["hints"] += hint is not None


async def measure(moves: int, answer: Ask, hint: Ask | None) -> tuple[list[float], int]:
    """How many seconds Ana waited for each answer, and how often Bea was answered meanwhile."""
    given = Counter[str]()
    beas = [] if hint is None else [ask_on(hint, number, given) for number in range(HINTS)]
    tasks = [asyncio.create_task(work) for work in beas]
    rng, waits = Random(5), []
    if hint is None:
        await answer(game_between("6x7", ANA, 1000, 7))  # the first search loads what it needs
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
    """Measure once and print a row; `kinds` says how the threads are asked."""
    workers = Workers(THREADS)
    medium = ChooseMove("medium")
    if kinds == "bot":
        answer, hint = by_the_bot(workers)
    else:
        claims = {"fair": (Claim(Kind.MOVE, ANA, SERVER), Claim(Kind.HINT, BEA, SERVER))}
        mine, hers = claims.get(kinds, (NOBODY, NOBODY))
        answer = directly(workers, medium, mine)
        hint = directly(workers, GiveHint(), hers)
    waits, given = await measure(moves, answer, None if kinds == "alone" else hint)
    workers.close()
    p50, p99 = (waits[min(int(len(waits) * share), len(waits) - 1)] for share in (0.5, 0.99))
    print(f"| {name} | {moves} | {p50:.3f} | {p99:.3f} | {waits[-1]:.3f} | {given} |", flush=True)


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--crowded", type=int, default=6, help="moves in the plain queue: slow")
    given = parser.parse_args()
    print("| another's medium moves | moves | p50 s | p99 s | worst s | hints given |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    asyncio.run(report("alone", given.moves, "alone"))
    asyncio.run(report("30 hints, first come, first served", given.crowded, "plain"))
    asyncio.run(report("30 hints, fair queue", given.moves, "fair"))
    asyncio.run(report("30 hints, as the bot is: one at a time", given.moves, "bot"))


if __name__ == "__main__":
    main()
