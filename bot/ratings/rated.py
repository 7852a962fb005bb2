"""Which games count for ratings, how they change ratings, and strength estimates from moves.

Against an agent, a game with help (hints or moves taken back) can lower a person's number but not
raise it: a win or a draw only informs the estimate. The first number is the estimate, so before
there is one, only the moves that the person found alone inform it, and only downwards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from bot.game.session import Session
from bot.ratings.glicko import (
    AGENT_DEVIATION,
    DRAW,
    LOSS,
    WIN,
    Evidence,
    Opposition,
    after_game,
    after_moves,
    limits_of,
    newcomer,
    number_after,
    number_of,
    rating_at,
)
from bot.ratings.start import starting_rating
from bot.store.records import Ending, RatedEnd, Rating, RatingChange, RatingRecord, UnaidedMoves
from engine.core.game import Game, Player
from engine.core.registry import package_of
from engine.strength.judging import Judgement, quality, summed
from engine.strength.ladder import estimate, ladder_of, size_class


def evidence_of(
    game: Game,
    judgement: Judgement,
    sides: Collection[Player],
    winner: Player | None,
    aided: Collection[int] = (),
) -> dict[Player, Evidence]:
    """The strength estimates of `sides` from a judged game; sides with too few moves are left out.

    Empty if the game's moves have not been calibrated with ratings: then only results count. A
    side's worst moves do not count, so that a game lost on purpose still shows how well it was
    played before. Moves whose plies are in `aided` do not count either.
    """
    if size_class(game) not in package_of(game).calibrations:
        return {}
    found = {}
    for side in sides:
        own = (m for m in judgement.moves if m is not None and m.player is side)
        losses = [m.loss for m in own if m.is_informative and m.ply not in aided]
        value = quality(losses, trimmed=True)
        if value is not None:
            score = DRAW if winner is None else WIN if winner is side else LOSS
            found[side] = evidence_from(game, value, score, len(judgement.moves))
    return found


def evidence_from(game: Game, value: float, score: float, plies: int) -> Evidence:
    """The estimate from the trimmed quality of moves in a game with this score and length."""
    calibration = package_of(game).calibrations[size_class(game)]
    elo, _ = estimate(ladder_of(game), value, trimmed=True)
    return Evidence(calibration.corrected(elo, score, plies), calibration.deviation)


MIN_MOVES = 4
"""A game abandoned before this number of moves does not count. No side can have lost by then: it
always has a move after which the opponent cannot win at once."""


def had_help(session: Session) -> bool:
    """Whether the only person in a game against an agent used hints or took moves back."""
    if session.is_channel_game or len(session.people) != 1 or _is_alone(session):
        return False
    # Agents do not use hints, so every hint was given to the person.
    return bool(session.hints or session.undos)


def aided_plies(session: Session) -> frozenset[int]:
    """The plies that were not, or not certainly, found without help.

    These are moves made with a hint, and those after the first undo: it shows the replies to the
    moves taken back. Only the time of the last undo is stored.
    """
    alone_until = session.undone_at if session.undos == 1 else None
    return frozenset(
        ply
        for ply, made in enumerate(session.moves)
        if made.hinted or (session.undos and (alone_until is None or made.at >= alone_until))
    )


def can_raise(session: Session) -> bool:
    """Whether a game, finished or not, can raise a person's number."""
    return spoiled_by(session) is None and not had_help(session)


def is_contest(session: Session) -> bool:
    """Whether two people play for their ratings."""
    return len(session.people) > 1 and spoiled_by(session) is None


def unrated_because(session: Session) -> str | None:
    """The reason why the end of a game changes no number; None if it does.

    `stopped`: it has no result. `early`: it was called off, or a player left, before MIN_MOVES
    moves. `hint` or `undo`: the person had help and has not lost. For the other reasons see
    `spoiled_by`.
    """
    assert session.end is not None, "the game has ended"
    if session.end.ending is Ending.STOPPED:
        return "stopped"
    own_moves = len(session.moves) - session.setup.opening
    is_short = session.end.ending.is_by_leaving and own_moves < MIN_MOVES
    if is_short or session.is_aborted:
        return "early"
    reason = spoiled_by(session)
    if reason is None and had_help(session) and not _has_lost(session):
        return "hint" if session.hints else "undo"
    return reason


def is_instructive(session: Session) -> bool:
    """Whether the end of a game changes an estimate, whether or not it changes a number."""
    return unrated_because(session) is None or keeps_rating(session)


def keeps_rating(session: Session) -> bool:
    """Whether the end of a game leaves its only person's number as it was because of help."""
    return had_help(session) and unrated_because(session) in ("hint", "undo")


