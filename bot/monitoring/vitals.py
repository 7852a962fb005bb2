"""What the bot looks at to know whether it is well."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

WITHIN = 5.0
"""Seconds after which a look without a result counts as a bad sign."""


class Unwell(Exception):
    """Something is not as it should be; the text says what."""


@dataclass(frozen=True, slots=True)
class Vital:
    """One thing to look at."""

    name: str
    look: Callable[[], Awaitable[str]]
    """Says in a few words how it is; raises Unwell, or anything else, where it is not well."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one look has found."""

    name: str
    is_well: bool
    text: str

    def __str__(self) -> str:
        """One line, such as `ok    gateway: connected`."""
        return f"{'ok' if self.is_well else 'FAILS':<5} {self.name}: {self.text}"


class Vitals:
    """Looks at everything at once, and at each thing only once at a time.

    A look is never cut short: a cancelled query would leave its connection to the database open.
    One that takes too long is a bad sign now and goes on, and the next one waits for it.
    """

    def __init__(self, vitals: Sequence[Vital]) -> None:
        """Look at these."""
        self._vitals = vitals
        self._looks: dict[str, asyncio.Task[Reading]] = {}

    async def look(self) -> tuple[Reading, ...]:
        """Look at everything; takes at most a little longer than `WITHIN`."""
        return tuple(await asyncio.gather(*(self._look_at(vital) for vital in self._vitals)))

    async def close(self) -> None:
        """Let the looks under way finish."""
        if self._looks:
            await asyncio.wait(self._looks.values())

    async def _look_at(self, vital: Vital) -> Reading:
        look = self._looks.get(vital.name)
        if look is None:
            look = asyncio.get_running_loop().create_task(_read(vital))
            self._looks[vital.name] = look
            look.add_done_callback(lambda _: self._looks.pop(vital.name, None))
        await asyncio.wait({look}, timeout=WITHIN)
        if look.done():
            return look.result()
        return Reading(vital.name, False, f"no answer within {WITHIN:g} s")


async def _read(vital: Vital) -> Reading:
    try:
        return Reading(vital.name, True, await vital.look())
    except Unwell as error:
        return Reading(vital.name, False, str(error))
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what was to be found out
        return Reading(vital.name, False, _line(error))


def _line(error: Exception) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
