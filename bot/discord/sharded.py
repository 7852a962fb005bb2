"""The client of a bot that is so large that Discord shares its servers out among shards."""

from __future__ import annotations

import logging
from typing import Any

import discord

from bot.discord.background import GRACE
from bot.discord.client import CuatroClient
from bot.discord.door import Door
from bot.discord.identifying import Turns
from bot.discord.lean_state import LeanShardedState
from bot.services import Services
from bot.shards import Shards

logger = logging.getLogger(__name__)


class ShardedClient(CuatroClient, discord.AutoShardedClient):
    """The bot on some shards. Another process may be told of the same interactions."""

    is_sharded = True

    def __init__(self, services: Services, shards: Shards, **options: Any) -> None:
        """Serve the games of these shards; the options are those of `CuatroClient`."""
        self.serves = shards
        numbers = sorted(shards.ids)
        super().__init__(services, **options, shard_ids=numbers, shard_count=shards.count)
        self.turns = Turns(self, services.store.identifies)
        """When shards may identify themselves."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the shard's turn, which discord.py would only guess; `initial` or not."""
        assert shard_id is not None
        await self.turns.wait(shard_id)

    async def setup_hook(self) -> None:
        """Before connecting: see `CuatroClient`; shards with more running games come first."""
        await super().setup_hook()
        games = await self.services.store.games.count_by_shard(self.serves.count)
        self.shard_ids = sorted(self.serves.ids, key=lambda one: (-games.get(one, 0), one))

    async def finish(self) -> None:
        """Leave what arrives to another process, if there is one, and finish what is under way."""
        self.door.gives_way = True
        await super().finish()
        await self.door.close()
        await self.handlers.answering.finish(GRACE)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Log that a shard has begun."""
        logger.info("shard %s of %s is ready", shard_id, self.serves)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Log that a shard goes on."""
        logger.info("shard %s of %s goes on", shard_id, self.serves)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Log that a shard was cut off."""
        logger.warning("shard %s of %s is not connected", shard_id, self.serves)

    def _get_state(self, **options: Any) -> _State:
        return _State(
            self.door,
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )


class _State(LeanShardedState):
    """discord.py's state; all interactions, of whatever kind, come through one method of it."""

    def __init__(self, door: Door, **options: Any) -> None:
        super().__init__(**options)
        self._door = door

    def parse_interaction_create(self, data: Any) -> None:
        """Let an interaction in, unless it is another process's."""
        self._door.knock(data, super().parse_interaction_create)
