"""The second step of a hint: what matters on the board, with the discs to look at.

No sentence names the move to play or its column, and only discs are ringed, never an empty square:
the last step gives the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.features.hints.plans import plan_clue, waiting_clue
from bot.features.hints.rival import of_opponent, squares_named
from bot.features.hints.rules import Hint
from bot.game.session import Session
from bot.i18n import Translator
from bot.show.moves import moves_named
from bot.show.scenes import Names
from engine.core.game import Cell, Game, Player, Position, Square, target
from engine.core.plan import FORCED, PlanKind
from engine.core.registry import package_of
from engine.core.threat import Threat, ThreatKind
from engine.study.advice import agreeing, plan_of

MOST = 2
"""Threats that a hint mentions: with more of them, it is not clear which one matters."""

URGENT = (ThreatKind.WIN, ThreatKind.THREAT, ThreatKind.DOUBLE, ThreatKind.HELPLESS)
"""The kinds beside which no other threat matters."""

WARNINGS = (ThreatKind.GIVES, ThreatKind.SPENDS)
"""The kinds that warn of moves, which are always named as moves."""

LASTING = (ThreatKind.STACKED, ThreatKind.ODD, ThreatKind.EVEN, ThreatKind.ZUGZWANG)
"""The kinds about squares that matter later, and which are named."""

WAITING = (ThreatKind.ODD, ThreatKind.EVEN)
"""Those that cannot be played yet."""

LENGTH = 4
"""Squares of a line."""


@dataclass(frozen=True, slots=True)
class Clue:
    """A sentence about a position."""

    text: str
    discs: frozenset[Square] = frozenset()
    """The discs to look at."""
    is_urgent: bool = False
    """Whether nothing else matters beside it."""


def clues(hint: Hint, names: Names, say: Translator) -> tuple[Clue, ...]:
    """What matters in the position of a hint, without its move."""
    position, result = hint.session.position, hint.result
    found = agreeing(position, result.move, is_lost=result.is_loss)
    if found and found[0].kind in URGENT:
        return (replace(_clue(found[0], hint, names, say), is_urgent=True),)
    plan = None if result.is_loss else plan_of(position, result.move)
    if plan is not None and plan.kind in FORCED:
        return (Clue(plan_clue(plan, hint, names, say), is_urgent=True),)
    said = [_clue(threat, hint, names, say) for threat in found[:MOST]]
    if len(said) < MOST and any(threat.kind in WAITING for threat in found):
        said.extend(_weighed(hint, names, say))
    if len(said) < MOST and not result.is_loss:
        is_said = plan is None or (plan.kind is PlanKind.PREVENTS and _has_fork(found))
        prepared = None if plan is None or is_said else plan_clue(plan, hint, names, say)
        later = waiting_clue(hint, say) or prepared
        said.extend([] if later is None else [Clue(later)])
    if not said:
        said = [_clue(Threat(ThreatKind.QUIET, position.to_move), hint, names, say)]
    return tuple(said)


def _has_fork(threats: Iterable[Threat]) -> bool:
    return any(threat.kind is ThreatKind.FORK for threat in threats)


def _weighed(hint: Hint, names: Names, say: Translator) -> Iterator[Clue]:
    """Whom the rows of the waiting threats favour, unless a proof has it otherwise."""
    session, position, result = hint.session, hint.session.position, hint.result
    favoured = package_of(session.game).favoured_in(position)
    is_own = favoured is position.to_move
    if favoured is not None and not (result.is_loss if is_own else result.is_win):
        side = "own" if is_own else "other"
        yield Clue(of_opponent(f"hint.rows.{side}", session, names, say))


def _clue(threat: Threat, hint: Hint, names: Names, say: Translator) -> Clue:
    session, position, player = hint.session, hint.session.position, threat.player
    place = target(position, hint.result.move)
    lines = sorted(_lines_of(threat, position), key=lambda line: place not in line.gaps)
    discs = frozenset(square for line in lines for square in line.discs)
    side = "own" if player is position.to_move else "other"
    if threat.kind in (ThreatKind.WIN, ThreatKind.THREAT):
        for line in lines:
            if _may_name(line.discs, place, session.game) or line.is_upright:
                text = _line_text(line, side, session, names, say)
                return Clue(text, frozenset(line.discs))
    key = f"threat.{threat.kind}.{side}"
    if len(threat.squares) > 1 and f"{key}.many" in say.texts:
        key = f"{key}.many"
    both = _open_three(lines)
    if both and threat.kind in (ThreatKind.DOUBLE, ThreatKind.OPEN_THREE):
        text = of_opponent(f"threat.{ThreatKind.OPEN_THREE}.{side}", session, names, say)
        if not _may_name(both, place, session.game):
            return Clue(text, frozenset(both))
        return Clue(_at(text, _columns(both, session.game, say), say), frozenset(both))
    if threat.kind in WARNINGS:
        places = moves_named(session.game, threat.moves, say, among=True)
        return Clue(of_opponent(key, session, names, say, places=places), discs)
    text = of_opponent(key, session, names, say)
    if threat.kind in LASTING and _may_name(threat.squares, place, session.game):
        return Clue(_at(text, squares_named(session, threat.squares, say), say), discs)
    return Clue(text, discs)


def _may_name(squares: Iterable[Square], place: Square | None, game: Game) -> bool:
    """Whether naming these squares does not name the move that is played on `place`."""
    if place is None:
        return True
    if game.row_names:
        return place not in squares
    return all(square.column != place.column for square in squares)


def _at(text: str, places: str, say: Translator) -> str:
    """A sentence that ends with the places that it is about."""
    return say("hint.at", said=text.removesuffix("."), places=places)


class OpenLine(NamedTuple):
    """A line of four that has discs of one player, and is empty elsewhere."""

    discs: tuple[Square, ...]
    """From the left, and in a column from the bottom."""
    gaps: tuple[Square, ...]

    @property
    def is_upright(self) -> bool:
        """Whether it is in one column."""
        return len({square.column for square in self.discs + self.gaps}) == 1


def open_lines(position: Position, player: Player) -> Iterator[OpenLine]:
    """Yield the lines that a player may still complete, and of which they have a disc."""
    cells = position.cells()
    rows, columns = len(cells), len(cells[0])
    for row, column in ((row, column) for column in range(columns) for row in range(rows)):
        for down, right in ((0, 1), (-1, 0), (-1, 1), (1, 1)):
            line = [Square(row + down * step, column + right * step) for step in range(LENGTH)]
            last = line[-1]
            if not (0 <= last.row < rows and last.column < columns):
                continue
            held = [cells[square.row][square.column] for square in line]
            if all(cell is Cell.EMPTY or cell.owner is player for cell in held):
                pairs = list(zip(line, held, strict=True))
                discs = tuple(square for square, cell in pairs if cell is not Cell.EMPTY)
                gaps = tuple(square for square, cell in pairs if cell is Cell.EMPTY)
                if discs:
                    yield OpenLine(discs, gaps)


def _lines_of(threat: Threat, position: Position) -> list[OpenLine]:
    """The lines that make a threat."""
    squares, lines = set(threat.squares), open_lines(position, threat.player)
    if threat.kind is ThreatKind.TURN:
        return [line for line in lines if squares.issuperset(line.gaps)]
    if threat.kind is not ThreatKind.FORK:
        return [line for line in lines if len(line.gaps) == 1 and squares.issuperset(line.gaps)]
    within_reach = {target(position, move) for move in position.legal_moves()}
    if not position.game.row_names:
        within_reach |= {Square(square.row - 1, square.column) for square in squares}
    return [
        line
        for line in lines
        if len(line.gaps) == 2 and squares & set(line.gaps) and within_reach >= set(line.gaps)
    ]


def _open_three(lines: Iterable[OpenLine]) -> tuple[Square, ...]:
    """The discs of two lines that differ in their gaps alone; none without such lines."""
    known = set[tuple[Square, ...]]()
    for line in lines:
        if line.discs in known:
            return line.discs
        known.add(line.discs)
    return ()


def _line_text(line: OpenLine, side: str, session: Session, names: Names, say: Translator) -> str:
    """A line that lacks one disc, by its discs."""
    game, discs = session.game, line.discs
    first, last = discs[0], discs[-1]
    if game.row_names:
        labels = [game.column_names[one.column] + game.row_names[one.row] for one in discs]
        kind, details = "marks", {"places": say.all_of(labels)}
    elif line.is_upright:
        kind, details = "column", {}
    elif first.row == last.row:
        row = len(session.position.cells()) - first.row
        is_joined = last.column - first.column == len(discs) - 1
        where = "row" if row > 1 else "bottom" if is_joined else "bottom_row"
        places = _columns(discs, game, say)
        kind, details = "row", {"where": say(f"hint.where.{where}", row=row), "places": places}
    else:
        is_end = last.column - first.column == len(discs) - 1
        kind, details = (
            "diagonal",
            {
                "course": say(f"hint.course.{'up' if last.row < first.row else 'down'}"),
                "first": game.column_names[first.column],
                "last": game.column_names[last.column],
                "open": say(f"hint.open.{'end' if is_end else 'square'}"),
            },
        )
    return of_opponent(f"hint.line.{kind}.{side}", session, names, say, **details)


def _columns(squares: Iterable[Square], game: Game, say: Translator) -> str:
    """The columns of squares, as a sentence names them."""
    columns = [game.column_names[square.column] for square in squares]
    return say("hint.columns", columns=say.all_of(columns))
