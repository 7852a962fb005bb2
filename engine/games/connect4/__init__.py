"""Connect 4 on boards of 4 to 8 rows and columns."""

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
from engine.core.symmetry import mirror_images, related_by
from engine.games.connect4.agents.greedy import Greedy
from engine.games.connect4.agents.tuples import Tuples
from engine.games.connect4.agents.window import Window
from engine.games.connect4.lessons import COURSES
from engine.games.connect4.proving import all_proven, worth_proving
from engine.games.connect4.rules import Connect4, moves_to, place_connect4

HERE = "engine.games.connect4"
SMALL, CLASSIC = 25, 48
"""The most squares of a small and of a classic board; larger boards are large."""


def size_class(game: Connect4) -> str:
    """Return the size class of a board."""
    squares = game.rows * game.columns
    size = "small" if squares <= SMALL else "classic" if squares <= CLASSIC else "large"
    return f"{game.key}-{size}"


def _modules(package: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{HERE}.{package}.{name}" for name in names)


GAME = GamePackage(
    key=Connect4.key,
    home=HERE,
    from_variant=Connect4.from_variant,
    variants=Connect4.SIZES,
    usual="6x7",
    suggested_variants=("5x4", "6x7", "8x8"),
    longest=lambda game: game.rows * game.columns,
    drawing=Drawing.DISCS,
    commands=(MoveCommand("drop", "column", is_number=True),),
    examples=("53453324455", "615541513", "546756515"),
    variant_option="size",
    welcome_levels=("auto",),
    refusals=("full",),
    in_words={"rules": "Drop a disc into a column. Get four of yours in a row, in any direction."},
    code=0,
    place=place_connect4,
    moves_to=moves_to,
    images=mirror_images,
    related=related_by(mirror_images),
    kernel=Ref(f"{HERE}.kernel:load"),
    fitted_kernel=Ref(f"{HERE}.kernel:load_fitted"),
    selective_kernel=Ref(f"{HERE}.kernel:load_selective"),
    parts=(
        KernelPart(
            "connect4",
            "Connect 4",
            (
                "engine.core.compiled.bits",
                *_modules("compiled", "evaluation", "attention", "search", "perft"),
            ),
            seconds=5.0,
        ),
        KernelPart(
            "connect4-more",
            "Perfect play and hints in Connect 4",
            (
                *_modules("solver.compiled", "lines", "pairs", "table", "order", "chain"),
                *_modules(
                    "solver.compiled", "siblings", "soon", "ranking", "paths", "search", "windows"
                ),
                *_modules("solver.compiled", "positions"),
                *_modules("agents.compiled", "evaluation", "search", "tree"),
            ),
            seconds=15.0,
            for_search=False,
        ),
    ),
    sequences=Ref(f"{HERE}.kernel:count_sequences"),
    sight=Ref(f"{HERE}.kernel:sight"),
    exact=Ref(f"{HERE}.solver.exact:Connect4Solver"),
    worth_proving=worth_proving,
    all_proven=all_proven,
    best_moves=Ref(f"{HERE}.solver.published:best_moves"),
    worse_moves=Ref(f"{HERE}.solver.book:worse_moves"),
    threats=Ref(f"{HERE}.threats:threats"),
    reasons=Ref(f"{HERE}.threats:reasons"),
    plans=Ref(f"{HERE}.threats:plans"),
    favoured=Ref(f"{HERE}.threats:favoured_in"),
    threat_map=Ref(f"{HERE}.threats:threat_map"),
    courses=COURSES,
    agents=(
        *(Window(depth) for depth in (2, 4, 6)),
        *(Tuples(depth) for depth in (3, 5, 7)),
        Greedy(),
        *(Window(depth, fixed=False) for depth in (2, 4, 6)),
        *(Tuples(depth, fixed=False) for depth in (3, 5, 7)),
        Greedy(fixed=False),
    ),
    agent_kinds={"window": Window, "tuples": Tuples},
    size_class=size_class,
    # 300,000 nodes take a tenth of a second on one core and suffice for 24 in 25 positions of an
    # average game on 6x7.
    judging=Judging(depth=6, spread=20.0, unjudged=2, nodes=300_000),
    calibrations={
        "connect4-classic": Calibration(100.0, 349.0, -3590.0, 368.0),
        "connect4-small": Calibration(-22.0, 247.0, -1160.0, 162.0),
        "connect4-large": Calibration(76.0, 314.0, -1740.0, 330.0),
    },
    people={
        "connect4-classic": Population(850.0, 230.0),
        "connect4-small": Population(1020.0, 90.0),
        "connect4-large": Population(850.0, 230.0),
    },
    puzzles=PuzzleSettings(("6x7", "5x4", "8x8"), from_ply={"5x4": 5, "8x8": 30}),
    bench=(
        BenchPosition("6x7", "", 14),
        BenchPosition("6x7", "4444", 14),
        BenchPosition("6x7", "13712", 14),
        BenchPosition("6x7", "335662333565", 14),
        BenchPosition("5x4", "", 20),
        BenchPosition("5x6", "34", 15),
        BenchPosition("7x7", "4453", 14),
        BenchPosition("8x8", "45", 13),
    ),
)
