"""Reviews of finished games, and drills in which players replace their worst moves."""

from __future__ import annotations

import re

from bot.drills.rules import (
    NO_CONSEQUENCE,
    Attempt,
    ButtonSpec,
    Consequence,
    Drill,
    DrillStep,
    Practice,
    Question,
)
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.glicko import limits_of, newcomer
from bot.ratings.rated import evidence_of
from bot.sessions.people import Requester, RequireHelp
from bot.sessions.running import RunningGames
from bot.show.moves import moves_named
from bot.store.ratings import Ratings
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.game import Player, Position
from engine.core.problem import Problem, Step
from engine.core.values import Value
from engine.strength.judging import JudgedMove, JudgeGame, Judgement
from engine.strength.ladder import ladder_of, size_class
from engine.study.exercises import MAX_EXERCISES, Exercise, exercises, weight
from engine.study.reach import Reach
from engine.study.review import Review, ReviewGame

PATIENCE = 30.0
"""Seconds that one review may take: many times longer than on an idle core."""

KEPT = 64
"""Reviews that are kept: after a game both players want the same one."""

SOURCE = "learn"
"""The name of these drills in ids of buttons."""

REF = re.compile(r"(?P<game>[0-9]{1,15})\.(?P<ply>[0-9]{1,4})")
"""The reference of a drill: the game, and the number of moves before the bad one."""


class Reviews:
    """Reviews games; as a source of drills, lets players replace their bad moves.

    Nothing of these drills is stored.
    """

    def __init__(
        self,
        games: RunningGames,
        workers: Workers,
        ratings: Ratings,
        practice: Practice,
        require_help: RequireHelp,
    ) -> None:
        """Review in `workers`; `practice` are the buttons after the last drill."""
        self._games = games
        self._workers = workers
        self._ratings = ratings
        self._practice = practice
        self._require_help = require_help
        self._known = AnswerCache[Review](KEPT)
        self._judged = AnswerCache[Judgement](KEPT)

    async def game(self, game_id: int, user_id: int) -> Session:
        """A game that a person can review; refused while it runs, and if it has no moves."""
        session = await self._games.find(game_id)
        # While it runs, a review would be a hint for every move.
        if session is None or not session.is_over or not session.moves:
            raise Refusal("nothing_to_review")
        await self._require_help(user_id, judged_positions(session))
        return session

    async def of(self, session: Session, user_id: int) -> Review:
        """The review of a game for a person.

        It does not judge moves that were made before the game, and with the pie rule not the first
        turn: a good opening leaves both sides equal chances. Refused if the engine fails, and if
        the person waits for another answer of it.
        """
        claim = Claim(Kind.EXPLANATION, user_id, session.guild_id)
        job = session.job(ReviewGame())
        review = await self._workers.ask(job, claim, self._known, PATIENCE, failed="review_failed")
        by_nobody = session.opening_moves if session.setup.pie else session.setup.opening
        return review.without_opening(by_nobody) if by_nobody else review

    async def strengths(self, session: Session, user_id: int) -> dict[Player, float]:
        """The ratings that the moves of a game look like; without sides that made too few.

        Refused as `of` is.
        """
        claim = Claim(Kind.EXPLANATION, user_id, session.guild_id)
        job = session.job(JudgeGame())
        judgement = await self._workers.ask(
            job, claim, self._judged, PATIENCE, failed="review_failed"
        )
        game = session.game
        least, most = limits_of(ladder_of(game))
        found = evidence_of(game, judgement, tuple(Player), session.winner)
        return {side: min(max(one.elo, least), most) for side, one in found.items()}

    async def drill(self, ref: str, requester: Requester) -> Drill:
        """See `DrillSource`; refused for people who did not play in the game."""
        session, ply, found = await self._bad_moves(ref, requester)
        for number, one in enumerate(found, 1):
            if one.played.ply == ply:
                return _drill(session, one, number, len(found), requester)
        raise Refusal("unknown_button")

    async def reach(self, session: Session, user_id: int) -> Reach:
        """What a person can find on a game's board, by their rating or a newcomer's."""
        ladder = size_class(session.game)
        known = await self._ratings.of(user_id, ladder)
        rating = newcomer(ladder_of(session.game)) if known is None else known.rating
        return Reach(ladder, rating.value)

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Return the button to the person's next bad move, or after the last one to practice."""
        if attempt.move is not None and not attempt.solves(drill.problem):
            return NO_CONSEQUENCE
        session, ply, found = await self._bad_moves(drill.ref, requester)
        plies = [one.played.ply for one in found]
        following = plies[plies.index(ply) + 1 :] if ply in plies else []
        if not following:
            say = requester.say
            return Consequence(say("learn.last"), practice=self._practice(session.game.key, say))
        to = DrillStep(SOURCE, _ref(session, following[0]))
        return Consequence(buttons=(ButtonSpec(requester.say("button.next"), to.target),))

    async def _bad_moves(
        self, ref: str, requester: Requester
    ) -> tuple[Session, int, list[Exercise]]:
        """The game of a drill, the number of moves before its move, and the bad moves in a series.

        A move that is not among them any more, since the rating has changed, is alone.
        """
        parts = REF.fullmatch(ref)
        if parts is None:
            raise Refusal("unknown_button")
        session = await self.game(int(parts["game"]), requester.user_id)
        if requester.user_id not in session.people:
            raise Refusal("not_in_that_game", game=session.game.key)
        review = await self.of(session, requester.user_id)
        ply, reach = int(parts["ply"]), await self.reach(session, requester.user_id)
        found = bad_moves(session, review, requester.user_id, reach)
        if all(one.played.ply != ply for one in found):
            every = bad_moves(session, review, requester.user_id)
            found = [one for one in every if one.played.ply == ply]
        return session, ply, found


