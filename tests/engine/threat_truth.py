"""The truth about threats by enumeration: nothing here shares code with what is checked.

Boards are read from `Position.cells`, lines are found square by square, and every statement about
moves is tried: every move, every reply, and for zugzwang every order of play to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from typing import Any

from engine.core.game import Move, Player, Position, Square, target
from engine.core.threat import Threat, ThreatKind
from engine.games.boom.rules import BoomPosition, mover_of

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Cells = tuple[tuple[int, ...], ...]
"""Rows from the top, 0 for an empty square."""


@dataclass(frozen=True)
class Grid:
    """A board on which either side may put a stone at any time."""

    cells: Cells
    falls: bool
    """Whether stones fall."""

    @classmethod
    def of(cls, position: Position) -> Grid:
        """The board of a position; bombs are stones."""
        cells = tuple(tuple(int(c.owner or 0) for c in row) for row in position.cells())
        return cls(cells, position.game.key != "gato")

    def at(self, square: Square) -> int | None:
        """The player on a square; None outside the board."""
        row, column = square
        if not (0 <= row < len(self.cells) and 0 <= column < len(self.cells[0])):
            return None
        return self.cells[row][column]

    def empty(self) -> list[Square]:
        """All empty squares."""
        rows, columns = range(len(self.cells)), range(len(self.cells[0]))
        return [Square(r, c) for r in rows for c in columns if self.cells[r][c] == 0]

    def playable(self) -> list[Square]:
        """The squares on which a stone can be put now."""
        return [s for s in self.empty() if not self.falls or self.at(below(s)) != 0]

    def put(self, square: Square, player: Player) -> Grid:
        """The board with one more stone."""
        row = list(self.cells[square.row])
        row[square.column] = int(player)
        rows = (*self.cells[: square.row], tuple(row), *self.cells[square.row + 1 :])
        return replace(self, cells=rows)

    def completes(self, square: Square, player: Player) -> bool:
        """Whether a stone there makes four in line."""
        cells, stone = self.cells, int(player)
        for ways in ways_from(square, len(cells), len(cells[0])):
            count = 1
            for way in ways:
                for row, column in way:
                    if cells[row][column] != stone:
                        break
                    count += 1
            if count >= 4:
                return True
        return False

    def wins(self, player: Player) -> set[Square]:
        """The squares on which the player would win now."""
        return {s for s in self.playable() if self.completes(s, player)}

    def wins_after_every_reply(self, player: Player) -> bool:
        """Whether the player, who is not to move, completes a line after every reply."""
        other, replies = player.other, self.playable()
        if not replies or self.wins(other):
            return False
        return all(self.put(reply, other).wins(player) for reply in replies)

    def forks(self, player: Player) -> set[Square]:
        """The squares on which the player makes more threats than the other can stop.

        As if it were the player's turn.
        """
        found = set()
        for square in self.playable():
            after = self.put(square, player)
            if (
                not self.completes(square, player)
                and after.wins(player)
                and after.wins_after_every_reply(player)
            ):
                found.add(square)
        return found


@cache
def ways_from(square: Square, rows: int, columns: int) -> list[list[list[Square]]]:
    """The squares beside one, nearest first: for each direction both ways to the board's edge."""
    row, column = square
    steps = [
        [[Square(row + n * down, column + n * right) for n in range(1, 8)] for down, right in both]
        for both in (((down, right), (-down, -right)) for down, right in DIRECTIONS)
    ]
    return [
        [
            list(takewhile(lambda s: 0 <= s.row < rows and 0 <= s.column < columns, way))
            for way in both
        ]
        for both in steps
    ]


def below(square: Square) -> Square:
    """The square below one."""
    return Square(square.row + 1, square.column)


def above(square: Square) -> Square:
    """The square above one."""
    return Square(square.row - 1, square.column)


def is_true(position: Any, threat: Threat) -> bool:
    """Whether a statement about a position holds."""
    if isinstance(position, BoomPosition) and threat.kind in OF_BOOM:
        return OF_BOOM[threat.kind](position, threat)
    return OF_STONES[threat.kind](position, threat)


def _win(position: Any, threat: Threat) -> bool:
    winners = {m for m in position.legal_moves() if wins_by(position, m, position.to_move)}
    return threat.player is position.to_move and set(threat.moves) == winners


def wins_by(position: Position, move: Move, player: Player) -> bool:
    """Whether a player has won by a line after a move."""
    over = position.play(move).outcome
    return over is not None and over.winner is player and bool(over.squares)


def _threat(position: Any, threat: Threat) -> bool:
    grid, player = Grid.of(position), threat.player
    is_other = player is position.to_move.other
    return is_other and set(threat.squares) == grid.wins(player) and _moves_fit(position, threat)


def _double(position: Any, threat: Threat) -> bool:
    grid = Grid.of(position)
    return (
        _threat(position, threat)
        and len(threat.squares) > 1
        and grid.wins_after_every_reply(threat.player)
    )


