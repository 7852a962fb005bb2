"""The question before a person's first game: how much they play. It sets where `auto` begins.

It is asked once in a lifetime, when a person who has never played presses Play. Every answer, also
none, begins the game; a second press of Play does so without one.
"""

from __future__ import annotations

import json
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.setups import game_from_text, setup_for
from bot.board.starting import GameStarter
from bot.discord.names import jump_url
from bot.discord.replies import acknowledge, answer_privately, confirm, replace
from bot.discord.routes import FAMILY, SIZE, CustomId, lasting_view
from bot.feature import Core, Feature, Parts, PersonalData
from bot.i18n import Translator, say_for
from bot.store.records import AUTO, Experience, GameSetup, agent, person
from engine.core.game import Game
from engine.core.registry import games

SAID = "|".join(Experience)

EXPERIENCE = CustomId(
    "experience", f"(?P<said>{SAID})", f"(?P<family>{FAMILY})", f"(?P<variant>{SIZE})"
)
"""The ids of buttons that answer the question and begin a game."""


ANSWERS = {
    Experience.FIRST: "experience.answer.first",
    Experience.SOMETIMES: "experience.answer.sometimes",
    Experience.OFTEN: "experience.answer.often",
    Experience.CLUB: "experience.answer.club",
    Experience.UNKNOWN: "experience.answer.unknown",
}
"""The texts of all answers; the last one says nothing."""


def answers_view(game: Game, say: Translator) -> discord.ui.View:
    """The buttons of all answers."""
    view = lasting_view()
    for said, text in ANSWERS.items():
        is_main = said is Experience.UNKNOWN
        style = ButtonStyle.primary if is_main else ButtonStyle.secondary
        button = EXPERIENCE.button(said, game.key, game.variant, label=say(text), style=style)
        view.add_item(button)
    return view


def build(core: Core) -> Parts:
    """The question, its answers, and what is stored of them."""
    starter = GameStarter(core.sessions, core.runner, core.limiter)

    async def ask(interaction: Interaction[Any], game: Game) -> bool:
        user_id, store = interaction.user.id, core.store
        if await store.players.experience(user_id) is not None:
            return False
        if await store.results.latest_family(user_id, tuple(games())) is not None:
            return False
        # Where no game can begin, that is said at once instead.
        await core.sessions.require_capacity(_setup(interaction, game))
        await store.players.note_experience(user_id, Experience.UNKNOWN, core.clock())
        say = say_for(interaction.locale.value)
        await answer_privately(interaction, say("experience.ask"), answers_view(game, say))
        return True

    async def answer(interaction: Interaction[Any], said: str, family: str, variant: str) -> None:
        core.answering.require_in_time(interaction)
        user_id, say = interaction.user.id, say_for(interaction.locale.value)
        setup, players = _setup(interaction, game_from_text(family, variant)), core.store.players
        if await players.experience(user_id) is Experience.UNKNOWN:
            await players.note_experience(user_id, Experience(said), core.clock())
        # The question is changed once its game has begun.
        await acknowledge(interaction)
        await starter.begin(interaction, setup)
        if core.runner.apart.is_asked(interaction):
            return
        present = await core.sessions.games.current(setup.channel_id)
        if present is not None:
            text = say("experience.begun", link=jump_url(present.place))
            await confirm(replace(interaction, text))

    async def describe(user_id: int, say: Translator) -> str:
        said = await core.store.players.experience(user_id) or Experience.UNKNOWN
        shown = "–" if said is Experience.UNKNOWN else say(ANSWERS[said])
        return say("stored.experience", said=shown)

    async def files(user_id: int) -> dict[str, str]:
        said = await core.store.players.experience(user_id)
        return {} if said is None else {"experience.json": json.dumps({"plays": said}) + "\n"}

    return Parts(
        question=ask,
        routes=(EXPERIENCE.route(answer),),
        personal=PersonalData(order=45, files=files, describe=describe),
    )


def _setup(interaction: Interaction[Any], game: Game) -> GameSetup:
    return setup_for(interaction, game, person(interaction.user.id), agent(AUTO))


FEATURE = Feature("experience", build)
