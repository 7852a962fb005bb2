"""Open challenges on Discord: the private form, the post with its button, and its three ends."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.challenge_form import (
    CHOSEN,
    FRIENDLY,
    MAX_RULES,
    USUAL,
    Invitation,
    add_menus,
    form_text,
    friendly_label,
    match_label,
)
from bot.board.challenges import WaitingLine, opening_words, terms
from bot.board.messages import BoardButton, Button, was_played
from bot.board.setups import BALANCED, opening_of
from bot.database.errors import isolated
from bot.discord.background import Task, time_limit
from bot.discord.names import jump_url
from bot.discord.replies import (
    NO_PINGS,
    UNREACHABLE,
    acknowledge,
    answer_privately,
    confirm,
    post,
    replace,
    require_permissions,
)
from bot.discord.routes import ROW, CustomId, Route, chosen, lasting_view
from bot.feature import Core, Search
from bot.features.open_challenges.rules import USUAL_RANGE, OpenChallenges, place_of
from bot.features.open_challenges.store import EXPIRED, NewOpenChallenge, OpenChallenge
from bot.game.clocks import OFFERED, parse_control
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.show.board_text import short_name
from bot.store.records import GameSetup, TimeControl, free

logger = logging.getLogger(__name__)

SEARCH = "open"
"""The kind of its searches for a game."""

EVERY = 15.0
"""Seconds between two checks for challenges whose messages have to show their end."""

GIVE_UP = 600.0
"""Seconds after the end of a challenge for which its message is tried."""

RANGE = "r"
"""The letter of a form for: only people with a similar rating."""

OPEN, TURN, GAME_MENU, TIME, OPENING, SWITCH, MATCH, RATINGS, SEND = (
    CustomId(f"open:{name}", *CHOSEN, f"(?P<rules>-|[2-9a-z]{{1,{MAX_RULES}}})")
    for name in ("form", "turn", "game", "time", "opening", "rated", "match", "range", "send")
)
"""The ids of buttons that open a form, and those of its controls; each contains all that has been
chosen. `TURN` opens it in place of a form for challenging one person."""

JOIN, WITHDRAW = (
    CustomId(f"open:{name}", rf"(?P<challenge>{ROW})", challenge=int)
    for name in ("join", "withdraw")
)
"""The ids of buttons that join and withdraw a challenge."""

ANYONE = "button.anyone"
"""The key of the label of buttons that open a form."""

OFFERED_AFTER = {
    f"refusal.open_{reason}" for reason in ("taken", "over", "rating", "unrated", "barred")
}
"""The refusals that offer to post a challenge of one's own."""


def values_of(form: Invitation) -> tuple[object, ...]:
    """The values of a form in custom ids; it names no opponent."""
    return form.values[1:]


def proposing(form: Invitation) -> Invitation:
    """A form with a balanced opening, if the game counts and nothing else has been chosen."""
    is_open = form.opening is None and not form.has(FRIENDLY)
    return form.with_opening(BALANCED) if is_open else form


def anyone_button(say: Translator, form: Invitation | None = None) -> Button:
    """The button that opens a form, for the default game unless another is given."""
    form = proposing(form or Invitation.new())
    return OPEN.button(*values_of(form), label=say(ANYONE))


def button_in_form(form: Invitation, say: Translator) -> Button:
    """The button of a form for challenging one person, which keeps what has been chosen."""
    return TURN.button(*values_of(proposing(form)), label=say(ANYONE))


def button_in_help(_family: str, say: Translator) -> Button:
    """The button under help."""
    return anyone_button(say)


def end_button(default: TimeControl | None) -> BoardButton:
    """The button under a finished game between people, for the same game against anyone.

    `default` is the time control of games without a choice.
    """

    def make(session: Session, say: Translator) -> Button | None:
        if not was_played(session) or len(session.people) < 2 or session.is_channel_game:
            return None
        return anyone_button(say, form_of(session.setup, default))

    return BoardButton(90, make, row=1, begins_game=True)


