"""A review in words and as a picture, in one language and for one reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby

from bot.features.reviews.rules import bad_moves, move_number
from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.show.moves import caption, moves_named, sentence
from bot.show.reasons import reason_words
from bot.show.scenes import Names, line_words, seat_name, status
from bot.show.texts import game_title
from bot.show.threat_maps import Side, marked_with_threats, threat_words, threats_of
from engine.core.analysis import Source
from engine.core.game import Drawing, Move, Player, Position, wins_with
from engine.core.reason import BY_VALUE, ReasonKind
from engine.core.registry import package_of
from engine.strength.judging import JudgedMove
from engine.study.exercises import weight
from engine.study.move_class import MARKS, Fault, MoveClass, Praise, class_of
from engine.study.reach import Reach
from engine.study.review import Phase, Review
from renderers import (
    BoardScene,
    PairScene,
    ReviewedPly,
    ReviewScene,
    SmallBoard,
    Theme,
    draw_review,
    is_writable,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A reviewed game, and the person who reads about it."""

    session: Session
    review: Review
    names: Names
    reader: int
    say: Translator
    reach: Reach
    """What the reader can find, by their rating."""

    def seat_name(self, player: Player) -> str:
        """The name of one side."""
        return seat_name(self.session, player, self.names, self.say)

    @property
    def has_accuracy(self) -> bool:
        """Whether the reader sees how well each side played: between people only these two do."""
        people = self.session.people
        return len(people) < 2 or self.reader in people

    def accuracy(self, player: Player, phase: Phase | None = None) -> str:
        """How well one side played, in the game or a phase; UNKNOWN without moves."""
        found = self.review.accuracy(player, phase)
        return UNKNOWN if found is None else self.say.number(found)

    def person(self, player: Player) -> str:
        """How a text for the reader calls one side: `you`, `me` for Cuatro, or `other`."""
        seat = self.session.seat(player)
        if seat.user_id == self.reader:
            return "you"
        return "me" if seat.agent is not None and self.session.people else "other"


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


def review_scene(read: Reading) -> ReviewScene:
    """The picture of a review."""
    session, review, say = read.session, read.review, read.say
    # A name that the picture cannot write is replaced by the player's number.
    drawn = {
        seat.user_id: read.names[seat.user_id]
        if is_writable(read.names[seat.user_id])
        else say("name.player", number=number)
        for number, seat in enumerate(session.seats, 1)
        if seat.user_id is not None
    }
    first, second = map(replace(read, names=drawn).seat_name, Player)
    shown = [say("review.accuracy", accuracy=read.accuracy(player)) for player in Player]
    own, other = shown if read.has_accuracy else ("", "")
    turned = review.turned
    return ReviewScene(
        title=say("review.title", game=game_title(session.game, say)),
        subtitle=status(session, drawn, say),
        names=(first, second),
        accuracies=(own, other),
        plies=tuple(
            ReviewedPly(one.player, expected, class_of(one).mark, _weight(one))
            for one, expected in zip(review.moves, review.course, strict=True)
        ),
        turning=None if turned is None else turned.ply,
        footer=say("review.legend"),
        sentences=tuple(_sentences(read)),
    )


def head(read: Reading) -> str:
    """Whose game it was and how well each side played if the reader may know, in Markdown."""
    session, say = read.session, read.say
    first, second = map(read.accuracy, Player)
    side = session.side_of(read.reader)
    if side is None:
        shown = [escaped(read.seat_name(player)) for player in Player]
        names = {"first": shown[0], "second": shown[1]}
        if not read.has_accuracy:
            return say("review.head.names", **names)
        return say("review.head.other", **names, own=first, other=second)
    own, other = (first, second) if side is Player.FIRST else (second, first)
    is_me = session.seat(side.other).agent is not None
    key = "review.head.me" if is_me else "review.head.person"
    return say(key, name=escaped(read.seat_name(side.other)), own=own, other=other)


