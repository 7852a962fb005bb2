"""The core's tables. Only ids, moves, times and ratings are kept: no names, no messages.

Times are seconds since 1970 in UTC. A game can be rebuilt from its moves alone.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.statements import Base


def _where(condition: str) -> dict[str, Any]:
    """The rows that a partial index covers, for every engine that has such indexes."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


_IDS_ONCE = {"sqlite_autoincrement": True}
"""Ids are never reused, on SQLite either: no button of a deleted game acts on a newer one."""


class PlayerRow(Base):
    """A person who has played."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """The Discord user id."""
    joined_at: Mapped[float]
    private: Mapped[bool] = mapped_column(server_default=false())
    """Whether others may not see this person's statistics."""
    pings: Mapped[bool] = mapped_column(server_default=true())
    """Whether this person is notified of their turns against other people."""
    reminders: Mapped[bool] = mapped_column(server_default=true())
    """Whether this person is notified when their time is running out."""
    shares: Mapped[bool] = mapped_column(server_default=true())
    """Whether others may post games with this person in a channel."""
    spoken: Mapped[bool] = mapped_column(server_default=false())
    """Whether this person's moves by button are confirmed in words."""
    as_text: Mapped[bool] = mapped_column(server_default=false())
    """Whether this person also gets boards as text."""
    language: Mapped[str | None] = mapped_column(String(16))
    """The language of private messages; empty for that of this person's Discord."""
    theme: Mapped[str | None] = mapped_column(String(32))
    """The look of boards; empty for that of the server."""
    experience: Mapped[str | None] = mapped_column(String(16))
    """What this person said about how often they play; empty if they have not been asked."""


class ServerRow(Base):
    """What the managers of a server have chosen."""

    __tablename__ = "servers"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    games_channel_id: Mapped[int | None] = mapped_column(BigInteger)
    """The only channel in which games may begin; empty for all."""
    language: Mapped[str | None] = mapped_column(String(16))
    """The language of public messages; empty for the usual one (`bot.discord.locales`)."""
    theme: Mapped[str | None] = mapped_column(String(32))
    """The look of boards; empty for the classic one."""


