"""Pictures of every kind in realistic sizes: the largest and the smallest of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from engine.core.game import Cell, Drawing, Player, Square
from engine.core.registry import games
from renderers import (
    Banner,
    BoardScene,
    Course,
    Face,
    Figure,
    HistoryScene,
    Leader,
    LeadersScene,
    LeagueRow,
    LeagueScene,
    LevelResults,
    MoveValue,
    Outlook,
    PairScene,
    PastGameRow,
    ReportScene,
    Result,
    ReviewedPly,
    ReviewScene,
    SmallBoard,
    StatisticsScene,
    Tally,
    ThreatLegend,
    ThreatMark,
    draw,
    draw_card,
    draw_review,
)
from tests.renderers.example_cards import LINES, STEPS

NAMES = ("Maximiliano Rodríguez de la O", "Cuatro (window, depth 6)")
LEVELS = ("fácil", "intermedio", "difícil", "experto", "perfecto", "window, nivel 6")


def board(rows: int, columns: int, *, named: bool = False, words: bool = True) -> BoardScene:
    """Make a scene with the most text around the board, or with the least."""
    line = tuple(Cell("12"[column % 2]) for column in range(columns))
    return BoardScene(
        cells=(line,) * rows,
        column_labels=tuple(str(column + 1) for column in range(columns)),
        names=NAMES if words else ("Ana", "Bo"),
        active=Player.FIRST,
        status="",
        footer="profundidad 20 · 123.456.789 nodos · 12,34 s" if words else "",
        remark="movimiento 1 de 2 · próxima bomba en 2 turnos" if words else "",
        row_labels=tuple(str(row + 1) for row in range(rows)) if named else (),
        hint=frozenset({Square(0, 0)}),
    )


_LONG = "Ángela Ñúñez de la Concepción"
_TALLY = Tally((1234, 105, 1021), ("1,234 ganadas", "105 empatadas", "1,021 perdidas"))
_STATS = StatisticsScene(
    Face(_LONG, 1),
    _LONG,
    "Conecta 4 (grande)",
    Figure("puntaje", "1190"),
    _TALLY,
    "2,360 partidas desde el 21 de septiembre de 2025 · mejor victoria: window, profundidad 6",
    Figure("puesto", "1,024 de 2,038"),
    -127,
    "127 esta semana",
    Course(tuple(880.0 + 31 * n % 190 for n in range(200)), 5, ("ubicación", "con puntaje"), ""),
)
_PLACING = replace(
    _STATS,
    number=Figure("partidas de ubicación", "3 de 5"),
    rank=None,
    change=None,
    course=None,
    progress=(3, 5),
    note="Con 2 partidas más con puntaje hay puntaje.",
)
_LEADER = Leader(123, Face(_LONG, 7), NAMES[0], "1190", -127)
_LEADERS = LeadersScene(
    "Clasificación",
    "Conecta 4 (grande) · todos los servidores",
    (*(replace(_LEADER, rank=rank) for rank in range(1, 8)), _LEADER),
    replace(_LEADER, rank=1024, is_reader=True),
)
_ENDED = SmallBoard(Drawing.DISCS, ((Cell("1"), Cell("2")) * 4,) * 8)
_PAST = PastGameRow(
    Result.LOST,
    f"Perdiste contra {NAMES[0]}",
    "21 jugadas · 21 nov",
    _ENDED,
    None,
    "sin puntaje",
    "1,234",
)
_HISTORY = HistoryScene(
    "Tus partidas", "Conecta 4 (grande) · 1,234 partidas · página 1 de 124", (_PAST,) * 5
)
_LEAGUE_ROW = LeagueRow("tuplas 3 orig.", "138-13-121", 0.5, (0.4, 0.6), "50 %")
_LEAGUE = LeagueScene(
    "Liga de este servidor",
    "Conecta 4 8x8 · 1,140 partidas vistas",
    ("Bot", "G-E-P", "Ganadas"),
    (_LEAGUE_ROW,) * 8,
    "línea: donde está probablemente el valor real",
)


def _report(levels: tuple[str, ...]) -> ReportScene:
    return ReportScene(
        _LONG,
        "Conecta-4 BOOM contra Cuatro",
        Figure("de partidas ganadas", "100 %"),
        tuple(LevelResults(level, (12, 1, 20), "36 %") for level in levels),
        _TALLY,
        "2,360 partidas desde el 21 de septiembre de 2025",
        Face(_LONG, 3),
    )


_PAIR = PairScene(
    "Tu jugada 15",
    (SmallBoard(Drawing.DISCS, ((Cell.EMPTY,) * 8,) * 8),) * 2,
    ("Podías", "Jugaste"),
    ("dos veces la columna 4", "la bomba y luego la columna 4"),
)


def _review(moves: int, *, words: bool = True) -> ReviewScene:
    signs = ("", "?!", "?", "??")
    return ReviewScene(
        "Revisión: Conecta-4 BOOM 7x7",
        "Gana Cuatro (window, depth 6): Maximiliano se quedó sin tiempo" if words else "",
        NAMES,
        ("precisión 100", "precisión –"),
        tuple(ReviewedPly(Player(n % 2 + 1), n % 3 / 2, signs[n % 4]) for n in range(moves)),
        turning=moves // 2,
        footer="?! imprecisión · ? error · ?? error grave" if words else "",
    )


_FINISHED = replace(
    board(8, 8),
    active=None,
    winner=Player.SECOND,
    banner=Banner("¡Gana Maximiliano Rodríguez de la O!", "en 32 jugadas contra Cuatro", "127"),
)


def _valued(rows: int, columns: int) -> BoardScene:
    """A board with the longest values above its columns, explained by a legend."""
    legend = (Outlook.WIN, "gana en"), (Outlook.DRAW, "empata"), (Outlook.LOSS, "pierde en")
    return replace(
        board(rows, columns),
        has_values=True,
        advice="Juega la columna 3, 4 o 5",
        verdict="pierde en 26",
        legend=legend,
        values=tuple(
            MoveValue(Square(0, column), "pierde en 26", Outlook.LOSS, number="26")
            for column in range(columns)
        ),
    )


def _mapped(rows: int, columns: int) -> BoardScene:
    """A board with values, their legend, a threat, and the longest legend of threats."""
    return replace(
        _valued(rows, columns),
        cells=((Cell.EMPTY,) * columns,) * rows,
        remark="",
        hint=frozenset(),
        threats=(ThreatMark(Square(0, 1), (Player.FIRST, Player.SECOND), True, False),),
        threat_legend=ThreatLegend("fila impar", "fila par", "ya se puede jugar"),
    )


PICTURES: dict[str, Callable[[], bytes]] = {
    "end of a game": partial(draw, Drawing.DISCS, _FINISHED),
    **{
        f"values {rows}x{columns}": partial(draw, Drawing.DISCS, _valued(rows, columns))
        for rows, columns in ((4, 5), (6, 7), (8, 8))
    },
    **{
        f"threats {rows}x{columns}": partial(draw, Drawing.DISCS, _mapped(rows, columns))
        for rows, columns in ((4, 4), (6, 7), (8, 8))
    },
    "statistics": partial(draw_card, _STATS),
    "statistics in placement": partial(draw_card, _PLACING),
    "history": partial(draw_card, _HISTORY),
    "history of one game": partial(draw_card, replace(_HISTORY, rows=(_PAST,))),
    "leaders": partial(draw_card, _LEADERS),
    "one leader": partial(draw_card, LeadersScene("Clasificación", "BOOM", (_LEADER,))),
    "league": partial(draw_card, _LEAGUE),
    "league of one": partial(draw_card, replace(_LEAGUE, rows=(_LEAGUE_ROW,))),
    "report": partial(draw_card, _report(LEVELS)),
    "report of one level": partial(draw_card, _report(LEVELS[:1])),
    "pair": partial(draw_card, _PAIR),
    "lines": partial(draw_card, LINES),
    "steps": partial(draw_card, STEPS),
    "review": partial(draw_review, Drawing.DISCS, _review(42)),
    "review of one move": partial(draw_review, Drawing.DISCS, _review(1, words=False)),
    **{
        f"{key} {rows}x{columns} {'words' if words else 'bare'}": partial(
            draw, games()[key].drawing, board(rows, columns, named=key == "gato", words=words)
        )
        for rows in range(4, 9)
        for columns in range(4, 9)
        for words in (True, False)
        for key in ("connect4", "gato")
    },
}
"""The pictures by their content."""
