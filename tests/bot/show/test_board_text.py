"""What the message of a game says, from its first move to its details."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game.session import Session
from bot.i18n import Translator, say_in
from bot.show.board_text import (
    details_text,
    next_step,
    reply_words,
    result_line,
    title,
    turn_line,
)
from bot.show.scenes import turn_of
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    Rating,
    RatingChange,
    SeatRecord,
    TimeControl,
    agent,
    channel,
    person,
)
from engine.core.game import Player
from engine.core.registry import game_of

ANA, BEA = 10, 20
NAMES = {ANA: "Ana", BEA: "Bea", channel().user_id or 0: "The channel"}
ENGLISH, SPANISH = say_in("en"), say_in("es")
DAY = TimeControl(86_400.0, "move")


def played(
    family: str = "connect4",
    moves: str = "",
    second: SeatRecord | None = None,
    *,
    first: SeatRecord | None = None,
    auto: bool = True,
    variant: str | None = None,
    **details: object,
) -> Session:
    """A game after these moves, of Ana against an agent unless `second` is given."""
    usual = {"connect4": "6x7", "gato": "4x4", "boom": "7x7"}
    seats = (first or person(ANA), second or agent("medium"))
    variant = variant or usual[family]
    setup = GameSetup(family, variant, 1, 2, "en", *seats, auto=auto, clock=DAY)
    game, records = game_of(family, variant), []
    position = game.start()
    texts = moves.split() if " " in moves or family == "gato" else list(moves)
    for number, move in enumerate(texts, 1):
        player = position.to_move
        seat = seats[player - 1]
        search = () if seat.agent is None else (1000, 4, 3)
        records.append(MoveRecord(int(player), seat.user_id, move, False, number, 1.0, *search))
        position = position.play(game.parse(move))
    hints = details.pop("hints", ())
    end = details.pop("end", None)
    record = GameRecord(7, setup, 0.0, 5, tuple(records), hints, end)
    return replace(Session.from_record(record), **details)


def result_lines(session: Session, say: Translator, rating: float | None = None) -> str:
    """The result of a finished game, and what it means for its players' ratings."""
    lines = result_line(session, NAMES, say, rating), next_step(session, NAMES, say)
    return "\n".join(line for line in lines if line)


def turn(session: Session, say: Translator = ENGLISH, *, is_first: bool = False) -> str | None:
    """The second line of a running game."""
    return turn_line(session, NAMES, say, is_first=is_first)


def ended(
    session: Session, ending: Ending = Ending.LINE, winner: int | None = 1, at: float = 134.0
) -> Session:
    """A game that has ended like this."""
    return replace(session, end=EndRecord(ending, winner, at))


def rating(shown: float | None, games: int = 40) -> Rating:
    """A rating with this number."""
    return Rating(1000.0, 70.0, 0.06, games, shown=shown)


def test_the_first_line_says_who_plays_what() -> None:
    """Names are bold; the size is named only where it is unusual; BOOM and Gato come first."""
    assert title(played(), NAMES, ENGLISH) == "**Ana** vs **Cuatro** (auto) · Connect 4"
    assert title(played(), NAMES, SPANISH) == "**Ana** contra **Cuatro** (auto) · Conecta 4"
    small = played(auto=False, variant="5x4")
    assert title(small, NAMES, ENGLISH) == "**Ana** vs **Cuatro** (medium) · Connect 4 · 5x4"
    assert title(played("boom"), NAMES, ENGLISH) == "**BOOM** · **Ana** vs **Cuatro** (auto)"
    gato = played("gato")
    assert title(gato, NAMES, ENGLISH) == "**Gato 4x4** · **Ana** (X) vs **Cuatro** (O)"
    named = played("gato", auto=False)
    assert title(named, NAMES, SPANISH) == "**Gato 4x4** · **Ana** (X) contra **Cuatro** (O, medio)"


