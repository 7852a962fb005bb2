"""A plain model of one game: a list of moves and the side to move. The rules are the engine's."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core.game import Game, IllegalMove, NotAMove, Position

LEAST_MOVES = 4


class ExpectedRefusal(Exception):
    """The program should refuse, with this key."""

    @property
    def key(self) -> str:
        """The key of the expected refusal."""
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class RequestedGame:
    """A requested game; a seat without a person belongs to an agent."""

    channel: int
    asker: int | None
    """The player who began it; None for a person whose data was deleted."""
    game: Game
    seats: tuple[int | None, int | None]
    seconds: float | None = None


@dataclass(slots=True)
class Played:
    """A game in the model."""

    id: int
    requested: RequestedGame
    position: Position
    at: float
    """The time of its last change."""
    moves: list[str] = field(default_factory=list)
    sides: list[int] = field(default_factory=list)
    serials: list[int] = field(default_factory=list)
    """A number for each move that no other move of the game has ever had."""
    made: int = 0
    """How many moves were ever made."""
    undos: int = 0
    ending: str | None = None
    winner: int | None = None
    is_deleted: bool = False

    @property
    def people(self) -> list[int]:
        """The players, without agents."""
        return list(dict.fromkeys(user for user in self.requested.seats if user is not None))

    @property
    def mover(self) -> int | None:
        """The person to move; None for an agent."""
        return self.requested.seats[int(self.position.to_move) - 1]

    def other(self, user: int) -> int | None:
        """The opponent of this player."""
        return next((one for one in self.people if one != user), None)

    def side(self, user: int) -> int:
        """The side of a player who has a seat."""
        return self.requested.seats.index(user) + 1

    def require_seated(self, user: int) -> None:
        """Refuse people who do not play in this game."""
        if user not in self.people:
            raise ExpectedRefusal("not_your_game")

    def require_turn(self, user: int) -> None:
        """Refuse people who are not to move."""
        self.require_seated(user)
        if self.mover != user:
            raise ExpectedRefusal("cuatro_thinking" if self.mover is None else "not_your_turn")

    def make(self, text: str, at: float) -> None:
        """Make a move for the side to move."""
        try:
            move = self.requested.game.parse(text)
            position = self.position.play(move)
        except NotAMove as error:
            raise ExpectedRefusal("not_a_move") from error
        except IllegalMove as error:
            raise ExpectedRefusal(f"illegal.{error.reason}") from error
        self.moves.append(self.requested.game.label(move))
        self.sides.append(int(self.position.to_move))
        self.serials.append(self.made)
        self.made += 1
        self.position, self.at = position, at
        if position.outcome is not None:
            winner = position.outcome.winner
            self.ending, self.winner = position.outcome.ending, winner and int(winner)

    def remaining(self, user: int) -> int:
        """The number of moves that remain after this person's last turn is taken back."""
        if not self.people:
            raise ExpectedRefusal("undo_watched")
        self.require_seated(user)
        mine = self.side(user)
        if mine not in self.sides:
            raise ExpectedRefusal("undo_nothing")
        last = max(n for n, side in enumerate(self.sides) if side == mine)
        while last and self.sides[last - 1] == mine:
            last -= 1
        return last

    def take_back(self, remaining: int, at: float) -> None:
        """Keep only the first moves."""
        self.position = self.requested.game.start()
        for text in self.moves[:remaining]:
            self.position = self.position.play(self.requested.game.parse(text))
        del self.moves[remaining:], self.sides[remaining:], self.serials[remaining:]
        self.undos += 1
        self.at = at

    def end(self, ending: str, winner: int | None) -> None:
        """End without a move; a game with too few moves is called off."""
        begun = len(self.moves) >= LEAST_MOVES
        early = "halted" if ending == "stopped" and self.people else "aborted"
        self.ending, self.winner = (ending, winner) if begun else (early, None)
