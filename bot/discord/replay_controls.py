"""The buttons under a replay: to its first and last move, and a move back or forward."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import ROW, SMALL
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.words import Say


class StepButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:step:(?P<word>first|back|forward|last):(?P<game>{ROW}):(?P<made>{SMALL})",
):
    """Shows a game as it stood after a number of moves."""

    def __init__(
        self, word: str, game_id: int, made: int, label: str = "", *, disabled: bool = False
    ) -> None:
        """A button for one of the words in the template, which goes to after `made` moves."""
        super().__init__(
            discord.ui.Button(
                label=label or word,
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:step:{word}:{game_id}:{made}",
                disabled=disabled,
            )
        )
        self.word = word
        self.game_id = game_id
        self.made = made

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["word"], int(match["game"]), int(match["made"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Go there."""
        await presses_of(interaction).step(interaction, self.game_id, self.made)


def replay_view(game_id: int, made: int, of: int, say: Say) -> discord.ui.View:
    """The buttons of a replay that shows a game after `made` of its moves."""
    view = lasting_view()
    targets = {"first": 0, "back": made - 1, "forward": made + 1, "last": of}
    for word, target in targets.items():
        label = say(f"button.{word}")
        is_here = made == (0 if word in ("first", "back") else of)
        there = min(max(target, 0), of)
        view.add_item(StepButton(word, game_id, there, label, disabled=is_here))
    return view
