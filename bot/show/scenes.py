"""The scenes and texts that show a game in one language.

A scene is a value that a picture is drawn from: equal scenes give the same picture. Pictures that
are often wanted again are cached by their scenes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from bot.game.session import Session
from bot.i18n import Translator
from bot.ratings.rated import spoiled_by
from bot.show.plates import (
    agent_level,
    banner,
    has_remarks,
    movement_words,
    plate_details,
    plate_names,
    remark,
    turn_details,
)
from bot.store.records import MoveRecord
from engine.core.analysis import SearchResult, Source
from engine.core.game import Cell, Game, Move, Player, Position, Square, marked_after
from engine.study.analysis import Line
from renderers import (
    AltPhrases,
    BoardScene,
    CardScene,
    Movement,
    Theme,
    Turn,
    draw_card,
)

KEPT = 64
"""Pictures of each kind that are cached: a few megabytes."""


@lru_cache(maxsize=KEPT)
def card_picture(scene: CardScene, theme: Theme) -> bytes:
    """The PNG of a card; may be called from any thread."""
    return draw_card(scene, theme)


def play_scenes(
    position: Position, moves: Sequence[Move], start: BoardScene
) -> Iterator[BoardScene]:
    """A position and those after each of the moves; all but the board is as in `start`.

    Before a move that removes stones there is one more scene, which shows them being removed.
    """
    yield replace(start, cells=_cells(position))
    for move in moves:
        changes = position.changes(move)
        if changes.removed:
            removed = frozenset(changes.removed)
            at_risk = removed if move in position.announced() else frozenset[Square]()
            yield replace(start, cells=_cells(position), at_risk=at_risk, removed=removed)
        position = position.play(move)
        last = frozenset(square for square, _ in changes.placed)
        yield replace(start, cells=_cells(position), last=last)


def _cells(position: Position) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(row) for row in position.cells())


LONGEST_LINE = 16
"""Moves of a line that a message shows."""


def play_words(game: Game, moves: Sequence[Move], say: Translator) -> str:
    """Moves in Markdown, cut after LONGEST_LINE."""
    first = " ".join(say.move(game.key, game.label(move)) for move in moves[:LONGEST_LINE])
    return f"`{first} …`" if len(moves) > LONGEST_LINE else f"`{first}`"


def line_words(game: Game, line: Line, say: Translator) -> str:
    """A line in Markdown, marked if it is not proven."""
    play = play_words(game, line.moves, say)
    return play if line.proven else say("review.line_seen", line=play)


Names = Mapping[int, str]
"""Names of people by user id."""


def seat_name(session: Session, player: Player, names: Names, say: Translator) -> str:
    """The name of one side: a person's, the channel's, or Cuatro's with its level.

    Of two agents, the titles of who plays; two with the same title are numbered.
    """
    seat = session.seat(player)
    if seat.user_id is not None:
        return names[seat.user_id]
    level = agent_level(session, player, say)
    return level if session.is_watched else say("name.agent", level=level)


def status(session: Session, names: Names, say: Translator) -> str:
    """One sentence on the state of the game."""
    if session.awaits_guesses:
        return say("status.guesses")
    if session.end is None:
        kind = "thinking" if session.awaits_agent else "waits" if session.is_held else "turn"
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
    session: Session, names: Names, say: Translator, ratings: Mapping[int, float] | None = None
) -> BoardScene:
    """The picture of a session, with the `ratings` of people by user id."""
    turn = turn_of(session)
    scene, is_over = position_scene(session.position, turn, say), session.is_over
    last = session.last if len(turn[1]) == 1 else None
    return replace(
        scene,
        names=(
            seat_name(session, Player.FIRST, names, say),
            seat_name(session, Player.SECOND, names, say),
        ),
        plates=plate_names(session, names, say),
        details=plate_details(session, session.position, say, ratings or {}),
        banner=banner(session, names, say),
        active=None if is_over else scene.active,
        status=status(session, names, say) if is_over else _turn_status(session, names, say),
        remark="" if is_over else scene.remark,
        footer=footer(session, say),
        last=scene.last if last is None else frozenset({last}),
        at_risk=frozenset() if is_over else scene.at_risk,
        winner=session.winner,
    )


def explosion_scene(session: Session, scene: BoardScene) -> BoardScene | None:
    """The moment at which stones left the board of `scene`, if that is news; None otherwise.

    News is a person's latest move, or everything in the turn of an agent that answers people.
    """
    position, made = turn_of(session)
    is_reply = bool(session.people and session.moves) and session.moves[-1].user_id is None
    found = None
    for number, move in enumerate(made, 1):
        removed = frozenset(position.changes(move).removed)
        if removed and (is_reply or number == len(made)):
            none = frozenset[Square]()
            bare = replace(scene, last=none, line=none, at_risk=none)
            found = replace(bare, cells=_cells(position), removed=removed)
        position = position.play(move)
    return found


def _turn_status(session: Session, names: Names, say: Translator) -> str:
    """Whose turn it is, and which movement of the turn."""
    sentence, movement = status(session, names, say), movement_words(session.position, say)
    return f"{sentence} ({movement})" if movement else sentence


def position_scene(
    position: Position, turn: tuple[Position, Sequence[Move]], say: Translator
) -> BoardScene:
    """The picture of a position, without names of players and a status.

    `turn` is the position before the latest turn, and the moves made in it.
    """
    game, outcome = position.game, position.outcome
    players = say("name.player", number=1), say("name.player", number=2)
    at_risk = (square for move in position.announced() for square in position.changes(move).removed)
    return BoardScene(
        cells=_cells(position),
        column_labels=game.column_names,
        row_labels=game.row_names,
        names=players,
        active=None if outcome else position.to_move,
        status="",
        remark="" if outcome else remark(position, say),
        has_remark=has_remarks(game),
        details=turn_details(position, say),
        last=turn_squares(*turn),
        line=outcome.squares if outcome else frozenset(),
        at_risk=frozenset(at_risk),
        winner=outcome.winner if outcome else None,
        turn=_turn_text(*turn, say) if turn[1] else None,
        marks=(say.mark(game.key, 1), say.mark(game.key, 2)),
        stand_ins=players,
    )


def footer(session: Session, say: Translator) -> str:
    """The result and the cost of the latest search; empty before one.

    While a game counts for ratings, or a channel plays it, only the cost: the picture must not
    reveal how the engine judges the position.
    """
    for move in reversed(session.moves[session.setup.opening :]):
        if move.is_unsearched:
            return say("board.footer_unsearched")
        if move.nodes is not None:
            if not session.is_over and spoiled_by(session) in (None, "channel"):
                return say("board.footer_quiet", **_cost(move, say))
            return searched(move, say)
    return ""


def alt_phrases(say: Translator) -> AltPhrases:
    """The sentences of a board's alternative text."""
    keys = AltPhrases.__dataclass_fields__
    return AltPhrases(**{key: say.texts[f"alt.{key}"] for key in keys})


