"""Answers to interactions: in time, private or public, and through their tokens.

A request that is not answered after 1.8 seconds is acknowledged: a button silently, a command with
a private message that asks to wait, which the answer then replaces. Handlers answer through this
module and need not know whether a request was acknowledged.

After that acknowledgement, handlers wait for a locked SQLite file or a slow database server. If the
server does not respond at all, they give up earlier (`bot.database.time_limits`), and the first
answer is an error message.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

import aiohttp
import discord
from discord import Interaction, InteractionResponseType, InteractionType
from discord.utils import MISSING

from bot.discord.locales import games_channel
from bot.discord.retries import is_repetition
from bot.game.refusal import Refusal
from bot.i18n import fitting, say_for
from bot.sessions.people import Requester

logger = logging.getLogger(__name__)

NO_PINGS = discord.AllowedMentions.none()


def pings_for(people: Iterable[int]) -> discord.AllowedMentions:
    """Mentions that notify only these people."""
    users = [discord.Object(user_id) for user_id in people]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


ACKNOWLEDGEMENT = 3.0
"""Seconds for the first answer to an interaction; Discord accepts none after that."""

ANSWER = 8.0
"""Seconds that any further answer may take."""

UNREACHABLE = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)
"""The errors of a failed request to Discord: it was refused, or the connection broke."""


def channel_of(interaction: Interaction[Any]) -> int:
    """The channel in which an interaction happened."""
    assert interaction.channel_id is not None, "commands and buttons are used in a channel"
    return interaction.channel_id


def png_file(png: bytes, name: str, description: str) -> discord.File:
    """A picture as an attachment with alternative text; `name` comes without its ending."""
    return discord.File(io.BytesIO(png), filename=f"{name}.png", description=description)


def gif_file(gif: bytes, name: str, description: str) -> discord.File:
    """An animation as an attachment with alternative text; `name` comes without its ending."""
    return discord.File(io.BytesIO(gif), filename=f"{name}.gif", description=description)


async def confirm(answer: Awaitable[object]) -> None:
    """Confirm a change that is already stored; a failure is logged and the game continues."""
    try:
        async with asyncio.timeout(ACKNOWLEDGEMENT):
            await answer
    except UNREACHABLE as error:
        logger.warning("a stored change could not be confirmed: %r", error)


LATE = 1.8
"""Seconds after which a request is acknowledged in any case."""

_LOCK, _WAITS = "answer.lock", "answer.waits"
"""Keys of an interaction's extras: the lock for its answers, and the message that asks to wait."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A public message that answers an interaction."""

    id: int
    edit: Edit | None
    """Edits it through the interaction; None if it is the interaction's own answer."""


@asynccontextmanager
async def acknowledged_in_time(interaction: Interaction[Any]) -> AsyncIterator[None]:
    """Acknowledge an interaction if the block does not do so in time."""
    loop, late = asyncio.get_running_loop(), []
    # Claiming an interaction that several processes receive has used some of the time.
    passed = max(0.0, monotonic() - interaction.extras.get("arrived", monotonic()))
    left = max(0.0, LATE - passed)
    timer = loop.call_later(
        left, lambda: late.append(loop.create_task(_acknowledge_late(interaction)))
    )
    try:
        yield
    finally:
        timer.cancel()
        await asyncio.gather(*late)


async def acknowledge(interaction: Interaction[Any]) -> None:
    """Acknowledge a button silently, unless it has been acknowledged."""
    async with _locked(interaction):
        if not interaction.response.is_done():
            await interaction.response.defer()


def has_answer(interaction: Interaction[Any]) -> bool:
    """Whether an interaction has an answer other than the message that asks to wait."""
    waits = (
        InteractionResponseType.deferred_channel_message,
        InteractionResponseType.deferred_message_update,
    )
    says_to_wait = bool(interaction.extras.get(_WAITS, False))
    return interaction.response.type not in (None, *waits) and not says_to_wait


