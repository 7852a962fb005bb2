"""Matches on Discord: the score under boards, and the button that begins the next game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from discord import ButtonStyle, Interaction

from bot.board.apart import TAKEN
from bot.board.messages import BoardLine, Button
from bot.database.errors import Unavailable
from bot.discord.background import Task
from bot.discord.locales import public_locale
from bot.discord.replies import (
    acknowledge,
    answer_privately,
    channel_of,
    confirm,
    require_permissions,
)
from bot.discord.routes import GAME, CustomId, Route
from bot.feature import Core
from bot.features.matches.rules import Matches
from bot.features.matches.store import Match
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.show.board_text import short_name
from bot.show.scenes import Names

EVERY = 15.0
"""Seconds between two checks for matches that were not continued."""

NEXT = CustomId("match:next", GAME, game=int)
"""The ids of buttons that begin the game of a match after this one."""


def points_words(points: float) -> str:
    """Points as people write them: `0`, `½`, `1`, `1½`."""
    whole = int(points)
    return f"{whole or ''}½" if points != whole else str(whole)


def score_words(points: Mapping[int, float], names: Names, say: Translator) -> str:
    """What each of the two has, such as `Ana 1½, Bea ½`."""
    both = (
        say("match.score", name=short_name(names[user_id]), points=points_words(has))
        for user_id, has in points.items()
    )
    return ", ".join(both)


def end_words(match: Match, names: Names, say: Translator) -> str:
    """How a match ended: the winner, and the points of the two."""
    (first, most), (_, least) = sorted(match.points.items(), key=lambda one: -one[1])
    key = "match.drawn" if most == least else "match.won"
    details = {"most": points_words(most), "least": points_words(least)}
    said = say(key, name=short_name(names[first]), **details)
    if match.played < match.length and not match.is_decided:
        return f"{say('match.left', played=match.played, games=match.length)} {said}"
    return said


@dataclass(frozen=True, slots=True)
class MatchHandler:
    """Writes the lines of boards, and begins the next games."""

    core: Core
    matches: Matches

    @property
    def lines(self) -> tuple[BoardLine, ...]:
        """The lines of running and of finished games."""
        return BoardLine(5, self._standing), BoardLine(55, self._score)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The handler of the button."""
        return (NEXT.route(self.go_on),)

    @property
    def task(self) -> Task:
        """Ends the matches that were not continued."""
        return Task("matches", EVERY, self.matches.sweep)

    async def continuation(self, session: Session, say: Translator) -> Sequence[Button] | None:
        """The button under the latest game of a match that goes on; none under earlier games.

        None for games of their own, and for the last game of a match.
        """
        match = await self._match_of(session)
        if match is None:
            return None
        if match.latest.id != session.id:
            return ()
        if match.waits_until is None:
            return None
        label, style = say("button.match.next"), ButtonStyle.primary
        return (NEXT.button(session.id, label=label, style=style),)

    async def go_on(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin the next game in a new message; the board of the last one loses its button.

        Where the channel has another game by now, it begins in a channel of its own if possible.
        """
        core = self.core
        core.answering.require_in_time(interaction)
        old = await core.sessions.games.require(game_id)
        require_permissions(interaction, old.game.key)
        channel_id, user_id = channel_of(interaction), interaction.user.id
        locale = public_locale(interaction)

        async def start(channel_id: int) -> Session:
            return await self.matches.go_on(old, channel_id, user_id, locale)

        with core.limiter.counting("starts", user_id):
            try:
                session = await start(channel_id)
            except Refusal as refusal:
                if not refusal.key.startswith(TAKEN):
                    raise
                if not core.runner.apart.moves(channel_id, refusal):
                    raise Refusal("match_taken", **refusal.details) from refusal
                setup = replace(old.setup, channel_id=channel_id, started_by=user_id, locale=locale)
                await core.sessions.require_few_games(setup, user_id)
                await acknowledge(interaction)
                link, say = await core.runner.begin_apart(setup, start), say_for(locale)
                await confirm(answer_privately(interaction, say("match.apart", link=link)))
            else:
                await core.runner.open(interaction, session)
        # Its board no longer says that the match waits, and has no button for it.
        await core.boards.show(await core.sessions.games.require(game_id))

    async def _match_of(self, session: Session) -> Match | None:
        """The match that a game belongs to; None for a game of its own.

        Also None while the database is unavailable: a board is complete without it.
        """
        try:
            return await self.matches.of(session)
        except Unavailable:
            return None

    async def _standing(self, session: Session, names: Names, say: Translator) -> str | None:
        """Which game of its match a running game is, and the score before it."""
        if session.is_over:
            return None
        try:
            standing = await self.matches.standing(session)
        except Unavailable:
            # The board is complete without it; the next one tries again.
            return None
        if standing is None:
            return None
        number, games = standing.number, session.setup.match
        score = score_words(standing.points, names, say) if number > 1 else ""
        key = "match.game" if number > 1 else "match.first"
        return say(key, number=number, games=games, score=score)

    async def _score(self, session: Session, names: Names, say: Translator) -> str | None:
        """The score after a game, and until when the match waits, or who has won it."""
        match = await self._match_of(session) if session.is_over else None
        if match is None:
            return None
        if match.latest.id == session.id and match.ended_at is not None:
            return end_words(match, names, say)
        number = match.number_of(session.id)
        if match.latest.id != session.id or match.waits_until is None:
            return say("match.earlier", number=number, games=match.length)
        score, until = score_words(match.points, names, say), f"<t:{int(match.waits_until)}:t>"
        return say("match.waits", number=number, games=match.length, score=score, until=until)
