"""The game against perfect play that ends a lesson.

Nothing of it is stored but that it was won: what has been played stands in its buttons.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from bot.play.drills import NOTHING_FOLLOWS, Asker, Consequence
from bot.play.fair_queue import Claim, Kind
from bot.play.lessons import Lessons
from bot.play.workers import Workers
from bot.table.lesson_places import LessonGame, LessonPage, lesson_at
from bot.table.lesson_turn import LessonTurn
from bot.table.refusal import Refusal
from engine.core.analysis import SearchResult
from engine.core.game import IllegalMove, Move, NotAMove, Position, replay
from engine.core.jobs import Job
from engine.core.problem import Lesson
from engine.strength.roster import ChooseMove

RIVAL = "perfect"
"""Who plays the other side."""
PATIENCE = 20.0
"""Seconds that one move may take: many times what it does on an idle core."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game stands, and what came of it."""

    turn: LessonTurn
    consequence: Consequence = NOTHING_FOLLOWS


class LessonGames:
    """Plays these games with people."""

    def __init__(self, lessons: Lessons, workers: Workers) -> None:
        """Note games that are won in `lessons`; search in `workers`."""
        self._lessons = lessons
        self._workers = workers

    async def play(self, at: LessonGame, asker: Asker) -> Played:
        """How a game stands once the other side has replied to what is played in it.

        Refused for what no such game can have come to.
        """
        lesson = lesson_at(at)
        moves, position = _played(at, lesson)
        if position.outcome is None and position.to_move is not lesson.shown.learner:
            return Played(await self._replied(at, lesson, moves, asker))
        turn = LessonTurn(at, lesson, moves)
        if not turn.is_won:
            return Played(turn)
        page = LessonPage(at.family, at.number)
        return Played(turn, await self._lessons.solved(page, lesson.parts, asker))

    async def _replied(
        self, at: LessonGame, lesson: Lesson, moves: tuple[Move, ...], asker: Asker
    ) -> LessonTurn:
        game = lesson.shown.game
        found = await self._search(at, lesson, moves, asker)
        label = game.label(found.move)
        after = LessonGame(at.family, at.number, at.moves + label)
        slipped = found.proven and not found.is_loss
        back = at.moves.removesuffix(game.label(moves[-1]))
        return LessonTurn(after, lesson, (*moves, found.move), found.move, slipped, back)

    async def _search(
        self, at: LessonGame, lesson: Lesson, moves: tuple[Move, ...], asker: Asker
    ) -> SearchResult:
        game = lesson.shown.game
        labels = tuple(map(game.label, moves))
        # The same moves have the same answer: a second press changes nothing.
        seed = crc32(at.moves.encode())
        job = Job(game.key, game.variant, labels, ChooseMove(RIVAL), seed)
        claim = Claim(Kind.EXPLANATION, asker.user_id, asker.guild_id)
        with self._workers.askers.asking(asker.user_id):
            return await self._workers.do(job, claim, PATIENCE)


def _played(at: LessonGame, lesson: Lesson) -> tuple[tuple[Move, ...], Position]:
    """All moves of a game and how it stands; refused for what cannot be played."""
    if not lesson.is_played:
        raise Refusal("unknown_button")
    game = lesson.shown.game
    try:
        moves = (*lesson.shown.moves, *game.moves(at.moves))
        return moves, replay(game, moves)
    except (NotAMove, IllegalMove) as error:
        raise Refusal("unknown_button") from error
