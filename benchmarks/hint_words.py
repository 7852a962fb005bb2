"""Whether hints agree with themselves: `python -m benchmarks.hint_words [--positions N]`.

Asks for hints in random positions, half of them from careful play, and reads the sentences of their
three steps. What they say is checked by rules that share nothing with the engine's: all moves and
replies are tried (`tests.engine.threat_truth`). Hints that choose nothing are given at once and are
not counted. Prints a row for each game: the hints, those that contradict their own move, those with
a reason that is false, those whose first step leaves only the move, those whose second step says
only that no side has a threat, and those whose last step has a reason in words.

`--rows N` instead solves N quiet positions of each board, without a book, and prints how often the
side wins whom the rows of the waiting threats favour.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from benchmarks.hints import ENGLISH, GAMES, NAMES, random_session
from benchmarks.printing import head, row
from bot.features.hints.rules import HINT_SECONDS, Hint, HintLevel
from bot.features.hints.view import hint_text
from engine.core.game import Player, Square, replay, target
from engine.core.limits import Limit
from engine.core.registry import game_called, package_of
from engine.core.threat import ThreatKind
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver import Solver
from engine.study.hints import GiveHint
from tests.engine.threat_checks import TABLE_BITS, random_game
from tests.engine.threat_truth import Grid, _boom_turn, above, always_wins, can_finish, wins_by
from tests.engine.threat_truth import loses_at_once as loses

WIDE = {"left side": (0, 1 / 3), "middle": (1 / 4, 3 / 4), "right side": (2 / 3, 1)}
"""The part of the columns that people call so, by the middle of a column."""
HALVES = {"left half": (0, 1 / 2), "right half": (1 / 2, 1), "whole board": (0, 1)}
QUARTERS = {"top left", "top right", "bottom left", "bottom right"}
SOLVED_FROM = {"6x7": 14, "6x5": 8}
"""Boards with an even number of rows, and the discs from which their positions are solved."""
QUIET = (
    *(ThreatKind.GIVES, ThreatKind.SPENDS, ThreatKind.STACKED, ThreatKind.OPEN_THREE),
    *(ThreatKind.ODD, ThreatKind.EVEN),
)
"""The first of the threats of a quiet position, in which nothing more urgent is said."""
VALUES = re.compile(
    r"It looks best to me\.|You win from here\.|You win in \d moves\.|"
    r"It's a draw if both play well\.|It holds out longest.*|Every move loses.*"
)
"""What says only what a move is worth."""


@dataclass(frozen=True)
class Advice:
    """A hint with its sentences, and the board before and after its move."""

    position: Any
    move: Any
    steps: tuple[str, str, str]

    @property
    def player(self) -> Player:
        """Who asked."""
        return Player(self.position.to_move)

    @property
    def square(self) -> Square | None:
        """Where the move puts a stone."""
        return target(self.position, self.move)

    @property
    def before(self) -> Grid:
        """The board."""
        return Grid.of(self.position)

    @property
    def after(self) -> Grid:
        """The board with the move."""
        return Grid.of(self.position.play(self.move))

    @property
    def label(self) -> str:
        """The move as players write it."""
        return str(self.position.game.label(self.move))

    def columns(self, text: str) -> list[int]:
        """The columns that a text names, which are counted from 1."""
        return [int(one) - 1 for one in re.findall(r"\d", text)]

    def squares(self, text: str) -> list[Square]:
        """The squares that a text names by column and row from the bottom."""
        rows = len(self.before.cells)
        named = re.findall(r"column (\d), row (\d)", text)
        return [Square(rows - int(high), int(column) - 1) for column, high in named]

    def landing(self, column: int, grid: Grid) -> Square:
        """Where a stone lands."""
        return next(one for one in grid.playable() if one.column == column)


Rule = Callable[[Advice, str], bool]
"""Whether a sentence, from its matching part on, is true and agrees with the move."""


def _not_among(advice: Advice, said: str) -> bool:
    return advice.label not in re.findall(r"\d", said.split(":")[0])


def _zugzwang(advice: Advice, _said: str) -> bool:
    squares = [one for one in advice.after.empty() if advice.after.completes(one, advice.player)]
    return any(always_wins(advice.after, advice.player, one) for one in squares)


def _fork(advice: Advice, _said: str) -> bool:
    return advice.after.wins_after_every_reply(advice.player)


def _safe(advice: Advice, _said: str) -> bool:
    position = advice.position
    others = [move for move in position.legal_moves() if move != advice.move]
    if advice.position.game.key == "boom":
        return True  # checked by benchmarks.threats: it is about whole turns
    return not loses(position, advice.move) and all(loses(position, move) for move in others)


def _keeps_own(advice: Advice, said: str) -> bool:
    return advice.square is None or above(advice.square) not in advice.squares(said)


def _prevents(advice: Advice, _said: str) -> bool:
    other = advice.player.other
    return bool(advice.before.forks(other)) and not advice.after.forks(other)


def _forces(advice: Advice, said: str) -> bool:
    """The other has to block, as the sentence says, and two threats follow."""
    wins = advice.after.wins(advice.player)
    if len(wins) != 1 or advice.after.wins(advice.player.other):
        return False
    named = advice.columns(said)
    (block,) = wins
    blocked = advice.after.put(block, advice.player.other)
    forks = blocked.forks(advice.player)
    if "two threats" not in said or "more than once" in said or "in the end" in said:
        return True
    if not named or advice.position.game.row_names:
        return bool(forks)
    return block.column == named[0] and advice.landing(named[1], blocked) in forks


def _threats_at_once(advice: Advice, said: str) -> bool:
    wins = advice.after.wins(advice.player)
    if advice.position.game.row_names:
        return len(wins) >= 2 and all(_name(advice, one) in said for one in wins)
    return {one.column for one in wins} == set(advice.columns(said.split(":")[1]))


def _name(advice: Advice, square: Square) -> str:
    game = advice.position.game
    return str(game.column_names[square.column] + game.row_names[square.row])


def _waits(advice: Advice, said: str) -> bool:
    (square,) = advice.squares(said)
    grid = advice.after
    is_new = not advice.before.completes(square, advice.player)
    return is_new and grid.completes(square, advice.player) and square not in grid.playable()


def _prepares(advice: Advice, said: str) -> bool:
    (square,) = advice.squares(said)
    later = [advice.after.put(one, advice.player) for one in advice.after.playable()]
    return any(
        one.at(square) == 0
        and one.completes(square, advice.player)
        and square not in one.playable()
        for one in later
    )


def _denies(advice: Advice, said: str) -> bool:
    other = advice.player.other
    assert advice.square is not None
    grid = advice.before.put(advice.square, other)
    named = advice.squares(said) or [
        one for one in grid.empty() if advice.position.game.row_names and _name(advice, one) in said
    ]
    return bool(named) and all(
        grid.completes(one, other) and not advice.before.completes(one, other) for one in named
    )


def _builds(advice: Advice, said: str) -> bool:
    forks = advice.after.forks(advice.player)
    named = said.split("makes two threats")[0]
    if advice.position.game.row_names:
        return any(_name(advice, one) in named for one in forks)
    return any(one.column in advice.columns(named) for one in forks)


def _lines(advice: Advice, _said: str) -> bool:
    counts = {one: _open(advice.before, one, advice.player) for one in advice.before.playable()}
    assert advice.square is not None
    own = counts.pop(advice.square)
    return all(own > each for each in counts.values())


def _open(grid: Grid, square: Square, player: Player) -> int:
    """The fours through a square that have no stone of the other player."""
    found = 0
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for start in range(-3, 1):
            line = [
                grid.at(
                    Square(square.row + down * (start + n), square.column + right * (start + n))
                )
                for n in range(4)
            ]
            found += all(one is not None and one != player.other for one in line)
    return found


def _follow_up(advice: Advice, said: str) -> bool:
    (square,) = advice.squares(said)
    return always_wins(advice.after, advice.player, square)


def _stops(advice: Advice, _said: str) -> bool:
    return _can(advice.position, advice.player.other) and not _can(
        advice.position.play(advice.move), advice.player.other
    )


def _finishes(advice: Advice, _said: str) -> bool:
    after = advice.position.play(advice.move)
    return after.to_move == advice.player and any(
        wins_by(after, move, advice.player) for move in after.legal_moves()
    )


def _threatens(advice: Advice, _said: str) -> bool:
    return _can(advice.position.play(advice.move), advice.player)


def _can(position: Any, player: Player) -> bool:
    return can_finish(_boom_turn(position, player), player)


def _no_safe_move(advice: Advice, _said: str) -> bool:
    return advice.after.wins_after_every_reply(advice.player)


RULES: tuple[tuple[str, Rule], ...] = (
    (r"Your four lies just above .*", _not_among),
    (r"a disc in .* lets me", _not_among),
    (r"With the right move you can then answer", _zugzwang),
    (r"You can make two threats at once, and I can't", _fork),
    (r"Only one move keeps me from", _safe),
    (r"You have (a )?waiting threats? .*", _keeps_own),
    (r"I'm about to make two threats|I could make two threats", _prevents),
    (r"It keeps me from making two", _prevents),
    (r"First make me block.*|Make me block.*|I have to block in .*", _forces),
    (r"Look for a move that I have to answer", _forces),
    (r"(Two|Three) threats at once: .*", _threats_at_once),
    (r"That's a waiting threat: .*", _waits),
    (r"One more disc, and you have a waiting threat: .*", _prepares),
    (r"There I would get a threat: .*", _denies),
    (r"Unless I stop it, .*", _builds),
    (r"No other square has as many lines", _lines),
    (r"Answer on top of every disc, and in the end I have .*", _follow_up),
    (r"That stops my four", _stops),
    (r"Your next move then makes four", _finishes),
    (r"Then you threaten to make four", _threatens),
    (r"Now I have no safe column|wherever I play, you make four", _no_safe_move),
    (r"Every other move lets me make four|only move that stops my four", _safe),
)


def main() -> None:
    """Check and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hint_words", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=0, help="quiet positions to solve")
    options = parser.parse_args()
    if options.rows:
        print(head(("game", "positions", "favoured side wins", "draws", "loses")))
        for kind, least in SOLVED_FROM.items():
            print(rows_row(kind, least, options.rows, Random(options.seed)), flush=True)
        return
    print(f"{options.positions} hints a game")
    print(head(("game", "hints", "at once", *(name for name in COLUMNS))))
    wrong = list[str]()
    for kind in options.games:
        counts = Counter[str]()
        rng = Random(options.seed)
        while counts["hints"] < options.positions:
            counts += judged(kind, rng, wrong)
        share = [f"{counts[name]} ({counts[name] / counts['hints']:.0%})" for name in COLUMNS]
        print(row((kind, counts["hints"], counts["at once"], *share)), flush=True)
    print(*wrong[:20], sep="\n")


