"""The words on a board's plates and on the banner of a finished game, in one language."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.session import Session
from bot.i18n import Translator
from bot.show.moves import sentence
from bot.show.texts import agent_title
from bot.store.records import AUTO, Ending
from engine.core.game import Game, Player, Position, Remark
from renderers import Banner, is_writable

MOVEMENT = "movement"
"""The number of a remark that belongs on the plate of the player to move, not below the board."""


def plate_names(session: Session, names: Mapping[int, str], say: Translator) -> tuple[str, str]:
    """The names on the plates: without the level of an agent that plays people."""
    first, second = (_plate_name(session, player, names, say) for player in Player)
    return first, second


def _plate_name(session: Session, player: Player, names: Mapping[int, str], say: Translator) -> str:
    seat = session.seat(player)
    if seat.user_id is not None:
        return names[seat.user_id]
    return agent_level(session, player, say) if session.is_watched else say("name.bot")


def plate_details(
    session: Session, position: Position, say: Translator, ratings: Mapping[int, float]
) -> tuple[str, str]:
    """The second lines of the plates: whose turn it is, and a rating or the level of an agent."""
    active = turn_details(position, say) if not session.is_over else ("", "")
    first, second = (
        " · ".join(filter(None, (turn, _strength(session, player, say, ratings))))
        for player, turn in zip(Player, active, strict=True)
    )
    return first, second


def _strength(
    session: Session, player: Player, say: Translator, ratings: Mapping[int, float]
) -> str:
    user_id = session.seat(player).user_id
    if user_id is not None:
        return say.rating(ratings[user_id]) if user_id in ratings else ""
    return say("name.bot") if session.is_watched else agent_level(session, player, say)


def agent_level(session: Session, player: Player, say: Translator) -> str:
    """The level of an agent; two with the same title are numbered.

    In a game against people it may be `auto`. Of two agents, both have the titles of who plays.
    """
    if session.setup.auto and not session.is_watched:
        return AUTO
    titles = [seat.agent and agent_title(session.game, seat.agent, say) for seat in session.seats]
    level = titles[player - 1] or ""
    return f"{level} {int(player)}" if titles[0] == titles[1] else level


def turn_details(position: Position, say: Translator) -> tuple[str, str]:
    """The second lines of the plates of a position: which movement of whose turn it is."""
    if position.outcome is not None:
        return "", ""
    words = movement_words(position, say) or say("plate.to_move")
    return (words, "") if position.to_move is Player.FIRST else ("", words)


def movement_words(position: Position, say: Translator) -> str:
    """Which movement of a turn it is, such as `move 1 of 2`; empty where a turn is one movement."""
    found = [r for r in position.remarks() if MOVEMENT in dict(r.numbers)]
    return remark_words(found[0], say) if found else ""


def remark(position: Position, say: Translator) -> str:
    """The line below an unfinished game's board: facts that the board does not show."""
    facts = [remark_words(r, say) for r in position.remarks() if MOVEMENT not in dict(r.numbers)]
    at_risk = [square for move in position.announced() for square in position.changes(move).removed]
    if at_risk:
        cells = position.cells()
        rival = position.to_move.other
        hit = [s for s in at_risk if cells[s.row][s.column].owner is rival]
        row = len(cells) - at_risk[0].row
        discs = say.count("discs", len(hit))
        facts = [say("remark.clears" if hit else "remark.clears_none", discs=discs, row=row)]
    return sentence(" · ".join(facts))


def has_remarks(game: Game) -> bool:
    """Whether a game's boards have a line of facts below them."""
    return bool(game.start().remarks())


def remark_words(fact: Remark, say: Translator) -> str:
    """A remark on a position."""
    numbers = {name: _amount(name, number, say) for name, number in fact.numbers}
    return say(f"remark.{fact.key}", **numbers)


def _amount(name: str, number: int, say: Translator) -> str:
    """A number of a remark, with the word for what it counts if it counts things."""
    counts = f"count.{name}.other" in say.texts
    return say.count(name, number) if counts else say.number(number)


def banner(session: Session, names: Mapping[int, str], say: Translator) -> Banner | None:
    """The result of a finished game; None while it goes on."""
    if session.end is None:
        return None
    ending, winner = session.end.ending, session.winner
    moves = say.count("moves", len(session.moves))
    if winner is None:
        drawn = ending in (Ending.DRAW, Ending.AGREED)
        title = "draw" if drawn else "aborted" if ending is Ending.ABORTED else "stopped"
        key = f"banner.how.{ending}" if drawn else f"banner.how.{title}"
        return Banner(say(f"banner.{title}"), say(key, moves=moves))
    first, second = (_writable(session, player, names, say) for player in Player)
    won, lost = (first, second) if winner is Player.FIRST else (second, first)
    made = say.count("moves", len(session.plies_of(winner)))
    is_person = session.seat(winner).user_id is not None
    return Banner(
        say("banner.won" if is_person else "banner.agent_won", name=won),
        say(f"banner.how.{ending}", name=lost, moves=made),
        _gain(session, winner),
    )


def _writable(session: Session, player: Player, names: Mapping[int, str], say: Translator) -> str:
    """A player's name, or their number where the picture cannot write the name."""
    name = _plate_name(session, player, names, say)
    return name if is_writable(name) else say("name.player", number=int(player))


def _gain(session: Session, winner: Player) -> str:
    """How many points of rating the winner of a game gained; empty if there is no number."""
    for change in session.changes:
        before, after = change.before.shown, change.after.shown
        if change.user_id == session.seat(winner).user_id and before is not None:
            gained = 0 if after is None else round(after) - round(before)
            return str(gained) if gained > 0 else ""
    return ""
