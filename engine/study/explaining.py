"""Explanations of an agent's move: its own evaluation, beside the exact values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.core.agent import FULL_MARGIN, Agent, Explanation, highest
from engine.core.analysis import Analysis
from engine.core.game import Game, Move, Position, replay
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.strength.agent import Strength
from engine.strength.ladder import RungAgent, ladder_of
from engine.strength.perfect import Perfect
from engine.strength.roster import nearest_agent, within


@dataclass(frozen=True, slots=True)
class Explained:
    """An agent's evaluation of a position, with the exact values."""

    explanation: Explanation
    exact: Analysis | None
    """The proven value of every move; None if proving them takes too long."""


def explained(
    agent: Agent, position: Position, seconds: float, stop: Stop | None = None
) -> Explained:
    """Return an agent's evaluation of a position, with the exact values.

    Proving those may take `seconds`; perfect play is also explained within that time.
    """
    if isinstance(agent, Perfect):
        agent = replace(agent, seconds=min(agent.seconds, seconds))
    exact = None
    if position.outcome is None:
        exact = package_of(position).prove(position, seconds=seconds, stop=stop)
    if isinstance(agent, Perfect) and exact is not None:
        return Explained(_explanation(agent.name, exact), exact)
    return Explained(explanation_of(agent, position, stop), exact)


def explanation_of(agent: Agent, position: Position, stop: Stop | None = None) -> Explanation:
    """Return an agent's evaluation of a position, which may be over.

    A rung is explained at its best: all its plies, without noise and without oversights. Its values
    are on the scale of `engine.core.compiled.scores`. Raises ValueError for an agent that cannot
    explain its evaluation.
    """
    if isinstance(agent, RungAgent):
        agent = ladder_of(position.game).nearest(agent.name).agent
    if isinstance(agent, Strength):
        return _searched(agent.name, position, Limit(agent.depth, nodes=agent.nodes), stop)
    if isinstance(agent, Perfect):
        return _proven(agent, position, stop)
    own: Any = getattr(agent, "explain", None)
    if own is None:
        raise ValueError(f"{agent.name} cannot say what it sees")
    explanation: Explanation = own(position, stop=stop)
    return explanation


def _proven(agent: Perfect, position: Position, stop: Stop | None) -> Explanation:
    """The exact values if they can be proven in the agent's time, otherwise those of a search."""
    found = None
    if position.outcome is None:
        found = package_of(position).prove(position, seconds=agent.seconds, stop=stop)
    if found is None:
        return _searched(agent.name, position, Limit(seconds=agent.seconds), stop)
    return _explanation(agent.name, found)


def _searched(name: str, position: Position, limit: Limit, stop: Stop | None) -> Explanation:
    """The values of a search by the engine."""
    if position.outcome is not None:
        return Explanation(name, None, {}, (), None, 0, 0)
    return _explanation(name, analyse(position, limit, stop, FULL_MARGIN, kind=KernelKind.FITTED))


def _explanation(name: str, found: Analysis) -> Explanation:
    """An analysis as an explanation, with its moves from the left."""
    values = dict(sorted(found.scores.items()))
    return Explanation(name, None, values, highest(values), None, found.depth, found.nodes)


@dataclass(frozen=True, slots=True)
class Explain:
    """The task of explaining an agent's evaluation of the position, beside the exact values."""

    priority: ClassVar[int] = 20
    takes_limit: ClassVar[bool] = True

    agent: str
    """The name of the agent; if it no longer exists, the nearest one is explained."""
    seconds: float = 1.0
    """Seconds for proving the exact values."""

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> Explained:
        """Return the agent's evaluation after `moves`; the game may be over."""
        position, agent = replay(game, moves), nearest_agent(game, self.agent)
        if limit is not None:
            agent = within(limit, agent, position)
        return explained(agent, position, self.seconds, stop)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()
