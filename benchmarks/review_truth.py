"""What is true about moves, by plain rules that share nothing with what is checked.

Boards are sets of squares, and every move, reply and turn is tried. Values come from a solver
without books.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any

from engine.core.game import Move, Player, Position, Square
from engine.core.reason import BY_VALUE, Reason, ReasonKind
from engine.core.registry import package_of
from engine.core.values import share_of
from engine.games.boom.rules import BOOM

PROVABLE = 10
"""Discs on 6x7 from which a proof without books is quick."""

Place = tuple[int, int]
"""Column and height from the bottom."""
Turn = tuple[Move, ...]


@cache
def lines(columns: int, rows: int) -> tuple[frozenset[Place], ...]:
    """All lines of four squares of a board."""
    every = product(range(columns), range(rows), ((0, 1), (1, 0), (1, 1), (1, -1)))
    found = [frozenset((c + i * a, r + i * b) for i in range(4)) for c, r, (a, b) in every]
    board = set(product(range(columns), range(rows)))
    return tuple(line for line in found if line <= board)


@dataclass(frozen=True)
class Board:
    """Squares with their owners; discs fall unless moves name squares."""

    columns: int
    rows: int
    falls: bool
    owners: dict[Place, Player]

    @classmethod
    def of(cls, position: Position) -> Board:
        """The board of a position."""
        cells = position.cells()
        owners = {
            (column, len(cells) - 1 - at): cell.owner
            for at, line in enumerate(cells)
            for column, cell in enumerate(line)
            if cell.owner is not None
        }
        return cls(len(cells[0]), len(cells), not position.game.row_names, owners)

    def put(self, place: Place, player: Player) -> Board:
        """The board with one more disc."""
        return Board(self.columns, self.rows, self.falls, {**self.owners, place: player})

    def empty(self) -> set[Place]:
        """All empty squares."""
        return set(product(range(self.columns), range(self.rows))) - self.owners.keys()

    def playable(self) -> set[Place]:
        """The squares that can be filled now."""
        if not self.falls:
            return self.empty()
        return {(c, r) for c, r in self.empty() if r == 0 or (c, r - 1) in self.owners}

    def every(self, player: Player) -> set[Place]:
        """The empty squares that complete a line for a player."""
        found = set()
        for line in lines(self.columns, self.rows):
            rest = [place for place in line if self.owners.get(place) is not player]
            if len(rest) == 1 and rest[0] not in self.owners:
                found.add(rest[0])
        return found

    def now(self, player: Player) -> set[Place]:
        """Those of them that can be filled now."""
        return self.every(player) & self.playable()

    def above(self, place: Place) -> Place | None:
        """The square right above, where discs fall."""
        return (place[0], place[1] + 1) if self.falls else None

    def safe(self, player: Player) -> set[Place]:
        """The moves after which the other cannot complete a line at once."""
        wins = self.now(player)
        every = self.playable()
        return {s for s in every if s in wins or not self.put(s, player).now(player.other)}

    def forks(self, player: Player) -> tuple[dict[Place, int], set[Place]]:
        """The moves that make several threats, with their number, and those that stack two."""
        pairs, stacks = dict[Place, int](), set[Place]()
        if self.now(player):
            return pairs, stacks
        for place in self.playable():
            after = self.put(place, player)
            wins = after.now(player)
            if not wins or after.now(player.other):
                continue
            if len(wins) > 1:
                pairs[place] = len(wins)
            elif after.above(min(wins)) in after.every(player):
                stacks.add(place)
        return pairs, stacks


def place_of(position: Position, move: Move) -> Place:
    """The square that a move fills."""
    ((square, _),) = position.changes(move).placed
    return square.column, len(position.cells()) - 1 - square.row


@dataclass(frozen=True)
class Case:
    """A move on a board."""

    position: Position
    move: Move
    board: Board
    place: Place

    @classmethod
    def of(cls, position: Position, move: Move) -> Case:
        """A move in a position."""
        return cls(position, move, Board.of(position), place_of(position, move))

    @property
    def player(self) -> Player:
        """Who makes the move."""
        return self.position.to_move

    @property
    def after(self) -> Board:
        """The board after it."""
        return self.board.put(self.place, self.player)

    def places(self, reason: Reason) -> set[Place]:
        """The squares that a reason's moves fill before the move."""
        return {place_of(self.position, move) for move in reason.moves}


def four_missed_or_allowed(case: Case) -> ReasonKind | None:
    """The first of the three plain mistakes that a move is, by its definition."""
    board, player, place = case.board, case.player, case.place
    wins, dangers = board.now(player), board.now(player.other)
    if wins:
        return None if place in wins else ReasonKind.MISSED_FOUR
    if dangers:
        (block, *others) = dangers
        if others or place == block or board.put(block, player).now(player.other):
            return None
        return ReasonKind.NOT_BLOCKED
    on_top = board.above(place) in case.after.now(player.other)
    return ReasonKind.STEPPED_BELOW if on_top and board.safe(player) else None


