"""The private form with which people challenge each other: whom, which game, and how much time.

What has been chosen so far is in the custom ids of the form's menus and buttons, so a form works
for as long as Discord keeps it, also after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, cast

import discord
from discord import ButtonStyle, Interaction, SelectOption, app_commands

from bot.board.challenges import ChallengeHandler, bold_title, time_words
from bot.board.setups import (
    BALANCED,
    EMPTY,
    SWAP,
    control_from_text,
    game_from_text,
    openings_on,
    other_seat,
    setup_for,
)
from bot.board.starting import NewGameHandler
from bot.board.welcome import FRIEND
from bot.discord.answering import Answering
from bot.discord.commands import (
    GameCommand,
    GlobalCommand,
    command,
    game_option,
    level_choices,
    localized,
    option,
    suggest_variants_by_game,
)
from bot.discord.replies import acknowledge, answer_privately, confirm
from bot.discord.replies import replace as replace_message
from bot.discord.routes import FAMILY, NAME, SNOWFLAKE, CustomId, Route, chosen, lasting_view
from bot.game.refusal import Refusal
from bot.i18n import Translator, say_for
from bot.store.records import AUTO, GameSetup, SeatRecord, TimeControl, person
from engine.core.registry import default_game, games
from engine.strength.roster import LEVELS

USUAL = "usual"
"""In place of a time control: the one of games without a choice."""

TIMES = (USUAL, "5m", "30s")
"""The time controls of the form."""

FRIENDLY, SECOND = "f", "s"
"""The letters of a form for: it does not count, the challenged person begins."""

OPENING_LETTERS = {EMPTY: "e", BALANCED: "b", SWAP: "p"}
"""The letters of a form for how the game begins: on the empty board also without any of them, as
long as nothing has been chosen."""

MAX_RULES = 8
"""The most letters of a form."""

MAX_ID = 2**63
"""Databases store smaller ids than this."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """What has been chosen in a form."""

    opponent: int
    """The person to challenge; 0 for none yet."""
    family: str
    variant: str
    clock: str = USUAL
    """A time control in the players' notation, or USUAL."""
    rules: str = "-"
    """The letters of further rules; `-` for none."""

    @classmethod
    def new(cls, family: str | None = None, variant: str | None = None) -> Self:
        """A new form, for the default game in its usual size unless others are given."""
        package = games()[family or default_game().key]
        return cls(0, package.key, variant or package.usual)

    def has(self, rule: str) -> bool:
        """Whether a rule is chosen."""
        return rule in self.rules

    def with_rule(self, rule: str, is_on: bool) -> Invitation:
        """This with a rule turned on or off."""
        letters = set(self.rules) - {"-", rule} | ({rule} if is_on else set())
        return replace(self, rules="".join(sorted(letters)) or "-")

    def with_game(self, family: str) -> Invitation:
        """This with another game, in its usual size; without a change if there is no such game.

        Not every game has balanced openings, so a choice of these is dropped.
        """
        if family not in games() or family == self.family:
            return self
        other = replace(self, family=family, variant=games()[family].usual)
        return other.with_rule(OPENING_LETTERS[BALANCED], is_on=False)

    @property
    def opening(self) -> str | None:
        """How the game begins, one of OPENINGS; None if nothing has been chosen."""
        return next((one for one, letter in OPENING_LETTERS.items() if self.has(letter)), None)

    def with_opening(self, opening: str) -> Invitation:
        """This with another opening; without a change if the board does not have it."""
        if opening not in openings_on(self.family, self.variant):
            return self
        changed = self
        for one, letter in OPENING_LETTERS.items():
            changed = changed.with_rule(letter, is_on=one == opening)
        return changed

    @property
    def match(self) -> int:
        """How many games the match has: a digit among the letters; 0 for a single game."""
        return next((int(one) for one in self.rules if one.isdigit()), 0)

    def with_next_match(self, lengths: Sequence[int]) -> Invitation:
        """This with the next longer match of these; after the longest one a single game."""
        longer = next((one for one in sorted(lengths) if one > self.match), 0)
        single = self.with_rule(str(self.match), is_on=False)
        return single.with_rule(str(longer), is_on=True) if longer else single

    def with_clock(self, clock: str) -> Invitation:
        """This with another time control; refused if it is not one."""
        if clock != USUAL:
            control_from_text(clock)
        return replace(self, clock=clock)

    def setup(
        self, interaction: Interaction[Any], other: SeatRecord, lengths: Sequence[int]
    ) -> GameSetup:
        """The game of a form whose sender plays against `other`.

        Refused for a match that has none of these lengths, as when matches are no longer played.
        """
        if self.match not in (0, *lengths):
            raise Refusal("unknown_button")
        me = person(interaction.user.id)
        seats = (other, me) if self.has(SECOND) else (me, other)
        setup = setup_for(interaction, game_from_text(self.family, self.variant), *seats)
        clock = None if self.clock == USUAL else control_from_text(self.clock)
        return replace(
            setup,
            clock=clock,
            pie=self.opening == SWAP,
            balanced=self.opening == BALANCED,
            friendly=self.has(FRIENDLY),
            match=self.match,
        )

    @property
    def values(self) -> tuple[object, ...]:
        """The values in a custom id."""
        return self.opponent, self.family, self.variant, self.clock, self.rules


