"""The other side, and squares, as the sentences of hints name them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.show.moves import sentence
from bot.show.scenes import Names, seat_name
from bot.show.texts import PERFECT
from engine.core.game import Square
from engine.core.registry import package_of


def of_opponent(
    key: str, session: Session, names: Names, say: Translator, **details: object
) -> str:
    """A sentence about the other side: as Cuatro says it of itself, or about a person."""
    seat = session.seat(session.position.to_move.other)
    if seat.agent is not None:
        # There is no hope that it makes a mistake.
        never_slips = seat.agent == PERFECT and package_of(session.game).is_all_proven(session.game)
        own = f"{key}.perfect" if never_slips else f"{key}.me"
        key = own if own in say.texts else f"{key}.me" if f"{key}.me" in say.texts else key
    return sentence(say(key, name=_opponent(session, names, say), **details))


def how_called(session: Session, names: Names, say: Translator) -> tuple[str, str]:
    """How `bot.show.reasons` calls the other side, and its name."""
    is_me = session.seat(session.position.to_move.other).agent is not None
    return "me" if is_me else "other", _opponent(session, names, say)


def _opponent(session: Session, names: Names, say: Translator) -> str:
    """The name of the other side in a sentence."""
    if len(session.people) == 1 and session.seats[0] == session.seats[1]:
        return say("hint.other_side")
    return f"**{escaped(seat_name(session, session.position.to_move.other, names, say))}**"


def squares_named(session: Session, squares: Sequence[Square], say: Translator) -> str:
    """Squares as a sentence names them, with their rows counted from the bottom."""
    game, rows = session.game, len(session.position.cells())
    if game.row_names:
        labels = [game.column_names[one.column] + game.row_names[one.row] for one in squares]
        return say.all_of(labels)
    return say.all_of(
        [
            say("hint.square", column=game.column_names[square.column], row=rows - square.row)
            for square in squares
        ]
    )