class GameRow(Base):
    """A game, running or over."""

    __tablename__ = "games"
    __table_args__ = (
        # One running game per channel: the database itself refuses a second one.
        Index(
            "ux_games_running_channel", "channel_id", unique=True, **_where("finished_at IS NULL")
        ),
        Index("ix_games_first", "first_user", "family", "finished_at"),
        Index("ix_games_second", "second_user", "family", "finished_at"),
        Index("ix_games_started_by", "started_by", "finished_at"),
        Index("ix_games_guild", "guild_id", "family", "finished_at"),
        # The people who have finished a game on a server, for its leaderboard.
        Index("ix_games_guild_first", "guild_id", "first_user", "ending"),
        Index("ix_games_guild_second", "guild_id", "second_user", "ending"),
        # The latest game of a channel.
        Index("ix_games_channel", "channel_id"),
        # The games of a match.
        Index("ix_games_match", "match_of", **_where("match_of IS NOT NULL")),
        # Running games by age, to find those in which a player is silent.
        Index("ix_games_running", "started_at", **_where("finished_at IS NULL")),
        # Which running game is due next.
        Index("ix_games_look", "look_at", **_where("finished_at IS NULL")),
        # The running games of each process.
        Index("ix_games_owner", "owner", **_where("finished_at IS NULL")),
        # The games that wait.
        Index("ix_games_held", "held_at", **_where("held_at IS NOT NULL")),
        # Which message must be brought up to date next.
        Index("ix_games_show", "show_at", **_where("shown < state")),
        _IDS_ONCE,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    family: Mapped[str] = mapped_column(String(32))
    """Which game, such as `connect4`."""
    variant: Mapped[str] = mapped_column(String(32))
    """Its parameters, such as `6x7`."""
    channel_id: Mapped[int] = mapped_column(BigInteger)
    guild_id: Mapped[int | None] = mapped_column(BigInteger)
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    """The message that shows the board."""
    ping_id: Mapped[int | None] = mapped_column(BigInteger)
    """The message that last notified a player; empty once it is deleted."""
    locale: Mapped[str] = mapped_column(String(16))
    """The language of that message."""
    first_user: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("players.id"))
    first_agent: Mapped[str | None] = mapped_column(String(64))
    second_user: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("players.id"))
    second_agent: Mapped[str | None] = mapped_column(String(64))
    auto: Mapped[bool]
    """Whether the agent was chosen to fit the player."""
    started_by: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("players.id"))
    """Who requested the game; empty for games that are older than this column."""
    started_at: Mapped[float]
    finished_at: Mapped[float | None]
    ending: Mapped[str | None] = mapped_column(String(16))
    """How it ended: `line`, `stuck`, `draw`, `agreed`, `resigned`, `time`, or without a result
    `stopped`, before it had really begun `aborted` (`halted` by a moderator), and `unreadable` if
    it could not be continued because its rows could not be read."""
    winner: Mapped[int | None]
    """1 or 2; empty for a draw and for a game that was stopped."""
    undos: Mapped[int] = mapped_column(server_default="0")
    """How many times moves were taken back; the moves themselves are not kept."""
    undone_at: Mapped[float | None]
    """When moves were last taken back; the time for the next move runs from there."""
    reminded_at: Mapped[float | None]
    """When a player was last reminded that their time is running out."""
    clock_seconds: Mapped[float | None]
    """How much time each person has; empty if there is no limit."""
    clock_per: Mapped[str | None] = mapped_column(String(8))
    """What that time is for: a `move`, or the whole `game`."""
    look_at: Mapped[float | None]
    """When the game is next due, such as for a warning or a loss on time; empty for never."""
    paused: Mapped[float] = mapped_column(server_default="0")
    """Seconds since the latest event that do not count against players' clocks: the bot's downtime,
    and time for guessing the winner."""
    state: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """A number that grows with every change of the game (`bot.store.rows`)."""
    shown: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """The state that its message last showed; -1 for nothing."""
    show_at: Mapped[float | None]
    """When `Convergence` must show the board, unless it was shown by then."""
    owner: Mapped[str | None] = mapped_column(String(32))
    """The process that owns it (`processes`) and alone may change it; empty for none."""
    asides: Mapped[int] = mapped_column(server_default="0")
    """The number of events other than moves and undos: votes, ends of votes, swaps."""
    vote_seconds: Mapped[float | None]
    """The duration of each vote in seconds; empty for a game without votes."""
    vote_until: Mapped[float | None]
    """When the present vote ends; empty for none."""
    pie: Mapped[bool] = mapped_column(server_default=false())
    """Whether the second player may swap sides after the first turn."""
    friendly: Mapped[bool] = mapped_column(server_default=false())
    """Whether the players agreed that it does not count for ratings."""
    opening: Mapped[int] = mapped_column(server_default="0")
    """How many of its first moves no player made: random, balanced, or before a chosen position."""
    balanced: Mapped[bool] = mapped_column(server_default=false())
    """Whether its opening is a balanced one."""
    match: Mapped[int] = mapped_column(server_default="0")
    """How many games the match has that it belongs to; 0 for a game of its own."""
    match_of: Mapped[int | None]
    """The first game of its match, which may be deleted; empty for that one itself."""
    pinged_at: Mapped[float | None]
    """When the person to move was last pinged because of their silence."""
    swapped_at: Mapped[float | None]
    """When the sides were swapped; the seats are stored as after the swap."""
    held_at: Mapped[float | None]
    """Since when it waits, without moves and with clocks stopped; empty if it does not."""


