"""The content of pictures and cards for a session."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.game.session import Session
from bot.i18n import Translator, say_in
from bot.show.scenes import alt_phrases, board_scene, explosion_scene, footer
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    SeatRecord,
)
from engine.core.compiled.scores import WIN
from engine.core.game import Drawing, Player, Square
from engine.core.registry import game_of, package_of
from engine.strength.ladder import ladder_of
from renderers import board_alt_text, draw

ANA, BEA = 10, 20
NAMES = {ANA: "Ana"}
ENGLISH, SPANISH = say_in("en"), say_in("es")


def session_after(moves: str, end: EndRecord | None = None, hinted: int = 0) -> Session:
    """Ana's 5x4 game against the medium level after these moves, with ten seconds a move."""
    opening = GameSetup(
        "connect4", "5x4", 1, 2, "en", SeatRecord(ANA, None), SeatRecord(None, "medium")
    )
    records = [
        MoveRecord(1, ANA, move, False, 10.0 * n, 10.0)
        if n % 2
        else MoveRecord(2, None, move, False, 10.0 * n, 0.25, 1000, 4, 3)
        for n, move in enumerate(moves, 1)
    ]
    hints = tuple(HintRecord(number, ANA, "1", 0.0) for number in range(1, hinted + 1))
    return Session.from_record(GameRecord(7, opening, 0.0, 5, tuple(records), hints, end))


def test_a_running_game_shows_whose_turn_it_is() -> None:
    """A running game's scene has the names, the turn and the last stone."""
    scene = board_scene(session_after("12"), NAMES, ENGLISH)
    assert scene.names == ("Ana", "Cuatro (medium)")
    assert scene.active is Player.FIRST
    assert scene.status == "Ana to move"
    assert scene.last == {Square(4, 1)}
    assert scene.winner is None


def test_the_status_shows_that_an_agent_thinks() -> None:
    """After the person's move the status names the agent."""
    scene = board_scene(session_after("1"), NAMES, ENGLISH)
    assert scene.status == "Cuatro (medium) is thinking…"
    assert footer(session_after("1"), ENGLISH) == ""


def proven(session: Session) -> Session:
    """A session whose latest move by the agent is proven to lose."""
    *before, last = session.moves
    return replace(session, moves=(*before, replace(last, score=8 - WIN, proven=True)))


def test_a_rated_game_gives_nothing_away() -> None:
    """The footer of a running rated game gives the search's effort but not its findings."""
    quiet = "1,000 nodes · 0.25 s"
    assert board_scene(session_after("12"), NAMES, ENGLISH).footer == quiet
    assert board_scene(proven(session_after("12")), NAMES, ENGLISH).footer == quiet
    one = replace(session_after("12").moves[1], nodes=1)
    few = replace(session_after("12"), moves=(session_after("12").moves[0], one))
    assert footer(few, ENGLISH) == "1 node · 0.25 s"
    assert footer(few, SPANISH) == "1 nodo · 0,25 s"


def test_a_finished_game_shows_search_results() -> None:
    """A finished game shows the depth of the search, or that it was exact; hints do not matter."""
    quiet = "1,000 nodes · 0.25 s"
    assert footer(proven(session_after("12", hinted=1)), ENGLISH) == quiet
    ended = session_after("12", EndRecord(Ending.RESIGNED, 2, 1.0))
    assert footer(ended, ENGLISH) == f"depth 4 · {quiet}"
    assert footer(proven(ended), ENGLISH) == f"exact · {quiet}"
    *before, last = proven(ended).moves
    in_book = replace(ended, moves=(*before, replace(last, nodes=0)))
    assert footer(in_book, ENGLISH) == "known opening · 0.25 s"
    named = replace(ended, moves=(*before, replace(last, nodes=0, depth=0, proven=False)))
    assert footer(named, SPANISH) == "apertura conocida · 0,25 s"