def form_of(setup: GameSetup, default: TimeControl | None) -> Invitation:
    """The form with which a game can be offered again."""
    clocks = (one for one in OFFERED if parse_control(one) == setup.clock)
    clock = USUAL if setup.clock == default else next(clocks, USUAL)
    form = Invitation(0, setup.family, setup.variant, clock).with_opening(opening_of(setup))
    form = form.with_rule(str(setup.match), is_on=setup.match > 0)
    return form.with_rule(FRIENDLY, is_on=setup.friendly)


def view_of_form(
    form: Invitation, default: TimeControl | None, say: Translator, *, has_matches: bool
) -> discord.ui.View:
    """The menus and buttons of a form; `default` is the time control of games without a choice.

    `has_matches` says whether several games can be offered.
    """
    view, values = lasting_view(), values_of(form)
    add_menus(view, form, values, (GAME_MENU, TIME, OPENING), default, say)
    primary = ButtonStyle.primary
    view.add_item(SEND.button(*values, label=say("button.anyone.send"), style=primary))
    view.add_item(SWITCH.button(*values, label=friendly_label(form, say)))
    key = "button.anyone.range_on" if form.has(RANGE) else "button.anyone.range"
    view.add_item(RATINGS.button(*values, label=say(key)))
    if has_matches:
        view.add_item(MATCH.button(*values, label=match_label(form, say)))
    return view


def withdraw_view(challenge_id: int, say: Translator) -> discord.ui.View:
    """The button with which the author withdraws a challenge."""
    view = lasting_view()
    view.add_item(WITHDRAW.button(challenge_id, label=say("button.challenge.withdraw")))
    return view


def text_of(offer: NewOpenChallenge, name: str, say: Translator) -> str:
    """The post: who wants to play what, who starts, and when the challenge ends."""
    game = terms(offer.setup, say)
    if offer.within is not None:
        game = f"{game} · {say('open.within', points=offer.within)}"
    key = "open.post" if offer.author_first else "open.post_second"
    text = say(key, name=name, terms=game, until=f"<t:{int(offer.expires_at)}:R>")
    second = name if not offer.author_first else say("open.whoever")
    return f"{text} {opening_words(offer.setup, second, say)}".rstrip()


def view_of_post(challenge_id: int, say: Translator) -> discord.ui.View:
    """The button under the post."""
    view = lasting_view()
    label, style = say("button.anyone.join"), ButtonStyle.primary
    view.add_item(JOIN.button(challenge_id, label=label, style=style))
    return view


