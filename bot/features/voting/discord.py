"""Votes on Discord: the command `together`, votes by commands and buttons, and the boards' lines.

A vote does not edit the board at once: it then differs from what is stored, so `Convergence` shows
all votes of the last seconds with one edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from discord import Interaction, app_commands

from bot.board.messages import BoardLine, Button
from bot.board.setups import game_from_text, setup_for
from bot.board.starting import GameStarter
from bot.discord.commands import (
    GameCommand,
    choices,
    command,
    game_option,
    level_choices,
    option,
    suggest_variants_by_game,
)
from bot.discord.replies import acknowledge, answer_privately, channel_of, confirm
from bot.discord.routes import GAME, CustomId, game_action
from bot.feature import Core
from bot.features.voting.rules import Voting
from bot.game.refusal import Control, Refusal
from bot.game.session import Session
from bot.i18n import Translator, escaped, say_for
from bot.show.moves import button_words, caption
from bot.show.plates import plate_names
from bot.show.scenes import Names
from bot.store.records import agent, channel
from bot.store.tables import THE_RESULT
from engine.core.game import Game
from engine.core.registry import games
from engine.strength.roster import LEVELS

TOGETHER = "hard"
"""The default level against a channel: a strong one, because many people play together."""

DRAW = "0"
"""The choice of a draw in a vote on who wins."""

CHOICES = ("1", DRAW, "2")
"""The choices in a vote on who wins, in the order of their buttons."""

MAX_NAMED = 10
"""The most correct voters that are named."""

MAX_LETTERS = 80
"""Discord's limit on a button's label."""

USUAL_SECONDS, SHORTEST, LONGEST = 60, 30, 86_400
"""The default, minimum and maximum seconds for a vote on a move."""

GUESS = CustomId("guess", GAME, "(?P<winner>[012])", game=int)
"""The ids of buttons that vote on who wins a game."""

GO = game_action("go")


class VoteHandler:
    """Begins games of a channel, and takes votes on its moves and on who wins watched games."""

    def __init__(self, core: Core, voting: Voting) -> None:
        """Use the services of `core`; take votes in `voting`."""
        self._core = core
        self._voting = voting
        self._starter = GameStarter(core.sessions, core.runner, core.limiter)

    def command(self) -> GameCommand:
        """The command `together`."""

        @command("together", "level", "first", "seconds")
        @option("variant", "board")
        @game_option(games())
        @app_commands.choices(
            level=level_choices(LEVELS), first=choices("begins", ("channel", "bot", "random"))
        )
        async def together(
            interaction: Interaction[Any],
            game: str | None = None,
            level: str = TOGETHER,
            variant: str | None = None,
            seconds: app_commands.Range[int, SHORTEST, LONGEST] = USUAL_SECONDS,
            first: str = "channel",
        ) -> None:
            self._core.answering.require_in_time(interaction)
            family = await self._core.chosen(interaction, game, variant=variant)
            if not SHORTEST <= seconds <= LONGEST:
                raise Refusal("vote_seconds", least=SHORTEST, most=LONGEST)
            begins = first == "channel" or (first == "random" and self._core.toss())
            seats = (channel(), agent(level)) if begins else (agent(level), channel())
            played = game_from_text(family.key, variant or family.usual)
            order = setup_for(interaction, played, *seats)
            await self._starter.begin(interaction, replace(order, vote_seconds=float(seconds)))

        suggest_variants_by_game(together)
        return together

    async def take(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Take a vote on a move by command."""
        session = await self._vote(interaction, text, family=family)
        await confirm(answer_privately(interaction, _voted_text(session, interaction)))
        await self._core.boards.answer_if_unshown(interaction, session)

    async def take_click(
        self, interaction: Interaction[Any], control: Control, text: str
    ) -> Session:
        """Take a vote on a move by button, and return the game, whose board may need an update."""
        session = await self._vote(interaction, text, control=control)
        # Acknowledged silently first: the board can then be edited with this interaction.
        await confirm(acknowledge(interaction))
        await confirm(answer_privately(interaction, _voted_text(session, interaction)))
        return session

    async def guess(self, interaction: Interaction[Any], game_id: int, winner: str) -> None:
        """Take a vote on who wins."""
        channel_id, user_id = channel_of(interaction), interaction.user.id
        is_late = partial(self._core.answering.is_late, interaction)
        session = await self._voting.guess(channel_id, user_id, game_id, winner, is_late)
        await confirm(acknowledge(interaction))
        await self._core.boards.note_click(interaction, session)
        say = say_for(interaction.locale.value)
        text = say("guess.yours", name=escaped(choice_name(session, winner, say)))
        await confirm(answer_privately(interaction, text))
        await self._core.boards.answer_if_unshown(interaction, session)

    async def begin(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin a watched game early."""
        self._core.answering.require_in_time(interaction)
        session = await self._voting.begin(
            channel_of(interaction),
            interaction.user.id,
            game_id,
            moderator=interaction.permissions.manage_messages,
        )
        await confirm(acknowledge(interaction))
        await self._core.runner.resume(session)
        await self._core.boards.answer_if_unshown(interaction, session)

    async def _vote(self, interaction: Interaction[Any], text: str, **asked: Any) -> Session:
        is_late = partial(self._core.answering.is_late, interaction)
        channel_id, user_id = channel_of(interaction), interaction.user.id
        present = await self._core.sessions.games.current(channel_id)
        if present is not None:
            # The agent's answer to the move would tell as much as a hint.
            await self._core.contributions.require_help(user_id, (present.position,))
        return await self._voting.vote(channel_id, user_id, text, **asked, is_late=is_late)


def _voted_text(session: Session, interaction: Interaction[Any]) -> str:
    """The vote that a person has given."""
    say, ballot = say_for(interaction.locale.value), session.ballot
    vote = None if ballot is None else ballot.vote_of(interaction.user.id, session.number)
    assert vote is not None, "it has just been stored"
    move = session.game.parse(vote.choice)
    return say("vote.yours", move=button_words(session.game, move, say))


def _end_of_vote(session: Session) -> str:
    """When the present vote ends, for Discord to show as a countdown."""
    until = None if session.ballot is None else session.ballot.until
    assert until is not None, "a vote is under way"
    return f"<t:{int(until)}:R>"


def guess_button(choice: str) -> Callable[[Session, Translator], Button | None]:
    """Return a factory of the button that votes for a side or a draw until the game begins."""

    def make(session: Session, say: Translator) -> Button | None:
        if not session.awaits_guesses:
            return None
        is_draw = choice == DRAW
        label = say("button.guess_draw") if is_draw else choice_name(session, choice, say)
        return GUESS.button(session.id, choice, label=label[:MAX_LETTERS])

    return make


def choice_name(session: Session, choice: str, say: Translator) -> str:
    """The name of a side of a watched game, or of a draw."""
    if choice == DRAW:
        return say("guess.draw")
    return plate_names(session, {}, say)[int(choice) - 1]


async def votes_line(session: Session, _names: Names, say: Translator) -> str | None:
    """The votes that a game waits for, counted, and when the vote ends."""
    ballot = session.ballot
    if ballot is None or not (session.awaits_guesses or session.awaits_channel):
        return None
    if ballot.until is None:
        return say("vote.open", time=say.duration(ballot.seconds))
    if session.awaits_guesses:
        tally = ballot.tally(THE_RESULT)
        votes = [
            say("vote.one", choice=escaped(name), count=say.number(tally.get(choice, 0)))
            for choice in CHOICES
            for name in [choice_name(session, choice, say)]
        ]
        key = "guess.tally"
    else:
        votes = list(_votes_on_moves(session.game, ballot.tally(session.number), say))
        key = "vote.tally"
    return say(key, votes=" · ".join(votes), until=_end_of_vote(session))


def _votes_on_moves(game: Game, tally: Mapping[str, int], say: Translator) -> Iterator[str]:
    """Yield each move with its votes, as parts of a sentence that begins with the first."""
    for number, (text, count) in enumerate(tally.items()):
        move = game.parse(text)
        if number == 0:
            first = caption(game, move, say)
            yield say("vote.one", choice=first, count=say.count("votes", count))
        else:
            words = button_words(game, move, say)
            yield say("vote.one", choice=words, count=say.number(count))


def right_guesses_line(core: Core) -> BoardLine:
    """The line below a finished game that names the people who guessed its result."""

    async def write(session: Session, _names: Names, say: Translator) -> str | None:
        """The names of people whose guess was right, earliest first; hidden ones are counted."""
        ballot, end = session.ballot, session.end
        given = ballot.about(THE_RESULT) if ballot is not None else ()
        if not given or end is None or not end.ending.has_result:
            return None
        winner = str(end.winner or DRAW)
        right = [vote.user_id for vote in given if vote.choice == winner]
        if not right:
            return say("guess.nobody")
        shown: list[int] = []
        for user_id in right:
            if len(shown) < MAX_NAMED and not await core.store.players.is_private(user_id):
                shown.append(user_id)
        if not shown:
            return say("guess.right", names=say.number(len(right)))
        found = await core.names.of(shown, say)
        listed = ", ".join(f"**{escaped(name)}**" for name in found.values())
        others = len(right) - len(shown)
        if others:
            listed = say("guess.others", names=listed, count=say.number(others))
        return say("guess.right", names=listed)

    return BoardLine(70, write)