CHOSEN = (
    f"(?P<family>{FAMILY})",
    f"(?P<variant>{NAME})",
    f"(?P<clock>{USUAL}|[0-9]{{1,7}}[smhd])",
)
"""The patterns of the chosen game, its size and its time control in custom ids."""

_VALUES = (f"(?P<opponent>{SNOWFLAKE})", *CHOSEN, "(?P<rules>-|[2-9befps]{1,6})")

WHO, GAME_MENU, TIME, OPENING, SEND, SWITCH, MATCH = (
    CustomId(f"friend:{name}", *_VALUES, opponent=int)
    for name in ("who", "game", "time", "opening", "send", "rated", "match")
)
"""The ids of the form's controls; each contains all that has been chosen."""


FormButton = Callable[[Invitation, Translator], discord.ui.Button[discord.ui.View]]
"""Makes a button of a form, with what has been chosen in it."""


def form_text(form: Invitation, say: Translator, question: str = "friend.who") -> str:
    """The text above a form; `question` is the key of its first line."""
    title = bold_title(form.family, form.variant, say)
    is_usual = form.variant == games()[form.family].usual
    rules = [] if is_usual else [title]
    rules += [say("friend.friendly")] if form.has(FRIENDLY) else []
    asked = say(question, game=say(f"command.{form.family}.name"))
    return "\n".join((asked, " · ".join(rules))).strip()


def form_view(
    form: Invitation,
    default: TimeControl | None,
    say: Translator,
    more: Iterable[FormButton] = (),
) -> discord.ui.View:
    """The menus and buttons of a form.

    `default` is the time control of games without a choice, and `more` makes further buttons.
    """
    view = lasting_view()
    kind = discord.SelectDefaultValueType.user
    chosen_person = [discord.SelectDefaultValue(id=form.opponent, type=kind)]
    view.add_item(
        discord.ui.UserSelect(
            custom_id=WHO(*form.values),
            placeholder=say("friend.menu.who"),
            default_values=chosen_person if form.opponent else [],
        )
    )
    add_menus(view, form, form.values, (GAME_MENU, TIME, OPENING), default, say)
    primary = ButtonStyle.primary
    send = SEND.button(
        *form.values, label=say("button.friend.send"), style=primary, disabled=not form.opponent
    )
    view.add_item(send)
    view.add_item(SWITCH.button(*form.values, label=friendly_label(form, say)))
    for make in more:
        view.add_item(make(form, say))
    return view