def summary(read: Reading) -> str:
    """A review in two lines: how well each side played, and the turning point.

    If it turned in practice at another move than by the values, both are named.
    """
    one, say = turning_move(read.review), read.say
    if one is None:
        said = say("review.steady")
    else:
        said = say(
            "review.turned",
            mark=f"**{class_of(one).mark}**",
            whose=sentence(whose_move(read, one)),
            instead=instead(read, one),
        )
    paper = paper_move(read.review)
    if paper is not None:
        said = f"{said} {say('review.paper', whose=whose_move(read, paper))}"
    return f"{head(read)}\n{said}"


def turning_move(review: Review) -> JudgedMove | None:
    """The move that turned the game, in practice if that differs; None if no move did."""
    return None if review.turned is None else review.moves[review.turned.ply]


def paper_move(review: Review) -> JudgedMove | None:
    """The move that turned the game by its values, if it turned in practice at another one."""
    if review.practical is None or review.turning_point is None:
        return None
    return review.moves[review.turning_point.ply]


def has_reason(review: Review) -> bool:
    """Whether the turning point can be explained: it gave something away that could be kept.

    A missed or allowed four always can.
    """
    one = turning_move(review)
    if one is None or Fault.of(one) is not None:
        return one is not None
    return one.best_value is None or one.best_value.winner is not one.player.other


def why_text(read: Reading) -> str:
    """The turning point in two sentences: what was possible, and what was wrong with the move.

    Where the board does not show that, what followed by exact values. A third one names the move
    that turned the game on paper, if that was another.
    """
    one, say = turning_move(read.review), read.say
    if one is None:
        return say("review.steady")
    could = say("review.why", whose=whose_move(read, one), instead=instead(read, one))
    places = moves_named(read.session.game, [one.move], say)
    shown = one.fault is not None and one.fault.kind not in BY_VALUE
    reason = _reason(read, one) if shown else None
    if reason is not None:
        after = reason
    elif one.value is None:
        after = say("review.after.seen", places=places)
    elif one.value.winner is None:
        after = say("review.after.draw", places=places)
    else:
        winner = one.value.winner
        name = _bold_name(read, winner)
        after = say(f"review.after.{read.person(winner)}", places=places, name=name)
    lines = [sentence(could), sentence(after)]
    paper = paper_move(read.review)
    if paper is not None:
        both = {"paper": whose_move(read, paper), "game": whose_move(read, one)}
        lines.append(say("review.both", **both))
    return "\n".join(lines)


