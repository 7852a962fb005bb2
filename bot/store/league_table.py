"""What a server's watched games come to: who beat whom, and how each agent played."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.league_records import AgentFigures, PairFigures, WatchedGame


@dataclass(frozen=True, slots=True)
class Results:
    """The results of one agent, of all its games or of those against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Games with a result; a game against itself is two."""
        return self.wins + self.draws + self.losses

    def plus(self, wins: int, draws: int, losses: int) -> Results:
        """These results and more."""
        return Results(self.wins + wins, self.draws + draws, self.losses + losses)


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """What a server's watched games of one family come to."""

    games: int
    results: dict[str, Results]
    """By agent, over all its seats."""
    against: dict[tuple[str, str], Results]
    """By agent and opponent; of an agent against itself, as the side that moved first saw it."""
    figures: dict[str, AgentFigures]
    """How each agent played, in the games that have been judged."""
    latest: tuple[WatchedGame, ...]


def league_table(
    pairs: tuple[PairFigures, ...],
    agents: tuple[AgentFigures, ...],
    latest: tuple[WatchedGame, ...],
) -> LeagueTable:
    """Add up what is stored of watched games."""
    results: dict[str, Results] = {}
    against: dict[tuple[str, str], Results] = {}
    for pair in pairs:
        first = (pair.first_wins, pair.draws, pair.second_wins)
        key = (pair.first, pair.second)
        results[pair.first] = results.get(pair.first, Results()).plus(*first)
        results[pair.second] = results.get(pair.second, Results()).plus(*reversed(first))
        against[key] = against.get(key, Results()).plus(*first)
        if pair.first != pair.second:
            back = (pair.second, pair.first)
            against[back] = against.get(back, Results()).plus(*reversed(first))
    games = sum(pair.games for pair in pairs)
    return LeagueTable(games, results, against, {a.agent: a for a in agents}, latest)
