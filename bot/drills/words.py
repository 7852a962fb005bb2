"""The sentences of drills: about an answer, the line that follows it, and other right answers."""

from __future__ import annotations

from collections.abc import Iterable

from bot.drills.rules import Answered, Drill
from bot.i18n import Translator, fitting
from bot.show.moves import MAX_NAMED, moves_named, sentence
from bot.show.reasons import reason_words
from bot.show.scenes import play_words
from engine.core.game import Move, Player, replay, target, wins_with
from engine.core.problem import Problem
from engine.core.reason import BY_VALUE, ReasonKind
from engine.core.values import moves_to_end
from engine.study.analysis import Line
from engine.study.reasons import ALLOWED, fault_after, merit_of

FIRST_TRY = {
    ReasonKind.MISSED_TURN: "drill.why.missed_turn",
    ReasonKind.ALLOWED_TURN: "drill.why.four_turn",
}
"""What is said of a first wrong try, where the whole reason names the moves to be found."""

FORKS = (ReasonKind.MISSED_PAIR, ReasonKind.MISSED_STACK)
"""Reasons that name the move to be found, and give way to a question's own words at a first try."""

SHORT = 2
"""The moves of a line that its sentence says already: a move and the four that answers it."""


def right_move_line(answered: Answered, say: Translator) -> str:
    """The line about a right move before the last, with the other side's reply."""
    drill, at = answered.drill, answered.at
    problem, position = drill.problem, drill.problem.position(at.step)
    merit = merit_of(position, answered.made[0], _values(answered))
    why = say("drill.correct") if merit is None else reason_words(merit, position, say, drill.rival)
    replies = problem.steps[at.step].replies
    if not replies:
        return say("drill.step", why=why)
    return say("drill.step_answered", why=why, replies=moves_named(problem.game, replies, say))


def other_answers_line(answered: Answered, say: Translator) -> str:
    """The other right answers, once the solution is known."""
    problem = answered.drill.problem
    answers = problem.steps[answered.at.step].answers
    others = [move for move in answers if move not in answered.made[:1]]
    if not answered.is_over or not others:
        return ""
    moves = moves_named(problem.game, others, say, among=True)
    return say.plural("drill.others", len(others), moves=moves)


def listed_moves(problem: Problem, moves: Iterable[Move], say: Translator) -> str:
    """The moves as their buttons are labelled."""
    return ", ".join(move_word(problem, move, say) for move in moves)


def joined_lines(*lines: str) -> str:
    """The lines that are not empty, cut where a message must end."""
    return fitting("\n".join(line for line in lines if line))


def move_word(problem: Problem, move: Move, say: Translator) -> str:
    """A move as its button is labelled."""
    return say.move(problem.game.key, problem.game.label(move))


def result_words(answered: Answered, say: Translator) -> str:
    """What an answer or the solution leads to, as a person would say it."""
    kind, drill = answered.kind, answered.drill
    if kind == "wrong":
        return say("drill.wrong", why=_why_wrong(answered, say))
    if answered.is_over and answered.consequence.head:
        return answered.consequence.head
    found = _found(answered)
    if kind == "solved" and found == "four":
        return say("drill.four")
    if kind == "solved":
        position = drill.problem.position(answered.at.step)
        values = _values(answered)
        merit = merit_of(position, answered.made[0], values, is_lost=found == "loses")
        if merit is not None:
            return say("drill.right", result=reason_words(merit, position, say, drill.rival))
    places = moves_named(drill.problem.game, answered.made[:1], say)
    result = sentence(say(f"drill.result.{found}", places=places))
    return result if kind == "shown" else say("drill.right", result=result)


