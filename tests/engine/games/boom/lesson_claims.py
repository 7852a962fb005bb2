"""The claims of BOOM's lessons, checked with the rules written down once more, and plainly.

Nothing here uses the engine's rules, lines, threats or reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.core.problem import Lesson, Problem

BOMBS = {"1": "A", "2": "B"}
"""The bomb of each player; other discs are `1` and `2`."""
EXPLODE = "B"


@dataclass(frozen=True)
class Table:
    """The columns from the left, each from the bottom up, and the number of movements made."""

    columns: tuple[str, ...] = ("",) * 7
    made: int = 0

    @property
    def player(self) -> str:
        """Who makes the next movement: after the first one each player makes two."""
        return "12"[(self.made + 1) // 2 % 2]

    @property
    def other(self) -> str:
        """The other player."""
        return "21"[int(self.player) - 1]

    def moves(self) -> list[str]:
        """The movements that are possible."""
        free = [str(at + 1) for at, discs in enumerate(self.columns) if len(discs) < 7]
        return free + [EXPLODE] * self.has_bomb()

    def has_bomb(self) -> bool:
        """Whether the player has a bomb on the board."""
        return any(BOMBS[self.player] in discs for discs in self.columns)

    def play(self, move: str) -> Table:
        """The board after a movement."""
        columns = self.exploded() if move == EXPLODE else list(self.columns)
        if move != EXPLODE:
            columns[int(move) - 1] += BOMBS[self.player] if self.puts_bomb() else self.player
        return Table(tuple(columns), self.made + 1)

    def puts_bomb(self) -> bool:
        """Whether a disc is a bomb now: in each fourth turn, if the player has none."""
        of_bombs = {"1": (12, 13), "2": (14, 15)}[self.player]
        return (self.made + 1) % 16 in of_bombs and not self.has_bomb()

    def exploded(self) -> list[str]:
        """The columns without the player's bomb and the other's discs in its row."""
        bomb = BOMBS[self.player]
        row = next(discs.index(bomb) for discs in self.columns if bomb in discs)
        gone = (bomb, self.other, BOMBS[self.other])
        return [d[:row] + d[row + 1 :] if d[row : row + 1] in gone else d for d in self.columns]

    def fours(self, player: str) -> list[set[tuple[int, int]]]:
        """The lines of four that a player has, as columns and heights."""
        held = {
            (column, height)
            for column, discs in enumerate(self.columns)
            for height, disc in enumerate(discs)
            if disc in (player, BOMBS[player])
        }
        lines = (
            {(column + right * at, height + up * at) for at in range(4)}
            for column in range(7)
            for height in range(7)
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        )
        return [line for line in lines if line <= held]

    def winner_after(self, move: str) -> str | None:
        """Who wins by a line with a movement; if both have one, the player who makes it."""
        after = self.play(move)
        players = (self.player, self.other)
        return next((one for one in players if after.fours(one)), None)


def table(problem_moves: str) -> Table:
    """The board after some movements, none of which ends the game."""
    at = Table()
    for move in problem_moves:
        assert move in at.moves()
        assert at.winner_after(move) is None
        at = at.play(move)
    return at


def labels(problem: Problem, moves: Sequence[int]) -> str:
    """Movements as they are written."""
    return "".join(problem.game.label(move) for move in moves)  # type: ignore[arg-type]


def wins(at: Table, player: str) -> Iterator[str]:
    """Each sequence of movements with which a player completes a line in the rest of their turn."""
    for move in at.moves():
        winner, after = at.winner_after(move), at.play(move)
        if winner == player:
            yield move
        elif winner is None and after.player == player:
            yield from (move + last for last in after.moves() if after.winner_after(last) == player)


def stops(at: Table) -> set[str]:
    """The last movements of a turn after which the other cannot complete a line in theirs."""
    found = set()
    for move in at.moves():
        after = at.play(move)
        assert after.player == at.other, "one movement of the turn is left"
        if at.winner_after(move) is None and not any(wins(after, at.other)):
            found.add(move)
    return found


def asked(problem: Problem) -> Table:
    """The board of a problem."""
    return table(labels(problem, problem.moves))


def completes(problem: Problem) -> set[str]:
    """Check that the answers are exactly those that complete a line this turn; return the ways."""
    at = asked(problem)
    player, ways = at.player, set(wins(at, at.player))
    for number, step in enumerate(problem.steps, 1):
        left = set(wins(at, player))
        assert {way[0] for way in left} == set(labels(problem, step.answers))
        if number < len(problem.steps):
            assert all(len(way) == 2 for way in left)
            at = at.play(labels(problem, step.answers))
    assert "" not in ways
    return ways


def turn(problem: Problem) -> None:
    """Discs alone complete a line this turn, in one order."""
    assert all(EXPLODE not in way for way in completes(problem))


def bomb(problem: Problem) -> None:
    """Every way to complete a line this turn needs the bomb."""
    assert all(EXPLODE in way for way in completes(problem))


def prevents(problem: Problem) -> Table:
    """Check that the answers are exactly those that stop the other's line."""
    at = asked(problem)
    (step,) = problem.steps
    begun = table(labels(problem, problem.moves[:-1]))
    assert begun.player == at.player
    assert not any(wins(begun, begun.player)), "no four was missed earlier in the turn"
    assert stops(at) == set(labels(problem, step.answers)) < set(at.moves())
    return at


def stop(problem: Problem) -> None:
    """The other needs both of their movements, and discs alone stop them."""
    at = prevents(problem)
    assert EXPLODE not in at.moves()
    for move in set(at.moves()) - stops(at):
        assert all(len(way) == 2 for way in wins(at.play(move), at.other))


def defuse(problem: Problem) -> None:
    """Only the explosion stops the other's line."""
    assert stops(prevents(problem)) == {EXPLODE}


def backfire(problem: Problem) -> None:
    """The explosion completes a line of the other's."""
    at = prevents(problem)
    assert at.winner_after(EXPLODE) == at.other


CLAIMS: dict[str, Callable[[Problem], None]] = {
    "turn": turn, "stop": stop, "bomb": bomb, "defuse": defuse, "backfire": backfire,
}  # fmt: skip
"""The claim that holds for every problem of a lesson."""


def shown(lesson: Lesson) -> set[tuple[int, int]]:
    """The squares that a lesson's text is about, as columns and rows from 1.

    Also checks what the text says about the picture.
    """
    written = "".join(map(lesson.shown.game.label, lesson.shown.moves))
    if lesson.key == "turn":
        at = table(written[:-2])
        first, last = written[-2:]
        assert at.winner_after(first) is None
        assert at.play(first).player == at.player
        assert at.play(first).winner_after(last) == at.player
        return set()
    at = table(written)
    if lesson.key == "bomb":
        assert set(wins(at, at.player)) == {EXPLODE}
    if lesson.key == "defuse":
        assert stops(at) == {EXPLODE}
    if lesson.key == "backfire":
        assert at.winner_after(EXPLODE) == at.other
    if lesson.key != "stop":
        return set()
    (way,) = {"".join(sorted(way)) for way in wins(Table(at.columns, at.made + 1), at.other)}
    return {(int(move), len(at.columns[int(move) - 1]) + 1) for move in way}


MISSED: dict[str, Callable[..., bool]] = {}
"""Lessons of BOOM need no sentences about wrong moves: reasons about turns explain all."""
