"""The order of the questions that find a score."""

from __future__ import annotations

from engine.kernels.solver_windows import next_question


def test_every_score_is_found_in_few_questions() -> None:
    """Whatever bounds are given and whatever the score is, each question makes progress."""
    for low in range(-33, 34):
        for high in range(low + 1, 34):
            for score in {low, high, (low + high) // 2}:
                lower, upper, asked = low, high, 0
                while lower < upper:
                    alpha = next_question(lower, upper, asked)
                    assert lower <= alpha < upper
                    lower, upper = (alpha + 1, upper) if score > alpha else (lower, alpha)
                    asked += 1
                assert lower == score
                assert asked <= 16
