"""Votes: on the moves of a channel that plays together, and on who wins a watched game."""

from __future__ import annotations

from bot.board.messages import BoardButton, BoardLine, game_button
from bot.discord.commands import GlobalCommand
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.voting.discord import (
    CHOICES,
    GO,
    GUESS,
    VoteHandler,
    guess_button,
    right_guesses_line,
    votes_line,
)
from bot.features.voting.rules import Voting, votes_as_csv
from bot.features.voting.store import Votes, count_votes

GUESSES = -1
"""The row of the buttons for guesses, above those that start or stop the game."""


def build(core: Core) -> Parts:
    """The command `together`, votes on moves and on who wins, and their part of boards."""
    votes = Votes(core.store.database)
    voting = Voting(votes, core.sessions.games, core.ownership.id, core.clock)
    handler = VoteHandler(core, voting)

    async def files(user_id: int) -> dict[str, str]:
        given = await votes.of(user_id)
        return {"votes.csv": votes_as_csv(given)} if given else {}

    return Parts(
        global_commands=(GlobalCommand(20, handler.command()),),
        routes=(GUESS.route(handler.guess), GO.route(handler.begin)),
        board_lines=(BoardLine(40, votes_line), right_guesses_line(core)),
        board_buttons=(
            *(BoardButton(n, guess_button(choice), GUESSES) for n, choice in enumerate(CHOICES)),
            game_button(60, GO, lambda session: session.awaits_guesses),
        ),
        channel_moves=handler,
        deadlines=(voting.settle,),
        personal=PersonalData(order=30, count=count_votes, files=files, leave=voting.withdraw_all),
    )


FEATURE = Feature("voting", build)
