"""What pictures and cards say about a session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.show.scenes import alt_phrases, board_scene, footer
from bot.store import (
    EndRecord,
    GameRecord,
    MoveRecord,
    NewGameRecord,
    Rating,
    RatingChange,
    SeatRecord,
)
from bot.table.seats import HumanSeat, seat_of
from bot.table.session import Session
from bot.words import Say, say_in
from engine.game import Move, Player, Square
from engine.games import game_of
from engine.kernels.scores import WIN
from engine.ladder import ladder_of
from engine.search import SearchResult
from renderers import board_alt_text, draw

ANA, BEA = 10, 20
NAMES = {ANA: "Ana"}
ENGLISH, SPANISH = say_in("en"), say_in("es")
CLASSIC = game_of("connect4", "6x7")


def session_after(moves: str, end: EndRecord | None = None, hinted: int = 0) -> Session:
    """Ana's 5x4 game against medium after some moves, ten seconds a move."""
    opening = NewGameRecord(
        "connect4", "5x4", 1, 2, "en", SeatRecord(ANA, None), SeatRecord(None, "medium"), True, 0.0
    )
    records = [
        MoveRecord(1, ANA, move, False, 10.0 * n, 10.0)
        if n % 2
        else MoveRecord(2, None, move, False, 10.0 * n, 0.25, 1000, 4, 3)
        for n, move in enumerate(moves, 1)
    ]
    hints = frozenset(range(1, hinted + 1))
    return Session.from_record(GameRecord(7, opening, 5, tuple(records), hints, end))


def test_a_running_game_shows_whose_turn_it_is() -> None:
    """Names, whose turn, the last stone and the search's footer."""
    scene = board_scene(session_after("12"), NAMES, ENGLISH)
    assert scene.names == ("Ana", "Cuatro (medium)")
    assert scene.active is Player.FIRST
    assert scene.status == "Ana to move"
    assert scene.last == {Square(4, 1)}
    assert scene.footer == "depth 4 · 1,000 nodes · 0.25 s"
    assert scene.panel is None


def test_an_agents_turn_says_that_it_thinks() -> None:
    """After the person's move the status names the agent."""
    scene = board_scene(session_after("1"), NAMES, ENGLISH)
    assert scene.status == "Cuatro (medium) is thinking…"
    assert footer(session_after("1"), ENGLISH) == ""


def test_a_hint_is_marked_where_the_stone_would_land() -> None:
    """The hint's square is the landing square of its column; the footer tells of its search."""
    hint = SearchResult(Move(1), 5, 20, 123456, 0.5, (Move(1),))
    scene = board_scene(session_after("12"), NAMES, ENGLISH, hint)
    assert scene.hint == {Square(3, 1)}
    assert scene.footer == "depth 20 · 123,456 nodes · 0.50 s"


@pytest.mark.parametrize(
    ("score", "english", "spanish"),
    [
        (WIN - 7, "proven win in 3 moves", "victoria segura en 3 jugadas"),
        (8 - WIN, "proven loss in 3 moves", "derrota segura en 3 jugadas"),
        (0, "proven draw", "empate seguro"),
    ],
)
def test_a_proof_is_told_in_the_footer(score: int, english: str, spanish: str) -> None:
    """What was proven stands in place of the depth: a win or loss in so many of its moves."""
    proof = SearchResult(Move(1), score, 5, 12345, 0.5, (Move(1),), proven=True)
    for say, text in ((ENGLISH, english), (SPANISH, spanish)):
        scene = board_scene(session_after("12"), NAMES, say, proof)
        assert scene.footer.startswith(f"{text} · 12")
    session = session_after("12")
    move = replace(session.moves[1], score=score, proven=True)
    shown = replace(session, moves=(session.moves[0], move))
    assert board_scene(shown, NAMES, ENGLISH).footer.startswith("proven ")


def test_a_win_shows_its_line_and_all_figures() -> None:
    """The final picture marks the four and gives winner, times, moves, hints, engine and level."""
    end = EndRecord("line", 1, 72.5)
    scene = board_scene(session_after("1212121", end, hinted=2), NAMES, ENGLISH)
    assert scene.status == "Ana wins"
    assert scene.active is None
    assert scene.line == {Square(row, 0) for row in (1, 2, 3, 4)}
    assert scene.panel is not None
    assert {figure.label: figure.value for figure in scene.panel.figures} == {
        "Winner": "Ana",
        "Total time": "1 min 12 s",
        "Moves per side": "4 + 3",
        "Hints": "2",
        "Engine time": "0.75 s",
        "Engine time per move": "0.25 s",
        "Nodes": "3,000",
        "Level": "medium",
        "Rating": "unrated: hint used",
    }


