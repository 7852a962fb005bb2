"""A hint in one language: its text, the board with its marks, and the board's alternative text.

A hint points at a part of the board and at the threats that matter, or at the move to play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bot.features.hints.rules import Hint, HintLevel
from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.show.scenes import Names, alt_phrases, board_scene, searched, seat_name
from bot.show.themes import DEFAULT
from engine.core.game import Game, Move, Position, Square, target
from engine.core.registry import package_of
from engine.core.threat import Threat, ThreatKind
from engine.core.values import moves_to_end, plies_to_end, share_of
from renderers import BoardScene, Theme, board_alt_text, draw


@dataclass(frozen=True, slots=True)
class ShownHint:
    """A hint in one language."""

    text: str
    png: bytes
    alt_text: str


def hint_picture(hint: Hint, names: Names, say: Translator, theme: Theme = DEFAULT) -> ShownHint:
    """The text and the picture of a hint; may be called from any thread.

    Not from the event loop: finding threats in BOOM may take as long as several pictures.
    """
    scene = hint_scene(hint, names, say)
    png = draw(package_of(hint.session.game).drawing, scene, theme)
    return ShownHint(hint_text(hint, names, say), png, board_alt_text(scene, alt_phrases(say)))


def hint_scene(hint: Hint, names: Names, say: Translator) -> BoardScene:
    """The board with the marks of a hint, and once it names the move, a footer about its search."""
    session, position, move = hint.session, hint.session.position, hint.result.move
    scene = board_scene(session, names, say)
    if hint.level is HintLevel.MOVE:
        square = target(position, move)
        return replace(
            scene,
            hint=frozenset() if square is None else frozenset({square}),
            footer=searched(hint.result, position.ply, scene.names[position.to_move - 1], say),
        )
    marked = threat_squares(session) if hint.level is HintLevel.THREAT else frozenset[Square]()
    return replace(scene, area=area_of(position, move).squares, marked=marked)


BY_MOVES = (ThreatKind.THREAT, ThreatKind.DOUBLE, ThreatKind.FORK, ThreatKind.TURN)
"""The kinds whose squares can be played now, and are named as moves."""

WARNINGS = (ThreatKind.GIVES, ThreatKind.SPENDS)
"""The kinds that warn of moves, which are always named as moves."""


def hint_text(hint: Hint, names: Names, say: Translator) -> str:
    """A hint in a few lines."""
    return "\n".join([*_lines(hint, names, say), say("hint.private")])


def _lines(hint: Hint, names: Names, say: Translator) -> Iterator[str]:
    session, move = hint.session, hint.result.move
    position = session.position
    if hint.level is HintLevel.MOVE:
        yield from _move_lines(hint, say)
    else:
        yield say(f"hint.area.{area_of(position, move).name}")
    if hint.level is HintLevel.AREA:
        return
    for threat in mentioned_threats(position):
        if threat.kind is not ThreatKind.QUIET or hint.level is HintLevel.THREAT:
            yield _sentence(threat, session, names, say)
    if (only := _only(hint)) is not None:
        yield say(f"hint.{only}")


def _move_lines(hint: Hint, say: Translator) -> Iterator[str]:
    """The move with its value, and the values of the other moves."""
    result, position = hint.result, hint.session.position
    move = say.move(position.game.key, position.game.label(result.move))
    if len(position.legal_moves()) == 1:
        yield say("hint.single", move=move)
    elif result.is_win:
        yield say("hint.win", move=move)
    elif result.is_loss:
        yield say("hint.loss", move=move)
    elif result.proven and len(set(dict(result.exact).values())) == 1:
        yield say("hint.every_draw", move=move)
        return
    elif result.proven:
        yield say("hint.draw", move=move)
    else:
        yield say("hint.best", move=move, depth=say.number(result.depth))
    if result.exact:
        yield _values(hint, say)


def _values(hint: Hint, say: Translator) -> str:
    """The proven values of the moves, the best ones first."""
    ranked = sorted(hint.result.exact, key=lambda pair: -pair[1])
    groups = []
    for score, group in groupby(ranked, key=lambda pair: pair[1]):
        moves = [move for move, _ in group]
        kind = "draws" if score == 0 else "wins" if score > 0 else "loses"
        groups.append(
            say(
                f"hint.{kind}.{'one' if len(moves) == 1 else 'other'}",
                places=moves_named(hint.session.game, moves, say),
                distance=_distance(hint.session, score, say),
            )
        )
    text = "; ".join(groups)
    return say("hint.values", values=text[0].upper() + text[1:])


def _distance(session: Session, score: int, say: Translator) -> str:
    """The distance of a win or a loss: in moves of one side, or in movements of both."""
    if package_of(session.game).stones_stay:
        return say.count("moves", moves_to_end(score, session.position.ply))
    return say.count("movements", plies_to_end(score, session.position.ply))


def _only(hint: Hint) -> str | None:
    """`only_wins` or `only_draws`, if it is proven that a single move does."""
    exact, moves = hint.result.exact, hint.session.position.legal_moves()
    if len(exact) != len(moves) or len(moves) < 2:
        return None
    shares = sorted((share_of(score) for _, score in exact), reverse=True)
    if shares[0] == shares[1]:
        return None
    return "only_wins" if shares[0] == 1 else "only_draws"


def _sentence(threat: Threat, session: Session, names: Names, say: Translator) -> str:
    """A threat as the person to move reads it."""
    mover, game = session.position.to_move, session.game
    whose = "own" if threat.player is mover else "other"
    if threat.kind in WARNINGS or (threat.kind in BY_MOVES and threat.moves):
        places = moves_named(game, threat.moves, say)
    else:
        places = _squares_named(session, threat.squares, say)
    other = (
        say("hint.other_side")
        if len(session.people) == 1 and session.seats[0] == session.seats[1]
        else escaped(seat_name(session, mover.other, names, say))
    )
    return say(f"threat.{threat.kind}.{whose}", name=other, places=places)


def moves_named(game: Game, moves: Sequence[Move], say: Translator) -> str:
    """Moves as a sentence names them: `columns 2 and 4`, or as their buttons do."""
    named = [(game.label(move), say.move(game.key, game.label(move))) for move in moves]
    if game.row_names:
        return _all(list(dict.fromkeys(label for label, _ in named)), say)
    columns = [label for label, button in named if label == button]
    others = [button for label, button in named if label != button]
    if len(columns) > len(set(columns)):
        others.insert(0, say("hint.twice", column=columns[0]))
    elif columns:
        number = "one" if len(columns) == 1 else "other"
        others.insert(0, say(f"hint.columns.{number}", columns=_all(columns, say)))
    return _all(others, say)


def _squares_named(session: Session, squares: Sequence[Square], say: Translator) -> str:
    """Squares as a sentence names them, with their rows counted from the bottom."""
    game, rows = session.game, len(session.position.cells())
    return _all(
        [
            say("hint.square", column=game.column_names[square.column], row=rows - square.row)
            for square in squares
        ],
        say,
    )


def _all(things: list[str], say: Translator) -> str:
    """Several things in a sentence."""
    *others, last = things or [""]
    return say("hint.all", things=", ".join(others), last=last) if others else last


MOST = 2
"""Threats that a hint mentions: with more of them, it is not clear which one matters."""

URGENT = (ThreatKind.WIN, ThreatKind.DOUBLE, ThreatKind.HELPLESS)
"""The kinds beside which no other threat matters."""

ANSWERS = (ThreatKind.WIN, ThreatKind.TURN, ThreatKind.FORK, ThreatKind.FORCED)
"""The kinds whose squares would give the move away; of the person's own, only their existence is
mentioned."""


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the board."""

    name: str
    """The end of its text's key: `left`, `middle` or `right`; where rows have names, `top_left` and
    so on; or, for a move with an effect, the game's key and that effect, such as `boom.explode`."""
    squares: frozenset[Square]
    """The squares of which it consists; none for a move with an effect."""


