"""What an advised move prepares, in words: a clue to it, and the reason for it."""

from __future__ import annotations

from bot.features.hints.rival import how_called, of_opponent, squares_named
from bot.features.hints.rules import Hint
from bot.i18n import Translator
from bot.show.moves import moves_named
from bot.show.reasons import reason_words
from bot.show.scenes import Names
from engine.core.game import Square
from engine.core.plan import FORCED, Plan
from engine.core.reason import ReasonKind
from engine.core.registry import package_of
from engine.study.advice import AT_ONCE, LATER, effects_of, plan_of
from engine.study.reasons import merit_of, named_move


def plan_clue(plan: Plan, hint: Hint, names: Names, say: Translator) -> str:
    """What the advised move prepares, without naming it or a square."""
    said = of_opponent(f"hint.plan.{_called(plan)}.clue", hint.session, names, say)
    return f"{said} {_row(plan.square, hint, say)}" if plan.is_suited else said


def waiting_clue(hint: Hint, say: Translator) -> str | None:
    """That the advised move makes a waiting threat; None if it makes none."""
    found = merit_of(hint.session.position, hint.result.move, among=(ReasonKind.WAITING,))
    return None if found is None else say("hint.plan.waiting.clue")


def merit_words(hint: Hint, names: Names, say: Translator) -> str | None:
    """What the advised move makes at once, or forces; None for nothing."""
    session, move = hint.session, hint.result.move
    found = merit_of(session.position, move, among=AT_ONCE)
    if found is not None:
        return reason_words(found, session.position, say, *how_called(session, names, say))
    plan = plan_of(session.position, move)
    return _plan_words(plan, hint, names, say) if plan and plan.kind in FORCED else None


def later_words(hint: Hint, names: Names, say: Translator) -> str | None:
    """What the advised move makes or prepares for later; None for nothing."""
    session, move = hint.session, hint.result.move
    if package_of(session.game).reasons is None:
        effect = next(effects_of(session.position, move), None)
        return effect and of_opponent(f"hint.effect.{effect}", session, names, say)
    found = merit_of(session.position, move, among=LATER)
    if found is not None:
        return reason_words(found, session.position, say, *how_called(session, names, say))
    plan = plan_of(session.position, move)
    return None if plan is None else _plan_words(plan, hint, names, say)


def _plan_words(plan: Plan, hint: Hint, names: Names, say: Translator) -> str:
    """What the advised move prepares."""
    session, details = hint.session, dict[str, str]()
    if plan.moves:
        move = named_move(session.position, plan.moves)
        details["places"] = moves_named(session.game, [move], say)
    if plan.block is not None:
        details["block"] = moves_named(session.game, [plan.block], say)
    if plan.square is not None:
        details["square"] = squares_named(session, [plan.square], say)
    said = of_opponent(f"hint.plan.{_called(plan)}.why", session, names, say, **details)
    return f"{said} {_row(plan.square, hint, say)}" if plan.is_suited else said


def _called(plan: Plan) -> str:
    """How keys of texts name a plan: a long series of blocks is called that."""
    return "force_long" if plan.blocks > 1 else plan.kind


def _row(square: Square | None, hint: Hint, say: Translator) -> str:
    """Whom the row of a waiting threat suits."""
    assert square is not None, "only waiting threats suit somebody"
    is_odd = (len(hint.session.position.cells()) - square.row) % 2 == 1
    return say(f"reason.row.{'odd' if is_odd else 'even'}")
