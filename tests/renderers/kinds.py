"""Pictures of every kind in realistic sizes: the largest and the smallest of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.core.game import Cell, Drawing, Player, Square
from engine.core.registry import games
from renderers import (
    Align,
    BarsScene,
    BoardScene,
    CardScene,
    Course,
    Figure,
    Form,
    LinesScene,
    Points,
    ReportScene,
    Result,
    ReviewedPly,
    ReviewScene,
    ScatterScene,
    Series,
    Table,
    draw,
    draw_card,
    draw_report,
    draw_review,
)

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


def _table(headers: str, row: tuple[str, ...], rows: int, sides: str) -> Table:
    kinds = {"l": Align.LEFT, "r": Align.RIGHT}
    return Table(tuple(headers.split()), (row,) * rows, sides=tuple(kinds[side] for side in sides))


_STATS = CardScene(
    title="Ángela Ñúñez de la Concepción",
    subtitle="Estadísticas de Conecta-4 BOOM",
    figures=(Figure("Puntuación", "1.190 ± 181"),),
    table=Table(
        ("Contra", "Partidas", "Victorias", "Tablas", "Derrotas"),
        (*((level, "120", "111", "10", "12") for level in LEVELS[1:]), ("otros", *"1234")),
        highlight=2,
    ),
    footer="En 6x7, auto juega ahora a: unos 970.",
    course=Course("Puntuación, partida a partida", (1500, 1530, 1480, 1512), "", (90, 80, 70, 60)),
    form=Form("Últimas diez", (Result.WON, Result.LOST) * 5, "", "", ""),
)
_HISTORY = CardScene(
    "Ángela Ñúñez",
    "Conecta 4: partidas pasadas",
    (),
    _table("N.º Fecha Contra Resultado", ("12345", "21/12/26", NAMES[0], "detenida"), 8, "rrlr"),
    "Página 10 de 12",
)
_LEADERS = CardScene(
    "Clasificación",
    "Conecta 4 en este servidor",
    (),
    _table("Puesto Jugador Puntuación Partidas", ("12", NAMES[0], "1.190 ?", "1.234"), 8, "rlrr"),
    "Página 1 de 12",
)
_EMPTY = CardScene("Ana", "Connect 4", (Figure("Rating", "–"),), note="No finished games yet.")


def _report(groups: tuple[str, ...]) -> ReportScene:
    rates = Series("personas", (50.0,) * len(groups)), Series("Cuatro", (40.0,) * len(groups))
    points = [
        Points(word, result, tuple((n % max(len(groups), 1), 12 + n) for n in range(len(groups))))
        for word, result in zip(("ganadas", "en tablas", "perdidas"), Result, strict=True)
    ]
    lines = [Points(p.label, p.result, tuple((n + 1, 20) for n, _ in p.places)) for p in points]
    return ReportScene(
        "Ángela Ñúñez de la Concepción",
        "Conecta-4 BOOM contra Cuatro",
        Table((), ()),
        BarsScene("Partidas ganadas por nivel (%)", groups, rates),
        LinesScene("Jugadas con pista, partida a partida (%)", "partida", (lines[0], lines[2])),
        ScatterScene("Jugadas de cada partida por nivel", groups, tuple(points)),
        note="" if groups else "Aún no hay partidas terminadas.",
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


PICTURES: dict[str, Callable[[], bytes]] = {
    "stats": partial(draw_card, _STATS),
    "history": partial(draw_card, _HISTORY),
    "leaders": partial(draw_card, _LEADERS),
    "no games": partial(draw_card, _EMPTY),
    "report": partial(draw_report, _report(LEVELS)),
    "report of one level": partial(draw_report, _report(LEVELS[:1])),
    "empty report": partial(draw_report, _report(())),
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
