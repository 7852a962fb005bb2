"""Hints in running games: what the engine would play, told in three levels.

A hint is searched for once: in the same position, all levels are about one answer. It is stored
with its game before it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Self

from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session, fingerprint
from bot.sessions.answers import is_same_turn
from bot.sessions.ownership import Ownership
from bot.sessions.running import MovedOn, RunningGames
from bot.store.games import Games, MoveTaken
from bot.store.records import HintRecord
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.analysis import SearchResult
from engine.core.game import Game, Move, Player
from engine.core.limits import Limit
from engine.core.values import Score
from engine.study.hints import GiveHint

HINT_SECONDS = 2.0
"""How long one search for a hint may keep a thread, on the largest board too. Proofs that take
longer are rare on boards of the usual size, and on larger ones ten seconds would not do either; two
are what people take for an answer that is being worked on."""

PATIENCE = 20.0
"""Seconds after which a search that does not keep to that is given up."""


class HintLevel(IntEnum):
    """How much a hint says. Each level says what those below it do, too."""

    AREA = 1
    """Where to look: a part of the board."""
    THREAT = 2
    """The threats that matter."""
    MOVE = 3
    """The move, and what the moves are worth."""

    @classmethod
    def called(cls, name: str | None) -> Self | None:
        """The level with this name; None for no level's."""
        return next((level for level in cls if level.name.lower() == name), None)

    @property
    def following(self) -> HintLevel:
        """The level that says the next bit more, if there is one."""
        return HintLevel(min(self + 1, HintLevel.MOVE))


def level_wanted(session: Session) -> HintLevel:
    """The level of a hint if none was asked for: one more than was given in this position.

    Where only one move is possible, that is the move at once.
    """
    if len(session.position.legal_moves()) == 1:
        return HintLevel.MOVE
    given = session.hint
    return HintLevel.AREA if given is None else HintLevel(given.level).following


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint as it is shown."""

    session: Session
    """The game in which it was given."""
    result: SearchResult
    """What the engine would play, with the values of the moves that are proven."""
    level: HintLevel


class Hints:
    """Gives hints; knows nothing of Discord."""

    def __init__(
        self,
        running: RunningGames,
        games: Games,
        ownership: Ownership,
        workers: Workers,
        clock: Clock,
    ) -> None:
        """Give hints in `running` games that `workers` find; store them as `ownership` permits."""
        self._running = running
        self._games = games
        self._ownership = ownership
        self._workers = workers
        self._clock = clock
        # A hint that has been found is stored with its game.
        self._searched = AnswerCache[SearchResult](0, counted_as="hint")

    async def give(self, session: Session, user_id: int, level: HintLevel) -> Hint:
        """Give a hint to the person whose turn it is, and store it.

        Refused if the search fails, since no hint is better than a bad one; if the game has moved
        on meanwhile; and if the person waits for another answer of the engine.
        """
        result = None if session.hint else await self._found(session, user_id)

        async def give() -> Hint:
            present = await self._running.current(session.channel_id)
            if not is_same_turn(present, session):
                raise Refusal("moved_on")
            said = said_after(present, level)
            if said is None:
                if result is None:
                    raise Refusal("moved_on")
                said = hint_record(present, user_id, result, self._clock(), level)
            if said not in present.hints:
                try:
                    await self._games.add_hint(present.id, said, owner=self._ownership.id)
                except MoveTaken as error:
                    raise MovedOn from error
                present = self._running.keep(with_hint(present, said))
            return Hint(present, found_by(said, present.game, present.position.to_move), level)

        return await self._running.changing(session.channel_id, give)

    async def _found(self, session: Session, user_id: int) -> SearchResult:
        """What the engine would play; all who ask in the same position share one search."""
        here = fingerprint(session.position)
        # Chance follows from the position, so that the same one has the same hint in every game.
        job = replace(session.job(GiveHint(), here), limit=Limit(seconds=HINT_SECONDS))
        claim = Claim(Kind.HINT, user_id, session.guild_id)
        return await self._workers.ask(
            job, claim, self._searched, PATIENCE, failed="hint_failed", key=here, game_id=session.id
        )


def hint_record(
    session: Session, user_id: int, result: SearchResult, at: float, level: HintLevel
) -> HintRecord:
    """What is stored of a hint for the present position."""
    game = session.game
    return HintRecord(
        number=session.number,
        user_id=user_id,
        move=game.label(result.move),
        at=at,
        position=fingerprint(session.position),
        seconds=result.seconds,
        nodes=result.nodes,
        depth=result.depth,
        score=result.score.stored(),
        proven=result.proven,
        exact=" ".join(f"{game.label(move)}:{score}" for move, score in result.exact),
        level=level,
    )


def said_after(session: Session, level: HintLevel) -> HintRecord | None:
    """The hint for the present position once this level of it has been given, if there is one.

    Each further level counts as a hint.
    """
    hint = session.hint
    if hint is None or level <= hint.level:
        return hint
    return replace(hint, level=level, given=hint.given + 1)


def with_hint(session: Session, said: HintRecord) -> Session:
    """The session with a hint, which replaces the same hint at a lower level."""
    same = (said.number, said.position)
    hints = tuple(said if (h.number, h.position) == same else h for h in session.hints)
    return replace(session, hints=hints if said in hints else (*hints, said))


def found_by(hint: HintRecord, game: Game, player: Player) -> SearchResult:
    """Return what the search for a stored hint found for `player`, who was to move.

    Of its line only the first move has been stored.
    """
    move = game.parse(hint.move)
    return SearchResult(
        move=move,
        score=Score.from_stored(hint.score or 0, player, proven=hint.proven),
        depth=hint.depth or 0,
        nodes=hint.nodes or 0,
        seconds=hint.seconds,
        line=(move,),
        proven=hint.proven,
        exact=tuple(_exact(hint, game)),
    )


def _exact(hint: HintRecord, game: Game) -> Iterator[tuple[Move, int]]:
    for told in hint.exact.split():
        label, score = told.split(":")
        yield game.parse(label), int(score)
