"""A plain model of all games: dictionaries and lists, without store, locks or clock.

Each method does what the program should do, or raises `ExpectedRefusal` with the key of the
refusal that the program should give. The rules of the games themselves are the engine's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.bot.sessions.plain_game import LEAST_MOVES, ExpectedRefusal, Played, RequestedGame

FORMER = -1
"""The seat of a person whose data was deleted."""
MAX_GAMES = 2
CHALLENGE_SECONDS = 600.0
USUAL_SECONDS = 48 * 3600.0


@dataclass(slots=True)
class Question:
    """A request to take back, an offer of a draw, or a challenge."""

    asker: int
    game: int = 0
    made: int = 0
    remaining: int = 0
    undos: int = 0
    serial: int = -1
    """The number of the first move that a request would take back."""
    answer: str | None = None
    requested: RequestedGame | None = None
    expires: float = 0.0
    is_deleted: bool = False


@dataclass(slots=True)
class Model:
    """All games and questions by id; ids count from one."""

    games: dict[int, Played] = field(default_factory=dict)
    undos: dict[int, Question] = field(default_factory=dict)
    draws: dict[int, Question] = field(default_factory=dict)
    challenges: dict[int, Question] = field(default_factory=dict)
    now: float = 0.0

    def running(self, channel: int) -> Played | None:
        """The channel's running game."""
        of = (g for g in self.games.values() if g.requested.channel == channel and g.ending is None)
        return next(of, None)

    def present(self, channel: int, family: str | None = None) -> Played:
        """The channel's running game, if it is of this family."""
        game = self.running(channel)
        if game is None:
            raise ExpectedRefusal("no_game")
        if family not in (None, game.requested.game.key):
            raise ExpectedRefusal("other_game")
        return game

    def start(self, requested: RequestedGame, accepting: Question | None = None) -> Played:
        """Begin a game."""
        self.require_startable(requested, accepting)
        game = Played(len(self.games) + 1, requested, requested.game.start(), self.now)
        self.games[game.id] = game
        if accepting is not None:
            accepting.answer = "accepted"
        return game

    def require_startable(
        self, requested: RequestedGame, accepting: Question | None = None
    ) -> None:
        """Refuse a game if the channel already has one or a player has too many."""
        here = self.running(requested.channel)
        if here is not None:
            if accepting is not None:
                raise ExpectedRefusal("channel_taken_accept")
            if requested.asker in here.people:
                raise ExpectedRefusal("channel_taken_yours")
            is_starter = not here.people and here.requested.asker == requested.asker
            raise ExpectedRefusal("channel_taken_started" if is_starter else "channel_taken_link")
        people = [one for one in requested.seats if one is not None]
        asker = requested.asker
        if accepting is not None:
            asker = next(one for one in people if one != requested.asker)
        for user in dict.fromkeys((asker, requested.asker, *people)):
            if self._games_of(user) >= MAX_GAMES:
                if user == asker:
                    raise ExpectedRefusal("too_many_games")
                raise ExpectedRefusal(
                    "opponent_is_busy" if accepting is None else "challenger_is_busy"
                )

    def _games_of(self, user: int) -> int:
        return sum(
            game.ending is None and (user in game.people or user == game.requested.asker)
            for game in self.games.values()
        )

    def play(
        self, channel: int, user: int, text: str, family: str | None = None,
        control: tuple[int, int] | None = None,
    ) -> None:  # fmt: skip
        """Make a person's move."""
        here = self.running(channel)
        if control is not None and (here is None or (here.id, len(here.moves) + 1) != control):
            raise ExpectedRefusal("outdated")
        game = self.present(channel, family)
        game.require_turn(user)
        game.make(text, self.now)

    def give_up(self, channel: int, user: int, *, moderator: bool) -> None:
        """Resign or stop a channel's game."""
        game = self.present(channel)
        if user in game.people:
            game.end("resigned", 3 - game.side(user))
        elif moderator or (not game.people and game.requested.asker == user):
            game.end("stopped", None)
        else:
            raise ExpectedRefusal("not_your_game" if game.people else "stop_not_yours")

    def ask_undo(self, channel: int, user: int) -> bool:
        """Take back, or ask the other person to agree; returns whether it was done at once."""
        game = self.running(channel)
        if game is None:
            there = [
                g
                for g in self.games.values()
                if g.requested.channel == channel and not g.is_deleted
            ]
            raise ExpectedRefusal("undo_over" if there and user in there[-1].people else "no_game")
        remaining = game.remaining(user)
        if game.other(user) is None:
            game.take_back(remaining, self.now)
            return True
        serial = game.serials[remaining]
        for one in self.undos.values():
            is_same = (one.game, one.asker, one.serial) == (game.id, user, serial)
            if is_same and one.answer == "declined":
                raise ExpectedRefusal("undo_declined")
        asked = Question(user, game.id, len(game.moves), remaining, game.undos, serial)
        self.undos[len(self.undos) + 1] = asked
        return False

    def is_current(self, asked: Question) -> bool:
        """Return whether a game has not changed since something was asked."""
        game = self.games[asked.game]
        is_same = (game.undos, len(game.moves)) == (asked.undos, asked.made)
        return game.ending is None and is_same

    def undo_is_current(self, undo_id: int) -> bool:
        """Return whether a request is the newest of its game and the game has not changed since."""
        asked = self.undos.get(undo_id)
        if asked is None:
            return False
        there = [n for n, o in self.undos.items() if o.game == asked.game and o.answer is None]
        return there[-1:] == [undo_id] and self.is_current(asked)

    def answer_undo(self, undo_id: int, user: int, *, agrees: bool) -> None:
        """Grant or decline a request to take back."""
        if not self.undo_is_current(undo_id):
            raise ExpectedRefusal("undo_lapsed")
        asked = self.undos[undo_id]
        game = self.games[asked.game]
        if user != game.other(asked.asker):
            raise ExpectedRefusal("not_your_undo")
        asked.answer = "accepted" if agrees else "declined"
        if agrees:
            game.take_back(asked.remaining, self.now)

    def offer_draw(self, channel: int, user: int) -> None:
        """Offer a draw, or accept the opponent's offer."""
        game = self.present(channel)
        game.require_seated(user)
        if game.other(user) is None:
            raise ExpectedRefusal("draw_nobody")
        if len(game.moves) < LEAST_MOVES:
            raise ExpectedRefusal("draw_early")
        there = [d for d in self.draws.values() if d.game == game.id]
        open_offer = next((d for d in there if d.answer is None and self.is_current(d)), None)
        if open_offer is not None:
            if open_offer.asker == user:
                raise ExpectedRefusal("draw_open")
            open_offer.answer = "accepted"
            game.end("agreed", None)
            return
        mine = [d for d in there if d.asker == user]
        if mine and mine[-1].answer == "declined" and self.is_current(mine[-1]):
            raise ExpectedRefusal("draw_declined")
        made = Question(user, game.id, len(game.moves), undos=game.undos)
        self.draws[len(self.draws) + 1] = made

    def answer_draw(self, draw_id: int, user: int, *, agrees: bool) -> None:
        """Accept or decline an offer."""
        asked = self.draws.get(draw_id)
        if asked is None or asked.answer is not None or not self.is_current(asked):
            raise ExpectedRefusal("draw_lapsed")
        game = self.games[asked.game]
        if user != game.other(asked.asker):
            raise ExpectedRefusal("not_your_draw")
        asked.answer = "accepted" if agrees else "declined"
        if agrees:
            game.end("agreed", None)

    def challenge(self, requested: RequestedGame) -> None:
        """Offer a game to another person."""
        if requested.seats[0] == requested.seats[1]:
            raise ExpectedRefusal("challenge_self")
        self.require_startable(requested)
        for one in self.challenges.values():
            is_open = one.answer is None and one.expires > self.now and not one.is_deleted
            if is_open and one.asker == requested.asker:
                raise ExpectedRefusal("challenge_open_link")
        made = Question(requested.asker, requested=requested, expires=self.now + CHALLENGE_SECONDS)
        self.challenges[len(self.challenges) + 1] = made

    def answer_challenge(self, challenge_id: int, user: int, *, agrees: bool) -> None:
        """Accept, decline or withdraw a challenge."""
        asked = self.challenges.get(challenge_id)
        if asked is None or asked.is_deleted or asked.answer or asked.expires <= self.now:
            raise ExpectedRefusal("challenge_over")
        assert asked.requested is not None
        challenged = next(one for one in asked.requested.seats if one != asked.asker)
        if user != challenged and (agrees or user != asked.asker):
            raise ExpectedRefusal("not_your_challenge")
        if agrees:
            self.start(asked.requested, asked)
        else:
            asked.answer = "declined" if user == challenged else "withdrawn"

    def rematch(self, game_id: int, channel: int, user: int) -> None:
        """Start the same game with the sides swapped, or offer it."""
        old = self.games[game_id]
        if old.people and user not in old.people:
            raise ExpectedRefusal("rematch_not_yours")
        if FORMER in old.people:
            raise ExpectedRefusal("rematch_former")
        seconds = old.requested.seconds or USUAL_SECONDS
        requested = RequestedGame(
            channel, user, old.requested.game, old.requested.seats[::-1], seconds
        )
        if None in requested.seats:
            self.start(requested)
        else:
            self.challenge(requested)

    def forget(self, user: int) -> None:
        """End a person's games, delete data that is theirs alone, and anonymise the rest."""
        questions = (*self.undos.values(), *self.draws.values())
        for game in self.games.values():
            if game.ending is None and user in game.people:
                game.end("resigned", 3 - game.side(user))
            elif game.ending is None and user == game.requested.asker:
                game.end("stopped", None)
            others = {*game.people} - {user, FORMER}
            game.is_deleted |= user in game.people and not others
            seats = [FORMER if one == user else one for one in game.requested.seats]
            asker = None if game.requested.asker == user else game.requested.asker
            game.requested = replace(game.requested, asker=asker, seats=(seats[0], seats[1]))
        for asked in questions:
            asked.is_deleted |= asked.asker == user or self.games[asked.game].is_deleted
        for asked in self.challenges.values():
            assert asked.requested is not None
            asked.is_deleted |= user in asked.requested.seats

    def look(self) -> None:
        """Let time pass: clocks run out, and questions without a possible answer close."""
        for game in self.games.values():
            deadline = game.at + (game.requested.seconds or USUAL_SECONDS)
            if game.ending is None and game.mover is not None and deadline <= self.now:
                game.end("time", 3 - int(game.position.to_move))
        for undo_id, asked in self.undos.items():
            if asked.answer is None and not self.undo_is_current(undo_id):
                asked.answer = "lapsed"
        for asked in self.draws.values():
            if asked.answer is None and not self.is_current(asked):
                asked.answer = "lapsed"
        for asked in self.challenges.values():
            if asked.answer is None and asked.expires <= self.now:
                asked.answer = "expired"
