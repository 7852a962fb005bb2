"""Golden pictures: boards of every game with all their marks, replays, cards, reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from bot.features.analysis.rules import Trail
from bot.features.analysis.view import analysis_scene
from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.view import hint_picture
from bot.features.replays import replay_picture
from bot.game.session import Session
from bot.i18n import say_in
from bot.show.scenes import alt_phrases, board_scene
from bot.store.records import Ending, EndRecord
from engine.core.game import Drawing, Game
from engine.core.limits import Limit
from engine.core.registry import game_of, games, package_of
from engine.core.search import analyse
from engine.strength.judging import FULL_MARGIN
from engine.study.analysis import Line, PositionAnalysis
from renderers import (
    board_alt_text,
    card_alt_text,
    draw,
    draw_card,
    draw_review,
    review_alt_text,
)
from tests.bot.builders import NAMES, session_of
from tests.golden.fingerprint import of_picture, of_value
from tests.renderers.example_cards import CARDS
from tests.renderers.pictures import REVIEW

PLIES = (0, 1, 2, 5, 8, 11, 14, 17)
"""Plies at which pictures of random games are taken."""
ENDINGS = (("resigned", 2), ("time", 1), ("agreed", None), ("aborted", None))
"""Endings that are not decided on the board, with the winner."""


def lines() -> Iterator[str]:
    """Yield a line for each picture: its name, a hash of its pixels and one of its text."""
    for key, package in games().items():
        yield from _of_game(game_of(key, package.usual))
    for name, card in CARDS.items():
        yield _line(name, draw_card(card), card_alt_text(card))
    yield _line("review", draw_review(Drawing.DISCS, REVIEW), review_alt_text(REVIEW))


def _line(name: str, picture: bytes, words: str) -> str:
    return f"{name}: {of_picture(picture)} {of_value(words)}"


def _of_game(game: Game) -> Iterator[str]:
    moves = _random_game(game, Random(f"golden {game.key}"))
    english, spanish = say_in("en"), say_in("es")
    running = {ply: session_of(game, moves[:ply]) for ply in PLIES if ply < len(moves)}
    for ply, session in running.items():
        yield _board(f"{game.key} after {ply}", session)
    over = session_of(game, moves)
    yield _board(f"{game.key} at its end", over)
    yield _board(f"{game.key} al final", over, "es")
    for ending, winner in ENDINGS:
        ended = session_of(game, moves[:8], EndRecord(Ending(ending), winner, 100.0))
        yield _board(f"{game.key} {ending}", ended)
    middle = running[8]
    found = analyse(middle.position, Limit(depth=4), margin=FULL_MARGIN)
    result = replace(found.result(min(found.best()), middle.position.to_move), seconds=0.5)
    for level in HintLevel:
        shown = hint_picture(Hint(middle, result, level), NAMES, english)
        yield _line(f"{game.key} hint {level.name.lower()}", shown.png, shown.text + shown.alt_text)
    trail = Trail(middle.position)
    line = Line(found.lines[result.move], proven=False, depth=found.depth)
    for say, name in ((english, "analysis"), (spanish, "análisis"), (english, "threats")):
        analysed, is_mapped = PositionAnalysis(found, line), name == "threats"
        scene = analysis_scene(trail, analysed, say, with_threats=is_mapped)
        words = board_alt_text(scene, alt_phrases(say))
        yield _line(f"{game.key} {name}", draw(package_of(game).drawing, scene), words)
    gif, text = replay_picture(over, NAMES, english)
    yield _line(f"{game.key} replay", gif, text)


def _board(name: str, session: Session, language: str = "en") -> str:
    say = say_in(language)
    scene = board_scene(session, NAMES, say)
    return _line(
        name, draw(package_of(session.game).drawing, scene), board_alt_text(scene, alt_phrases(say))
    )


def _random_game(game: Game, rng: Random) -> list[str]:
    """The moves of a random game to its end, as players write them."""
    position, moves = game.start(), list[str]()
    while position.outcome is None:
        move = rng.choice(position.legal_moves())
        moves.append(game.label(move))
        position = position.play(move)
    return moves
