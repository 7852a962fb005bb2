"""A review in words and as a picture, in one language and for one reader."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.show.moves import moves_named, sentence
from bot.show.scenes import Names, line_words, seat_name, status
from bot.show.texts import game_title
from engine.core.game import Drawing, Move, Player, Position, wins_with
from engine.core.registry import package_of
from engine.strength.judging import JudgedMove
from engine.study.move_class import MARKS, MoveClass, class_of
from engine.study.review import Review
from renderers import (
    PairScene,
    ReviewedPly,
    ReviewScene,
    SmallBoard,
    Theme,
    draw_review,
    is_writable,
)

UNKNOWN = "–"

KEPT = 64
"""Pictures that are kept: a few megabytes."""

AHEAD = 0.6
"""The expected score from which a player is called ahead."""

MAX_BETTER = 3
"""The most better moves that a sentence names."""

MAX_LISTED = 6
"""The most marked moves that a text names; the menu has all of them."""


@lru_cache(maxsize=KEPT)
def review_picture(drawing: Drawing, scene: ReviewScene, theme: Theme) -> bytes:
    """The PNG of a reviewed game; may be called from any thread."""
    return draw_review(drawing, scene, theme)


def review_scene(session: Session, names: Names, review: Review, say: Translator) -> ReviewScene:
    """The picture of a review."""
    # A name that the picture cannot write is replaced by the player's number.
    drawn = {
        seat.user_id: names[seat.user_id]
        if is_writable(names[seat.user_id])
        else say("name.player", number=number)
        for number, seat in enumerate(session.seats, 1)
        if seat.user_id is not None
    }
    first, second = (seat_name(session, player, drawn, say) for player in Player)
    own, other = (_accuracy(review, player, say) for player in Player)
    turned = review.turning_point
    return ReviewScene(
        title=say("review.title", game=game_title(session.game, say)),
        subtitle=status(session, drawn, say),
        names=(first, second),
        accuracies=(say("review.accuracy", accuracy=own), say("review.accuracy", accuracy=other)),
        plies=tuple(
            ReviewedPly(one.player, expected, class_of(one).mark, _weight(one))
            for one, expected in zip(review.moves, review.course, strict=True)
        ),
        turning=None if turned is None else turned.ply,
        footer=say("review.legend"),
        sentences=tuple(_sentences(session, names, review, say)),
    )


def head(session: Session, names: Names, review: Review, reader: int, say: Translator) -> str:
    """Whose game it was and how well each side played, in Markdown."""
    first, second = (_accuracy(review, player, say) for player in Player)
    side = session.side_of(reader)
    if side is None:
        shown = [escaped(seat_name(session, player, names, say)) for player in Player]
        return say("review.head.other", first=shown[0], second=shown[1], own=first, other=second)
    own, other = (first, second) if side is Player.FIRST else (second, first)
    is_me = session.seat(side.other).agent is not None
    key = "review.head.me" if is_me else "review.head.person"
    name = escaped(seat_name(session, side.other, names, say))
    return say(key, name=name, own=own, other=other)


def summary(session: Session, names: Names, review: Review, reader: int, say: Translator) -> str:
    """A review in two lines: how well each side played, and the turning point."""
    one = turning_move(review)
    if one is None:
        said = say("review.steady")
    else:
        whose = sentence(whose_move(session, one, review, names, reader, say))
        said = say(
            "review.turned",
            mark=f"**{class_of(one).mark}**",
            whose=whose,
            instead=instead(one, session, say),
        )
    return f"{head(session, names, review, reader, say)}\n{said}"


def turning_move(review: Review) -> JudgedMove | None:
    """The move that turned the game; None if no move did."""
    turned = review.turning_point
    return None if turned is None else review.moves[turned.ply]


def has_reason(review: Review) -> bool:
    """Whether the turning point can be explained: it gave something away that could be kept."""
    one = turning_move(review)
    if one is None:
        return False
    return one.best_value is None or one.best_value.winner is not one.player.other


def why_text(session: Session, names: Names, review: Review, reader: int, say: Translator) -> str:
    """The turning point in two sentences: what was possible, and what followed instead."""
    one = turning_move(review)
    if one is None:
        return say("review.steady")
    whose = whose_move(session, one, review, names, reader, say)
    could = say("review.why", whose=whose, instead=instead(one, session, say))
    places = moves_named(session.game, [one.move], say)
    if one.value is None:
        after = say("review.after.seen", places=places)
    elif one.value.winner is None:
        after = say("review.after.draw", places=places)
    else:
        winner = one.value.winner
        name = _name(session, winner, names, say)
        after = say(f"review.after.{_person(session, winner, reader)}", places=places, name=name)
    return f"{sentence(could)}\n{sentence(after)}"


def why_scene(
    session: Session, names: Names, review: Review, reader: int, say: Translator
) -> PairScene:
    """The turning point as two boards: after the best move, and after the one that was played."""
    one = turning_move(review)
    assert one is not None, "there is a turning point to explain"
    before, person = session.until(one.ply).position, _person(session, one.player, reader)
    name = seat_name(session, one.player, names, say)
    if not is_writable(name):
        name = say("name.player", number=int(one.player))
    number = sum(made.player is one.player for made in review.moves[: one.ply + 1])
    title = say(f"review.whose.{person}", number=number, name=name)
    best, played = one.best_moves[0], one.move
    return PairScene(
        sentence(title),
        (_after(before, best), _after(before, played)),
        (say(f"review.could.{person}", name=name), say(f"review.played.{person}", name=name)),
        (moves_named(session.game, [best], say), moves_named(session.game, [played], say)),
    )


def _after(before: Position, move: Move) -> SmallBoard:
    """The board after a move."""
    position = before.play(move)
    return SmallBoard(
        package_of(before.game).drawing,
        tuple(tuple(row) for row in position.cells()),
        line=frozenset() if position.outcome is None else position.outcome.squares,
        last=frozenset(square for square, _ in before.changes(move).placed),
    )


def lines_text(session: Session, review: Review, say: Translator) -> str:
    """Both lines of the turning point."""
    turned = review.turning_point
    if turned is None:
        return say("review.steady")
    lines = (("played", turned.played), ("instead", turned.instead))
    return "\n".join(
        say(f"review.line_{key}", line=line_words(session.game, line, say)) for key, line in lines
    )


def details_text(session: Session, names: Names, review: Review, say: Translator) -> str:
    """How many moves of each class both sides made, and what the numbers mean."""
    first, second = (_side(session, names, review, player, say) for player in Player)
    lines = [say("review.sides", first=first, second=second), say("review.scale")]
    unproven = [one for one in review.moves if not one.is_proven]
    if unproven:
        count = say.count("moves", len(unproven))
        lines.append(say("review.unproven", moves=count, depth=_depths(unproven, say)))
    return "\n".join(lines)


def marked_moves(review: Review) -> list[JudgedMove]:
    """The moves with a mark, in the order of the game."""
    return [one for one in review.moves if class_of(one) in MARKS]


def moves_text(session: Session, names: Names, review: Review, reader: int, say: Translator) -> str:
    """The marked moves of a game in a sentence, the worst ones if there are many."""
    marked = marked_moves(review)
    if not marked:
        return say("review.no_moves")
    worst = sorted(marked, key=lambda one: -one.loss)[:MAX_LISTED]
    listed = [
        say("review.marked", **_marked(session, one, review, names, reader, say))
        for one in marked
        if one in worst
    ]
    return sentence(" · ".join([*listed, *(["…"] if len(marked) > MAX_LISTED else [])]))


def option_text(
    session: Session, one: JudgedMove, review: Review, names: Names, reader: int, say: Translator
) -> str:
    """A marked move in a menu, without Markdown."""
    marked = _marked(session, one, review, names, reader, say)
    return sentence(say("review.option", **marked)).replace("*", "").replace("\\", "")


def move_text(
    session: Session, one: JudgedMove, review: Review, names: Names, reader: int, say: Translator
) -> str:
    """A marked move, and what would have been better."""
    return sentence(
        say(
            "review.played",
            places=moves_named(session.game, [one.move], say),
            instead=instead(one, session, say),
            **_marked(session, one, review, names, reader, say),
        )
    )


def _marked(
    session: Session, one: JudgedMove, review: Review, names: Names, reader: int, say: Translator
) -> dict[str, str]:
    kind = class_of(one)
    return {
        "whose": whose_move(session, one, review, names, reader, say),
        "mark": kind.mark,
        "kind": say(f"review.kind.{kind}"),
    }


def whose_move(
    session: Session, one: JudgedMove, review: Review, names: Names, reader: int, say: Translator
) -> str:
    """A move by its number among its player's: `your move 5`."""
    number = sum(made.player is one.player for made in review.moves[: one.ply + 1])
    name = _name(session, one.player, names, say)
    person = _person(session, one.player, reader)
    return say(f"review.whose.{person}", number=number, name=name)


