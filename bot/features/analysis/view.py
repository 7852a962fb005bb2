"""An analysed position as a picture and in words, in one language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.features.analysis.rules import Trail
from bot.i18n import Translator
from bot.show.moves import distance
from bot.show.scenes import latest_turn, line_words, position_scene
from bot.show.texts import game_title
from bot.show.threat_maps import (
    ShownThreats,
    Side,
    Sides,
    has_threat_map,
    marked_with_threats,
    threat_words,
    threats_of,
)
from engine.core.analysis import Analysis, Source
from engine.core.game import Move, Player, Position, Square, target
from engine.core.position_code import code_of
from engine.core.registry import package_of
from engine.core.values import expected, is_decided
from engine.study.analysis import PositionAnalysis
from renderers import BoardScene, MoveValue, Outlook

MOST_BEST = 3
"""The most moves that the advice names."""

BETTER, MUCH_BETTER = 0.6, 0.85
"""The expected scores from which a search's estimate is called better, and clearly better."""


OUTLOOKS = {Outlook.WIN: "win", Outlook.DRAW: "draw", Outlook.LOSS: "loss"}
"""The words of values that are proven, as the legend explains them."""


def analysis_scene(
    trail: Trail, found: PositionAnalysis | None, say: Translator, *, with_threats: bool = False
) -> BoardScene:
    """The picture of an analysed position, with the values of its moves."""
    position = trail.position
    scene = replace(
        position_scene(position, latest_turn(trail.root, trail.moves), say),
        status=f"{_turn(position, say)} {_result(position, found, say)}".strip(),
        footer="" if found is None else _footer(found, say),
        values=tuple(_move_values(position, found, say)),
        has_values=True,
        hint=_hint(position, found),
        advice=_advice(position, found, say),
        verdict="" if found is None else _verdict(position, found.analysis, say),
        legend=tuple((one, say(f"analysis.legend.{word}")) for one, word in OUTLOOKS.items()),
        full=say("analysis.full"),
    )
    shown = _threats(trail, found) if with_threats else None
    return scene if shown is None else marked_with_threats(scene, shown, _sides(say), say)


def _threats(trail: Trail, found: PositionAnalysis | None) -> ShownThreats | None:
    """The threats of the position; None if it has no map of them."""
    position, winner = trail.position, None
    if found is not None and _is_known(found.analysis) and found.analysis.top:
        winner = position.to_move if found.analysis.top > 0 else position.to_move.other
    return threats_of(position, winner)


def _sides(say: Translator) -> Sides:
    return {player: Side("other", _name(player, say)) for player in Player}


def _with_threats(text: str, trail: Trail, found: PositionAnalysis | None, say: Translator) -> str:
    """A text with a line about the threats, if the position has a map of them."""
    shown = _threats(trail, found)
    return text if shown is None else f"{text}\n{threat_words(shown, _sides(say), say)}"


def _hint(position: Position, found: PositionAnalysis | None) -> frozenset[Square]:
    """The square of the best move, if there is one only and no value is written on squares."""
    if found is None or position.game.row_names:
        return frozenset()
    square = target(position, min(found.analysis.best()))
    is_alone = len(found.analysis.best()) == 1
    return frozenset({square}) if is_alone and square is not None else frozenset()


def _advice(position: Position, found: PositionAnalysis | None, say: Translator) -> str:
    """What to play in a few words, or how the game has ended."""
    if found is None:
        return _result(position, found, say)
    best = sorted(found.analysis.best())
    if len(best) == len(position.legal_moves()) > 1:
        return say("analysis.play_any")
    is_column = len(best) == 1 and not position.game.row_names
    key = "column" if is_column and target(position, best[0]) is not None else "moves"
    return say(f"analysis.play_{key}", moves=_either(position, best[:MOST_BEST], say))


def _verdict(position: Position, analysis: Analysis, say: Translator) -> str:
    """What the best move leads to."""
    text, _, _ = _value_text(position, analysis, min(analysis.best()), say)
    return text


