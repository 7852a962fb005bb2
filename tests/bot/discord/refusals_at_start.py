"""Scenes in which starting or finding a game is refused."""

from __future__ import annotations

from functools import partial

from bot.i18n import ENGLISH, say_in
from bot.sessions.people import OPEN_SECONDS
from tests.bot.discord.stage import Stage, scene

OTHER = {"connect4": "gato", "gato": "boom", "boom": "connect4"}


@scene("no_game")
async def nothing_here(stage: Stage) -> None:
    """Commands about a game are refused in a channel without one, where a new game can begin."""
    ana = stage.venue.ana
    for command in ("board", "resign"):
        await stage.refuses("no_game", lambda command=command: stage.slash(ana, command))
    await stage.refuses("no_game", lambda: stage.play(ana, "1"))
    await stage.begins(ana)


@scene("channel_taken_link")
async def another_persons_channel(stage: Stage) -> None:
    """A second game in a channel is refused; it can begin in a thread.

    The link leads to the board.
    """
    await Stage(stage.venue, OTHER[stage.family], stage.channel).begins(stage.venue.ana)
    for command in ("start", "watch"):
        said = await stage.refuses(
            "channel_taken_link", lambda command=command: stage.slash(stage.venue.bea, command)
        )
        assert stage.board().jump_url in said
    await (await stage.in_another_channel(thread=True)).begins(stage.venue.bea)
    await (await stage.in_another_channel()).begins(stage.venue.mod)


@scene("channel_taken_yours")
async def ones_own_channel(stage: Stage) -> None:
    """A player's second game in a thread is refused until they resign the first as advised."""
    stage = await stage.in_another_channel(thread=True)
    ana, other = stage.venue.ana, Stage(stage.venue, OTHER[stage.family], stage.channel)
    await other.begins(ana)
    said = await stage.refuses("channel_taken_yours", lambda: stage.slash(ana, "start"))
    assert stage.board().jump_url in said
    await other.resign(ana)
    await stage.begins(ana)


@scene("channel_taken_started")
async def ones_own_watched_game(stage: Stage) -> None:
    """A second game is refused until the starter of the watched game stops it."""
    ana, other = stage.venue.ana, Stage(stage.venue, OTHER[stage.family], stage.channel)
    await other.slash(ana, "watch")
    said = await stage.refuses("channel_taken_started", lambda: stage.slash(ana, "start"))
    assert stage.board().jump_url in said
    await other.resign(ana)
    await stage.begins(ana)


@scene("channel_taken_accept")
async def a_challenge_where_a_game_has_begun(stage: Stage) -> None:
    """A challenge in a thread that has a game by now can be accepted when that is over."""
    stage = await stage.in_another_channel(thread=True)
    offered = await stage.offers(stage.venue.ana, stage.venue.bea)
    await stage.begins(stage.venue.mod)
    said = await stage.refuses(
        "channel_taken_accept", lambda: stage.venue.bea.click(offered, label="Accept")
    )
    assert stage.board().jump_url in said
    await stage.resign(stage.venue.mod)
    await stage.venue.bea.click(offered, label="Accept")
    assert len((await stage.game()).people) == 2


@scene("too_many_games")
async def too_many_games(stage: Stage) -> None:
    """A player with too many games sees links to all of them; ending one makes room for another."""
    ana, stages = stage.venue.ana, await stage.fills(stage.venue.ana)
    said = await stage.refuses("too_many_games", lambda: stage.slash(ana, "start"))
    listed = (await stage.slash(ana, "games")).response.content
    for one in stages:
        assert one.board().jump_url in said
        assert one.board().jump_url in listed
    await stages[2].resign(ana)
    await stage.begins(ana)


@scene("opponent_is_busy", "challenger_is_busy")
async def another_person_is_busy(stage: Stage) -> None:
    """A player with too many games cannot be challenged; others can, and this one again later."""
    ana, bea, mod = stage.venue.ana, stage.venue.bea, stage.venue.mod
    stages = await stage.fills(bea)
    await stage.refuses("opponent_is_busy", lambda: stage.slash(ana, "start", opponent=bea))
    await stages[0].resign(bea)
    offered = await stage.offers(bea, mod)
    await stages[0].begins(bea)
    await stage.refuses("challenger_is_busy", lambda: mod.click(offered, label="Accept"))
    await stages[1].resign(bea)
    await mod.click(offered, label="Accept")
    assert await stage.game() is not None
    await (await stage.in_another_channel()).offers(ana, mod)


@scene("challenge_self", "challenge_bot")
async def impossible_opponents(stage: Stage) -> None:
    """Impossible opponents are refused; another person can be challenged, or Cuatro played."""
    ana = stage.venue.ana
    await stage.refuses("challenge_self", lambda: stage.slash(ana, "start", opponent=ana))
    robot = stage.venue.env.guild.add_member(stage.venue.env.create_user("robot", bot=True))
    await stage.refuses("challenge_bot", lambda: stage.slash(ana, "start", opponent=robot))
    await stage.begins(ana)


