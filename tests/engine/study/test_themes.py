"""The themes of puzzles, by examples and against slower rules that share no code with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from engine.core.game import Cell, Game, Move, Player, Position, Square, target
from engine.study.puzzles import Puzzle, boards, puzzle, puzzles_of
from engine.study.themes import Theme

EVERY = 5
"""Every fifth puzzle is checked."""

FEW_MOVES = 14
"""Empty squares up to which a strategy is played out against every order of moves."""

Cells = Sequence[Sequence[Cell]]

LINED = [game for game in boards() if game.key != "boom"]
"""The boards whose themes concern lines that stay."""


@pytest.mark.parametrize(
    ("id", "themes"),
    [
        # 6: a fork on columns 5 and 6. The reply is 5, and 6 wins.
        ("GKSSNF", (Theme.WIN_IN_TWO, Theme.FORK)),
        # The first move threatens 1, where the other side has to block.
        ("XFJWZF", (Theme.TEMPO, Theme.CLAIMEVEN, Theme.ZUGZWANG)),
        ("4C7Z3J", (Theme.DEFENCE,)),
        ("HB49ND", (Theme.WIN_IN_TWO, Theme.FORK)),
    ],
)
def test_the_themes_of_examples(id: str, themes: tuple[Theme, ...]) -> None:
    """A puzzle has the themes that its solution shows, in a fixed order."""
    found = puzzle(id)
    assert found is not None
    assert found.themes == themes


@pytest.mark.parametrize("game", LINED, ids=lambda game: f"{game.key}-{game.variant}")
def test_themes_agree_with_slower_rules(game: Game) -> None:
    """Forks, tempo moves, odd threats and zugzwangs are those found by playing every reply."""
    compared = {Theme.FORK, Theme.TEMPO, Theme.ODD_THREAT, Theme.ZUGZWANG}
    for one in puzzles_of(game)[::EVERY]:
        slow = {theme for step in range(one.asked) for theme in slowly(one, step)}
        assert set(one.themes) & compared == slow, one.id
        assert (Theme.DEFENCE in one.themes) == (one.kind == "hold")
        assert (Theme.WIN_IN_TWO in one.themes) == (one.forced == 2)


@pytest.mark.parametrize("game", LINED, ids=lambda game: f"{game.key}-{game.variant}")
def test_claimeven_wins_against_every_order_of_moves(game: Game) -> None:
    """After a claimeven move, answering on top wins against every reply."""
    checked = 0
    for one in puzzles_of(game)[::EVERY]:
        if Theme.CLAIMEVEN not in one.themes:
            continue
        ends = [one.problem.position(n).play(s.answers[0]) for n, s in enumerate(one.problem.steps)]
        late = [end for end in ends if end.outcome is None and len(empty(end)) <= FEW_MOVES]
        if len(late) == len(ends):
            assert any(follows_up(end, one.problem.solver, {}) for end in late), one.id
            checked += 1
    assert checked >= 3 or game.key == "gato"


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_solutions_end_where_the_win_is_seen(game: Game) -> None:
    """A forced win, as it is played, ends with a four or with one that is threatened."""
    for one in puzzles_of(game)[::EVERY]:
        end, solver = one.played.position(one.clicks), one.problem.solver
        if one.forced and end.outcome is None:
            can_win = end.to_move is solver or game.key == "boom"
            assert can_win or now(end, solver), one.id
        elif one.forced:
            assert end.outcome.winner is solver, one.id
        if one.finish:
            before = one.played.position(one.clicks - 1)
            assert set(one.played.steps[-1].answers) == set(now(before, solver)), one.id


def slowly(one: Puzzle, step: int) -> Iterator[Theme]:
    """The themes of one asked move, by looking at every square and playing every reply."""
    before, solver = one.problem.position(step), one.problem.solver
    asked = one.problem.steps[step]
    after = before.play(asked.answers[0])
    if after.outcome is not None:
        return
    fours, dangers = now(after, solver), now(after, solver.other)
    replies = [after.play(move) for move in after.legal_moves()]
    always = all(end.outcome is None and now(end, solver) for end in replies)
    if always and not dangers and not now(before, solver):
        yield Theme.FORK if fours else Theme.ZUGZWANG
    if len(fours) == 1 and asked.replies == tuple(fours):
        yield Theme.TEMPO
    height = len(after.cells())
    if one.game.key == "gato" or height % 2 or solver is not Player.FIRST or dangers:
        return
    cells, landing = after.cells(), {target(after, move) for move in after.legal_moves()}
    new = [
        at
        for at in empty(after)
        if completes(cells, at, solver) and not completes(before.cells(), at, solver)
        if at not in landing
        if not completes(cells, Square(at.row + 1, at.column), solver.other)
    ]
    if new and (height - max(square.row for square in new)) % 2:
        yield Theme.ODD_THREAT


def follows_up(position: Position, solver: Player, known: dict[str, bool]) -> bool:
    """Whether always answering on top wins from here, with the other side to move."""
    key = str(position.cells())
    if key not in known:
        known[key] = all(
            _answered(position, move, solver, known) for move in position.legal_moves()
        )
    return known[key]


def _answered(position: Position, move: Move, solver: Player, known: dict[str, bool]) -> bool:
    after = position.play(move)
    if after.outcome is not None:
        return after.outcome.winner is solver
    if move not in after.legal_moves():
        return False
    end = after.play(move)
    if end.outcome is not None:
        return end.outcome.winner is solver
    return follows_up(end, solver, known)


def now(position: Position, player: Player) -> list[Move]:
    """The moves that would complete a line for a player if it were their turn."""
    cells = position.cells()
    places = ((move, target(position, move)) for move in position.legal_moves())
    return [move for move, at in places if at is not None and completes(cells, at, player)]


def completes(cells: Cells, at: Square, player: Player) -> bool:
    """Whether a stone of a player on a square would be part of four in a row."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            row, column = at.row + way * down, at.column + way * right
            while owner(cells, row, column) is player:
                length += 1
                row, column = row + way * down, column + way * right
        if length >= 4:
            return True
    return False


def owner(cells: Cells, row: int, column: int) -> Player | None:
    """The player whose stone is on a square; None for empty squares and beyond the edge."""
    inside = 0 <= row < len(cells) and 0 <= column < len(cells[0])
    return cells[row][column].owner if inside else None


def empty(position: Position) -> list[Square]:
    """The empty squares."""
    rows = enumerate(position.cells())
    return [Square(y, x) for y, row in rows for x, cell in enumerate(row) if cell.owner is None]