def test_a_win_shows_its_line_and_lights_the_winner() -> None:
    """The final picture marks the four and the winner."""
    end = EndRecord(Ending.LINE, 1, 72.5)
    session = session_after("1212121", end, hinted=2)
    scene = board_scene(session, NAMES, ENGLISH)
    assert scene.status == "Ana wins"
    assert (scene.active, scene.winner) == (None, Player.FIRST)
    assert scene.line == {Square(row, 0) for row in (1, 2, 3, 4)}


def boom_after(moves: str) -> Session:
    """A BOOM game between two people after these movements."""
    seats = (SeatRecord(ANA, None), SeatRecord(BEA, None))
    opening = GameSetup("boom", "7x7", 1, 2, "en", *seats)
    records, position = [], game_of("boom", "7x7").start()
    for number, move in enumerate(moves, 1):
        player = position.to_move
        user_id = ANA if player is Player.FIRST else BEA
        records.append(MoveRecord(int(player), user_id, move, False, float(number), 1.0))
        position = position.play(position.game.parse(move))
    return Session.from_record(GameRecord(7, opening, 0.0, 5, tuple(records), frozenset(), None))


BOTH = {**NAMES, BEA: "Bea"}


def test_both_movements_of_a_turn_are_marked() -> None:
    """In BOOM both stones of the latest turn are marked, and one stone in the middle of a turn."""
    assert board_scene(boom_after("1"), BOTH, ENGLISH).last == {Square(6, 0)}
    assert board_scene(boom_after("12"), BOTH, ENGLISH).last == {Square(6, 1)}
    assert board_scene(boom_after("122"), BOTH, ENGLISH).last == {Square(6, 1), Square(5, 1)}


def test_an_explosion_is_news_once() -> None:
    """A board shows an explosion after the move that made it, and not after the next one."""
    exploded = boom_after("43546154144277666B")
    assert [move.move for move in exploded.moves][-1] == "B"
    scene = board_scene(exploded, BOTH, ENGLISH)
    explosion = explosion_scene(exploded, scene)
    assert explosion is not None
    assert explosion.removed
    assert explosion.cells != scene.cells
    before, after = exploded.until(len(exploded.moves) - 1), boom_after("43546154144277666B1")
    for session in (before, after):
        assert explosion_scene(session, board_scene(session, BOTH, ENGLISH)) is None


def bomb_game() -> Session:
    """A BOOM game in which the player to move has a bomb."""
    rng = Random(3)
    position, moves = game_of("boom", "7x7").start(), ""
    while not any(
        cell.is_bomb and cell.owner is position.to_move for r in position.cells() for cell in r
    ):
        move = rng.choice(position.legal_moves())
        after = position.play(move)
        if after.outcome is None:
            moves, position = moves + position.game.label(move), after
    return boom_after(moves)


def test_squares_at_risk_are_shown() -> None:
    """The bomb preview marks exactly the stones that the explosion clears, until the game ends."""
    session = bomb_game()
    cells, mover = session.position.cells(), session.position.to_move
    scene = board_scene(session, BOTH, ENGLISH)
    (row,) = {square.row for square in scene.at_risk}
    for column, cell in enumerate(cells[row]):
        goes = cell.owner is mover.other or (cell.is_bomb and cell.owner is mover)
        assert (Square(row, column) in scene.at_risk) == goes
    stones = sum(cell.owner is not None for line in cells for cell in line)
    exploded = session.after(session.game.parse("B"), 99.0)
    left = sum(cell.owner is not None for line in exploded.position.cells() for cell in line)
    assert stones - left == len(scene.at_risk)
    assert board_scene(exploded, BOTH, ENGLISH).last
    assert board_scene(boom_after("122"), BOTH, ENGLISH).at_risk == frozenset()
    resigned = replace(session, end=EndRecord(Ending.RESIGNED, 1, 99.0))
    assert board_scene(resigned, BOTH, ENGLISH).at_risk == frozenset()
    assert len(board_alt_text(scene, alt_phrases(ENGLISH))) <= 1024
    assert draw(Drawing.DISCS, scene)


