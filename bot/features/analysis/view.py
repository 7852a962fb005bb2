"""An analysed position as a picture and in words, in one language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.features.analysis.rules import Trail
from bot.i18n import Translator
from bot.show.scenes import latest_turn, line_words, position_scene
from bot.show.texts import game_title
from engine.core.analysis import Analysis
from engine.core.game import Game, Move, Player, Position, target
from engine.core.position_code import code_of
from engine.core.registry import package_of
from engine.core.values import expected, is_decided, moves_to_end, plies_to_end, win_score
from engine.study.analysis import PositionAnalysis
from renderers import BoardScene, MoveValue, Outlook

BETTER, MUCH_BETTER = 0.6, 0.85
"""The expected scores from which a search's estimate is called better, and clearly better."""


def short_value(game: Game, score: int, ply: int) -> str:
    """A proven score in few signs, such as `+4` or `-2`.

    Where a game ends at the latest with a full board, a win counts by the winner's stones from the
    end of that, as solvers of Connect 4 do; elsewhere by the movements until then.
    """
    return f"{'+' if score > 0 else '-'}{_distance(game, score, ply)}" if score else "0"


def _distance(game: Game, score: int, ply: int) -> int:
    """The number of `short_value`, for a decided score."""
    package, plies = package_of(game), plies_to_end(score, ply)
    return win_score(package.longest(game), ply + plies) if package.stones_stay else plies


def analysis_scene(trail: Trail, found: PositionAnalysis | None, say: Translator) -> BoardScene:
    """The picture of an analysed position, with the values of its moves."""
    position = trail.position
    return replace(
        position_scene(position, latest_turn(trail.root, trail.moves), say),
        status=f"{_turn(position, say)} {_result(position, found, say)}".strip(),
        footer="" if found is None else " · ".join(_legend(position, found.analysis, say)),
        values=tuple(_move_values(position, found)),
        has_values=True,
    )


def analysis_text(trail: Trail, found: PositionAnalysis | None, say: Translator) -> str:
    """An analysis in Markdown: result, best moves, best line and the position's code."""
    position, game = trail.position, trail.game
    made = say.count("moves", position.ply)
    head = say("analysis.title", game=game_title(game, say), moves=made)
    lines = [f"{head} {_turn(position, say)}".rstrip(), f"**{_result(position, found, say)}**"]
    if found is not None:
        lines += [_best(position, found.analysis, say), *_beside(position, found, say)]
        lines.append(say("analysis.line", line=line_words(game, found.line, say)))
    command = say(f"command.{game.key}.name")
    lines.append(say("analysis.code", code=code_of(position), game=command))
    return "\n".join(lines)


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
    if not _is_known(analysis):
        return say("analysis.unproven", depth=analysis.depth, seen=_estimate(position, found, say))
    top = analysis.top
    if top == 0:
        return say("analysis.draw")
    name = _name(mover if top > 0 else mover.other, say)
    distance = _distance(position.game, top, position.ply)
    if not package_of(position.game).stones_stay:
        return say("analysis.wins", name=name, count=say.count("movements", distance))
    count = say.count("moves", moves_to_end(top, position.ply))
    return say("analysis.wins_with", name=name, count=count, which=say.nth("last_stone", distance))


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
        return say("analysis.lost", moves=moves)
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
            text, _ = _value_text(position, found.analysis, move)
            name = _word(position, move, say)
            yield say("analysis.beside", move=name, value=text)


def _move_values(position: Position, found: PositionAnalysis | None) -> Iterator[MoveValue]:
    """The values of the moves with a target on the board."""
    if found is None:
        return
    best = found.analysis.best()
    for move in sorted(found.analysis.scores):
        square = target(position, move)
        if square is not None:
            text, outlook = _value_text(position, found.analysis, move)
            yield MoveValue(square, text, outlook, is_best=move in best)


def _value_text(position: Position, analysis: Analysis, move: Move) -> tuple[str, Outlook]:
    """A move's value in few signs: exact ones have a sign or are 0, estimates are per cent."""
    score = analysis.scores[move]
    if not analysis.is_exact(move):
        return f"{100 * _share(position, score):.0f}%", Outlook.UNKNOWN
    outlook = Outlook.WIN if score > 0 else Outlook.LOSS if score < 0 else Outlook.DRAW
    return short_value(position.game, score, position.ply), outlook


def _legend(position: Position, analysis: Analysis, say: Translator) -> Iterator[str]:
    """The legend of the picture."""
    exact = {analysis.is_exact(move) for move in analysis.scores}
    if True in exact:
        stones = package_of(position.game).stones_stay
        yield say("analysis.legend_stones" if stones else "analysis.legend_movements")
    if False in exact:
        key = "analysis.legend_rest" if True in exact else "analysis.legend_guess"
        yield say(key, depth=analysis.depth)
