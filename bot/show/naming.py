"""Names that pictures cannot write, and what stands in for them there.

Pictures have one typeface, which knows the alphabets of Europe. Discord shows every script: so the
message's text names whom the picture calls `Player 1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.words import Say
from bot.words.plain import escaped
from renderers import is_writable


def drawn_title(name: str, say: Say) -> str:
    """A name as the title of a picture."""
    return name if is_writable(name) else say("name.player_alone")


def stand_ins(names: Iterable[str], say: Say) -> dict[str, str]:
    """What stands in a picture for each of the names that it cannot write, in their order."""
    unwritable = dict.fromkeys(name for name in names if not is_writable(name))
    return {name: say("name.player", number=n) for n, name in enumerate(unwritable, 1)}


def named(stand_ins: Mapping[str, str]) -> str:
    """One line that names the stand-ins; empty if there are none."""
    return " · ".join(f"{other}: **{escaped(name)}**" for name, other in stand_ins.items())


def figures_line(figures: Iterable[tuple[str, str]]) -> str:
    """One line of labelled figures."""
    return " · ".join(f"{label} **{value}**" for label, value in figures)