def judged_positions(session: Session) -> list[Position]:
    """The positions of a game that its review tells about, without the empty board of all games."""
    position, found = session.game.start(), list[Position]()
    for number, made in enumerate(session.moves, 1):
        position = position.play(session.game.parse(made.move))
        if number >= session.setup.opening:
            found.append(position)
    return found


def bad_moves(
    session: Session, review: Review, user_id: int, reach: Reach | None = None
) -> list[Exercise]:
    """The bad moves of a person in a game, the worst first; of both sides if they played both.

    With a `reach` only those within it.
    """
    sides = [player for player in Player if session.seat(player).user_id == user_id]
    found = [one for side in sides for one in exercises(review, side, reach=reach)]
    return sorted(found, key=lambda one: weight(review, one.played))[:MAX_EXERCISES]


def first_drill(session: Session, review: Review, user_id: int, reach: Reach) -> DrillStep | None:
    """A person's first drill from a game; None if no bad move of theirs is within reach."""
    found = bad_moves(session, review, user_id, reach)
    return DrillStep(SOURCE, _ref(session, found[0].played.ply)) if found else None


def move_number(session: Session, one: JudgedMove) -> int:
    """The number of a move among its player's."""
    return sum(ply <= one.ply for ply in session.plies_of(one.player))


def _ref(session: Session, ply: int) -> str:
    return f"{session.id}.{ply}"


def _drill(session: Session, one: Exercise, number: int, of: int, requester: Requester) -> Drill:
    say, game, found = requester.say, session.game, one.played.analysis
    places = moves_named(game, [one.played.move], say)
    asked = say("learn.prompt", places=places, number=move_number(session, one.played))
    is_alone = session.seat(one.played.player.other).agent is not None
    player, scores = one.played.player, found.scores if found.proven else {}
    return Drill(
        _ref(session, one.played.ply),
        Problem(game, one.moves, (Step(one.solutions),)),
        (Question(say("learn.title", number=number, of=of), asked),),
        rival="me" if is_alone else "rival",
        known={move: Value.from_search(score, player) for move, score in scores.items()},
    )
