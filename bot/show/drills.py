"""A problem that somebody solves: its board, what is said of an answer, and what follows from it.

Whoever solves it is called "You" on the board, the other side "Opponent".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.show.replays import play_scenes
from bot.show.reviews import play_words
from bot.show.scenes import alt_phrases, position_scene
from bot.show.turns import latest_turn_of, turn_squares
from bot.words import Say
from engine.core.game import Game, Move, Player, Position, replay
from engine.core.problem import Problem
from engine.core.registry import package_of
from engine.core.values import Value, moves_to_end
from engine.study.analysis import Line
from renderers import AltPhrases, BoardScene, animation_alt_text, draw_animation


def problem_scene(problem: Problem, moves: Sequence[Move], say: Say) -> BoardScene:
    """The board of a problem after all of these moves, those before its question among them."""
    return solver_scene(problem.game, moves, problem.solver, say)


def solver_scene(game: Game, moves: Sequence[Move], solver: Player, say: Say) -> BoardScene:
    """The board after these moves, as it is shown to whoever has one side of it."""
    position = replay(game, moves)
    bare = position_scene(position, latest_turn_of(game, moves), say)
    return replace(bare, names=_names(solver, say), status=_status(solver, position, say))


def play_picture(problem: Problem, step: int, moves: Sequence[Move], say: Say) -> tuple[bytes, str]:
    """The GIF of moves from a step on, and its alternative text; may be called from any thread."""
    before = problem.made(step)
    end = problem_scene(problem, (*before, *moves), say)
    bare = replace(end, remark="", footer="", turn=None, at_risk=frozenset(), last=frozenset())
    start = replace(bare, active=None, winner=None, line=frozenset())
    scenes = list(play_scenes(problem.position(step), moves, start))
    scenes[0] = replace(scenes[0], last=turn_squares(*latest_turn_of(problem.game, before)))
    ending = replace(bare, active=None, last=scenes[-1].last)
    gif = draw_animation(package_of(problem.game).drawing, [*scenes, ending])
    told = say("drill.played", moves=", ".join(move_word(problem, move, say) for move in moves))
    return gif, animation_alt_text(end, told, drill_phrases(say))


def drill_phrases(say: Say) -> AltPhrases:
    """The sentences of a board's alternative text where one of the names is "You"."""
    named = {key: say.texts[f"drill.alt.{key}"] for key in ("players", "lettered")}
    return replace(alt_phrases(say), **named)


def move_word(problem: Problem, move: Move, say: Say) -> str:
    """A move as its button says it."""
    return say.move(problem.game.key, problem.game.label(move))


def verdict(
    problem: Problem,
    step: int,
    line: Line,
    say: Say,
    *,
    is_right: bool,
    known: Value | None = None,
) -> str:
    """What the first move of a line leads to, and the line itself, in Markdown.

    `known` is what that move is worth, where that was proven before and the line is no proof.
    """
    play = play_words(problem.game, line.moves, say)
    if line.proven:
        outcome = replay(problem.game, (*problem.made(step), *line.moves)).outcome
        assert outcome is not None, "a line that is proven goes to the end"
        found = _leads_to(problem, outcome.winner)
        count = _made_by(problem, step, line, outcome.winner)
    elif known is not None:
        found = _leads_to(problem, known.winner)
        count = moves_to_end(known.search(problem.solver), problem.position(step).ply)
        play = say("review.line_seen", line=play)
    else:
        found, count = "seen", 0
    key = f"drill.{'right' if is_right else 'wrong'}.{found}"
    first, depth = move_word(problem, line.moves[0], say), say.number(line.depth)
    told = say(key, move=first, count=say.count("moves", count), depth=depth)
    return told if len(line.moves) == 1 else f"{told}\n{say('drill.line', line=play)}"


def _leads_to(problem: Problem, winner: Player | None) -> str:
    """A winner as a word in the keys of texts, from the solver's side."""
    if winner is None:
        return "draws"
    return "wins" if winner is problem.solver else "loses"


def _made_by(problem: Problem, step: int, line: Line, player: Player | None) -> int:
    """How many moves of a line are a player's."""
    position, made = problem.position(step), 0
    for move in line.moves:
        made += position.to_move is player
        position = position.play(move)
    return made


def _names(solver: Player, say: Say) -> tuple[str, str]:
    you, rival = say("drill.you"), say("drill.rival")
    return (you, rival) if solver is Player.FIRST else (rival, you)


def _status(solver: Player, position: Position, say: Say) -> str:
    """One sentence on how it stands."""
    if position.outcome is None:
        return say(f"drill.to_move.{_side(solver, position.to_move)}")
    if position.outcome.winner is None:
        return say("status.draw")
    return say(f"drill.won.{_side(solver, position.outcome.winner)}")


def _side(solver: Player, player: Player) -> str:
    return "you" if player is solver else "rival"
