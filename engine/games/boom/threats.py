"""Threats in BOOM: lines completed within a turn, which has two movements and maybe a bomb.

Threats by stones alone follow from the lines that lack one or two of them; those with a bomb are
found by playing the explosion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.core.boards import STRIDE, bit_of, bits_in, completing, fillable, fours, triples
from engine.core.game import Move, Player, Square, target, wins_with
from engine.core.threat import Threat, ThreatKind
from engine.games.boom.rules import BOOM, SIDE, Boom, BoomPosition, mover_of

LINES = fours(SIDE, SIDE)

ABOVE_TOP = sum(bit_of(column, SIDE) for column in range(SIDE))
"""Just above the board."""


def threats(position: BoomPosition) -> tuple[Threat, ...]:
    """The threats of a position that is not over, the most urgent first."""
    mover = position.to_move
    return tuple(_threats(position, mover)) or (Threat(ThreatKind.QUIET, mover),)


def _threats(position: BoomPosition, mover: Player) -> Iterator[Threat]:
    wins = winning_movements(position)
    pair = () if wins else winning_pair(position)
    if wins or pair:
        yield _statement(ThreatKind.WIN if wins else ThreatKind.TURN, mover, position, wins or pair)
    yield from _opponent_threats(position, mover)
    if not wins and not pair:
        yield from _replies(position, mover)
    yield from _open_threes(position, mover)


def _opponent_threats(position: BoomPosition, mover: Player) -> Iterator[Threat]:
    """The lines that the other player would complete in their next turn if nothing changed."""
    their_turn = _as_turn_of(position, mover.other)
    if their_turn is None:
        return
    dangers = winning_movements(their_turn)
    pairs = () if dangers else winning_pair(their_turn)
    if dangers or pairs:
        kind = ThreatKind.THREAT if dangers else ThreatKind.TURN
        yield _statement(kind, mover.other, their_turn, dangers or pairs)


def _replies(position: BoomPosition, mover: Player) -> Iterator[Threat]:
    """The forced reply if only one movement prevents a loss, or a statement that none does."""
    every = position.legal_moves()
    safe = [move for move in every if is_survivable(position.play(move), mover)]
    if not safe:
        yield Threat(ThreatKind.HELPLESS, mover)
    elif len(safe) == 1 and len(every) > 1:
        yield _statement(ThreatKind.FORCED, mover, position, safe)


def _open_threes(position: BoomPosition, mover: Player) -> Iterator[Threat]:
    for player in (mover.other, mover):
        own, taken = words(position, player)
        completes = completing(LINES, own, taken)
        for ends in triples(SIDE, SIDE, own, completes):
            yield Threat(ThreatKind.OPEN_THREE, player, _squares(ends))


def is_survivable(position: BoomPosition, player: Player) -> bool:
    """Whether a player can end their turn so that the other completes no line in the next one.

    `position` may be over, or the other's turn already.
    """
    over = position.outcome
    if over is not None:
        return over.winner is not player.other or not over.squares
    if position.to_move is player:
        return any(is_survivable(position.play(move), player) for move in position.legal_moves())
    return not winning_movements(position) and not winning_pair(position)


def winning_movements(position: BoomPosition) -> tuple[Move, ...]:
    """The movements that win at once."""
    own, taken = words(position, position.to_move)
    squares = completing(LINES, own, taken) & fillable(SIDE, SIDE, taken)
    wins = [Move((square.bit_length() - 1) // STRIDE) for square in bits_in(squares)]
    if position.has_bomb and wins_with(position, BOOM):
        wins.append(BOOM)
    return tuple(wins)


def winning_pair(position: BoomPosition) -> tuple[Move, ...]:
    """Two movements of this turn that win together; empty if there are none.

    The first movement alone must not win.
    """
    movement = position.ply + 1
    if movement % 2 or movement == Boom.MOST_MOVEMENTS:
        return ()  # only movements with an even number are followed by another one of the turn
    own, taken = words(position, position.to_move)
    pair = _two_stones(own, taken)
    return pair or _with_bomb(position)


def _two_stones(own: int, taken: int) -> tuple[Move, ...]:
    """Two columns whose next squares complete a line together."""
    free = fillable(SIDE, SIDE, taken)
    next_up = free << 1 & ~ABOVE_TOP
    for line in LINES:
        missing = line & ~own
        if missing & ~(free | next_up):
            continue
        squares = list(bits_in(missing))
        if len(squares) == 1 and missing & next_up:
            squares.insert(0, missing >> 1)  # any stone below makes the square playable
        # Of two squares one above the other, the lower one comes first.
        if len(squares) == 2 and squares[0] & free and squares[1] & (free | squares[0] << 1):
            return tuple(Move((square.bit_length() - 1) // STRIDE) for square in squares)
    return ()


def _with_bomb(position: BoomPosition) -> tuple[Move, ...]:
    """A stone and an explosion that win together, in the order of play; empty if there are none."""
    if not position.has_bomb and not position.puts_bomb:
        return ()
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None or after.to_move is not position.to_move:
            continue
        if move == BOOM or (after.has_bomb and wins_with(after, BOOM)):
            wins = winning_movements(after) if move == BOOM else (BOOM,)
            if wins:
                return (move, wins[0])
    return ()


def _as_turn_of(position: BoomPosition, player: Player) -> BoomPosition | None:
    """The board at the beginning of the player's next turn, unchanged; None if there is none."""
    ply = position.ply + 1
    while mover_of(ply + 1) is not player:
        ply += 1
    return replace(position, ply=ply, latest=()) if ply < Boom.MOST_MOVEMENTS else None


def words(position: BoomPosition, player: Player) -> tuple[int, int]:
    """A player's stones, bombs included, and all stones, as words of bits."""
    own = taken = 0
    for column, stones in enumerate(position.columns):
        for height, cell in enumerate(stones):
            taken |= bit_of(column, height)
            if cell.owner is player:
                own |= bit_of(column, height)
    return own, taken


def _statement(
    kind: ThreatKind, player: Player, position: BoomPosition, moves: Iterable[Move]
) -> Threat:
    """A statement about movements, with the squares on which their stones land."""
    made, squares = tuple(moves), list[Square]()
    for move in made:
        square = target(position, move)
        if square is not None and kind is ThreatKind.TURN and square in squares:
            square = Square(square.row - 1, square.column)
        if square is not None:
            squares.append(square)
    return Threat(kind, player, tuple(squares), made)


def _squares(word: int) -> tuple[Square, ...]:
    places = (divmod(square.bit_length() - 1, STRIDE) for square in bits_in(word))
    return tuple(Square(SIDE - 1 - height, column) for column, height in places)