def test_the_turns_until_a_bomb_are_counted_rightly() -> None:
    """The number of turns until the next bomb has the right plural in every language."""
    remarks = {
        board_scene(boom_after("1223344556677"[:n]), BOTH, ENGLISH).remark for n in range(13)
    }
    text = " ".join(remarks)
    assert "Next bomb in 1 turn " in f"{text} "
    assert "1 turns" not in text
    assert "2 turns" in text


@pytest.mark.parametrize("name", ["王小明", "さくら", "김민준", "محمد", "🦊"])
def test_a_name_that_the_picture_cannot_write_has_a_stand_in(name: str) -> None:
    """A name that the font cannot draw is `Player 1` in the picture, and itself in all texts."""
    scene = board_scene(session_after("12"), {ANA: name}, ENGLISH)
    assert scene.stand_ins == ("Player 1", "Player 2")
    assert scene.names[0] == name
    plain = replace(scene, names=("Player 1", scene.names[1]))
    assert draw(Drawing.DISCS, scene) == draw(Drawing.DISCS, plain)


@pytest.mark.parametrize(
    ("end", "english", "spanish"),
    [
        (EndRecord(Ending.DRAW, None, 1.0), "Draw", "Empate"),
        (
            EndRecord(Ending.RESIGNED, 2, 1.0),
            "Cuatro (medium) wins: Ana resigned",
            "Gana Cuatro (medio): Ana se rindió",
        ),
        (
            EndRecord(Ending.TIME, 2, 1.0),
            "Cuatro (medium) wins: Ana ran out of time",
            "Gana Cuatro (medio): a Ana se le acabó el tiempo",
        ),
        (EndRecord(Ending.STOPPED, None, 1.0), "Game stopped", "Partida detenida"),
    ],
)
def test_every_ending_has_a_text(end: EndRecord, english: str, spanish: str) -> None:
    """Draws, resignations and stopped games each have their own sentence in both languages."""
    session = session_after("12", end)
    assert board_scene(session, NAMES, ENGLISH).status == english
    assert board_scene(session, NAMES, SPANISH).status == spanish


def test_an_opponent_that_adapts_is_called_auto() -> None:
    """The agent of a game at the level `auto` is not shown by its strength."""
    session = session_after("12")
    session = replace(session, setup=replace(session.setup, auto=True))
    assert board_scene(session, NAMES, ENGLISH).names == ("Ana", "Cuatro (auto)")


@pytest.mark.parametrize(
    ("agents", "auto", "names"),
    [
        (("easy", "hard"), False, ("easy", "hard")),
        (("easy", "hard"), True, ("easy", "hard")),
        (("easy", "easy"), False, ("easy 1", "easy 2")),
    ],
)
def test_two_agents_are_called_by_their_titles(
    agents: tuple[str, str], auto: bool, names: tuple[str, str]
) -> None:
    """Two agents have their own titles, also if `auto` chose one; twins are numbered."""
    session = session_after("12")
    first, second = (SeatRecord(None, name) for name in agents)
    setup = replace(session.setup, first=first, second=second, auto=auto)
    scene = board_scene(replace(session, setup=setup), NAMES, ENGLISH)
    assert scene.names == scene.plates == names


def test_a_rung_is_called_by_its_strength() -> None:
    """The name of a rung between two levels gives its approximate rating."""
    rung = next(rung for rung in ladder_of(game_of("connect4", "5x4")).rungs if not rung.level)
    session = session_after("12")
    session = replace(session, setup=replace(session.setup, second=SeatRecord(None, rung.name)))
    about = round(rung.elo / 10) * 10
    assert board_scene(session, NAMES, ENGLISH).names[1] == f"Cuatro (about {about})"
    assert board_scene(session, NAMES, SPANISH).names[1] == f"Cuatro (unos {about})"


@pytest.mark.parametrize("say", [ENGLISH, SPANISH], ids=lambda say: say.language)
def test_a_scene_can_be_drawn_and_described(say: Translator) -> None:
    """Every session's scene can be drawn by its renderer and described in alternative text."""
    session = session_after("1212121", EndRecord(Ending.LINE, 1, 72.5))
    scene = board_scene(session, NAMES, say)
    assert draw(package_of(session.game).drawing, scene).startswith(b"\x89PNG")
    text = board_alt_text(scene, alt_phrases(say))
    assert "Ana" in text
    assert len(text) <= 1024


