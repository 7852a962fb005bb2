"""The text and marks of hints."""

from __future__ import annotations

import pytest

from bot.features.hints.rules import Hint, HintLevel
from bot.features.hints.view import area_of, hint_scene, hint_text, threat_squares
from bot.game.session import Session
from bot.i18n import LANGUAGES, say_in
from bot.store.records import GameRecord, GameSetup, MoveRecord, SeatRecord
from engine.core.analysis import SearchResult
from engine.core.compiled.scores import WIN
from engine.core.game import Move, Player, Square, target
from engine.core.registry import game_called
from engine.core.threat import ThreatKind
from engine.core.values import Score

ANA = 10
NAMES = {ANA: "Ana"}
ENGLISH, SPANISH = say_in("en"), say_in("es")
OTHERS = {ThreatKind.THREAT, ThreatKind.DOUBLE, ThreatKind.GIVES}
OWN = {
    ThreatKind.WIN,
    ThreatKind.HELPLESS,
    ThreatKind.FORCED,
    ThreatKind.SPENDS,
    ThreatKind.QUIET,
}


def session_of(kind: str, moves: str) -> Session:
    """A game that Ana begins against an agent after these moves."""
    game = game_called(kind)
    opening = GameSetup(
        game.key, game.variant, 1, 2, "en", SeatRecord(ANA, None), SeatRecord(None, "medium")
    )
    made, position = list[MoveRecord](), game.start()
    for move in game.moves(moves):
        player = int(position.to_move)
        made.append(MoveRecord(player, ANA, game.label(move), False, 1.0, 1.0))
        position = position.play(move)
    return Session.from_record(GameRecord(7, opening, 0.0, 5, tuple(made), (), None))


def hint_of(
    session: Session, move: int, level: HintLevel, *exact: tuple[int, int], score: int = 0
) -> Hint:
    """A hint of this level; with values it is proven."""
    exact_values = tuple((Move(each), value) for each, value in exact)
    result = SearchResult(
        Move(move),
        Score.from_stored(score, Player.FIRST, proven=bool(exact)),
        9,
        1,
        0.1,
        (Move(move),),
        proven=bool(exact),
        exact=exact_values,
    )
    return Hint(session, result, level)


def lines(hint: Hint, language: str = "en") -> list[str]:
    """A hint's text without its last line, which is always the same."""
    *said, private = hint_text(hint, NAMES, say_in(language)).split("\n")
    assert private in ("Only you can see this.", "Solo tú ves esto.")
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_threat_has_texts(language: str) -> None:
    """Every kind of threat has a text for each side that it can belong to."""
    texts = say_in(language).texts
    for kind in ThreatKind:
        assert (f"threat.{kind}.own" in texts) == (kind not in OTHERS)
        assert (f"threat.{kind}.other" in texts) == (kind not in OWN)


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
    assert lines(hint) == [ENGLISH(f"hint.area.{name}")]
    scene = hint_scene(hint, NAMES, ENGLISH)
    assert (scene.area, scene.marked, scene.hint) == (area.squares, frozenset(), frozenset())


def test_a_bomb_is_where_to_look() -> None:
    """If the best move is the bomb, the hint points to it."""
    session = session_of("boom", "4516453634611475")
    assert lines(hint_of(session, 7, HintLevel.AREA)) == ["Look at your bomb."]


def test_an_own_threat_is_named_without_its_square() -> None:
    """One's own threat is named by its kind, without its column and without a mark."""
    session = session_of("6x7", "443322")
    hint = hint_of(session, 0, HintLevel.THREAT)
    assert lines(hint) == ["Look at the left of the board.", "You can complete four right now."]
    assert threat_squares(session) == frozenset()


def test_threats_in_both_languages() -> None:
    """An opponent's threat is marked and named by its column, in both languages."""
    session = session_of("6x7", "4332254")
    hint = hint_of(session, 4, HintLevel.THREAT)
    assert lines(hint)[1:] == [
        "Ana threatens four: column 5.",
        "Forced reply: only one move keeps Ana from completing four next.",
    ]
    assert lines(hint, "es")[1:] == [
        "Ana amenaza cuatro: la columna 5.",
        "Respuesta forzada: solo una jugada impide que Ana complete cuatro enseguida.",
    ]
    assert hint_scene(hint, NAMES, ENGLISH).marked == {Square(4, 4)}


def test_the_move_comes_with_the_values_of_all_that_are_proven() -> None:
    """The move comes with all proven values, grouped and best first, and its square is marked."""
    session = session_of("5x4", "12341122")
    values = (0, 0), (1, 16 - WIN), (2, WIN - 19), (3, 0)
    hint = hint_of(session, 2, HintLevel.MOVE, *values, score=WIN - 19)
    assert lines(hint)[:2] == [
        "Play 3: it's a sure win.",
        "Column 3 wins in 6 moves; columns 1 and 4 draw; column 2 loses in 4 moves.",
    ]
    assert lines(hint)[-1] == "Only one move wins."
    assert lines(hint, "es")[1].startswith("La columna 3 gana en 6 jugadas; las columnas 1 y 4")
    assert hint_scene(hint, NAMES, ENGLISH).hint == {Square(3, 2)}


def test_a_draw_that_only_one_move_holds() -> None:
    """A hint says whether only one move holds the draw or every move does."""
    session = session_of("gato", "")
    draws = tuple((move, 0) for move in range(16))
    every = hint_of(session, 0, HintLevel.MOVE, *draws)
    assert lines(every)[0].startswith("With best play by both, every move here is a draw.")
    losing = ((0, 0), *((move, 8 - WIN) for move in range(1, 16)))
    one = lines(hint_of(session, 0, HintLevel.MOVE, *losing))
    assert one[0] == "Play a1: with best play by both, that is a draw."
    assert one[1].startswith("A1 draws; b1, c1, d1, ")
    assert one[-1] == "Only one move holds the draw."


def test_unproven_results_show_their_horizon() -> None:
    """An unproven hint gives its depth; in BOOM wins and losses are counted in movements."""
    session = session_of("boom", "4113344")
    hint = hint_of(session, 2, HintLevel.MOVE)
    assert lines(hint)[0] == "Try 3: the best found, looking 9 moves ahead. It is not proven."
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
    assert "Column 3 wins in 2 movements." in lines(won)
    assert "with column 1 twice" in "".join(lines(won))


def test_the_only_move_is_called_that() -> None:
    """An only move is called so, whatever its value."""
    session = session_of("4x4", "13133132214242")
    (move,) = session.position.legal_moves()
    assert lines(hint_of(session, move, HintLevel.MOVE, (move, 0)))[0].startswith(
        "Only one move is possible: 4."
    )


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


@pytest.mark.parametrize(
    ("score", "english", "spanish"),
    [
        (WIN - 7, "Ana: proven win in 3 moves", "Ana: victoria segura en 3 jugadas"),
        (8 - WIN, "Ana: proven loss in 3 moves", "Ana: derrota segura en 3 jugadas"),
        (0, "proven draw", "empate seguro"),
    ],
)
def test_a_hints_proof_names_the_winner(score: int, english: str, spanish: str) -> None:
    """A proof replaces the depth: a win or loss of a named player in a number of moves."""
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
    for say, text in ((ENGLISH, english), (SPANISH, spanish)):
        scene = hint_scene(hint, NAMES, say)
        assert scene.footer.startswith(f"{text} · 12")
