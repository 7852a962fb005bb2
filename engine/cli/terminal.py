"""A game against an agent in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from engine.cli.common import interruptible
from engine.core.agent import Agent
from engine.core.game import (
    Cell,
    Drawing,
    Game,
    IllegalMove,
    Move,
    NotAMove,
    Player,
    Position,
    Square,
)
from engine.core.registry import package_of
from engine.strength.roster import LEVELS

ADVISER = LEVELS["expert"]
"""The agent that gives hints: the strongest that always answers at once."""

COLOURS = {Player.FIRST: "1;31", Player.SECOND: "1;33"}
"""The terminal's codes: red and yellow."""

DISC, BOMB, MARKS = "●", "◆", {Player.FIRST: "X", Player.SECOND: "O"}
"""The signs in colour. Without, the signs are those of `Cell`."""

WORDS = "hint, undo, help, quit"


@dataclass(slots=True)
class _Match:
    """A game that is being played, and the positions to which it can go back."""

    position: Position
    person: Player
    has_colours: bool
    mover: Player | None = None
    """Who made the latest move."""
    latest: frozenset[Square] = frozenset()
    """The squares of the latest turn."""
    earlier: list[tuple[Position, frozenset[Square]]] = field(default_factory=list)
    """The positions in which the person was to move, with the squares of the turn before."""

    @property
    def game(self) -> Game:
        return self.position.game

    def play(self, text: str) -> None:
        """Make the person's move; raises NotAMove and IllegalMove."""
        move = self.game.parse(text)
        before = (self.position, self.latest)
        self._make(move)
        self.earlier.append(before)

    def answer(self, agent: Agent, rng: Random) -> str:
        """Make the agent's move and return it in words."""
        result = agent.choose(self.position, rng=rng)
        self._make(result.move)
        return f"{agent.name} plays {self.game.label(result.move)}."

    def _make(self, move: Move) -> None:
        changes, mover = self.position.changes(move), self.position.to_move
        after = self.position.play(move)
        if changes.removed or self.mover is not mover:
            self.latest = frozenset()
        self.latest |= {square for square, _ in changes.placed}
        self.position, self.mover = after, mover

    def undo(self) -> str:
        """Go back to the person's previous move; returns what happened in words."""
        if not self.earlier:
            return "There is no move of yours to take back."
        self.position, self.latest = self.earlier.pop()
        self.mover = self.person.other
        return "Your last move is taken back."

    def hint(self, rng: Random) -> str:
        """Return a good move in words."""
        result = ADVISER.choose(self.position, rng=rng)
        end = " It wins." if result.is_win else " Every move loses." if result.is_loss else ""
        return f"Hint: {self.game.label(result.move)}.{end}"

    def help(self) -> str:
        """Return the rules and what can be typed."""
        rules = package_of(self.position).in_words.get("rules", "")
        moves = ", ".join(self.game.label(move) for row in self.game.buttons() for move in row)
        return f"{rules}\nMoves: {moves}. Or type: {WORDS}.".lstrip()

    def remarks(self) -> str:
        """Return what the board does not show."""
        words = package_of(self.position).in_words
        said = (
            words[remark.key].format_map(dict(remark.numbers))
            for remark in self.position.remarks()
            if remark.key in words
        )
        return " ".join(said)

    def board(self) -> str:
        """Return the board with coordinates; the latest turn or the winning line is in brackets."""
        cells, columns = self.position.cells(), self.game.column_names
        rows = self.game.row_names or [str(len(cells) - row) for row in range(len(cells))]
        width = max(map(len, rows))
        margin = " " * (width + 1)
        heads = margin + "".join(f"{name:^3}" for name in columns)
        lines = [heads.rstrip()]
        marked = self._marked()
        for row, (name, line) in enumerate(zip(rows, cells, strict=True)):
            drawn = (
                self._cell(cell, Square(row, column) in marked) for column, cell in enumerate(line)
            )
            lines.append(f"{name:>{width}} {''.join(drawn)}".rstrip())
        return "\n".join(lines)

    def _marked(self) -> frozenset[Square]:
        if self.position.outcome is not None and self.position.outcome.squares:
            return self.position.outcome.squares
        return self.latest

    def _cell(self, cell: Cell, is_marked: bool) -> str:
        sign = self.sign(cell)
        return f"[{sign}]" if is_marked else f" {sign} "

    def sign(self, cell: Cell) -> str:
        """Return the sign of a square's content."""
        owner = cell.owner
        if owner is None or not self.has_colours:
            return cell.value
        is_disc = package_of(self.position).drawing is Drawing.DISCS
        sign = (BOMB if cell.is_bomb else DISC) if is_disc else MARKS[owner]
        return f"\x1b[{COLOURS[owner]}m{sign}\x1b[0m"


def play_in_terminal(
    game: Game, agent: Agent, *, engine_first: bool, has_colours: bool | None = None
) -> None:
    """Play until the game is over, the input ends, or the person quits.

    Colours are used where the output is a terminal that has them, unless `has_colours` says so.
    """
    person = Player.SECOND if engine_first else Player.FIRST
    colours = can_colour() if has_colours is None else has_colours
    match, rng = _Match(game.start(), person, colours), Random()
    sign = match.sign(Cell(str(int(person))))
    first = game.label(match.position.legal_moves()[0])
    print(f"You are {sign} against {agent.name}. Type a move such as {first}, or: {WORDS}.")
    print(match.help().splitlines()[0])
    while match.position.outcome is None:
        if match.position.to_move is not person:
            print(match.answer(agent, rng))
            continue
        print(f"\n{match.board()}")
        if remarks := match.remarks():
            print(remarks)
        if not _ask(match, rng):
            return
    print(f"\n{match.board()}")
    if remarks := match.remarks():
        print(remarks)
    winner = match.position.outcome.winner
    print("A draw." if winner is None else "You win." if winner is person else "You lose.")


def _ask(match: _Match, rng: Random) -> bool:
    """Ask until the position has changed; returns False if the person quits."""
    while True:
        text = _typed()
        if text is None or text in ("q", "quit", "exit"):
            return False
        if text == "undo":
            print(match.undo())
            return True
        if text == "hint":
            print(match.hint(rng))
        elif text in ("help", "?"):
            print(match.help())
        elif text:
            try:
                match.play(text)
            except (NotAMove, IllegalMove) as error:
                print(_in_words(error, match))
            else:
                return True


def _typed() -> str | None:
    """Return the next line; None at the end of the input."""
    try:
        with interruptible():
            return input("> ").strip().lower()
    except EOFError:
        print()
        return None


def _in_words(error: NotAMove | IllegalMove, match: _Match) -> str:
    """Return why a move cannot be made, and what can be typed instead."""
    legal: Sequence[str] = [match.game.label(move) for move in match.position.legal_moves()]
    if isinstance(error, NotAMove):
        return f"I don't understand {error.text!r}. Type a move ({', '.join(legal)}), or: {WORDS}."
    return f"You cannot play {error.label}: {error.words}. You can play {', '.join(legal)}."


def can_colour() -> bool:
    """Whether the output is a terminal with colours; NO_COLOR in the environment turns them off."""
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return sys.stdout.isatty() and not is_plain and encoding == "utf8"
