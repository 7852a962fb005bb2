"""The form for a rematch with other settings, and sending its challenge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from discord import Interaction

from bot.board.challenge_form import USUAL
from bot.board.challenges import time_words
from bot.board.messages import Button, was_played
from bot.board.setups import opening_of, openings_of, rematch_of, with_opening
from bot.discord.forms import Entered, Field, Option, form, menu, radio
from bot.discord.locales import public_locale
from bot.discord.replies import answer_privately, channel_of, require_permissions, show_form
from bot.discord.routes import GAME, CustomId, Route, lasting_view
from bot.feature import Core
from bot.game.clocks import OFFERED, parse_control
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.store.records import GameSetup, TimeControl
from engine.core.registry import games

CHANGE, FORM = (CustomId(f"rematches:{name}", GAME, game=int) for name in ("change", "form"))
"""The ids of buttons that open a form, and of the form, for a rematch of a game."""

SAME = "same"
"""The value of the time that the game had."""

RATED, FRIENDLY = "rated", "friendly"
"""Whether the rematch counts."""

SINGLE = "0"
"""In place of the length of a match: a game of its own."""


def change_button(session: Session, say: Translator) -> Button | None:
    """The button under a finished game between people; None under others.

    A game that went on from a chosen position is repeated as it is.
    """
    is_between_people = len(session.people) == 2 and not session.is_channel_game
    if not was_played(session) or not is_between_people or session.setup.goes_on:
        return None
    return CHANGE.button(session.id, label=say("button.change_rematch"))


@dataclass(frozen=True, slots=True)
class RematchForms:
    """Opens forms and sends the challenges of those that are submitted."""

    core: Core

    @property
    def routes(self) -> tuple[Route, ...]:
        """The button and its form."""
        return CHANGE.route(self.open), FORM.form_route(self.send)

    async def open(self, interaction: Interaction[Any], game_id: int) -> None:
        """Open the form for a rematch of a game; refused to people who did not play it."""
        say = say_for(interaction.locale.value)
        setup = await self._setup(interaction, game_id)
        shown = form(FORM(game_id), say("rematch.title"), self._fields(setup, say))
        if not await show_form(interaction, shown):
            # A form has to be the first answer: the next press is likely to be in time.
            view = lasting_view()
            view.add_item(CHANGE.button(game_id, label=say("button.change_rematch")))
            await answer_privately(interaction, say("rematch.late"), view)

    async def send(self, interaction: Interaction[Any], game_id: int) -> None:
        """Offer the rematch as it was entered to the other player."""
        self.core.answering.require_in_time(interaction)
        setup = self._entered(interaction, await self._setup(interaction, game_id))
        require_permissions(interaction, setup.family)
        posts = self.core.challenge_posts
        with self.core.limiter.counting("starts", interaction.user.id):
            challenge = await posts.offer(interaction, setup, game_id)
        await posts.confirm_sent(interaction, challenge)
        await self.core.boards.follow(await self.core.sessions.games.require(game_id))

    async def _setup(self, interaction: Interaction[Any], game_id: int) -> GameSetup:
        """The rematch of a game with its seats exchanged and nothing else changed."""
        old = await self.core.sessions.games.require(game_id)
        here, locale = channel_of(interaction), public_locale(interaction)
        return rematch_of(old, here, interaction.user.id, locale)

    def _fields(self, setup: GameSetup, say: Translator) -> list[Field]:
        """The fields of a form, filled in with the settings of the game that is over."""
        package = games()[setup.family]
        sizes = [(one, say.variant(package.key, one)) for one in _sizes(setup)]
        clock = SAME if setup.clock is not None else USUAL
        times = [(one, _words(self._clocks(setup)[one], say)) for one in self._clocks(setup)]
        openings = [(one, say(f"opening.{one}")) for one in openings_of(package)]
        counts: list[Option] = [
            (RATED, say("rematch.rated")),
            (FRIENDLY, say("rematch.friendly")),
        ]
        fields = [menu("size", say("rematch.size"), sizes, setup.variant)] if len(sizes) > 1 else []
        return [
            *fields,
            menu("time", say("rematch.time"), times, clock),
            radio("opening", say("rematch.opening"), openings, opening_of(setup)),
            radio("counts", say("rematch.counts"), counts, FRIENDLY if setup.friendly else RATED),
            *self._match_field(setup, say),
        ]

    def _match_field(self, setup: GameSetup, say: Translator) -> list[Field]:
        """The field with the number of games, where there are matches."""
        lengths = self.core.contributions.match_lengths
        several = [(str(one), say("rematch.match", games=one)) for one in lengths]
        options = [(SINGLE, say("rematch.single")), *several]
        chosen = str(setup.match) if setup.match in lengths else SINGLE
        return [radio("match", say("rematch.games"), options, chosen)] if lengths else []

    def _clocks(self, setup: GameSetup) -> dict[str, TimeControl | None]:
        """The times that can be chosen, by their values: the game's, the usual one, and others."""
        found: dict[str, TimeControl | None] = {}
        default = self.core.sessions.default_clock
        offered = {one: parse_control(one) for one in OFFERED}
        for name, control in {SAME: setup.clock, USUAL: default, **offered}.items():
            if control not in found.values() and (name != SAME or control is not None):
                found[name] = control
        return found

    def _entered(self, interaction: Interaction[Any], setup: GameSetup) -> GameSetup:
        """A rematch with what was entered; a field without a value keeps the game's setting."""
        entered, clocks = Entered(interaction), self._clocks(setup)
        time = entered.one("time", clocks)
        counts = entered.one("counts", (RATED, FRIENDLY))
        lengths = map(str, self.core.contributions.match_lengths)
        match = entered.one("match", (SINGLE, *lengths))
        changed = replace(
            setup,
            variant=entered.one("size", _sizes(setup)) or setup.variant,
            clock=setup.clock if time is None else clocks[time],
            friendly=setup.friendly if counts is None else counts == FRIENDLY,
            match=setup.match if match is None else int(match),
        )
        opening = entered.one("opening", openings_of(games()[setup.family]))
        return with_opening(changed, opening or opening_of(setup))


def _sizes(setup: GameSetup) -> tuple[str, ...]:
    """The sizes that can be chosen: the game's own and those that are suggested."""
    return tuple(dict.fromkeys((setup.variant, *games()[setup.family].suggested_variants)))


def _words(control: TimeControl | None, say: Translator) -> str:
    return say("friend.no_hurry_at_all") if control is None else time_words(control, say)
