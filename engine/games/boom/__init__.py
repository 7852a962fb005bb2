"""Conecta-4 BOOM: 7x7, two discs a turn, and bombs."""

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
from engine.core.symmetry import mirror_images
from engine.games.boom.agents import Tokens
from engine.games.boom.lessons import COURSES
from engine.games.boom.rules import Boom, place_boom

HERE = "engine.games.boom"
COMPILED = ("rules", "memory", "evaluation", "attention", "search", "selective", "perft", "tokens")

GAME = GamePackage(
    key=Boom.key,
    home=HERE,
    from_variant=Boom.from_variant,
    variants=Boom.VARIANTS,
    usual="7x7",
    longest=lambda _game: Boom.MOST_MOVEMENTS,
    stones_stay=False,
    drawing=Drawing.DISCS,
    commands=(
        MoveCommand("drop", "column", is_number=True),
        MoveCommand("explode", None, text="B"),
    ),
    examples=("514451247473B",),
    variant_option="full_board",
    welcome_levels=("auto",),
    refusals=("full", "nobomb"),
    remarks=("boom.turn", "boom.bomb_now", "boom.bomb_held", "boom.bomb_in", "boom.both"),
    in_words={
        "rules": "Get four of your discs in a row. The first player begins with one move; after "
        "that a turn is two moves. In every fourth round your first disc is a bomb. BOOM sets it "
        "off: it removes your opponent's discs from its row, and the discs above fall.",
        "boom.turn": "Move {movement} of {of}.",
        "boom.bomb_now": "This disc is a bomb.",
        "boom.bomb_held": "You can set off your bomb: type boom.",
        "boom.bomb_in": "Turns until your next bomb: {turns}.",
        "boom.both": "Both have four: whoever set off the bomb wins.",
    },
    effects=("explode",),
    code=2,
    place=place_boom,
    images=mirror_images,
    kernel=Ref(f"{HERE}.kernel:load"),
    selective_kernel=Ref(f"{HERE}.kernel:load_selective"),
    parts=(
        KernelPart(
            "boom",
            "Conecta-4 BOOM",
            tuple(f"{HERE}.compiled.{name}" for name in COMPILED),
            seconds=19.0,
        ),
    ),
    sequences=Ref(f"{HERE}.kernel:count_sequences"),
    sight=Ref(f"{HERE}.kernel:sight"),
    threats=Ref(f"{HERE}.threats:threats"),
    turn_fault=Ref(f"{HERE}.reasons:turn_fault"),
    courses=COURSES,
    agents=(Tokens(), Tokens(name="tokens-original")),
    agent_kinds={"tokens": Tokens},
    judging=Judging(depth=5, spread=60.0, unjudged=3),
    calibrations={"boom": Calibration(27.0, 342.0, -830.0, 311.0)},
    people={"boom": Population(820.0, 290.0)},
    # The rhythm of bombs repeats every sixteen plies, and puzzles end long before the longest game,
    # so only the ply within that cycle matters.
    puzzles=PuzzleSettings(("7x7",), from_ply={"7x7": 6, "7x7-draw": 6}, horizon=8, cycle=16),
    bench=(BenchPosition("7x7", "", 14), BenchPosition("7x7-draw", "4433", 12)),
)