class MoveRow(Base):
    """One move of a game."""

    __tablename__ = "moves"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """Counted from 1 within the game."""
    player: Mapped[int]
    """Which side moved, 1 or 2."""
    user_id: Mapped[int | None] = mapped_column(BigInteger)
    """The person who moved; empty for an agent."""
    move: Mapped[str] = mapped_column(String(8))
    """The move as players write it: for Connect 4 the column counted from 1."""
    hinted: Mapped[bool]
    """Whether a hint had been requested at this move."""
    at: Mapped[float]
    seconds: Mapped[float]
    """A person's time since the move before; an agent's time to decide."""
    nodes: Mapped[int | None] = mapped_column(BigInteger)
    depth: Mapped[int | None]
    score: Mapped[int | None]
    proven: Mapped[bool] = mapped_column(server_default=false())
    """Whether the score is the game's value under perfect play."""


class GameFiguresRow(Base):
    """Sums over the moves of a finished game, so that reports need not read them."""

    __tablename__ = "game_figures"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    moves: Mapped[int]
    person_moves: Mapped[int]
    hinted: Mapped[int]
    """How many of the people's moves were made after a hint."""
    engine_moves: Mapped[int]
    engine_nodes: Mapped[int] = mapped_column(BigInteger)
    engine_seconds: Mapped[float]


class HintRow(Base):
    """A hint, which is stored before it is shown, and kept when moves are taken back."""

    __tablename__ = "hints"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """The number of the move it was for."""
    position: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    """A digest of the position it was for; 0 for hints that are older than this column."""
    user_id: Mapped[int] = mapped_column(BigInteger)
    move: Mapped[str] = mapped_column(String(8))
    at: Mapped[float]
    seconds: Mapped[float] = mapped_column(server_default="0")
    """What its search took and found, as for a move."""
    nodes: Mapped[int | None] = mapped_column(BigInteger)
    depth: Mapped[int | None]
    score: Mapped[int | None]
    proven: Mapped[bool] = mapped_column(server_default=false())
    exact: Mapped[str] = mapped_column(String(255), server_default="")
    """The scores of all moves that are proven, such as `4:9980 2:-9990`."""
    level: Mapped[int] = mapped_column(server_default="3")
    """The level of detail: 1 where to look, 2 the threats, 3 the move."""
    given: Mapped[int] = mapped_column(server_default="1")
    """The number of times that more detail was given; each counts as a hint."""


class AnnouncedGame:
    """The columns of a game that a message announces before it is played."""

    family: Mapped[str] = mapped_column(String(32))
    variant: Mapped[str] = mapped_column(String(32))
    channel_id: Mapped[int] = mapped_column(BigInteger)
    guild_id: Mapped[int | None] = mapped_column(BigInteger)
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    """The message that announces it; empty until that has been sent."""
    locale: Mapped[str] = mapped_column(String(16))
    """The language of that message."""