def _moves_fit(position: Position, threat: Threat) -> bool:
    """Whether the moves are those that act on the squares."""
    return [target(position, move) for move in threat.moves] == list(threat.squares)


def loses_at_once(position: Position, move: Move) -> bool:
    """Whether the other player can win right after a move."""
    after = position.play(move)
    if after.outcome is not None:
        return False
    return any(wins_by(after, reply, after.to_move) for reply in after.legal_moves())


def _helpless(position: Any, threat: Threat) -> bool:
    moves = position.legal_moves()
    return threat.player is position.to_move and all(loses_at_once(position, m) for m in moves)


def _forced(position: Any, threat: Threat) -> bool:
    moves = position.legal_moves()
    safe = [m for m in moves if not loses_at_once(position, m)]
    fits = threat.player is position.to_move and _moves_fit(position, threat)
    return fits and len(moves) > 1 and tuple(safe) == threat.moves


def _fork(position: Any, threat: Threat) -> bool:
    found = Grid.of(position).forks(threat.player)
    return set(threat.squares) == found and _moves_fit(position, threat)


def _just_above(position: Any, threat: Threat) -> bool:
    """For `GIVES` and `SPENDS`: all moves below a square that completes a line, and no others."""
    grid = Grid.of(position)
    found = [
        move
        for move in position.legal_moves()
        if grid.at(above(target(position, move))) == 0
        and grid.completes(above(target(position, move)), threat.player)
    ]
    squares = [above(target(position, move)) for move in found]
    is_mover = threat.player is position.to_move
    fits = is_mover == (threat.kind is ThreatKind.SPENDS)
    return fits and list(threat.moves) == found and list(threat.squares) == squares


def _stacked(position: Any, threat: Threat) -> bool:
    lower, upper = threat.squares
    return upper == above(lower) and _all_complete(position, threat)


def _all_complete(position: Any, threat: Threat) -> bool:
    grid = Grid.of(position)
    return bool(threat.squares) and all(
        grid.at(s) == 0 and grid.completes(s, threat.player) for s in threat.squares
    )