async def answer_privately(
    interaction: Interaction[Any],
    text: str,
    view: discord.ui.View = MISSING,
    files: Sequence[discord.File] = (),
) -> None:
    """Answer privately, whether or not the interaction has been answered already."""
    text = fitting(text)
    async with _locked(interaction):
        parts: dict[str, Any] = {
            "view": view,
            "allowed_mentions": NO_PINGS,
            "files": list(files) or MISSING,
        }
        if not interaction.response.is_done():
            await interaction.response.send_message(text, ephemeral=True, **parts)
        elif interaction.extras.pop(_WAITS, False):
            attached = list(files) or MISSING
            parts.pop("files")
            await interaction.edit_original_response(content=text, attachments=attached, **parts)
        else:
            await interaction.followup.send(text, ephemeral=True, **parts)


async def try_answer_privately(
    interaction: Interaction[Any], text: str, view: discord.ui.View = MISSING
) -> None:
    """Call `answer_privately` with a time limit; a failure is only logged."""
    try:
        async with asyncio.timeout(ANSWER):
            await answer_privately(interaction, text, view)
    except UNREACHABLE as error:
        logger.warning("a private reply could not be sent: %r", error)


async def retire_pressed(interaction: Interaction[Any]) -> None:
    """Take the buttons from the acknowledged message whose button was pressed.

    A refusal whose request was repeated is removed.
    """
    if is_repetition(interaction):
        await interaction.delete_original_response()
    else:
        await interaction.edit_original_response(view=None)


async def show_form(interaction: Interaction[Any], form: discord.ui.Modal) -> bool:
    """Answer with a form; False if the interaction has been acknowledged, which is too late."""
    async with _locked(interaction):
        if interaction.response.is_done():
            return False
        await interaction.response.send_modal(form)
        return True


async def replace(
    interaction: Interaction[Any], text: str, view: discord.ui.View | None = None
) -> None:
    """Replace the message whose button was pressed with a text, which mentions no one."""
    parts: dict[str, Any] = {"content": text, "view": view, "allowed_mentions": NO_PINGS}
    async with _locked(interaction):
        if interaction.response.is_done():
            await interaction.edit_original_response(**parts)
        else:
            await interaction.response.edit_message(**parts)


async def change_buttons(interaction: Interaction[Any], view: discord.ui.View) -> None:
    """Replace the buttons of the message whose button was pressed."""
    async with _locked(interaction):
        if interaction.response.is_done():
            await interaction.edit_original_response(view=view)
        else:
            await interaction.response.edit_message(view=view)


async def post(interaction: Interaction[Any], text: str, **parts: Any) -> Posted:
    """Answer with a message that is visible in the channel."""
    async with _locked(interaction):
        if not interaction.response.is_done():
            answer = await interaction.response.send_message(text, **parts)
            assert answer.message_id is not None
            return Posted(answer.message_id, None)
        sent = await interaction.followup.send(text, wait=True, **parts)
        if interaction.extras.pop(_WAITS, False):
            await _remove_wait_message(interaction)
        return Posted(sent.id, sent.edit)


async def _remove_wait_message(interaction: Interaction[Any]) -> None:
    """Remove the message that asks to wait."""
    try:
        await interaction.delete_original_response()
    except UNREACHABLE as error:
        logger.info("a message that says to wait could not be removed: %s", error)


async def _acknowledge_late(interaction: Interaction[Any]) -> None:
    """Acknowledge an interaction that has not been answered yet."""
    async with _locked(interaction):
        if interaction.response.is_done():
            return
        try:
            if interaction.type is InteractionType.component and interaction.message is not None:
                await interaction.response.defer()
            else:
                text = say_for(interaction.locale.value)("late.wait")
                await interaction.response.send_message(text, ephemeral=True)
                interaction.extras[_WAITS] = True
        except UNREACHABLE as error:
            logger.warning("an interaction could not be acknowledged: %s", error)


def _locked(interaction: Interaction[Any]) -> asyncio.Lock:
    lock: asyncio.Lock = interaction.extras.setdefault(_LOCK, asyncio.Lock())
    return lock


MAX_KEPT = 1_000
"""The most boards with a stored token; the least recently used and expired ones are dropped."""

Edit = Callable[..., Awaitable[object]]
"""Edits one message; takes what `discord.Message.edit` takes."""


