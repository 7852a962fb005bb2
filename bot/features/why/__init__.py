"""Explanations of an agent's last move: its own values of all moves, beside the exact ones.

For games that are over, among the details of their review, and for those between agents that people
watch, under their boards. The answer is a private table of text.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from discord import Interaction

from bot.board.messages import BoardButton, Button
from bot.board.moves import require_seen
from bot.discord.routes import game_action
from bot.feature import Core, Feature, Parts
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, escaped, say_for
from bot.sessions.people import Limiter, RequireHelp
from bot.sessions.running import RunningGames
from bot.show.scenes import seat_name
from bot.store.records import MoveRecord
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.agent import Explanation
from engine.core.analysis import Analysis
from engine.core.game import Move, Player, Position
from engine.core.values import is_decided, moves_to_end
from engine.strength.ladder import is_rung
from engine.strength.perfect import Perfect
from engine.strength.roster import LEVELS
from engine.study.explaining import Explain, Explained

WHY = game_action("why")

PATIENCE = 20.0
"""Seconds that one explanation may take: ten times longer than the slowest."""

KEPT = 64
"""Answers that are kept: many people watch the same board."""


def build(core: Core) -> Parts:
    """The button and its handler."""
    explanations = Explanations(core.sessions.games, core.workers)
    handler = WhyHandler(explanations, core.limiter, core.contributions.require_help)
    return Parts(
        routes=(WHY.route(handler.explain),),
        board_buttons=(
            BoardButton(110, why_button),
            BoardButton(110, explain_button, under="details"),
        ),
    )


def why_button(session: Session, say: Translator) -> Button | None:
    """The button under the board of a running game without players, once an agent has moved."""
    is_watched = session.is_watched and not session.awaits_guesses
    if session.is_over or not is_watched or _last_by_agent(session) is None:
        return None
    return WHY.button(session.id, label=say("button.why"))


def explain_button(session: Session, say: Translator) -> Button | None:
    """The button among the details of a finished game's review, if an agent has moved."""
    if not session.is_over or _last_by_agent(session) is None:
        return None
    return WHY.button(session.id, label=say("button.explain"))


def _last_by_agent(session: Session) -> int | None:
    """How many moves had been made before the last one of an agent; None if none has moved."""
    by_agents = [number for number, made in enumerate(session.moves) if made.user_id is None]
    last = by_agents[-1] if by_agents else None
    return None if last is None or last < session.setup.opening else last


