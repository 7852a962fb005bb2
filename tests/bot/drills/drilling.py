"""A person who solves drills: their private message, and its buttons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Driller:
    """A person with a drill."""

    venue: Any
    actor: Any

    @property
    def message(self) -> Any:
        """Their newest private message with a picture, as it is now."""
        history = self.venue.channel.history(viewer=self.actor)
        return [m for m in history if m.flags.ephemeral and m.attachments][-1]

    @property
    def content(self) -> str:
        """What it says."""
        return str(self.message.content)

    @property
    def told(self) -> str:
        """Its picture in words."""
        return str(self.message.attachments[0].description)

    @property
    def picture(self) -> str:
        """The kind of its picture: `png` for a question, `gif` for what is played out."""
        return str(self.message.attachments[0].filename).rsplit(".", 1)[1]

    async def press(self, label: str) -> Any:
        """Press one of its buttons."""
        return await self.actor.click(self.message, label=label)

    def labels(self, *, disabled: bool = False) -> list[str]:
        """The labels of its buttons, or of those that cannot be pressed."""
        buttons = [b for row in self.message.components for b in row.children]
        return [b.label for b in buttons if b.disabled or not disabled]
