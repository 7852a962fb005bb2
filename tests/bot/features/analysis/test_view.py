"""An analysed position as a picture's scene and as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.analysis.rules import Trail
from bot.features.analysis.view import analysis_scene, analysis_summary, analysis_text
from bot.i18n import LANGUAGES, Translator, say_in
from bot.show.scenes import alt_phrases
from engine.core.analysis import Analysis
from engine.core.compiled.scores import WIN
from engine.core.game import Move, target
from engine.core.registry import game_called, package_of
from engine.study.analysis import Line, PositionAnalysis, analyse_position
from renderers import Outlook, board_alt_text, draw

ENGLISH, SPANISH = say_in("en"), say_in("es")


def trail_of(name: str, moves: str) -> Trail:
    """The trail of a game."""
    game = game_called(name)
    return Trail(game.start()).on(*game.moves(moves))


def text_about(name: str, moves: str, say: Translator = ENGLISH) -> list[str]:
    """The text about a position, without the line and the code."""
    trail = trail_of(name, moves)
    found = None if trail.position.outcome else analyse_position(trail.position)
    return analysis_text(trail, found, say).splitlines()[1:3]


def analysis_with(scores: dict[int, int], *, proven: bool, depth: int = 9) -> PositionAnalysis:
    """An analysis with these scores."""
    moves = {Move(move): score for move, score in scores.items()}
    best = max(moves, key=moves.__getitem__)
    lines = {move: (move,) for move in moves}
    return PositionAnalysis(
        Analysis(moves, lines, depth, 1, 0.1, proven), Line((best,), proven=proven, depth=depth)
    )


@pytest.mark.parametrize(
    ("name", "moves", "result", "best"),
    [
        ("6x7", "", "**Player 1 wins in 21 moves.**",
         "Only 4 wins."),
        ("6x7", "4", "**Player 1 wins in 20 moves.**",
         "Every move loses; 4 lasts longest."),
        ("6x7", "44455455", "**Player 1 wins in ", "Soonest win: "),
        ("6x7", "414141", "**Player 1 wins in 1 move.**", "4"),
        ("5x4", "", "**A draw if both play well.**", "Every move keeps the draw."),
        ("gato", "a1b1a2b2a3b3", "**Player 1 wins in 1 move.**", "a4"),
        ("boom", "17723", "**Player 2 wins in 2 moves.**", "Only 7 wins."),
        ("6x7", "1212121", "**Player 1 wins**", "Position code"),
    ],
)  # fmt: skip
def test_the_result_and_the_best_moves_are_shown(
    name: str, moves: str, result: str, best: str
) -> None:
    """The text says who wins when with which stone, and names the only move or the best ones."""
    first, second = text_about(name, moves)
    assert first.startswith(result)
    assert best in second


@pytest.mark.parametrize(
    ("scores", "proven", "best"),
    [
        ({0: WIN - 20, 1: WIN - 22, 2: 0, 3: -WIN + 30}, True, "Soonest win: 1; later: 2."),
        ({0: WIN - 20, 1: WIN - 20, 2: 0}, True, "Only 1 or 2 win."),
        ({0: WIN - 20, 1: WIN - 20}, True, "Every move wins."),
        ({0: WIN - 20, 1: 15}, False, "Only 1 wins."),
        ({0: 0, 1: -WIN + 20}, True, "Only 1 keeps the draw."),
        ({0: 0, 1: 0, 2: -WIN + 20}, True, "Only 1 or 2 keep the draw."),
        ({0: 0, 1: 0}, True, "Every move keeps the draw."),
        ({0: -WIN + 30, 1: -WIN + 20}, True, "Every move loses; 1 lasts longest."),
        ({0: 40, 1: 20}, False, "Best: 1."),
    ],
)
def test_moves_that_keep_the_result_differ_from_best_ones(
    scores: dict[int, int], proven: bool, best: str
) -> None:
    """Moves that keep the result and the best moves are named separately, in both languages."""
    trail = trail_of("6x7", "4433")
    found = analysis_with(scores, proven=proven)
    assert analysis_text(trail, found, ENGLISH).splitlines()[2] == best
    assert analysis_text(trail, found, SPANISH).splitlines()[2] != best


@pytest.mark.parametrize(
    ("score", "seen"),
    [
        (0, "about even"), (5, "about even"), (-5, "about even"), (15, "Player 2 is better"),
        (-15, "Player 1 is better"), (90, "Player 2 is clearly better"),
        (-90, "Player 1 is clearly better"),
    ],
)  # fmt: skip
def test_unproven_values_are_estimates_in_words(score: int, seen: str) -> None:
    """An unproven result is put in words, with its depth in the picture; values have no sign."""
    trail, found = trail_of("6x7", "4"), analysis_with({0: score, 1: score - 5}, proven=False)
    lines = analysis_text(trail, found, ENGLISH).splitlines()
    assert lines[1] == f"**As far as I can see: {seen}.**"
    assert "(as far as I can see)" in lines[3]
    scene = analysis_scene(trail, found, ENGLISH)
    assert [value.outlook for value in scene.values] == [Outlook.UNKNOWN] * 2
    assert all(value.text.endswith("%") for value in scene.values)
    assert scene.footer == "%: winning chance, depth 9"


def test_proven_results_are_exact() -> None:
    """A result that a search has proven is exact even beside estimates of other moves."""
    trail, found = (
        trail_of("6x7", "4"),
        analysis_with({0: WIN - 8, 1: 10, 2: -WIN + 9}, proven=False),
    )
    scene = analysis_scene(trail, found, ENGLISH)
    assert [value.text for value in scene.values] == ["win in 4", "62%", "loses in 4"]
    assert [value.number for value in scene.values] == ["4", "", "4"]
    assert (scene.advice, scene.verdict) == ("Play column 1", "win in 4")
    assert scene.footer == "%: winning chance, depth 9"
    assert "**Player 2 wins in 4 moves" in analysis_text(trail, found, ENGLISH)


def test_values_are_counted_in_moves_of_the_winner() -> None:
    """A win after 7 plies is one in 4 moves, in words and with the word of each language."""
    trail = trail_of("6x7", "4")
    scores = {0: 0, 1: WIN - 8, 2: -WIN + 7}
    for say, words in (
        (ENGLISH, ["draw", "win in 4", "loses in 3"]),
        (SPANISH, ["empata", "gana en 4", "pierde en 3"]),
    ):
        scene = analysis_scene(trail, analysis_with(scores, proven=True), say)
        assert [value.text for value in scene.values] == words
        legend = dict(scene.legend)
        assert all(value.text.startswith(legend[value.outlook]) for value in scene.values)


@pytest.mark.parametrize(
    ("scores", "advice"),
    [
        ({0: WIN - 8, 1: 0}, "Play column 1"),
        ({0: 0, 1: 0, 2: -WIN + 9}, "Play 1 or 2"),
        (dict.fromkeys(range(7), 0), "Any move is as good"),
    ],
)
def test_the_advice_names_the_best_moves(scores: dict[int, int], advice: str) -> None:
    """The advice above the values is one move, several, or that all are equally good."""
    scene = analysis_scene(trail_of("6x7", "4"), analysis_with(scores, proven=True), ENGLISH)
    assert scene.advice == advice
    assert len(scene.hint) == ("column" in advice)


def test_moves_without_a_square_are_named_in_the_text() -> None:
    """Values of BOOM's bomb are in the text, as the picture has room for columns only."""
    game = game_called("boom")
    position = game.start()
    moves: list[Move] = []
    while Move(7) not in position.legal_moves():
        quiet = (move for move in position.legal_moves() if position.play(move).outcome is None)
        moves.append(next(m for m in quiet if (m + position.ply) % 3 != 1))
        position = position.play(moves[-1])
    trail = Trail(game.start()).on(*moves)
    found = analyse_position(position, seconds=0.05)
    for say, boom in ((ENGLISH, "BOOM: "), (SPANISH, "BOOM: ")):
        text = analysis_text(trail, found, say)
        assert any(line.startswith(boom) for line in text.splitlines())
        scene = analysis_scene(trail, found, say)
        assert len(scene.values) == len(position.legal_moves()) - 1
        assert scene.remark
        assert scene.at_risk


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "moves"), [("6x7", "4453"), ("gato", "b2a1"), ("boom", "17723")])
def test_the_alternative_text_has_every_value(name: str, moves: str, language: str) -> None:
    """The alternative text has the turn, the result, the board, the last turn and every value."""
    say, trail = say_in(language), trail_of(name, moves)
    found = analyse_position(trail.position)
    scene = analysis_scene(trail, found, say)
    text = board_alt_text(scene, alt_phrases(say))
    for value in scene.values:
        label = scene.column_labels[value.square.column]
        row = scene.row_labels[value.square.row] if scene.row_labels else ""
        assert f"{label}{row}: {value.text}" in text
    assert len(scene.values) == len(trail.position.legal_moves())
    best = {target(trail.position, move) for move in found.analysis.best()}
    assert {value.square for value in scene.values if value.is_best} == best
    assert say("analysis.turn", name=scene.names[trail.position.to_move - 1]) in text
    assert len(text) <= 1024
    assert draw(package_of(trail.game).drawing, scene)
    assert len(analysis_text(trail, found, say)) < 2000