@pytest.mark.parametrize(
    ("end", "english", "spanish"),
    [
        (EndRecord("draw", None, 1.0), "It's a draw", "Empate"),
        (
            EndRecord("resigned", 2, 1.0),
            "Cuatro (medium) wins: Ana resigned",
            "Gana Cuatro (medio): Ana se rindió",
        ),
        (
            EndRecord("time", 2, 1.0),
            "Cuatro (medium) wins: Ana ran out of time",
            "Gana Cuatro (medio): a Ana se le acabó el tiempo",
        ),
        (EndRecord("stopped", None, 1.0), "The game was stopped", "Se detuvo la partida"),
    ],
)
def test_every_ending_is_told(end: EndRecord, english: str, spanish: str) -> None:
    """Draws, resignations and stopped games have their own sentence in each language."""
    session = session_after("12", end)
    assert board_scene(session, NAMES, ENGLISH).status == english
    assert board_scene(session, NAMES, SPANISH).status == spanish


def figures(session: Session, say: Say = ENGLISH) -> dict[str, str]:
    """What the final panel of a session says."""
    panel = board_scene(session, {**NAMES, BEA: "Bea"}, say).panel
    assert panel is not None
    return {figure.label: figure.value for figure in panel.figures}


def rating(value: float) -> Rating:
    """A settled rating."""
    return Rating(value, 60.0, 0.06, 40)


def test_a_rated_game_shows_the_new_rating() -> None:
    """The final picture gives the rating after the game and the change, signed."""
    session = session_after("1212121", EndRecord("line", 1, 72.5))
    for after, text in ((1183.6, "1184 (+24)"), (1140.4, "1140 (-20)"), (1160.2, "1160 (+0)")):
        change = RatingChange(ANA, rating(1160.2), rating(after), 1200.0)
        rated = replace(session, changes=(change,))
        assert figures(rated)["Rating"] == text
        assert figures(rated, SPANISH)["Puntaje"] == text


def test_both_of_two_people_see_their_rating() -> None:
    """After a game between people the picture has a rating for each, in the order of the seats."""
    session = session_after("1212121", EndRecord("line", 1, 72.5))
    session = replace(session, seats=(session.seats[0], HumanSeat(BEA)))
    changes = tuple(
        RatingChange(user_id, rating(1000), rating(value), 1000.0)
        for user_id, value in ((BEA, 990.0), (ANA, 1010.0))
    )
    shown = figures(replace(session, changes=changes))
    assert list(shown)[-2:] == ["Ana's rating", "Bea's rating"]
    assert (shown["Ana's rating"], shown["Bea's rating"]) == ("1010 (+10)", "990 (-10)")
    assert figures(session)["Rating"] == "unrated"


def test_an_unrated_game_says_why() -> None:
    """Hints, leaving early and stopping leave a game unrated; a game to watch says nothing."""
    end = EndRecord("resigned", 2, 1.0)
    assert figures(session_after("12", end))["Rating"] == "unrated: too short"
    assert figures(session_after("1212", end, hinted=1))["Rating"] == "unrated: hint used"
    assert figures(session_after("12", EndRecord("stopped", None, 1.0)))["Rating"] == "unrated"
    watched = session_after("1212", EndRecord("stopped", None, 1.0))
    watched = replace(watched, seats=(watched.seats[1], watched.seats[1]))
    assert "Rating" not in figures(watched)


def test_a_rung_is_called_by_its_strength() -> None:
    """The seat of an agent between the levels says about how strong it is."""
    rung = next(rung for rung in ladder_of(game_of("connect4", "5x4")).rungs if not rung.level)
    session = session_after("12")
    session = replace(session, seats=(session.seats[0], seat_of(None, rung.name)))
    about = round(rung.elo / 10) * 10
    assert board_scene(session, NAMES, ENGLISH).names[1] == f"Cuatro (about {about})"
    assert board_scene(session, NAMES, SPANISH).names[1] == f"Cuatro (unos {about})"
    ended = replace(session, end=EndRecord("stopped", None, 1.0))
    assert figures(ended)["Level"] == f"about {about}"


