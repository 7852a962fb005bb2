"""What a server takes in memory: `python -m benchmarks.memory`.

Servers of a usual make-up are described to a client's state as the gateway does, from JSON: once as
discord.py keeps them with the same intents, once as the bot does. Each runs in a process of its
own; the figure is the growth of its resident memory.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
from typing import Any

from discord.state import ConnectionState

from bot.discord.gateway import LeanState
from tests.bot.support.servers import server, state_of
from tests.bot.support.wire.sampled import memory


def measure(kind: type[ConnectionState[Any]], *make_up: int) -> float:
    """The bytes of resident memory that a server takes; `make_up` begins with their number."""
    servers, *rest = make_up
    state = state_of(kind)
    for number in range(50):
        state.parse_guild_create(json.loads(json.dumps(server(number, *rest))))
    gc.collect()
    before = memory()
    for number in range(50, 50 + servers):
        state.parse_guild_create(json.loads(json.dumps(server(number, *rest))))
    gc.collect()
    return (memory() - before) / servers


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=2000)
    parser.add_argument("--channels", type=int, default=20)
    parser.add_argument("--roles", type=int, default=15)
    parser.add_argument("--overwrites", type=int, default=3, help="of each channel")
    given = parser.parse_args()
    make_up = (given.servers, given.channels, given.roles, given.overwrites)
    kinds = {"discord.py's state": ConnectionState, "the bot's": LeanState}
    print("| KiB for each server | |\n| --- | ---: |")
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for name, kind in kinds.items():
            print(f"| {name} | {pool.apply(measure, (kind, *make_up)) / 1024:.1f} |", flush=True)


if __name__ == "__main__":
    main()
