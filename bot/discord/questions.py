"""Messages that ask one person in the channel to accept or decline something."""

from __future__ import annotations

import logging
import re
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import ROW
from bot.discord.flights import time_limit
from bot.discord.interactions import UNREACHABLE
from bot.discord.late import post
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.words import Say

logger = logging.getLogger(__name__)

CHALLENGE, UNDO, DRAW = "", "undo:", "draw:"
"""The kinds of question, as written in the ids of their buttons."""
ANSWERS = {"accept": ButtonStyle.primary, "decline": ButtonStyle.secondary}


class AnswerButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:(?P<kind>undo:|draw:)?(?P<answer>accept|decline):(?P<question>{ROW})",
):
    """Answers one question."""

    def __init__(self, kind: str, answer: str, question_id: int, label: str = "") -> None:
        """A button for one of ANSWERS to a question of this kind."""
        super().__init__(
            discord.ui.Button(
                label=label or answer,
                style=ANSWERS[answer],
                custom_id=f"cuatro:{kind}{answer}:{question_id}",
            )
        )
        self.kind = kind
        self.answer = answer
        self.question_id = question_id

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["kind"] or CHALLENGE, match["answer"], int(match["question"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Give the answer."""
        press = presses_of(interaction).question[self.kind, self.answer]
        await press(interaction, self.question_id)


async def send_question(
    interaction: Interaction[Any], kind: str, question_id: int, *, to: int, text: str, say: Say
) -> int:
    """Ask a question in the channel and return its message's id; notifies only `to`."""
    view = lasting_view()
    for answer in ANSWERS:
        view.add_item(AnswerButton(kind, answer, question_id, say(f"button.{answer}")))
    mentions = discord.AllowedMentions(
        everyone=False, roles=False, users=[discord.Object(to)], replied_user=False
    )
    return (await post(interaction, text, view=view, allowed_mentions=mentions)).id


async def close_question(
    client: discord.Client, channel_id: int, message_id: int, text: str
) -> None:
    """Replace a question that nobody can answer any more; if that fails, it stays as it is."""
    message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
    try:
        async with time_limit(client):
            await message.edit(content=text, view=None)
    except UNREACHABLE as error:
        logger.info("the question in message %s stays as it is: %r", message_id, error)
