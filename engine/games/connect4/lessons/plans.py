"""The second course of Connect 4, about plans; docs/lessons.md describes it."""

from __future__ import annotations

from engine.games.connect4.lessons.notation import lesson, problem

PLANS = (
    lesson(
        "opening",
        "",
        "41",
        problem("4444", "4"),
        problem("412", "4"),
        problem("42", "26"),
        problem("444444", "35"),
    ),
    lesson(
        "owner",
        "45361275416555",
        "43",
        problem("32476543", "4"),
        problem("446375433453", "5"),
        problem("355645215263", "3"),
    ),
    lesson(
        "base",
        "32421543",
        "43",
        problem("345342", "4"),
        problem("54246253", "5"),
        problem("5665443233576", "4"),
    ),
    lesson(
        "leave",
        "66746354375445654 6",
        "76",
        problem("32762347463", "4"),
        problem("643466446644252653331", "2"),
        problem("55544347134473322455513", "7"),
    ),
    lesson(
        "stack",
        "5746324664437544 6",
        "53 54",
        problem("3344323342", "6 5 5"),
        problem("634664432333", "7 5 5"),
        problem("1323233555426", "2 4 4"),
    ),
    lesson(
        "undercut",
        "747452631245354744",
        "64",
        problem("224333335167", "5"),
        problem("34416226647513", "6"),
        problem("4455554256452", "6"),
    ),
    lesson(
        "both",
        "54235446342613 3",
        "25 54",
        problem("145345577333", "4"),
        problem("45421322234423356656", "6"),
        problem("3744123561477464333", "6"),
    ),
    lesson(
        "defend",
        "6654554143266",
        "",
        problem("435427653444", "5"),
        problem("363455336656144", "6"),
        problem("3432334576654", "5"),
    ),
)