def why_scene(read: Reading) -> PairScene:
    """The turning point as two boards: after the best move, and after the one that was played."""
    session, say, one = read.session, read.say, turning_move(read.review)
    assert one is not None, "there is a turning point to explain"
    before, person = session.until(one.ply).position, read.person(one.player)
    name = read.seat_name(one.player)
    if not is_writable(name):
        name = say("name.player", number=int(one.player))
    title = say(f"review.whose.{person}", number=move_number(read.session, one), name=name)
    best, played = one.best_moves[0], one.move
    return PairScene(
        sentence(title),
        (_after(before, best), _after(before, played)),
        (say(f"review.could.{person}", name=name), say(f"review.played.{person}", name=name)),
        (caption(session.game, best, say), caption(session.game, played, say)),
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


def lines_text(read: Reading) -> str:
    """Both lines of the turning point."""
    turned, say = read.review.turned, read.say
    if turned is None:
        return say("review.steady")
    lines = (("played", turned.played), ("instead", turned.instead))
    return "\n".join(
        say(f"review.line_{key}", line=line_words(read.session.game, line, say))
        for key, line in lines
    )


ROUND = 50
"""The rating that one game's moves look like is rounded to a multiple of this."""


def details_text(read: Reading, strengths: Mapping[Player, float]) -> str:
    """How many moves of each class both sides made, and, if shown, how well that was.

    `strengths` are the ratings that their moves look like.
    """
    say = read.say
    first, second = (_side(read, player) for player in Player)
    phases = [_phases(read, player) for player in Player]
    praised = [said for player in Player if (said := _praise(read, player))]
    lines = [
        say("review.sides", first=first, second=second),
        *([f"{' · '.join(praised)}."] if praised else []),
    ]
    if read.has_accuracy:
        lines.append(say("review.phases", first=phases[0], second=phases[1]))
        if strengths:
            like = [_like(read, side, strengths[side]) for side in Player if side in strengths]
            lines.append(say("review.like", sides=" · ".join(like)))
        lines.append(say("review.scale"))
    exact = [one.analysis.source is Source.BOOK for one in read.review.moves if one.is_proven]
    if exact:
        book, proof = (say.number(exact.count(is_known)) for is_known in (True, False))
        lines.append(say("review.proven", book=book, proof=proof))
    unproven = [one for one in read.review.moves if not one.is_proven]
    if unproven:
        count = say.count("moves", len(unproven))
        lines.append(say("review.unproven", moves=count, depth=_depths(unproven, say)))
    return "\n".join(lines)


def marked_moves(review: Review) -> list[JudgedMove]:
    """The moves with a mark, in the order of the game."""
    return [one for one in review.moves if class_of(one) in MARKS]


def moves_text(read: Reading) -> str:
    """The marked moves of a game in a sentence, the worst ones if there are many.

    A second one says if the reader's mistakes are too hard to see for exercises.
    """
    marked = marked_moves(read.review)
    if not marked:
        return read.say("review.no_moves")
    worst = sorted(marked, key=partial(weight, read.review))[:MAX_LISTED]
    listed = [read.say("review.marked", **_marked(read, one)) for one in marked if one in worst]
    said = sentence(" · ".join([*listed, *(["…"] if len(marked) > MAX_LISTED else [])]))
    every = bad_moves(read.session, read.review, read.reader)
    if every and not bad_moves(read.session, read.review, read.reader, read.reach):
        said = f"{said}\n{read.say('learn.none')}"
    return said


def option_text(read: Reading, one: JudgedMove) -> str:
    """A marked move in a menu, without Markdown."""
    text = sentence(read.say("review.option", **_marked(read, one)))
    return text.replace("*", "").replace("\\", "")


def move_text(read: Reading, one: JudgedMove) -> str:
    """A marked move, why it was bad, and what would have been better."""
    places = moves_named(read.session.game, [one.move], read.say)
    better = instead(read, one)
    said = sentence(read.say("review.played", places=places, instead=better, **_marked(read, one)))
    reason = _reason(read, one)
    return said if reason is None else f"{reason}\n{said}"


SAID = (ReasonKind.MISSED_FOUR, ReasonKind.WINS_LATER, ReasonKind.LOSES_SOONER)
"""The reasons that `instead` has given already."""


def _reason(read: Reading, one: JudgedMove) -> str | None:
    """Why a move was bad, in a sentence; None if there is nothing to add to `instead`."""
    if one.fault is None or one.fault.kind in SAID:
        return None
    before = read.session.until(one.ply).position
    if one.fault.kind is ReasonKind.MISSED_TURN and wins_with(before, one.best_moves[0]):
        return None
    return reason_words(
        one.fault,
        before,
        read.say,
        read.person(one.player.other),
        _bold_name(read, one.player.other),
        values=one.analysis.scores if one.analysis.proven else None,
        is_own=read.person(one.player) == "you",
    )


def move_page(
    read: Reading, one: JudgedMove, *, with_threats: bool = False
) -> tuple[str, Callable[[BoardScene], BoardScene]]:
    """The text about a marked move, and what the picture of the board before it adds.

    With threats, both show those before the move, if the game has a map of them.
    """
    text = move_text(read, one)
    winner = None if one.best_value is None else one.best_value.winner
    before = read.session.until(one.ply).position
    shown = threats_of(before, winner) if with_threats else None
    if shown is None:
        return text, lambda scene: scene
    persons = {player: (read.person(player), read.seat_name(player)) for player in Player}
    plain = {player: Side(*found) for player, found in persons.items()}
    bold = {
        player: Side(person, _bold_name(read, player)) for player, (person, _) in persons.items()
    }
    revise = partial(marked_with_threats, shown=shown, sides=plain, say=read.say)
    return f"{text}\n{threat_words(shown, bold, read.say)}", revise


def _marked(read: Reading, one: JudgedMove) -> dict[str, str]:
    kind = class_of(one)
    return {
        "whose": whose_move(read, one),
        "mark": kind.mark,
        "kind": read.say(f"review.kind.{Fault.of(one) or kind}"),
    }


def whose_move(read: Reading, one: JudgedMove) -> str:
    """A move by its number among its player's: `your move 5`."""
    key, name = f"review.whose.{read.person(one.player)}", _bold_name(read, one.player)
    return read.say(key, number=move_number(read.session, one), name=name)


def _bold_name(read: Reading, player: Player) -> str:
    return f"**{escaped(read.seat_name(player))}**"


def instead(read: Reading, one: JudgedMove) -> str:
    """The result that the best moves would have led to."""
    session, say = read.session, read.say
    best = one.best_moves[:MAX_BETTER]
    places = moves_named(session.game, best, say, among=True)
    if wins_with(session.until(one.ply).position, best[0]):
        return say("review.was_four", places=places)
    if one.best_value is None:
        return say("review.better", places=places)
    if one.best_value.winner is None:
        return say("review.would_draw", places=places)
    if one.best_value.winner is not one.player:
        return say("review.would_last", places=places)
    wins_anyway = one.value is not None and one.value.winner is one.player
    return say("review.would_win_sooner" if wins_anyway else "review.would_win", places=places)


def _weight(one: JudgedMove) -> int:
    return [*MARKS].index(class_of(one)) + 1 if class_of(one) in MARKS else 0


def _side(read: Reading, player: Player) -> str:
    """A player, how well they moved if it is shown, and how many moves of each class they made."""
    say = read.say
    classes = [class_of(read.review.moves[ply]) for ply in read.session.plies_of(player)]
    counts = [
        say.count(f"class_{kind}", classes.count(kind)) for kind in MoveClass if kind in classes
    ]
    said = {"name": escaped(read.seat_name(player)), "counts": ", ".join(counts) or UNKNOWN}
    if not read.has_accuracy:
        return say("review.side_counts", **said)
    return say("review.side", **said, accuracy=read.accuracy(player))


def _like(read: Reading, player: Player, rating: float) -> str:
    """A player, and the rating that their moves look like."""
    rounded = read.say.rating(ROUND * round(rating / ROUND))
    return read.say("review.like_side", name=escaped(read.seat_name(player)), rating=rounded)


def _praise(read: Reading, player: Player) -> str:
    """A player, and how many only moves and opening moves they found; empty for none."""
    say = read.say
    found = [Praise.of(read.review.moves[ply]) for ply in read.session.plies_of(player)]
    counts = [say.count(f"praise_{one}", found.count(one)) for one in Praise if one in found]
    name = escaped(read.seat_name(player))
    return say("review.praise", name=name, counts=", ".join(counts)) if counts else ""


def _phases(read: Reading, player: Player) -> str:
    """A player, and how well they moved in each phase."""
    numbers = ", ".join(read.accuracy(player, phase) for phase in Phase)
    return read.say("review.phase_side", name=escaped(read.seat_name(player)), numbers=numbers)


def _depths(moves: list[JudgedMove], say: Translator) -> str:
    """How deep the searches went: one number, or the least and the greatest."""
    depths = sorted(one.analysis.depth for one in moves)
    ends = dict.fromkeys(say.number(depth) for depth in (depths[0], depths[-1]))
    return "–".join(ends)


def _sentences(read: Reading) -> Iterator[str]:
    """The marks, the turning point and the course in sentences, the most important first."""
    review, say = read.review, read.say
    for kind in reversed([*MARKS]):
        marked = [one for one in review.moves if class_of(one) is kind]
        if marked:
            moves = ", ".join(f"{one.ply + 1} ({read.seat_name(one.player)})" for one in marked)
            yield say(f"review.told_{kind}", moves=moves)
    if review.turned is not None:
        yield say("review.told_turned", number=review.turned.ply + 1)
    paper = paper_move(review)
    if paper is not None:
        yield say("review.told_paper", number=paper.ply + 1)
    for leader, group in groupby(enumerate(review.course, 1), lambda step: _leader(step[1])):
        number, _ = next(group)
        if leader is None:
            yield say("review.told_even", number=number)
        else:
            yield say("review.told_ahead", number=number, name=read.seat_name(leader))


def _leader(expected: float) -> Player | None:
    """Who is ahead where the first player expects this."""
    if expected >= AHEAD:
        return Player.FIRST
    return Player.SECOND if expected <= 1 - AHEAD else None
