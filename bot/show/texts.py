"""Short texts that messages, pictures and exports share: names, sizes, ratings, dates, CSV files.

The typeface of pictures has the alphabets of Europe only. A name in another script is replaced by
`Player 1` in a picture, and the text of the message gives the name.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from babel.dates import format_date

from bot.i18n import LANGUAGES, Translator, escaped, say_in
from bot.ratings.glicko import placement
from bot.ratings.levels import ALL, SizeClass, class_from_text, classes_of, known_game
from bot.store.records import AUTO, Rating
from engine.core.game import Game
from engine.core.registry import games, package_of
from engine.strength.ladder import is_rung, ladder_of, size_class
from engine.strength.perfect import Perfect
from engine.strength.roster import agents_for
from renderers import is_writable

PERFECT = Perfect().name
"""The strongest level, which is called perfect where every move is proven."""


def day(time: float, say: Translator) -> str:
    """A date in the region's own form."""
    return format_date(datetime.fromtimestamp(time, UTC).date(), format="short", locale=say.locale)


def csv_text(fields: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """The text of a CSV file with a header; `fields` are the columns."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fields, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def csv_time(seconds: float) -> str:
    """A time as exports write it: ISO 8601 in UTC, for seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def has_sizes(family: str) -> bool:
    """Whether a game has several size classes, so that commands and statistics name them."""
    return len(classes_of(family)) > 1


def size_from_text(family: str, typed: str | None) -> SizeClass | None:
    """The size class that a person has typed, in any of the bot's languages; None for all sizes.

    Raises Refusal for any other text.
    """
    wanted = _plain(typed or ALL)
    for say in map(say_in, LANGUAGES):
        for name in (ALL, *(size.name for size in classes_of(family))):
            if wanted in (
                _plain(say.texts.get(f"{kind}.{name}", "")) for kind in ("size", "covers")
            ):
                return class_from_text(family, name)
    return class_from_text(family, typed)


def _plain(text: str) -> str:
    """A text without capitals and accents."""
    kept = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return "".join(kept).casefold().strip()


def game_title(game: Game, say: Translator) -> str:
    """The name of a game, with its size or rules where these are not the usual ones."""
    return with_variant(say(f"game.{game.key}"), game.key, game.variant, say)


def with_variant(name: str, family: str, variant: str, say: Translator) -> str:
    """The name of a game, with this variant where that is not the usual one."""
    if variant == games()[family].usual:
        return name
    return f"{name} · {say.variant(family, variant)}"


def size_title(size: SizeClass, say: Translator) -> str:
    """One word for a size class, such as `classic`; its only size for a game without classes."""
    return say.texts.get(f"size.{size.name}", size.usual)


def drawn_title(name: str, say: Translator) -> str:
    """A name as the title of a picture."""
    return name if is_writable(name) else say("name.player_alone")


def stand_ins(names: Iterable[str], say: Translator) -> dict[str, str]:
    """Replacements in a picture for the names that it cannot write, in their order."""
    unwritable = dict.fromkeys(name for name in names if not is_writable(name))
    return {name: say("name.player", number=n) for n, name in enumerate(unwritable, 1)}


def stand_in_line(stand_ins: Mapping[str, str]) -> str:
    """A line with the names behind the stand-ins; empty if there are none."""
    return " · ".join(f"{other}: **{escaped(name)}**" for name, other in stand_ins.items())


def figures_line(figures: Iterable[tuple[str, str]]) -> str:
    """One line of labelled figures."""
    return " · ".join(f"{label} **{value}**" for label, value in figures)


def placement_words(rating: Rating | None, say: Translator) -> str:
    """The progress of placement, such as `game 3 of 5`; empty once there is a rating."""
    found = placement(rating)
    if found is None:
        return ""
    return say("rating.placement", game=found.game, of=found.of)


class GamesAgainst(Protocol):
    """Games against one agent in one variant."""

    @property
    def agent(self) -> str | None:
        """Its name; None for people."""

    @property
    def variant(self) -> str:
        """The variant in which they were played."""

    @property
    def games(self) -> int:
        """The number of games."""


def agent_title(game: Game, name: str, say: Translator) -> str:
    """The title of an agent of a game: its own short text, or its approximate strength.

    The strongest level is called perfect only where every move is proven. For an agent that no
    longer exists, its name.
    """
    if name == PERFECT and not package_of(game).is_all_proven(game):
        return say("level.strongest")
    if not is_rung(name):
        return say.agent(game.key, name, "short") or say.agent(game.key, name) or name
    elo = ladder_of(game).elo_of(name)
    return name if elo is None else say("level.rung", elo=_rounded(elo))


def group_of(agent: str, *, auto: bool) -> str:
    """The group that games against an agent are counted in: `auto` or the agent."""
    return AUTO if auto else agent


def group_title(family: str, group: str, met: Iterable[GamesAgainst], say: Translator) -> str:
    """The title of a group of games; for `auto`, with the mean strength of its agents.

    Strengths of different ladders cannot be compared: over several ladders, `auto` has none.

    Args:
        family: Which game.
        group: As `group_of` gives it.
        met: The games.
        say: The texts.
    """
    met = list(met)
    if group == AUTO:
        return auto_title(_strength(family, met), say)
    boards = [known_game(family, one.variant) for one in met]
    # On several boards, the level has the name that is true on all of them.
    unproven = (board for board in boards if not package_of(board).is_all_proven(board))
    return agent_title(next(unproven, boards[0]), group, say)


def auto_title(elo: float | None, say: Translator) -> str:
    """The title of `auto` at a strength."""
    return AUTO if elo is None else say("level.met", elo=_rounded(elo))


def opponent_title(game: Game, agent: str, say: Translator, *, auto: bool) -> str:
    """The title of the opponent of one game; for `auto`, with its strength."""
    if auto:
        return auto_title(ladder_of(game).elo_of(agent), say)
    return agent_title(game, agent, say)


def score_words(winner: int | None) -> str:
    """The result of a game between two agents, such as `1-0`."""
    return {1: "1-0", 2: "0-1", None: "½-½"}[winner]


def opponent_sort_key(game: Game, name: str | None) -> tuple[int, int, str]:
    """The key to sort opponents by: `auto`, levels by number, other agents, people (None)."""
    if name is None:
        return (4, 0, "")
    if name == AUTO:
        return (0, 0, "")
    rung = ladder_of(game).find(name)
    if rung is not None:
        return (1, rung.number, name)
    others = tuple(agents_for(game.key))
    return (2, others.index(name), name) if name in others else (3, 0, name)


def _strength(family: str, met: Iterable[GamesAgainst]) -> float | None:
    """The mean rating of the agents over the games; None for games of several ladders."""
    boards = [(known_game(family, one.variant), one) for one in met if one.agent is not None]
    if len({size_class(board) for board, _ in boards}) > 1:
        return None
    found = [(ladder_of(board).elo_of(one.agent or ""), one.games) for board, one in boards]
    known = [(elo, games) for elo, games in found if elo is not None]
    games = sum(count for _, count in known)
    return sum(elo * count for elo, count in known) / games if games else None


def _rounded(elo: float) -> int:
    return round(elo / 10) * 10