def add_menus(
    view: discord.ui.View,
    form: Invitation,
    values: Iterable[object],
    ids: tuple[CustomId, CustomId, CustomId],
    default: TimeControl | None,
    say: Translator,
) -> None:
    """Add the menus of games, times and openings; `ids` with these `values` are theirs."""
    families = [
        SelectOption(label=say(f"game.{key}"), value=key, default=key == form.family)
        for key in games()
    ]
    view.add_item(ids[0].menu(*values, options=families, text=say("friend.menu.game")))
    times = [
        SelectOption(
            label=_time_words(clock, default, say), value=clock, default=clock == form.clock
        )
        for clock in dict.fromkeys((*TIMES, form.clock))
    ]
    view.add_item(ids[1].menu(*values, options=times, text=say("friend.menu.time")))
    openings = [
        SelectOption(label=say(f"opening.{one}"), value=one, default=one == form.opening)
        for one in openings_on(form.family, form.variant)
    ]
    view.add_item(ids[2].menu(*values, options=openings, text=say("friend.menu.opening")))


def friendly_label(form: Invitation, say: Translator) -> str:
    """The label of the button that changes whether the game counts for ratings."""
    is_on = form.has(FRIENDLY)
    return say("button.friend.friendly_on" if is_on else "button.friend.friendly")


def match_label(form: Invitation, say: Translator) -> str:
    """The label of the button that changes how many games are offered."""
    if not form.match:
        return say("button.friend.single")
    return say("button.friend.match", games=form.match)


def _match_button(form: Invitation, say: Translator) -> discord.ui.Button[discord.ui.View]:
    return MATCH.button(*form.values, label=match_label(form, say))


def _time_words(clock: str, default: TimeControl | None, say: Translator) -> str:
    control = default if clock == USUAL else control_from_text(clock)
    if control is None:
        return say("friend.no_hurry_at_all")
    time = time_words(control, say)
    return say("friend.no_hurry", time=time) if clock == USUAL else time


