"""Reasons for and against moves in sentences, addressed to the player who made them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.i18n import Translator
from bot.show.moves import moves_named, sentence, turn_named
from engine.core.game import Move, Position, Square
from engine.core.reason import OF_TURNS, Reason, ReasonKind
from engine.study.reasons import named_move

NUMBERS = {2: "two", 3: "three"}
"""The numbers of threats that have a text; more are called several."""
ALTERNATIVES = (ReasonKind.MISSED_FOUR,)
"""The reasons that name all of their moves, with "or" between them."""
ALL_NAMED = (ReasonKind.PAIR,)
"""The same with "and"."""
ABOUT_OWN = (
    *(ReasonKind.STEPPED_BELOW, ReasonKind.FILLED_BELOW),
    *(ReasonKind.MISSED_TURN, ReasonKind.BOMB_COMPLETED),
)
"""The reasons that speak of the player and their own discs; about another player's move they
differ."""


def reason_words(
    reason: Reason,
    position: Position,
    say: Translator,
    rival: str = "rival",
    name: str = "",
    *,
    values: Mapping[Move, int] | None = None,
    is_own: bool = True,
) -> str:
    """Return one sentence about a move that was made in a position.

    `rival` is how texts call the other side: `me` for Cuatro, `rival` for a nameless opponent,
    `other` for a player with a `name`, or `you` for the reader. `is_own` tells whether the reader
    made the move. Of several moves the best by proven `values` is named.
    """
    kind, game = reason.kind, position.game
    details = {"name": name}
    if reason.square is not None:
        details |= _place(reason.square, position)
    elif kind in OF_TURNS:
        details["places"] = turn_named(game, reason.moves, say)
    elif reason.moves:
        is_list = kind in (*ALTERNATIVES, *ALL_NAMED)
        moves = reason.moves if is_list else (named_move(position, reason.moves, values),)
        details["places"] = moves_named(game, moves, say, among=kind in ALTERNATIVES)
    key = f"reason.{kind}"
    if kind in (ReasonKind.PAIR, ReasonKind.MISSED_PAIR):
        key = f"{key}.{NUMBERS.get(reason.threats, 'several')}"
    elif not is_own and kind in ABOUT_OWN:
        key = f"{key}.that"
        key = key if key in say.texts else f"{key}.{rival}"
    elif key not in say.texts:
        key = f"{key}.{rival}"
    said = sentence(say(key, **details))
    if kind is ReasonKind.WAITING and reason.is_suited:
        parity = "odd" if int(details["row"]) % 2 else "even"
        said = f"{said} {say(f'reason.row.{parity}')}"
    return said


def _place(square: Square, position: Position) -> dict[str, str]:
    """The column and the row of a square, as players count them."""
    column = position.game.column_names[square.column]
    return {"column": column, "row": str(len(position.cells()) - square.row)}
