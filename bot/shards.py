"""Discord's shards, which decide whose servers' events and games a process receives."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, lcm
from typing import Self

MOST = 16_384
"""Shards of a bot; far more than Discord has ever required."""

FORM = "numbers of shards and how many there are, such as 0-3/16 or 0,2,5/16"


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of a bot's shards."""

    ids: frozenset[int]
    count: int

    def __post_init__(self) -> None:
        """Raise ValueError unless there are such shards."""
        if not 1 <= self.count <= MOST:
            raise ValueError(f"there are 1 to {MOST} shards in all")
        if not self.ids:
            raise ValueError("no shard is named")
        if min(self.ids) < 0 or max(self.ids) >= self.count:
            raise ValueError(f"of {self.count} shards the last one is {self.count - 1}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read shards, such as `0-3/16`, `0,2,5-7/16` or `2/16`; raises ValueError."""
        named, slash, count = text.partition("/")
        if not slash:
            raise ValueError(f"expected {FORM}")
        whole = _whole(count)
        ids: set[int] = set()
        for part in named.split(","):
            first, dash, last = part.partition("-")
            least = _whole(first)
            most = _whole(last) if dash else least
            if most < least:
                raise ValueError(f"{part.strip()} names no shards: it runs backwards")
            ids.update(range(least, most + 1))
        return cls(frozenset(ids), whole)

    def __str__(self) -> str:
        """Format the shards as `parse` reads them, such as `0-3/16`."""
        runs: list[list[int]] = []
        for one in sorted(self.ids):
            if runs and runs[-1][-1] == one - 1:
                runs[-1][1:] = [one]
            else:
                runs.append([one])
        return ",".join("-".join(map(str, run)) for run in runs) + f"/{self.count}"

    def of_guild(self, guild_id: int | None) -> int:
        """Return the shard that receives a server's events; without a server, the first one."""
        return 0 if guild_id is None else (guild_id >> 22) % self.count

    def serves(self, guild_id: int | None) -> bool:
        """Whether these shards receive a server's events; None means private messages."""
        return self.of_guild(guild_id) in self.ids

    def overlaps(self, others: Shards) -> bool:
        """Whether there can be a server that belongs to both."""
        common = gcd(self.count, others.count)
        return not {i % common for i in self.ids}.isdisjoint(i % common for i in others.ids)

    def without(self, others: Shards) -> Shards | None:
        """Return these shards without others; None for nothing."""
        count = lcm(self.count, others.count)
        if count > MOST:
            # There are too many to compare: keeping too many is safer than too few.
            return self
        ids = (i for i in range(count) if i % self.count in self.ids)
        left = frozenset(i for i in ids if i % others.count not in others.ids)
        return Shards(left, count) if left else None


def _whole(text: str) -> int:
    bare = text.strip()
    # Very long numbers would take long to convert.
    if not (bare.isascii() and bare.isdecimal() and len(bare) <= len(str(MOST))):
        raise ValueError(f"{bare[:20]!r} is no number of a shard; expected {FORM}")
    # Checked here as well, because ranges are expanded before the shards are checked.
    if int(bare) > MOST:
        raise ValueError(f"there are 1 to {MOST} shards in all")
    return int(bare)
