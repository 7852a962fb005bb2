"""Forms (modals): their fields, and reading what people have entered.

Like a button, a form has an id that a route reads, so it can be submitted after a restart. Requests
need not come from Discord's own client: `Entered` only returns values that were offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

import discord
from discord import Interaction

from bot.i18n import clipped

LONGEST_TITLE = 45
"""Discord's limit on the title of a form, and on the label of a field."""

Option = tuple[str, str]
"""A value, and its label."""

Field = discord.ui.Label[discord.ui.Modal]

Made = TypeVar("Made")


def form(custom_id: str, title: str, fields: Iterable[Field]) -> discord.ui.Modal:
    """A form with up to five fields, whose id a route reads."""
    made = discord.ui.Modal(title=clipped(title, LONGEST_TITLE), custom_id=custom_id)
    for field in fields:
        made.add_item(field)
    # discord.py would store a form that is not stopped, to wait for its submission.
    made.stop()
    return made


def radio(name: str, label: str, options: Sequence[Option], chosen: str) -> Field:
    """A field in which exactly one option is chosen."""
    shown = _options(discord.RadioGroupOption, options, (chosen,))
    return _field(label, discord.ui.RadioGroup(custom_id=name, options=shown))


def checkboxes(name: str, label: str, options: Sequence[Option], chosen: Iterable[str]) -> Field:
    """A field in which any number of options is chosen."""
    return _field(
        label,
        discord.ui.CheckboxGroup(
            custom_id=name,
            required=False,
            min_values=0,
            max_values=len(options),
            options=_options(discord.CheckboxGroupOption, options, chosen),
        ),
    )


def menu(name: str, label: str, options: Sequence[Option], chosen: str) -> Field:
    """A field in which one of many options is chosen."""
    shown = _options(discord.SelectOption, options, (chosen,))
    return _field(label, discord.ui.Select(custom_id=name, options=shown))


def _options(
    make: Callable[..., Made], options: Sequence[Option], chosen: Iterable[str]
) -> list[Made]:
    """The options of a field; those that are `chosen` are chosen when the form opens."""
    before = frozenset(chosen)
    return [make(label=text, value=value, default=value in before) for value, text in options]


def channel_menu(name: str, label: str, chosen: int | None) -> Field:
    """A field in which one text channel of the server is chosen, or none."""
    kind = discord.SelectDefaultValueType.channel
    before = [] if chosen is None else [discord.SelectDefaultValue(id=chosen, type=kind)]
    return _field(
        label,
        discord.ui.ChannelSelect(
            custom_id=name,
            channel_types=[discord.ChannelType.text],
            required=False,
            min_values=0,
            max_values=1,
            default_values=before,
        ),
    )


def _field(label: str, component: discord.ui.Item[Any]) -> Field:
    return discord.ui.Label(text=clipped(label, LONGEST_TITLE), component=component)


class Entered:
    """What a person has entered in a form."""

    def __init__(self, interaction: Interaction[Any]) -> None:
        """Read a submitted form."""
        data = cast("dict[str, Any]", interaction.data)
        self._values = dict(_values_in(data.get("components", ())))

    def one(self, name: str, offered: Iterable[str]) -> str | None:
        """The chosen option of a field; None if nothing that was offered is chosen."""
        return next((value for value in self._values.get(name, ()) if value in offered), None)

    def all(self, name: str, offered: Iterable[str]) -> frozenset[str]:
        """The chosen options of a field, of those that were offered."""
        return frozenset(offered).intersection(self._values.get(name, ()))

    def channel(self, name: str) -> int | None:
        """The chosen channel of a field; None for none."""
        given = next(iter(self._values.get(name, ())), "")
        return int(given) if given.isascii() and given.isdecimal() and len(given) < 20 else None


def _values_in(components: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The values of each field, by its name; a field is in a label or an action row."""
    for component in components:
        yield from _values_in(component.get("components", ()))
        yield from _values_in([component["component"]] if "component" in component else ())
        name, value = component.get("custom_id"), component.get("value")
        values = component.get("values") or ([] if value is None else [value])
        if isinstance(name, str):
            yield name, tuple(str(one) for one in values)
