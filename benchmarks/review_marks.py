"""Whether reviews mark what people miss, and say only what is true.

`python -m benchmarks.review_marks [--games N]` lets four kinds of players, which are no rungs, play
against each other and reviews their games. Plain rules (`benchmarks.review_truth`) find the fours
that were missed or allowed, and check the reasons against all moves, and those against or in favour
of every try in an exercise. Then neighbouring rungs play, and the ratings that a review reads from
one game's moves are compared with theirs.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from random import Random
from statistics import correlation, fmean
from time import process_time

from benchmarks.printing import row
from benchmarks.review_truth import (
    Board,
    Case,
    Place,
    Turn,
    fault_of_turn,
    four_missed_or_allowed,
    holds,
    holds_of_turn,
    lines,
    place_of,
)
from bot.ratings.rated import evidence_of
from engine.core.game import Game, Move, Player, Position, replay
from engine.core.reason import OF_TURNS, Reason, ReasonKind
from engine.core.registry import game_called
from engine.games.boom.rules import BOOM, BoomPosition
from engine.strength.judging import JudgedMove, judge
from engine.strength.ladder import ladder_of, size_class
from engine.study.exercises import Exercise, exercises
from engine.study.move_class import Fault, class_of
from engine.study.reach import Reach, changed
from engine.study.reasons import fault_after, merit_of
from engine.study.review import SOUND, Review, review

BOARDS = {"6x7": 1.0, "5x4": 0.3, "gato": 0.3, "boom": 0.15}
"""The boards, with their numbers of games as shares of `--games`."""


@dataclass(frozen=True)
class Kind:
    """A kind of player, who looks at the board by plain rules. Chances are per turn."""

    name: str
    wins: float
    """The chance to notice an own four."""
    blocks: float
    """The chance to notice a four of the other side."""
    steps: float
    """The chance to notice that a move lets the other complete a four on top."""
    builds: float
    """How much own lines are liked, beside the middle."""
    hinders: float
    """The same for the other side's lines."""

    def choose(self, position: Position, rng: Random) -> Move:
        """Choose a move."""
        board, player = Board.of(position), position.to_move
        moves = {place_of(position, move): move for move in position.legal_moves() if move != BOOM}
        wins, dangers = board.now(player), board.now(player.other)
        if wins and rng.random() < self.wins:
            return moves[min(wins)]
        if dangers and rng.random() < self.blocks:
            return moves[min(dangers)]
        if len(moves) < len(position.legal_moves()) and rng.random() < 0.3:
            return BOOM
        careful = rng.random() < self.steps
        kept = [place for place in moves if not careful or place in board.safe(player)]
        return moves[max(kept or moves, key=lambda place: self._liked(board, player, place, rng))]

    def _liked(self, board: Board, player: Player, place: Place, rng: Random) -> float:
        value: float = rng.gauss(0, 1) - 0.4 * abs(place[0] - (board.columns - 1) / 2)
        for line in lines(board.columns, board.rows):
            if place in line:
                held = Counter(board.owners.get(one) for one in line)
                value += self.builds * held[player] * (not held[player.other])
                value += self.hinders * held[player.other] * (not held[player])
        return value


KINDS = (
    Kind("beginner", wins=0.75, blocks=0.5, steps=0.0, builds=0.3, hinders=0.0),
    Kind("builder", wins=0.95, blocks=0.75, steps=0.3, builds=0.8, hinders=0.1),
    Kind("guard", wins=0.85, blocks=0.97, steps=0.7, builds=0.1, hinders=0.8),
    Kind("hasty", wins=0.9, blocks=0.85, steps=0.9, builds=0.4, hinders=0.4),
)


def played(game: Game, kinds: tuple[Kind, ...], rng: Random) -> Turn:
    """The moves of a game between two kinds of players."""
    position, made = game.start(), list[Move]()
    while position.outcome is None:
        made.append(kinds[position.to_move - 1].choose(position, rng))
        position = position.play(made[-1])
    return tuple(made)


