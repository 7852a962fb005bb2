"""Themes of puzzles: what a solution uses, found by rules from its positions alone.

Every rule looks at the board before and after the moves that are asked, without a search. Below, P
is the position before such a move, Q the one after it, the *solver* is who has to find the moves,
and a *four* is a line that a move completes. docs/puzzles.md lists the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from engine.core.game import Move, Player, Position, wins_with
from engine.core.problem import Problem
from engine.core.reason import ReasonKind
from engine.core.registry import package_of
from engine.core.search import from_the_middle
from engine.core.threat import ThreatKind


class Theme(StrEnum):
    """What a puzzle trains, in the order in which players are offered it."""

    WIN_IN_TWO = "win_in_two"
    """The solver's second move completes a four against every reply."""
    FORK = "fork"
    """A move after which the solver threatens a four and completes one after every reply; the other
    side has none. So there are several threats, or one right above another."""
    TEMPO = "tempo"
    """A move that threatens exactly one four; the reply blocks it, and another move is asked."""
    DEFENCE = "defence"
    """The only moves that do not lose."""
    ODD_THREAT = "odd_threat"
    """On a board with an even number of rows, the player who began makes a threat that cannot be
    played yet, the lowest of those new ones in an odd row. The other side has no four, and none on
    the square right below."""
    CLAIMEVEN = "claimeven"
    """A move after which it is proven that answering every move right on top wins: in the end the
    other side has to play below the solver's threat (the threats of Connect 4 have the proof)."""
    ZUGZWANG = "zugzwang"
    """A move that leaves no four to be played by either side at once, but after every reply the
    solver completes one."""


def themes_of(problem: Problem, *, is_defence: bool, forced: int) -> tuple[Theme, ...]:
    """Return the themes of a puzzle, in the order of `Theme`.

    `forced` is the number of the solver's moves until a four, as `forced_moves` returns it.
    """
    found = set(_of_moves(problem))
    if forced == 2:
        found.add(Theme.WIN_IN_TWO)
    if is_defence:
        found.add(Theme.DEFENCE)
    return tuple(theme for theme in Theme if theme in found)


_BY_REASON = {
    ReasonKind.PAIR: Theme.FORK,
    ReasonKind.STACK: Theme.FORK,
    ReasonKind.FOLLOW_UP: Theme.CLAIMEVEN,
}
"""The themes that are reasons in favour of a move."""


def _of_moves(problem: Problem) -> Iterator[Theme]:
    """The themes of the single moves."""
    for number, step in enumerate(problem.steps):
        before, move = problem.position(number), step.answers[0]
        package, after = package_of(before), before.play(move)
        if package.reasons is None or after.outcome is not None:
            continue
        began = before.to_move is Player.FIRST
        for reason in package.reasons_about(before, move).in_favour:
            if reason.kind in _BY_REASON:
                yield _BY_REASON[reason.kind]
            if reason.kind is ReasonKind.WAITING and reason.is_suited and began:
                yield Theme.ODD_THREAT  # the rows that suit the player who began are the odd ones
            if reason.kind is ReasonKind.NO_SAFE_MOVE and not _fours(after, before.to_move):
                yield Theme.ZUGZWANG
        if step.replies and _fours(after, before.to_move) == step.replies:
            yield Theme.TEMPO


def _fours(position: Position, player: Player) -> tuple[Move, ...]:
    """The moves with which a player who is not to move would complete a line if they were."""
    for threat in package_of(position).threats_in(position):
        is_theirs = threat.player is player
        if is_theirs and threat.kind in (ThreatKind.THREAT, ThreatKind.DOUBLE):
            return threat.moves
    return ()


def forced_moves(end: Position, solver: Player, asked: int) -> int:
    """Return the number of the solver's moves until a four, if a line leads to one; otherwise 0.

    The line asks `asked` moves. It leads to a four if the last of them completes one, or if the
    solver can complete one at once after every reply to it; that move counts, too.
    """
    if end.outcome is not None:
        return asked if end.outcome.winner is solver else 0
    if end.to_move is solver:
        return asked + 1 if _completing(end) else 0
    replies = [end.play(move) for move in end.legal_moves()]
    is_lost = all(
        after.outcome is None and after.to_move is solver and _completing(after)
        for after in replies
    )
    return asked + 1 if is_lost else 0


def finish_of(end: Position, solver: Player) -> tuple[Move, ...]:
    """Return a reply and the move that completes a four, where the end of a line shows no four yet.

    Empty if the solver's last move completes a four or threatens one, and for lines that lead to
    none. A person may not see the win where every reply loses but nothing is threatened.
    """
    is_others_turn = end.outcome is None and end.to_move is not solver
    if not is_others_turn or not forced_moves(end, solver, 0) or _fours(end, solver):
        return ()
    reply = from_the_middle(end)[0]
    return reply, _completing(end.play(reply))[0]


def _completing(position: Position) -> list[Move]:
    """The moves with which the player to move completes a line at once."""
    return [move for move in position.legal_moves() if wins_with(position, move)]