def session_of(family: str, variant: str, moves: str, ending: str | None = None) -> Session:
    """A game between Ana and Bea after these moves."""
    game = game_of(family, variant)
    opening = GameSetup(family, variant, 1, 2, "en", SeatRecord(ANA, None), SeatRecord(BEA, None))
    position, records = game.start(), []
    for move in moves.split():
        player = position.to_move
        user_id = ANA if player is Player.FIRST else BEA
        records.append(MoveRecord(int(player), user_id, move, False, 1.0, 1.0))
        position = position.play(game.parse(move))
    end = None if ending is None else EndRecord(Ending(ending), 1, 2.0)
    return Session.from_record(GameRecord(7, opening, 0.0, 5, tuple(records), frozenset(), end))


def alt_text(session: Session, say: Translator) -> str:
    """The alternative text of a session's picture."""
    return board_alt_text(board_scene(session, {**NAMES, BEA: "Bea"}, say), alt_phrases(say))


def test_listeners_hear_who_moved_last_and_where() -> None:
    """The alternative text gives the latest move's player and square, and no engine details."""
    text = alt_text(session_after("12"), ENGLISH)
    assert text == (
        "Ana is 1, Cuatro (medium) is 2, 0 is empty; rows from the bottom. Ana to move. "
        "Row 1: 1 2 0 0. Rows 2 to 5: empty. Last move by Cuatro (medium): column 2 row 1."
    )
    assert "Last move" not in alt_text(session_after(""), ENGLISH)
    over = alt_text(session_after("1212121", EndRecord(Ending.LINE, 1, 72.5)), ENGLISH)
    assert "Engine" not in over
    assert "Nodes" not in over
    line = "column 1 row 1, column 1 row 2, column 1 row 3, column 1 row 4"
    assert f"Winning line: {line}." in over


def test_listeners_to_gato_hear_letters() -> None:
    """The alternative text of Gato names the squares of each letter, and never a row."""
    session = session_of("gato", "4x4", "b2 c2")
    assert alt_text(session, ENGLISH) == (
        "Ana is X, Bea is O. Ana to move. X: b2. O: c2. The other squares are free. "
        "Last move by Bea: c2."
    )
    assert "Ana es X, Bea es O" in alt_text(session, SPANISH)
    assert "X: b2. O: c2. Las demás casillas están libres." in alt_text(session, SPANISH)


@pytest.mark.parametrize(
    ("moves", "english", "spanish"),
    [
        ("1", "Ana: column 1 row 1.", "Ana: columna 1 fila 1."),
        ("1 2", "Bea: column 2 row 1.", "Bea: columna 2 fila 1."),
        (
            "1 2 2",
            "Bea: column 2 row 1, then column 2 row 2.",
            "Bea: columna 2 fila 1, después columna 2 fila 2.",
        ),
        (
            "1 2 2 3 3 4 4 5 5 6 6 7 B",
            "Ana: column 7 row 1, then BOOM at column 7 row 1.",
            "Ana: columna 7 fila 1, después BOOM en columna 7 fila 1.",
        ),
    ],
)
def test_listeners_to_boom_hear_both_movements(moves: str, english: str, spanish: str) -> None:
    """The alternative text of BOOM describes both movements of a turn and where a bomb exploded."""
    session = session_of("boom", "7x7", moves)
    assert f"Last move by {english}" in alt_text(session, ENGLISH)
    assert f"Última jugada de {spanish}" in alt_text(session, SPANISH)


def test_a_remark_counts_turns() -> None:
    """One turn until the next bomb is written in the singular."""
    session = session_of("boom", "7x7", "1 2 2 3 3 4 4")
    assert "Next bomb in 1 turn" in board_scene(session, {**NAMES, BEA: "Bea"}, ENGLISH).remark
    start = session_of("boom", "7x7", "")
    remark = board_scene(start, {**NAMES, BEA: "Bea"}, SPANISH).remark
    assert remark == "Próxima bomba en 3 turnos"
