"""Replays of finished games, as a GIF or move by move, for one person who may share them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import BoardButton, BoardMessages, Button, headline, was_played
from bot.board.moves import require_seen
from bot.discord.locales import public_locale
from bot.discord.replies import NO_PINGS, UNREACHABLE, acknowledge, change_buttons, gif_file
from bot.discord.routes import GAME, SMALL, CustomId, Route, game_action, lasting_view
from bot.feature import Core, Feature, Parts
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.sessions.people import Limiter
from bot.sessions.running import RunningGames
from bot.show.scenes import Names, alt_phrases, board_scene, play_scenes
from bot.show.themes import DEFAULT, reader_theme
from bot.store.people import Players
from engine.core.registry import package_of
from renderers import BoardScene, Theme, animation_alt_text, draw_animation

REPLAY, PLAY, SHARE = map(game_action, ("replay", "play", "share"))

WORDS = "(?P<word>first|back|forward|last)"

STEP = CustomId("step", WORDS, GAME, rf"(?P<made>{SMALL})", game=int, made=int)
"""The ids of buttons that show a game after a number of moves."""


def build(core: Core) -> Parts:
    """The buttons under boards and under replays, and their handler."""
    handler = ReplayHandler(core.sessions.games, core.messages, core.store.players, core.limiter)
    button = BoardButton(100, replay_button, under="review")
    return Parts(routes=handler.routes, board_buttons=(button,))


def replay_button(session: Session, say: Translator) -> Button | None:
    """The button under the review of a game that is over and was not cancelled."""
    if not was_played(session):
        return None
    return REPLAY.button(session.id, label=say("button.replay"))


def animation_view(
    game_id: int, of: int, say: Translator, *, shared: bool = False
) -> discord.ui.View:
    """The buttons under the GIF of a game with `of` moves: stills of it, and sharing it, once."""
    view = _steps({"first": 0, "back": None, "forward": min(1, of), "last": of}, game_id, say)
    label = say("button.shared" if shared else "button.share")
    view.add_item(SHARE.button(game_id, label=label, disabled=shared))
    return view


def step_view(game_id: int, made: int, of: int, say: Translator) -> discord.ui.View:
    """The buttons under a still of a game after `made` of its moves: others, and the GIF again."""
    back = {"first": 0, "back": made - 1} if made else {"first": None, "back": None}
    ahead = {"forward": made + 1, "last": of} if made < of else {"forward": None, "last": None}
    view = _steps({**back, **ahead}, game_id, say)
    view.add_item(PLAY.button(game_id, label=say("button.play")))
    return view


def _steps(targets: Mapping[str, int | None], game_id: int, say: Translator) -> discord.ui.View:
    """A button for each word, which shows the game after this many moves; disabled for None."""
    view = lasting_view()
    for word, made in targets.items():
        label, disabled = say(f"button.{word}"), made is None
        view.add_item(STEP.button(word, game_id, made or 0, label=label, disabled=disabled))
    return view


@dataclass(frozen=True, slots=True)
class ReplayHandler:
    """Answers the buttons of replays."""

    games: RunningGames
    messages: BoardMessages
    players: Players
    limiter: Limiter

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons under boards and replays."""
        return (
            REPLAY.route(self.show),
            PLAY.route(self.play),
            SHARE.route(self.share, repeatable=False),
            STEP.route(self.step),
        )

    async def show(self, interaction: Interaction[Any], game_id: int) -> None:
        """Replay a game in a private message."""
        session = await self._finished(interaction, game_id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._show_all(interaction, session)

    async def play(self, interaction: Interaction[Any], game_id: int) -> None:
        """Return from single moves to the whole game."""
        session = await self._finished(interaction, game_id)
        await acknowledge(interaction)
        await self._show_all(interaction, session)

    async def step(
        self, interaction: Interaction[Any], _word: str, game_id: int, made: int
    ) -> None:
        """Show the game after a number of moves."""
        session = await self._finished(interaction, game_id)
        await acknowledge(interaction)
        say, of = say_for(interaction.locale.value), len(session.moves)
        made = min(made, of)
        move = say.move(session.game.key, session.moves[made - 1].move) if made else "–"
        names, at = await self.messages.names_in(session, say), session.until(made)
        await interaction.edit_original_response(
            content=say("replay.move", number=made, of=of, move=move),
            attachments=[await self.messages.picture(at, names, say, reader_theme())],
            view=step_view(session.id, made, of, say),
        )

    async def share(self, interaction: Interaction[Any], game_id: int) -> None:
        """Post a game with its result in the channel.

        The button is disabled before that, so that a second press posts nothing, and enabled again
        if posting fails.
        """
        session = await self._finished(interaction, game_id, is_shared=True)
        say, of = say_for(interaction.locale.value), len(session.moves)
        await change_buttons(interaction, animation_view(session.id, of, say, shared=True))
        try:
            theme = await self.messages.theme(session)
            text, file = await self._message(session, say_for(public_locale(interaction)), theme)
            await interaction.followup.send(text, file=file, allowed_mentions=NO_PINGS, wait=True)
        except UNREACHABLE:
            await change_buttons(interaction, animation_view(session.id, of, say))
            raise

    async def _finished(
        self, interaction: Interaction[Any], game_id: int, *, is_shared: bool = False
    ) -> Session:
        """A finished game that this person may see, or share; counted as a picture."""
        session, user_id = await self.games.find(game_id), interaction.user.id
        if session is None or not session.is_over:
            raise Refusal("nothing_to_replay")
        require_seen(session, interaction)
        for other in session.people if is_shared else ():
            if other != user_id and not (await self.players.preferences(other)).shares:
                raise Refusal("not_to_be_shared")
        self.limiter.take("pictures", user_id)
        return session

    async def _show_all(self, interaction: Interaction[Any], session: Session) -> None:
        say = say_for(interaction.locale.value)
        text, file = await self._message(session, say, reader_theme())
        await interaction.edit_original_response(
            content=text,
            attachments=[file],
            view=animation_view(session.id, len(session.moves), say),
            allowed_mentions=NO_PINGS,
        )

    async def _message(
        self, session: Session, say: Translator, theme: Theme
    ) -> tuple[str, discord.File]:
        """The result of a game, and the GIF of all of it, which can be sent once."""
        names = await self.messages.names_in(session, say)
        # Beside reports: boards of running games do not wait for it.
        draw = self.messages.workers.draw_report
        gif, alt_text = await draw(replay_picture, session, names, say, theme)
        file = gif_file(gif, f"{session.game.key}-{session.id}", alt_text)
        return headline(session, names, say), file


def replay_picture(
    session: Session, names: Names, say: Translator, theme: Theme = DEFAULT
) -> tuple[bytes, str]:
    """The GIF of a finished game and its alternative text; may be called from any thread."""
    end = board_scene(session, names, say)
    alt_text = animation_alt_text(end, moves_text(session, say), alt_phrases(say))
    drawing, scenes = package_of(session.game).drawing, replay_scenes(session, end)
    return draw_animation(drawing, scenes, theme), alt_text


def replay_scenes(session: Session, end: BoardScene) -> tuple[BoardScene, ...]:
    """The board before a finished game's first move, after each of them, and at its `end`.

    Before a move that removes stones there is one more scene. No player is marked as being to move,
    and there is no text below the board: only the board changes, until the winner is known.
    """
    bare = replace(end, remark="", footer="", turn=None, last=frozenset())
    start = replace(bare, winner=None, banner=None, line=frozenset())
    moves = [session.game.parse(made.move) for made in session.moves]
    scenes = list(play_scenes(session.game.start(), moves, start))
    return (*scenes, replace(bare, last=scenes[-1].last))


def moves_text(session: Session, say: Translator) -> str:
    """All moves of a game in a sentence."""
    moves = ", ".join(say.move(session.game.key, made.move) for made in session.moves)
    return say("replay.told", moves=moves or "–")


FEATURE = Feature("replays", build)
