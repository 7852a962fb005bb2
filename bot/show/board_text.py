"""What the message of a game says: who plays, whose turn it is, how it ended, and its details.

The bot speaks as "I" to a person who plays it. Where a game has a sentence of its own, it is in the
game's catalogue; a turn's remarks and effects have texts there too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.game.session import Session
from bot.i18n import Translator, clipped, escaped
from bot.ratings.glicko import PLACEMENT
from bot.ratings.rated import keeps_rating, spoiled_by, unrated_because
from bot.show.scenes import Names, seat_name, turn_of
from bot.show.texts import agent_title
from bot.store.records import AUTO, Ending, MoveRecord, RatingChange
from engine.core.analysis import Source
from engine.core.game import Cell, Move, Player, Position, Remark
from engine.core.registry import package_of
from engine.strength.roster import LEVELS

LONGEST_NAME = 24
"""Characters of a name that a message shows."""


MINUS = "\u2212"
"""The sign of a rating's loss, as wide as a plus sign."""


def short_name(name: str) -> str:
    """A person's name as a message shows it, without the asterisks that make it bold."""
    return escaped(clipped(name, LONGEST_NAME))


def bold(name: str) -> str:
    """A person's name as a message shows it."""
    return f"**{short_name(name)}**"


def title(session: Session, names: Names, say: Translator) -> str:
    """The first line of a running game: who plays whom at what."""
    first, second = (_seat_title(session, player, names, say) for player in Player)
    game, players = session.game, say("board.players", first=first, second=second)
    named = _titled(session, players, say)
    parts = [named]
    if named == players:
        parts.append(say(f"game.{game.key}"))
    if game.variant != package_of(game).usual:
        parts.append(say.variant(game.key, game.variant))
    if len(session.people) > 1 and spoiled_by(session) is None:
        parts.append(say("board.rated"))
    return " · ".join(parts)


def _titled(session: Session, text: str, say: Translator) -> str:
    """A text with the name of the game before it, if the game has a title of its own."""
    key = f"title.{session.game.key}"
    return say(key, text=text) if key in say.texts else text


def _seat_title(session: Session, player: Player, names: Names, say: Translator) -> str:
    """The name of one side, with its mark and an agent's level in parentheses."""
    seat, mark = session.seat(player), say.texts.get(f"mark.{session.game.key}.{player}")
    details = [] if mark is None else [mark]
    if seat.agent is None:
        assert seat.user_id is not None, "a seat holds a person or an agent"
        name = bold(names[seat.user_id])
    elif session.is_watched:
        name = bold(agent_title(session.game, seat.agent, say))
        if session.seats[0] == session.seats[1] and mark is None:
            details.append(str(int(player)))
    else:
        name = bold(say("name.bot"))
        if not session.setup.auto:
            details.append(agent_title(session.game, seat.agent, say))
        elif mark is None:
            details.append(AUTO)
    return f"{name} ({', '.join(details)})" if details else name


def partner_of(session: Session) -> int | None:
    """The person who plays alone against an agent; None for any other game."""
    agents = sum(seat.agent is not None for seat in session.seats)
    return session.people[0] if session.people and agents == 1 else None


def turn_line(
    session: Session, names: Names, say: Translator, *, is_first: bool, delay: int | None = None
) -> str | None:
    """What has just been played, and whose turn it is; None where votes or features say it.

    `is_first` says whether this is the person's first game of its kind, `delay` in about how many
    seconds the engine will be ready for the agent to move.
    """
    if session.is_over or session.awaits_guesses or session.awaits_channel:
        return None
    if session.awaits_agent:
        is_ready = delay is None
        thinks = _thinking(session, say) if is_ready else say("engine.preparing", seconds=delay)
        return " ".join((*_own_effect(session, names, say), thinks))
    replied = list(_reply(session, say))
    before_reply = turn_of(session)[0].ply if replied else len(session.moves)
    said = [*_own_effect(session.until(before_reply), names, say), *replied]
    if not session.is_held:
        said += _turn(session, names, say, is_first=is_first)
    return " ".join(said) or None


def _thinking(session: Session, say: Translator) -> str:
    if not session.is_watched:
        return say("turn.thinking")
    name = bold(agent_title(session.game, session.mover.agent or "", say))
    return say("turn.thinking_other", name=name)


def _turn(session: Session, names: Names, say: Translator, *, is_first: bool) -> Iterator[str]:
    """Whose turn it is, what the position asks of them, and when their time is up."""
    mover, partner = session.mover.user_id, partner_of(session)
    assert mover is not None, "a person is to move"
    name = short_name(names[mover])
    asked = list(_asked(session, None if partner else name, say))
    if asked:
        yield from asked
    else:
        yield say("turn.you" if partner else "turn.other", name=name)
        goal = f"goal.{session.game.key}"
        has_moved = any(move.user_id == partner for move in session.moves)
        if partner and is_first and not has_moved and goal in say.texts:
            yield say(goal)
    if len(session.people) > 1 and session.board_deadline is not None:
        yield say("turn.until", until=f"<t:{session.board_deadline}:R>")


