"""What moves prepare, by enumeration, on the plain boards of `threat_truth`.

Each plan is written out with sets of squares; every move is tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.game import Player, Square
from engine.core.plan import MOST_FORCED, Plan, PlanKind
from tests.engine.reason_truth import Case, all_threats, forks, over
from tests.engine.threat_truth import Grid


def plans(case: Case) -> Iterator[Plan]:
    """The plans of a move, the weightiest first."""
    grid, after, player, other = case.grid, case.after, case.player, case.other
    if grid.wins(player) or grid.wins(other) or after.wins(other) or not after.playable():
        return
    pairs, stacks = forks(grid, player)
    if not pairs and not stacks:
        yield from _forced(case)
    if after.wins(player):
        return
    later, later_stacks = forks(after, player)
    if not pairs and not stacks and later:
        yield Plan(PlanKind.BUILDS_PAIR, case.moves(set(later)))
    elif not pairs and not stacks and later_stacks:
        yield Plan(PlanKind.BUILDS_STACK, case.moves(later_stacks))
    if any(forks(grid, other)) and not any(forks(after, other)):
        yield Plan(PlanKind.PREVENTS)
    yield from _waiting(case)
    would = all_threats(grid.put(case.square, other), other) - all_threats(grid, other)
    if would:
        yield Plan(PlanKind.DENIES, square=_lowest(would))
    counts = {one: open_lines(grid, one, player) for one in grid.playable()}
    own = counts.pop(case.square)
    if counts and own > max(counts.values()):
        yield Plan(PlanKind.MOST_LINES)


def _forced(case: Case) -> Iterator[Plan]:
    for blocks in range(1, MOST_FORCED + 1):
        found = list(_after_blocks(case.after, case.player, blocks))
        if found:
            kind, squares = found[0]
            (block,) = case.after.wins(case.player)
            (move,) = case.moves({block})
            yield Plan(kind, case.moves(squares), block=move, blocks=blocks)
            return


def _after_blocks(
    after: Grid, player: Player, blocks: int
) -> Iterator[tuple[PlanKind, set[Square]]]:
    """The forks after exactly this many blocks, in the order of the first moves that differ."""
    wins = after.wins(player)
    if len(wins) != 1 or after.wins(player.other):
        return
    here = after.put(next(iter(wins)), player.other)
    if here.wins(player) or here.wins(player.other):
        return
    if blocks > 1:
        for square in sorted(here.playable(), key=lambda one: (one.column, -one.row)):
            yield from _after_blocks(here.put(square, player), player, blocks - 1)
        return
    pairs, stacks = forks(here, player)
    if pairs:
        yield PlanKind.FORCE_PAIR, set(pairs)
    elif stacks:
        yield PlanKind.FORCE_STACK, stacks


def _waiting(case: Case) -> Iterator[Plan]:
    """The threats that cannot be played, of all that one more move makes."""
    after, player = case.after, case.player
    made = set[Square]()
    for square in after.playable():
        later = after.put(square, player)
        new = all_threats(later, player) - all_threats(after, player) - set(later.playable())
        new.discard(over(square))
        if square in case.grid.playable():
            new -= all_threats(case.grid.put(square, player), player)
        made |= {
            one
            for one in new
            if not (after.at(under(one)) == 0 and after.completes(under(one), player.other))
        }
    if made:
        suited = {one for one in made if _suits(one, case)}
        best = _lowest(suited or made)
        yield Plan(PlanKind.BUILDS_WAITING, square=best, is_suited=bool(suited))


def under(square: Square) -> Square:
    """The square right below."""
    return Square(square.row + 1, square.column)


def _suits(square: Square, case: Case) -> bool:
    rows = len(case.grid.cells)
    is_odd = (rows - square.row) % 2 == 1
    return rows % 2 == 0 and is_odd is (case.player is Player.FIRST)


def _lowest(squares: set[Square]) -> Square:
    """The lowest square, and of several the left one."""
    return min(squares, key=lambda one: (-one.row, one.column))


def open_lines(grid: Grid, square: Square, player: Player) -> int:
    """The number of fours through an empty square that have no stone of the other player."""
    found = 0
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for start in range(-3, 1):
            places = [
                Square(square.row + down * (start + n), square.column + right * (start + n))
                for n in range(4)
            ]
            stones = [grid.at(place) for place in places]
            found += all(stone is not None and stone != player.other for stone in stones)
    return found