@dataclass(frozen=True, slots=True)
class ChallengeForms:
    """Shows forms, follows what people choose in them, and sends their challenges."""

    answering: Answering
    challenges: ChallengeHandler
    new_games: NewGameHandler
    default_clock: TimeControl | None
    """The time control of games without a choice."""
    buttons: Sequence[FormButton] = ()
    """Those that features add to forms."""

    @property
    def routes(self) -> tuple[Route, ...]:
        """The controls of forms, and the buttons that open them."""
        return (
            FRIEND.route(self.open),
            WHO.route(self.choose_person),
            GAME_MENU.route(self.choose_game),
            TIME.route(self.choose_time),
            OPENING.route(self.choose_opening),
            SWITCH.route(self.switch_friendly),
            MATCH.route(self.switch_match),
            SEND.route(self.send),
        )

    def menu(self) -> app_commands.ContextMenu:
        """The entry in people's context menus that opens the form for the default game."""
        family = default_game().key

        async def challenge(interaction: Interaction[Any], user: discord.User) -> None:
            async with self.answering(interaction, family):
                await self.open(interaction, user)

        name = localized(f"menu.challenge.{family}")
        return app_commands.ContextMenu(name=name, callback=challenge)

    @property
    def global_commands(self) -> tuple[GlobalCommand, ...]:
        """The command `play`."""
        return (GlobalCommand(10, self._play()),)

    def _play(self) -> GameCommand:
        @command("begin", "level", "opponent")
        @option("variant", "board")
        @game_option(games())
        @app_commands.choices(level=level_choices((AUTO, *LEVELS)))
        async def play(
            interaction: Interaction[Any],
            game: str | None = None,
            level: str | None = None,
            variant: str | None = None,
            opponent: discord.User | None = None,
        ) -> None:
            family = await self.new_games.chosen(interaction, game, variant=variant)
            variant = variant or family.usual
            if opponent is None:
                await self.new_games.begin(interaction, family.key, level or AUTO, variant)
                return
            other_seat(level, opponent.id)
            made = game_from_text(family.key, variant)
            await self.open(interaction, opponent, Invitation.new(made.key, made.variant))

        suggest_variants_by_game(play)
        return play

    async def open(
        self,
        interaction: Interaction[Any],
        opponent: discord.User | discord.Member | None = None,
        form: Invitation | None = None,
    ) -> None:
        """Answer with a form; `opponent` is a person who has been chosen already."""
        form = form or Invitation.new()
        if opponent is not None:
            if opponent.bot:
                raise Refusal("challenge_bot")
            if opponent.id == interaction.user.id:
                raise Refusal("challenge_self")
            self.new_games.names.note(opponent)
            form = replace(form, opponent=opponent.id)
        say = say_for(interaction.locale.value)
        view = form_view(form, self.default_clock, say, self._more)
        await answer_privately(interaction, form_text(form, say), view)

    async def choose_person(self, interaction: Interaction[Any], *values: Any) -> None:
        """Note the person to challenge; bots and oneself are not accepted."""
        form, question = Invitation(*values), "friend.who"
        data = cast("dict[str, Any]", interaction.data)
        people = (data.get("resolved") or {}).get("users") or {}
        found = people.get(chosen(interaction))
        opponent = 0 if found is None else int(found["id"])
        if found is not None and found.get("bot"):
            opponent, question = 0, "refusal.challenge_bot"
        elif opponent == interaction.user.id:
            opponent, question = 0, "refusal.challenge_self"
        await self._show(interaction, replace(form, opponent=opponent), question)

    async def choose_game(self, interaction: Interaction[Any], *values: Any) -> None:
        """Note the game, in its usual size."""
        await self._show(interaction, Invitation(*values).with_game(chosen(interaction)))

    async def choose_time(self, interaction: Interaction[Any], *values: Any) -> None:
        """Note the time for a move."""
        await self._show(interaction, Invitation(*values).with_clock(chosen(interaction)))

    async def choose_opening(self, interaction: Interaction[Any], *values: Any) -> None:
        """Note how the game begins."""
        await self._show(interaction, Invitation(*values).with_opening(chosen(interaction)))

    async def switch_friendly(self, interaction: Interaction[Any], *values: Any) -> None:
        """Change whether the game counts for ratings."""
        form = Invitation(*values)
        await self._show(interaction, form.with_rule(FRIENDLY, is_on=not form.has(FRIENDLY)))

    async def switch_match(self, interaction: Interaction[Any], *values: Any) -> None:
        """Change how many games are offered."""
        lengths = self.new_games.match_lengths
        await self._show(interaction, Invitation(*values).with_next_match(lengths))

    @property
    def _more(self) -> Sequence[FormButton]:
        """The buttons after those of every form."""
        return (_match_button, *self.buttons) if self.new_games.match_lengths else self.buttons

    async def send(self, interaction: Interaction[Any], *values: Any) -> None:
        """Send the challenge; the form becomes its confirmation, with a button to withdraw it."""
        self.answering.require_in_time(interaction)
        setup = self._setup(interaction, Invitation(*values))
        # The challenge is a message of its own.
        await acknowledge(interaction)
        challenge = await self.new_games.offer(interaction, setup)
        text, view = await self.challenges.sent(challenge, say_for(interaction.locale.value))
        await confirm(replace_message(interaction, text, view))

    async def _show(
        self, interaction: Interaction[Any], form: Invitation, question: str = "friend.who"
    ) -> None:
        say = say_for(interaction.locale.value)
        view = form_view(form, self.default_clock, say, self._more)
        await replace_message(interaction, form_text(form, say, question), view)

    def _setup(self, interaction: Interaction[Any], form: Invitation) -> GameSetup:
        """The game of a form; refused where no person is chosen."""
        if not 0 < form.opponent < MAX_ID:
            raise Refusal("unknown_button")
        return form.setup(interaction, person(form.opponent), self.new_games.match_lengths)
