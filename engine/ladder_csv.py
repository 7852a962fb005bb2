"""The file of a ladder, written from the games that measured it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, stdev

from engine.ladder import MEDIUM, Ladder, Rung, Spread
from engine.quality import falling, quality
from engine.strength import Strength
from engine.tournament import Played, Standing

MEDIUM_ELO = 1200
"""The rating of `medium`, which holds every ladder's scale."""
COLUMNS = (
    "number,level,elo,error,depth,noise,overlook,surely,nodes,knows,"
    "loss_mean,loss_sd,trimmed_mean,trimmed_sd"
)
NOTHING_ELSE = "," * (COLUMNS.count(",") - 3)
"""The cells of an agent that is no rung, after its rating."""
LOSSES = "# What moves lose: "
"""Begins the line that says how the last cells were measured, where that was done by itself."""


def csv_lines(
    ladder: Ladder, table: Sequence[Standing], played: Sequence[Played], command: str
) -> Iterator[str]:
    """The ladder's file with the ratings of a table: rungs first, then the other agents.

    Ratings are told so that `medium` has 1200. Rungs that did not play keep what they had. Where
    chance put a rung below the one before, neighbours share their mean: see `falling`.
    """
    lines = {line.name: line for line in table}
    shift = _shift(ladder, table)
    ratings = [
        lines[rung.name].elo + shift if rung.name in lines else rung.elo for rung in ladder.rungs
    ]
    rising = [-rating for rating in falling([-rating for rating in ratings])]
    correction = MEDIUM_ELO - rising[ladder.named(MEDIUM).number - 1]
    yield f"# python -m engine {command}"
    yield f"# {len(played)} games; medium is {MEDIUM_ELO} by definition."
    yield COLUMNS
    for rung, elo in zip(ladder.rungs, rising, strict=True):
        line = lines.pop(rung.name, None)
        error = line.error if line else rung.error
        loss = spread_of(played, rung.name) or rung.loss
        trimmed = spread_of(played, rung.name, trimmed=True) or rung.trimmed
        known = (rung.number, rung.level, f"{elo + correction:.0f}", f"{error:.0f}")
        yield ",".join(map(str, (*known, _settings(rung), _cells(loss), _cells(trimmed))))
    for line in sorted(lines.values(), key=lambda line: line.elo):
        yield f",{line.name},{line.elo + shift + correction:.0f},{line.error:.0f}{NOTHING_ELSE}"


def lines_with_losses(
    lines: Sequence[str], ladder: Ladder, played: Sequence[Played], command: str
) -> Iterator[str]:
    """The ladder's file as it is, with what the rungs' moves lose by these games.

    For a new judge: ratings do not depend on it.
    """
    for line in lines:
        number, *_ = cells = line.split(",")
        if line == COLUMNS:
            yield f"{LOSSES}python -m engine {command}"
        if number.isdigit():
            name = ladder.rungs[int(number) - 1].name
            loss, trimmed = (spread_of(played, name, trimmed=trim) for trim in (False, True))
            if loss and trimmed:
                line = ",".join([*cells[:-4], _cells(loss), _cells(trimmed)])
        if not line.startswith(LOSSES):
            yield line


def _shift(ladder: Ladder, table: Sequence[Standing]) -> float:
    """What leads from a table's ratings to the ladder's scale.

    By `medium` where it played, else so that the rungs keep the mean that they had.
    """
    lines = {line.name: line for line in table}
    if MEDIUM in lines:
        return MEDIUM_ELO - lines[MEDIUM].elo
    known = [rung for rung in ladder.rungs if rung.name in lines]
    return fmean(rung.elo - lines[rung.name].elo for rung in known) if known else MEDIUM_ELO


def spread_of(played: Sequence[Played], name: str, *, trimmed: bool = False) -> Spread | None:
    """How the quality of an agent's moves is spread over its games; None for too few of them."""
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


def _cells(spread: Spread | None) -> str:
    return "," if spread is None else f"{spread.mean:.4f},{spread.deviation:.4f}"
