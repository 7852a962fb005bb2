"""The voice of the texts for players: one word a concept, short, and without experts' numbers."""

from __future__ import annotations

import re

import pytest

from bot.i18n import LANGUAGES, say_in

EXPERT_WORDS = {
    "en": r"nodes?|depth|pl(y|ies)|solver|engine|search\w*|proven|evaluation|refutation|best play",
    "es": r"nodos?|profundidad|motor|demostrad[oa]s?|búsqueda|solucionador|juego perfecto|variante",
}
"""What only details, footers of pictures and commands for experts may say."""

OTHER_WORDS = {
    "en": r"stones?|tokens?|movements?|blunders?|enem(y|ies)|Elo|called off|aborted|four in line"
    r"|counts? for ratings",
    "es": r"piedras?|movimientos?|celdas?|enseñ\w+|pulsar|clicar|tablas|acertijo"
    r"|contrincante|Elo|cuatro en raya|vosotros|ustedes|jugador(es|as?)?|los demás",
}
"""Words that the vocabulary replaces by one of its own."""

EXPERTS = re.compile(
    r"(board\.footer|details|count\.nodes|proven|analysis|league|report|progress\.judged|export|command\.(lab|report"
    r"|league|export)|watch|level|short|option\.(agent|first_agent|second_agent)|lab|why\.looked|series\.nodes(_alone)?)\b"
)
"""The keys of texts that are for experts: one press further than what all players read."""

BOTS = re.compile(r"(level|short)\.")
"""The keys of the names of bots, which keep the names of their programs."""

COLOURS = re.compile(r"\b(red|yellow|roj[oa]s?|amarill[oa]s?)\b|[🔴🟡🔵]", re.IGNORECASE)
"""The colours of discs, which depend on the look that a person has chosen."""

ROWS = re.compile(r"\b(rows? (\{|\d)|filas?\b)", re.IGNORECASE)
"""Words for a row by its number; "in a row" is none."""

FIELD = re.compile(r"\{\w+\}")

LONGEST_LABEL = {"en": 24, "es": 26}
"""Characters of a button."""


def offenders(language: str, words: str) -> dict[str, str]:
    """The texts that have one of these words, by key."""
    pattern = re.compile(rf"\b({words})\b", re.IGNORECASE)
    texts = say_in(language).texts.items()
    return {key: text for key, text in texts if pattern.search(FIELD.sub("", text))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_experts_words_are_one_press_away(language: str) -> None:
    """Only details, footers and commands for experts speak of nodes, depth or searches."""
    found = offenders(language, EXPERT_WORDS[language])
    assert {key: text for key, text in found.items() if not EXPERTS.search(key)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_concept_has_one_word(language: str) -> None:
    """A disc is never a stone, and a move never a movement."""
    found = offenders(language, OTHER_WORDS[language])
    assert {key: text for key, text in found.items() if not BOTS.match(key)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_are_short_and_have_no_full_stop(language: str) -> None:
    """The label of a button fits on a phone and is no sentence."""
    labels = {k: t for k, t in say_in(language).texts.items() if k.startswith("button.")}
    most = LONGEST_LABEL[language]
    wrong = {
        k: t
        for k, t in labels.items()
        if t.endswith(".") or len(t.replace("{number}", "12")) > most
    }
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_name_no_colour_of_a_disc(language: str) -> None:
    """The colours of discs depend on the look of the board, so no text names them."""
    texts = say_in(language).texts.items()
    assert {key: text for key, text in texts if COLOURS.search(text)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_squares_of_gato_have_names_and_no_rows(language: str) -> None:
    """Gato's squares are called by their names, such as b3, and never by rows."""
    texts = say_in(language).texts.items()
    found = {key: text for key, text in texts if ".gato" in key and ROWS.search(text)}
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_shouts_at_most_once(language: str) -> None:
    """A text has at most one exclamation mark."""
    texts = say_in(language).texts
    assert {key: text for key, text in texts.items() if text.count("!") > 1} == {}


def test_spanish_opens_what_it_closes() -> None:
    """A Spanish question or exclamation has its opening mark, and quotations have guillemets."""
    for key, text in say_in("es").texts.items():
        if key.startswith("list."):
            continue  # Patterns of sounds, which no player reads.
        # A mark after a space is no question: it marks a move, or a rating that is not certain.
        questions = len(re.findall(r"[^\s?!]\?(?![?!])", text))
        assert text.count("¿") == questions, key
        exclamations = len(re.findall(r"[^\s?!]!", text))
        assert text.count("¡") == exclamations, key
        assert '"' not in text, key