def test_the_first_line_of_other_games() -> None:
    """Between people it says whether the game is rated; watched agents go by their level."""
    people = played(second=person(BEA), auto=False)
    assert title(people, NAMES, ENGLISH) == "**Ana** vs **Bea** · Connect 4 · rated"
    assert title(replace(people, undos=1), NAMES, ENGLISH) == "**Ana** vs **Bea** · Connect 4"
    watched = played(first=agent("hard"), second=agent("window-6"), auto=False)
    assert title(watched, NAMES, SPANISH).startswith("**difícil** contra **ventana")
    twins = played("gato", first=agent("hard"), second=agent("hard"), auto=False)
    assert title(twins, NAMES, ENGLISH) == "**Gato 4x4** · **hard** (X) vs **hard** (O)"
    twins = played(first=agent("hard"), second=agent("hard"), auto=False)
    assert title(twins, NAMES, ENGLISH) == "**hard** (1) vs **hard** (2) · Connect 4"
    together = played(first=channel(), auto=False)
    assert title(together, NAMES, ENGLISH) == ("**The channel** vs **Cuatro** (medium) · Connect 4")


def test_long_names_are_cut_and_harmless() -> None:
    """A name is escaped and cut at 24 characters."""
    names = {ANA: "*" + "x" * 40}
    assert title(played(), names, ENGLISH).startswith(r"**\*" + "x" * 22 + "…** vs")


def test_a_turn_against_the_bot_is_said_in_one_line() -> None:
    """The bot says what it played and whose turn it is, without numbers and without a deadline."""
    assert turn(played()) == "Your turn, Ana."
    assert turn(played(), is_first=True) == "Your turn, Ana. Four in a row wins."
    assert turn(played(moves="4")) == "I'm thinking…"
    assert turn(played(moves="44")) == "I played column 4. Your turn, Ana."
    assert turn(played(moves="44"), is_first=True) == "I played column 4. Your turn, Ana."
    assert turn(played(moves="44"), SPANISH) == "Jugué en la columna 4. Te toca, Ana."
    assert turn(played(), SPANISH, is_first=True) == (
        "Te toca, Ana. Gana quien logre cuatro en línea."
    )


def test_a_turn_between_people_says_when_time_is_up() -> None:
    """Between people the line names the mover and the end of their time."""
    people = played(moves="4", second=person(BEA), auto=False)
    assert turn(people) == f"Bea's turn. Time is up <t:{people.board_deadline}:R>."
    assert (turn(people, SPANISH) or "").startswith("Le toca a Bea. El tiempo se acaba <t:")


def test_votes_speak_for_themselves() -> None:
    """Where a channel is to move, the line about votes says all there is to say."""
    assert turn(played(first=channel(), auto=False)) is None
    assert turn(played(first=channel(), auto=False, moves="4")) == "I'm thinking…"


def test_gato_takes_squares() -> None:
    """Gato's squares have names, which are never described by rows."""
    assert turn(played("gato", "a1 b3")) == "I took b3. Your turn, Ana."
    assert turn(played("gato", "a1 b3"), SPANISH) == "Tomé b3. Te toca, Ana."
    assert turn(played("gato"), is_first=True) == (
        "Your turn, Ana. Four in a row wins; nothing falls, every free square is yours to take."
    )


def test_boom_counts_its_moves_and_bombs() -> None:
    """BOOM's line names the move of the turn, and what the mover's bomb is about to do."""
    assert turn(played("boom")) == "Your turn: one move to open. From then on every turn has two."
    assert turn(played("boom", "134")) == (
        "I played columns 3 and 4. Your turn: move 1 of 2. Bomb in 2 turns."
    )
    assert turn(played("boom", "133")) == (
        "I played column 3 twice. Your turn: move 1 of 2. Bomb in 2 turns."
    )
    assert turn(played("boom", "1341")) == "Move 2 of 2."
    assert turn(played("boom", "134"), SPANISH) == (
        "Jugué en las columnas 3 y 4. Te toca: jugada 1 de 2. Bomba en 2 turnos."
    )
    assert turn(played("boom", "13412")) == "I'm thinking…"
    people = played("boom", "1", second=person(BEA), auto=False)
    assert (turn(people) or "").startswith(
        "Bea's turn: move 1 of 2. Bomb in 3 turns. Time is up <t"
    )


BEFORE_BOMB = "16723126714"
"""BOOM before the first player's fourth turn."""