def holds_against(case: Case, reason: Reason) -> bool:
    """Whether a reason against a move is true, by its definition."""
    kind, board, player = reason.kind, case.board, case.player
    other, after, named = player.other, case.after, case.places(reason)
    pairs, stacks = board.forks(player)
    if kind in (ReasonKind.MISSED_FOUR, ReasonKind.NOT_BLOCKED, ReasonKind.STEPPED_BELOW):
        shown = {
            ReasonKind.MISSED_FOUR: board.now(player),
            ReasonKind.NOT_BLOCKED: board.now(other),
            ReasonKind.STEPPED_BELOW: {case.place},
        }
        return four_missed_or_allowed(case) is kind and named == shown[kind]
    if kind is ReasonKind.MISSED_PAIR:
        is_new = case.place not in pairs and case.place not in stacks
        return is_new and bool(named) and all(pairs.get(s) == reason.threats for s in named)
    if kind is ReasonKind.MISSED_STACK:
        return not pairs and case.place not in stacks and bool(named) and named <= stacks
    if board.now(player) or after.now(other):
        return False
    if kind in (ReasonKind.ALLOWED_PAIR, ReasonKind.ALLOWED_STACK):
        their_pairs, their_stacks = after.forks(other)
        is_pair = kind is ReasonKind.ALLOWED_PAIR
        theirs = {(move, place) for move, place in moves_after(case).items()}
        squares = {place for move, place in theirs if move in reason.moves}
        given = their_pairs.keys() if is_pair else their_stacks
        prevented = any(not any(board.put(s, player).forks(other)) for s in board.safe(player))
        return bool(squares) and squares <= given and (is_pair or not their_pairs) and prevented
    made = after.now(player)
    if len(made) != 1 or after.above(min(made)) in after.every(player):
        return False
    if kind is ReasonKind.FILLED_BELOW:
        return made == {board.above(case.place)} and made <= board.every(player)
    return (
        kind is ReasonKind.ONE_THREAT
        and {place for move, place in moves_after(case).items() if move in reason.moves} == made
    )


def moves_after(case: Case) -> dict[Move, Place]:
    """The other side's moves after the move, with the squares that they fill."""
    following = case.position.play(case.move)
    return {move: place_of(following, move) for move in following.legal_moves()}


def holds_for(case: Case, reason: Reason) -> bool:
    """Whether a reason in favour of a move is true, by its definition."""
    kind, board, player, after = reason.kind, case.board, case.player, case.after
    other, wins, dangers = player.other, board.now(player), board.now(player.other)
    if kind is ReasonKind.FOUR:
        return case.place in wins
    if kind in (ReasonKind.PAIR, ReasonKind.STACK):
        pairs, stacks = board.forks(player)
        is_pair = pairs.get(case.place) == reason.threats == len(after.now(player))
        return is_pair if kind is ReasonKind.PAIR else case.place in stacks
    if kind is ReasonKind.BLOCKED:
        return bool(dangers) and not after.now(other)
    if kind is ReasonKind.ONLY_SAFE:
        return not wins and board.safe(player) == {case.place} and len(board.playable()) > 1
    if kind in (ReasonKind.NO_SAFE_MOVE, ReasonKind.WAIT):
        stuck = not wins and not after.now(other) and not after.safe(other)
        is_new = bool(after.every(player) - board.every(player))
        quiet = not dangers and not after.now(player) and not is_new
        many = len(after.playable()) > 1
        return (
            stuck
            and bool(after.playable())
            and (kind is ReasonKind.NO_SAFE_MOVE or (quiet and many))
        )
    square = square_place(case, reason.square)
    if kind is ReasonKind.FOLLOW_UP:
        return falls_to(after, player, square)
    new = after.every(player) - board.every(player)
    below = (square[0], square[1] - 1)
    suits = board.rows % 2 == 0 and (square[1] % 2 == 0) is (player is Player.FIRST)
    return (
        kind is ReasonKind.WAITING
        and square in new - after.playable()
        and below not in after.every(other)
        and not after.now(other)
        and reason.is_suited is suits
    )


def square_place(case: Case, square: Square | None) -> Place:
    """The place of a reason's square."""
    return (-1, -1) if square is None else (square.column, case.board.rows - 1 - square.row)


