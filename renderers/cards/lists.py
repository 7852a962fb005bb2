"""Lists: a leaderboard, a page of past games, and the league of agents."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image

from renderers.card_scene import (
    HistoryScene,
    Leader,
    LeadersScene,
    LeagueRow,
    LeagueScene,
    PastGameRow,
)
from renderers.cards.boards import paint_small_board, small_board_size
from renderers.cards.parts import (
    HEADING,
    LIP,
    ROOM,
    SMALL,
    blank,
    draw_badge,
    draw_change,
    draw_circle,
    draw_face,
    draw_footer,
    draw_heading,
    draw_panel,
    fitted,
    write,
)
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible
from renderers.paint.theme import CLASSIC, MARGIN, WIDTH, Theme, Tone

_LEADER = 64
"""The height of a row of a leaderboard: enough for a name on two lines."""

_MEDALS = {1: Tone.GOLD, 2: Tone.SILVER, 3: Tone.BRONZE}

_GAME, _GAP = 112, 14
"""The height of a row of a history, and the space between two."""

_THUMBNAIL = 94
"""The greatest height of a last position in a history."""

_THUMBNAIL_WIDTH = 104

_LINE = 34
"""The height of a line in a row of a history, which has three at most."""

_AGENT = 58
"""The height of a row of a league."""


def draw_leaders(scene: LeadersScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a leaderboard.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and at least 510 high.
    """
    panel = _LEADER * len(scene.rows) + 12
    below = 36 + _LEADER + LIP if scene.own else 0
    canvas = blank(HEADING + panel + below + 20, theme)
    draw_heading(canvas, scene.title, scene.subtitle)
    draw_panel(canvas, MARGIN, HEADING, ROOM, panel)
    for index, row in enumerate(scene.rows):
        top = HEADING + 6 + _LEADER * index
        if row.is_reader:
            draw_panel(canvas, MARGIN, top, ROOM, _LEADER, Tone.PANEL_LIT, 20)
        elif index and not scene.rows[index - 1].is_reader:
            rule = Image.new("L", (ROOM - 90, 2), 255)
            canvas.cover(rule, MARGIN + 70, top - 1, Tone.CHART_FILL)
        _draw_leader(canvas, row, top)
    if scene.own is not None:
        top = HEADING + panel + 36
        for shift in (-16, 0, 16):
            draw_circle(canvas, WIDTH // 2 + shift, top - 18, 4, Tone.MUTED_TEXT)
        draw_panel(canvas, MARGIN, top, ROOM, _LEADER, Tone.PANEL_LIT, 20, lip=Tone.DISC_1)
        _draw_leader(canvas, scene.own, top)
    return canvas.png()


def _draw_leader(canvas: Canvas, row: Leader, top: int) -> None:
    middle = top + _LEADER // 2
    ground = Tone.PANEL_LIT if row.is_reader else Tone.PANEL
    words = Tone.PANEL_LIT_TEXT if row.is_reader else Tone.TEXT
    quiet = Tone.PANEL_LIT_MUTED if row.is_reader else Tone.MUTED_TEXT
    is_bold = row.is_reader or row.rank in _MEDALS
    ramp = Ramp(ground, quiet)
    if row.rank in _MEDALS:
        medal = _MEDALS[row.rank]
        draw_circle(canvas, MARGIN + 38, middle, 22, medal)
        ramp = Ramp(medal, Tone.MEDAL_TEXT)
    write(canvas, str(row.rank), MARGIN + 38, middle, SMALL, ramp, bold=True, anchor="middle",
          room=72)  # fmt: skip
    draw_face(canvas, row.face, MARGIN + 98, middle, 22, rim=False)
    number = Font(30, bold=True).width(legible(row.number))
    change_end = WIDTH - MARGIN - 22 - max(number, 70) - 30
    room = change_end - MARGIN - 134 - (80 if row.change is not None else 0)
    write(canvas, row.name, MARGIN + 134, middle, SMALL, Ramp(ground, words), bold=is_bold,
          room=room, lines=2)  # fmt: skip
    if row.change is not None:
        tone = (words if row.change else quiet) if row.is_reader else None
        draw_change(canvas, row.change, change_end, middle, SMALL, ground, tone)
    write(canvas, row.number, WIDTH - MARGIN - 22, middle, 30, Ramp(ground, words), bold=is_bold,
          anchor="right", room=140)  # fmt: skip


def draw_history(scene: HistoryScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a page of past games.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and at least 510 high.
    """
    canvas = blank(HEADING + (_GAME + _GAP) * len(scene.rows) + 16, theme)
    draw_heading(canvas, scene.title, scene.subtitle)
    for index, row in enumerate(scene.rows):
        top = HEADING + (_GAME + _GAP) * index
        draw_panel(canvas, MARGIN, top, ROOM, _GAME, lip=Tone.PANEL_EDGE)
        _draw_past_game(canvas, row, top)
    return canvas.png()


def _draw_past_game(canvas: Canvas, row: PastGameRow, top: int) -> None:
    middle, left = top + _GAME // 2, MARGIN + 204
    muted = Ramp(Tone.PANEL, Tone.MUTED_TEXT)
    if row.number:
        draw_badge(canvas, row.result, MARGIN + 46, middle - 20, 22)
        write(canvas, row.number, MARGIN + 46, middle + 28, SMALL, muted, anchor="middle",
              room=76)  # fmt: skip
    else:
        draw_badge(canvas, row.result, MARGIN + 46, middle, 22)
    if row.board is not None:
        rows, columns = len(row.board.cells), len(row.board.cells[0])
        cell = min((_THUMBNAIL - 8) // rows, _THUMBNAIL_WIDTH // columns)
        width, height = small_board_size(rows, columns, cell, 4)
        x = MARGIN + 90 + (_THUMBNAIL_WIDTH - width) // 2
        paint_small_board(canvas, row.board, x, middle - height // 2, cell, 4, plain=True)
    right, room = WIDTH - MARGIN - 20, WIDTH - MARGIN - 20 - left
    taken = 0
    if row.change is not None:
        taken = Font(SMALL, bold=True).width(str(abs(row.change))) + 44
    elif row.remark:
        taken = min(Font(SMALL).width(legible(row.remark)), 200) + 16
    title = fitted(row.title, room - taken, SMALL, bold=True, lines=2)
    # The change is beside the title, or beside the details of a game with a long title; a remark
    # is then one of the details.
    is_beside = title.font.size == SMALL
    if not is_beside:
        title = fitted(row.title, room, SMALL, bold=True, lines=2)
    words = row.details if is_beside or not row.remark else f"{row.details} · {row.remark}"
    wide = room if is_beside or row.change is None else room - taken
    details = fitted(words, wide, SMALL, lines=3 - len(title.lines))
    count = len(title.lines) + len(details.lines)
    first = middle - (count - 1) * _LINE // 2
    for index, line in enumerate((*title.lines, *details.lines)):
        is_title = index < len(title.lines)
        ramp = Ramp(Tone.PANEL, Tone.TEXT) if is_title else muted
        font = title.font if is_title else details.font
        canvas.write(line, left, first + index * _LINE, font, ramp)
    level = first if is_beside else first + len(title.lines) * _LINE
    if row.change is not None:
        draw_change(canvas, row.change, right, level, SMALL, Tone.PANEL)
    elif row.remark and is_beside:
        write(canvas, row.remark, right, level, SMALL, muted, anchor="right",
              room=taken - 16)  # fmt: skip


def draw_league(scene: LeagueScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a page of the league of agents.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and at least 510 high.
    """
    top, panel = HEADING + 44, _AGENT * len(scene.rows) + 12
    canvas = blank(top + panel + 66, theme)
    draw_heading(canvas, scene.title, scene.subtitle)
    muted = Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT)
    name, results, share = scene.headers
    bold, usual = Font(SMALL, bold=True), Font(SMALL)
    end = WIDTH - MARGIN - 20
    start = end - max(bold.width(legible(row.text)) for row in scene.rows) - 16 - _SHARE
    texts = (results, *(row.results for row in scene.rows))
    wide = min(max(usual.width(legible(text)) for text in texts), 190)
    places = _Places(start - 16 - wide, start - 16, start, end)
    write(canvas, name, MARGIN + 62, HEADING + 20, SMALL, muted, room=places.results - 90)
    write(canvas, results, start - 16, HEADING + 20, SMALL, muted, anchor="right", room=wide)
    write(canvas, share, end, HEADING + 20, SMALL, muted, anchor="right", room=end - start)
    draw_panel(canvas, MARGIN, top, ROOM, panel)
    for index, row in enumerate(scene.rows):
        above = top + 6 + _AGENT * index
        if index:
            rule = Image.new("L", (ROOM - 32, 2), 255)
            canvas.cover(rule, MARGIN + 16, above - 1, Tone.GRID)
        _draw_agent(canvas, row, scene.first + index, above + _AGENT // 2, places)
    draw_footer(canvas, scene.legend, top + panel + 34)
    return canvas.png()


_SHARE = 110
"""The width of the bar of a share."""


class _Places(NamedTuple):
    """Where the columns of a league are: results from and to, the bar, and the right end."""

    results: int
    results_end: int
    bar: int
    end: int


def _draw_agent(canvas: Canvas, row: LeagueRow, place: int, middle: int, at: _Places) -> None:
    words, muted = Ramp(Tone.PANEL, Tone.TEXT), Ramp(Tone.PANEL, Tone.MUTED_TEXT)
    write(canvas, str(place), MARGIN + 32, middle, SMALL, muted, bold=True, anchor="middle",
          room=44)  # fmt: skip
    room = at.results - MARGIN - 62 - 12
    write(canvas, row.name, MARGIN + 62, middle, SMALL, words, bold=place == 1, room=room, lines=2)
    write(canvas, row.results, at.results_end, middle, SMALL, words, anchor="right", room=190)
    canvas.cover(_bar(_SHARE), at.bar, middle - 9, Tone.GRID)
    canvas.cover(_bar(max(round(_SHARE * row.share), 18)), at.bar, middle - 9, Tone.ACCENT)
    low, high = (at.bar + round(_SHARE * bound) for bound in row.bounds)
    for left, width, tall in ((low, high - low, 4), (low - 2, 4, 16), (high - 2, 4, 16)):
        if width > 0:
            whisker = Image.new("L", (width, tall), 255)
            canvas.cover(whisker, left, middle - tall // 2, Tone.TEXT)
    write(canvas, row.text, at.end, middle, SMALL, words, bold=True, anchor="right",
          room=at.end - at.bar - _SHARE)  # fmt: skip


@cache
def _bar(width: int) -> Image.Image:
    return shapes.panel(width, 18, 9)