def _has_lost(session: Session) -> bool:
    """Whether an agent has won against the only person in a game."""
    return session.winner is not None and session.seat(session.winner).user_id is None


def _is_alone(session: Session) -> bool:
    """Whether one person plays both sides."""
    people = [seat.user_id for seat in session.seats if seat.user_id is not None]
    return len(set(people)) < len(people)


def spoiled_by(session: Session) -> str | None:
    """The reason why a game, finished or not, cannot change a rating; None if it can.

    `agents`: no person plays. `channel`: a channel does. `alone`: one person plays both sides.
    `friendly`: its people agreed on that. `position`: it went on from one. `undo`: both people
    agreed to take a move back. `hint`: one of two people had a hint, as was possible in games of
    earlier versions. `engine`: an agent's move was made without a search, because all had failed.
    `opponent`: the agent's strength is unknown.
    """
    if session.is_channel_game:
        return "channel"
    if not session.people:
        return "agents"
    if _is_alone(session):
        return "alone"
    if session.setup.friendly:
        return "position" if session.setup.goes_on else "friendly"
    if len(session.people) > 1 and session.hints:
        return "hint"
    if len(session.people) > 1 and session.undos:
        return "undo"
    if session.is_unsearched:
        return "engine"
    agents = [player for player in Player if session.seat(player).user_id is None]
    return "opponent" if any(_elo_of(session, player) is None for player in agents) else None


def rated_end(session: Session, evidence: Mapping[Player, Evidence]) -> RatedEnd | None:
    """The changes of ratings by the end of a game; None if it changes none.

    Args:
        session: The game, which has ended.
        evidence: The estimates from the moves of the judged sides.
    """
    if not is_instructive(session):
        return None
    rate = partial(_changes, session, evidence)
    start = partial(starting_rating, ladder_of(session.game))
    return RatedEnd(size_class(session.game), session.people, rate, start=start)


def _changes(
    session: Session, evidence: Mapping[Player, Evidence], known: Mapping[int, RatingRecord]
) -> tuple[RatingChange, ...]:
    """The changes for the people in a game, given all ratings before it."""
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
            if not (session.setup.pie or session.setup.balanced):
                # With the pie rule the better side is unknown, because the players choose it. A
                # balanced opening has none.
                is_first = side.other is Player.FIRST
                met, met_as = (
                    ladder.adjusted_for_seat(v, is_first=is_first) for v in (met, met_as)
                )
            score = DRAW if session.winner is None else WIN if session.winner is side else LOSS
            own, seen = before[user_id], evidence.get(side)
            after = after_game(own, Opposition(met, other.deviation), score, seen, within)
            is_public = score == LOSS or not had_help(session)
            if is_public:
                after = replace(after, shown=number_after(own, after, met_as, score, within))
            else:
                if own.shown is None:
                    # The first number is the estimate, which must not rise by such a game. It may
                    # fall, so that beginners who use hints soon meet weaker opponents.
                    after = min(own, after_moves(own, seen, within), key=lambda one: one.value)
                after = replace(after, games=own.games, shown=own.shown)
            changes.append(RatingChange(user_id, own, after, number, is_public=is_public))
    return tuple(changes)


def _opposition(session: Session, side: Player, before: Mapping[int, Rating]) -> Opposition:
    user_id = session.seat(side).user_id
    if user_id is not None:
        return Opposition(before[user_id].value, before[user_id].deviation)
    elo = _elo_of(session, side)
    assert elo is not None, "games against agents of unknown strength are unrated"
    return Opposition(elo, AGENT_DEVIATION)


def _number_of(session: Session, side: Player, before: Mapping[int, Rating]) -> float:
    """The public number of a side."""
    user_id = session.seat(side).user_id
    other = _opposition(session, side, before).value
    return other if user_id is None else number_of(before[user_id])


def _elo_of(session: Session, side: Player) -> float | None:
    name = session.seat(side).agent
    return None if name is None else ladder_of(session.game).elo_of(name)


def unaided_moves(session: Session, judgement: Judgement) -> tuple[UnaidedMoves, ...]:
    """For each person in a game, their judged moves that were made without a hint.

    People without such moves are left out. No person may play both sides.
    """
    assert session.end is not None, "the game has ended"
    found = []
    for side in Player:
        user_id = session.seat(side).user_id
        errors = [
            error
            for made, error in zip(session.moves, judgement.errors, strict=True)
            if made.player == side and not made.hinted and error is not None
        ]
        if user_id is not None and errors:
            ladder, at = size_class(session.game), session.end.at
            found.append(UnaidedMoves(user_id, ladder, at, *summed(errors)))
    return tuple(found)
