"""A hint in one language: its text, the board with its marks, and the board's alternative text.

A hint points at a part of the board and at the threats that matter, or at the move to play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.threats import Clue, clues, how_called, of_opponent
from bot.i18n import Translator
from bot.show.moves import MAX_TOLD, distance, label_words, moves_named, sentence
from bot.show.reasons import reason_words
from bot.show.scenes import Names, alt_phrases, board_scene, searched
from bot.show.themes import DEFAULT
from engine.core.analysis import Source
from engine.core.game import Move, Position, Square, target, wins_with
from engine.core.reason import ReasonKind
from engine.core.registry import package_of
from engine.core.threat import ThreatKind
from engine.core.values import moves_to_end, share_of
from engine.study.hints import blocks
from engine.study.reasons import merit_of
from renderers import BoardScene, Theme, board_alt_text, draw


@dataclass(frozen=True, slots=True)
class ShownHint:
    """A hint in one language."""

    text: str
    png: bytes
    alt_text: str


def hint_picture(
    hint: Hint,
    names: Names,
    say: Translator,
    theme: Theme = DEFAULT,
    *,
    with_details: bool = False,
) -> ShownHint:
    """The text and the picture of a hint; may be called from any thread.

    Not from the event loop: finding threats in BOOM may take as long as several pictures.
    """
    said = clues(hint, names, say) if hint.level is HintLevel.THREAT else ()
    scene = hint_scene(hint, names, say, said)
    png = draw(package_of(hint.session.game).drawing, scene, theme)
    text = hint_text(hint, names, say, said, with_details=with_details)
    return ShownHint(text, png, board_alt_text(scene, alt_phrases(say)))


def hint_scene(
    hint: Hint, names: Names, say: Translator, said: Sequence[Clue] | None = None
) -> BoardScene:
    """The board as it is, then with the discs to look at, then with the move to play.

    `said` are the clues of the hint; they are looked for if they are not given.
    """
    session, position, move = hint.session, hint.session.position, hint.result.move
    scene = board_scene(session, names, say)
    if hint.level is HintLevel.MOVE:
        square = target(position, move) if names_move(hint) else None
        return replace(
            scene,
            hint=frozenset() if square is None else frozenset({square}),
            footer=searched(hint.result, say),
        )
    if hint.level is HintLevel.AREA:
        return scene
    said = clues(hint, names, say) if said is None else said
    marked = (clue.discs for clue in said)
    return replace(scene, marked=frozenset[Square]().union(*marked))


AT_ONCE = (ReasonKind.PAIR, ReasonKind.STACK, ReasonKind.WAIT, ReasonKind.NO_SAFE_MOVE)
"""What a move makes that is said instead of its value."""
LATER = (ReasonKind.WAITING, ReasonKind.FOLLOW_UP)
"""The same where nothing is proven."""

SOON = range(2, MAX_TOLD + 1)
"""The distances of a win, in moves, that a hint states."""


def names_move(hint: Hint) -> bool:
    """Whether a hint at the last step is for one move, and not for any of them."""
    return len(hint.session.position.legal_moves()) == 1 or not (
        hint.is_free and not hint.result.is_loss
    )


def hint_text(
    hint: Hint,
    names: Names,
    say: Translator,
    said: Sequence[Clue] | None = None,
    *,
    with_details: bool = False,
) -> str:
    """A hint in two lines at most, or three with the values of the moves; see `hint_scene`."""
    lines = list(_lines(hint, names, say, said))
    return "\n".join([*lines, *_details(hint, say)] if with_details else lines)


def _lines(hint: Hint, names: Names, say: Translator, said: Sequence[Clue] | None) -> Iterator[str]:
    if hint.level is HintLevel.MOVE:
        yield _advice(hint, names, say)
    elif hint.level is HintLevel.AREA:
        yield _clue(hint, names, say)
    else:
        said = clues(hint, names, say) if said is None else said
        yield from (clue.text for clue in said)
        if len(said) == 1 and not said[0].is_urgent and (only := _only(hint)) is not None:
            yield say(f"hint.{only}")


def _clue(hint: Hint, names: Names, say: Translator) -> str:
    """The state of the game, and the part of the board to look at."""
    position = hint.session.position
    threats = package_of(position.game).threats_in(position)
    own = {threat.kind for threat in threats if threat.player is position.to_move}
    area = say(f"hint.area.{area_of(position, hint.result.move).name}")
    if ThreatKind.WIN in own:
        # In BOOM the bomb can win, which adds nothing to a line.
        adds = package_of(position.game).stones_stay
        line = say.key("hint", position.game.key, "clue.line")
        return say(line) if adds else say("hint.clue.win", area=area)
    if ThreatKind.TURN in own:
        return say("hint.clue.turn", area=area)
    if hint.result.is_loss:
        return say("hint.clue.lost", area=area)
    if blocks(position, threats):
        return of_opponent("hint.clue.danger", hint.session, names, say, area=area)
    return say("hint.clue.calm", area=area)


def _advice(hint: Hint, names: Names, say: Translator) -> str:
    """The move to play, or what is to be said instead of it."""
    session, result, position = hint.session, hint.result, hint.session.position
    places = moves_named(session.game, [result.move], say)
    if len(position.legal_moves()) == 1:
        return say("hint.single", places=places)
    if result.is_loss:
        return _lost(hint, names, say)
    if hint.is_free:
        return say("hint.equal")
    if wins_with(position, result.move):
        return say("hint.four", places=places)
    threats = package_of(position.game).threats_in(position)
    is_forced = any(threat.kind is ThreatKind.FORCED for threat in threats)
    if is_forced and result.move in blocks(position, threats):
        return of_opponent("hint.stop", session, names, say, places=places)
    if (why := _merit(hint, names, say)) is not None:
        return say("hint.why", places=places, why=why)
    if result.is_win:
        moves = moves_to_end(result.score.points, position.ply)
        if moves in SOON and package_of(session.game).stones_stay:
            return say("hint.win_soon", places=places, count=say.count("moves", moves))
        return say("hint.win", places=places)
    return say("hint.draw" if result.proven else "hint.best", places=places)


def _merit(hint: Hint, names: Names, say: Translator) -> str | None:
    """What the move makes on the board; None for nothing that says more than its value."""
    session, result = hint.session, hint.result
    later = LATER if not result.proven and not result.is_win else ()
    found = merit_of(session.position, result.move, among=(*AT_ONCE, *later))
    if found is None:
        return None
    rival, name = how_called(session, names, say)
    return reason_words(found, session.position, say, rival, name)


def _lost(hint: Hint, names: Names, say: Translator) -> str:
    """What to try where every move loses."""
    session, move, position = hint.session, hint.result.move, hint.session.position
    label = partial(label_words, session.game, say=say)
    stopping = blocks(position)
    if move in stopping and len(stopping) > 1 and package_of(session.game).stones_stay:
        rest = [label(one) for one in stopping if one != move]
        return of_opponent(
            "hint.one_of",
            session,
            names,
            say,
            moves=say.all_of([label(one) for one in stopping]),
            either=say.any_of([label(one) for one in stopping]),
            move=label(move),
            rest=rest[0] if len(rest) == 1 else say("hint.others"),
        )
    if move in stopping:
        return of_opponent("hint.block", session, names, say, move=label(move))
    key = "hint.lost" if hint.is_free else "hint.longest"
    return of_opponent(key, session, names, say, places=moves_named(session.game, [move], say))


def _details(hint: Hint, say: Translator) -> Iterator[str]:
    """The proven values of the moves, and how far a search looked that proved none."""
    if hint.result.exact:
        yield _values(hint, say)
    if (only := _only(hint)) is not None:
        yield say(f"hint.{only}")
    elif hint.result.source is Source.BOOK and not hint.result.proven:
        yield say("hint.known")
    elif not hint.result.proven:
        yield say("hint.depth", ahead=say.count("plies", hint.result.depth))


def _values(hint: Hint, say: Translator) -> str:
    """The proven values of the moves, the best ones first."""
    position = hint.session.position
    ranked = sorted(hint.result.exact, key=lambda pair: -pair[1])
    groups = []
    for score, group in groupby(ranked, key=lambda pair: pair[1]):
        moves = [move for move, _ in group]
        kind = "draws" if score == 0 else "wins" if score > 0 else "loses"
        left = distance(position.game, score, position.ply)
        groups.append(
            say(
                f"hint.{kind}.{'one' if len(moves) == 1 else 'other'}",
                places=moves_named(position.game, moves, say),
                distance=say.count("moves", left),
            )
        )
    return say("hint.values", values=sentence("; ".join(groups)))


def _only(hint: Hint) -> str | None:
    """`only_wins` or `only_draws`, if it is proven that a single move does."""
    exact, moves = hint.result.exact, hint.session.position.legal_moves()
    if len(exact) != len(moves) or len(moves) < 2:
        return None
    shares = sorted((share_of(score) for _, score in exact), reverse=True)
    if shares[0] == shares[1]:
        return None
    return "only_wins" if shares[0] == 1 else "only_draws"


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
