"""Reviews of finished games, and drills in which players replace their worst moves."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.drills.rules import NOTHING_FOLLOWS, Attempt, Consequence, Drill, DrillStep, Way
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.people import Asker
from bot.sessions.running import RunningGames
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.game import Move, Player
from engine.core.problem import Problem, Step
from engine.core.values import Value
from engine.study.exercises import MOST, Exercise, exercises
from engine.study.move_class import class_of
from engine.study.review import Review, ReviewGame

PATIENCE = 30.0
"""Seconds that one review may take: many times what it does on an idle core."""

KEPT = 64
"""Reviews that are kept: after a game both players ask for the same one."""

SOURCE = "learn"
"""The name of these drills in ids of buttons."""

REF = re.compile(r"(?P<game>[0-9]{1,15})\.(?P<ply>[0-9]{1,4})")
"""The reference of a drill: the game, and the number of moves before the bad one."""


class Reviews:
    """Reviews games; knows nothing of Discord."""

    def __init__(self, games: RunningGames, workers: Workers) -> None:
        """Review `games` with `workers`."""
        self._games = games
        self._workers = workers
        self._known = AnswerCache[Review](KEPT)

    async def game(self, game_id: int) -> Session:
        """A game that can be reviewed; refused while it runs, and where nobody has moved."""
        session = await self._games.find(game_id)
        # While it runs, a review would be a hint for every move.
        if session is None or not session.is_over or not session.moves:
            raise Refusal("nothing_to_review")
        return session

    async def of(self, session: Session, user_id: int) -> Review:
        """The review of a game for a person.

        With the pie rule it does not judge the first turn: a good opening leaves both sides equal
        chances. Refused if the engine fails, and if the person waits for another answer of it.
        """
        claim = Claim(Kind.EXPLANATION, user_id, session.guild_id)
        job = session.job(ReviewGame())
        review = await self._workers.ask(job, claim, self._known, PATIENCE, failed="review_failed")
        return review.without_opening(session.opening_moves) if session.pie else review


class Learning:
    """Drills from the games that people have played; nothing of them is stored."""

    def __init__(self, reviews: Reviews) -> None:
        """Take the bad moves from `reviews`."""
        self._reviews = reviews

    async def drill(self, ref: str, asker: Asker) -> Drill:
        """See `DrillSource`; refused for people who did not play in the game."""
        session, ply = await self._game(ref, asker)
        review = await self._reviews.of(session, asker.user_id)
        found = bad_moves(session, review, asker.user_id)
        numbers = [number for number, one in enumerate(found, 1) if one.played.ply == ply]
        if not numbers:
            raise Refusal("unknown_button")
        return _drill(session, found[numbers[0] - 1], numbers[0], len(found), asker)

    async def answered(self, drill: Drill, attempt: Attempt, asker: Asker) -> Consequence:
        """Lead to the next of the bad moves."""
        if attempt.move is not None and not attempt.solves(drill.problem):
            return NOTHING_FOLLOWS
        session, ply = await self._game(drill.ref, asker)
        review = await self._reviews.of(session, asker.user_id)
        plies = [one.played.ply for one in bad_moves(session, review, asker.user_id)]
        following = plies[plies.index(ply) + 1 :] if ply in plies else []
        if not following:
            return Consequence(asker.say("learn.last"))
        to = DrillStep(SOURCE, _ref(session, following[0]))
        return Consequence(ways=(Way(asker.say("button.next"), to.press),))

    async def _game(self, ref: str, asker: Asker) -> tuple[Session, int]:
        """The game that a drill is from, and the number of moves before the bad one."""
        parts = REF.fullmatch(ref)
        if parts is None:
            raise Refusal("unknown_button")
        session = await self._reviews.game(int(parts["game"]))
        if asker.user_id not in session.people:
            raise Refusal("not_in_that_game", game=session.game.key)
        return session, int(parts["ply"])


def bad_moves(session: Session, review: Review, user_id: int) -> list[Exercise]:
    """What a person can learn from a game, the worst first; of both sides if they played both."""
    sides = [player for player in Player if session.seat(player).user_id == user_id]
    found = [one for side in sides for one in exercises(review, side)]
    return sorted(found, key=lambda one: -one.played.loss)[:MOST]


def first_drill(session: Session, review: Review, user_id: int) -> DrillStep | None:
    """Where a person begins to learn from a game; None if they did not play badly, or at all."""
    found = bad_moves(session, review, user_id)
    return DrillStep(SOURCE, _ref(session, found[0].played.ply)) if found else None


def _ref(session: Session, ply: int) -> str:
    return f"{session.id}.{ply}"


def _drill(session: Session, one: Exercise, number: int, of: int, asker: Asker) -> Drill:
    say, game = asker.say, session.game
    played = say.move(game.key, game.label(one.played.move))
    return Drill(
        _ref(session, one.played.ply),
        Problem(game, one.moves, (Step(one.solutions),)),
        title=say(
            "learn.title",
            game=say(f"game.{game.key}"),
            variant=say.variant(game.key, game.variant),
            number=number,
            of=of,
        ),
        prompt=say(
            "learn.prompt", number=one.played.ply + 1, move=played, mark=class_of(one.played).mark
        ),
        known=_known(one),
    )


def _known(one: Exercise) -> Mapping[Move, Value]:
    """What the review has proven of the moves of a position."""
    found, player = one.played.analysis, one.played.player
    if not found.proven:
        return {}
    return {move: Value.from_search(score, player) for move, score in found.scores.items()}
