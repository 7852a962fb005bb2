"""A card with almost every part."""

from __future__ import annotations

from renderers import CardScene, Figure, Table

CARD = CardScene(
    title="Ángela Ñúñez",
    subtitle="Level 4 of 9",
    figures=(
        Figure("Games", "128"),
        Figure("Wins", "71"),
        Figure("Losses", "52"),
        Figure("Draws", "5"),
        Figure("Streak", "4"),
        Figure("Hints used", "17"),
    ),
    table=Table(
        ("Level", "Games", "Wins", "Draws", "Losses"),
        (("3", "34", "20", "2", "12"), ("4", "41", "18", "2", "21"), ("5", "9", "1", "0", "8")),
        highlight=1,
    ),
    footer="since 3 May 2026",
    note="Most wins begin in the middle column.",
)
