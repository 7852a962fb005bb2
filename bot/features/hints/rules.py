"""Hints in running games: the engine's move, in three levels of detail.

A hint is searched for once: in the same position, all levels are about one result. It is stored
with its game before it is shown.
"""

from __future__ import annotations

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
from engine.core.game import Game, Player, Position
from engine.core.limits import Limit
from engine.core.values import Score
from engine.study.hints import GiveHint

HINT_SECONDS = 2.0
"""Seconds that one search for a hint may keep a thread, on the largest board too. Proofs that take
longer are rare on boards of the usual size, and on larger ones ten seconds would not suffice
either; people accept a wait of two."""

PATIENCE = 20.0
"""Seconds after which a search that exceeds that limit is abandoned."""

KEPT = 64
"""Results that are kept in memory, for the time between a question and its answer."""


class HintLevel(IntEnum):
    """The detail of a hint. Each level includes those below it."""

    AREA = 1
    """The part of the board to look at."""
    THREAT = 2
    """The threats that matter."""
    MOVE = 3
    """The move, and the values of the moves."""

    @classmethod
    def named(cls, name: str | None) -> Self | None:
        """The level with this name; None if there is none."""
        return next((level for level in cls if level.name.lower() == name), None)

    @property
    def following(self) -> HintLevel:
        """The next level, or the highest one again."""
        return HintLevel(min(self + 1, HintLevel.MOVE))


def level_wanted(session: Session) -> HintLevel:
    """The default level of a hint: one more than was given in this position.

    If only one move is possible, the level is MOVE.
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
    """The engine's move, with the proven values of moves."""
    level: HintLevel

    @property
    def is_free(self) -> bool:
        """Whether it is given at once and not counted, because it does not choose between moves.

        Either a single move is possible, or all are proven to be worth the same.
        """
        return is_free(self.session.position, self.result)


def is_free(position: Position, result: SearchResult) -> bool:
    """Whether a single move is possible, or all are proven to be worth the same."""
    moves = position.legal_moves()
    values = {value for _, value in result.exact}
    return len(moves) == 1 or (len(result.exact) == len(moves) and len(values) == 1)


class Hints:
    """Gives hints in `running` games, and stores them as `ownership` permits."""

    def __init__(
        self,
        running: RunningGames,
        games: Games,
        ownership: Ownership,
        workers: Workers,
        clock: Clock,
    ) -> None:
        self._running = running
        self._games = games
        self._ownership = ownership
        self._workers = workers
        self._clock = clock
        self._searched = AnswerCache[SearchResult](KEPT, counted_as="hint")

    def is_known(self, session: Session) -> bool:
        """Whether a hint for the present position needs no search."""
        is_kept = self._searched.find(fingerprint(session.position)) is not None
        return session.hint is not None or is_kept

    async def free(self, session: Session, user_id: int) -> Hint | None:
        """The hint for a position where it does not choose between moves; None elsewhere.

        It is not stored. Refused as in `give`.
        """
        result = await self._search(session, user_id)
        hint = Hint(session, result, HintLevel.MOVE)
        return hint if hint.is_free else None

    async def give(self, session: Session, user_id: int, level: HintLevel) -> Hint:
        """Give a hint to the person whose turn it is, and store it unless it is free.

        Refused if the search fails, since no hint is better than a bad one; if the game has moved
        on meanwhile; and if the person waits for another answer of the engine.
        """
        result: SearchResult | None = None
        if not session.hint:
            result = await self._search(session, user_id)

        async def give() -> Hint:
            present = await self._running.current(session.channel_id)
            if not is_same_turn(present, session):
                raise Refusal("moved_on")
            if result is not None and is_free(present.position, result):
                return Hint(present, result, HintLevel.MOVE)
            stored = stored_after(present, level)
            if stored is None:
                if result is None:
                    raise Refusal("moved_on")
                stored = hint_record(present, user_id, result, self._clock(), level)
            if stored not in present.hints:
                try:
                    await self._games.add_hint(present.id, stored, owner=self._ownership.id)
                except MoveTaken as error:
                    raise MovedOn from error
                present = self._running.keep(with_hint(present, stored))
            return Hint(present, found_by(stored, present.game, present.position.to_move), level)

        return await self._running.apply_change(session.channel_id, give)

    async def _search(self, session: Session, user_id: int) -> SearchResult:
        # All who want a hint in the same position share one search, with the same randomness.
        here = fingerprint(session.position)
        return await self._workers.ask(
            replace(session.job(GiveHint(), here), limit=Limit(seconds=HINT_SECONDS)),
            Claim(Kind.HINT, user_id, session.guild_id),
            self._searched,
            PATIENCE,
            failed="hint_failed",
            key=here,
            game_id=session.id,
        )


def hint_record(
    session: Session, user_id: int, result: SearchResult, at: float, level: HintLevel
) -> HintRecord:
    """The record of a hint for the present position."""
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


def stored_after(session: Session, level: HintLevel) -> HintRecord | None:
    """The stored hint for the present position, if any, raised to this level.

    Each further level counts as a hint.
    """
    hint = session.hint
    if hint is None or level <= hint.level:
        return hint
    return replace(hint, level=level, given=hint.given + 1)


def with_hint(session: Session, hint: HintRecord) -> Session:
    """The session with a hint, which replaces the same hint at a lower level."""
    same = (hint.number, hint.position)
    hints = tuple(hint if (h.number, h.position) == same else h for h in session.hints)
    return replace(session, hints=hints if hint in hints else (*hints, hint))


def found_by(hint: HintRecord, game: Game, player: Player) -> SearchResult:
    """The result of the search for a stored hint, for `player`, who was to move.

    Only the first move of its line has been stored.
    """
    move = game.parse(hint.move)
    exact = (one.split(":") for one in hint.exact.split())
    return SearchResult(
        move=move,
        score=Score.from_stored(hint.score or 0, player, proven=hint.proven),
        depth=hint.depth or 0,
        nodes=hint.nodes or 0,
        seconds=hint.seconds,
        line=(move,),
        proven=hint.proven,
        exact=tuple((game.parse(label), int(score)) for label, score in exact),
    )
