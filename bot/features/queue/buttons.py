"""The buttons that ask for an opponent, what a person reads who waits, and the question."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import ButtonStyle, SelectOption

from bot.board.challenge_form import CHOSEN, Invitation
from bot.board.challenges import WaitingLine, bold_title, time_words
from bot.board.messages import BoardButton, Button, was_played
from bot.board.welcome import play_button
from bot.discord.routes import ROW, CustomId, lasting_view
from bot.features.queue.store import QueuePlace
from bot.game.clocks import OFFERED, parse_control
from bot.game.session import Session
from bot.i18n import Translator
from engine.core.registry import games

ANY = "any"
"""The choice of a menu for: any size, or any time for a move."""

FIND = CustomId("queue:find", *CHOSEN)
"""The ids of buttons that ask for an opponent; each contains the wanted game."""

FIND_LABEL = "button.find"

GAME_MENU, SIZE, TIME, LEAVE = (
    CustomId(f"queue:{name}", rf"(?P<place>{ROW})", place=int)
    for name in ("game", "size", "time", "leave")
)
"""The ids of the controls under the private message of a person who waits."""

YES, NO = (
    CustomId(f"queue:{name}", rf"(?P<one>{ROW})", rf"(?P<other>{ROW})", one=int, other=int)
    for name in ("yes", "no")
)
"""The ids of buttons of the question whether to begin."""


def find_button(say: Translator, form: Invitation | None = None) -> Button:
    """The button that asks for an opponent, for the default game unless another is given."""
    return FIND.button(*wanted_by(form or Invitation.new()), label=say(FIND_LABEL))


def wanted_by(form: Invitation) -> tuple[str, str, str]:
    """What is chosen in a form, as the ids of buttons contain it."""
    return form.family, form.variant, form.clock


def button_in_form(form: Invitation, say: Translator) -> Button:
    """The button of a form, for the game that has been chosen there."""
    return find_button(say, form)


def button_in_help(_family: str, say: Translator) -> Button:
    """The button under help."""
    return find_button(say)


def button_at_end(session: Session, say: Translator) -> Button | None:
    """The button under a finished game between people, for the same game."""
    if not was_played(session) or len(session.people) < 2 or session.is_channel_game:
        return None
    return find_button(say, Invitation.new(session.setup.family, session.setup.variant))


END_BUTTON = BoardButton(95, button_at_end, row=1, begins_game=True)


def waiting_view(place: QueuePlace, say: Translator) -> discord.ui.View:
    """What a person who waits can change, and the buttons to leave and to play meanwhile."""
    view = lasting_view()
    families = [
        SelectOption(label=say(f"game.{key}"), value=key, default=key == place.family)
        for key in games()
    ]
    view.add_item(GAME_MENU.menu(place.id, options=families, text=say("friend.menu.game")))
    package = games()[place.family]
    sizes = dict.fromkeys((package.usual, *package.suggested_variants, place.variant or ANY, ANY))
    if len(sizes) > 2:
        labels = [
            (one, say("queue.any_size") if one == ANY else say.variant(place.family, one))
            for one in sizes
        ]
        options = _options(labels, place.variant)
        view.add_item(SIZE.menu(place.id, options=options, text=say("queue.menu.size")))
    clocks = [(ANY, say("queue.any_time"))]
    named = dict.fromkeys((*OFFERED, *((place.clock,) if place.clock else ())))
    clocks += [(one, time_words(parse_control(one), say)) for one in named]
    options = _options(clocks, place.clock)
    view.add_item(TIME.menu(place.id, options=options, text=say("friend.menu.time")))
    view.add_item(LEAVE.button(place.id, label=say("button.find.leave")))
    view.add_item(play_button(place.family, say, ButtonStyle.secondary))
    return view


def _options(labels: Sequence[tuple[str, str]], chosen: str | None) -> list[SelectOption]:
    wanted = chosen or ANY
    return [SelectOption(label=text, value=one, default=one == wanted) for one, text in labels]


def waiting_line(place: QueuePlace, say: Translator) -> WaitingLine:
    """What a person who waits reads among their running games."""
    game = bold_title(place.family, place.variant or games()[place.family].usual, say)
    text = say("queue.listed", game=game, until=f"<t:{int(place.expires_at)}:R>")
    return WaitingLine(text, LEAVE.button(place.id, label=say("button.find.leave")))


def waiting_text(place: QueuePlace, say: Translator) -> str:
    """What a person who waits reads."""
    until = f"<t:{int(place.expires_at)}:R>"
    game = bold_title(place.family, place.variant or games()[place.family].usual, say)
    return say("queue.waiting", game=game, until=until)


def question_view(one: QueuePlace, other: QueuePlace, say: Translator) -> discord.ui.View:
    """The buttons with which two people answer whether to begin."""
    view = lasting_view()
    label, style = say("button.find.yes"), ButtonStyle.primary
    view.add_item(YES.button(one.id, other.id, label=label, style=style))
    view.add_item(NO.button(one.id, other.id, label=say("button.find.no")))
    return view
