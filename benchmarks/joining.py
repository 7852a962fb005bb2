"""Whether an open challenge is joined once: `python -m benchmarks.joining`.

Two processes on PostgreSQL let two people join the same challenge at the same moment: exactly one
game must begin, and the other person must read who was faster. Then a process is killed while
a person joins: afterwards the challenge must be open without a game, or joined with one game, whose
board is due in the challenge's message.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from bot.app import find_features, open_services
from bot.feature import Services
from bot.features.open_challenges.rules import OpenChallenges
from bot.features.open_challenges.store import NewOpenChallenge, OpenChallenge, OpenChallengeStore
from bot.game.refusal import Refusal
from bot.sessions.timer import Hooks
from bot.settings import Settings
from bot.store.records import Ending, EndRecord, GameSetup, TimeControl, free, person
from bot.store.store import Store
from tests.bot.support.postgres import in_full, postgres

AUTHOR, PEOPLE = 1, (2, 3)
MESSAGE = 7
SOON = 0.05
"""Seconds from the order to join until both processes do so."""
LONGEST_DELAY = 0.06
"""Seconds after which a process is killed, at most: about the time that joining takes."""


def rules_of(services: Services, stored: OpenChallengeStore) -> OpenChallenges:
    """The rules of open challenges in a process."""
    clock = services.clock
    return OpenChallenges(services.store, stored, services.sessions, clock, seconds=900.0)


async def serve(address: str) -> None:
    """Join as the lines of the standard input say: a challenge, a person and a time."""
    async with open_services(Settings(database_url=address, workers=1)) as services:
        services.presence.start(Hooks())
        stored = OpenChallengeStore(services.store.database)
        rules, loop = rules_of(services, stored), asyncio.get_running_loop()
        print("ready", flush=True)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            challenge_id, user_id, at = line.split()
            challenge = await stored.find(int(challenge_id))
            assert challenge is not None
            await asyncio.sleep(float(at) - time.time())
            began = time.time()
            try:
                await rules.join(challenge, int(user_id), MESSAGE)
                print("joined", began, flush=True)
            except Refusal as refusal:
                faster = refusal.details.get("person")
                print(refusal.key.removeprefix("refusal."), faster, began, flush=True)


@asynccontextmanager
async def a_process(
    address: str, module: str = "benchmarks.joining"
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process in which a module serves, once it is ready; it is killed at the end."""
    command = (sys.executable, "-m", module, "--serve", address)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    try:
        assert await line_of(process) == ["ready"]
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def line_of(process: asyncio.subprocess.Process) -> list[str]:
    """The words of the next line that a process prints; none once it has ended."""
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().split()


def order(process: asyncio.subprocess.Process, *words: object) -> None:
    """Send a line to a process."""
    assert process.stdin is not None
    process.stdin.write((" ".join(map(str, words)) + "\n").encode())


async def posted(stored: OpenChallengeStore, channel: int) -> OpenChallenge:
    """A new challenge with a message."""
    seats, at = (person(AUTHOR), free()), time.time()
    clock = TimeControl(300.0)
    setup = GameSetup("connect4", "6x7", channel, 9, "en", *seats, AUTHOR, clock=clock)
    challenge = await stored.add(NewOpenChallenge(setup, None, at, at + 900.0))
    await stored.set_message(challenge.id, MESSAGE)
    return challenge


async def clear(store: Store, stored: OpenChallengeStore) -> None:
    """End all games and challenges."""
    for game in await store.games.running():
        await store.games.finish(game.id, EndRecord(Ending.STOPPED, None, time.time()))
    for challenge in await stored.open_of(AUTHOR):
        await stored.end(challenge.id, "withdrawn", time.time())


async def race(address: str, store: Store, times: int) -> Counter[str]:
    """Let two people join each challenge of a series at once; returns what happened."""
    stored, found, apart = OpenChallengeStore(store.database), Counter[str](), list[float]()
    async with a_process(address) as one, a_process(address) as two:
        for number in range(times):
            challenge = await posted(stored, 1000 + number)
            at = time.time() + SOON
            for process, user_id in zip((one, two), PEOPLE, strict=True):
                order(process, challenge.id, user_id, at)
            said = [await line_of(process) for process in (one, two)]
            apart.append(abs(float(said[0][-1]) - float(said[1][-1])))
            games = await store.games.running()
            pairs = zip(said, PEOPLE, strict=True)
            joined = [user_id for words, user_id in pairs if words[0] == "joined"]
            told = [words[1] for words in said if words[0] == "open_taken"]
            is_right = (
                len(joined) == len(games) == 1
                and games[0].setup.people == (AUTHOR, *joined)
                and told == [str(one) for one in joined]
            )
            found["one game, and the other told" if is_right else f"wrong: {said}"] += 1
            await clear(store, stored)
    apart.sort()
    found["within 10 ms"] = sum(one <= 0.01 for one in apart)
    return found


async def kill(address: str, store: Store, times: int, rng: Random) -> Counter[str]:
    """Kill a process again and again while a person joins; returns what was stored."""
    stored, found = OpenChallengeStore(store.database), Counter[str]()
    for number in range(times):
        challenge = await posted(stored, 900_000 + number)
        async with a_process(address) as process:
            at = time.time() + SOON
            order(process, challenge.id, PEOPLE[0], at)
            await asyncio.sleep(at - time.time() + rng.uniform(0.0, LONGEST_DELAY))
            process.kill()
            await process.wait()
        games, after = await store.games.running(), await stored.find(challenge.id)
        assert after is not None
        state = (after.answer, [game.setup.people for game in games])
        if state == (None, []):
            found["open, without a game"] += 1
        elif state == ("joined", [(AUTHOR, PEOPLE[0])]) and games[0].message_id == MESSAGE:
            found["joined, with its game"] += 1
        else:
            found[f"wrong: {state}"] += 1
        await clear(store, stored)
    return found


async def measure(times: int, kills: int, seed: int) -> bool:
    """Print what happened; returns whether all was right."""
    find_features()
    with postgres() as url:
        address = in_full(url)
        store = Store(address)
        await store.open()
        results = await race(address, store, times)
        results += await kill(address, store, kills, Random(seed))
        await store.close()
    for name, count in sorted(results.items()):
        print(f"{name}: {count}")
    return not any(name.startswith("wrong") for name in results)


def main() -> None:
    """Print the outcomes; the exit status is 1 if a challenge was lost or joined twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="challenges that two people join")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", metavar="ADDRESS", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve))
    elif not asyncio.run(measure(given.times, given.kills, given.seed)):
        sys.exit(1)


if __name__ == "__main__":
    main()
