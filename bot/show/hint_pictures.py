"""A hint as all that is shown of it: its words, the board with its marks, and that in words."""

from __future__ import annotations

from dataclasses import dataclass

from bot.show.hints import hint_text
from bot.show.scenes import Names, alt_phrases, board_scene
from bot.table.hints import Hint
from bot.words import Say
from engine.core.registry import package_of
from renderers import board_alt_text, draw


@dataclass(frozen=True, slots=True)
class ShownHint:
    """A hint in one language."""

    text: str
    png: bytes
    alt_text: str


def hint_picture(hint: Hint, names: Names, say: Say) -> ShownHint:
    """What is shown of a hint; may be called from any thread.

    Not from the event loop: looking for threats in BOOM may take as long as several pictures.
    """
    scene = board_scene(hint.session, names, say, hint)
    png = draw(package_of(hint.session.game).drawing, scene)
    return ShownHint(hint_text(hint, names, say), png, board_alt_text(scene, alt_phrases(say)))
