"""What a move prepares, as plain values, and the rules that derive it from a board.

A plan says what a move leads to where it makes nothing yet that a `Reason` could name. Like reasons
it follows from the board alone: it states what the player, or the other, could do with one disc
more, or a series of blocks that are forced. It promises nothing about the result. Games whose
squares are filled once and for all share the rules here; threats are those of `engine.core.reason`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from engine.core.boards import bits_in, has_several
from engine.core.game import Move, Player, Square
from engine.core.reason import Placement, Side, pairs, stacks

MOST_FORCED = 4
"""The longest series of forced blocks that is looked for; longer ones are no plan for a person."""


class PlanKind(StrEnum):
    """What a plan says about a player's move. `moves` are those of `Plan.moves`."""

    FORCE_PAIR = "force_pair"
    """The other has to block with `Plan.block`, and perhaps some more of the player's threats; then
    any one of `moves` makes several threats at once."""
    FORCE_STACK = "force_stack"
    """The same with one threat right above the other."""
    BUILDS_PAIR = "builds_pair"
    """With one more move, which is any one of `moves`, the player would have several threats."""
    BUILDS_STACK = "builds_stack"
    """The same with one threat right above the other."""
    PREVENTS = "prevents"
    """The other could have made two threats at once, and cannot next."""
    BUILDS_WAITING = "builds_waiting"
    """With one more move the player would have a waiting threat on `square`."""
    DENIES = "denies"
    """On the square of the move the other would have got a threat on `square`."""
    MOST_LINES = "most_lines"
    """More of the lines that the player may still complete go through this square than through any
    other that can be filled."""


FORCED = (PlanKind.FORCE_PAIR, PlanKind.FORCE_STACK)
"""The plans that leave the other no choice."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One statement about what a move prepares."""

    kind: PlanKind
    moves: tuple[Move, ...] = ()
    square: Square | None = None
    block: Move | None = None
    """The first move of the other in a series of forced blocks."""
    blocks: int = 0
    """How many blocks are forced."""
    is_suited: bool = False
    """Of a waiting threat: whether its row usually suits the player."""


def plans_on(before: Side, square: int, player: Player) -> tuple[Plan, ...]:
    """Return what the move of a player onto a square prepares, the weightiest first.

    `before` is the board before the move, as the player sees it, of a game that is not over. There
    is no plan while a side can complete a line, except the player after a move that forces a
    block.
    """
    return tuple(_Rules(before, square, player).plans())


def favoured(first: Side) -> Player | None:
    """Return the player whose waiting threats usually decide a full board; None for neither.

    `first` is the board as the first player sees it. After Allis' rules of odd and even threats:
    the first player, if they have more columns with an odd threat than the second; otherwise the
    second, if they have an even threat. Only the lowest waiting threat of a column counts. Known
    for boards with an even number of rows alone.
    """
    if first.rows % 2:
        return None
    odd = {Player.FIRST: set[int](), Player.SECOND: set[int]()}
    even = {Player.FIRST: set[int](), Player.SECOND: set[int]()}
    for column, player, height in _lowest(first):
        (odd if height % 2 else even)[player].add(column)
    if len(odd[Player.FIRST]) > len(odd[Player.SECOND]):
        return Player.FIRST
    return Player.SECOND if even[Player.SECOND] else None


def _lowest(first: Side) -> Iterator[tuple[int, Player, int]]:
    """Yield the lowest waiting threat of each column: its column, its player, and its height."""
    lowest = dict[int, tuple[int, Player]]()
    for side, player in ((first, Player.FIRST), (first.swapped, Player.SECOND)):
        for square in bits_in(side.threats & ~side.playable):
            place = side.place_of(square)
            height = side.rows - place.row
            known = lowest.get(place.column)
            # On one square of both, the player whom its row suits gets it.
            suits = (height % 2 == 1) is (player is Player.FIRST)
            if known is None or height < known[0] or (height == known[0] and suits):
                lowest[place.column] = height, player
    for column, (height, player) in lowest.items():
        yield column, player, height


class _Rules(Placement):
    """The rules, for one move."""

    def plans(self) -> Iterator[Plan]:
        """The plans of the move, the weightiest first."""
        before, after = self.before, self.after
        if before.wins or before.swapped.wins or after.swapped.wins or not after.playable:
            return
        has_fork = pairs(before) | stacks(before)
        if not has_fork:
            yield from self._forced()
        if after.wins:
            return
        if not has_fork:
            yield from self._built()
        their = before.swapped
        if pairs(their) | stacks(their) and not pairs(after.swapped) | stacks(after.swapped):
            yield Plan(PlanKind.PREVENTS)
        yield from self._waiting()
        yield from self._denied()
        yield from self._lines()

    def _forced(self) -> Iterator[Plan]:
        """The shortest series of blocks after which the player makes two threats at once."""
        for most in range(1, MOST_FORCED + 1):
            found = _forced_fork(self.after, most)
            if found is not None:
                kind, forks = found
                block = self.before.move_onto(self.after.wins)
                yield Plan(kind, self._moves(forks), block=block, blocks=most)
                return

    def _built(self) -> Iterator[Plan]:
        after = self.after
        if (paired := pairs(after)) != 0:
            yield Plan(PlanKind.BUILDS_PAIR, self._moves(paired))
        elif (stacked := stacks(after)) != 0:
            yield Plan(PlanKind.BUILDS_STACK, self._moves(stacked))

    def _waiting(self) -> Iterator[Plan]:
        """The best waiting threat that one more move makes, and did not make before this one."""
        before, after = self.before, self.after
        made = 0
        for square in bits_in(after.playable):
            later = after.after(square)
            new = later.threats & ~after.threats & ~later.playable & ~after.above(square)
            if square & before.playable:
                new &= ~before.after(square).threats
            made |= new & ~(after.swapped.threats << 1)
        if made:
            best = min(bits_in(made), key=lambda one: (not self.suits(one), self.height(one)))
            place = after.place_of(best)
            yield Plan(PlanKind.BUILDS_WAITING, square=place, is_suited=self.suits(best))

    def _denied(self) -> Iterator[Plan]:
        their = self.before.swapped
        made = their.after(self.square).threats & ~their.threats & ~self.square
        if made:
            lowest = min(bits_in(made), key=self.height)
            yield Plan(PlanKind.DENIES, square=self.before.place_of(lowest))

    def _lines(self) -> Iterator[Plan]:
        counts = {one: self.before.lines_through(one) for one in bits_in(self.before.playable)}
        own = counts.pop(self.square)
        if counts and own > max(counts.values()):
            yield Plan(PlanKind.MOST_LINES)

    def _moves(self, squares: int) -> tuple[Move, ...]:
        return tuple(self.before.move_onto(each) for each in bits_in(squares))


def _forced_fork(after: Side, blocks: int) -> tuple[PlanKind, int] | None:
    """The moves that make two threats at once after exactly this many forced blocks.

    `after` is the board as the player sees it who just moved; the other cannot complete a line.
    """
    wins = after.wins
    if not wins or has_several(wins) or after.swapped.wins:
        return None
    here = after.swapped.after(wins).swapped
    if here.wins or here.swapped.wins:
        return None
    if blocks == 1:
        if (paired := pairs(here)) != 0:
            return PlanKind.FORCE_PAIR, paired
        stacked = stacks(here)
        return (PlanKind.FORCE_STACK, stacked) if stacked else None
    found = (_forced_fork(here.after(square), blocks - 1) for square in bits_in(here.playable))
    return next((one for one in found if one is not None), None)
