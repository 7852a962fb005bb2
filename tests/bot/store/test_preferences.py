"""The preferences of people and servers, and how soon a process sees a change."""

from __future__ import annotations

import asyncio

from bot.database.errors import Unavailable
from bot.store.people import Preferences, ServerPreferences
from bot.store.preferences import FRESH, CachedPreferences
from bot.store.store import Store
from tests.bot.builders import ANA, BEA

SERVER, CHANNEL = 700, 701


class Time:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The present time."""
        return self.now


async def test_people_choose_for_themselves(store: Store) -> None:
    """Every preference is kept for one person; a person who is new has the usual ones."""
    assert await store.players.preferences(ANA) == Preferences()
    chosen = Preferences(
        private=True,
        shares=False,
        pings=False,
        reminders=False,
        spoken=True,
        as_text=True,
        language="es",
        theme="dark",
    )
    values = {name: getattr(chosen, name) for name in Preferences.__dataclass_fields__}
    await store.players.set(ANA, 1.0, **values)
    assert await store.players.preferences(ANA) == chosen
    assert await store.players.preferences(BEA) == Preferences()


async def test_servers_choose_for_themselves(store: Store) -> None:
    """A server's choices are kept one by one, and can be taken back."""
    assert await store.servers.preferences(SERVER) == ServerPreferences()
    await store.servers.set(SERVER, games_channel_id=CHANNEL, language="es")
    await store.servers.set(SERVER, theme="dark")
    assert await store.servers.preferences(SERVER) == ServerPreferences(CHANNEL, "es", "dark")
    await store.servers.set(SERVER, games_channel_id=None)
    assert await store.servers.preferences(SERVER) == ServerPreferences(None, "es", "dark")
    assert await store.servers.preferences(SERVER + 1) == ServerPreferences()


async def test_a_change_elsewhere_is_seen_within_a_minute(store: Store) -> None:
    """A change by another process is seen once the cached preferences are old."""
    time = Time()
    cached = CachedPreferences(store.players, store.servers, time)
    assert (await cached.of_person(ANA)).theme is None
    await store.players.set(ANA, 1.0, theme="dark")
    await store.servers.set(SERVER, theme="dark")
    time.now = FRESH - 1
    assert (await cached.of_person(ANA)).theme is None
    assert (await cached.of_server(SERVER)).theme == "dark"
    time.now = FRESH
    assert (await cached.of_person(ANA)).theme == "dark"


async def test_an_own_change_is_seen_at_once(store: Store) -> None:
    """A change by this process is seen by the next answer."""
    cached = store.preferences
    assert (await cached.of_person(ANA)).language is None
    assert (await cached.of_server(SERVER)).language is None
    await cached.set_person(ANA, 1.0, language="es")
    await cached.set_server(SERVER, language="es")
    assert (await cached.of_person(ANA)).language == "es"
    assert (await cached.of_server(SERVER)).language == "es"


async def test_private_channels_have_the_usual_preferences(store: Store) -> None:
    """Without a server nothing was chosen for it."""
    assert await store.preferences.of_server(None) == ServerPreferences()


class Faulty(CachedPreferences):
    """Preferences whose source fails or is slow, as a test says."""

    def __init__(self, store: Store, time: Time) -> None:
        self.fault: Unavailable | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        players = store.players
        read = players.preferences

        async def preferences(user_id: int) -> Preferences:
            await self.gate.wait()
            if self.fault is not None:
                raise self.fault
            return await read(user_id)

        players.preferences = preferences  # type: ignore[method-assign]
        super().__init__(players, store.servers, time)


async def test_answers_do_not_wait_for_a_database_that_fails(store: Store) -> None:
    """While preferences cannot be read, the last known ones are used, else the usual ones."""
    time = Time()
    cached = Faulty(store, time)
    await store.players.set(ANA, 1.0, language="es")
    assert (await cached.of_person(ANA)).language == "es"
    time.now = FRESH
    cached.fault = Unavailable("gone", "the server does not answer")
    assert (await cached.of_person(ANA)).language == "es"
    assert await cached.of_person(BEA) == Preferences()
    cached.fault = None
    cached.gate.clear()
    assert (await cached.of_person(ANA)).language == "es"
    await store.players.set(ANA, 1.0, language="en")
    cached.gate.set()
    await asyncio.sleep(0)
    cached.forget(ANA)
    assert (await cached.of_person(ANA)).language == "en"


async def test_an_answer_waits_once_for_both(store: Store) -> None:
    """While a person's preferences cannot be read, those of the server are used all the same."""
    cached = Faulty(store, Time())
    cached.gate.clear()
    await store.players.set(ANA, 1.0, theme="dark")
    await store.servers.set(SERVER, theme="dark")
    async with asyncio.timeout(30):
        while (await cached.of_server(SERVER)).theme is None:
            pass
        both = await cached.of_both(ANA, SERVER)
        assert both == (Preferences(), ServerPreferences(theme="dark"))
        cached.gate.set()
        # No read is left behind.
        while (await cached.of_person(ANA)).theme is None:
            pass