@scene("challenge_open_link", "not_your_challenge", "challenge_over", "again_not_yours")
async def one_challenge_at_a_time(stage: Stage) -> None:
    """A second open challenge is refused with a link to the first, which can be withdrawn.

    An expired one is sent again by its challenger alone.
    """
    ana, bea, mod = stage.venue.ana, stage.venue.bea, stage.venue.mod
    offered = await stage.offers(ana, bea)
    said = await stage.refuses(
        "challenge_open_link", lambda: stage.slash(ana, "start", opponent=mod)
    )
    assert offered.message.jump_url in said
    for label in ("Accept", "Decline"):
        await stage.refuses(
            "not_your_challenge", lambda label=label: mod.click(offered, label=label)
        )
    await stage.withdraw(ana, offered)
    again = await stage.offers(ana, mod)
    await stage.press_unseen(mod, again, "Decline")
    await stage.refuses("challenge_over", lambda: mod.click(again, label="Accept"))
    last = await stage.offers(ana, mod)
    await stage.venue.let_pass(OPEN_SECONDS + 30)
    await stage.refuses("again_not_yours", lambda: mod.click(last, label="Send again"))
    await ana.click(last, label="Send again")
    assert [one.offer.challenged for one in await stage.venue.services.store.challenges.open()] == [
        mod.id
    ]


@scene("no_such_agent", "level_and_opponent")
async def contradictory_opponents(stage: Stage) -> None:
    """Two opponents in one command are refused; either of them, or a suggested agent, works."""
    ana, bea = stage.venue.ana, stage.venue.bea

    async def refused(key: str, **options: object) -> None:
        await stage.refuses(key, lambda: stage.slash(ana, "start", **options))

    await refused("level_and_opponent", level="easy", opponent=bea)
    play, game = partial(ana.slash, stage.channel, "lab play"), stage.family
    await stage.refuses("no_such_agent", lambda: play(game=game, agent="nobody"))
    suggested = await ana.autocomplete(stage.channel, "lab play", "agent", "h", game=game)
    await play(game=game, agent=f" {suggested[0]['value'].upper()}")
    assert (await stage.game()).seats[1].agent == suggested[0]["value"]


@scene("not_a_variant")
async def impossible_boards(stage: Stage) -> None:
    """Impossible boards are refused; suggested ones can be played, in upper or lower case."""
    ana, option = stage.venue.ana, {"connect4": "size", "boom": "full_board"}.get(stage.family)
    if option is None:
        return
    await stage.refuses("not_a_variant", lambda: stage.slash(ana, "start", **{option: "3x99"}))
    name = f"{stage.family} start"
    suggested = await ana.autocomplete(stage.channel, name, option, "7")
    await stage.begins(ana, **{option: suggested[-1]["value"].upper()})
    assert (await stage.game()).game.variant == suggested[-1]["value"]


@scene("other_game")
async def the_other_games_commands(stage: Stage) -> None:
    """Commands of another game are refused; named ones work here, the other game in a thread."""
    ana, other = stage.venue.ana, Stage(stage.venue, OTHER[stage.family], stage.channel)
    await other.begins(ana)
    for command in ("resign", "board"):
        said = await stage.refuses("other_game", lambda command=command: stage.slash(ana, command))
        assert say_in(ENGLISH)(f"game.{other.family}") in said
    assert not (await other.slash(ana, "board")).ephemeral
    await (await stage.in_another_channel(thread=True)).begins(ana)


@scene("games_elsewhere")
async def another_channel_is_for_games(stage: Stage) -> None:
    """Where the server has chosen a channel for games, they begin only there and in its threads."""
    venue, ana = stage.venue, stage.venue.ana
    allowed, thread = await stage.in_another_channel(), await stage.in_another_channel(thread=True)
    preferences, guild_id = venue.services.store.preferences, venue.env.guild.id
    await preferences.set_server(guild_id, games_channel_id=allowed.channel.id)
    for options in ({}, {"opponent": venue.bea}):
        said = await stage.refuses(
            "games_elsewhere", lambda options=options: stage.slash(ana, "start", **options)
        )
        assert f"<#{allowed.channel.id}>" in said
    await allowed.begins(ana)
    await preferences.set_server(guild_id, games_channel_id=stage.channel.id)
    await thread.begins(venue.bea)
    await preferences.set_server(guild_id, games_channel_id=None)


@scene("open_alone", "range_alone")
async def open_to_anyone(stage: Stage) -> None:
    """A game that anyone can join has no chosen opponent; a range of ratings is for such games."""
    ana, bea = stage.venue.ana, stage.venue.bea
    start = stage.venue.env.bot.tree.get_command(stage.family).get_command("start")
    if "anyone" not in {one.name for one in start.parameters}:
        # No feature offers games to anyone.
        return
    for chosen in ({"opponent": bea}, {"level": "easy"}):
        await stage.refuses(
            "open_alone", lambda chosen=chosen: stage.slash(ana, "start", open=True, **chosen)
        )
    await stage.refuses("range_alone", lambda: stage.slash(ana, "start", range=200))
    await stage.begins(ana)


@scene("match_alone")
async def a_match_alone(stage: Stage) -> None:
    """A match against the bot is refused; one against a person is offered."""
    ana, bea = stage.venue.ana, stage.venue.bea
    start = stage.venue.env.bot.tree.get_command(stage.family).get_command("start")
    if "match" not in {one.name for one in start.parameters}:
        # No feature plays matches.
        return
    await stage.refuses("match_alone", lambda: stage.slash(ana, "start", match=2))
    offered = await stage.slash(ana, "start", match=2, opponent=bea)
    assert not offered.ephemeral, offered.response.content
