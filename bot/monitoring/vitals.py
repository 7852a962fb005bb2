"""What the bot looks at to know whether it is well."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bot.monitoring import looks
from bot.monitoring.looks import Looks


class Unwell(Exception):
    """Something is not as it should be; the text says what."""


class Degraded(Exception):
    """Something beside the bot is not as it should be, and the bot does without it."""


@dataclass(frozen=True, slots=True)
class Vital:
    """One thing to look at."""

    name: str
    look: Callable[[], Awaitable[str]]
    """Says in a few words how it is; raises Degraded where the bot does without it, and Unwell, or
    anything else, where the bot is not well."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one look has found."""

    name: str
    is_well: bool
    text: str
    is_degraded: bool = False
    """Whether the bot is well, and does without this."""

    def __str__(self) -> str:
        """One line, such as `ok    gateway: connected`."""
        word = "WARN" if self.is_degraded else "ok" if self.is_well else "FAILS"
        return f"{word:<5} {self.name}: {self.text}"


class Vitals:
    """Looks at everything at once; a look that takes too long is a bad sign."""

    def __init__(self, vitals: Sequence[Vital]) -> None:
        """Look at these."""
        self._vitals = vitals
        self._looks: Looks[Reading] = Looks()

    async def look(self) -> tuple[Reading, ...]:
        """Look at everything; takes at most a little longer than `WITHIN`."""
        return tuple(await asyncio.gather(*(self._look_at(vital) for vital in self._vitals)))

    async def close(self) -> None:
        """Let the looks under way finish."""
        await self._looks.close()

    async def _look_at(self, vital: Vital) -> Reading:
        found = await self._looks.at(vital.name, partial(_read, vital))
        return found or Reading(vital.name, False, f"no answer within {looks.WITHIN:g} s")


async def _read(vital: Vital) -> Reading:
    try:
        return Reading(vital.name, True, await vital.look())
    except Degraded as error:
        return Reading(vital.name, True, str(error), is_degraded=True)
    except Unwell as error:
        return Reading(vital.name, False, str(error))
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what was to be found out
        return Reading(vital.name, False, _line(error))


def _line(error: Exception) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