COLUMNS = ("contradicted", "false", "given away", "only quiet", "reason in words")


def judged(kind: str, rng: Random, wrong: list[str]) -> Counter[str]:
    """What is counted of a hint in one random position."""
    session = random_session(game_called(kind), rng)
    job = replace(session.job(GiveHint(), seed=1), limit=Limit(seconds=HINT_SECONDS))
    hint = Hint(session, job.run(), HintLevel.AREA)
    if hint.is_free:
        return Counter({"at once": 1})
    first, second, third = (
        hint_text(replace(hint, level=level), NAMES, ENGLISH) for level in HintLevel
    )
    advice = Advice(session.position, hint.result.move, (first, second, third))
    is_lost = hint.result.is_loss
    found = Counter({"hints": 1})
    for name, steps in (("contradicted", (first, second)), ("false", (third,))):
        bad = [said for step in steps for said in disagreeing(advice, step, is_lost=is_lost)]
        if bad:
            found[name] = 1
            made = "".join(one.move for one in session.moves)
            wrong.append(f"{name}: {kind} {made} {advice.steps}: {bad}")
    inside = named_region(advice)
    if advice.move not in inside:
        found["contradicted"] = 1
        wrong.append(f"elsewhere: {kind} {advice.steps}")
    found["given away"] = int(inside == [advice.move])
    found["only quiet"] = int(second == "Nobody has a threat yet.")
    rest = VALUES.sub("", re.sub(r"^Play .*?\. ?", "", third)).strip()
    found["reason in words"] = int(bool(rest))
    return found


