"""The tables of the adaptive benchmark, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from benchmarks.adaptive.careers import Career
from benchmarks.adaptive.measures import (
    FIRST,
    SETTLED,
    TARGETS,
    Strengths,
    games_until_met,
    longest_loss,
    mean_score,
)
from benchmarks.adaptive.people import Kind
from benchmarks.printing import table

Figures = Mapping[str, float]


def by_board(boards: Mapping[str, Figures]) -> str:
    """Every figure on every board; figures that miss their target are in bold."""
    rows = []
    for key, target in TARGETS.items():
        cells = []
        for found in boards.values():
            if found[key] != found[key]:
                cells.append("–")
                continue
            text = shown(found[key], is_share=target.is_share)
            cells.append(text if target.is_met(found[key]) else f"**{text}**")
        sign = "≥" if target.is_least else "≤"
        limit = f"{sign} {shown(target.limit, is_share=target.is_share)}"
        rows.append((target.name, limit, *cells))
    return table(("what", "target", *boards), rows)


def shown(value: float, *, is_share: bool) -> str:
    """A figure as it is printed."""
    if is_share:
        return f"{100 * value:.0f} %"
    return f"{value:.1f}" if value > 1 else f"{value:.3f}"


def by_kind(
    kinds: Sequence[Kind], strengths: Strengths, careers: Mapping[str, Sequence[Career]]
) -> str:
    """A row for each kind of player: its strength and its games."""
    head = ("kind", "Elo", "seat", "1–3", "1–10", "11–30", "three lost", "five lost", "met after")
    return table(head, (_line(kind, strengths, careers[kind.name]) for kind in kinds))


def _line(kind: Kind, strengths: Strengths, own: Sequence[Career]) -> tuple[str, ...]:
    before, after = (strengths[style] for style in kind.styles)
    elo = f"{before.elo:.0f}"
    if kind.styles[0] != kind.styles[1]:
        elo += f" → {after.elo:.0f}" if kind.improves else f" / {after.elo:.0f}"
    three = fmean(longest_loss(career[:3]) == 3 for career in own)
    five = fmean(longest_loss(career) >= 5 for career in own)
    return (
        kind.name if kind.is_human else f"*{kind.name}*",
        elo,
        f"{after.head_start:+.0f}",
        *(f"{mean_score(own, games):.2f}" for games in (slice(0, 3), FIRST, SETTLED)),
        *(f"{100 * share:.0f} %" for share in (three, five)),
        str(games_until_met(own)) if kind.improves and len(set(kind.styles)) > 1 else "",
    )
