"""A game against an agent in the terminal."""

from __future__ import annotations

from random import Random

from engine.core.agent import Agent
from engine.core.game import Game, IllegalMove, NotAMove, Player, Position


def play_in_terminal(game: Game, agent: Agent, *, engine_first: bool) -> None:
    """Play until the game is over, the input ends, or the person types `q`."""
    person = Player.SECOND if engine_first else Player.FIRST
    position, rng = game.start(), Random()
    print(
        f"You are {int(person)}. Type a move such as {game.label(position.legal_moves()[0])}, or q."
    )
    while position.outcome is None:
        print(_text(position))
        if position.to_move is person:
            following = _ask(position)
            if following is None:
                return
            position = following
        else:
            result = agent.choose(position, rng=rng)
            print(f"{agent.name}: {game.label(result.move)} (depth {result.depth})")
            position = position.play(result.move)
    print(_text(position))
    winner = position.outcome.winner
    print("A draw." if winner is None else "You win." if winner is person else "You lose.")


def _ask(position: Position) -> Position | None:
    """Ask until a legal move is typed; returns None if the person quits."""
    while True:
        try:
            text = input("> ").strip()
        except EOFError:
            return None
        if text == "q":
            return None
        try:
            return position.play(position.game.parse(text))
        except (NotAMove, IllegalMove) as error:
            print(error)


def _text(position: Position) -> str:
    rows = "\n".join(" ".join(row) for row in position.cells())
    labels = [position.game.label(move) for row in position.game.buttons() for move in row]
    return f"\n{rows}\n{' '.join(labels)}"