def _open_three(position: Any, threat: Threat) -> bool:
    grid, (one, other) = Grid.of(position), threat.squares
    down, right = other.row - one.row, other.column - one.column
    steps = [Square(one.row + down * i // 4, one.column + right * i // 4) for i in (1, 2, 3)]
    is_line = right == 4 and down in (-4, 0, 4)
    has_three = all(grid.at(step) == threat.player for step in steps)
    return is_line and has_three and _all_complete(position, threat)


def _parity(position: Any, threat: Threat) -> bool:
    grid = Grid.of(position)
    odd = threat.kind is ThreatKind.ODD
    found = {
        s
        for s in set(grid.empty()) - set(grid.playable())
        if grid.completes(s, threat.player) and (len(grid.cells) - s.row) % 2 == odd
    }
    return bool(found) and set(threat.squares) == found


def _quiet(position: Any, threat: Threat) -> bool:
    grid = Grid.of(position)
    return not any(grid.completes(s, p) or grid.forks(p) for s in grid.empty() for p in Player)


def _zugzwang(position: Any, threat: Threat) -> bool:
    """Whether answering above wins in every order of play, and no later than on the square."""
    grid, player, (square,) = Grid.of(position), threat.player, threat.squares
    if player is not position.to_move:
        return not threat.moves and always_wins(grid, player, square)
    return bool(threat.moves) and all(
        always_wins(grid.put(target(position, move), player), player, square)
        for move in threat.moves
    )


@cache
def always_wins(grid: Grid, player: Player, square: Square) -> bool:
    """Whether a player who answers every move right above it always wins in the end."""
    replies = grid.playable()
    if not replies:
        return False
    for reply in replies:
        if grid.completes(reply, player.other):
            return False
        after = grid.put(reply, player.other)
        answer = above(reply)
        if after.at(answer) != 0:
            return False
        if after.completes(answer, player):
            continue
        if answer == square or not always_wins(after.put(answer, player), player, square):
            return False
    return True


def _boom_turn(position: BoomPosition, player: Player) -> BoomPosition:
    """The position itself, or the same board at the beginning of the other's next turn."""
    if player is position.to_move:
        return position
    first = next(n for n in range(position.ply + 1, 300) if mover_of(n + 1) is player)
    return replace(position, ply=first)


def _boom_at_once(position: BoomPosition, threat: Threat) -> bool:
    turn = _boom_turn(position, threat.player)
    found = tuple(m for m in turn.legal_moves() if wins_by(turn, m, threat.player))
    is_mover = threat.player is position.to_move
    return is_mover == (threat.kind is ThreatKind.WIN) and threat.moves == found


def _boom_pair(position: BoomPosition, threat: Threat) -> bool:
    turn = _boom_turn(position, threat.player)
    if any(wins_by(turn, move, threat.player) for move in turn.legal_moves()):
        return False
    first, second = threat.moves
    after = turn.play(first)
    goes_on = after.outcome is None and after.to_move is threat.player
    return goes_on and wins_by(after, second, threat.player)


def survives(position: BoomPosition, player: Player) -> bool:
    """Whether a player can end their turn so that the other completes no line in the next one."""
    if position.outcome is not None:
        return position.outcome.winner is not player.other or not position.outcome.squares
    if position.to_move is player:
        return any(survives(position.play(m), player) for m in position.legal_moves())
    return not can_finish(position, position.to_move)


def can_finish(position: BoomPosition, player: Player) -> bool:
    """Whether a player completes a line within their own turn."""
    if position.outcome is not None:
        return position.outcome.winner is player and bool(position.outcome.squares)
    if position.to_move is not player:
        return False
    return any(can_finish(position.play(move), player) for move in position.legal_moves())


def _boom_forced(position: BoomPosition, threat: Threat) -> bool:
    player, moves = position.to_move, position.legal_moves()
    safe = tuple(move for move in moves if survives(position.play(move), player))
    return threat.player is player and threat.moves == safe and (not safe or len(moves) > 1)


def _boom_quiet(position: BoomPosition, threat: Threat) -> bool:
    return not any(can_finish(_boom_turn(position, player), player) for player in Player)


Check = Callable[[Any, Threat], bool]
OF_STONES: Mapping[ThreatKind, Check] = {
    ThreatKind.WIN: _win,
    ThreatKind.THREAT: _threat,
    ThreatKind.DOUBLE: _double,
    ThreatKind.HELPLESS: _helpless,
    ThreatKind.FORCED: _forced,
    ThreatKind.FORK: _fork,
    ThreatKind.ZUGZWANG: _zugzwang,
    ThreatKind.GIVES: _just_above,
    ThreatKind.SPENDS: _just_above,
    ThreatKind.STACKED: _stacked,
    ThreatKind.OPEN_THREE: _open_three,
    ThreatKind.ODD: _parity,
    ThreatKind.EVEN: _parity,
    ThreatKind.QUIET: _quiet,
}
OF_BOOM: Mapping[ThreatKind, Check] = {
    ThreatKind.WIN: _boom_at_once,
    ThreatKind.THREAT: _boom_at_once,
    ThreatKind.TURN: _boom_pair,
    ThreatKind.HELPLESS: _boom_forced,
    ThreatKind.FORCED: _boom_forced,
    ThreatKind.QUIET: _boom_quiet,
}


def missed(position: Any, stated: tuple[Threat, ...]) -> Iterator[ThreatKind]:
    """The urgent kinds of threats that are missing."""
    kinds = {(threat.kind, threat.player) for threat in stated}
    mover = position.to_move
    if isinstance(position, BoomPosition):
        yield from _missed_in_boom(position, kinds)
        return
    grid = Grid.of(position)
    wins, dangers = grid.wins(mover), grid.wins(mover.other)
    if wins and (ThreatKind.WIN, mover) not in kinds:
        yield ThreatKind.WIN
    seen = {(ThreatKind.THREAT, mover.other), (ThreatKind.DOUBLE, mover.other)}
    if dangers and not seen & kinds:
        yield ThreatKind.THREAT
    moves = position.legal_moves()
    safe = [move for move in moves if not loses_at_once(position, move)]
    lost = {(ThreatKind.HELPLESS, mover), (ThreatKind.DOUBLE, mover.other)}
    if not wins and not safe and not lost & kinds:
        yield ThreatKind.HELPLESS
    if not wins and len(safe) == 1 < len(moves) and (ThreatKind.FORCED, mover) not in kinds:
        yield ThreatKind.FORCED
    for player, nearer in ((mover, wins), (mover.other, dangers)):
        nothing_nearer = not nearer and not (player is mover.other and wins)
        if nothing_nearer and grid.forks(player) and (ThreatKind.FORK, player) not in kinds:
            yield ThreatKind.FORK


def _missed_in_boom(
    position: BoomPosition, kinds: set[tuple[ThreatKind, Player]]
) -> Iterator[ThreatKind]:
    mover = position.to_move
    for player in Player:
        near = {(k, player) for k in (ThreatKind.WIN, ThreatKind.THREAT, ThreatKind.TURN)}
        if can_finish(_boom_turn(position, player), player) and not near & kinds:
            yield ThreatKind.TURN
    moves = position.legal_moves()
    safe = [move for move in moves if survives(position.play(move), mover)]
    stated = {(ThreatKind.FORCED, mover), (ThreatKind.HELPLESS, mover)}
    can_win = can_finish(position, mover)
    if not can_win and (not safe or len(safe) == 1 < len(moves)) and not stated & kinds:
        yield ThreatKind.FORCED
