"""The buttons under a replay: to its first and last move, a move back or forward, and sharing.

Answers requests for a replay.

A finished game as the scenes of an animation, and as what is told to who cannot see it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.board.boards import Boards
from bot.board.moves import require_seen
from bot.discord.answering import Answering
from bot.discord.presses import presses_of
from bot.discord.replies import NO_PINGS, UNREACHABLE, acknowledge, change_buttons
from bot.discord.routes import ROW, SMALL, game_action, lasting_view
from bot.features.statistics.rules import Statistics
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Say, say_for
from bot.sessions.people import Limiter
from bot.sessions.sessions import Sessions
from bot.show.scenes import Names, alt_phrases, board_scene, play_scenes
from engine.core.registry import package_of
from renderers import BoardScene, animation_alt_text, draw_animation


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
    view.add_item(game_action("share").button(game_id, label=label, disabled=shared))
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
    view.add_item(game_action("play").button(game_id, label=say("button.play")))
    return view


def _steps(targets: Mapping[str, int | None], game_id: int, say: Say) -> discord.ui.View:
    """A button for each word to after so many moves; None where there is nothing to go to."""
    view = lasting_view()
    for word, made in targets.items():
        label = say(f"button.{word}")
        view.add_item(StepButton(word, game_id, made or 0, label, disabled=made is None))
    return view


@dataclass(frozen=True, slots=True)
class ReplayHandler:
    """Replays finished games as a GIF or move by move, each for one person who may share it."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    statistics: Statistics
    limiter: Limiter

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Replay a game in a private message."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._show_all(interaction, session)

    async def play(self, interaction: Interaction[Any], game_id: int) -> None:
        """Go back from single moves to the whole game."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._show_all(interaction, session)

    async def step(self, interaction: Interaction[Any], game_id: int, made: int) -> None:
        """Show the game after a number of moves."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._show(interaction, session, min(made, len(session.moves)))

    async def share(self, interaction: Interaction[Any], game_id: int) -> None:
        """Post a game with its result for everybody in the channel.

        The button is gone before that, so that a second press posts nothing; it comes back where
        the game could not be posted.
        """
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            await self._require_shareable(session, interaction.user.id)
            self.limiter.take("pictures", interaction.user.id)
            say, of = say_for(interaction.locale.value), len(session.moves)
            await change_buttons(interaction, animation_view(session.id, of, say, shared=True))
            try:
                await self._post(interaction, session, say)
            except UNREACHABLE:
                await change_buttons(interaction, animation_view(session.id, of, say))
                raise

    async def _finished(self, interaction: Interaction[Any], game_id: int) -> Session:
        session = await self.sessions.games.find(game_id)
        if session is None or not session.is_over:
            raise Refusal("nothing_to_replay")
        require_seen(session, interaction)
        return session

    async def _require_shareable(self, session: Session, user_id: int) -> None:
        """Refuse to show everybody a game of somebody else who hides theirs."""
        for other in session.people:
            if other != user_id and await self.statistics.is_hidden(other):
                raise Refusal("not_to_be_shared")

    async def _post(self, interaction: Interaction[Any], session: Session, say: Say) -> None:
        replay = await self.boards.replay(session, say)
        await interaction.followup.send(
            replay.content, file=replay.file, allowed_mentions=NO_PINGS, wait=True
        )

    async def _show_all(self, interaction: Interaction[Any], session: Session) -> None:
        say = say_for(interaction.locale.value)
        replay = await self.boards.replay(session, say)
        await interaction.edit_original_response(
            content=replay.content,
            attachments=[replay.file],
            view=animation_view(session.id, len(session.moves), say),
            allowed_mentions=NO_PINGS,
        )

    async def _show(self, interaction: Interaction[Any], session: Session, made: int) -> None:
        say, of = say_for(interaction.locale.value), len(session.moves)
        move = say.move(session.game.key, session.moves[made - 1].move) if made else "–"
        await interaction.edit_original_response(
            content=say("replay.move", number=made, of=of, move=move),
            attachments=[await self.boards.picture(session.until(made), say)],
            view=step_view(session.id, made, of, say),
        )


def replay_picture(session: Session, names: Names, say: Say) -> tuple[bytes, str]:
    """The GIF of a finished game and its alternative text; may be called from any thread."""
    end = board_scene(session, names, say)
    told = animation_alt_text(end, told_moves(session, say), alt_phrases(say))
    return draw_animation(package_of(session.game).drawing, replay_scenes(session, end)), told


def replay_scenes(session: Session, end: BoardScene) -> tuple[BoardScene, ...]:
    """The board before a finished game's first move, after each of them, and at its `end`.

    Before a move that removes stones there is one more scene. Nobody is to move, and there are no
    words below the board: only the board changes, until it is known who has won.
    """
    bare = replace(end, remark="", footer="", turn=None, last=frozenset())
    start = replace(bare, winner=None, line=frozenset())
    moves = [session.game.parse(made.move) for made in session.moves]
    scenes = list(play_scenes(session.game.start(), moves, start))
    return (*scenes, replace(bare, last=scenes[-1].last))


def told_moves(session: Session, say: Say) -> str:
    """All moves of a game in a sentence."""
    moves = ", ".join(say.move(session.game.key, made.move) for made in session.moves)
    return say("replay.told", moves=moves or "–")
