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
    "en": r"stones?|tokens?|movements?|blunders?|enem(y|ies)|Elo|called off|aborted|four in line",
    "es": r"piedras?|movimientos?|celdas?|enseñ\w+|pulsar|clicar|tablas|acertijo"
    r"|contrincante|Elo|cuatro en raya|vosotros|ustedes",
}
"""Words that the vocabulary replaces by one of its own."""

EXPERTS = re.compile(
    r"(board\.footer|details|count\.nodes|proven|analysis|league|report|progress\.judged|export|command\.(lab|report"
    r"|league|export)|watch|level|short|option\.(agent|first_agent|second_agent)|lab|why\.looked)\b"
)
"""The keys of texts that are for experts: one press further than what everybody reads."""

BOTS = re.compile(r"(level|short)\.")
"""The keys of the names of bots, which keep the names of their programs."""

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
def test_a_text_shouts_at_most_once(language: str) -> None:
    """A text has at most one exclamation mark."""
    texts = say_in(language).texts
    assert {key: text for key, text in texts.items() if text.count("!") > 1} == {}


def test_spanish_opens_what_it_closes() -> None:
    """A Spanish question or exclamation has its opening mark, and quotations have guillemets."""
    for key, text in say_in("es").texts.items():
        if key.startswith("list."):
            continue  # Patterns of sounds, which nobody reads.
        # A mark after a space is no question: it marks a move, or a rating that is not certain.
        questions = len(re.findall(r"[^\s?!]\?(?![?!])", text))
        assert text.count("¿") == questions, key
        exclamations = len(re.findall(r"[^\s?!]!", text))
        assert text.count("¡") == exclamations, key
        assert '"' not in text, key
