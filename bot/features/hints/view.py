"""A hint in one language: its text, the board with its marks, and the board's alternative text.

A hint points at a part of the board and at the threats that matter, or at the move to play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from bot.features.hints.plans import later_words, merit_words
from bot.features.hints.rival import of_opponent
from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.threats import Clue, clues
from bot.i18n import Translator
from bot.show.moves import MAX_NAMED, distance, label_words, moves_named, sentence
from bot.show.scenes import Names, alt_phrases, board_scene, searched
from bot.show.themes import DEFAULT
from engine.core.analysis import Source
from engine.core.game import Move, Position, Square, target, wins_with
from engine.core.plan import FORCED
from engine.core.registry import package_of
from engine.core.threat import ThreatKind
from engine.core.values import moves_to_end, share_of
from engine.study.advice import plan_of
from engine.study.hints import blocks
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


SOON = range(2, MAX_NAMED + 1)
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
        yield from _advice(hint, names, say)
    elif hint.level is HintLevel.AREA:
        yield _clue(hint, names, say)
    else:
        said = clues(hint, names, say) if said is None else said
        yield from (clue.text for clue in said)
        if len(said) == 1 and not said[0].is_urgent and (only := _only(hint)) is not None:
            yield say(f"hint.{only}")


def _clue(hint: Hint, names: Names, say: Translator) -> str:
    """The state of the game, and the part of the board to look at."""
    session, position, move = hint.session, hint.session.position, hint.result.move
    threats = package_of(position.game).threats_in(position)
    own = {threat.kind for threat in threats if threat.player is position.to_move}
    adds = package_of(position.game).stones_stay
    if ThreatKind.WIN in own and adds:
        return say(say.key("hint", position.game.key, "clue.line"))
    in_danger = bool(blocks(position, threats))
    is_calm = not (in_danger or hint.result.is_loss)
    area = say(f"hint.area.{area_of(position, move, is_calm=is_calm).name}")
    if ThreatKind.WIN in own:
        return say("hint.clue.win", area=area)  # in BOOM, where the bomb can win too
    if ThreatKind.TURN in own:
        return say("hint.clue.turn", area=area)
    if hint.result.is_loss:
        return say("hint.clue.lost", area=area)
    if in_danger:
        return of_opponent("hint.clue.danger", session, names, say, area=area)
    plan = plan_of(position, move)
    if plan is not None and plan.kind in FORCED:
        return of_opponent("hint.clue.force", session, names, say)
    return say("hint.clue.calm", area=area)


def _advice(hint: Hint, names: Names, say: Translator) -> Iterator[str]:
    """The move to play and why, or what is to be said instead of it."""
    session, result, position = hint.session, hint.result, hint.session.position
    places = moves_named(session.game, [result.move], say)
    if len(position.legal_moves()) == 1:
        yield say("hint.single", places=places)
    elif result.is_loss:
        yield _lost(hint, names, say)
    elif hint.is_free:
        yield say("hint.equal")
    elif wins_with(position, result.move):
        yield say("hint.four", places=places)
    elif (only := _only_defence(position, result.move)) is not None:
        yield of_opponent(f"hint.{only}", session, names, say, places=places)
    elif (why := merit_words(hint, names, say)) is not None:
        yield say("hint.why", places=places, why=why)
    else:
        why = later_words(hint, names, say)
        is_known = result.is_win or result.proven
        if why is None or is_known:
            yield _value(hint, places, say)
        if why is not None:
            yield why if is_known else say("hint.why", places=places, why=why)


def _only_defence(position: Position, move: Move) -> str | None:
    """`stop` or `only_safe` if every other move lets the other side make four; else None."""
    threats = package_of(position.game).threats_in(position)
    if not any(one.kind is ThreatKind.FORCED and move in one.moves for one in threats):
        return None
    return "stop" if move in blocks(position, threats) else "only_safe"


def _value(hint: Hint, places: str, say: Translator) -> str:
    """The move, and what it is worth."""
    session, result = hint.session, hint.result
    if not result.is_win:
        return say("hint.draw" if result.proven else "hint.best", places=places)
    moves = moves_to_end(result.score.points, session.position.ply)
    if moves in SOON and package_of(session.game).stones_stay:
        return say("hint.win_soon", places=places, count=say.count("moves", moves))
    return say("hint.win", places=places)


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
    """The end of its text's key: `left`, `middle` or `right`, `left_half`, or `all`; where rows
    have names, `top_left` and so on; or, for moves with an effect, the game's key and that effect,
    such as `boom.explode`."""
    squares: frozenset[Square]
    """The squares of which it consists; none for moves with an effect."""


def area_of(position: Position, move: Move, *, is_calm: bool = True) -> Area:
    """The part of the board in which a legal move acts, and in which it is not the only one.

    The smallest of a third of the columns or, where moves are squares, a quarter of the board; half
    of the columns; the whole board. Of moves with an effect only that is named, unless there is one
    such move. In a calm position moves that let the other side complete a line do not count, if
    there are others.
    """
    legal, effect = position.legal_moves(), position.changes(move).effect
    if effect and sum(position.changes(one).effect == effect for one in legal) > 1:
        return Area(f"{position.game.key}.{effect}", frozenset())
    safe = [one for one in legal if not _gives_four(position, one)] if is_calm else []
    counted = safe if len(safe) > 1 and move in safe else legal
    places = [target(position, one) for one in counted]
    *parts, whole = _areas(position, target(position, move))
    for part in parts:
        if sum(place in part.squares for place in places) > 1:
            return part
    return whole


def _gives_four(position: Position, move: Move) -> bool:
    """Whether the other side completes a line with some reply to a move, where stones stay."""
    after = position.play(move)
    if after.outcome is not None or not package_of(position.game).stones_stay:
        return False
    return any(wins_with(after, reply) for reply in after.legal_moves())


def _areas(position: Position, square: Square | None) -> Iterator[Area]:
    """The parts of the board with a square, from the smallest to the whole board."""
    cells = position.cells()
    rows, columns = len(cells), len(cells[0])
    if square is not None and position.game.row_names:
        down, right = square.row >= rows // 2, square.column >= columns // 2
        name = f"{'bottom' if down else 'top'}_{'right' if right else 'left'}"
        tall = range(rows // 2, rows) if down else range(rows // 2)
        yield _area(name, tall, range(columns // 2, columns) if right else range(columns // 2))
    elif square is not None:
        side = max(round(columns / 3), 2)
        middle = range(min(side, (columns - 2) // 2), max(columns - side, (columns + 3) // 2))
        thirds = {
            "left": range(side),
            "right": range(columns - side, columns),
            "middle": middle,
            "left_half": range((columns + 1) // 2),
            "right_half": range(columns // 2, columns),
        }
        for name, wide in thirds.items():
            if square.column in wide:
                yield _area(name, range(rows), wide)
    yield _area("all", range(rows), range(columns))


def _area(name: str, tall: range, wide: range) -> Area:
    return Area(name, frozenset(Square(row, column) for row in tall for column in wide))