def test_boom_says_what_a_bomb_can_do_and_did() -> None:
    """The line announces a bomb, offers it, and counts the discs that it cleared."""
    assert turn(played("boom", BEFORE_BOMB)) == (
        "I played columns 1 and 4. Your turn: move 1 of 2. This disc is your bomb."
    )
    assert turn(played("boom", f"{BEFORE_BOMB}5")) == "Move 2 of 2. You can set off your bomb."
    exploded = played("boom", f"{BEFORE_BOMB}5621B")
    assert turn(exploded) == "**BOOM.** You cleared 3 of my discs. Move 2 of 2."
    assert turn(exploded, SPANISH) == "**BOOM.** Quitaste 3 fichas mías. Jugada 2 de 2."
    last = played("boom", f"{BEFORE_BOMB}56213B")
    assert turn(last) == "**BOOM.** You cleared 3 of my discs. I'm thinking…"
    people = played("boom", f"{BEFORE_BOMB}5621B", second=person(BEA), auto=False)
    assert (turn(people) or "").startswith(
        "**BOOM.** Ana cleared 3 of Bea's discs. Ana's turn: move 2 of 2. Time is up"
    )


def test_the_bot_tells_its_own_explosion() -> None:
    """An agent that sets off its bomb says how many discs went, and what else it played."""
    session = played("boom", f"{BEFORE_BOMB}562133B7")
    (boomed, also) = reply_words(*turn_of(session), ENGLISH)
    assert boomed == "I set off my bomb and cleared 2 of your discs."
    assert also == "I played column 7."
    assert list(reply_words(*turn_of(session), SPANISH)) == [
        "Detoné mi bomba y quité 2 fichas tuyas.",
        "Jugué en la columna 7.",
    ]


def test_a_move_without_a_search_is_admitted() -> None:
    """If every search failed, the board says that the move was quick and the game unrated."""
    session = played(moves="44")
    *before, last = session.moves
    session = replace(session, moves=(*before, replace(last, nodes=None, depth=None, score=None)))
    assert session.is_unsearched
    assert (turn(session) or "").startswith("I lost my train of thought and played a quick move.")
    assert "isn't rated" in result_lines(ended(session), ENGLISH)


def test_the_board_says_how_long_the_engine_takes_to_be_ready() -> None:
    """While the engine is prepared, the board says so instead of that the agent thinks."""
    session = played(moves="4")
    texts = [turn_line(session, NAMES, say, is_first=False, delay=20) for say in (ENGLISH, SPANISH)]
    assert texts == [
        "I'm warming up, about 20 s. My move comes by itself.",
        "Me estoy preparando: unos 20 s. Mi jugada llega sola.",
    ]


@pytest.mark.parametrize(
    ("winner", "ending", "english", "spanish"),
    [
        (1, Ending.LINE, "**Ana wins** in 4 moves!", "**¡Gana Ana** en 4 jugadas!"),
        (
            2,
            Ending.LINE,
            "**Cuatro wins** in 3 moves. Good game, Ana.",
            "**Gana Cuatro** en 3 jugadas. Buena partida, Ana.",
        ),
        (
            2,
            Ending.RESIGNED,
            "**Cuatro wins**: Ana resigned.",
            "**Gana Cuatro**: Ana se rindió.",
        ),
        (
            2,
            Ending.TIME,
            "**Cuatro wins**: Ana ran out of time.",
            "**Gana Cuatro**: a Ana se le acabó el tiempo.",
        ),
        (None, Ending.AGREED, "**Draw** by agreement.", "**Empate** de común acuerdo."),
        (
            None,
            Ending.STOPPED,
            "Game stopped by a moderator. It doesn't count.",
            "La moderación detuvo la partida. No cuenta.",
        ),
        (
            None,
            Ending.HALTED,
            "Game stopped by a moderator. It doesn't count.",
            "La moderación detuvo la partida. No cuenta.",
        ),
        (
            None,
            Ending.ABORTED,
            "Game cancelled. It was too short to count.",
            "Partida cancelada. Fue muy corta para contar.",
        ),
    ],
)
def test_every_ending_is_one_sentence(
    winner: int | None, ending: Ending, english: str, spanish: str
) -> None:
    """A game that ends says who won in how many moves, or why no one did; nothing is pending."""
    session = ended(played(moves="4343434"), ending, winner)
    assert result_lines(session, ENGLISH) == english
    assert result_lines(session, SPANISH) == spanish
    assert result_lines(replace(session, rating_due=True), ENGLISH) == english


