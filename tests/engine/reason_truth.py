"""The reasons for and against moves by enumeration, on the plain boards of `threat_truth`.

Each statement is written out as docs/hints.md has it, with sets of squares and all moves tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.game import Move, Player, Position, Square, target
from engine.core.reason import Reason, ReasonKind
from tests.engine.threat_truth import Grid


@dataclass(frozen=True)
class Case:
    """A move of a player on a board."""

    grid: Grid
    player: Player
    square: Square
    is_gato: bool

    @property
    def other(self) -> Player:
        """The opponent."""
        return self.player.other

    @property
    def after(self) -> Grid:
        """The board after the move."""
        return self.grid.put(self.square, self.player)

    def moves(self, squares: set[Square]) -> tuple[Move, ...]:
        """The moves onto squares, from the left."""
        size = len(self.grid.cells[0])
        return tuple(
            sorted(Move(s.row * size + s.column if self.is_gato else s.column) for s in squares)
        )

    def reason(self, kind: ReasonKind, squares: set[Square], threats: int = 2) -> Reason:
        """A reason that names moves."""
        return Reason(kind, self.moves(squares), threats=threats)


def all_threats(grid: Grid, player: Player) -> set[Square]:
    """Every empty square that completes a line for a player."""
    return {square for square in grid.empty() if grid.completes(square, player)}


def over(square: Square) -> Square:
    """The square right above; outside the board in the top row."""
    return Square(square.row - 1, square.column)


def safe(grid: Grid, player: Player) -> set[Square]:
    """The player's moves after which the other cannot complete a line at once."""
    return {
        square
        for square in grid.playable()
        if grid.completes(square, player) or not grid.put(square, player).wins(player.other)
    }


def forks(grid: Grid, player: Player) -> tuple[dict[Square, int], set[Square]]:
    """The moves that make threats side by side, with their number, and one above another."""
    pairs, stacks = dict[Square, int](), set[Square]()
    if grid.wins(player):
        return pairs, stacks
    for square in grid.playable():
        made = grid.put(square, player)
        wins = made.wins(player)
        if made.wins(player.other):
            continue
        if len(wins) >= 2:
            pairs[square] = len(wins)
        elif len(wins) == 1 and grid.falls:
            (win,) = wins
            if over(win) in all_threats(made, player):
                stacks.add(square)
    return pairs, stacks


def against(case: Case) -> Iterator[Reason]:
    """Every reason against a move, in the order of their weight."""
    before, after, own, other = case.grid, case.after, case.player, case.other
    wins, dangers = before.wins(own), before.wins(other)
    if case.square in wins:
        return
    if wins:
        yield case.reason(ReasonKind.MISSED_FOUR, wins)
        return
    if len(dangers) == 1 and case.square not in dangers:
        (block,) = dangers
        if not before.put(block, own).wins(other):
            yield case.reason(ReasonKind.NOT_BLOCKED, dangers)
    if (
        not dangers
        and before.falls
        and over(case.square) in after.wins(other)
        and safe(before, own)
    ):
        yield case.reason(ReasonKind.STEPPED_BELOW, {case.square})
    pairs, stacks = forks(before, own)
    if pairs and case.square not in pairs and case.square not in stacks:
        most = max(pairs.values())
        best = {square for square, count in pairs.items() if count == most}
        yield case.reason(ReasonKind.MISSED_PAIR, best, most)
    if not pairs and stacks and case.square not in stacks:
        yield case.reason(ReasonKind.MISSED_STACK, stacks)
    if after.wins(other):
        return
    their_pairs, their_stacks = forks(after, other)
    others = [forks(before.put(each, own), other) for each in safe(before, own)]
    if any(not pair and not stack for pair, stack in others):
        if their_pairs:
            yield case.reason(ReasonKind.ALLOWED_PAIR, set(their_pairs))
        elif their_stacks:
            yield case.reason(ReasonKind.ALLOWED_STACK, their_stacks)
    made = after.wins(own)
    if len(made) == 1:
        (win,) = made
        if not before.falls or over(win) not in all_threats(after, own):
            is_own = before.falls and win == over(case.square)
            if is_own and win in all_threats(before, own):
                yield case.reason(ReasonKind.FILLED_BELOW, {case.square})
            yield case.reason(ReasonKind.ONE_THREAT, made)


def in_favour(case: Case) -> Iterator[Reason]:
    """Every reason in favour of a move, in the order of their weight."""
    before, after, own, other = case.grid, case.after, case.player, case.other
    wins, dangers, replies = before.wins(own), before.wins(other), after.playable()
    if case.square in wins:
        yield case.reason(ReasonKind.FOUR, {case.square})
        return
    if not replies:
        return
    pairs, stacks = forks(before, own)
    if case.square in pairs:
        yield case.reason(ReasonKind.PAIR, after.wins(own), pairs[case.square])
    if case.square in stacks:
        yield case.reason(ReasonKind.STACK, after.wins(own))
    if not wins and not after.wins(other) and not safe(after, other):
        new = all_threats(after, own) - all_threats(before, own)
        if not dangers and not after.wins(own) and not new and len(replies) >= 2:
            yield case.reason(ReasonKind.WAIT, {case.square})
        yield case.reason(ReasonKind.NO_SAFE_MOVE, {case.square})
    if dangers and not after.wins(other):
        yield case.reason(ReasonKind.BLOCKED, {case.square})
    elif not wins and len(before.playable()) >= 2 and safe(before, own) == {case.square}:
        yield case.reason(ReasonKind.ONLY_SAFE, {case.square})
    if before.falls:
        yield from _for_later(case)


def _for_later(case: Case) -> Iterator[Reason]:
    before, after, own, other = case.grid, case.after, case.player, case.other
    target = follow_up(after, own)
    if target is not None:
        yield Reason(ReasonKind.FOLLOW_UP, square=target)
    new = all_threats(after, own) - all_threats(before, own) - set(after.playable())
    theirs = all_threats(after, other)
    lasting = [s for s in new if Square(s.row + 1, s.column) not in theirs]
    if lasting and not after.wins(other):
        lowest = min(lasting, key=lambda s: (-s.row, s.column))
        rows = len(after.cells)
        is_odd = (rows - lowest.row) % 2 == 1
        suits = rows % 2 == 0 and is_odd == (own is Player.FIRST)
        yield Reason(ReasonKind.WAITING, square=lowest, is_suited=suits)


def follow_up(grid: Grid, own: Player) -> Square | None:
    """The square that falls to a player who answers every disc on top; None if that is unproven."""
    columns = range(len(grid.cells[0]))
    empty = {c: [s for s in sorted(grid.empty(), reverse=True) if s.column == c] for c in columns}
    for column in columns:
        if any(len(empty[c]) % 2 for c in columns if c != column):
            continue
        for below, square in enumerate(empty[column]):
            if below % 2 == 0 or not grid.completes(square, own):
                continue
            theirs = grid
            for c in columns:
                for s in (empty[c][:below] if c == column else empty[c])[::2]:
                    theirs = theirs.put(s, own.other)
            if not has_four(theirs, own.other):
                return square
    return None


def has_four(grid: Grid, player: Player) -> bool:
    """Whether a player has four in line."""
    rows, columns = len(grid.cells), len(grid.cells[0])
    squares = (Square(r, c) for r in range(rows) for c in range(columns))
    return any(grid.at(s) == player and grid.completes(s, player) for s in squares)


def case_of(position: Position, move: Move) -> Case:
    """A legal move on the board of a position."""
    square = target(position, move)
    assert square is not None, "the move places a disc"
    return Case(Grid.of(position), position.to_move, square, position.game.key == "gato")