def _why_wrong(answered: Answered, say: Translator) -> str:
    """Why an answer is wrong; what is to be found is only named once it is missed again."""
    drill, at, line = answered.drill, answered.at, answered.line
    problem = drill.problem
    position, answers = problem.position(at.step), problem.steps[at.step].answers
    wins = [move for move in answers if wins_with(position, move)]
    if wins and answered.is_repeated and all(target(position, move) for move in wins):
        places = moves_named(problem.game, wins, say, among=True)
        return say("drill.why.missed_again", places=places)
    if wins:
        return say("drill.why.missed")
    values, found = _values(answered), _found(answered)
    keeps = values is None and found == "wins"
    made, game = problem.made(at.step), problem.game
    fault = fault_after(game, made, answered.made[0], values, keeps=keeps)
    if fault is not None and fault.kind in FIRST_TRY and not answered.is_repeated:
        return _of_rival(FIRST_TRY[fault.kind], drill, say)
    missed = drill.question(at.step).missed
    if missed and fault is not None and fault.kind in FORKS and not answered.is_repeated:
        return missed
    if fault is not None and fault.kind in ALLOWED:
        places = moves_named(problem.game, fault.moves, say)
        return _of_rival("drill.why.four", drill, say, places=places)
    if fault is not None and fault.kind not in BY_VALUE:
        return _inside(reason_words(fault, position, say, drill.rival, values=values))
    if missed:
        return missed
    if line is not None and len(line.moves) == SHORT:
        replied = position.play(line.moves[0])
        if wins_with(replied, line.moves[1]) and target(replied, line.moves[1]) is not None:
            places = moves_named(problem.game, line.moves[1:], say)
            return _of_rival("drill.why.four", drill, say, places=places)
    if fault is not None:
        return _inside(reason_words(fault, position, say, drill.rival))
    if line is None:
        return say("drill.why.unknown")
    return _of_rival(f"drill.why.{found}", drill, say)


def _inside(text: str) -> str:
    """A sentence after a colon."""
    return text[:1].lower() + text[1:]


def _values(answered: Answered) -> dict[Move, int] | None:
    """The proven values of all moves of a step; None if they are not known.

    Where only results are known, they are the signs of the values.
    """
    drill, step = answered.drill, answered.at.step
    problem, position = drill.problem, drill.problem.position(step)
    if step == 0 and drill.known:
        return {move: value.search(problem.solver) for move, value in drill.known.items()}
    results = {"wins": 1, "draws": 0, "loses": -1}
    made, found = answered.made[0], _found(answered)
    if step >= len(drill.only) or (answered.kind == "wrong" and found not in results):
        return None
    wins = drill.only[step] is ReasonKind.ONLY_WINS
    right, other = (1, 0) if wins else (0, -1)
    values = dict.fromkeys(position.legal_moves(), other)
    values |= dict.fromkeys(problem.steps[step].answers, right)
    return values | {made: results[found]} if answered.kind == "wrong" else values


def _of_rival(key: str, drill: Drill, say: Translator, **details: object) -> str:
    """A text about the other side."""
    own = f"{key}.{drill.rival}"
    return say(own if own in say.texts else key, **details)


def _found(answered: Answered) -> str:
    """The result of the first of the moves for the solver, as keys of texts name it."""
    problem, line, known = answered.drill.problem, answered.line, answered.known
    if line is not None and line.proven:
        outcome = replay(problem.game, (*problem.made(answered.at.step), *line.moves)).outcome
        assert outcome is not None, "a line that is proven goes to the end"
        is_four = len(line.moves) == 1 and outcome.winner is problem.solver
        return "four" if is_four else _result(problem, outcome.winner)
    return "seen" if known is None else _result(problem, known.winner)


def line_text(answered: Answered, line: Line, say: Translator) -> str:
    """The result of the first move of a line, its distance if it is near, and the line."""
    problem, step, known = answered.drill.problem, answered.at.step, answered.known
    play = play_words(problem.game, line.moves, say)
    found, count = _found(answered), 0
    if line.proven:
        outcome = replay(problem.game, (*problem.made(step), *line.moves)).outcome
        assert outcome is not None, "a line that is proven goes to the end"
        count = _moves_of(problem, step, line, outcome.winner)
    else:
        play = say("review.line_seen", line=play)
        if known is not None:
            count = moves_to_end(known.search(problem.solver), problem.position(step).ply)
    result = "wins" if found == "four" else found
    if result in ("wins", "loses") and count > MAX_NAMED:
        result = f"{result}_later"
    said = say(
        f"drill.more.{result}",
        places=moves_named(problem.game, line.moves[:1], say),
        count=say.count("moves", count),
        ahead=say.count("plies", line.depth),
    )
    return joined_lines(sentence(said), say("drill.line", line=play))


def _result(problem: Problem, winner: Player | None) -> str:
    """The result for the solver, as keys of texts name it."""
    if winner is None:
        return "draws"
    return "wins" if winner is problem.solver else "loses"


def _moves_of(problem: Problem, step: int, line: Line, player: Player | None) -> int:
    """The number of a player's moves in a line."""
    position, made = problem.position(step), 0
    for move in line.moves:
        made += position.to_move is player
        position = position.play(move)
    return made
