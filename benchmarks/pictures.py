"""Time and size of pictures: `python -m benchmarks.pictures`.

Prints a Markdown table for one thread with warm caches; the footer changes every time. A replay is
the GIF of 42 moves that end with a line, or of a game of BOOM with explosions; the review is the
picture of the same 42 moves, whose computation `python -m benchmarks.study review` measures.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from statistics import mean, median, quantiles
from time import perf_counter

from benchmarks.printing import head, row
from bot.features.replays import replay_picture
from bot.features.reviews.view import Reading, review_scene
from bot.game.session import Session
from bot.i18n import say_in
from bot.store.records import Ending, EndRecord, GameRecord, GameSetup, MoveRecord, SeatRecord
from engine.core.game import Cell, Drawing, Player, Square, replay
from engine.core.registry import game_of
from engine.study.reach import Reach
from engine.study.review import ReviewGame
from renderers import (
    Banner,
    BoardScene,
    Course,
    Face,
    Figure,
    StatisticsScene,
    Tally,
    draw,
    draw_card,
    draw_review,
)

REPETITIONS = 300
WARM_UP = 20
MIDGAME = "....... ....... ...2... ..112.. ..2112. .121221"
BOOM = "....... ....... ...A... ..112B. .B2112. 1121221 212A121"
GATO = "12.. .12. .1.. 2..."
LARGE = "........ ........ ...2.... ..112... ..2112.. .1212212 21121212 12212121"
FULL = "165272351361452665774351431436261744573227"
BOMBS = "566267355516465522BB13714213777211765414"
CARD = StatisticsScene(
    Face("Ángela", 1),
    "Ángela Ñúñez",
    "Connect 4",
    Figure("rating", "1190"),
    Tally((34, 5, 21), ("34 wins", "5 draws", "21 losses")),
    "",
    Figure("rank", "4 of 38"),
    27,
    "27 this week",
    Course(tuple(1000.0 + 37 * n % 90 for n in range(60)), 5, ("placement", "rated"), ""),
)


def board(text: str) -> BoardScene:
    """A scene with realistic texts, from rows of text."""
    cells = tuple(tuple(map(Cell, line)) for line in text.split())
    return BoardScene(
        cells=cells,
        column_labels=tuple(str(column + 1) for column in range(len(cells[0]))),
        names=("Ángela Ñúñez", "Cuatro (medio)"),
        active=Player.FIRST,
        status="",
        details=("to move · 1038", "medium"),
        last=frozenset({Square(2, 3)}),
    )


def session_of(family: str, variant: str, text: str) -> Session:
    """A finished game between two people, from its moves."""
    game = game_of(family, variant)
    seats = SeatRecord(1, None), SeatRecord(2, None)
    opening = GameSetup(family, variant, 1, 1, "en", *seats)
    moves, made = game.moves(text), []
    for ply, move in enumerate(moves):
        player = replay(game, moves[:ply]).to_move
        made.append(MoveRecord(int(player), int(player), game.label(move), False, ply, 1.0))
    outcome = replay(game, moves).outcome
    assert outcome is not None
    assert outcome.winner is not None
    end = EndRecord(Ending(outcome.ending), int(outcome.winner), len(moves))
    return Session.from_record(GameRecord(1, opening, 0.0, 1, tuple(made), (), end))


def drawings() -> dict[str, Callable[[str], bytes]]:
    """The pictures by name, each as a function of the footer."""
    midgame, large = board(MIDGAME), board(LARGE)
    boom = replace(board(BOOM), remark="Bomb in 2 turns")
    last = frozenset({Square(1, 2)})
    gato = replace(board(GATO), column_labels=tuple("abcd"), row_labels=tuple("1234"), last=last)
    final = replace(
        midgame,
        active=None,
        banner=Banner("Ángela Ñúñez wins!", "in 7 moves against Cuatro", "27"),
        line=frozenset({Square(5, 3), Square(4, 3), Square(3, 3), Square(2, 3)}),
        winner=Player.FIRST,
    )
    names, say = {1: "Ángela Ñúñez", 2: "Maximiliano Rodríguez"}, say_in("en")
    full, bombs = session_of("connect4", "6x7", FULL), session_of("boom", "7x7", BOMBS)
    reach = Reach("connect4-classic", 1000.0)
    review = review_scene(Reading(full, full.job(ReviewGame()).run(), names, 1, say, reach))
    return {
        "6x7, mid-game": lambda footer: draw(Drawing.DISCS, replace(midgame, footer=footer)),
        "8x8, mid-game": lambda footer: draw(Drawing.DISCS, replace(large, footer=footer)),
        "6x7, final": lambda footer: draw(Drawing.DISCS, replace(final, footer=footer)),
        "BOOM, 7x7, mid-game": lambda footer: draw(Drawing.DISCS, replace(boom, footer=footer)),
        "gato, 4x4, mid-game": lambda footer: draw(Drawing.MARKS, replace(gato, footer=footer)),
        "statistics card": lambda footer: draw_card(replace(CARD, footer=footer)),
        "6x7, review of 42 moves": lambda footer: draw_review(
            Drawing.DISCS, replace(review, footer=footer)
        ),
        "6x7, replay of 42 moves": lambda _: replay_picture(full, names, say)[0],
        "BOOM, replay of 40 moves": lambda _: replay_picture(bombs, names, say)[0],
    }


def measure(draw_picture: Callable[[str], bytes]) -> tuple[float, float, float, float]:
    """The mean, median and 99th percentile in milliseconds, and the largest size in KB."""
    times, sizes = [], []
    for repetition in range(-WARM_UP, REPETITIONS):
        footer = f"depth 8 · {12_345 + 7 * repetition:,} nodes · 0.03 s"
        start = perf_counter()
        png = draw_picture(footer)
        spent = perf_counter() - start
        if repetition >= 0:
            times.append(spent * 1000)
            sizes.append(len(png) / 1024)
    return mean(times), median(times), quantiles(times, n=100)[98], max(sizes)


def main() -> None:
    """Measure every picture and print the table."""
    print(head(("picture", "mean ms", "p50 ms", "p99 ms", "KB")))
    for name, drawing in drawings().items():
        gc.collect()
        print(row((name, *(f"{figure:.2f}" for figure in measure(drawing)))))


if __name__ == "__main__":
    main()