def analysis_summary(
    trail: Trail, found: PositionAnalysis | None, say: Translator, *, with_threats: bool = False
) -> str:
    """An analysis in two lines of Markdown: whose turn it is, the result, and the best moves.

    The threats, if they are shown, are a third line.
    """
    result = f"**{_result(trail.position, found, say)}**"
    best = "" if found is None else _best(trail.position, found.analysis, say)
    further = "" if found is None else _further(found, say)
    text = f"{_head(trail, say)}\n{' '.join(filter(None, (result, best, further)))}"
    return _with_threats(text, trail, found, say) if with_threats else text


def shared_text(
    trail: Trail, found: PositionAnalysis | None, say: Translator, *, with_threats: bool = False
) -> str:
    """The summary and the position's code, with which others can explore it."""
    summary = analysis_summary(trail, found, say, with_threats=with_threats)
    # Three lines at most: the threats are the third one already.
    between = " " if with_threats and has_threat_map(trail.position) else "\n"
    return f"{summary}{between}{_code(trail, say)}"


def analysis_text(
    trail: Trail, found: PositionAnalysis | None, say: Translator, *, with_threats: bool = False
) -> str:
    """An analysis in Markdown: result, best moves, best line and the position's code."""
    position, game = trail.position, trail.game
    lines = [_head(trail, say), f"**{_result(position, found, say)}**"]
    if found is not None:
        lines += [_best(position, found.analysis, say), *_beside(position, found, say)]
        lines.append(say("analysis.line", line=line_words(game, found.line, say)))
    text = "\n".join([*lines, _code(trail, say)])
    return _with_threats(text, trail, found, say) if with_threats else text


def _head(trail: Trail, say: Translator) -> str:
    """The game, the number of moves made, and whose turn it is."""
    position = trail.position
    made = say.count("moves", position.ply)
    head = say("analysis.title", game=game_title(trail.game, say), moves=made)
    return f"{head} {_turn(position, say)}".rstrip()


def _code(trail: Trail, say: Translator) -> str:
    return say("analysis.code", code=code_of(trail.position))


def _name(player: Player, say: Translator) -> str:
    return say("name.player", number=int(player))


def _turn(position: Position, say: Translator) -> str:
    if position.outcome is not None:
        return ""
    return say("analysis.turn", name=_name(position.to_move, say))


def _result(position: Position, found: PositionAnalysis | None, say: Translator) -> str:
    """The result under perfect play, or the estimate of a search."""
    if position.outcome is not None:
        winner = position.outcome.winner
        named = {"winner": _name(winner, say), "loser": _name(winner.other, say)} if winner else {}
        return say(f"status.{position.outcome.ending}", **named)
    assert found is not None, "every position of a game that goes on is analysed"
    analysis, mover = found.analysis, position.to_move
    if analysis.in_book:
        return say("analysis.named")
    if not _is_known(analysis):
        return say("analysis.unproven", seen=_estimate(position, found, say))
    top = analysis.top
    if top == 0:
        return say("analysis.draw")
    name = _name(mover if top > 0 else mover.other, say)
    left = distance(position.game, top, position.ply)
    return say("analysis.wins", name=name, count=say.count("moves", left))


def _further(found: PositionAnalysis, say: Translator) -> str:
    """What has come of an analysis that went on; empty for a first one."""
    if not found.earlier:
        return ""
    if _is_known(found.analysis):
        return say("analysis.certain")
    is_deeper = found.analysis.depth > found.earlier
    return say("analysis.further" if is_deeper else "analysis.no_further")


def _is_known(analysis: Analysis) -> bool:
    """Whether the result is certain, though perhaps not that of every move."""
    return analysis.proven or is_decided(analysis.top)


def _estimate(position: Position, found: PositionAnalysis, say: Translator) -> str:
    """The estimate of a search in words."""
    share = _share(position, found.analysis.top)
    ahead = position.to_move if share >= 0.5 else position.to_move.other
    share = max(share, 1 - share)
    if share < BETTER:
        return say("analysis.even")
    key = "analysis.better" if share < MUCH_BETTER else "analysis.much_better"
    return say(key, name=_name(ahead, say))


