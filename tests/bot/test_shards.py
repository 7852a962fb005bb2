"""Shards as a value, and the servers that they serve."""

import pytest

from bot.shards import Shards


@pytest.mark.parametrize(
    ("text", "ids", "count"),
    [
        ("0-3/16", {0, 1, 2, 3}, 16),
        ("2/3", {2}, 3),
        (" 0 , 2 - 3 / 8 ", {0, 2, 3}, 8),
        ("0/1", {0}, 1),
    ],
)
def test_shards_are_read_as_people_write_them(text: str, ids: set[int], count: int) -> None:
    """Shards are read as numbers, ranges and lists of both, followed by their total number."""
    assert Shards.parse(text) == Shards(frozenset(ids), count)


@pytest.mark.parametrize(
    "text",
    ["", "0-3", "/16", "0-3/", "3-0/16", "0-16/16", "16/16", "a/16", "0/0", "-1/4", "0--1/4",
     "0.5/4", "٣/4", "0-9999999999999/16", "0/99999", "0,/4", "1/2/3"],
)  # fmt: skip
def test_invalid_shards_are_refused(text: str) -> None:
    """Ambiguous and absurd texts of shards are refused."""
    with pytest.raises(ValueError, match="shard"):
        Shards.parse(text)


@pytest.mark.parametrize("text", ["0-3/16", "2/3", "0,2-3,7/8", "0/1"])
def test_shards_are_written_as_they_are_read(text: str) -> None:
    """The text of a shards value is read as the same value."""
    assert str(Shards.parse(text)) == text


def test_a_servers_shard_is_discords() -> None:
    """A server's shard is `(guild_id >> 22) % count`; private messages come to the first shard."""
    some = Shards.parse("1,3/4")
    guild_id = 41771983423143937
    assert some.of_guild(guild_id) == (guild_id >> 22) % 4
    assert {one: some.serves(one << 22) for one in range(5)} == {
        0: False, 1: True, 2: False, 3: True, 4: False,
    }  # fmt: skip
    assert not some.serves(None)
    assert Shards.parse("0/4").serves(None)


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [("0-1/4", "1/4", True), ("0-1/4", "2-3/4", False), ("0/2", "2/4", True), ("0/2", "1/4", False),
     ("0/3", "1/4", True)],
)  # fmt: skip
def test_shards_meet_where_a_server_is_in_both(one: str, other: str, meet: bool) -> None:
    """Shards overlap if a server is in both, also while a bot changes their number."""
    first, second = Shards.parse(one), Shards.parse(other)
    servers = [n << 22 for n in range(24)]
    assert first.overlaps(second) is second.overlaps(first) is meet
    assert any(first.serves(n) and second.serves(n) for n in servers) is meet


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [("0-3/8", "0-1/8", "2-3/8"), ("0-3/8", "0-3/8", None), ("0-1/2", "0/4", "1-3/4"),
     ("0/4", "0/2", None)],
)  # fmt: skip
def test_shards_without_others(one: str, other: str, left: str | None) -> None:
    """Shards without another process's are found, even if their totals differ."""
    rest = Shards.parse(one).without(Shards.parse(other))
    assert (None if rest is None else str(rest)) == left
