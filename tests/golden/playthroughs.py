"""Golden playthroughs: whole games as text, with everything that players read about them.

Each game has a file. After every move it has the board and its code, the remarks, the alternative
text, the threats, the values of the moves, the hints and the analysis, with the texts in English
and Spanish. So a change of rules or texts is readable in a review.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from bot.features.analysis.rules import Trail
from bot.features.analysis.view import analysis_text
from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.view import hint_text
from bot.game.session import Session
from bot.i18n import Translator, say_in
from bot.show.plates import remark
from bot.show.scenes import alt_phrases, board_scene, status
from engine.core.game import Game, Move, Position
from engine.core.position_code import code_of
from engine.core.registry import games, package_of
from engine.core.values import is_decided
from engine.study.analysis import PositionAnalysis, analyse_position
from renderers import board_alt_text
from tests.bot.builders import NAMES, session_of

LANGUAGES = ("en", "es")
SECONDS = 0.02
"""Seconds of one core for each position, counted in nodes."""
LINE_WIDTH = 100


def lines(key: str) -> Iterator[str]:
    """Yield the file of a game: two playthroughs, the second on its second variant if it has one.

    The players of the first one defend themselves, those of the second one do not.
    """
    package = games()[key]
    for number, variant in enumerate((package.usual, (*package.variants, package.usual)[1]), 1):
        game = package.from_variant(variant)
        rng = Random(f"playthrough {number} {key} {variant}")
        moves = _game(game, rng, defending=number == 1)
        labels = [game.label(move) for move in moves]
        yield f"######## {key} {variant}: {' '.join(labels)}"
        for ply in range(len(labels) + 1):
            session = session_of(game, labels[:ply])
            yield ""
            yield f"==== after {ply}: {labels[ply - 1] if ply else 'start'}"
            yield from _wrapped(_after_move(session))
        yield ""


def _wrapped(texts: Iterator[str]) -> Iterator[str]:
    """Break lines, so that a difference shows few words around it."""
    for text in texts:
        for line in text.splitlines() or [""]:
            yield from textwrap.wrap(line, LINE_WIDTH, subsequent_indent="    ") or [""]


def _after_move(session: Session) -> Iterator[str]:
    """All texts about a position."""
    position, game = session.position, session.game
    yield from ("".join(row) for row in position.cells())
    if package_of(game).code is not None:
        yield f"code: {code_of(position)}"
    if position.outcome is None:
        yield f"to move: {int(position.to_move)}; moves: {_labels(game, position.legal_moves())}"
        yield from _threats(position)
        found = analyse_position(position, seconds=SECONDS)
        yield _values(position, found)
    else:
        found = None
        yield f"ended: {position.outcome.ending}, won by {position.outcome.winner!r}"
    for language in LANGUAGES:
        yield from _in_words(session, found, language)


def _threats(position: Position) -> Iterator[str]:
    for threat in package_of(position).threats_in(position):
        squares = " ".join(f"{square.row}:{square.column}" for square in threat.squares)
        moves = _labels(position.game, threat.moves)
        yield f"threat: {threat.kind} of {int(threat.player)}; squares {squares}; moves {moves}"


def _values(position: Position, found: PositionAnalysis) -> str:
    """The value of every move on the scale of searches, and the line that follows."""
    analysis = found.analysis
    values = ", ".join(
        f"{position.game.label(move)} {analysis.scores[move]:+d}"
        for move in position.legal_moves()
        if move in analysis.scores
    )
    how = "proven" if analysis.proven else f"searched {analysis.depth} plies"
    return f"values ({how}): {values}; line {_labels(position.game, found.line.moves)}"


def _in_words(session: Session, found: PositionAnalysis | None, language: str) -> Iterator[str]:
    """The texts for a player about a position, in one language."""
    say = say_in(language)
    scene = board_scene(session, NAMES, say)
    yield f"{language} status: {status(session, NAMES, say)}"
    if found is not None:
        yield f"{language} remark: {remark(session.position, say)}"
        for level in (HintLevel.THREAT, HintLevel.MOVE):
            text = hint_text(_hint(session, found, level), NAMES, say)
            yield f"{language} hint {level.name.lower()}: {_one_line(text)}"
    yield f"{language} analysis: {_one_line(_analysis(session, found, say))}"
    yield f"{language} alt: {board_alt_text(scene, alt_phrases(say))}"


def _hint(session: Session, found: PositionAnalysis, level: HintLevel) -> Hint:
    """A hint made from an analysis, without its time."""
    analysis = found.analysis
    exact = tuple(
        (move, score)
        for move, score in analysis.scores.items()
        if analysis.proven or is_decided(score)
    )
    result = analysis.result(min(analysis.best()), session.position.to_move)
    return Hint(session, replace(result, seconds=0.5, exact=exact), level)


def _analysis(session: Session, found: PositionAnalysis | None, say: Translator) -> str:
    """The text of the analysis, which only games with codes have."""
    if package_of(session.game).code is None:
        return ""
    return analysis_text(Trail(session.position), found, say)


def _one_line(text: str) -> str:
    return " / ".join(text.splitlines())


def _labels(game: Game, moves: tuple[Move, ...]) -> str:
    return " ".join(map(game.label, moves))


def _game(game: Game, rng: Random, *, defending: bool) -> list[Move]:
    """A game of random moves, except that players win if they can.

    If `defending`, they also make no move after which the other side can win in its turn.
    """
    position, moves = game.start(), list[Move]()
    while position.outcome is None:
        legal = position.legal_moves()
        wins = [move for move in legal if _wins(position, move)]
        safe = [move for move in legal if defending and not _lets_win(position, move)]
        moves.append(rng.choice(wins or safe or list(legal)))
        position = position.play(moves[-1])
    return moves


def _wins(position: Position, move: Move) -> bool:
    """Whether a move ends the game in favour of the side that makes it."""
    following = position.play(move)
    return following.outcome is not None and following.outcome.winner is position.to_move


def _lets_win(position: Position, move: Move) -> bool:
    """Whether the other side wins by this move, or can win in its turn right after it."""
    following, other = position.play(move), position.to_move.other
    if following.outcome is not None:
        return following.outcome.winner is other
    return following.to_move is other and _can_win_in_turn(following)


def _can_win_in_turn(position: Position) -> bool:
    """Whether the side to move can win before the other side moves."""
    for move in position.legal_moves():
        following = position.play(move)
        if following.outcome is not None:
            if following.outcome.winner is position.to_move:
                return True
        elif following.to_move is position.to_move and _can_win_in_turn(following):
            return True
    return False