def test_a_draw_says_whether_the_board_is_full() -> None:
    """A full board is a draw; BOOM's longest game is one too, with free squares."""
    full = played("gato", "a2 c3 d4 c4 b1 c2 c1 a4 b4 d2 d3 a3 d1 a1 b3 b2")
    assert result_lines(ended(full, Ending.DRAW, None), ENGLISH) == (
        "**Gato 4x4** · **Draw.** The board is full."
    )
    long = ended(played("boom", "1"), Ending.DRAW, None)
    assert result_lines(long, SPANISH) == (
        "**BOOM** · **Empate** tras 1 jugada: nadie logró cuatro en línea."
    )


def test_other_players_win_too() -> None:
    """A watched game names the level that won; a channel wins and loses as one."""
    watched = ended(played(moves="4343434", first=agent("hard"), auto=False))
    assert result_lines(watched, ENGLISH) == "**hard wins** in 4 moves."
    assert result_lines(watched, SPANISH) == "**Gana el nivel difícil** en 4 jugadas."
    greedy = ended(played(moves="4343434", first=agent("greedy"), auto=False))
    assert result_lines(greedy, SPANISH).startswith("**Gana ")
    assert "nivel" not in result_lines(greedy, SPANISH)
    together = ended(played(moves="4343434", first=channel(), auto=False))
    assert result_lines(together, SPANISH) == "**¡Gana el canal** en 4 jugadas!"
    lost = replace(together, end=EndRecord(Ending.LINE, 2, 9.0))
    assert result_lines(lost, ENGLISH) == ("**Cuatro wins** in 3 moves. Good game, everyone.")
    stopped = ended(together, Ending.STOPPED, None)
    assert result_lines(stopped, ENGLISH) == "Game stopped. It doesn't count."


def test_remarks_on_a_position_end_with_the_game() -> None:
    """A game that was resigned does not say what its position asked of the mover."""
    resigned = ended(played("boom", "134"), Ending.RESIGNED, 2)
    assert result_lines(resigned, ENGLISH) == ("**BOOM** · **Cuatro wins**: Ana resigned.")


@pytest.mark.parametrize(
    ("before", "after", "english", "spanish"),
    [
        (1160.2, 1183.6, " Rating 1184 (+24).", " Puntaje 1184 (+24)."),
        (1160.2, 1140.4, " Rating 1140 (\u221220).", " Puntaje 1140 (\u221220)."),
        (1160.2, 1160.2, " Rating 1160 (+0).", " Puntaje 1160 (+0)."),
        (None, 1039.0, "\nYour first rating: **1039**.", "\nTu primer puntaje: **1039**."),
    ],
)
def test_a_rated_game_says_the_new_rating(
    before: float | None, after: float, english: str, spanish: str
) -> None:
    """The rating follows the result, with its change; the first one has a line of its own."""
    change = RatingChange(ANA, rating(before, 4), rating(after, 5), 1200.0)
    session = ended(replace(played(moves="4343434"), changes=(change,)))
    assert result_lines(session, ENGLISH) == f"**Ana wins** in 4 moves!{english}"
    assert result_lines(session, SPANISH) == f"**¡Gana Ana** en 4 jugadas!{spanish}"


def test_placement_says_how_many_games_are_missing() -> None:
    """Before there is a rating, the second line counts the games that are missing."""
    for games, english, spanish in (
        (1, "4 more games and you get a rating.", "Con 4 partidas más tendrás tu puntaje."),
        (4, "1 more game and you get a rating.", "Con 1 partida más tendrás tu puntaje."),
    ):
        change = RatingChange(ANA, rating(None, games - 1), rating(None, games), 1200.0)
        session = ended(replace(played(moves="4343434"), changes=(change,)))
        assert result_lines(session, ENGLISH) == f"**Ana wins** in 4 moves!\n{english}"
        assert result_lines(session, SPANISH).endswith(f"\n{spanish}")


