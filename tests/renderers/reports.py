"""Reports of any number of games, the same each time for the same number."""

from __future__ import annotations

from random import Random

from renderers import (
    BarsScene,
    LinesScene,
    Points,
    ReportScene,
    Result,
    ScatterScene,
    Series,
    Table,
)

LEVELS = ("easy", "medium", "hard", "expert", "perfect")
HEADERS = ("Level", "Games", "Game time", "Nodes", "Engine time", "People", "Engine", "Hints")
RESULTS = {Result.WON: "won", Result.DRAWN: "drawn", Result.LOST: "lost"}


def report(games: int, note: str = "") -> ReportScene:
    """Make a report of invented games."""
    rng = Random(games)
    ends = [(rng.choice(list(Result)), rng.randrange(5), rng.randint(7, 42)) for _ in range(games)]

    def lined(result: Result) -> Points:
        shares = ((n, rng.uniform(0, 100)) for n, end in enumerate(ends, 1) if end[0] is result)
        return Points(RESULTS[result], result, tuple(shares))

    def cloud(result: Result) -> Points:
        places = ((level, moves) for end, level, moves in ends if end is result)
        return Points(RESULTS[result], result, tuple(places))

    rates = tuple(rng.uniform(0, 100) if games else None for _ in LEVELS)
    rows = tuple((level, "12", "3:07", "12,345", "0.31 s", "50%", "42%", "7%") for level in LEVELS)
    return ReportScene(
        "Connect 4",
        "all games",
        Table(HEADERS, rows if games else ()),
        BarsScene("Games won by level (%)", LEVELS, (Series("people", rates),) * 2),
        LinesScene("Hints (%)", "game", (lined(Result.WON), lined(Result.LOST))),
        ScatterScene("Moves a game", LEVELS, tuple(cloud(result) for result in Result)),
        "since 3 May 2026",
        note,
    )
