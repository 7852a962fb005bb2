"""Gato 4x4: four in line on a flat board of four by four."""

from __future__ import annotations

from engine.core.game import Drawing
from engine.core.package import (
    BenchPosition,
    Calibration,
    GamePackage,
    Judging,
    KernelPart,
    MoveCommand,
    Population,
    PuzzleSettings,
    Ref,
)
from engine.core.symmetry import related_by
from engine.games.gato.agents import Lines
from engine.games.gato.lessons import COURSES
from engine.games.gato.rules import SQUARES, Gato, gato_images, moves_to, place_gato

HERE = "engine.games.gato"
COMPILED = ("lines", "symmetry", "attention", "search", "perft", "student")

GAME = GamePackage(
    key=Gato.key,
    home=HERE,
    from_variant=Gato.from_variant,
    variants=Gato.SIZES,
    usual="4x4",
    longest=lambda _game: SQUARES,
    drawing=Drawing.MARKS,
    commands=(MoveCommand("place", "square"),),
    example_move="b3",
    examples=("b3 b1 c2 c3 a4 b2 d1", "b3 b4 c3 a2 d3 b1 a3", "d1 a1 d2 b1 d4 a2 d3"),
    welcome_levels=("auto",),
    refusals=("taken",),
    in_words={"rules": "Take an empty square. Get four of yours in a row, a column or a diagonal."},
    code=1,
    place=place_gato,
    moves_to=moves_to,
    images=gato_images,
    related=related_by(gato_images),
    kernel=Ref(f"{HERE}.kernel:load"),
    parts=(
        KernelPart(
            "gato", "Gato", tuple(f"{HERE}.compiled.{name}" for name in COMPILED), seconds=9.0
        ),
    ),
    sequences=Ref(f"{HERE}.kernel:count_sequences"),
    sight=Ref(f"{HERE}.kernel:sight"),
    exact=Ref(f"{HERE}.exact:GatoSolver"),
    threats=Ref(f"{HERE}.threats:threats"),
    reasons=Ref(f"{HERE}.threats:reasons"),
    plans=Ref(f"{HERE}.threats:plans"),
    threat_map=Ref(f"{HERE}.threats:threat_map"),
    courses=COURSES,
    agents=(Lines(), Lines(fixed=False)),
    agent_kinds={"lines": Lines},
    judging=Judging(depth=6, spread=8.0, unjudged=2),
    calibrations={"gato": Calibration(6.0, 150.0, -1500.0, 68.0)},
    people={"gato": Population(1070.0, 60.0)},
    puzzles=PuzzleSettings(("4x4",), from_ply={"4x4": 3}, scarce=("4x4",), grades=(650, 900)),
    bench=(BenchPosition("4x4", "", 12), BenchPosition("4x4", "b2c3a1", 13)),
)