def _share(position: Position, score: int) -> float:
    """The expected score of a move for the player to move, from 0 to 1."""
    return expected(score, package_of(position.game).judging.spread)


def _best(position: Position, analysis: Analysis, say: Translator) -> str:
    """The best moves, and the others that keep the result."""
    best, top = sorted(analysis.best()), analysis.top
    moves = _either(position, best, say)
    if not _is_known(analysis):
        return say("analysis.best", moves=moves)
    if top < 0:
        if len(best) == len(analysis.scores) > 1:
            return say("analysis.all_lost")
        return say(f"analysis.lost.{'one' if len(best) == 1 else 'other'}", moves=moves)
    keeping = [move for move, score in analysis.scores.items() if _keeps(analysis, score, top)]
    kind = "win" if top > 0 else "hold"
    if len(keeping) == 1:
        return say(f"analysis.only_{kind}", move=moves)
    others = sorted(set(keeping) - set(best))
    if not others and len(keeping) == len(analysis.scores):
        return say(f"analysis.all_{kind}")
    if not others:
        return say(f"analysis.moves_{kind}", moves=moves)
    return say("analysis.soonest", moves=moves, others=_either(position, others, say))


def _keeps(analysis: Analysis, score: int, top: int) -> bool:
    """Whether a move surely has the same result as the best ones."""
    if top > 0:
        return is_decided(score) and score > 0
    return analysis.proven and score == 0


def _word(position: Position, move: Move, say: Translator) -> str:
    """A move as its button says it."""
    return say.move(position.game.key, position.game.label(move))


def _either(position: Position, moves: Sequence[Move], say: Translator) -> str:
    return say.any_of([_word(position, move, say) for move in moves])


def _beside(position: Position, found: PositionAnalysis, say: Translator) -> Iterator[str]:
    """The values of the moves without a target on the board, for below its picture."""
    for move in sorted(found.analysis.scores):
        if target(position, move) is None:
            text, _, _ = _value_text(position, found.analysis, move, say)
            name = _word(position, move, say)
            yield say("analysis.beside", move=name, value=text)


def _move_values(
    position: Position, found: PositionAnalysis | None, say: Translator
) -> Iterator[MoveValue]:
    """The values of the moves with a target on the board."""
    if found is None:
        return
    best = found.analysis.best()
    for move in sorted(found.analysis.scores):
        square = target(position, move)
        if square is not None:
            text, outlook, number = _value_text(position, found.analysis, move, say)
            yield MoveValue(square, text, outlook, is_best=move in best, number=number)


def _value_text(
    position: Position, analysis: Analysis, move: Move, say: Translator
) -> tuple[str, Outlook, str]:
    """A move's value in words, and its number alone: exact, or an estimate in per cent."""
    score = analysis.scores[move]
    if not analysis.is_exact(move):
        return f"{100 * _share(position, score):.0f}%", Outlook.UNKNOWN, ""
    outlook = Outlook.WIN if score > 0 else Outlook.LOSS if score < 0 else Outlook.DRAW
    words = say(f"analysis.legend.{OUTLOOKS[outlook]}")
    if outlook is Outlook.DRAW:
        return words, outlook, ""
    number = say.number(distance(position.game, score, position.ply))
    return f"{words} {number}", outlook, number


def _footer(found: PositionAnalysis, say: Translator) -> str:
    """Which values are exact, and the depth of those that are not."""
    analysis = found.analysis
    if analysis.source is Source.BOOK:
        key = "named" if analysis.in_book else "book"
        return say(f"analysis.footer_{key}", depth=analysis.depth)
    exact = {analysis.is_exact(move) for move in analysis.scores}
    if exact == {True}:
        return say("analysis.footer_exact", nodes=say.count("nodes", analysis.nodes))
    if 0 < found.earlier < analysis.depth:
        return say("analysis.footer_further", depth=analysis.depth, earlier=found.earlier)
    return say("analysis.footer_rest", depth=analysis.depth)