@dataclass(frozen=True, slots=True)
class WhyHandler:
    """Explains an agent's last move to one person."""

    explanations: Explanations
    limiter: Limiter
    require_help: RequireHelp

    async def explain(self, interaction: Interaction[Any], game_id: int) -> None:
        """Explain the last move of an agent in a game."""
        choice = await self.explanations.last_choice(game_id)
        require_seen(choice.before, interaction)
        await self.require_help(interaction.user.id, (choice.before.position,))
        self.limiter.take("hints", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        found = await self.explanations.of(choice, interaction.user.id)
        say, before = say_for(interaction.locale.value), choice.before
        name = escaped(seat_name(before, choice.player, {}, say))
        chosen = before.game.parse(choice.move.move)
        text = why_text(name, before.position, chosen, found, say)
        await interaction.edit_original_response(content=text)


@dataclass(frozen=True, slots=True)
class Choice:
    """An agent's move, and the game before it."""

    before: Session
    move: MoveRecord

    @property
    def player(self) -> Player:
        """The side that moved."""
        return Player(self.move.player)

    @property
    def agent(self) -> str:
        """The name of the agent that moved, as it is stored."""
        name = self.before.seat(self.player).agent
        assert name is not None, "an agent has moved"
        return name


class Explanations:
    """Explains agents' moves; does not depend on Discord."""

    def __init__(self, games: RunningGames, workers: Workers) -> None:
        self._games = games
        self._workers = workers
        self._known = AnswerCache[Explained](KEPT)

    async def last_choice(self, game_id: int) -> Choice:
        """The last move of an agent in a game; refused while people play it."""
        session = await self._games.require(game_id)
        # It would be a hint, and spectators could pass it on to the players.
        if not session.is_watched and not session.is_over:
            raise Refusal("why_running")
        made = _last_by_agent(session)
        if made is None:
            raise Refusal("why_no_agent")
        if session.moves[made].is_unsearched:
            raise Refusal("why_unsearched")
        return Choice(session.until(made), session.moves[made])

    async def of(self, choice: Choice, user_id: int) -> Explained:
        """The values that the agent gave the moves, and the exact ones.

        Refused if the engine fails, and if the person waits for another answer of it.
        """
        claim = Claim(Kind.EXPLANATION, user_id, choice.before.guild_id)
        job = choice.before.job(Explain(choice.agent))
        return await self._workers.ask(job, claim, self._known, PATIENCE, failed="why_failed")


UNKNOWN = "–"

CHOSEN = ">"
"""The mark of the move that was made: a character that all typefaces and screen readers have."""


def why_text(name: str, position: Position, chosen: Move, found: Explained, say: Translator) -> str:
    """An explanation in Markdown: the agent's choice, a table of all moves, and remarks.

    `name` is the agent's; `position` is the one before its move.
    """
    game, seen = position.game, found.explanation
    move = say.move(game.key, game.label(chosen))
    lines = [
        say("why.title", name=name, number=position.ply + 1, move=move),
        "```",
        *_table(position, chosen, found, say),
        "```",
    ]
    # Rungs and levels make mistakes on purpose, except perfect play.
    errs = seen.chances is None and seen.agent != Perfect().name
    if chosen not in seen.choices and errs:
        best = ", ".join(say.move(game.key, game.label(m)) for m in seen.choices)
        lines.append(say("why.erred", moves=best))
    if found.exact is None:
        lines.append(say("why.unproven"))
    nodes = say.count("nodes", seen.nodes)
    lines.append(say("why.looked", count=say.count("plies", seen.depth), nodes=nodes))
    return "\n".join(lines)


def _table(position: Position, chosen: Move, found: Explained, say: Translator) -> list[str]:
    """The lines of the table: a heading, then the legal moves in the order of their buttons."""
    game = position.game
    heading = ("", say("why.move"), say("why.saw"), say("why.exact"))
    rows = [
        (
            CHOSEN if move == chosen else "",
            say.move(game.key, game.label(move)),
            _seen(found.explanation, move, say),
            _exact(found.exact, move, position.ply, say),
        )
        for row in game.buttons()
        for move in row
        if move in found.explanation.values
    ]
    table = [heading, *rows]
    mark, move, saw = (max(len(row[i]) for row in table) for i in range(3))
    return [f"{a:<{mark}} {b:<{move}}  {c:>{saw}}  {d}".rstrip() for a, b, c, d in table]


def _seen(explanation: Explanation, move: Move, say: Translator) -> str:
    """The value that the agent gave a move, in its own unit."""
    agent, value = explanation.agent, explanation.values[move]
    # On the engine's scale wins have a number.
    is_of_engine = agent in LEVELS or is_rung(agent)
    if is_of_engine and isinstance(value, int) and is_decided(value):
        return say("why.win" if value > 0 else "why.loss")
    if isinstance(value, Decimal):
        places = -int(value.normalize().as_tuple().exponent)
        return say.number(float(value), max(places, 0))
    return say.number(value)


def _exact(exact: Analysis | None, move: Move, ply: int, say: Translator) -> str:
    """The exact value of a move."""
    if exact is None:
        return UNKNOWN
    score = exact.scores[move]
    if score == 0:
        return say("why.draw")
    key = "why.wins_in" if score > 0 else "why.loses_in"
    return say(key, moves=moves_to_end(score, ply))


FEATURE = Feature("why", build)
