"""Reasons against whole turns of BOOM, compared with plain enumeration of turns."""

from __future__ import annotations

from collections import Counter
from random import Random

from benchmarks.review_truth import Turn, fault_of_turn, fours, holds_of_turn, stops, turns
from engine.core.game import Cell, Move, replay
from engine.core.reason import Reason, ReasonKind
from engine.games.boom.reasons import turn_fault
from engine.games.boom.rules import BOOM, COLUMNS, Boom, BoomPosition
from engine.study.reasons import fault_after, faults_in, turn_before


def test_reasons_of_turns_are_those_of_enumeration() -> None:
    """Every turn of random games has the reason that its definition gives, and no other."""
    rng, found = Random(7), Counter[ReasonKind]()
    for _ in range(4):
        position, moves = Boom().start(), list[Move]()
        while position.outcome is None and len(moves) < 21:
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if position.outcome is None and position.ply % 2 == 0:
            moves.pop()
        found.update(checked(tuple(moves)))
    assert found[ReasonKind.MISSED_TURN] > 3
    assert found[ReasonKind.ALLOWED_TURN] > 3


def checked(moves: Turn) -> list[ReasonKind]:
    """The reasons of a game, after comparing each of its turns with the truth."""
    faults, found, begun = faults_in(Boom(), moves), list[ReasonKind](), 0
    while begun < len(moves):
        size = 1 if begun == 0 else 2
        turn = moves[begun : begun + size]
        start = replay(Boom(), moves[:begun])
        assert isinstance(start, BoomPosition)
        given = [(at, one) for at, one in enumerate(faults[begun : begun + size]) if one]
        expected = fault_of_turn(start, turn)
        assert [one.kind for _, one in given] == ([] if expected is None else [expected])
        for at, one in given:
            assert holds_of_turn(start, turn, at, one, expected), (begun, one)
            found.append(one.kind)
        begun += size
    return found


def test_ones_own_bomb_may_complete_the_other_sides_four() -> None:
    """A bomb that leaves a four of the other side alone is at fault, since another move was."""
    tall = (*(Cell.SECOND,) * 2, Cell.FIRST_BOMB, *(Cell.SECOND,) * 2)
    start = BoomPosition(Boom(), (tall, *((),) * 6), 15)
    for made in ((BOOM,), (Move(6), BOOM)):
        expected = Reason(ReasonKind.BOMB_COMPLETED, (BOOM,), instead=COLUMNS)
        assert turn_fault(start, made) == (len(made) - 1, expected)


def test_a_turn_that_goes_on_is_judged_by_what_it_can_still_become() -> None:
    """The first movement is at fault only if no second one makes up for it."""
    game, before = Boom(), Boom().moves("1223132")
    start, at = turn_before(game, before)
    assert at == 0
    assert isinstance(start, BoomPosition)
    safe = {turn[0] for turn, _ in turns(start) if stops(start, turn)}
    wins = {turn[0] for turn in fours(start)}
    for move in start.legal_moves():
        found = fault_after(game, before, move)
        expected = bool(wins or safe) and move not in (wins or safe)
        assert (found is not None) is expected, game.label(move)