class ChallengeRow(AnnouncedGame, Base):
    """A game that one person has offered another."""

    __tablename__ = "challenges"
    __table_args__ = (
        Index("ix_challenges_open", "expires_at", **_where("answer IS NULL")),
        Index("ix_challenges_rematch", "rematch_of", **_where("rematch_of IS NOT NULL")),
        _IDS_ONCE,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    challenger: Mapped[int] = mapped_column(BigInteger)
    challenged: Mapped[int] = mapped_column(BigInteger)
    challenger_first: Mapped[bool]
    offered_at: Mapped[float]
    expires_at: Mapped[float]
    clock_seconds: Mapped[float | None]
    clock_per: Mapped[str | None] = mapped_column(String(8))
    """The time control of the offered game, as in `games`."""
    pie: Mapped[bool] = mapped_column(server_default=false())
    """Whether the offered game has the pie rule."""
    friendly: Mapped[bool] = mapped_column(server_default=false())
    """Whether the offered game would not count for ratings."""
    balanced: Mapped[bool] = mapped_column(server_default=false())
    """Whether the offered game begins from a balanced opening."""
    match: Mapped[int] = mapped_column(server_default="0")
    """How many games the match has that the offered game begins; 0 for a game of its own."""
    rematch_of: Mapped[int | None]
    """The game that the offered one follows, if it is a rematch; that game may be deleted."""
    answer: Mapped[str | None] = mapped_column(String(16))
    """`accepted`, `declined`, `withdrawn` or `expired`; empty while it is open."""


class ProcessRow(Base):
    """A process that works on this database, or one whose games have yet to be adopted."""

    __tablename__ = "processes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    """A random name for each run."""
    began_at: Mapped[float]
    """By the database's clock, as `until`."""
    seen_at: Mapped[float]
    """When it last renewed its lease, by its own clock, like all times of games."""
    until: Mapped[float]
    """When its lease expires, by the database's clock."""
    shards: Mapped[str | None] = mapped_column(Text)
    """The shards that it serves (`bot.shards`); empty for all."""
    draining: Mapped[bool] = mapped_column(server_default=false())
    """Whether it has been asked to hand its games over."""


class RatingRow(Base):
    """A player's present rating on one ladder."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_shown", "ladder", "shown", "user_id"),)

    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The game and size class, such as `connect4-classic`."""
    value: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    surprise: Mapped[float] = mapped_column(server_default="0")
    """The points by which the latest results were beyond expectation."""
    shown: Mapped[float | None]
    """The number that people see; empty until the placement games are over."""
    games: Mapped[int]
    updated_at: Mapped[float]
    """When the last rated game on this ladder ended."""


class RatingChangeRow(Base):
    """The change of one player's rating by one game."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index("ix_rating_changes_course", "user_id", "ladder", "at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64))
    value_before: Mapped[float]
    deviation_before: Mapped[float]
    volatility_before: Mapped[float]
    value_after: Mapped[float]
    deviation_after: Mapped[float]
    volatility_after: Mapped[float]
    shown_before: Mapped[float | None]
    shown_after: Mapped[float | None]
    """The number that people see; empty for placement games."""
    games_after: Mapped[int]
    """The player's rated games on this ladder, this one included."""
    opponent: Mapped[float]
    """The other side's rating before the game: the number that people see, once there is one."""
    at: Mapped[float]


MAX_ATTEMPTS = 6
"""After this many failed attempts an item is parked: tried once a day only, and nothing waits for
it any more."""


class RetryColumns:
    """The columns of a table of background work whose items may fail."""

    attempts: Mapped[int] = mapped_column(server_default="0")
    """How many attempts have failed."""
    next_attempt_at: Mapped[float] = mapped_column(server_default="0")
    """When the item may be tried again, by the database's clock."""


class RatingDueRow(RetryColumns, Base):
    """A game that has ended and counts for ratings, but has not been rated yet."""

    __tablename__ = "ratings_due"
    __table_args__ = (
        Index("ux_ratings_due_game", "game_id", unique=True),
        # Ids are never reused, so they follow the order in which ends were stored.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))


class UnaidedRow(Base):
    """The losses by one person's moves without a hint in one finished game."""

    __tablename__ = "unaided"
    __table_args__ = (Index("ix_unaided_course", "user_id", "at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False
    )
    ladder: Mapped[str] = mapped_column(String(64))
    """The game and size class, such as `connect4-classic`."""
    at: Mapped[float]
    """When the game ended."""
    judged: Mapped[int]
    """How many of these moves were judged."""
    loss: Mapped[float]
    """The expected score that they gave away, added up: exact for proven moves."""
    proven: Mapped[int] = mapped_column(server_default="0")
    """How many of the judged moves were judged by the results of perfect play."""
    proven_loss: Mapped[float] = mapped_column(server_default="0")
    """What these gave away, added up."""


THE_RESULT = 0
"""The number of votes on the winner, in place of a move's number."""


class VoteRow(Base):
    """A person's choice in one vote of a game; a later choice replaces it."""

    __tablename__ = "votes"
    # All votes of a person.
    __table_args__ = (Index("ix_votes_user", "user_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """The number of the move that it is about, or THE_RESULT."""
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    choice: Mapped[str] = mapped_column(String(8))
    """The move as players write it; in a vote on the winner the side, or 0 for a draw."""
    at: Mapped[float]
    """When this person began to vote for it."""
