"""Pop Out for Cuatro: Connect 4 in which players may also take a disc out of the bottom row."""

from __future__ import annotations

from engine.core.game import Drawing
from engine.core.package import GamePackage, Judging, MoveCommand
from popout.rules import LONGEST, PopOut, evaluate

GAME = GamePackage(
    key=PopOut.key,
    home="popout",
    from_variant=PopOut.from_variant,
    variants=(PopOut.variant,),
    usual=PopOut.variant,
    longest=lambda _game: LONGEST,
    stones_stay=False,
    drawing=Drawing.DISCS,
    commands=(
        MoveCommand("drop", "column", is_number=True),
        MoveCommand("pop", "column", is_number=True, text="p{}"),
    ),
    refusals=("full", "notyours"),
    effects=("pop",),
    welcome_levels=("auto",),
    evaluate=evaluate,
    ladder="guessed",
    judging=Judging(depth=2, spread=40.0, unjudged=4),
)
