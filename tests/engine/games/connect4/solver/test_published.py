"""Published facts about large boards, and what uses them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.core.analysis import Source
from engine.core.game import Move, Player, replay
from engine.core.limits import Limit
from engine.core.registry import package_of
from engine.core.search import search
from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.book import BOOKS, book_of
from engine.games.connect4.solver.published import opening_ends, write_published
from engine.games.connect4.solver.retrograde import list_layers
from engine.strength.perfect import Perfect
from engine.study.analysis import analyse_position
from engine.study.hints import Adviser
from engine.study.review import review

ROOT = Path(__file__).resolve().parents[5]
OPENINGS = ROOT / "docs" / "data" / "openings-7x8.csv"
WIDE, SQUARE = Connect4(7, 8), Connect4(8, 8)
BRIEF = 0.05
"""Seconds, too few for any proof of an opening."""


def after(moves: str, game: Connect4 = WIDE) -> Connect4Position:
    """The position after some moves."""
    return replay(game, game.moves(moves))


def test_the_book_of_7x8_has_the_published_values(tmp_path: Path) -> None:
    """The shipped book is the one that the published openings give, with all up to four discs."""
    path = tmp_path / "7x8.book"
    assert write_published(OPENINGS, WIDE, path) == 1117
    assert path.read_bytes() == (BOOKS / "7x8.book").read_bytes()
    book = book_of(WIDE)
    assert book is not None
    keys = {int(key) for layer in list_layers(WIDE, 4) for key in layer.keys}
    assert set(opening_ends(OPENINGS, WIDE)) == keys
    assert len(book) == len(keys)


def test_openings_that_contradict_themselves_are_refused(tmp_path: Path) -> None:
    """A line whose score is not that of its best move raises ValueError."""
    lines = OPENINGS.read_text(encoding="utf-8").splitlines()
    changed = [line.replace(",2,-1,0,2", ",1,-1,0,2", 1) for line in lines]
    assert changed != lines
    path = tmp_path / "openings.csv"
    path.write_text("\n".join(changed), encoding="utf-8")
    with pytest.raises(ValueError, match="another end"):
        opening_ends(path, WIDE)


@pytest.mark.parametrize(
    ("moves", "best", "end"),
    [("", (2, 3, 4, 5), 53), ("2", (3,), 0), ("7", (4,), 0), ("33", (2,), 53), ("66", (5,), 53)],
)
def test_perfect_plays_7x8_from_its_book(moves: str, best: tuple[int, ...], end: int) -> None:
    """`perfect` makes a best move with its exact value, also if the book has its mirror image."""
    result = Perfect(seconds=BRIEF).choose(after(moves), rng=Random(1))
    assert result.move in best
    assert result.score.value == Value(end)
    assert result.proven
    assert result.source is Source.BOOK


@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        (SQUARE, "1", 3),
        (SQUARE, "2", 2),
        (SQUARE, "3", 3),
        (SQUARE, "4", 3),
        (SQUARE, "5", 4),
        (SQUARE, "6", 4),
        (SQUARE, "7", 5),
        (SQUARE, "8", 4),
        (Connect4(8, 7), "", 3),
    ],
)
def test_published_best_moves_are_played_and_shown(game: Connect4, moves: str, best: int) -> None:
    """Where only the best move is known, `perfect`, hints and analyses name it, without a value."""
    position = after(moves, game)
    for agent in (Perfect(seconds=BRIEF), Adviser(seconds=BRIEF)):
        result = agent.choose(position, rng=Random(1))
        assert result.move == best
        assert result.source is Source.BOOK
        assert not result.proven
        assert not result.score.exact
    analysis = analyse_position(position, seconds=BRIEF).analysis
    assert analysis.best() == (best,)
    assert analysis.source is Source.BOOK
    assert analysis.value(Move(best), position.to_move) is None
    assert len(analysis.scores) == len(position.legal_moves())


def four_discs(game: Connect4, count: int) -> list[Connect4Position]:
    """Positions with four discs, which is as many as the books of 4x8 and 7x8 have."""
    rng, found = Random(4), list[Connect4Position]()
    while len(found) < count:
        position = game.start()
        for _ in range(4):
            position = position.play(rng.choice(position.legal_moves()))
        found.append(position)
    return found


def test_moves_that_a_book_proves_to_be_worse_are_worse() -> None:
    """Behind the last positions of a book, moves are worse if another way to them is worse."""
    game, known = Connect4(4, 8), 0
    for position in four_discs(game, 12):
        worse = package_of(game).known_worse(position)
        if not worse:
            continue
        proof = package_of(game).prove(position, seconds=60.0)
        assert proof is not None
        assert all(proof.scores[move] < proof.top for move in worse)
        known += len(worse)
    assert known > 5
    assert package_of(game).known_worse(game.start().play(Move(3))) == ()


def test_known_worse_moves_are_neither_played_nor_shown_as_best() -> None:
    """With four discs on 7x8 `perfect`, hints and analyses leave out moves known to be worse."""
    some = [one for one in four_discs(WIDE, 40) if package_of(WIDE).known_worse(one)]
    assert len(some) > 5
    for position in some[:3]:
        worse = package_of(WIDE).known_worse(position)
        for agent in (Perfect(seconds=BRIEF), Adviser(seconds=BRIEF)):
            assert agent.choose(position, rng=Random(1)).move not in worse
        assert not set(analyse_position(position, seconds=BRIEF).analysis.best()) & set(worse)


def test_a_known_worse_move_that_a_search_prefers_is_replaced() -> None:
    """If a search prefers a move known to be worse, `perfect` makes the best of the others."""
    positions = [
        (one, worse) for one in four_discs(WIDE, 60) if (worse := package_of(WIDE).known_worse(one))
    ]
    misled = [
        (one, worse)
        for one, worse in positions
        if search(one, Limit(nodes=2_000), rng=Random(1)).move in worse
    ]
    assert misled
    one, worse = misled[0]
    assert Perfect(seconds=BRIEF).choose(one, rng=Random(1)).move not in worse


def test_only_what_is_in_a_book_counts_as_such() -> None:
    """A last move and positions that a rule settles are proofs, not known openings."""
    small = Connect4(4, 4)
    last = replay(small, small.moves("111323321442344"))
    assert len(last.legal_moves()) == 1
    proof = package_of(small).prove(last, seconds=60.0)
    assert proof is not None
    assert proof.source is Source.PROOF
    opening = package_of(WIDE).prove(after("33"), seconds=60.0)
    assert opening is not None
    assert opening.source is Source.BOOK


def test_reviews_use_the_published_openings() -> None:
    """In a review the first five moves on 7x8 have their exact values."""
    found = review(WIDE, WIDE.moves("23445"), seconds=BRIEF)
    assert [one.is_proven for one in found.moves[:4]] == [True] * 4
    assert found.moves[0].best_value == Value.won(Player.FIRST, 53)
    lost = review(SQUARE, SQUARE.moves("11"), seconds=BRIEF)
    assert lost.moves[1].best_moves == (3,)


def test_hopeless_proofs_are_not_attempted() -> None:
    """Where proofs rarely succeed, only books are asked, and the search has all of the time."""
    for moves, worth in (("44", False), ("4444444433333333555", True)):
        position = after(moves, SQUARE)
        assert package_of(position).worth_proving(position) is worth
    assert package_of(SQUARE).prove_if_likely(after("44", SQUARE), seconds=60.0) is None
