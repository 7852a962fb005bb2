"""An analysed position as a picture and in words, in one language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.features.analysis.rules import Trail
from bot.i18n import Say
from bot.show.scenes import either, latest_turn_from, line_words, position_scene
from engine.core.analysis import Analysis
from engine.core.game import Game, Move, Player, Position, target
from engine.core.position_code import code_of
from engine.core.registry import package_of
from engine.core.values import expected, is_decided, moves_to_end, plies_to_end, win_score
from engine.study.analysis import Analysed
from renderers import BoardScene, Outlook, Worth

BETTER, MUCH_BETTER = 0.6, 0.85
"""The expected scores from which a search's estimate is called better, and clearly better."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How the values of a game's moves are written.

    Where a game ends at the latest with a full board, a win counts by the winner's stones from the
    end of that, as solvers of Connect 4 do; elsewhere by the movements until then.
    """

    game: Game

    @property
    def counts_stones(self) -> bool:
        """Whether values count stones."""
        return package_of(self.game).stones_stay

    def number(self, score: int, ply: int) -> int:
        """The number of a decided score on the scale of searches, without its sign."""
        end = ply + plies_to_end(score, ply)
        if self.counts_stones:
            return win_score(package_of(self.game).longest(self.game), end)
        return end - ply

    def text(self, score: int, ply: int) -> str:
        """A proven score in few signs, such as `+4` or `-2`."""
        return f"{'+' if score > 0 else '-'}{self.number(score, ply)}" if score else "0"


def analysis_scene(trail: Trail, found: Analysed | None, say: Say) -> BoardScene:
    """The picture of an analysed position, with what each move is worth."""
    position = trail.position
    return replace(
        position_scene(position, latest_turn_from(trail.root, trail.moves), say),
        status=f"{_turn(position, say)} {_result(position, found, say)}".strip(),
        footer="" if found is None else " · ".join(_legend(position, found.analysis, say)),
        worths=tuple(_worths(position, found)),
        has_worths=True,
    )


def analysis_text(trail: Trail, found: Analysed | None, say: Say) -> str:
    """What is known of a position, in Markdown: result, best moves, best line and its code."""
    position, game = trail.position, trail.game
    variant = say.variant(game.key, game.variant)
    made = say.count("moves", position.ply)
    head = say("analysis.title", game=say(f"game.{game.key}"), variant=variant, moves=made)
    lines = [f"{head} {_turn(position, say)}".rstrip(), f"**{_result(position, found, say)}**"]
    if found is not None:
        lines += [_best(position, found.analysis, say), *_beside(position, found, say)]
        lines.append(say("analysis.line", line=line_words(game, found.line, say)))
    command = say(f"command.{game.key}.name")
    lines.append(say("analysis.code", code=code_of(position), game=command))
    return "\n".join(lines)


def _name(player: Player, say: Say) -> str:
    return say("name.player", number=int(player))


def _turn(position: Position, say: Say) -> str:
    if position.outcome is not None:
        return ""
    return say("analysis.turn", name=_name(position.to_move, say))


def _result(position: Position, found: Analysed | None, say: Say) -> str:
    """How the game ends under perfect play, or what a search makes of it."""
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
    name, scale = _name(mover if top > 0 else mover.other, say), Scale(position.game)
    if not scale.counts_stones:
        count = say.count("movements", scale.number(top, position.ply))
        return say("analysis.wins", name=name, count=count)
    count = say.count("moves", moves_to_end(top, position.ply))
    stone = scale.number(top, position.ply)
    return say("analysis.wins_with", name=name, count=count, which=say.nth("last_stone", stone))


def _is_known(analysis: Analysis) -> bool:
    """Whether the result is certain, though perhaps not that of every move."""
    return analysis.proven or is_decided(analysis.top)


def _estimate(position: Position, found: Analysed, say: Say) -> str:
    """What a search makes of a position, in words."""
    share = _share(position, found.analysis.top)
    ahead = position.to_move if share >= 0.5 else position.to_move.other
    share = max(share, 1 - share)
    if share < BETTER:
        return say("analysis.even")
    key = "analysis.better" if share < MUCH_BETTER else "analysis.much_better"
    return say(key, name=_name(ahead, say))


def _share(position: Position, score: int) -> float:
    """What the player to move can expect of a move, from 0 to 1."""
    return expected(score, package_of(position.game).judging.spread)


def _best(position: Position, analysis: Analysis, say: Say) -> str:
    """Which moves are best, and which others keep the result."""
    best, top = sorted(analysis.best()), analysis.top
    told = _either(position, best, say)
    if not _is_known(analysis):
        return say("analysis.best", moves=told)
    if top < 0:
        return say("analysis.lost", moves=told)
    keeping = [move for move, score in analysis.scores.items() if _keeps(analysis, score, top)]
    kind = "win" if top > 0 else "hold"
    if len(keeping) == 1:
        return say(f"analysis.only_{kind}", move=told)
    others = sorted(set(keeping) - set(best))
    if not others and len(keeping) == len(analysis.scores):
        return say(f"analysis.all_{kind}")
    if not others:
        return say(f"analysis.moves_{kind}", moves=told)
    return say("analysis.soonest", moves=told, others=_either(position, others, say))


def _keeps(analysis: Analysis, score: int, top: int) -> bool:
    """Whether a move surely has the same result as the best ones."""
    if top > 0:
        return is_decided(score) and score > 0
    return analysis.proven and score == 0


def _word(position: Position, move: Move, say: Say) -> str:
    """A move as its button says it."""
    return say.move(position.game.key, position.game.label(move))


def _either(position: Position, moves: Sequence[Move], say: Say) -> str:
    return either([_word(position, move, say) for move in moves], say)


def _beside(position: Position, found: Analysed, say: Say) -> Iterator[str]:
    """What the moves are worth that have no target on the board, below its picture."""
    for move in sorted(found.analysis.scores):
        if target(position, move) is None:
            text, _ = _worth(position, found.analysis, move)
            name = _word(position, move, say)
            yield say("analysis.beside", move=name, value=text)


def _worths(position: Position, found: Analysed | None) -> Iterator[Worth]:
    """What the moves are worth that have a target on the board."""
    if found is None:
        return
    best = found.analysis.best()
    for move in sorted(found.analysis.scores):
        square = target(position, move)
        if square is not None:
            text, outlook = _worth(position, found.analysis, move)
            yield Worth(square, text, outlook, is_best=move in best)


def _worth(position: Position, analysis: Analysis, move: Move) -> tuple[str, Outlook]:
    """A move's value in few signs: exact ones have a sign or are 0, estimates are per cent."""
    score = analysis.scores[move]
    if not analysis.is_exact(move):
        return f"{100 * _share(position, score):.0f}%", Outlook.UNKNOWN
    outlook = Outlook.WIN if score > 0 else Outlook.LOSS if score < 0 else Outlook.DRAW
    return Scale(position.game).text(score, position.ply), outlook


def _legend(position: Position, analysis: Analysis, say: Say) -> Iterator[str]:
    """What the signs in the picture mean."""
    exact = {analysis.is_exact(move) for move in analysis.scores}
    if True in exact:
        stones = Scale(position.game).counts_stones
        yield say("analysis.legend_stones" if stones else "analysis.legend_movements")
    if False in exact:
        alone = True not in exact
        key = "analysis.legend_guess" if alone else "analysis.legend_rest"
        yield say(key, depth=analysis.depth)
