"""Which games count for ratings, and how the end of one changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from bot.rating.numbers import number_after, number_of
from bot.rating.ratings import (
    AGENT_DEVIATION,
    DRAW,
    LOSS,
    WIN,
    Evidence,
    Opposition,
    after_game,
    limits_of,
    newcomer,
    rating_at,
)
from bot.store import RatedEnd, Rating, RatingChange, RatingRecord
from bot.table.session import Session
from engine.core.game import Player
from engine.strength.ladder import ladder_of, size_class

LEAST_MOVES = 4
"""A game abandoned before this many moves does not count."""
LEFT = ("resigned", "time")
"""The endings in which somebody left the game, and thereby lost it."""


def unrated_because(session: Session) -> str | None:
    """Why the end of a game changes no rating; None if it does.

    `stopped`: it has no result. `early`: it was called off, or somebody left, before LEAST_MOVES
    moves. For the other reasons see `spoiled_by`.
    """
    assert session.end is not None, "the game has ended"
    if session.end.ending == "stopped":
        return "stopped"
    is_short = session.end.ending in LEFT and len(session.moves) < LEAST_MOVES
    if is_short or session.end.ending == "aborted":
        return "early"
    return spoiled_by(session)


def spoiled_by(session: Session) -> str | None:
    """Why no end of a game would change a rating, whether it has come or not; None where it would.

    `agents`: no person plays. `channel`: a channel does. `alone`: one person plays both sides.
    `hint`: a hint was given. `undo`: moves were taken back. `engine`: an agent's move was made
    without a search, because all had failed. `opponent`: the agent's strength is unknown.
    """
    if session.is_channels:
        return "channel"
    people = [seat.user_id for seat in session.seats if seat.user_id is not None]
    if not people:
        return "agents"
    if len(set(people)) < len(people):
        return "alone"
    # Agents take no hints: any hint was given to a person at this board.
    if session.hints:
        return "hint"
    if session.undos:
        return "undo"
    if session.is_unsearched:
        return "engine"
    agents = [player for player in Player if session.seat(player).user_id is None]
    return "opponent" if any(_elo_of(session, player) is None for player in agents) else None


def rated_end(session: Session, evidence: Mapping[Player, Evidence]) -> RatedEnd | None:
    """How the end of a game changes ratings; None if it does not count.

    Args:
        session: The game, which has ended.
        evidence: What the moves of each judged side say.
    """
    if unrated_because(session) is not None:
        return None
    rate = partial(_changes, session, evidence)
    return RatedEnd(size_class(session.game), session.people, rate)


def _changes(
    session: Session, evidence: Mapping[Player, Evidence], known: Mapping[int, RatingRecord]
) -> tuple[RatingChange, ...]:
    """The changes for the people at the board, by their opponents' ratings before the game."""
    assert session.end is not None
    at, ladder = session.end.at, ladder_of(session.game)
    within = limits_of(ladder)
    new = newcomer(ladder)
    before = {u: rating_at(known[u], at) if u in known else new for u in session.people}
    changes = []
    for side in Player:
        user_id = session.seat(side).user_id
        if user_id is not None:
            other = _opposition(session, side.other, before)
            number = _number_of(session, side.other, before)
            met, met_as = other.value, number
            if not session.pie:
                # With the pie rule nobody knows which side is the better one: they choose it.
                is_first = side.other is Player.FIRST
                met, met_as = (ladder.as_seated(v, is_first=is_first) for v in (met, met_as))
            score = DRAW if session.winner is None else WIN if session.winner is side else LOSS
            own, seen = before[user_id], evidence.get(side)
            after = after_game(own, Opposition(met, other.deviation), score, seen, within)
            after = replace(after, shown=number_after(own, after, met_as, score, within))
            changes.append(RatingChange(user_id, before[user_id], after, number))
    return tuple(changes)


def _opposition(session: Session, side: Player, before: Mapping[int, Rating]) -> Opposition:
    user_id = session.seat(side).user_id
    if user_id is not None:
        return Opposition(before[user_id].value, before[user_id].deviation)
    elo = _elo_of(session, side)
    assert elo is not None, "games against agents of unknown strength are unrated"
    return Opposition(elo, AGENT_DEVIATION)


def _number_of(session: Session, side: Player, before: Mapping[int, Rating]) -> float:
    """What people see of a side's rating."""
    user_id = session.seat(side).user_id
    other = _opposition(session, side, before).value
    return other if user_id is None else number_of(before[user_id])


def _elo_of(session: Session, side: Player) -> float | None:
    name = session.seat(side).agent_name
    return None if name is None else ladder_of(session.game).elo_of(name)