def _person(session: Session, player: Player, reader: int) -> str:
    """How a text for a reader calls a player: `you`, `me` for Cuatro, or `other`."""
    seat = session.seat(player)
    if seat.user_id == reader:
        return "you"
    return "me" if seat.agent is not None and session.people else "other"


def _name(session: Session, player: Player, names: Names, say: Translator) -> str:
    return f"**{escaped(seat_name(session, player, names, say))}**"


def instead(one: JudgedMove, session: Session, say: Translator) -> str:
    """The result that the best moves would have led to."""
    best = one.best_moves[:MAX_BETTER]
    places = moves_named(session.game, best, say, among=True)
    position = session.until(one.ply).position
    if wins_with(position, best[0]):
        return say("review.was_four", places=places)
    if one.best_value is None:
        return say("review.better", places=places)
    if one.best_value.winner is None:
        return say("review.would_draw", places=places)
    if one.best_value.winner is not one.player:
        return say("review.would_last", places=places)
    wins_anyway = one.value is not None and one.value.winner is one.player
    return say("review.would_win_sooner" if wins_anyway else "review.would_win", places=places)


def _accuracy(review: Review, player: Player, say: Translator) -> str:
    found = review.accuracy(player)
    return UNKNOWN if found is None else say.number(found)


def _weight(one: JudgedMove) -> int:
    return [*MARKS].index(class_of(one)) + 1 if class_of(one) in MARKS else 0


