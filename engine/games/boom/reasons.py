"""Why a turn of BOOM was bad: a four that was missed, completed for the other, or left to them.

A turn is judged as a whole, since its two movements belong together. The reason is one against the
movement that was at fault: the first one if no second could have made up for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.game import Move, Player
from engine.core.reason import Reason, ReasonKind
from engine.games.boom.rules import BOOM, SIDE, BoomPosition
from engine.games.boom.threats import winning_movements, winning_pair


def turn_fault(start: BoomPosition, made: Sequence[Move]) -> tuple[int, Reason] | None:
    """Return the weightiest reason against a turn, and which movement was at fault, from 0.

    `made` are the legal movements of the turn that begins at `start`; the turn may still go on.
    """
    after = start
    for move in made:
        after = after.play(move)
    if _has_won(after, start.to_move):
        return None
    if _can_win(start, start.to_move):
        return _missed(start, made)
    if after.outcome is not None:
        return _completed(start, made, after)
    return _allowed(start, made, after)


def _missed(start: BoomPosition, made: Sequence[Move]) -> tuple[int, Reason] | None:
    """The player could win this turn; None if they still can."""
    mover, before = start.to_move, start
    for at, move in enumerate(made):
        after = before.play(move)
        if not _can_win(after, mover):
            ways = tuple(each for each in before.legal_moves() if _wins(before.play(each), mover))
            shortest = _shortest(start, made[:at], before)
            return at, Reason(ReasonKind.MISSED_TURN, shortest, instead=ways)
        before = after
    return None


def _shortest(start: BoomPosition, kept: Sequence[Move], last: BoomPosition) -> tuple[Move, ...]:
    """The shortest way to win a turn, if possible one that was still open at its `last` chance."""
    single = winning_movements(start)
    if single:
        return (_middle([each for each in single if each in winning_movements(last)] or single),)
    return (*kept, _middle(winning_movements(last))) if kept else winning_pair(start)


def _completed(
    start: BoomPosition, made: Sequence[Move], over: BoomPosition
) -> tuple[int, Reason] | None:
    """The player's bomb has left a four of the other one alone."""
    if made[-1] != BOOM or not _has_won(over, start.to_move.other):
        return None
    before = start
    for move in made[:-1]:
        before = before.play(move)
    others = tuple(move for move in before.legal_moves() if move != BOOM)
    found = Reason(ReasonKind.BOMB_COMPLETED, (BOOM,), instead=others)
    return (len(made) - 1, found) if others else None


def _allowed(
    start: BoomPosition, made: Sequence[Move], after: BoomPosition
) -> tuple[int, Reason] | None:
    """The other player can win in their next turn, and another turn would have stopped that."""
    if _is_safe(after, start.to_move):
        return None
    firsts = _safe_moves(start)
    if not firsts:
        return None
    at = 0 if made[0] not in firsts else 1
    before = start if at == 0 else start.play(made[0])
    instead = firsts if at == 0 else _safe_moves(before)
    chosen = _middle(instead)
    following = before.play(chosen)
    if following.to_move is start.to_move:
        turn = (*made[:at], chosen, _middle(_safe_moves(following)))
    else:
        turn = (*made[:at], chosen)
    return at, Reason(ReasonKind.ALLOWED_TURN, turn, instead=instead)


def _safe_moves(position: BoomPosition) -> tuple[Move, ...]:
    """The movements after which the turn can end with the other unable to win in the next one."""
    mover = position.to_move
    return tuple(move for move in position.legal_moves() if _is_safe(position.play(move), mover))


def _is_safe(position: BoomPosition, player: Player) -> bool:
    """Whether a player can end the turn, or has, so that the other cannot win in the next one."""
    if position.outcome is not None:
        return False
    if position.to_move is player:
        return any(_is_safe(position.play(move), player) for move in position.legal_moves())
    return not _can_win(position, player.other)


def _can_win(position: BoomPosition, player: Player) -> bool:
    """Whether it is a player's turn, and they can complete a line in what is left of it."""
    if position.outcome is not None or position.to_move is not player:
        return False
    return bool(winning_movements(position) or winning_pair(position))


def _wins(position: BoomPosition, player: Player) -> bool:
    """Whether a player has won, or still can in this turn."""
    return _has_won(position, player) or _can_win(position, player)


def _has_won(position: BoomPosition, player: Player) -> bool:
    """Whether the game is over with a line of a player."""
    over = position.outcome
    return over is not None and over.winner is player and bool(over.squares)


def _middle(moves: Iterable[Move]) -> Move:
    """The movement nearest to the middle; of two the left one."""
    return min(moves, key=lambda move: (abs(move - SIDE // 2), move))