def test_both_of_two_people_see_their_rating() -> None:
    """A game between two people shows both ratings, in the order of the seats."""
    session = ended(played(moves="4343434", second=person(BEA), auto=False))
    changes = tuple(
        RatingChange(user_id, rating(1000), rating(value), 1000.0)
        for user_id, value in ((BEA, 989.0), (ANA, 1011.0))
    )
    assert result_lines(replace(session, changes=changes), ENGLISH) == (
        "**Ana wins** in 4 moves! Ratings: Ana 1011 (+11), Bea 989 (\u221211)."
    )
    new = RatingChange(BEA, rating(None, 1), rating(None, 2), 1000.0)
    assert result_lines(replace(session, changes=(changes[1], new)), ENGLISH) == (
        "**Ana wins** in 4 moves! Ratings: Ana 1011 (+11).\n"
        "**Bea**: 3 more games and there is a rating."
    )


def test_help_leaves_the_rating_as_it_is() -> None:
    """After a hint or an undo the result says so, without an exclamation mark."""
    hinted = ended(played(moves="4343434", hints=(HintRecord(1, ANA, "1", 0.0),)))
    undone = ended(played(moves="4343434", undos=1))
    for session in (hinted, undone):
        assert result_lines(session, ENGLISH) == (
            "**Ana wins** in 4 moves. You had help, so this game won't raise your rating."
        )
    assert result_lines(hinted, SPANISH) == (
        "**Gana Ana** en 4 jugadas. Usaste ayuda: esta partida no sube tu puntaje."
    )
    assert result_lines(hinted, ENGLISH, 1038.2).endswith("so your rating stays at 1038.")


def test_details_have_the_figures() -> None:
    """Details give moves, time, help and searches, and why a game is unrated."""
    session = ended(played(moves="4343434"))
    assert details_text(replace(session, rating_due=True), ENGLISH) == (
        "Moves 4 + 3 · time 2 min 14 s · hints 0 · undos 0\n"
        "My search: 3,000 positions, 3.00 s in all, depth 4 at most.\n"
        "Moves found: 0 known openings, 0 exact, 3 by search."
    )
    hinted = ended(played(moves="4343434", hints=(HintRecord(1, ANA, "1", 0.0),)))
    assert details_text(hinted, SPANISH) == (
        "Jugadas 4 + 3 · tiempo 2 min 14 s · pistas 1 · jugadas deshechas 0\n"
        "Mi búsqueda: 3.000 posiciones, 3,00 s en total, profundidad 4 como máximo.\n"
        "Cómo se hallaron las jugadas: 0 aperturas conocidas, 0 exactas, 3 por búsqueda.\n"
        "Puntaje sin cambios: se usó una pista."
    )
    people = ended(played(moves="4343434", second=person(BEA), auto=False, undos=1))
    assert details_text(people, ENGLISH) == (
        "Moves 4 + 3 · time 2 min 14 s · hints 0 · undos 1\n"
        "Rating unchanged: a move was taken back."
    )
    watched = ended(played(moves="4343434", first=agent("hard"), auto=False))
    assert details_text(watched, ENGLISH).splitlines()[1].startswith("Both searches: 7,000")


def test_no_line_names_a_figure_of_the_search() -> None:
    """Nodes, depth and seconds are in the details only."""
    session = ended(played(moves="4343434"))
    for text in (result_lines(session, ENGLISH), turn(played(moves="44")) or ""):
        assert not {"node", "depth", "second"} & set(text.lower().split())
        assert text.count("\n") <= 1
    assert session.winner is Player.FIRST


def test_a_game_without_sentences_of_its_own_is_told_in_plain_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Moves are described by their names if a game's catalogue has no sentence for an effect."""
    kept = {k: t for k, t in ENGLISH.texts.items() if not k.startswith(("effect.", "reply.boom"))}
    monkeypatch.setattr(ENGLISH, "texts", kept)
    session = played("boom", f"{BEFORE_BOMB}562133B7")
    assert list(reply_words(*turn_of(session), ENGLISH)) == ["I played BOOM and 7."]
    assert turn(played("boom", f"{BEFORE_BOMB}5621B")) == "Move 2 of 2."


def test_a_persons_explosion_is_told_beside_a_quick_reply() -> None:
    """If the reply is shown at once, the line still says what the person's bomb did before it."""
    session = played("boom", f"{BEFORE_BOMB}56213B77")
    assert turn(session) == (
        "**BOOM.** You cleared 3 of my discs. I played column 7 twice. "
        "Your turn: move 1 of 2. Bomb in 2 turns."
    )
