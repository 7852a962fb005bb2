"""The text and marks of hints."""

from __future__ import annotations

import pytest

from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.view import area_of, hint_scene
from bot.i18n import LANGUAGES, say_in
from bot.show.scenes import board_scene
from engine.core.analysis import SearchResult
from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player, Square, target
from engine.core.threat import ThreatKind
from engine.core.values import Score
from tests.bot.builders import NAMES
from tests.bot.features.hints.example_hints import hint_of, lines, session_of

ENGLISH, SPANISH = say_in("en"), say_in("es")
OTHERS = {ThreatKind.THREAT, ThreatKind.DOUBLE, ThreatKind.GIVES}
OWN = {
    ThreatKind.WIN,
    ThreatKind.HELPLESS,
    ThreatKind.FORCED,
    ThreatKind.SPENDS,
    ThreatKind.QUIET,
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_threat_has_texts(language: str) -> None:
    """Every kind of threat has a text for each side that it can belong to."""
    texts = say_in(language).texts
    for kind in ThreatKind:
        assert (f"threat.{kind}.own" in texts) == (kind not in OTHERS)
        assert (f"threat.{kind}.other" in texts) == (kind not in OWN)
    threats = {key: text for key, text in texts.items() if key.startswith("threat.")}
    named = {f"{key}.me" for key, text in threats.items() if "{name}" in text}
    assert named == {key for key in threats if key.endswith(".me")}


@pytest.mark.parametrize(
    ("kind", "move", "name"),
    [
        ("6x7", 1, "left"),
        ("6x7", 2, "middle"),
        ("6x7", 5, "right"),
        ("5x4", 0, "left"),
        ("8x8", 2, "left"),
        ("8x8", 4, "middle"),
        ("gato", 5, "top_left"),
        ("gato", 10, "bottom_right"),
    ],
)
def test_a_third_of_the_board_is_where_to_look(kind: str, move: int, name: str) -> None:
    """A region is a third of the columns or a quarter of the squares, without marked squares."""
    session = session_of(kind, "")
    area = area_of(session.position, Move(move))
    assert area.name == name
    assert target(session.position, Move(move)) in area.squares
    every = len(session.position.cells()) * len(session.position.cells()[0])
    assert len(area.squares) <= every / 2
    hint = hint_of(session, move, HintLevel.AREA)
    area_text = ENGLISH(f"hint.area.{name}")
    assert lines(hint) == [f"Nobody can win on the spot. {area_text}"]
    scene = hint_scene(hint, NAMES, ENGLISH)
    assert scene == board_scene(session, NAMES, ENGLISH)


def test_a_bomb_is_where_to_look() -> None:
    """If the best move is the bomb, to point to it would give it away."""
    session = session_of("boom", "4516453634611475")
    assert lines(hint_of(session, 7, HintLevel.AREA)) == [
        "You can win on this move. Look at the whole board."
    ]


@pytest.mark.parametrize(
    ("kind", "moves", "move", "name"),
    [
        ("5x4", "", 0, "left"),
        ("5x4", "", 3, "right"),
        ("4x5", "", 2, "middle"),
        ("5x4", "22222", 0, "all"),
        ("6x7", "111111", 1, "left_half"),
        ("6x7", "1111112222224", 2, "middle"),
        ("gato", "a1b1a2", 5, "all"),
    ],
)
def test_where_to_look_leaves_more_than_the_move(
    kind: str, moves: str, move: int, name: str
) -> None:
    """The part of the board to look at has two moves at least that could be meant."""
    session = session_of(kind, moves)
    area = area_of(session.position, Move(move))
    assert area.name == name
    places = [target(session.position, one) for one in session.position.legal_moves()]
    assert sum(place in area.squares for place in places) > 1


def test_what_the_best_line_leads_to_is_described() -> None:
    """In a quiet position the steps describe what the move forces or prepares."""
    session = session_of("6x7", "1454416564664537")
    steps = [lines(hint_of(session, 4, level, score=30)) for level in HintLevel]
    assert steps == [
        ["Nobody can win on the spot. Look for a move that I have to answer."],
        ["First make me block. Your next move then makes two threats at once."],
        ["Play column 5. I have to block in column 7; then column 3 makes two threats at once."],
    ]
    spanish = lines(hint_of(session, 4, HintLevel.MOVE, score=30), "es")
    assert spanish == [
        "Juega la columna 5. Tengo que bloquear en la columna 7; después, la columna 3 crea dos "
        "amenazas a la vez."
    ]
    start = session_of("6x7", "57")
    assert lines(hint_of(start, 2, HintLevel.THREAT)) == [
        "Nobody has a threat yet.",
        "You can prepare two threats at once.",
    ]
    assert lines(hint_of(start, 2, HintLevel.MOVE)) == [
        "Play column 3. Unless I stop it, column 4 then makes two threats at once."
    ]


def test_the_rows_of_waiting_threats_are_weighed() -> None:
    """Beside a waiting threat it is said whom the rows favour, unless a proof has it otherwise."""
    session = session_of("6x7", "5645447")
    said = lines(hint_of(session, 6, HintLevel.THREAT))
    assert said[-1] == "So far the rows of the waiting threats favour you."
    lost = hint_of(session, 6, HintLevel.THREAT, (6, 20 - WIN), score=20 - WIN)
    assert said[-1] not in lines(lost)


def test_an_own_threat_is_named_without_its_square() -> None:
    """One's own threat is named by its discs, without the column that completes it."""
    session = session_of("6x7", "443322")
    clue = hint_of(session, 0, HintLevel.AREA)
    assert lines(clue) == ["You can win on this move. Which of your lines is missing one disc?"]
    marks = hint_of(session_of("gato", "a1b1a2b2a3b3"), 3, HintLevel.AREA)
    assert lines(marks) == ["You can win on this move. Which of your lines is missing one mark?"]
    hint = hint_of(session, 0, HintLevel.THREAT)
    assert lines(hint) == ["You have three in a row at the bottom: columns 2, 3 and 4."]
    assert hint_scene(hint, NAMES, ENGLISH).marked == {Square(5, 1), Square(5, 2), Square(5, 3)}
    assert lines(hint_of(session, 0, HintLevel.MOVE)) == ["Play column 1. That's four in a row."]


def test_cuatro_speaks_of_itself() -> None:
    """Against Cuatro a hint says "I" and "my", against a person their name."""
    session = session_of("6x7", "14233544")
    for language, said in (
        ("en", "I have three in a row at the bottom: columns 3, 4 and 5."),
        ("es", "Tengo tres en línea abajo: columnas 3, 4 y 5."),
    ):
        assert lines(hint_of(session, 5, HintLevel.THREAT), language) == [said]
    stop = hint_of(session, 5, HintLevel.MOVE)
    assert lines(stop) == ["Play column 6. It's the only move that stops my four."]


def test_the_move_is_one_sentence_and_its_details_have_the_values() -> None:
    """The move is one sentence; the values of all moves, grouped and best first, are details."""
    session = session_of("5x4", "12341122")
    values = (0, 0), (1, 16 - WIN), (2, WIN - 19), (3, 0)
    hint = hint_of(session, 2, HintLevel.MOVE, *values, score=WIN - 19)
    assert lines(hint) == ["Play column 3. You win from here."]
    assert lines(hint, with_details=True) == [
        "Play column 3. You win from here.",
        "Column 3 wins in 6 moves; columns 1 and 4 draw; column 2 loses in 4 moves.",
        "Only one move wins.",
    ]
    spanish = lines(hint, "es", with_details=True)
    assert spanish[1].startswith("La columna 3 gana en 6 jugadas; las columnas 1 y 4")
    assert hint_scene(hint, NAMES, ENGLISH).hint == {Square(3, 2)}
    near = hint_of(session, 2, HintLevel.MOVE, *values, score=WIN - 13)
    assert lines(near) == ["Play column 3. You win in 3 moves."]


def test_what_a_move_makes_is_said_instead_of_its_value() -> None:
    """Two threats at once are named, and a waiting threat where nothing is proven."""
    fork = hint_of(session_of("6x7", "5547"), 2, HintLevel.MOVE, (2, WIN - 9), score=WIN - 9)
    assert lines(fork) == ["Play column 3. Two threats at once: columns 2 and 6."]
    assert lines(fork, "es") == ["Juega la columna 3. Dos amenazas a la vez: las columnas 2 y 6."]
    later = hint_of(session_of("6x7", "3424243737"), 3, HintLevel.MOVE, score=30)
    assert lines(later) == [
        "Play column 4. That's a waiting threat: column 5, row 5. "
        "It's on an odd row, which usually suits whoever began."
    ]
    drawn = hint_of(session_of("6x7", "3424243737"), 3, HintLevel.MOVE, (3, 0))
    assert lines(drawn) == [
        "Play column 4. It's a draw if both play well.",
        "That's a waiting threat: column 5, row 5. "
        "It's on an odd row, which usually suits whoever began.",
    ]


def test_a_draw_that_only_one_move_holds() -> None:
    """Where every move is worth the same, a hint says so; otherwise it names the move."""
    session = session_of("gato", "")
    draws = tuple((move, 0) for move in range(16))
    every = hint_of(session, 0, HintLevel.MOVE, *draws)
    assert every.is_free
    assert lines(every) == ["All your moves are equally good here. Play the one you like."]
    assert hint_scene(every, NAMES, ENGLISH).hint == frozenset()
    losing = ((0, 0), *((move, 8 - WIN) for move in range(1, 16)))
    one = hint_of(session, 0, HintLevel.MOVE, *losing)
    assert not one.is_free
    assert lines(one) == ["Play square a1. It's a draw if both play well."]
    details = lines(one, with_details=True)
    assert details[1].startswith("Square a1 draws; squares b1, c1, d1, ")
    assert details[-1] == "Only one move keeps the draw."


@pytest.mark.parametrize(
    ("moves", "move", "english", "spanish"),
    [
        (
            "44556",
            2,
            "You can block only one of 3 and 7. Block 3 and hope **Ana** misses 7.",
            "Solo puedes bloquear una: la 3 o la 7. "
            "Bloquea la 3, y ojalá a **Ana** se le pase la 7.",
        ),
        ("4332254", 4, "Block 5 and keep going: **Ana** can still slip.", ""),
    ],
)
def test_lost_positions_have_human_advice(
    moves: str, move: int, english: str, spanish: str
) -> None:
    """In a lost position a hint says what can be blocked, and what to hope for."""
    session = session_of("6x7", moves)
    exact = tuple((one, 9 - WIN) for one in session.position.legal_moves())
    hint = hint_of(session, move, HintLevel.MOVE, *exact, score=9 - WIN)
    assert hint.result.is_loss
    assert lines(hint) == [english]
    if spanish:
        assert lines(hint, "es") == [spanish]


def test_unproven_results_show_their_horizon_among_the_details() -> None:
    """An unproven hint gives its depth among the details; in BOOM movements are counted."""
    session = session_of("boom", "4113344")
    hint = hint_of(session, 2, HintLevel.MOVE)
    assert lines(hint) == ["Play column 3. Your next move then makes four in a row."]
    details = lines(hint, with_details=True)
    assert details[-1] == "Best I found, looking 9 moves ahead."
    result = SearchResult(
        Move(2),
        Score.from_stored(WIN - 9, Player.FIRST, proven=False),
        2,
        1,
        0.1,
        (Move(2),),
        exact=((Move(2), WIN - 9),),
    )
    won = Hint(session, result, HintLevel.MOVE)
    assert "Column 3 wins in 2 moves." in lines(won, with_details=True)
    threat = Hint(session, result, HintLevel.THREAT)
    assert "with two moves together" in "".join(lines(threat))


def test_the_only_move_is_called_that() -> None:
    """An only move is called so for any value."""
    session = session_of("4x4", "13133132214242")
    (move,) = session.position.legal_moves()
    hint = hint_of(session, move, HintLevel.MOVE, (move, 0))
    assert lines(hint) == ["Only column 4 is open."]
    assert lines(hint, "es") == ["Solo queda la columna 4."]


def test_a_hint_is_marked_where_the_stone_would_land() -> None:
    """The marked square is where the stone would land, and the footer describes the search."""
    session, found = (
        session_of("5x4", "12"),
        SearchResult(
            Move(1), Score.from_stored(5, Player.FIRST, proven=False), 20, 123456, 0.5, (Move(1),)
        ),
    )
    scene = hint_scene(Hint(session, found, HintLevel.MOVE), NAMES, ENGLISH)
    assert scene.hint == {Square(3, 1)}
    assert scene.footer == "depth 20 · 123,456 nodes · 0.50 s"


@pytest.mark.parametrize("score", [WIN - 7, 8 - WIN, 0])
def test_a_hints_proof_is_exact(score: int) -> None:
    """With a proof, the footer says that the result is exact instead of a depth."""
    session = session_of("5x4", "12")
    proof = SearchResult(
        Move(1),
        Score.from_stored(score, Player.FIRST, proven=False),
        5,
        12345,
        0.5,
        (Move(1),),
        proven=True,
    )
    hint = Hint(session, proof, HintLevel.MOVE)
    for say, text in ((ENGLISH, "exact"), (SPANISH, "exacto")):
        scene = hint_scene(hint, NAMES, say)
        assert scene.footer.startswith(f"{text} · 12")