def test_a_count_without_texts_is_an_error() -> None:
    """A count without a text in the catalogue is an error."""
    with pytest.raises(KeyError):
        ENGLISH.count("nothing", 1)


@pytest.mark.parametrize(
    ("name", "moves", "result", "footer"),
    [
        ("7x8", "33", "Player 1 wins in 26 moves.", "exact · known opening"),
        (
            "8x8",
            "2",
            "The best move of this opening is known.",
            "known opening · %: winning chance",
        ),
        ("5x4", "", "A draw if both play well.", "exact · "),
    ],
)
def test_a_known_opening_is_named_as_such(name: str, moves: str, result: str, footer: str) -> None:
    """The footer says whether values, or only the best move, come from known openings."""
    trail = trail_of(name, moves)
    found = analyse_position(trail.position, seconds=0.1)
    assert f"**{result}**" in analysis_text(trail, found, ENGLISH)
    assert analysis_scene(trail, found, ENGLISH).footer.startswith(footer)


@pytest.mark.parametrize(
    ("depth", "proven", "sentence", "footer"),
    [
        (11, False, "I looked further than before.", "%: winning chance, depth 11 (before: 9)"),
        (9, False, "That's as far as I can see.", "%: winning chance, depth 9"),
        (20, True, "I looked further, and now it's certain.", "exact · 1 node"),
    ],
)
def test_an_analysis_that_went_on_says_so(
    depth: int, proven: bool, sentence: str, footer: str
) -> None:
    """An analysis that went on says whether it saw further, and its footer from where it began."""
    trail = trail_of("8x8", "4")
    found = analysis_with(dict.fromkeys(range(8), 0), proven=proven, depth=depth)
    assert sentence not in analysis_summary(trail, found, ENGLISH)
    further = replace(found, earlier=9)
    assert analysis_summary(trail, further, ENGLISH).endswith(sentence)
    assert len(analysis_summary(trail, further, ENGLISH).splitlines()) == 2
    assert analysis_scene(trail, further, ENGLISH).footer == footer
