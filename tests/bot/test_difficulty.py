"""Which level `auto` gives."""

from __future__ import annotations

from bot.difficulty import level_for
from bot.store import ResultRecord


def results(*games: tuple[str | None, bool | None], auto: bool = True) -> list[ResultRecord]:
    """Finished games, the newest first: opponent and whether the player won."""
    return [ResultRecord("6x7", agent, auto, won) for agent, won in games]


def at(level: str, wins: int, losses: int) -> list[ResultRecord]:
    """So many won and lost games at one level."""
    return results(*[(level, True)] * wins, *[(level, False)] * losses)


def test_a_new_player_meets_the_easiest_level() -> None:
    """Without finished games `auto` is easy."""
    assert level_for([]) == "easy"


def test_four_wins_of_five_raise_the_level() -> None:
    """Four or five wins in the last five games raise the level by one."""
    assert level_for(at("medium", 4, 1)) == "hard"
    assert level_for(at("medium", 5, 0)) == "hard"


def test_one_win_of_five_lowers_the_level() -> None:
    """One win or none in the last five games lowers the level by one; a draw is no win."""
    assert level_for(at("medium", 1, 4)) == "easy"
    assert level_for(at("medium", 0, 5)) == "easy"
    assert level_for(results(*[("medium", None)] * 5)) == "easy"


def test_two_or_three_wins_keep_the_level() -> None:
    """Between the two limits the player stays where they are."""
    assert level_for(at("hard", 2, 3)) == "hard"
    assert level_for(at("hard", 3, 2)) == "hard"


def test_fewer_than_five_games_keep_the_level() -> None:
    """Four wins in a row are not judged yet."""
    assert level_for(at("easy", 4, 0)) == "easy"
    assert level_for(at("hard", 0, 4)) == "hard"


def test_the_scale_ends() -> None:
    """Nobody rises above the highest level or falls below the lowest."""
    assert level_for(at("expert", 5, 0)) == "perfect"
    assert level_for(at("perfect", 5, 0)) == "perfect"
    assert level_for(at("easy", 0, 5)) == "easy"


def test_only_the_last_five_games_count() -> None:
    """Older games are forgotten."""
    assert level_for([*at("medium", 2, 3), *at("medium", 10, 0)]) == "medium"


def test_one_good_run_raises_the_level_once() -> None:
    """Wins at the old level do not raise the new one as well."""
    run = at("easy", 4, 0)
    assert level_for([*at("medium", 1, 0), *run]) == "medium"
    assert level_for([*at("medium", 0, 2), *at("easy", 3, 0)]) == "medium"


def test_one_bad_run_lowers_the_level_once() -> None:
    """Losses at the old level do not lower the new one as well."""
    assert level_for([*at("medium", 0, 1), *at("hard", 0, 4)]) == "medium"
    assert level_for([*at("medium", 2, 0), *at("hard", 0, 3)]) == "medium"


def test_a_level_that_was_asked_for_once_does_not_stick() -> None:
    """A single game at a level of the player's own choice leaves `auto` where it was."""
    tried = results(("expert", False), auto=False)
    assert level_for([*tried, *at("easy", 2, 2)]) == "easy"


def test_games_against_people_do_not_count() -> None:
    """Only games against a level say how a level suits a player."""
    people = results(*[(None, True)] * 5)
    assert level_for(people) == "easy"
    assert level_for([*people, *at("medium", 2, 3)]) == "medium"