@dataclass(frozen=True, slots=True)
class OpenChallengeHandler:
    """Shows forms, posts challenges, begins the games of those that are joined, closes others."""

    core: Core
    challenges: OpenChallenges

    @property
    def routes(self) -> tuple[Route, ...]:
        """The handlers of all buttons and menus."""
        return (
            OPEN.route(self._open),
            TURN.route(self._turn),
            GAME_MENU.route(self._choose_game),
            TIME.route(self._choose_time),
            OPENING.route(self._choose_opening),
            SWITCH.route(self._switch_friendly),
            MATCH.route(self._switch_match),
            RATINGS.route(self._switch_range),
            SEND.route(self._send),
            JOIN.route(self._join, repeatable=False),
            WITHDRAW.route(self._withdraw),
        )

    @property
    def task(self) -> Task:
        """Closes the challenges that are over."""
        return Task("open challenges", EVERY, self._sweep)

    async def offer(
        self, interaction: Interaction[Any], setup: GameSetup, within: int | None
    ) -> None:
        """Post a challenge as the answer to a request, and tell its author how to withdraw it."""
        challenge = await self._post(interaction, setup, within)
        say = say_for(interaction.locale.value)
        view = withdraw_view(challenge.id, say)
        await confirm(answer_privately(interaction, say("open.sent"), view))
        await self._tell_others(challenge.id)

    async def withdraw_all(self, user_id: int) -> None:
        """Withdraw a person's open challenges."""
        for challenge in await self.challenges.open_of(user_id):
            with isolated("open challenge to withdraw", challenge.id):
                try:
                    withdrawn = await self.challenges.withdraw(challenge.id, user_id)
                except Refusal:
                    # It has ended in the meantime.
                    continue
                await self._close(withdrawn)

    async def waiting(self, user_id: int, say: Translator) -> WaitingLine | None:
        """A line about a person's open challenge, with the button to withdraw it."""
        for challenge in await self.challenges.open_of(user_id):
            if challenge.message_id is not None:
                until = f"<t:{int(challenge.offer.expires_at)}:R>"
                text = say("open.waiting", link=jump_url(place_of(challenge)), until=until)
                label = say("button.challenge.withdraw")
                return WaitingLine(text, WITHDRAW.button(challenge.id, label=label))
        return None

    async def _open(self, interaction: Interaction[Any], *values: str) -> None:
        form, say = Invitation(0, *values), say_for(interaction.locale.value)
        view = self._view(form, say)
        await answer_privately(interaction, _text(form, say), view)

    async def _turn(self, interaction: Interaction[Any], *values: str) -> None:
        await self._show(interaction, Invitation(0, *values))

    async def _choose_game(self, interaction: Interaction[Any], *values: str) -> None:
        form = Invitation(0, *values).with_game(chosen(interaction))
        await self._show(interaction, proposing(form))

    async def _choose_time(self, interaction: Interaction[Any], *values: str) -> None:
        await self._show(interaction, Invitation(0, *values).with_clock(chosen(interaction)))

    async def _choose_opening(self, interaction: Interaction[Any], *values: str) -> None:
        await self._show(interaction, Invitation(0, *values).with_opening(chosen(interaction)))

    async def _switch_friendly(self, interaction: Interaction[Any], *values: str) -> None:
        await self._switch(interaction, Invitation(0, *values), FRIENDLY)

    async def _switch_match(self, interaction: Interaction[Any], *values: str) -> None:
        lengths = self.core.contributions.match_lengths
        await self._show(interaction, Invitation(0, *values).with_next_match(lengths))

    async def _switch_range(self, interaction: Interaction[Any], *values: str) -> None:
        await self._switch(interaction, Invitation(0, *values), RANGE)

    async def _switch(self, interaction: Interaction[Any], form: Invitation, rule: str) -> None:
        await self._show(interaction, form.with_rule(rule, is_on=not form.has(rule)))

    async def _send(self, interaction: Interaction[Any], *values: str) -> None:
        """Post the challenge; the form becomes its confirmation, with a button to withdraw it."""
        self.core.answering.require_in_time(interaction)
        form = Invitation(0, *values)
        setup = form.setup(interaction, free(), self.core.contributions.match_lengths)
        await acknowledge(interaction)
        within = USUAL_RANGE if form.has(RANGE) else None
        challenge = await self._post(interaction, setup, within)
        say = say_for(interaction.locale.value)
        await confirm(replace(interaction, say("open.sent"), withdraw_view(challenge.id, say)))
        await self._tell_others(challenge.id)

    async def _join(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Begin the game of a challenge, in the challenge's own message or beside its channel."""
        self.core.answering.require_in_time(interaction)
        assert interaction.message is not None
        user_id, message_id = interaction.user.id, interaction.message.id
        with _offering_another():
            challenge = await self.challenges.require_open(challenge_id, user_id)
            if challenge.offer.author == user_id:
                say = say_for(interaction.locale.value)
                view = withdraw_view(challenge.id, say)
                await answer_privately(interaction, say("open.yours"), view)
                return
            require_permissions(interaction, challenge.offer.setup.family)
            start = partial(self.challenges.join, challenge, user_id, message_id)
            setup = challenge.offer.seated(user_id)
            await self.core.runner.begin_accepted(interaction, setup, start)

    async def _withdraw(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Withdraw one's own challenge, by the button under the private message about it."""
        self.core.answering.require_in_time(interaction)
        with _offering_another():
            withdrawn = await self.challenges.withdraw(challenge_id, interaction.user.id)
        say = say_for(interaction.locale.value)
        await confirm(replace(interaction, say("open.taken_back")))
        await self._close(withdrawn)

    async def _post(
        self, interaction: Interaction[Any], setup: GameSetup, within: int | None
    ) -> OpenChallenge:
        require_permissions(interaction, setup.family)
        with self.core.limiter.counting("starts", interaction.user.id):
            apart = self.core.runner.apart
            with apart.offered(interaction):
                is_possible = apart.is_possible(interaction)
                challenge = await self.challenges.offer(setup, within, apart=is_possible)
        say = say_for(setup.locale)
        try:
            text = text_of(challenge.offer, await self._author(challenge, say), say)
            view = view_of_post(challenge.id, say)
            posted = await post(interaction, text, view=view, allowed_mentions=NO_PINGS)
        except BaseException:
            # Without its message it could not be joined, and it would block its author.
            await self.challenges.remove(challenge.id)
            raise
        await self.challenges.posted(challenge.id, posted.id)
        return challenge

    async def _tell_others(self, id: int) -> None:
        """Notify features of a challenge that has just been posted, if it is still open."""
        challenge = await self.challenges.find(id)
        if challenge is not None and challenge.answer is None:
            setup = challenge.offer.setup
            search = Search(
                kind=SEARCH,
                id=id,
                user_id=challenge.offer.author,
                place=place_of(challenge),
                locale=setup.locale,
                family=setup.family,
                variant=setup.variant,
                may_join=partial(self.challenges.is_in_range, challenge),
            )
            await self.core.contributions.game_sought(search)

    async def _show(self, interaction: Interaction[Any], form: Invitation) -> None:
        say = say_for(interaction.locale.value)
        view = self._view(form, say)
        await replace(interaction, _text(form, say), view)

    async def _sweep(self) -> None:
        """Show the ends of the challenges that are over."""
        if not self.core.client.is_ready():
            return
        for challenge in await self.challenges.due():
            with isolated("open challenge to close", challenge.id):
                await self._close(challenge)

    async def _close(self, challenge: OpenChallenge) -> None:
        """Show the end of a challenge in its message; a failure is repeated for a while."""
        setup, say = challenge.offer.setup, say_for(challenge.offer.setup.locale)
        text, view = say("open.expired"), None
        if challenge.answer != EXPIRED:
            text = say("open.withdrawn", name=await self._author(challenge, say))
        else:
            view = lasting_view()
            view.add_item(anyone_button(say, form_of(setup, self._default_clock)))
        if challenge.message_id is not None:
            channel = self.core.client.get_partial_messageable(setup.channel_id)
            message = channel.get_partial_message(challenge.message_id)
            try:
                async with time_limit(self.core.client):
                    await message.edit(content=text, view=view, allowed_mentions=NO_PINGS)
            except (discord.NotFound, discord.Forbidden) as error:
                logger.info("open challenge %s stays as it is: %s", challenge.id, error)
            except UNREACHABLE as error:
                logger.info("open challenge %s is closed later: %r", challenge.id, error)
                if self.challenges.now < challenge.offer.expires_at + GIVE_UP:
                    return
        await self.challenges.closed(challenge.id)

    async def _author(self, challenge: OpenChallenge, say: Translator) -> str:
        author = challenge.offer.author
        return short_name((await self.core.names.of((author,), say))[author])

    def _view(self, form: Invitation, say: Translator) -> discord.ui.View:
        has_matches = bool(self.core.contributions.match_lengths)
        return view_of_form(form, self._default_clock, say, has_matches=has_matches)

    @property
    def _default_clock(self) -> TimeControl | None:
        return self.core.sessions.default_clock


def _text(form: Invitation, say: Translator) -> str:
    """The text above a form: a question, and the rules that are not the usual ones."""
    question, *rules = form_text(form, say, "open.what").splitlines()
    rules += [say("open.range", points=USUAL_RANGE)] if form.has(RANGE) else []
    return f"{question}\n{' · '.join(rules)}".strip()


@contextmanager
def _offering_another() -> Iterator[None]:
    """Let refusals of the block offer the form for a challenge of one's own."""
    try:
        yield
    except Refusal as refusal:
        if refusal.key in OFFERED_AFTER:
            family = refusal.details.get("game")
            form = proposing(Invitation.new(None if family is None else str(family)))
            refusal.details["offers"] = ((OPEN(*values_of(form)), ANYONE),)
        raise
