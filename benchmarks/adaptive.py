"""Does `auto` give players even games? `python -m benchmarks.adaptive --out FOLDER`.

Simulated players who are no rungs play real games against every rung of 6x7 once; careers of thirty
games are then drawn from those games under the first seed's rule and under the bot's. FOLDER keeps
the games, so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from rich.console import Console
from rich.progress import track

from benchmarks.adaptive_careers import (
    Career,
    Fitting,
    FiveGames,
    Outcomes,
    draw_career,
    draw_together,
    live,
)
from benchmarks.adaptive_games import (
    GAME,
    Outcome,
    Wanted,
    by_pair,
    collect,
    plan,
    play,
    strength,
)
from benchmarks.adaptive_plot import plot
from benchmarks.adaptive_types import PlayerType, player_types, styles
from engine.ladder import ladder_of

SETTLED = slice(10, 30)
"""The games that are judged: 11 to 30."""
RULES = ("seed, all together", "seed, each alone", "auto, results only", "auto")


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one type under one rule."""

    player: PlayerType
    elo: float
    score: float
    """Mean points a game over games 11 to 30."""

    @property
    def distance(self) -> float:
        """How far that is from an even game."""
        return abs(self.score - 0.5)


def main() -> None:
    """Play, draw, print and plot."""
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    outcomes = _games(options)
    elos = [rung.elo for rung in ladder_of(GAME).rungs]
    strengths = {
        style: strength(
            [one for (s, _), ones in outcomes.items() if s == style for one in ones], elos
        )
        for style in styles()
    }
    players = player_types()
    careers = {rule: _careers(rule, players, outcomes, options) for rule in RULES}
    lines = {rule: _lines(players, strengths, careers[rule]) for rule in RULES}
    print(f"{len(players)} types, {sum(map(len, outcomes.values()))} real games\n")
    print(_summary(lines))
    print(_by_kind(lines))
    print(_improving(players, careers["auto"]))
    if options.real:
        print(_confirm(players, lines["auto"], options))
    plot(options.out / "adaptive.png", lines, elos)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptive", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where games and plot are kept")
    parser.add_argument("--games", type=int, default=16, help="of a style against a near rung")
    parser.add_argument("--probes", type=int, default=4, help="of a style against any rung")
    parser.add_argument("--careers", type=int, default=200, help="of each type under each rule")
    parser.add_argument("--real", type=int, default=0, help="whole careers with real games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def _games(options: argparse.Namespace) -> Outcomes:
    """Probe everybody against every rung, then play the games that are not decided beforehand."""
    file: Path = options.out / "games.jsonl"
    elos = [rung.elo for rung in ladder_of(GAME).rungs]
    known: dict[str, float] = {}
    found: list[Outcome] = []
    for _ in range(2):
        wanted = plan(options.seed, options.games, options.probes, known)
        done = collect(wanted, file, options.processes)
        found = list(track(done, "games", total=len(wanted), console=Console(stderr=True)))
        pairs = by_pair(found)
        for style in styles():
            own = [one for (name, _), ones in pairs.items() if name == style for one in ones]
            known[style] = strength(own, elos)
    return by_pair(found)


def _careers(
    rule: str, players: Sequence[PlayerType], outcomes: Outcomes, options: argparse.Namespace
) -> dict[str, list[Career]]:
    ladder, rng = ladder_of(GAME), Random(f"{options.seed} {rule}")
    found: dict[str, list[Career]] = {player.name: [] for player in players}
    for _ in track(range(options.careers), rule, console=Console(stderr=True)):
        if rule == "seed, all together":
            together = draw_together(players, ladder, outcomes, rng)
            for player, career in zip(players, together, strict=True):
                found[player.name].append(career)
            continue
        for player in players:
            opponents = (
                FiveGames(ladder)
                if rule.startswith("seed")
                else Fitting(ladder, judged=rule == "auto")
            )
            found[player.name].append(draw_career(player, opponents, outcomes, rng))
    return found


def _lines(
    players: Sequence[PlayerType],
    strengths: Mapping[str, float],
    careers: Mapping[str, list[Career]],
) -> list[Line]:
    return [
        Line(
            player,
            strengths[player.styles[0]],
            fmean(score for c in careers[player.name] for score in c.scores[SETTLED]),
        )
        for player in players
    ]


def _beyond(line: Line) -> bool:
    """Whether no rung can give this type an even game."""
    elos = [rung.elo for rung in ladder_of(GAME).rungs]
    return not elos[0] <= line.elo <= elos[-1]


def _summary(lines: Mapping[str, list[Line]]) -> str:
    rows = [
        "| rule | mean distance from 0.5 | within 0.40..0.60 | beyond the ladder |",
        "| --- | ---: | ---: | ---: |",
    ]
    for rule, found in lines.items():
        inside = [line for line in found if not _beyond(line)]
        near = sum(line.distance <= 0.1 for line in inside) / len(inside)
        mean = fmean(line.distance for line in found)
        rows.append(f"| {rule} | {mean:.3f} | {100 * near:.0f} % | {len(found) - len(inside)} |")
    return "\n".join(rows) + "\n"


def _by_kind(lines: Mapping[str, list[Line]]) -> str:
    kinds = dict.fromkeys(line.player.kind for line in lines["auto"])
    rows = [
        f"| kind | types | Elo | {' | '.join(RULES)} |",
        "| --- | ---: | ---: |" + " ---: |" * len(RULES),
    ]
    for kind in kinds:
        chosen = {
            r: [line for line in found if line.player.kind == kind] for r, found in lines.items()
        }
        elos = [line.elo for line in chosen["auto"]]
        means = " | ".join(f"{fmean(x.distance for x in chosen[rule]):.3f}" for rule in RULES)
        rows.append(f"| {kind} | {len(elos)} | {min(elos):.0f}..{max(elos):.0f} | {means} |")
    return "\n".join(rows) + "\n"


def _improving(players: Sequence[PlayerType], careers: Mapping[str, list[Career]]) -> str:
    """The mean score in each stretch of five games of those who improve at once after game 15."""
    rows = [
        "| who improves after game 15 | 11-15 | 16-20 | 21-25 | 26-30 |",
        "| --- |" + " ---: |" * 4,
    ]
    for player in players:
        if player.kind == "improves at once":
            means = [
                fmean(score for c in careers[player.name] for score in c.scores[at : at + 5])
                for at in (10, 15, 20, 25)
            ]
            rows.append(f"| {player.name} | {' | '.join(f'{mean:.2f}' for mean in means)} |")
    return "\n".join(rows) + "\n"


def _confirm(
    players: Sequence[PlayerType], drawn: Sequence[Line], options: argparse.Namespace
) -> str:
    """Whole careers with real games beside the drawn ones of the same types."""
    chosen = Random(options.seed).sample(range(len(players)), min(options.real, len(players)))
    ladder, scores = ladder_of(GAME), []
    for at in track(chosen, "real careers", console=Console(stderr=True)):
        player, count = players[at], iter(range(10_000, 20_000))

        def game(style: str, rung: int, count: Iterator[int] = count) -> Outcome:
            return play(Wanted(style, rung, next(count), options.seed))

        career = live(player, Fitting(ladder), game, Random(f"real {player.name}"))
        scores.append(fmean(career.scores[SETTLED]))
    mean = fmean(scores)
    expected = fmean(drawn[at].score for at in chosen)
    off = fmean(score - drawn[at].score for at, score in zip(chosen, scores, strict=True))
    return (
        f"{len(chosen)} whole careers with real games: mean score {mean:.3f} over games 11 to 30, "
        f"drawn careers of the same types {expected:.3f} (difference {off:+.3f}).\n"
    )


if __name__ == "__main__":
    main()