def falls_to(after: Board, player: Player, square: Place) -> bool:
    """Whether the other has to play below a square if the player answers on top of every disc."""
    column, height = square
    empty = {c: sorted(r for e, r in after.empty() if e == c) for c in range(after.columns)}
    below = [r for r in empty[column] if r < height]
    if square not in after.every(player) or len(below) % 2 == 0:
        return False
    if any(len(free) % 2 for c, free in empty.items() if c != column):
        return False
    theirs = {place for place, owner in after.owners.items() if owner is player.other}
    for c, free in empty.items():
        theirs |= {(c, r) for r in (below if c == column else free)[::2]}
    return not any(line <= theirs for line in lines(after.columns, after.rows))


def turns(position: Position, made: Turn = ()) -> Iterator[tuple[Turn, Position]]:
    """Every whole turn from a position, and where it leads."""
    for move in position.legal_moves():
        following, turn = position.play(move), (*made, move)
        if following.outcome is None and following.to_move is position.to_move:
            yield from turns(following, turn)
        else:
            yield turn, following


def has_won(position: Position, player: Player) -> bool:
    """Whether a player has completed a line."""
    over = position.outcome
    return over is not None and over.winner is player and bool(over.squares)


def fours(position: Position) -> Iterator[Turn]:
    """The turns with which the player to move completes a line."""
    return (turn for turn, end in turns(position) if has_won(end, position.to_move))


def stops(position: Position, turn: Turn) -> bool:
    """Whether the game goes on after a turn, and the other cannot complete a line in theirs."""
    for move in turn:
        position = position.play(move)
    return position.outcome is None and next(fours(position), None) is None


def fault_of_turn(start: Position, turn: Turn) -> ReasonKind | None:
    """The first kind of reason that holds about a whole turn of BOOM."""
    end, mover = start, start.to_move
    for move in turn:
        end = end.play(move)
    if has_won(end, mover):
        return None
    if next(fours(start), None) is not None:
        return ReasonKind.MISSED_TURN
    if end.outcome is not None:
        is_own = turn[-1] == BOOM and has_won(end, mover.other)
        return ReasonKind.BOMB_COMPLETED if is_own else None
    if next(fours(end), None) is None:
        return None
    return ReasonKind.ALLOWED_TURN if any(stops(start, one) for one, _ in turns(start)) else None


def holds_of_turn(
    start: Position, turn: Turn, at: int, reason: Reason, kind: ReasonKind | None
) -> bool:
    """Whether the reason against a turn is the first that holds, and names what it says."""
    if reason.kind is not kind:
        return False
    if kind is ReasonKind.MISSED_TURN:
        every = list(fours(start))
        shortest = min(map(len, every))
        right = {way[at] for way in every if way[:at] == turn[:at]}
        return (
            reason.moves in every and len(reason.moves) == shortest and set(reason.instead) == right
        )
    if kind is ReasonKind.ALLOWED_TURN:
        return stops(start, reason.moves) and reason.moves[at] in reason.instead
    return turn[at] == BOOM and BOOM not in reason.instead


def holds(case: Case, reason: Reason) -> bool | None:
    """Whether a reason about a move holds; None for values that take too long to prove."""
    if reason.kind in BY_VALUE:
        return holds_by_value(case, reason)
    if reason.kind in IN_FAVOUR:
        return holds_for(case, reason)
    return holds_against(case, reason)


IN_FAVOUR = {*ReasonKind} & {
    *(ReasonKind.FOUR, ReasonKind.PAIR, ReasonKind.STACK, ReasonKind.WAIT),
    *(ReasonKind.NO_SAFE_MOVE, ReasonKind.BLOCKED, ReasonKind.ONLY_SAFE),
    *(ReasonKind.FOLLOW_UP, ReasonKind.WAITING),
}


@lru_cache(maxsize=16)
def values_of(position: Any) -> Mapping[Move, int] | None:
    """The values of all moves by a solver without books; None where that takes too long."""
    game = position.game
    if game.variant == "6x7" and position.ply < PROVABLE:
        return None
    solver = package_of(game).solver(game, all_books=False)
    found = None if solver is None else solver.values(position, seconds=30.0)
    return None if found is None else found.scores


def holds_by_value(case: Case, reason: Reason) -> bool | None:
    """The same for what is said of values, by a solver without books."""
    position: Any = case.position
    values = values_of(position)
    if values is None:
        return None
    made = values[case.move]
    best = max(values.values())
    result, top = share_of(made), share_of(best)
    is_only = len(values) > 1 and [m for m in values if share_of(values[m]) == top] == [case.move]
    return {
        ReasonKind.ONLY_WINS: is_only and top == 1,
        ReasonKind.ONLY_HOLDS: is_only and top == 0.5,
        ReasonKind.WIN_GONE: top == 1 and result == 0.5,
        ReasonKind.NOW_LOST: top > 0 and result == 0,
        ReasonKind.WINS_LATER: top == result == 1 and made < best,
        ReasonKind.LOSES_SOONER: top == result == 0 and made < best,
    }[reason.kind]
