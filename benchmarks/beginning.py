"""Whether kills lose or double games that begin: `python -m benchmarks.beginning`.

On PostgreSQL a process is killed around the time at which it pairs two people of a queue, begins
the next game of a match, or opens a thread for a game. Afterwards either nothing has happened, or
exactly one game has begun whose board is due. This process plays Discord for threads: what was
asked for is opened, and the periodic repair must leave no thread without its game.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from benchmarks.joining import a_process, line_of, order
from bot.app import find_features, open_services
from bot.feature import Services
from bot.features.matches.rules import Matches
from bot.features.matches.store import MatchStore, note_end
from bot.features.open_challenges.rules import no_objection
from bot.features.queue.rules import GameChannel, Queue
from bot.features.queue.store import PAIRED, QueuePlace, QueueStore
from bot.features.threads.rules import REPAIR_AFTER, Step, Threads
from bot.features.threads.store import ThreadStore
from bot.game.session import Session
from bot.sessions.timer import Hooks
from bot.settings import Settings
from bot.store.records import Ending, EndRecord, GameSetup, TimeControl, person
from bot.store.store import Store
from tests.bot.support.postgres import in_full, postgres

ANA, BEA = 1, 2
GUILD = 9
SOON = 0.05
"""Seconds from an order until the process follows it."""
MARGIN = 2.0
"""A process is killed at most after this multiple of the time that beginning a game takes."""

NOTHING, BEGUN = "nothing has happened", "one game, whose board is due"


def a_game(channel: int, match: int = 0) -> GameSetup:
    """A game between Ana and Bea."""
    seats, clock = (person(ANA), person(BEA)), TimeControl(300.0)
    return GameSetup("connect4", "6x7", channel, GUILD, "en", *seats, ANA, clock=clock, match=match)


async def pair(services: Services, channel: int) -> None:
    """Pair the people who wait, as the queue does."""
    stored = QueueStore(services.store.database)
    queue = Queue(
        services.store,
        stored,
        services.sessions,
        services.clock,
        toss=services.toss,
        objection=no_objection,
        games_per_player=5,
    )

    async def find(_one: QueuePlace, _other: QueuePlace) -> GameChannel:
        return GameChannel(channel, is_apart=False)

    async def begin(one: QueuePlace, other: QueuePlace, where: GameChannel) -> Session:
        return await queue.begin(one, other, queue.setup(one, other, where.channel_id))

    await queue.pair(await queue.open(GUILD), find, begin)


async def go_on(services: Services, channel: int) -> None:
    """Begin the next game of the match in a channel, as **Next game** does."""
    stored = MatchStore(services.store.database)
    matches = Matches(stored, services.sessions, services.clock, None, no_objection)
    latest = await services.store.games.latest_in(channel)
    assert latest is not None
    await matches.go_on(await services.sessions.games.require(latest), channel, BEA, "en")


async def open_thread(services: Services, channel: int) -> None:
    """Begin a game in a thread that Discord, on the other side, opens."""
    threads = Threads(ThreadStore(services.store.database), services.clock)
    id = await threads.begin(GUILD, channel)
    print("open", flush=True)
    loop = asyncio.get_running_loop()
    thread_id = int(await loop.run_in_executor(None, sys.stdin.readline))
    await threads.opened(id, thread_id)
    await services.sessions.start(a_game(thread_id))
    await threads.begun(id)


ACTIONS: dict[str, Callable[[Services, int], Awaitable[None]]] = {
    "queue": pair,
    "match": go_on,
    "thread": open_thread,
}


async def serve(address: str) -> None:
    """Begin a game as a line of the standard input says: how, in which channel, and when."""
    async with open_services(Settings(database_url=address, workers=1)) as services:
        services.presence.start(Hooks())
        print("ready", flush=True)
        line = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        action, channel, at = line.split()
        await asyncio.sleep(float(at) - time.time())
        await ACTIONS[action](services, int(channel))
        print("done", flush=True)
        await asyncio.sleep(60.0)


@dataclass
class Killing:
    """Prepares each kind of beginning, and finds out what a kill has left."""

    store: Store
    threads: set[int] = field(default_factory=set)
    """The threads that Discord has."""

    async def prepare(self, action: str, channel: int) -> None:
        """Store what is there before."""
        if action == "queue":
            stored, at = QueueStore(self.store.database), time.time()
            wants = {"family": "connect4", "variant": "6x7", "clock": "5m", "locale": "en"}
            place = {"guild_id": GUILD, "channel_id": channel, "expires_at": at + 3600.0}
            for user_id in (ANA, BEA):
                await stored.add({**wants, **place, "user_id": user_id}, at)
        elif action == "match":
            game_id = await self.store.games.add(a_game(channel, match=4), time.time())
            await self.store.games.finish(game_id, EndRecord(Ending.RESIGNED, 1, time.time()))
            async with self.store.database.writing() as connection:
                await note_end(connection, game_id)
            await self.store.boards.give_up(game_id)

    async def answer(self, process: asyncio.subprocess.Process, channel: int) -> None:
        """Open threads as a process asks for them, until it is done or has ended."""
        while (words := await line_of(process)) not in ([], ["done"]):
            if words == ["open"]:
                self.threads.add(channel + 1)
                with suppress(ConnectionError):
                    order(process, channel + 1)

    async def left(self, action: str, channel: int) -> str:
        """What a kill has left, after the repair; cleared for the next one."""
        if action == "thread":
            await self._repair()
        games, now = await self.store.games.running(), time.time()
        due = {one.id for one in await self.store.boards.due(now + 60.0, 100)}
        is_begun = len(games) == 1 and games[0].id in due and await self._agrees(action, channel)
        is_untouched = not games and await self._is_untouched(action, channel)
        said = BEGUN if is_begun else NOTHING if is_untouched else f"wrong: {games}"
        for game in games:
            await self.store.games.finish(game.id, EndRecord(Ending.STOPPED, None, now))
        queue = QueueStore(self.store.database)
        for place in await queue.open(None):
            await queue.end(place.id, "left", now)
        # Two people are not paired three times in a row.
        await queue.clear(time.time() + 1.0)
        self.threads.clear()
        return said

    async def _agrees(self, action: str, channel: int) -> bool:
        """Whether all that is stored beside the running game says that it has begun."""
        (game,) = await self.store.games.running()
        if action == "queue":
            places = await QueueStore(self.store.database).open(None)
            partners = {one.user_id: one.partner for one in places if one.answer == PAIRED}
            return partners == {ANA: BEA, BEA: ANA}
        if action == "match":
            match = await MatchStore(self.store.database).find(game.setup.match_of or 0)
            seats = game.setup.people == (BEA, ANA)
            return seats and match is not None and match.waits_until is None
        return self.threads == {channel + 1} == {game.setup.channel_id}

    async def _is_untouched(self, action: str, channel: int) -> bool:
        """Whether people still wait as before, and no thread is left."""
        if action == "queue":
            places = await QueueStore(self.store.database).open(None)
            return {one.user_id for one in places if one.answer is None} == {ANA, BEA}
        if action == "match":
            latest = await self.store.games.latest_in(channel)
            match = await MatchStore(self.store.database).find(latest or 0)
            return match is not None and match.waits_until is not None
        return not self.threads

    async def _repair(self) -> None:
        """Do what the periodic task of threads does two minutes later."""
        later = REPAIR_AFTER + 1.0
        threads = Threads(ThreadStore(self.store.database), lambda: time.time() + later)
        for thread in await threads.due():
            step, _ = await threads.next_step(thread)
            if step is Step.FIND:
                self.threads -= await threads.unknown(self.threads)
                await threads.forget(thread.id)
            elif step is Step.DISCARD:
                self.threads.discard(thread.thread_id or 0)
                await threads.forget(thread.id)


async def kill(address: str, store: Store, action: str, times: int, rng: Random) -> Counter[str]:
    """Kill a process again and again while it begins a game; returns what was left.

    The first one is not killed, and tells how long that takes.
    """
    killing, found, longest = Killing(store), Counter[str](), 0.0
    for number in range(times + 1):
        channel = 1_000_000 * (1 + list(ACTIONS).index(action)) + 10 * number
        await killing.prepare(action, channel)
        async with a_process(address, "benchmarks.beginning") as process:
            at = time.time() + SOON
            order(process, action, channel, at)
            answering = asyncio.create_task(killing.answer(process, channel))
            if number == 0:
                await answering
                longest = MARGIN * (time.time() - at)
            await asyncio.sleep(at - time.time() + rng.uniform(0.0, longest))
            process.kill()
            await process.wait()
            await answering
        left = await killing.left(action, channel)
        if number > 0:
            found[left] += 1
        elif left != BEGUN:
            found[f"without a kill, {left}"] += 1
    return found


async def measure(kills: int, seed: int, actions: Iterable[str] = ACTIONS) -> bool:
    """Print what happened; returns whether all was right."""
    find_features()
    is_right = True
    with postgres() as url:
        address = in_full(url)
        store = Store(address)
        await store.open()
        for action in actions:
            found = await kill(address, store, action, kills, Random(seed))
            for name, count in sorted(found.items()):
                print(f"{action}: {name}: {count}", flush=True)
            is_right &= set(found) <= {NOTHING, BEGUN}
        await store.close()
    return is_right


def main() -> None:
    """Print the outcomes; the exit status is 1 if a game was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="kills of each kind")
    parser.add_argument("--only", choices=ACTIONS, help="one kind of beginning")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", metavar="ADDRESS", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve))
    elif not asyncio.run(measure(given.kills, given.seed, [given.only] if given.only else ACTIONS)):
        sys.exit(1)


if __name__ == "__main__":
    main()
