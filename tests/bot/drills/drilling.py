"""A person who solves drills, with their private message and its buttons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Driller:
    """A person with an open drill."""

    venue: Any
    actor: Any
    back: int = 0
    """How many newer private messages with a picture there are."""

    @property
    def message(self) -> Any:
        """The current state of their newest private message with a picture."""
        history = self.venue.channel.history(viewer=self.actor)
        return [m for m in history if m.flags.ephemeral and m.attachments][-1 - self.back]

    @property
    def content(self) -> str:
        """The text of the message."""
        return str(self.message.content)

    @property
    def alt_text(self) -> str:
        """The alternative text of the picture."""
        return str(self.message.attachments[0].description)

    @property
    def picture(self) -> str:
        """The picture's format: `png` for a question, `gif` for a line played out."""
        return str(self.message.attachments[0].filename).rsplit(".", 1)[1]

    async def press(self, label: str) -> Any:
        """Press one of its buttons."""
        return await self.actor.click(self.message, label=label)

    def labels(self, *, disabled: bool = False) -> list[str]:
        """The labels of the message's buttons, or only of the disabled ones."""
        buttons = [b for row in self.message.components for b in row.children]
        return [b.label for b in buttons if b.disabled or not disabled]
