"""Undo, draw and swap on Discord: commands, buttons, and questions to the other person."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from discord import ButtonStyle, Interaction

from bot.board.challenges import QuestionButtons, close_question, send_question
from bot.board.messages import (
    BoardButton,
    Button,
    game_button,
    is_played_by_people,
    question_view,
)
from bot.database.errors import isolated
from bot.discord.commands import CommandFactory, GameCommand, command
from bot.discord.replies import acknowledge, answer_privately, channel_of, confirm, replace
from bot.discord.routes import Route, game_action
from bot.feature import Core
from bot.features.proposals.rules import (
    Draws,
    Proposals,
    Swaps,
    Undos,
    other_of,
    remaining_after,
)
from bot.features.proposals.store import Proposal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.ratings.rated import can_raise, had_help, spoiled_by
from bot.show.board_text import placed_words, short_name
from bot.show.scenes import Names, seat_name
from engine.core.game import Player
from engine.core.package import GamePackage

UNDO, TAKEBACK = game_action("undo"), game_action("takeback")
DRAW, SWAP = game_action("draw"), game_action("swap")

Answer = Callable[[int, int], Awaitable[Session]]
"""Answers a proposal of an id for a person, and returns the game."""

QUESTIONS = {
    "undo": QuestionButtons("undo", ("button.undo.accept", "button.undo.decline")),
    "draw": QuestionButtons("draw", ("button.draw.accept", "button.draw.decline")),
}
"""The buttons of the other person, by the kind of proposal."""


class ProposalHandler:
    """Takes turns back, ends games as draws and swaps sides, if needed after asking."""

    def __init__(self, core: Core) -> None:
        """Use the services of `core`."""
        store, sessions, clock = core.store, core.sessions, core.clock
        limiter, shards = core.limiter, core.settings.shards
        self._undos = Undos(store, sessions, clock, limiter, shards=shards)
        self._draws = Draws(store, sessions, clock, limiter, shards=shards)
        self._swaps = Swaps(store.database, sessions.games, core.ownership.id, clock)
        self._core = core

    def commands(self) -> tuple[CommandFactory, ...]:
        """The commands `undo` and `draw` of each game."""
        return CommandFactory(210, self._undo_command), CommandFactory(220, self._draw_command)

    def routes(self) -> tuple[Route, ...]:
        """The routes of the buttons."""
        return (
            UNDO.route(self.undo),
            TAKEBACK.route(self.undo_confirmed),
            DRAW.route(partial(self._ask, self._draws)),
            SWAP.route(self.swap),
            *(
                route
                for rules in (self._undos, self._draws)
                for route in QUESTIONS[rules.kind].routes(
                    partial(self.answer, rules, rules.accept),
                    partial(self.answer, rules, rules.decline),
                )
            ),
        )

    async def undo(self, interaction: Interaction[Any], game_id: int) -> None:
        """Take a turn back or propose it; confirm first if it would then gain nothing."""
        self._core.answering.require_in_time(interaction)
        user_id = interaction.user.id
        session = await self._core.sessions.games.require_running(channel_of(interaction), game_id)
        remaining_after(session, user_id)
        if other_of(session, user_id) is None and can_raise(session):
            say = say_for(interaction.locale.value)
            await answer_privately(
                interaction, say("undo.unrated"), question_view(TAKEBACK, game_id, say)
            )
            return
        await self._ask(self._undos, interaction)

    async def undo_confirmed(self, interaction: Interaction[Any], game_id: int) -> None:
        """Take a turn back after the confirmation, which the answer replaces."""
        self._core.answering.require_in_time(interaction)
        channel_id = channel_of(interaction)
        await self._core.sessions.games.require_running(channel_id, game_id)
        session, asked = await self._undos.ask(channel_id, interaction.user.id)
        assert asked is None, "nobody else has to agree"
        await confirm(replace(interaction, _done(interaction, session)))
        await self._core.runner.present(session, interaction)

    async def swap(self, interaction: Interaction[Any], game_id: int) -> None:
        """Swap sides instead of moving."""
        self._core.answering.require_in_time(interaction)
        session = await self._swaps.swap(channel_of(interaction), interaction.user.id, game_id)
        await confirm(acknowledge(interaction))
        await self._core.boards.note_click(interaction, session)
        await self._core.runner.present(session, interaction)

    async def answer(
        self, rules: Proposals, answer: Answer, interaction: Interaction[Any], proposal_id: int
    ) -> None:
        """Accept or decline a proposal, and replace the question with the answer."""
        self._core.answering.require_in_time(interaction)
        try:
            session = await answer(proposal_id, interaction.user.id)
            asked = await rules.stored.find(proposal_id)
            assert asked is not None, "it was answered just now"
            text = await self._text(rules, asked, session)
            await confirm(replace(interaction, text))
            if asked.answer == "accepted":
                await self._core.runner.present(session, interaction)
            elif rules.is_brief and asked.message_id is not None:
                await self._core.runner.show_until_move(session, asked.message_id)
        finally:
            # A question that was answered too late is closed at once as well.
            if rules.replaces:
                await self.lapse(rules)

    def _undo_command(self, game: GamePackage) -> Iterable[GameCommand]:
        @command("undo")
        async def undo(interaction: Interaction[Any]) -> None:
            await self._ask(self._undos, interaction, family=game.key)

        return (undo,)

    def _draw_command(self, game: GamePackage) -> Iterable[GameCommand]:
        @command("draw")
        async def draw(interaction: Interaction[Any]) -> None:
            await self._ask(self._draws, interaction, family=game.key)

        return (draw,)

    async def _ask(
        self,
        rules: Proposals,
        interaction: Interaction[Any],
        game_id: int | None = None,
        *,
        family: str | None = None,
    ) -> None:
        """Carry out a person's request, or ask the other person."""
        self._core.answering.require_in_time(interaction)
        if game_id is not None:
            await self._core.sessions.games.require_running(channel_of(interaction), game_id)
        session, asked = await rules.ask(channel_of(interaction), interaction.user.id, family)
        if asked is not None and asked.answer is None:
            other = other_of(session, asked.request.asker)
            assert other is not None
            text = await self._text(rules, asked, session)
            view = QUESTIONS[rules.kind].view(asked.id, say_for(session.locale))
            message_id = await send_question(interaction, text, view, to=other)
            await rules.stored.set_message(asked.id, message_id)
            if rules.replaces:
                await self.lapse(rules)
            return
        if asked is None:
            await confirm(answer_privately(interaction, _done(interaction, session)))
        else:
            # The other person had proposed the same, so that proposal has been accepted.
            text = await self._text(rules, asked, session)
            await confirm(answer_privately(interaction, text))
            await self._close(rules, asked, session)
        await self._core.runner.present(session, interaction)

    async def lapse(self, *of: Proposals) -> None:
        """Close the questions of some kinds, or of all, that can no longer be answered."""
        for rules in of or (self._undos, self._draws):
            for asked in await rules.lapse():
                with isolated(f"lapsed {rules.kind} to show", asked.id):
                    game_id, message_id = asked.request.game_id, asked.message_id
                    session = await self._core.sessions.games.find_readable(game_id)
                    if session is not None:
                        await self._close(rules, asked, session)
                    elif message_id is not None:
                        await self._core.notices.close_question(game_id, message_id)

    async def _close(self, rules: Proposals, asked: Proposal, session: Session) -> None:
        """Replace a question with its answer."""
        if asked.message_id is not None:
            text = await self._text(rules, asked, session)
            await close_question(self._core.client, session.channel_id, asked.message_id, text)

    async def _text(self, rules: Proposals, asked: Proposal, session: Session) -> str:
        """The text of a proposal: the question, or its answer."""
        say = say_for(session.locale)
        asker, other = asked.request.asker, other_of(session, asked.request.asker)
        assert other is not None
        names = await self._core.names.of((asker, other), say)
        answer = asked.answer or "open"
        text = say(
            f"undo.{answer}" if rules.kind == "undo" else f"draw.{answer}",
            asker=short_name(names[asker]),
            other=short_name(names[other]),
            mention=f"<@{other}>",
            moves=_moves_of(asked, session, say),
        )
        if rules.kind == "undo" and answer == "open" and spoiled_by(session) is None:
            return f"{text}\n{say('undo.rated')}"
        return text


