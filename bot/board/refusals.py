"""The buttons under a refusal: what the person can do instead, one press away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

import discord
from discord import ButtonStyle

from bot.board.messages import REMATCH, SHOW, Button
from bot.board.welcome import DIRECT, HELP, friend_button, play_button
from bot.discord.retries import Repeatable, Used, retry_button
from bot.discord.routes import lasting_view
from bot.game.refusal import Refusal
from bot.i18n import Translator
from engine.core.registry import games

PLAY = {
    "already_over",
    "challenge_bot",
    "challenge_self",
    "discontinued",
    "game_is_gone",
    "illegal.over",
    "no_game",
    "not_in_that_game",
    "not_your_game",
    "opponent_is_busy",
    "rematch_former",
    "rematch_not_yours",
    "unknown_button",
}
"""The refusals that offer a new game against the bot; so do those of features with `play=True`."""

FRIENDS = {"again_not_yours", "challenge_over", "not_your_challenge"}
"""The refusals that offer the form for challenges."""

SHOWN = {"moved_on", "unexpected"}
"""The refusals and failures that offer the board of the channel's game."""

RETRIED = {"missing_permissions", "store_busy"}
"""The refusals that offer to repeat the request, beside those of searches that failed."""

HELPED = {"unknown_button"}
"""The refusals that offer help."""

Offers = Iterable[tuple[str, str]]
"""The ids of buttons, and the keys of their labels."""


def view_below(
    refusal: Refusal, family: str, say: Translator, request: Repeatable | None = None
) -> discord.ui.View | None:
    """The buttons under a refusal of a request about a game of `family`; None for none.

    A finished game offers a rematch where the refusal names it in its detail `over`. A failed
    `request` can be repeated, and one with a wrong size with another size. The detail `offers` has
    the ids of further buttons, each with the key of its label.
    """
    key = refusal.key.removeprefix("refusal.")
    view = lasting_view()
    if key in RETRIED or key.endswith("_failed"):
        _add(view, retry_button(request, say("button.try_again")))
    if "direct" in refusal.details:
        at = cast("tuple[str, str, str]", refusal.details["direct"])
        view.add_item(DIRECT.button(*at, label=say("button.direct")))
    if key == "not_a_variant" and isinstance(request, Used):
        for button in _variants(request, str(refusal.details["text"]), family, say):
            _add(view, button)
    if over := refusal.details.get("over"):
        view.add_item(REMATCH.button(over, label=say("button.rematch")))
    if key in PLAY or refusal.details.get("play"):
        style = ButtonStyle.primary if key == "no_game" else ButtonStyle.secondary
        view.add_item(play_button(family, say, style))
    if key in SHOWN:
        view.add_item(SHOW.button(label=say("button.show_board")))
    if key in FRIENDS:
        view.add_item(friend_button(say))
    for custom_id, label in cast("Offers", refusal.details.get("offers", ())):
        view.add_item(discord.ui.Button(custom_id=custom_id, label=say(label)))
    if key in HELPED:
        view.add_item(HELP.button(family, label=say("button.get_help")))
    return view if view.children else None


def _add(view: discord.ui.View, button: Button | None) -> None:
    if button is not None:
        view.add_item(button)


def _variants(used: Used, text: str, family: str, say: Translator) -> Iterator[Button | None]:
    """Buttons that use a command again with another variant than `text`."""
    package = games()[family]
    for variant in package.suggested_variants:
        changed = used.replacing(text, variant)
        style = ButtonStyle.primary if variant == package.usual else ButtonStyle.secondary
        yield retry_button(changed, say.variant(family, variant), style)
