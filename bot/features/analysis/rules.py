"""Analyses of positions, and the trails of moves along which people explore them.

People learn nothing about a position of a game that they are playing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.running import RunningGames
from bot.store.games import Games
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.boards import stones_on
from engine.core.fairness import related
from engine.core.game import Cell, Game, IllegalMove, Move, NotAMove, Position, UnknownVariant
from engine.core.jobs import Job
from engine.core.package import GamePackage
from engine.core.position_code import NotACode, code_of, place, position_of
from engine.study.analysis import FURTHER, AnalysePosition, PositionAnalysis

PATIENCE = 30.0
"""Seconds that one analysis may take: many times longer than on an idle core."""

KEPT = 256
"""Analyses that are kept: people go back and forth."""

TIMES = 8
"""How often an analysis may go on."""


class Analyses:
    """Analyses positions; does not depend on Discord."""

    def __init__(self, games: RunningGames, stored: Games, workers: Workers) -> None:
        self._games = games
        self._stored = stored
        self._workers = workers
        self._known = AnswerCache[PositionAnalysis](KEPT)
        self._seen: dict[int, str] = {}
        """The codes of the positions whose analysis each of the latest people saw last."""

    async def running(self, channel_id: int, family: str) -> Trail | None:
        """The moves of a channel's game; None if it has none of this family."""
        session = await self._games.current(channel_id)
        if session is None or session.game.key != family:
            return None
        return trail_of_game(session)

    async def require_free(self, position: Position, user_id: int, channel_id: int) -> None:
        """Refuse positions of a game that this person is playing: an analysis would be help.

        Those are all that are `related` to the present one. A channel's game is played by everyone
        in the channel, and by everyone who has voted in it.
        """
        own = [
            session
            for session in await self._games.running_of(user_id)
            if session.side_of(user_id) is not None
        ]
        here = await self._games.current(channel_id)
        voted = [
            await self._games.find_readable(game_id)
            for game_id in await self._stored.voted_in(user_id)
        ]
        channels = [one for one in (here, *voted) if one is not None and one.is_channel_game]
        for session in own + channels:
            if _is_of(session, position):
                raise Refusal("analysis_yours", link=session.place)

    async def require_shareable(self, position: Position, channel_id: int) -> None:
        """Refuse positions of the game that people are playing in the channel."""
        session = await self._games.current(channel_id)
        if session is not None and not session.is_watched and _is_of(session, position):
            raise Refusal("analysis_running")

    async def of(
        self, position: Position, user_id: int, guild_id: int | None
    ) -> PositionAnalysis | None:
        """The analysis of a position that went furthest; None for a game that is over.

        Refused if the engine fails, and if the person waits for another answer of it.
        """
        if position.outcome is not None:
            return None
        code = code_of(position)
        found = self._furthest(code)
        if found is None:
            found = await self._ask(position, 0, Claim(Kind.EXPLANATION, user_id, guild_id))
        self._note(user_id, code)
        return found

    async def further(
        self, position: Position, user_id: int, guild_id: int | None
    ) -> PositionAnalysis | None:
        """The analysis of a position after it went on once more, if it can; as `of`."""
        before = await self.of(position, user_id, guild_id)
        if before is None or not before.is_open:
            return before
        code = code_of(position)
        asked = (times for times in range(TIMES + 1) if self._known.find((code, times)))
        times = 1 + max(asked, default=0)
        if times <= TIMES:
            await self._ask(position, times, Claim(Kind.EXPLANATION, user_id, guild_id))
        return replace(self._furthest(code) or before, earlier=before.analysis.depth)

    async def again(
        self, position: Position, user_id: int, guild_id: int | None
    ) -> PositionAnalysis | None:
        """As `further` if this person has just seen the position's analysis, else as `of`."""
        has_seen = position.outcome is None and self._seen.get(user_id) == code_of(position)
        return await (self.further if has_seen else self.of)(position, user_id, guild_id)

    async def _ask(self, position: Position, times: int, claim: Claim) -> PositionAnalysis:
        """Analyse a position for the first time, or go on for the n-th time."""
        game, code = position.game, code_of(position)
        task = AnalysePosition(code, FURTHER, goes_on=True) if times else AnalysePosition(code)
        job = Job(game.key, game.variant, (), task)
        # The tables with which it goes on are those of this process.
        return await self._workers.ask(
            job, claim, self._known, PATIENCE, failed="analysis_failed", key=(code, times),
            here=times > 0,
        )  # fmt: skip

    def _furthest(self, code: str) -> PositionAnalysis | None:
        """The analysis of a position that went furthest; None if none is known."""
        known = (self._known.known((code, times)) for times in range(TIMES + 1))
        found = [one for one in known if one is not None]
        return max(found, key=lambda one: (not one.is_open, one.analysis.depth), default=None)

    def _note(self, user_id: int, code: str) -> None:
        """Note which analysis a person saw last."""
        self._seen.pop(user_id, None)
        self._seen[user_id] = code
        if len(self._seen) > KEPT:
            del self._seen[next(iter(self._seen))]


