"""From a session to what its picture and message say, in one language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.rating.rated import unrated_because
from bot.show.titles import agent_title
from bot.store import MoveRecord
from bot.table.session import Session
from bot.words import Say
from engine.game import Player, Position, Square
from engine.search import SearchResult
from engine.values import moves_to_end
from renderers import AltPhrases, BoardScene, Figure, Movement, Panel, Turn

Names = Mapping[int, str]
"""What people are called, by user id."""
OF_THE_ENGINE = ("engine_total", "engine_mean", "nodes")
"""The figures of a finished game that only eyes are shown."""


def seat_name(session: Session, player: Player, names: Names, say: Say) -> str:
    """What one side is called: a person's name, or the agent with its level."""
    seat = session.seat(player)
    if seat.user_id is not None:
        return names[seat.user_id]
    assert seat.agent_name is not None
    return say("name.agent", level=agent_title(session.game, seat.agent_name, say))


def status(session: Session, names: Names, say: Say) -> str:
    """One sentence on how the game stands."""
    if session.end is None:
        kind = "thinking" if session.awaits_agent else "turn"
        name = seat_name(session, session.position.to_move, names, say)
        return say(f"status.{kind}", name=name)
    if session.winner is None:
        return say(f"status.{session.end.ending}")
    return say(
        f"status.{session.end.ending}",
        winner=seat_name(session, session.winner, names, say),
        loser=seat_name(session, session.winner.other, names, say),
    )


def board_scene(
    session: Session, names: Names, say: Say, hint: SearchResult | None = None
) -> BoardScene:
    """The picture of a session; a hint is marked, and the footer tells of its search instead."""
    position = session.position
    target = position.target(hint.move) if hint is not None else None
    return BoardScene(
        cells=tuple(tuple(row) for row in position.cells()),
        column_labels=session.game.column_names,
        row_labels=session.game.row_names,
        names=(
            seat_name(session, Player.FIRST, names, say),
            seat_name(session, Player.SECOND, names, say),
        ),
        active=None if session.is_over else position.to_move,
        status=status(session, names, say),
        remark=_remark(session, say),
        footer=footer(session, say) if hint is None else _searched(hint, position.ply, say),
        last=_squares(session.last),
        line=position.outcome.squares if position.outcome else frozenset(),
        hint=_squares(target),
        panel=final_panel(session, names, say) if session.is_over else None,
        turn=latest_turn(session, say),
        marks=(say.mark(session.game.key, 1), say.mark(session.game.key, 2)),
    )


def latest_turn(session: Session, say: Say) -> Turn | None:
    """What whoever moved last did in that turn, for who cannot see it; None before a move."""
    if not session.moves:
        return None
    player = Player(session.moves[-1].player)
    begun = session.before_turn_of(player)
    position, movements = session.until(begun or 0).position, []
    for made in session.moves[begun:]:
        move = session.game.parse(made.move)
        square, word = position.target(move), ""
        if square is None:
            square, word = _bomb_of(player, position), say.move(session.game.key, made.move)
        movements.append(Movement(square, word))
        position = position.play(move)
    return Turn(player, tuple(movements))


def _bomb_of(player: Player, position: Position) -> Square | None:
    """Where a player's bomb is, if they have one."""
    cells = (
        (Square(r, c), cell) for r, row in enumerate(position.cells()) for c, cell in enumerate(row)
    )
    return next((at for at, cell in cells if cell.is_bomb and cell.owner is player), None)


def footer(session: Session, say: Say) -> str:
    """What the latest search proved or how deep it was, and what it took; empty before one."""
    for ply, move in reversed(list(enumerate(session.moves))):
        if move.is_unsearched:
            return say("board.footer_unsearched")
        if move.nodes is not None:
            return _searched(move, ply, say)
    return ""


def final_panel(session: Session, names: Names, say: Say) -> Panel:
    """The figures of a game that has ended."""
    assert session.end is not None
    agents = [move for move in session.moves if move.user_id is None]
    thought = sum(move.seconds for move in agents)
    winner = session.winner
    sides = [sum(move.player == player for move in session.moves) for player in Player]
    figures = [
        ("winner", seat_name(session, winner, names, say) if winner else say("panel.nobody")),
        ("time", say.duration(session.end.at - session.started_at)),
        ("moves", f"{sides[0]} + {sides[1]}"),
        ("hints", say.number(len(session.hints))),
    ]
    if session.undos:
        figures.append(("undos", say.number(session.undos)))
    if agents:
        figures += [
            ("engine_total", say.duration(thought)),
            ("engine_mean", say.duration(thought / len(agents))),
            ("nodes", say.number(sum(move.nodes or 0 for move in agents))),
        ]
    names_of_agents = [seat.agent_name for seat in session.seats if seat.agent_name is not None]
    levels = [agent_title(session.game, name, say) for name in names_of_agents]
    if levels:
        figures.append(("level", " · ".join(levels)))
    shown = tuple(
        Figure(say(f"panel.{name}"), value, in_alt_text=name not in OF_THE_ENGINE)
        for name, value in figures
    )
    return Panel(say("panel.title"), (*shown, *_ratings(session, names, say)))


def _ratings(session: Session, names: Names, say: Say) -> Iterator[Figure]:
    """What the game changed in its players' ratings, or why it changed nothing."""
    for user_id in session.people:
        for change in (c for c in session.changes if c.user_id == user_id):
            alone = len(session.people) == 1
            label = say("panel.rating") if alone else say("panel.rating_of", name=names[user_id])
            before, after = round(change.before.value), round(change.after.value)
            yield Figure(label, say("rating.changed", value=after, change=f"{after - before:+d}"))
    if session.rating_due:
        yield Figure(say("panel.rating"), say("rating.due"))
    elif session.people and not session.changes:
        # Games from before there were ratings count for none either, without any other reason.
        reason = unrated_because(session) or "unrated"
        yield Figure(say("panel.rating"), say(f"unrated.{reason}"))


def alt_phrases(say: Say) -> AltPhrases:
    """The sentences of a board's alternative text."""
    keys = AltPhrases.__dataclass_fields__
    return AltPhrases(**{key: say.texts[f"alt.{key}"] for key in keys})


def _searched(search: MoveRecord | SearchResult, ply: int, say: Say) -> str:
    """What a search made with so many stones on the board found and took."""
    nodes, seconds = say.count("nodes", search.nodes or 0), say.decimal(search.seconds)
    if not search.proven or search.score is None:
        return say("board.footer", depth=search.depth, nodes=nodes, seconds=seconds)
    kind = "draw" if search.score == 0 else "win" if search.score > 0 else "loss"
    found = say(f"proven.{kind}", moves=say.count("moves", moves_to_end(search.score, ply)))
    return say("board.footer_proven", proven=found, nodes=nodes, seconds=seconds)


def _remark(session: Session, say: Say) -> str:
    """What the board does not show, while the game goes on."""
    if session.is_over:
        return ""
    remarks = session.position.remarks()
    return " · ".join(
        say(f"remark.{r.key}", **{name: _amount(name, n, say) for name, n in r.numbers})
        for r in remarks
    )


def _amount(name: str, number: int, say: Say) -> str:
    """A number of a remark, with the word for what it counts if it counts things."""
    counts = f"count.{name}.other" in say.texts
    return say.count(name, number) if counts else say.number(number)


def _squares(square: Square | None) -> frozenset[Square]:
    return frozenset() if square is None else frozenset({square})