@dataclass
class Tally:
    """What was found on one board."""

    games: int = 0
    moves: int = 0
    fours: Counter[ReasonKind] = field(default_factory=Counter)
    unmarked: int = 0
    said: Counter[ReasonKind] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    unchecked: int = 0
    before: Counter[str] = field(default_factory=Counter)
    after: Counter[str] = field(default_factory=Counter)
    none_left: int = 0
    sound: list[float] = field(default_factory=list)

    def judge(self, holds: bool | None, reason: Reason, where: str) -> None:
        """Count a reason that was said, and whether it holds; None if that is not known."""
        self.said[reason.kind] += 1
        self.unchecked += holds is None
        if holds is False:
            self.false.append(f"{where}: {reason}")


def main() -> None:
    """Play, review, check and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review_marks", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games on 6x7")
    parser.add_argument("--rung-games", type=int, default=4, help="of each two neighbours")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began, tallies = process_time(), dict[str, Tally]()
    for board, share in BOARDS.items():
        tallies[board] = of_board(board, max(round(options.games * share), 1), options.seed)
    report(tallies)
    print(row(("board", "rungs' games", "sides", "correlation", "mean error", "mean distance")))
    for board in BOARDS:
        print(row((board, *played_like(board, options.rung_games, options.seed))))
    print(f"{process_time() - began:.0f} s of CPU")


def of_board(board: str, count: int, seed: int) -> Tally:
    """What is found in games on a board, every pair of kinds in turn."""
    game, tally = game_called(board), Tally()
    pairs = list(product(KINDS, repeat=2))
    for number in range(count):
        moves = played(game, pairs[number % len(pairs)], Random(f"{board} {seed} {number}"))
        found = review(game, moves)
        tally.games += 1
        tally.moves += len(moves)
        positions = [replay(game, moves[:ply]) for ply in range(len(moves))]
        check_marks(tally, found, positions)
        check_exercises(tally, found, positions)
        tally.sound += sound_sides(found)
    return tally


def check_marks(tally: Tally, found: Review, positions: Sequence[Position]) -> None:
    """Check the marks and the reasons against the moves of a game."""
    begun = 0
    for one, position in zip(found.moves, positions, strict=True):
        where = " ".join(position.game.label(made.move) for made in found.moves[: one.ply + 1])
        if not isinstance(position, BoomPosition):
            case = Case.of(position, one.move)
            kind = four_missed_or_allowed(case)
            tally.fours.update([kind] if kind else [])
            tally.unmarked += kind is not None and not is_marked(one, kind)
            if one.fault is not None:
                tally.judge(holds(case, one.fault), one.fault, where)
            continue
        following = found.moves[one.ply + 1 :]
        if following and following[0].player is one.player:
            continue
        turn = found.moves[begun : one.ply + 1]
        start, made = positions[begun], tuple(each.move for each in turn)
        begun = one.ply + 1
        kind = fault_of_turn(start, made)
        tally.fours.update([kind] if kind else [])
        tally.unmarked += kind is not None and not any(is_marked(each, kind) for each in turn)
        for at, each in enumerate(turn):
            if each.fault is not None and each.fault.kind in OF_TURNS:
                right = holds_of_turn(start, made, at, each.fault, kind)
                tally.judge(right, each.fault, where)


def is_marked(one: JudgedMove, kind: ReasonKind) -> bool:
    """Whether a move has "??", or "?" if it missed a four and still wins."""
    if class_of(one).mark == "?" and kind in (ReasonKind.MISSED_FOUR, ReasonKind.MISSED_TURN):
        return one.value is not None and one.value.winner is one.player
    return class_of(one).mark == "??"


def check_exercises(tally: Tally, found: Review, positions: Sequence[Position]) -> None:
    """Count exercises by distance, and check what is said about every try."""
    game = positions[0].game
    people = ladder_of(game).people
    reach = Reach(size_class(game), 1000.0 if people is None else people.mean)
    for player in Player:
        every, within = exercises(found, player), exercises(found, player, reach=reach)
        tally.before.update(map(far, every))
        tally.after.update(map(far, within))
        tally.none_left += bool(every) and not within
        for one in within:
            for move in positions[one.played.ply].legal_moves():
                check_try(tally, one, move, positions[one.played.ply])


def check_try(tally: Tally, one: Exercise, move: Move, position: Position) -> None:
    """Check the reason that is said about a try."""
    analysis = one.played.analysis
    values = analysis.scores if analysis.proven else None
    if move in one.solutions:
        reason = merit_of(position, move, values, is_lost=values is not None and analysis.top < 0)
    else:
        reason = fault_after(position.game, one.moves, move, values)
    if reason is not None and reason.kind not in OF_TURNS:
        where = " ".join(map(position.game.label, (*one.moves, move)))
        tally.judge(holds(Case.of(position, move), reason), reason, where)


def far(one: Exercise) -> str:
    """How far away the result is that an exercise asks for."""
    if Fault.of(one.played) is not None:
        return "a four or two threats"
    distance = changed(one.played)[1]
    return "to 3" if distance <= 3 else "4 to 7" if distance <= 7 else "8 or more"


def sound_sides(found: Review) -> Iterator[float]:
    """The accuracies of sides without "?" or "??" that never changed the result."""
    for player in Player:
        own = [one for one in found.moves if one.player is player]
        calm = all(one.is_proven and one.before == one.after for one in own)
        if calm and not any(class_of(one).is_serious for one in own):
            accuracy = found.accuracy(player)
            if accuracy is not None:
                yield accuracy


def report(tallies: dict[str, Tally]) -> None:
    """Print the figures of all boards."""
    print(row(("board", "games", "moves", "fours missed or allowed", "unmarked", "reasons",
               "unchecked", "false", "sound sides", "least accuracy")))  # fmt: skip
    for board, one in tallies.items():
        least = f"{min(one.sound):.0f}" if one.sound else "–"
        print(row((board, one.games, one.moves, one.fours.total(), one.unmarked, one.said.total(),
                   one.unchecked, len(one.false), len(one.sound), least)))  # fmt: skip
    for board, one in tallies.items():
        low = sum(accuracy < SOUND for accuracy in one.sound)
        print(f"{board}: {low} sound sides below {SOUND:.0f}; fours {counts(one.fours)}")
        print(f"  exercises before: {counts(one.before)}")
        print(f"  exercises within reach: {counts(one.after)}; none left: {one.none_left} sides")
        print(f"  reasons: {counts(one.said)}")
        for line in one.false[:5]:
            print(f"  FALSE {line}")


def played_like(board: str, each: int, seed: int) -> tuple[int, int, str, str, str]:
    """How well one game's moves tell the rating of a rung; every game is against a neighbour."""
    game, rng = game_called(board), Random(f"{board} {seed}")
    rungs = ladder_of(game).rungs
    known, seen = list[float](), list[float]()
    for pair in pairwise(rungs):
        for number in range(each):
            seats = pair if number % 2 else pair[::-1]
            position, moves = game.start(), list[Move]()
            while position.outcome is None:
                moves.append(seats[position.to_move - 1].agent.choose(position, rng=rng).move)
                position = position.play(moves[-1])
            winner = position.outcome.winner
            found = evidence_of(game, judge(game, moves), tuple(Player), winner)
            for player, evidence in found.items():
                known.append(seats[player - 1].elo)
                seen.append(evidence.elo)
    errors = [b - a for a, b in zip(known, seen, strict=True)]
    return (
        each * (len(rungs) - 1),
        len(known),
        f"{correlation(known, seen):.2f}",
        f"{fmean(errors):+.0f}",
        f"{fmean(map(abs, errors)):.0f}",
    )


def counts(found: Counter[ReasonKind] | Counter[str]) -> str:
    """Numbers by name, in words."""
    return ", ".join(f"{name} {count}" for name, count in sorted(found.items()))


if __name__ == "__main__":
    main()