def _asked(session: Session, name: str | None, say: Translator) -> Iterator[str]:
    """The sentences about a position's remarks, to a person or, with a name, about one."""
    for remark in session.position.remarks():
        # Within a turn, or before the first move, a later turn is not worth a sentence.
        is_later = "turns" in dict(remark.numbers)
        if is_later and not (session.moves and session.begins_turn):
            continue
        text = _remark_text(remark, name, say)
        if text is not None:
            yield text


def _remark_text(remark: Remark, name: str | None, say: Translator) -> str | None:
    """The sentence about a remark: that for its numbers, if there is one; None without one."""
    numbers = "".join(f".{number}" for _, number in remark.numbers)
    words = {
        key: say.count(key, number) if f"count.{key}.other" in say.texts else say.number(number)
        for key, number in remark.numbers
    }
    for key in (f"turn.{remark.key}{numbers}", f"turn.{remark.key}"):
        named = f"{key}.named"
        chosen = named if name is not None and named in say.texts else key
        if chosen in say.texts:
            return say(chosen, name=name or "", **words)
    return None


def _reply(session: Session, say: Translator) -> Iterator[str]:
    """What the agent played in the turn before this one, as it says it itself."""
    if len(session.moves) <= session.setup.opening or not session.begins_turn:
        return
    if session.moves[-1].user_id is not None:
        return
    if session.moves[-1].is_unsearched:
        yield say("turn.unsearched")
        return
    yield from reply_words(*turn_of(session), say)


def reply_words(before: Position, made: list[Move], say: Translator) -> Iterator[str]:
    """Yield sentences in which an agent says the moves of its turn, which began `before`."""
    game, placed = before.game, list[str]()
    position, sentences = before, list[str]()
    for move in made:
        effect = _effect_words("mine", position, move, say)
        if effect is not None:
            sentences += (*_placed_words(game.key, placed, say), effect)
            placed = []
        else:
            placed.append(say.move(game.key, game.label(move)))
        position = position.play(move)
    yield from (*sentences, *_placed_words(game.key, placed, say))


def _placed_words(family: str, moves: list[str], say: Translator) -> list[str]:
    """One sentence for consecutive moves that place a stone; none without moves."""
    if not moves:
        return []
    kind = "one" if len(moves) == 1 else "twice" if len(set(moves)) < len(moves) else "several"
    key = say.key("reply", family, kind)
    return [say(key, moves=moves[0] if kind == "twice" else say.all_of(moves))]


def placed_words(family: str, move: str, say: Translator) -> str:
    """A move as the object of a sentence, such as `column 4`."""
    for key in (f"place.{family}.{move}", f"place.{family}"):
        if key in say.texts:
            return say(key, move=move)
    return say.move(family, move)


def _own_effect(session: Session, names: Names, say: Translator) -> Iterator[str]:
    """What a person's latest move did, if it did something other than placing a stone."""
    if not session.moves or session.is_watched or session.moves[-1].user_id is None:
        return
    made = session.moves[-1]
    before = session.until(len(session.moves) - 1).position
    move = session.game.parse(made.move)
    first, second = (
        short_name(seat_name(session, player, names, say))
        for player in (before.to_move, before.to_move.other)
    )
    who = "named" if partner_of(session) is None else "yours"
    effect = _effect_words(who, before, move, say, name=first, other=second)
    if effect is not None:
        yield effect


def _effect_words(
    who: str, before: Position, move: Move, say: Translator, **details: object
) -> str | None:
    """The sentence about a move that removes stones, with the number of the other side's.

    None for a move that only places a stone, and where the game has no such sentence.
    """
    changes, cells = before.changes(move), before.cells()
    removed = (cells[square.row][square.column] for square in changes.removed)
    count = sum(cell is not Cell.EMPTY and cell.owner is not before.to_move for cell in removed)
    key = f"effect.{before.game.key}.{changes.effect}.{who}"
    if count == 0 and f"{key}.none" in say.texts:
        return say(f"{key}.none", **details)
    return say.plural(key, count, **details) if f"{key}.other" in say.texts else None


def result_line(
    session: Session, names: Names, say: Translator, rating: float | None = None
) -> str:
    """How a game ended: the result and the rating.

    `rating` is the present one of a player who had help, if they have one.
    """
    first = [result_sentence(session, names, say)]
    remarks = session.position.remarks() if session.position.outcome is not None else ()
    first += [say(f"remark.{remark.key}") for remark in remarks]
    first += _rating(session, names, say, rating)
    return _titled(session, " ".join(first), say)


def next_step(session: Session, names: Names, say: Translator) -> str:
    """What a finished game means for its players' ratings; empty if that is in its result."""
    return " ".join(_next_step(session, names, say))


