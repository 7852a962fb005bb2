"""The error handler around every command and button: it replies to requests that fail.

Discord accepts no answer to an interaction older than three seconds, so the age of each one is
tracked. Discord's time is derived from its ids, because this machine's clock may be wrong.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import discord
from discord import Interaction
from discord.utils import MISSING, snowflake_time

from bot.database.errors import UNCONFIRMED, Unavailable
from bot.database.time_limits import Request, answering_person
from bot.discord.gateway import NOT_CLAIMED
from bot.discord.locales import apply_preferences
from bot.discord.names import NameBook, jump_url
from bot.discord.replies import (
    ACKNOWLEDGEMENT,
    acknowledged_in_time,
    channel_of,
    has_answer,
    missing_permissions,
    try_answer_privately,
)
from bot.discord.retries import Repeatable, request_of
from bot.game.clocks import AnchoredClock, Clock, steady
from bot.game.refusal import Refusal, TooLate
from bot.i18n import Translator, quoted, say_for
from bot.sessions.sessions import Sessions
from bot.show.board_text import bold
from bot.store.preferences import CachedPreferences
from bot.telemetry import SILENT, Meter, note
from engine.core.registry import default_game

T = TypeVar("T")

logger = logging.getLogger(__name__)

FIRST_FAMILY = default_game().key

FAMILY = "family"
"""The key of an interaction's extras for the game that its command is about."""


REFUSED = "refused"
"""The key of an interaction's extras that marks a request as refused."""


def was_refused(interaction: Interaction[Any]) -> bool:
    """Whether the request of an interaction was refused."""
    return REFUSED in interaction.extras