def _side(session: Session, names: Names, review: Review, player: Player, say: Translator) -> str:
    """A player, how well they moved, and how many moves of each class they made."""
    classes = [class_of(one) for one in review.moves if one.player is player]
    counts = [
        say.count(f"class_{kind}", classes.count(kind)) for kind in MoveClass if kind in classes
    ]
    return say(
        "review.side",
        name=escaped(seat_name(session, player, names, say)),
        accuracy=_accuracy(review, player, say),
        counts=", ".join(counts) or UNKNOWN,
    )


def _depths(moves: list[JudgedMove], say: Translator) -> str:
    """How deep the searches went: one number, or the least and the greatest."""
    depths = sorted(one.analysis.depth for one in moves)
    ends = dict.fromkeys(say.number(depth) for depth in (depths[0], depths[-1]))
    return "–".join(ends)


def _sentences(session: Session, names: Names, review: Review, say: Translator) -> Iterator[str]:
    """The marks, the turning point and the course in sentences, the most important first."""
    for kind in reversed([*MARKS]):
        marked = [one for one in review.moves if class_of(one) is kind]
        if marked:
            moves = ", ".join(
                f"{one.ply + 1} ({seat_name(session, one.player, names, say)})" for one in marked
            )
            yield say(f"review.told_{kind}", moves=moves)
    if review.turning_point is not None:
        yield say("review.told_turned", number=review.turning_point.ply + 1)
    for leader, group in groupby(enumerate(review.course, 1), lambda step: _leader(step[1])):
        number, _ = next(group)
        if leader is None:
            yield say("review.told_even", number=number)
        else:
            name = seat_name(session, leader, names, say)
            yield say("review.told_ahead", number=number, name=name)


def _leader(expected: float) -> Player | None:
    """Who is ahead where the first player expects this."""
    if expected >= AHEAD:
        return Player.FIRST
    return Player.SECOND if expected <= 1 - AHEAD else None
