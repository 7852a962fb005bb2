"""The buttons under a replay: to its first and last move, a move back or forward, and sharing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.controls import GameButton
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


def animation_view(game_id: int, of: int, say: Say, *, shared: bool = False) -> discord.ui.View:
    """The buttons under the GIF of a game with `of` moves: stills of it, and sharing it, once."""
    view = _steps({"first": 0, "back": None, "forward": min(1, of), "last": of}, game_id, say)
    label = say("button.shared" if shared else "button.share")
    view.add_item(GameButton("share", game_id, label=label, disabled=shared))
    return view


def step_view(game_id: int, made: int, of: int, say: Say) -> discord.ui.View:
    """The buttons under a still of a game after `made` of its moves: others, and the GIF again."""
    begins, ends = made == 0, made == of
    targets = {
        "first": None if begins else 0,
        "back": None if begins else made - 1,
        "forward": None if ends else made + 1,
        "last": None if ends else of,
    }
    view = _steps(targets, game_id, say)
    view.add_item(GameButton("play", game_id, label=say("button.play")))
    return view


def _steps(targets: Mapping[str, int | None], game_id: int, say: Say) -> discord.ui.View:
    """A button for each word to after so many moves; None where there is nothing to go to."""
    view = lasting_view()
    for word, made in targets.items():
        label = say(f"button.{word}")
        view.add_item(StepButton(word, game_id, made or 0, label, disabled=made is None))
    return view
