"""Memory of a Discord server in the client's state: `python -m benchmarks.memory`.

Typical servers are sent to a client's state as by the gateway, as JSON: to that of discord.py with
the same intents, and to that of the bot. Each is measured by the growth of resident memory of its
own process.
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
    """Bytes of memory per server; `make_up` is their number, channels, roles and overwrites."""
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