def _moves_of(asked: Proposal, session: Session, say: Translator) -> str:
    """The turn that an undo request is about, in words; empty for other proposals."""
    remaining = asked.request.remaining
    if remaining is None or remaining >= len(session.moves):
        return ""
    player = session.moves[remaining].player
    made = (one.move for one in session.moves[remaining:] if one.player == player)
    return say.all_of([placed_words(session.game.key, move, say) for move in made])


def _done(interaction: Interaction[Any], session: Session) -> str:
    """The confirmation that a turn has been taken back."""
    say = say_for(interaction.locale.value)
    is_rated = had_help(session) and spoiled_by(session) is None
    return say("undo.done_rated" if is_rated else "undo.done")


def _undo_button(session: Session, say: Translator) -> Button | None:
    if not is_played_by_people(session):
        return None
    is_idle = not any(move.user_id for move in session.moves)
    return UNDO.button(session.id, label=say("button.undo"), disabled=is_idle)


async def pie_line(session: Session, names: Names, say: Translator) -> str | None:
    """The state of the pie rule; None where it no longer matters."""
    if session.swapped_at is not None:
        return say("pie.swapped")
    key = "choose" if session.may_swap else "on"
    if not session.setup.pie or session.is_over or (key == "on" and session.moves):
        return None
    return say(f"pie.{key}", name=short_name(seat_name(session, Player.SECOND, names, say)))


BOARD_BUTTONS = (
    game_button(10, SWAP, lambda session: session.may_swap, ButtonStyle.primary),
    BoardButton(30, _undo_button),
    game_button(40, DRAW, lambda session: is_played_by_people(session) and len(session.people) > 1),
)