def area_of(position: Position, move: Move) -> Area:
    """The part of the board in which a legal move acts.

    A third of the columns or, where moves are squares, a quarter of the board. Of a move with an
    effect only the effect is named.
    """
    changes, cells = position.changes(move), position.cells()
    if changes.effect:
        return Area(f"{position.game.key}.{changes.effect}", frozenset())
    square = changes.target
    assert square is not None, "a move without an effect places one stone"
    rows, columns = len(cells), len(cells[0])
    if position.game.row_names:
        down, right = square.row >= rows // 2, square.column >= columns // 2
        name = f"{'bottom' if down else 'top'}_{'right' if right else 'left'}"
        tall = range(rows // 2, rows) if down else range(rows // 2)
        wide = range(columns // 2, columns) if right else range(columns // 2)
    else:
        side = round(columns / 3)
        name, wide = next(
            (name, part)
            for name, part in (
                ("left", range(side)),
                ("middle", range(side, columns - side)),
                ("right", range(columns - side, columns)),
            )
            if square.column in part
        )
        tall = range(rows)
    return Area(name, frozenset(Square(row, column) for row in tall for column in wide))


def mentioned_threats(position: Position) -> tuple[Threat, ...]:
    """The threats that a hint mentions, the most urgent first."""
    found = package_of(position.game).threats_in(position)
    return found[:1] if found and found[0].kind in URGENT else found[:MOST]


def threat_squares(session: Session) -> frozenset[Square]:
    """The squares that are marked for threats: none that would give the move away."""
    position = session.position
    return frozenset(
        square
        for threat in mentioned_threats(position)
        if threat.player is not position.to_move or threat.kind not in ANSWERS
        for square in threat.squares
    )
