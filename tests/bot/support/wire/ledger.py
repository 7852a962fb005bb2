"""Requested and acknowledged moves, compared with the stored ones."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

from bot.game.session import Session
from tests.bot.discord_server import LATER_MESSAGE, LATER_UPDATE, MESSAGE, UPDATE, DiscordServer

PLAYED = "You played"
"""The beginning of the response to a move by command, in English."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A move that a person requested, on a board that offered it."""

    token: str
    game_id: int
    number: int
    user_id: int
    text: str
    by_button: bool
    is_first: bool
    """Whether this is the first request for this move of the game, or to resign it."""


@dataclass(slots=True)
class Wrongs:
    """Differences between acknowledged and stored moves."""

    lost: int = 0
    doubled: int = 0
    """Stored moves of people that were not requested, or not as often."""
    starts: int = 0
    """Games with a board that are not stored."""
    ends: int = 0
    """Games with an acknowledged resignation that are still running."""
    moves: int = 0
    """Checked acknowledged moves."""
    notes: list[str] = field(default_factory=list)
    """Descriptions of lost and doubled moves."""


@dataclass(slots=True)
class Ledger:
    """All requests."""

    server: DiscordServer
    asked: list[Asked] = field(default_factory=list)
    begun: set[int] = field(default_factory=set)
    given_up: dict[str, int] = field(default_factory=dict)  # games by tokens
    _numbers: set[tuple[int, int]] = field(default_factory=set)

    def clear(self) -> None:
        """Remove all requests."""
        self.asked.clear()
        self.begun.clear()
        self.given_up.clear()
        self._numbers.clear()

    def ask(
        self, token: str, game_id: int, number: int, user_id: int, text: str, *, by_button: bool
    ) -> None:
        """Record a requested move."""
        is_over = game_id in self.given_up.values()
        is_first = (game_id, number) not in self._numbers and not is_over
        self._numbers.add((game_id, number))
        if not by_button and not is_first:
            # A command has no move number: after an unseen stored move it makes the next one.
            self._numbers.add((game_id, number + 1))
        self.asked.append(Asked(token, game_id, number, user_id, text, by_button, is_first))

    def is_acknowledged(self, asked: Asked) -> bool:
        """Whether a person's move was acknowledged.

        An outdated button is acknowledged as well, so only the first request for a move counts. A
        slow refusal, which comes as a private message after that, counts too.
        """
        answer = self.server.interactions.answers.get(asked.token)
        if answer is None:
            return False
        if asked.by_button:
            is_refused = asked.token in self.server.interactions.whispers
            is_taken = answer["type"] in (LATER_UPDATE, UPDATE) and not is_refused
            return asked.is_first and is_taken
        if answer["type"] not in (MESSAGE, LATER_MESSAGE):
            return False
        said = self.server.messages.get(self.server.interactions.answered[asked.token] or "")
        return said is not None and said["content"].startswith(PLAYED)

    def compare_with(self, sessions: dict[int, Session]) -> Wrongs:
        """Compare with the stored games."""
        wrongs, by_player = Wrongs(), defaultdict(list)
        for asked in self.asked:
            by_player[asked.game_id, asked.user_id].append(asked)
        for (game_id, user_id), asks in by_player.items():
            session = sessions.get(game_id)
            made = () if session is None else session.moves
            stored = tuple(move.move for move in made if move.user_id == user_id)
            wanted = tuple((one.text, self.is_acknowledged(one)) for one in asks)
            lost, doubled = mismatches(wanted, stored)
            wrongs.lost += lost
            wrongs.doubled += doubled
            if lost or doubled:
                end = session and session.end and session.end.ending
                asked_for = [(o.number, o.text, o.by_button, self.is_acknowledged(o)) for o in asks]
                wrongs.notes.append(f"game {game_id} ({end}): asked {asked_for}, stored {stored}")
            wrongs.moves += sum(acknowledged for _, acknowledged in wanted)
        asked_in = {(game, user) for game, user in by_player}
        for session in sessions.values():
            strangers = [m for m in session.moves if m.user_id is not None]
            wrongs.doubled += sum((session.id, m.user_id) not in asked_in for m in strangers)
        wrongs.starts = len(self.begun - sessions.keys())
        for token, game_id in self.given_up.items():
            if token in self.server.interactions.answers and not sessions[game_id].is_over:
                wrongs.ends += 1
        return wrongs


def mismatches(wanted: tuple[tuple[str, bool], ...], stored: tuple[str, ...]) -> tuple[int, int]:
    """The numbers of acknowledged moves that are not stored, and of stored ones without a request.

    Both are sequences in order; requests without an acknowledgement may be stored or not. The
    matching with the fewest mismatches counts.
    """

    @cache
    def fewest(w: int, s: int) -> tuple[int, int]:
        if w == 0:
            return 0, s
        text, acknowledged = wanted[w - 1]
        lost, more = fewest(w - 1, s)
        found = [(lost + acknowledged, more)]
        if s:
            lost, more = fewest(w, s - 1)
            found.append((lost, more + 1))
            if stored[s - 1] == text:
                found.append(fewest(w - 1, s - 1))
        return min(found, key=sum)

    return fewest(len(wanted), len(stored))