def _is_of(session: Session, position: Position) -> bool:
    """Whether a position is too close to that of a game."""
    return related(session.position, position)


LONGEST = 44
"""Moves that a trail keeps: a longer one begins later."""

MAX_TYPED = 500
"""The most characters of typed moves or boards: every game fits into fewer."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

_BETWEEN = re.compile(r"[\s,;]+")

_SIGNS = str.maketrans({"0": ".", "x": "1", "X": "1", "o": "2", "O": "2", "a": "A", "b": "B"})
"""Other ways to write squares, as alternative texts do."""


@dataclass(frozen=True)
class Trail:
    """A position to begin with and the moves explored from it; every change is a new value."""

    root: Position
    moves: tuple[Move, ...] = ()

    @cached_property
    def position(self) -> Position:
        """The position after the moves; raises IllegalMove."""
        position = self.root
        for move in self.moves:
            position = position.play(move)
        return position

    @property
    def game(self) -> Game:
        """The game and its parameters."""
        return self.root.game

    def begin(self) -> Self:
        """The trail before its first move."""
        return replace(self, moves=())

    def back(self) -> Self:
        """The trail before its latest move."""
        return replace(self, moves=self.moves[:-1])

    def on(self, *moves: Move) -> Self:
        """The trail after more moves; it begins later where it gets too long."""
        root, every = self.root, self.moves + moves
        while len(every) > LONGEST:
            root, every = root.play(every[0]), every[1:]
        return replace(self, root=root, moves=every)

    @property
    def way(self) -> str:
        """The moves as short text, a sign each; `trail_of` reads it back."""
        return "".join(_DIGITS[move] for move in self.moves)

    @property
    def place(self) -> tuple[str, str]:
        """The trail as ids of buttons name it: the code of its first position, and its way."""
        return code_of(self.root), self.way


def trail_of_game(session: Session) -> Trail:
    """The moves of a game."""
    moves = (session.game.parse(made.move) for made in session.moves)
    return Trail(session.game.start()).on(*moves)


def trail_of(code: str, way: str = "") -> Trail:
    """The trail from the position of a code; refused where there is none."""
    try:
        trail = Trail(position_of(code), tuple(Move(_DIGITS.index(sign)) for sign in way))
        trail.position  # noqa: B018  # a move that is not allowed is found here
    except (NotACode, IllegalMove, ValueError) as error:
        raise Refusal("analysis_code") from error
    return trail


def typed_trail(family: GamePackage, variant: str, text: str) -> Trail:
    """A typed game as moves, or a typed board as rows; refused if it is neither.

    A board has a sign for each square, as in `......./......./......./......./...2.../...1...`. Its
    size determines the variant; `variant` is for moves.
    """
    if len(text) > MAX_TYPED:
        raise Refusal("analysis_long")
    if "/" in text or "." in text:
        return Trail(_board(family, variant, text))
    game = typed_game(family, variant)
    try:
        moves = game.moves(_BETWEEN.sub("", text))
    except NotAMove as error:
        raise Refusal("not_a_move", text=error.text, expected=error.expected) from error
    trail = Trail(game.start())
    for number, move in enumerate(moves, 1):
        try:
            trail.position.play(move)
        except IllegalMove as error:
            raise Refusal("analysis_move", number=number, move=error.label) from error
        trail = trail.on(move)
    return trail


def typed_game(family: GamePackage, variant: str) -> Game:
    """The game of a variant that a person typed; refused if there is none."""
    try:
        return family.from_variant(variant)
    except UnknownVariant as error:
        raise Refusal("not_a_variant", text=error.text, expected=error.expected) from error


def _board(family: GamePackage, variant: str, text: str) -> Position:
    """The position that a board shows."""
    rows = [row for row in re.split(r"[/\s]+", text.translate(_SIGNS)) if row]
    try:
        board = [[Cell(sign) for sign in row] for row in rows]
        size = len(board), {len(row) for row in board}
        # The given variant, if the board has its size.
        for name in sorted(family.variants, key=lambda name: name != variant):
            game = family.from_variant(name)
            if size == (len(game.start().cells()), {len(game.column_names)}):
                return place(family, game, board, stones_on(board))
    except ValueError as error:  # a sign that is none, or a board that cannot come about
        raise Refusal("analysis_board") from error
    raise Refusal("analysis_board")