class Answering:
    """Handles errors of a handler's work: `async with answering(interaction, family): ...`."""

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        names: NameBook,
        time: DiscordTime,
        arrivals: Arrivals,
        meter: Meter = SILENT,
        view_below: ViewBelow = lambda _refusal, _family, _say, _request: None,
        *,
        preferences: CachedPreferences,
    ) -> None:
        """Record people in `names` and times in `time` and `arrivals`; count refusals in `meter`.

        `sessions` gives the game that a text is about, `view_below` the buttons
        of a refusal, `preferences` the languages of answers.
        """
        self._view_below = view_below
        self._meter = meter
        self._client = client
        self.time = time
        self._sessions = sessions
        self._names = names
        self._arrivals = arrivals
        self._preferences = preferences
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closing = asyncio.Event()
        self.is_late = arrivals.is_late

    def require_in_time(self, interaction: Interaction[Any]) -> None:
        """Raise TooLate if the interaction can no longer be acknowledged."""
        if self.is_late(interaction):
            raise TooLate

    async def unless_closing(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The result of work that may take long; None as soon as the bot closes."""
        task = asyncio.get_running_loop().create_task(work)
        closing = asyncio.get_running_loop().create_task(self._closing.wait())
        await asyncio.wait({task, closing}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        if task.done():
            return await task
        # The work ends by itself when the searches are stopped; its result is not needed.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return None

    async def finish(self, grace: float) -> None:
        """Wait up to `grace` seconds for the requests in progress to be answered."""
        self._closing.set()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=grace)

    @asynccontextmanager
    async def __call__(
        self, interaction: Interaction[Any], family: str | None = None
    ) -> AsyncIterator[None]:
        """Reply privately if the block is refused or fails; failures are also logged.

        Args:
            interaction: What is being answered.
            family: The game whose command was used; None for a button, and for a command that
                notes its game in the interaction's extras.
        """
        self._names.note(interaction.user)
        self.time.note(interaction.id)
        self._arrivals.note(interaction)
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        # Each interaction has a task of its own, in which discord.py also logs what fails.
        note(channel=interaction.channel_id, guild=interaction.guild_id)
        is_acknowledged = interaction.response.is_done
        with answering_person(is_acknowledged, NOT_CLAIMED.get()) as request:
            async with self._answered(interaction, family, request):
                yield

    @asynccontextmanager
    async def _answered(
        self, interaction: Interaction[Any], family: str | None, request: Request
    ) -> AsyncIterator[None]:
        try:
            async with acknowledged_in_time(interaction):
                await apply_preferences(interaction, self._preferences)
                yield
        except TooLate:
            interaction.extras[REFUSED] = True
            logger.warning("a move came too late and was not made")
            await try_answer_privately(interaction, too_late_text(interaction))
        except Refusal as refusal:
            await self._refuse(interaction, family, refusal)
        except Unavailable as error:
            # Logged where it was detected: once, instead of once for each person affected.
            trouble_reason = error.reason
            if request.has_stored:
                if has_answer(interaction):
                    # The answer says what was stored; the board shows the rest later.
                    return
                trouble_reason = UNCONFIRMED
            # The database would be needed to find the channel's game.
            await self._refuse(
                interaction, family or FIRST_FAMILY, Refusal(f"store_{trouble_reason}")
            )
        except Exception as error:
            missing = missing_permissions(interaction)
            if isinstance(error, discord.Forbidden) and missing:
                logger.warning("the bot may not do this here: %s", error)
                reason = Refusal("missing_permissions", missing=missing)
                await self._refuse(interaction, family, reason)
                return
            if self._client.is_closed():
                # Everything stored is safe; the next run shows it.
                logger.info("an answer was cut short as the bot shut down: %s", error)
                return
            self._meter.failed()
            say = say_for(interaction.locale.value)
            view = self._view_below(Refusal("unexpected"), family or FIRST_FAMILY, say, None)
            await try_answer_privately(interaction, say("refusal.unexpected"), view or MISSING)
            raise

    async def _refuse(
        self, interaction: Interaction[Any], family: str | None, refusal: Refusal
    ) -> None:
        """Count a refusal, and answer with its reason."""
        interaction.extras[REFUSED] = True
        self._meter.refused(refusal.key.removeprefix("refusal."))
        say = say_for(interaction.locale.value)
        family = family or interaction.extras.get(FAMILY) or await self._family_in(interaction)
        # A refusal may be about another game than the one whose command was used.
        family = str(refusal.details.get("game", family))
        text = await refusal_text(refusal, family, self._names, say)
        view = self._view_below(refusal, family, say, request_of(interaction))
        await try_answer_privately(interaction, text, view or MISSING)

    async def _family_in(self, interaction: Interaction[Any]) -> str:
        """The family of the channel's game, or the first family if there is none."""
        try:
            session = await self._sessions.games.current(channel_of(interaction))
        except Unavailable:
            return FIRST_FAMILY
        return FIRST_FAMILY if session is None else session.game.key


def too_late_text(interaction: Interaction[Any]) -> str:
    """What a person reads whose press or command came too late."""
    is_typed = interaction.type is discord.InteractionType.application_command
    return say_for(interaction.locale.value)(f"error.too_late{'_typed' if is_typed else ''}")


REMEMBERED = 200
"""The number of latest interactions that determine the usual delay."""

DRIFT = 1e-4
"""The relative drift that is allowed between this machine's clock and Discord's."""

BELIEVED, PAUSE = 30.0, 10.0
"""Interactions that all seem old for the first number of seconds, with pauses of at most the
second, mean that a clock has changed."""

PROMPT = 1.0
"""Seconds of delay beyond the usual one up to which an interaction's id gives the present time."""

DOUBTED = 60.0
"""Seconds after a suspension in which the first interaction's delay does not count as usual."""


class Arrivals:
    """Records when interactions arrive, and how much later than usual.

    Their ids contain the time of their creation by Discord's clock, which may differ from this
    machine's. So an interaction's delay is compared with the shortest of the latest delays.
    Delays are measured with a monotonic clock.
    """

    def __init__(
        self, clock: Clock, *, is_measured: bool, steady: Callable[[], float] = steady
    ) -> None:
        """Measure delays with `steady`.

        Args:
            clock: The present time, which is used until a better one is known.
            is_measured: If false, as on an offline Discord without a clock, nothing is late.
            steady: A monotonic clock.
        """
        self._clock = clock
        self._steady = steady
        self._is_measured = is_measured
        self._delays: deque[float] = deque(maxlen=REMEMBERED)
        """The delays of the latest interactions, less the drift up to then."""
        self._late_since: float | None = None
        self._late_at = 0.0
        self._doubted_until = 0.0

    def suspended(self) -> None:
        """Note that this process was suspended: the next interactions may have waited meanwhile."""
        self._late_since = None
        self._doubted_until = self._steady() + DOUBTED

    def is_stale(self, interaction_id: int) -> bool:
        """Whether an interaction that arrives now is too old to be acknowledged."""
        return self._is_measured and self._lateness(interaction_id) > ACKNOWLEDGEMENT

    def note(self, interaction: Interaction[Any]) -> None:
        """Record the arrival of an interaction, and correct the present time by it."""
        late = max(0.0, self._lateness(interaction.id))
        if self._is_measured and late < PROMPT and isinstance(self._clock, AnchoredClock):
            self._clock.check(interaction.created_at.timestamp())
        interaction.extras["arrived"] = self._steady() - late

    def is_late(self, interaction: Interaction[Any]) -> bool:
        """Whether it is too late by now to acknowledge an interaction."""
        arrived: float = interaction.extras["arrived"]
        if interaction.response.is_done():
            return False
        return self._is_measured and self._steady() - arrived > ACKNOWLEDGEMENT

    def _lateness(self, interaction_id: int) -> float:
        """How much later than usual an interaction is that arrives now."""
        now, made = self._steady(), snowflake_time(interaction_id).timestamp()
        delay = now - made
        drift = DRIFT * now
        if self._delays:
            usual = min(self._delays) + drift
        else:
            usual = delay
            if now < self._doubted_until and self._clock() - made > ACKNOWLEDGEMENT:
                return self._clock() - made
        if delay - usual <= ACKNOWLEDGEMENT:
            self._late_since = None
        elif self._late_since is None or now - self._late_at > PAUSE:
            self._late_since = now
        elif now - self._late_since > BELIEVED:
            self._delays.clear()
            usual, self._late_since = delay, None
        self._late_at = now
        self._delays.append(delay - drift)
        return delay - usual


class DiscordTime:
    """Derives the present time on Discord from the newest id that was seen."""

    def __init__(self) -> None:
        """Begin without a time: the first id gives one."""
        self._latest = 0

    def note(self, snowflake: int) -> None:
        """Note an id that Discord has given."""
        self._latest = max(self._latest, snowflake)

    def age(self, snowflake: int) -> float:
        """How many seconds before the newest id this one was given."""
        newest = max(self._latest, snowflake)
        return (snowflake_time(newest) - snowflake_time(snowflake)).total_seconds()


DETAILS: Mapping[str, Callable[[Any, str, Translator], str]] = {
    "channel": lambda channel_id, _family, _say: f"<#{channel_id}>",
    "expected": lambda expected, family, say: _expected(expected, family, say),
    "game": lambda key, _family, say: say(f"command.{key}.name"),
    "link": lambda place, _family, _say: jump_url(place),
    "links": lambda places, _family, _say: " · ".join(map(jump_url, places)),
    "missing": lambda names, _family, say: ", ".join(say(f"permission.{name}") for name in names),
    "move": lambda move, family, say: quoted(say.move(family, move)),
    "other": lambda key, _family, say: say(f"game.{key}"),
    "running": lambda count, _family, say: say.count("running_games", count),
    "times": lambda count, _family, say: _times(count, say),
    "until": lambda at, _family, _say: f"<t:{int(at)}:R>",
}
"""Formats a detail of a refusal, given its value, the game's key and the texts."""


ViewBelow = Callable[[Refusal, str, Translator, Repeatable | None], discord.ui.View | None]
"""The buttons under a refusal of a request about a game of a family; None for none. The request is
None if it cannot be repeated."""


async def _bold_name(user_id: int | None, names: NameBook, say: Translator) -> str:
    """A person's name in bold; the bot, which has no id, is "me"."""
    if user_id is None:
        return say("name.me")
    return bold((await names.of((user_id,), say))[user_id])


def _times(count: int, say: Translator) -> str:
    """How often something was done; small numbers are words."""
    return say.texts.get(f"times.{count}") or say.count("times", count)


def _expected(expected: str, family: str, say: Translator) -> str:
    """Which moves a game has, from `NotAMove.expected`, such as `1-7`."""
    first, _, last = expected.partition(" ")[0].partition("-")
    return say(f"expected.{family}", first=first, last=last)


async def refusal_text(refusal: Refusal, family: str, names: NameBook, say: Translator) -> str:
    """The reason for refusing a request about a game of `family`, and what to do instead."""
    details: dict[str, Any] = {"game": family, **refusal.details}
    for name, value in details.items():
        if name == "person":
            details[name] = await _bold_name(value, names, say)
        elif name == "players":
            details[name] = say.all_of([await _bold_name(one, names, say) for one in value])
        elif name in DETAILS:
            details[name] = DETAILS[name](value, family, say)
        elif isinstance(value, str):
            # A person typed it: it may contain any characters, and have any length.
            details[name] = quoted(value)
    kind, _, name = refusal.key.rpartition(".")
    return say(say.key(kind, family, name), **details)
