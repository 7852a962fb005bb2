"""Moves in sentences and on buttons, and how many of them are left."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Translator
from engine.core.game import Game, Move
from engine.core.registry import package_of
from engine.core.values import moves_to_end, plies_to_end

MAX_NAMED = 4
"""The most moves to an end that a text for players names: people hardly count further."""


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def button_words(game: Game, move: Move, say: Translator) -> str:
    """A move on a button that plays it: `column 4`, or as the board's button says it."""
    label = say.move(game.key, game.label(move))
    if game.row_names or label != game.label(move):
        return label
    return say("place.column", column=label)


def caption(game: Game, move: Move, say: Translator) -> str:
    """The words of `button_words` at the beginning of a line: `Column 4`."""
    words = button_words(game, move, say)
    # A square's name such as `b3` is never capitalized.
    return sentence(words) if " " in words else words


def label_words(game: Game, move: Move, say: Translator) -> str:
    """A move in a sentence that has said what kind of thing it is: `3`, in Spanish `la 3`."""
    return say("place.label", move=say.move(game.key, game.label(move)))


def moves_named(game: Game, moves: Sequence[Move], say: Translator, *, among: bool = False) -> str:
    """Moves as a sentence names them: `columns 2 and 4`, or as their buttons do.

    With `among`, they are alternatives: `column 2 or 4`.
    """
    named = [(game.label(move), say.move(game.key, game.label(move))) for move in moves]
    if game.row_names:
        return _things("squares", list(dict.fromkeys(label for label, _ in named)), among, say)
    columns = [label for label, button in named if label == button]
    others = [button for label, button in named if label != button]
    if len(columns) > len(set(columns)):
        others.insert(0, say("place.twice", column=columns[0]))
    elif columns:
        others.insert(0, _things("columns", columns, among, say))
    return say.any_of(others) if among else say.all_of(others)


def turn_named(game: Game, moves: Sequence[Move], say: Translator) -> str:
    """The moves of a turn in their order: `column 4, then 6`."""
    first, *rest = moves
    named = moves_named(game, [first], say)
    if not rest:
        return named
    labels = [game.label(move) for move in moves]
    if labels[0] == labels[1]:
        return say("place.twice", column=labels[0])
    are_columns = all(say.move(game.key, label) == label for label in labels)
    second = label_words(game, rest[0], say) if are_columns else moves_named(game, rest, say)
    return say("place.then", first=named, second=second)


def distance(game: Game, score: int, ply: int) -> int:
    """How far a decided end is from the position after `ply` moves.

    In moves of the winner; in games where stones do not stay, in movements of both players.
    """
    if package_of(game).stones_stay:
        return moves_to_end(score, ply)
    return plies_to_end(score, ply)


def _things(kind: str, labels: list[str], among: bool, say: Translator) -> str:
    """Columns or squares with the word for them."""
    is_single = among or len(labels) == 1
    joined = say.any_of(labels) if among else say.all_of(labels)
    return say(f"place.{kind}.{'one' if is_single else 'other'}", **{kind: joined})