@dataclass(frozen=True, slots=True)
class _Token:
    message_id: int
    interaction: Interaction[Any]
    edit: Edit


class InteractionTokens:
    """The latest interaction of each game whose token can edit the game's board.

    A token is valid for fifteen minutes and needs no permission in the channel.
    """

    def __init__(self) -> None:
        self._tokens: dict[int, _Token] = {}

    def note(
        self,
        game_id: int,
        message_id: int,
        interaction: Interaction[Any],
        edit: Edit | None = None,
    ) -> None:
        """Store a token for a board; without `edit`, the board is the interaction's answer."""
        self._tokens.pop(game_id, None)
        token = _Token(message_id, interaction, edit or interaction.edit_original_response)
        self._tokens[game_id] = token
        while len(self._tokens) > MAX_KEPT or self._is_oldest_expired():
            del self._tokens[next(iter(self._tokens))]

    def drop(self, game_id: int) -> None:
        """Forget the token for a game's board, because an edit with it has failed."""
        self._tokens.pop(game_id, None)

    def edit_for(self, game_id: int, message_id: int) -> Edit | None:
        """A function that edits a game's board with its token; None without a valid token."""
        token = self._tokens.get(game_id)
        if token is None or token.message_id != message_id:
            return None
        if token.interaction.is_expired():
            del self._tokens[game_id]
            return None
        return token.edit

    def _is_oldest_expired(self) -> bool:
        oldest = next(iter(self._tokens.values()), None)
        return oldest is not None and oldest.interaction.is_expired()


NEEDED = ("view_channel", "send_messages", "attach_files", "embed_links")
"""Required permissions by their names in discord.py; their texts are `permission.<name>`."""

NEEDED_IN_THREADS = ("view_channel", "send_messages_in_threads", "attach_files", "embed_links")


def missing_in(channel: discord.TextChannel) -> tuple[str, ...]:
    """The required permissions that the bot lacks in a channel of a server."""
    allowed = channel.permissions_for(channel.guild.me)
    return tuple(name for name in NEEDED if not getattr(allowed, name))


def missing_permissions(interaction: Interaction[Any]) -> tuple[str, ...]:
    """The required permissions that the bot lacks in an interaction's channel; none in private."""
    if interaction.guild_id is None:
        return ()
    in_thread = isinstance(interaction.channel, discord.Thread)
    needed = NEEDED_IN_THREADS if in_thread else NEEDED
    return tuple(name for name in needed if not getattr(interaction.app_permissions, name))


def require_games_allowed(interaction: Interaction[Any]) -> None:
    """Refuse a channel in which the server allows no games; threads count as their channel.

    If the channel for games has been deleted, all channels are allowed.
    """
    allowed, channel = games_channel(interaction), interaction.channel
    if allowed is None or (interaction.guild and interaction.guild.get_channel(allowed) is None):
        return
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    if allowed not in (interaction.channel_id, parent):
        raise Refusal("games_elsewhere", channel=allowed)


def require_permissions(interaction: Interaction[Any], family: str, **details: object) -> None:
    """Refuse to begin a game in a channel that allows none, or where its board cannot be shown.

    The refusal of such a channel has these further details.
    """
    require_games_allowed(interaction)
    missing = missing_permissions(interaction)
    if missing:
        raise Refusal("missing_permissions", missing=missing, game=family, **details)


@dataclass(frozen=True, slots=True)
class PrivateMessage:
    """The text, files and buttons of a private message. Its files can be sent once."""

    content: str
    files: Sequence[discord.File]
    view: discord.ui.View


def requester_of(interaction: Interaction[Any]) -> Requester:
    """The person who made an interaction, the place, and the texts in their language."""
    say = say_for(interaction.locale.value)
    return Requester(interaction.user.id, interaction.guild_id, say)


async def show_privately(interaction: Interaction[Any], shown: PrivateMessage) -> None:
    """Show something in the private message of an interaction, or in a new one."""
    await interaction.edit_original_response(
        content=shown.content,
        attachments=shown.files,
        view=shown.view,
        allowed_mentions=NO_PINGS,
    )
