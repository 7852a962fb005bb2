"""Position codes: short, permanent, and with a check against typing errors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.game import Game, Position, replay
from engine.core.position_code import LONGEST, SIGNS, NotACode, _signed, code_of, position_of
from engine.core.registry import game_called, game_of, games, package_of
from engine.games.boom.rules import BOOM

GAMES = [game_of(key, name) for key, family in games().items() for name in family.variants]
some_games = st.sampled_from(GAMES)
seeds = st.integers(0, 2**32)


def position_after_random_moves(game: Game, seed: int) -> Position:
    """A position after random moves, possibly over; bombs are exploded whenever possible."""
    rng, position = Random(seed), game.start()
    for _ in range(rng.randrange(package_of(game).longest(game) + 1)):
        if position.outcome is not None:
            break
        moves = position.legal_moves()
        boom = game.key == "boom" and BOOM in moves and rng.random() < 0.5
        position = position.play(BOOM if boom else rng.choice(moves))
    return position


@given(some_games, seeds)
@settings(max_examples=150)
def test_a_code_is_read_back(game: Game, seed: int) -> None:
    """A code is read back as the same position, also of a finished game and in any spelling."""
    position = position_after_random_moves(game, seed)
    code = code_of(position)
    assert len(code) <= LONGEST
    assert set(code) <= set(SIGNS)
    assert position_of(code) == position
    typed = f" {code[:5]}-{code[5:]}\n".upper().replace("0", "O").replace("1", "l")
    read = position_of(typed)
    assert read == position
    assert read.outcome == position.outcome
    assert read.legal_moves() == position.legal_moves()


@given(some_games, seeds, st.data())
@settings(max_examples=150)
def test_typing_errors_are_detected(game: Game, seed: int, data: st.DataObject) -> None:
    """Changing any single character or swapping any two neighbours is detected."""
    code = code_of(position_after_random_moves(game, seed))
    at = data.draw(st.integers(0, len(code) - 1))
    other = data.draw(st.sampled_from([sign for sign in SIGNS if sign != code[at]]))
    wrong = [code[:at] + other + code[at + 1 :]]
    if at + 1 < len(code) and code[at] != code[at + 1]:
        wrong.append(code[:at] + code[at + 1] + code[at] + code[at + 2 :])
    for text in wrong:
        with pytest.raises(NotACode):
            position_of(text)


@given(st.text(alphabet=SIGNS + " -/", max_size=2 * LONGEST) | st.text(max_size=2 * LONGEST))
@settings(max_examples=100)
def test_any_text_is_a_code_or_refused(text: str) -> None:
    """Any text either raises NotACode or is read as the position of that code."""
    signs = "".join(sign for sign in text.lower() if sign in SIGNS)[: LONGEST - 3]
    for code in (text, _signed("1" + signs)):
        try:
            position = position_of(code)
        except NotACode:
            continue
        assert position_of(code_of(position)) == position


@pytest.mark.parametrize(
    ("game", "moves", "code"),
    [
        ("6x7", "", "1d0d3"),
        ("6x7", "445", "19c0jaxhq7v4vmd0qs"),
        ("8x8", "", "1r0r3"),
        ("gato", "b2", "1f601dz"),
        ("boom", "", "1212"),
        ("boom", "444", "1509kaywzbg90k5p02fw"),
        ("boom:7x7-draw", "", "11215"),
    ],
)
def test_codes_never_change(game: str, moves: str, code: str) -> None:
    """Codes appear in old messages, so none of these may ever change."""
    played = game_called(game)
    assert code_of(replay(played, played.moves(moves))) == code


@pytest.mark.parametrize("moves", ["1425", "2415", "1524"])
def test_the_same_position_has_one_code(moves: str) -> None:
    """A position has one code, independent of the order of moves."""
    game = game_called("6x7")
    assert code_of(replay(game, game.moves(moves))) == code_of(replay(game, game.moves("2514")))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("", "length"),
        ("4453", "check"),
        ("9" * 500, "length"),
        ("cuatro", "length"),  # there is no u
        (_signed("2d0"), "version"),
        (_signed("1v"), "game"),
        (_signed("1z1"), "variant"),
        (_signed("10d0"), "longer"),
        (_signed("1" + "z" * 14 + "d0"), "rests on nothing"),
    ],
)
def test_invalid_codes_are_refused_with_a_reason(code: str, why: str) -> None:
    """Truncated codes, unknown versions or games, and impossible boards raise NotACode."""
    with pytest.raises(NotACode, match=why):
        position_of(code)


def test_every_position_can_be_rebuilt_from_its_board(
    random_position: Callable[[Game, Random, int], Position],
) -> None:
    """Every position of every game can be rebuilt from its board and its number of moves."""
    for game in GAMES:
        position = random_position(game, Random(3), 12)
        place = package_of(game).place
        assert place is not None
        assert place(game, position.cells(), position.ply) == position


@given(some_games, seeds)
@settings(max_examples=150)
def test_moves_lead_to_every_position_that_is_not_over(game: Game, seed: int) -> None:
    """A game that finds moves to positions finds some that lead exactly there.

    Boards of up to twelve stones never need a longer search; the others are found as well here.
    """
    moves_to = package_of(game).moves_to
    position = position_after_random_moves(game, seed)
    assert (moves_to is None) is (game.key == "boom")
    if moves_to is not None and position.outcome is None:
        found = moves_to(position)
        assert found is not None
        assert replay(game, found) == position
