"""Games and hints for tests of their texts."""

from __future__ import annotations

from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.view import hint_text
from bot.game.session import Session
from bot.i18n import say_in
from engine.core.analysis import SearchResult
from engine.core.game import Move, Player
from engine.core.registry import game_called
from engine.core.values import Score
from tests.bot import builders
from tests.bot.builders import NAMES


def session_of(kind: str, moves: str) -> Session:
    """A game that Ana begins against an agent after these moves."""
    game = game_called(kind)
    return builders.session_of(game, [game.label(move) for move in game.moves(moves)])


def hint_of(
    session: Session, move: int, level: HintLevel, *exact: tuple[int, int], score: int = 0
) -> Hint:
    """A hint of this level; with values it is proven."""
    exact_values = tuple((Move(each), value) for each, value in exact)
    result = SearchResult(
        Move(move),
        Score.from_stored(score, Player.FIRST, proven=bool(exact)),
        9,
        1,
        0.1,
        (Move(move),),
        proven=bool(exact),
        exact=exact_values,
    )
    return Hint(session, result, level)


def lines(hint: Hint, language: str = "en", *, with_details: bool = False) -> list[str]:
    """The lines of a hint's text."""
    return hint_text(hint, NAMES, say_in(language), with_details=with_details).split("\n")
