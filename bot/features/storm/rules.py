"""Storms: the course of puzzles, answers to them, and the results in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from bot.features.puzzles.choice import DAY, day_of, days_of, usual_class
from bot.features.puzzles.rules import prompt_words
from bot.features.storm.store import Standing, Storm, Storms
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Translator
from bot.sessions.people import Requester
from bot.show.moves import moves_named
from bot.show.texts import csv_text, csv_time
from engine.core.game import Move, NotAMove
from engine.study.puzzles import Puzzle, puzzles_in

LENGTH = 180.0
"""Seconds that a storm lasts."""

GRACE = 2.0
"""Seconds after its end in which an answer still counts: it may have been under way."""

COURSE = 80
"""Puzzles of a storm, more than anyone solves in three minutes."""

MAX_NAMED = 10
"""The most people that a table names."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a storm asks now."""

    storm: Storm
    puzzle: Puzzle
    note: str = ""
    """What became of the answer before, in Markdown."""
    is_repeated: bool = False
    """Whether the answer was about another step, so that nothing has changed."""


@dataclass(frozen=True, slots=True)
class Result:
    """A storm that is over."""

    storm: Storm
    best: int
    """The most puzzles that the person has solved in a storm."""
    place: int | None
    """The place in today's table of the server; None in private and without a solved puzzle."""


@cache
def pool_of(family: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game's storms: forced wins on its usual board that are kept for no day."""
    usual = usual_class(family)
    if usual is None:
        return ()
    kept = {one.id for one in days_of(usual.ladder)}
    plain = (one for one in puzzles_in(usual.ladder) if one.is_plain_win and not one.within)
    return tuple(one for one in plain if one.id not in kept)


def course_of(storm: Storm) -> Sequence[Puzzle]:
    """The puzzles of a storm, the easiest first; the same in every process."""
    pool = pool_of(storm.family)
    drawn = Random(f"storm {storm.id}").sample(pool, min(COURSE, len(pool)))
    return sorted(drawn, key=lambda one: one.rating)


class StormPlay:
    """Begins storms, judges answers, and finds results."""

    def __init__(self, storms: Storms, clock: Clock) -> None:
        self._storms = storms
        self._clock = clock

    async def begin(self, requester: Requester, family: str) -> Turn:
        """Begin a storm with its first puzzle."""
        if not pool_of(family):
            raise Refusal("unknown_button", game=family)
        at = self._clock()
        storm = await self._storms.begin(requester.user_id, requester.guild_id, family, at)
        return Turn(storm, course_of(storm)[0])

    async def answer(
        self, requester: Requester, id: int, number: int, step: int, text: str
    ) -> Turn | Result:
        """Judge an answer, and return what is asked next or the result.

        An answer to another step than the present one, as after a double click, changes nothing.
        """
        storm = await self._find(requester, id)
        if self._is_over(storm):
            return await self.end(requester, id)
        course = course_of(storm)
        if (number, step) != (storm.number, storm.step):
            return Turn(storm, course[storm.number], is_repeated=True)
        puzzle, say = course[number], requester.say
        problem, move = puzzle.played, _legal(puzzle, step, text)
        is_right = problem.is_answer(step, move)
        if is_right and step + 1 < len(problem.steps):
            await self._storms.go_on(storm, number, step + 1)
            note = say("storm.right")
            replies = problem.steps[step].replies
            if replies:
                note = say("storm.reply", moves=moves_named(puzzle.game, replies, say))
        else:
            await self._storms.go_on(storm, number + 1, 0, solved=int(is_right))
            answer = moves_named(puzzle.game, problem.steps[step].answers[:1], say)
            note = say("storm.solved") if is_right else say("storm.wrong", move=answer)
        storm = await self._find(requester, id)
        if storm.number >= len(course):
            return await self.end(requester, id)
        return Turn(storm, course[storm.number], note)

    async def end(self, requester: Requester, id: int) -> Result:
        """End a storm, unless it is over, and return its result."""
        storm = await self._find(requester, id)
        await self._storms.end(id, min(self._clock(), storm.begun_at + LENGTH))
        best = await self._storms.best(storm.user_id, storm.family)
        table = await self.table(storm.guild_id, storm.family)
        places = [one.user_id for one in table]
        place = places.index(storm.user_id) + 1 if storm.user_id in places else None
        return Result(storm, best, place)

    async def table(self, guild_id: int | None, family: str) -> tuple[Standing, ...]:
        """Today's table of a server; empty in private."""
        if guild_id is None:
            return ()
        today = day_of(self._clock()) * DAY
        return await self._storms.table(guild_id, family, today, today + DAY)

    async def shared(self, requester: Requester, id: int) -> Storm:
        """A storm whose result its person shares; refused while it runs, and if that was done."""
        storm = await self._find(requester, id)
        if not self._is_over(storm):
            raise Refusal("unknown_button")
        if not await self._storms.share(id):
            raise Refusal("storm_shared")
        return storm

    async def unshare(self, id: int) -> None:
        """Record that a result could not be posted, so that it may be shared again."""
        await self._storms.share(id, shared=False)

    async def _find(self, requester: Requester, id: int) -> Storm:
        storm = await self._storms.find(id, requester.user_id)
        if storm is None:
            raise Refusal("unknown_button")
        return storm

    def _is_over(self, storm: Storm) -> bool:
        is_late = self._clock() > storm.begun_at + LENGTH + GRACE
        return is_late or storm.ended_at is not None


def _legal(puzzle: Puzzle, step: int, text: str) -> Move:
    """The move that a button names; refused if it is none that can be made in this step."""
    try:
        move = puzzle.game.parse(text)
    except NotAMove as error:
        raise Refusal("unknown_button") from error
    if move not in puzzle.played.position(step).legal_moves():
        raise Refusal("unknown_button")
    return move


def turn_words(turn: Turn, say: Translator) -> str:
    """The number of solved puzzles, the time that is left, and what is asked."""
    until = f"<t:{int(turn.storm.begun_at + LENGTH)}:R>"
    head = say("storm.head", solved=say.count("storm_solved", turn.storm.solved), until=until)
    ask = say("storm.ask", ask=prompt_words(turn.puzzle, say, turn.storm.step))
    return "\n".join((head, " ".join(filter(None, (turn.note, ask)))))


def result_words(result: Result, say: Translator) -> str:
    """The result of a storm, the person's best, and their place on the server."""
    solved = say.count("storm_solved", result.storm.solved)
    said = [f"**{solved}.**", say("storm.best", best=say.number(result.best))]
    if result.place is not None:
        said.append(say("storm.place", place=say.number(result.place)))
    return " ".join(said)


def table_words(table: Sequence[Standing], names: Mapping[int, str], say: Translator) -> str:
    """Today's table of a server; people who hide their statistics have a line without a name."""
    if not table:
        return say("storm.nobody")
    lines = [say("storm.table")]
    for place, one in enumerate(table[:MAX_NAMED], 1):
        name = say("storm.hidden") if one.is_private else f"**{names[one.user_id]}**"
        lines.append(say("storm.line", place=place, name=name, solved=say.number(one.solved)))
    return "\n".join(lines)


FIELDS = ("family", "begun", "ended", "solved")


async def storm_files(storms: Storms, user_id: int) -> Mapping[str, str]:
    """A file with one line for each of a person's storms; none if there are none."""
    rows = [
        {
            "family": one.family,
            "begun": csv_time(one.begun_at),
            "ended": None if one.ended_at is None else csv_time(one.ended_at),
            "solved": one.solved,
        }
        for one in await storms.all_of(user_id)
    ]
    return {"storms.csv": csv_text(FIELDS, rows)} if rows else {}