@pytest.mark.parametrize("say", [ENGLISH, SPANISH], ids=lambda say: say.language)
def test_a_scene_can_be_drawn_and_told(say: Say) -> None:
    """Scenes of sessions fit the drawing of their game and its alternative text."""
    session = session_after("1212121", EndRecord("line", 1, 72.5))
    scene = board_scene(session, NAMES, say)
    assert draw(session.game.key, scene).startswith(b"\x89PNG")
    text = board_alt_text(scene, alt_phrases(say))
    assert "Ana" in text
    assert len(text) <= 1024


def session_of(family: str, variant: str, moves: str, ending: str | None = None) -> Session:
    """A game between Ana and Bea after some moves."""
    game = game_of(family, variant)
    opening = NewGameRecord(
        family, variant, 1, 2, "en", SeatRecord(ANA, None), SeatRecord(BEA, None), False, 0.0
    )
    position, records = game.start(), []
    for move in moves.split():
        player = position.to_move
        user_id = ANA if player is Player.FIRST else BEA
        records.append(MoveRecord(int(player), user_id, move, False, 1.0, 1.0))
        position = position.play(game.parse(move))
    end = None if ending is None else EndRecord(ending, 1, 2.0)
    return Session.from_record(GameRecord(7, opening, 5, tuple(records), frozenset(), end))


def alt_text(session: Session, say: Say) -> str:
    """The alternative text of a session's picture."""
    return board_alt_text(board_scene(session, {**NAMES, BEA: "Bea"}, say), alt_phrases(say))


def test_listeners_hear_who_moved_last_and_where() -> None:
    """The alternative text names the player and the square, and has nothing of the engine."""
    text = alt_text(session_after("12"), ENGLISH)
    assert text == (
        "Ana is 1, Cuatro (medium) is 2, 0 is empty; rows from the top. Ana to move. "
        "Rows 1 to 4: empty. Row 5: 1 2 0 0. Last move by Cuatro (medium): column 2 row 5."
    )
    assert "Last move" not in alt_text(session_after(""), ENGLISH)
    over = alt_text(session_after("1212121", EndRecord("line", 1, 72.5)), ENGLISH)
    assert "Engine" not in over
    assert "Nodes" not in over
    line = "column 1 row 2, column 1 row 3, column 1 row 4, column 1 row 5"
    assert f"Winning line: {line}. The game in figures." in over


def test_listeners_to_gato_hear_letters() -> None:
    """The marks of Gato go by their letters, and empty squares by the word."""
    session = session_of("gato", "4x4", "b2 c2")
    assert alt_text(session, ENGLISH) == (
        "Ana is X, Bea is O; rows from the top. Ana to move. Row 1: empty. "
        "Row 2: empty, X, O, empty. Rows 3 to 4: empty. Last move by Bea: c2."
    )
    assert "Ana es X, Bea es O" in alt_text(session, SPANISH)
    assert "Fila 2: vacía, X, O, vacía." in alt_text(session, SPANISH)


@pytest.mark.parametrize(
    ("moves", "english", "spanish"),
    [
        ("1", "Ana: column 1 row 7.", "Ana: columna 1 fila 7."),
        ("1 2", "Bea: column 2 row 7.", "Bea: columna 2 fila 7."),
        (
            "1 2 2",
            "Bea: column 2 row 7, then column 2 row 6.",
            "Bea: columna 2 fila 7, después columna 2 fila 6.",
        ),
        (
            "1 2 2 3 3 4 4 5 5 6 6 7 B",
            "Ana: column 7 row 7, then BOOM at column 7 row 7.",
            "Ana: columna 7 fila 7, después BOOM en columna 7 fila 7.",
        ),
    ],
)
def test_listeners_to_boom_hear_both_movements(moves: str, english: str, spanish: str) -> None:
    """A turn of two movements is told whole, with where a bomb went off."""
    session = session_of("boom", "7x7", moves)
    assert f"Last move by {english}" in alt_text(session, ENGLISH)
    assert f"Última jugada de {spanish}" in alt_text(session, SPANISH)


def test_a_remark_counts_turns() -> None:
    """One turn until the next bomb is not `1 turns`."""
    session = session_of("boom", "7x7", "1 2 2 3 3 4 4")
    assert "next bomb in 1 turn" in board_scene(session, {**NAMES, BEA: "Bea"}, ENGLISH).remark
    start = session_of("boom", "7x7", "")
    remark = board_scene(start, {**NAMES, BEA: "Bea"}, SPANISH).remark
    assert remark == "movimiento 1 de 1 · próxima bomba en 3 turnos"
