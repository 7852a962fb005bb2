"""One card of every kind, with every part that can be drawn."""

from __future__ import annotations

from engine.core.game import Cell, Drawing, Square
from renderers import (
    Course,
    Face,
    Figure,
    HistoryScene,
    Leader,
    LeadersScene,
    LeagueRow,
    LeagueScene,
    LevelResults,
    PairScene,
    PanelsScene,
    PastGameRow,
    ReportScene,
    Result,
    SmallBoard,
    StatisticsScene,
    Tally,
)

TALLY = Tally((34, 5, 21), ("34 wins", "5 draws", "21 losses"))
COURSE = Course(
    tuple(880.0 + 37 * n % 190 for n in range(30)),
    5,
    ("placement", "rated"),
    "Rating from 880 to 1003, lowest 880, highest 1066",
)
STATISTICS = StatisticsScene(
    Face("Ana", 1),
    "Ana",
    "Connect 4",
    Figure("rating", "1065"),
    TALLY,
    "60 games since March 3 · best win: hard",
    Figure("rank", "4 of 38"),
    27,
    "27 this week",
    COURSE,
)
LEADERS = LeadersScene(
    "Leaderboard",
    "Connect 4 · this server · rated games",
    (
        Leader(1, Face("Beto", 2), "Beto", "1312", 8),
        Leader(2, Face("Carla", 3), "Carla", "1287", -12),
        Leader(3, Face("Ñandú", 4), "Ñandú", "1198", 0),
    ),
    Leader(23, Face("Ana", 1), "Ana (you)", "1065", 27, is_reader=True),
)


def small_board(text: str, drawing: Drawing = Drawing.DISCS, *line: tuple[int, int]) -> SmallBoard:
    """Make a small board from rows of text, with a winning line."""
    cells = tuple(tuple(Cell(sign) for sign in row) for row in text.split())
    return SmallBoard(drawing, cells, frozenset(Square(*square) for square in line))


ENDED = small_board("....... ....1.. ...12.. ..121.. .1122.. 2221121")
HISTORY = HistoryScene(
    "Your games",
    "Connect 4 · 60 games · page 1 of 12",
    (
        PastGameRow(
            Result.WON, "You beat Cuatro", "hard · 9 moves · today", ENDED, 27, number="60"
        ),
        PastGameRow(Result.LOST, "You lost to Beto", "12 moves · today", ENDED, -11),
        PastGameRow(Result.DRAWN, "You drew with Carla", "21 moves", ENDED, 0),
        PastGameRow(None, "easy – hard", "1-0 · yesterday", None, None, "not rated"),
    ),
)
LEAGUE = LeagueScene(
    "League of this server",
    "Connect 4 · 140 games watched",
    ("Bot", "W-D-L", "Wins"),
    (
        LeagueRow("perfect", "38-3-1", 0.94, (0.8, 1.0), "94 %"),
        LeagueRow("easy", "1-0-23", 0.04, (0.0, 0.12), "4 %"),
    ),
    "line: where the true share probably lies",
)
REPORT = ReportScene(
    "Ana",
    "Connect 4 against Cuatro",
    Figure("of games won", "57 %"),
    (LevelResults("easy", (20, 0, 1), "95 %"), LevelResults("hard", (14, 5, 20), "36 %")),
    TALLY,
    "60 games since March 3",
    Face("Ana", 1),
)
PAIR = PairScene(
    "Your move 5",
    (ENDED, small_board("....... ....... ...12.. ..121.. .1122.. 2221121")),
    ("You could", "You played"),
    ("column 5", "column 7"),
)
LINES = PanelsScene(
    (
        small_board("12.. 12.. 1... 1.2.", Drawing.MARKS, (0, 0), (1, 0), (2, 0), (3, 0)),
        ENDED,
        small_board("1111 22.. .2.. ....", Drawing.MARKS, (0, 0), (0, 1), (0, 2), (0, 3)),
    ),
    alt_text="Three finished lines",
)
STEPS = PanelsScene(
    (
        small_board("...1... ..22... 2.1A2.2 1122121"),
        small_board("...1... ..22... 2.1A2.2 1122121"),
        small_board("....... ..21... ..12... 1122121"),
    ),
    numbered=True,
    alt_text="A bomb clears its row",
)

CARDS = {
    "statistics": STATISTICS,
    "leaders": LEADERS,
    "history": HISTORY,
    "league": LEAGUE,
    "report": REPORT,
    "pair": PAIR,
    "lines": LINES,
    "steps": STEPS,
}
