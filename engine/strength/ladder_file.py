"""The file of a ladder, written from the games that measured it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from statistics import fmean, stdev

from engine.strength.agent import Strength
from engine.strength.judging import quality
from engine.strength.ladder import (
    HEAD_START,
    MEDIUM,
    MEDIUM_ELO,
    PEOPLE_START,
    Ladder,
    Rung,
    Spread,
    non_increasing,
    rung_name,
)
from engine.strength.tournament import Played, Standing

COLUMNS = (
    "number,level,elo,error,depth,noise,overlook,surely,nodes,knows,"
    "loss_mean,loss_sd,trimmed_mean,trimmed_sd,blind,timid,fitted"
)

LOSS_CELLS = slice(10, 14)
"""The cells of a line with the losses of moves."""

NOTHING_ELSE = "," * (COLUMNS.count(",") - 3)
"""The empty cells after the rating of an agent that is not a rung."""

LOSSES = "# What moves lose: "
"""The beginning of the line with the command that measured the losses, if that was done
separately."""


def csv_lines(
    ladder: Ladder,
    table: Sequence[Standing],
    played: Sequence[Played],
    command: str,
    anchor: str = MEDIUM,
) -> Iterator[str]:
    """The lines of the ladder's file with the ratings of a table: rungs, then other agents.

    Ratings are shifted so that `medium` has 1200, and if it did not play, so that `anchor` keeps
    its rating. Rungs that did not play keep theirs; those above all that played keep their distance
    to the best of these. If measurement errors rated a rung below the one before it, neighbours
    share their mean: see `non_increasing`.
    """
    lines = {line.name: line for line in table}
    shift = _shift(ladder, table, anchor)
    ratings = [
        lines[rung.name].elo + shift if rung.name in lines else rung.elo for rung in ladder.rungs
    ]
    playing = [index for index, rung in enumerate(ladder.rungs) if rung.name in lines]
    if playing:
        best = playing[-1]
        moved = ratings[best] - ladder.rungs[best].elo
        ratings[best + 1 :] = [elo + moved for elo in ratings[best + 1 :]]
    rising = [-rating for rating in non_increasing([-rating for rating in ratings])]
    correction = MEDIUM_ELO - rising[ladder.rungs.index(ladder.named(MEDIUM))]
    yield f"# {command}"
    yield f"# {len(played)} games; medium is {MEDIUM_ELO} by definition."
    if any(ladder.head_start):
        at_medium, growth = ladder.head_start
        yield f"{HEAD_START}{at_medium:.1f} {growth:.4f}"
    if ladder.people_start is not None:
        yield f"{PEOPLE_START}{ladder.people_start:.1f}"
    yield COLUMNS
    for rung, elo in zip(ladder.rungs, rising, strict=True):
        line = lines.pop(rung.name, None)
        error, loss, trimmed = rung.error, rung.loss, rung.trimmed
        if anchor == MEDIUM or rung.name != anchor:
            loss = spread_of(played, rung.name) or loss
            trimmed = spread_of(played, rung.name, trimmed=True) or trimmed
            if line is not None:
                before = 0.0 if anchor == MEDIUM else ladder.named(anchor).error
                error = hypot(before, line.error)
        known = (rung.number, rung.level, f"{elo + correction:.0f}", f"{error:.0f}")
        measured = (_cells(loss), _cells(trimmed))
        yield ",".join(map(str, (*known, _settings(rung), *measured, *_chances(rung))))
    for line in sorted(lines.values(), key=lambda line: line.elo):
        yield f",{line.name},{line.elo + shift + correction:.0f},{line.error:.0f}{NOTHING_ELSE}"


def lines_with_losses(
    lines: Sequence[str], ladder: Ladder, played: Sequence[Played], command: str
) -> Iterator[str]:
    """The lines of the ladder's file with its ratings unchanged, and the losses of these games.

    Used when judging changes, which does not affect ratings.
    """
    for line in lines:
        number, *_ = cells = line.split(",")
        if number == "number":
            yield f"{LOSSES}python -m engine {command}"
        if number.lstrip("-").isdigit():
            name = ladder.named(rung_name(int(number))).name
            loss, trimmed = (spread_of(played, name, trimmed=trim) for trim in (False, True))
            if loss and trimmed:
                cells[LOSS_CELLS] = [_cells(loss), _cells(trimmed)]
                line = ",".join(cells)
        if not line.startswith(LOSSES):
            yield line


def _shift(ladder: Ladder, table: Sequence[Standing], anchor: str) -> float:
    """The amount to add to a table's ratings to put them on the ladder's scale.

    `anchor` keeps its rating if it played; otherwise the rungs keep their former mean.
    """
    lines = {line.name: line for line in table}
    if anchor in lines:
        return ladder.named(anchor).elo - lines[anchor].elo
    known = [rung for rung in ladder.rungs if rung.name in lines]
    return fmean(rung.elo - lines[rung.name].elo for rung in known) if known else MEDIUM_ELO


def spread_of(played: Sequence[Played], name: str, *, trimmed: bool = False) -> Spread | None:
    """The quality of an agent's moves over its games; None for too few games."""
    found = []
    for game in played:
        for side, player in enumerate((game.pairing.first, game.pairing.second)):
            value = quality(game.losses[side], trimmed=trimmed) if player == name else None
            if value is not None:
                found.append(value)
    return Spread(fmean(found), stdev(found)) if len(found) > 1 else None


def _settings(rung: Rung) -> str:
    agent = rung.agent
    if not isinstance(agent, Strength):
        return ",,,,,"
    nodes = "" if agent.nodes is None else agent.nodes
    knows = f"{agent.knows:g}" if agent.knows else ""
    return f"{agent.depth},{agent.noise},{agent.overlook:g},{agent.surely},{nodes},{knows}"


def _chances(rung: Rung) -> Iterator[str]:
    """Yield the cells of `blind`, `timid` and `fitted`, which are empty for 0."""
    agent = rung.agent
    chances = (
        (agent.blind, agent.timid, agent.fitted) if isinstance(agent, Strength) else (0.0, 0.0, 0.0)
    )
    for chance in chances:
        yield f"{chance:g}" if chance else ""


def _cells(spread: Spread | None) -> str:
    return "," if spread is None else f"{spread.mean:.4f},{spread.deviation:.4f}"