def result_sentence(session: Session, names: Names, say: Translator) -> str:
    """How a game ended, in one sentence."""
    assert session.end is not None, "the game has ended"
    ending, winner = session.end.ending, session.winner
    if winner is None:
        if ending is Ending.STOPPED:
            by_others = session.people and not session.is_channel_game
            return say("result.stopped_by_moderator" if by_others else "result.stopped")
        if ending is not Ending.DRAW:
            return say(f"result.{ending}")
        cells = (cell for row in session.position.cells() for cell in row)
        if Cell.EMPTY in cells:
            return say("result.draw_long", moves=say.count("moves", len(session.moves)))
        return say("result.draw")
    if ending is Ending.LINE:
        return _won(session, winner, names, say)
    sides = (_side_name(session, side, names, say) for side in (winner, winner.other))
    return say(f"result.{ending}", **dict(zip(("winner", "loser"), sides, strict=True)))


def _won(session: Session, winner: Player, names: Names, say: Translator) -> str:
    """Who made four in a row, in how many of their moves."""
    seat = session.seat(winner)
    made = len(session.plies_of(winner))
    details = {"winner": _side_name(session, winner, names, say), "moves": say.count("moves", made)}
    if session.is_channel_game:
        return say("result.channel_won" if seat.agent is None else "result.channel_lost", **details)
    if seat.agent is None:
        return say("result.helped" if keeps_rating(session) else "result.won", **details)
    partner = partner_of(session)
    if partner is not None:
        return say("result.lost", name=short_name(names[partner]), **details)
    return say("result.level" if seat.agent in LEVELS else "result.agent", **details)


def _side_name(session: Session, player: Player, names: Names, say: Translator) -> str:
    """The name of one side in a result: without the level of an agent that plays people."""
    seat = session.seat(player)
    if seat.agent is None:
        assert seat.user_id is not None, "a seat holds a person or an agent"
        return short_name(names[seat.user_id])
    if not session.is_watched:
        return say("name.bot")
    return short_name(agent_title(session.game, seat.agent, say))


def _rating(session: Session, names: Names, say: Translator, rating: float | None) -> Iterator[str]:
    """The players' ratings after a game, once they are known, or why they stay."""
    if keeps_rating(session):
        if rating is None:
            yield say("result.help")
        else:
            yield say("result.help_at", rating=say.rating(rating))
    changes = [change for change in _changes(session) if change.after.shown is not None]
    if not changes:
        return
    if len(session.people) == 1:
        (change,) = changes
        if change.before.shown is not None:
            yield say("result.rating", rating=rating_words(change, say))
        return
    ratings = (
        f"{short_name(names[change.user_id])} {rating_words(change, say)}" for change in changes
    )
    yield say("result.ratings", ratings=", ".join(ratings))


def rating_words(change: RatingChange, say: Translator) -> str:
    """A new rating, with its change if there was one before."""
    before, after = change.before.shown, change.after.shown
    assert after is not None, "the player has a rating"
    if before is None:
        return say.rating(after)
    moved = round(after) - round(before)
    return f"{say.rating(after)} ({MINUS if moved < 0 else '+'}{abs(moved)})"


def _next_step(session: Session, names: Names, say: Translator) -> Iterator[str]:
    """A first rating, or how many games are missing until there is one."""
    assert session.end is not None, "the game has ended"
    if session.people and unrated_because(session) == "engine":
        yield say("result.engine")
    if session.rating_failed:
        yield say("result.failed")
    is_alone = len(session.people) == 1
    for change in _changes(session):
        if change.after.shown is None:
            missing = max(1, PLACEMENT - change.after.games)
            key = "result.placing" if is_alone else "result.placing_other"
            yield say.plural(key, missing, name=bold(names[change.user_id]))
        elif is_alone and change.before.shown is None:
            yield say("result.placed", rating=say.rating(change.after.shown))


def _changes(session: Session) -> Iterator[RatingChange]:
    """The changes of the players' ratings, in the order of the seats."""
    for user_id in session.people:
        yield from (change for change in session.changes if change.user_id == user_id)


def _sources(moves: Sequence[MoveRecord], say: Translator) -> str:
    """How many of the agents' moves were found in which way."""
    found = Counter(move.source for move in moves if not move.is_unsearched)
    return say("details.found", **{one: say.number(found[one]) for one in Source})


def details_text(session: Session, say: Translator) -> str:
    """The figures of a finished game: its length, the help in it and the agents' searches."""
    assert session.end is not None, "the game has ended"
    first, second = (len(session.plies_of(player)) for player in Player)
    lines = [
        say(
            "details.game",
            first=first,
            second=second,
            time=say.duration(max(0.0, session.end.at - session.started_at)),
            hints=say.number(sum(hint.given for hint in session.hints)),
            undos=say.number(session.undos),
        )
    ]
    agents = [move for move in session.moves if move.user_id is None]
    if agents:
        lines.append(
            say(
                "details.watched" if session.is_watched else "details.search",
                nodes=say.number(sum(move.nodes or 0 for move in agents)),
                seconds=say.decimal(sum(move.seconds for move in agents)),
                depth=max(move.depth or 0 for move in agents),
            )
        )
        lines.append(_sources(agents, say))
    if session.people and not session.changes and not session.rating_due:
        # Games from before ratings existed are unrated, without another reason.
        reason = "failed" if session.rating_failed else unrated_because(session) or "unrated"
        lines.append(say(f"unrated.{reason}"))
    return "\n".join(lines)