def searched(search: MoveRecord | SearchResult, say: Translator) -> str:
    """How a move was found, and what that cost."""
    cost, source = _cost(search, say), search.source
    if source is Source.BOOK:
        return say("board.footer_book", seconds=cost["seconds"])
    if source is Source.SEARCH:
        return say("board.footer", depth=search.depth, **cost)
    return say("board.footer_proven", **cost)


def _cost(search: MoveRecord | SearchResult, say: Translator) -> dict[str, str]:
    return {"nodes": say.count("nodes", search.nodes or 0), "seconds": say.decimal(search.seconds)}


def turn_of(session: Session) -> tuple[Position, list[Move]]:
    """The position before a game's latest turn, and the moves made in it; none before the first."""
    if not session.moves:
        return session.position, []
    begun = session.before_turn_of(Player(session.moves[-1].player)) or 0
    made = [session.game.parse(one.move) for one in session.moves[begun:]]
    return session.until(begun).position, made


def latest_turn(start: Position, moves: Sequence[Move]) -> tuple[Position, list[Move]]:
    """The position before the latest turn of moves from a position, and the moves made in it."""
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    begun = len(moves)
    while begun and positions[begun - 1].to_move is positions[len(moves) - 1].to_move:
        begun -= 1
    return positions[begun], list(moves[begun:])


def _turn_text(before: Position, made: Sequence[Move], say: Translator) -> Turn:
    """The moves of a turn for the alternative text."""
    position, movements = before, []
    for move in made:
        changes, label = position.changes(move), position.game.label(move)
        if changes.target is None:
            movements.append(Movement(changes.origin, say.move(position.game.key, label)))
        else:
            movements.append(Movement(changes.target))
        position = position.play(move)
    return Turn(before.to_move, tuple(movements))


def turn_squares(before: Position, made: Sequence[Move]) -> frozenset[Square]:
    """The squares to mark for the moves of a turn: of their stones, or where the moves acted."""
    position, squares = before, frozenset[Square]()
    for move in made:
        squares = marked_after(squares, position.changes(move))
        position = position.play(move)
    return squares