def rows_row(kind: str, least: int, count: int, rng: Random) -> str:
    """How positions end in which the rows of waiting threats favour a side."""
    game, ends = game_called(kind), Counter[str]()
    assert isinstance(game, Connect4), "the solver is for Connect 4"
    package, solver = package_of(game), Solver(game, TABLE_BITS)
    while ends.total() < count:
        position: Any = replay(game, random_game(game, rng))
        first, *_ = package.threats_in(position)
        favoured = package.favoured_in(position)
        if position.ply < least or first.kind not in QUIET or favoured is None:
            continue
        score = solver.solve(position).score or 0
        ahead = position.to_move if score > 0 else position.to_move.other
        ends["draws" if score == 0 else "wins" if ahead is favoured else "loses"] += 1
    return row((kind, count, *(ends[name] for name in ("wins", "draws", "loses"))))


def disagreeing(advice: Advice, text: str, *, is_lost: bool) -> Iterator[str]:
    """The parts of a text that are false, or that the move disagrees with."""
    for pattern, rule in RULES:
        for match in re.finditer(pattern, text):
            if is_lost and rule in (_prevents, _safe):
                continue
            if not rule(advice, match.group()):
                yield match.group()


def named_region(advice: Advice) -> list[Any]:
    """The legal moves that the first step leaves: all of them if it names no part of the board."""
    position, text = advice.position, advice.steps[0]
    legal = list(position.legal_moves())
    name = next((one for one in (*WIDE, *HALVES, *QUARTERS) if f"the {one}" in text), None)
    if name is None:
        return legal
    height, width = len(advice.before.cells), len(advice.before.cells[0])
    places = {move: target(position, move) for move in legal}
    if name in QUARTERS:
        down, right = name.split()
        return [
            move
            for move, at in places.items()
            if at is not None
            and (at.row >= height / 2) is (down == "bottom")
            and (at.column >= width / 2) is (right == "right")
        ]
    if name == "whole board":
        return legal
    low, high = (WIDE | HALVES)[name]
    # A column belongs to a part if its middle does, or is nearest to it.
    least = 2 if name in WIDE and name != "middle" else 1
    inside = {c for c in range(width) if low <= (c + 0.5) / width <= high}
    if name == "left side":
        inside |= set(range(least))
    if name == "right side":
        inside |= set(range(width - least, width))
    return [move for move, at in places.items() if at is not None and at.column in inside]


if __name__ == "__main__":
    main()
