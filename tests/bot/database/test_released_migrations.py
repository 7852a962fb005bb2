"""A released migration never changes, because databases have already been migrated by it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import bot.database

VERSIONS = Path(bot.database.__file__).parent / "migrations" / "versions"
RELEASED = {
    "0001": "9433ff60d672aefbf226e69a170d61cb5688be1e63251e339832bb61a6054adf",
    "0002": "16726ed9d8337f187c71bcede6fac1cabd666e4d34166955db424200f3d87609",
    "0003": "1630b23fd981989215ef85a73ccf960131ba2080ad7a328e10c25a0ad04303c8",
    "0004": "efa9582affed44d46408a39eb148735cd8337103235846861f6f24f6c3c8e5fa",
    "0005": "0b6a4dbf62ecc5a84464d365adbf2be25161cfbd2b383728d8b6873ffd5fe06a",
    "0006": "de0cc564cf644b4ce32612369a65b656969764c03ede393c2932e6b8ad8ab31c",
    "0007": "7b70e681c0a27935814d0fdb8d79f3c7f38bb04dd4043254ac8f26cf4e4f5d25",
    "0008": "36f25bc693b732c27f3499b2db3bd2b003d8ef2486bb6bae065d6d8a574a6f5b",
    "0009": "eb11d4ba7304fcc269ce58223aabbd3cb9d79efc177de5156fcc85bb8975d7a8",
    "0010": "1939f7179cc6ac1336ac862bd6978e315145be7c9d2e4cd9ec8cba40534b7722",
    "0011": "754ba9f63cb3e03b3d1cc835e8c08acdab93f6ba348935a294ca814c07f603a2",
    "0012": "430f45b00ffdeed7d73570e896750517711e89e8efc703f37c7e5727b0e62517",
    "0013": "f1ae9ee3b6169a2908c8c177bdc47b78274a14a59dc6be9fd5850af3c68e2da9",
    "0014": "3a272eaa4fa95fcef7ea16a43cc7964e73b81f15252a5a93fa4bb14c0b7b1186",
    "0015": "05c0a1588e83d127d62dab0ac612c37cb692f95afa2fa52134611104ce80d22d",
    "0016": "9e4237ea0b409f0fbadb570b309bff1bf2a155b6e6781c70038df66ff76cf553",
    "0017": "ca3a357369b0cac1f01971d0bd3d00e7dabb204d42bb13e08f0035d78c9ea8dc",
    "0018": "ecb6860c6599f33db3685d698066dd0136c9da625f3145dede0d79b8a198cfc7",
    "0019": "4d37702db57791447b95713e3839dbc662ff4988b8433e6b0039e763a2a098b9",
    "0020": "6ac99db9622aa3a2e490d49b3a1bdb1222d32d6a947780557d918fedd201ecf2",
    "0021": "0928b439a6cc5ea37277b3dfaf3fe77afdb8718ca22d8467fe61c6b0e4b6243f",
    "0022": "c9e851fa784c9cebc65187702ee9b05bccd07ecbd8d4e224cb95ad5460cb84f5",
    "0023": "34d288f3ad6e4a39252ffb87e21004a4d434c8a0cc757ef386b820a3d42c9d9c",
    "0024": "8c0a3b48ad8989e7de5c482f8369778dfc6db7a20f59d8ce9671ad7e5869f8e7",
    "0025": "1f805972bfc0363310fff15068c8b871ca3c81b8431c04e40b4e8a758639789a",
    "0026": "a49b8db055031a5d53b8987f5ec3e230e58d882d0e04f1f52c723b56d358ecdb",
    "0027": "d0089ed691415b19960c9666a62004031a808910677e3828031db86363c23d6f",
    "0028": "73acb56f8dd61dbba78209114799d75f98c6648dc1f4786099cb3568c8efa419",
    "0029": "f7edd181dfc7ef3c225c92bb8157c0cae9e413e3d2cea15588c6321ab5b24aa2",
    "0030": "c99f4185107428b6e39cf4f0de2afa205ac28ba7341daa16dff65929c1a78c34",
    "0031": "b3583284e2114b6c886a6d2e8f72a80da623f26af2cca2d65040608ebd160f5b",
    "0032": "54bda4f3da6a7217b5100a57efc16769af2311eaf81a0a1993446488254bcd4b",
    "0033": "a4f066c02e455bd71647b61aad4b7c5fea32e07de80f58cc9565ae377d9f3786",
    "0034": "97018d2a4237ed4b7a995cd76ea835d970c7cf5fb138d898d6859eff738859e6",
    "0035": "e399b4656d6ee94595e08c6303c6637fd15a718aa69faf46ef5ed9a80f371f81",
    "0036": "117c8a7bebaab7897394b4233e3247111bb581c0437cea8c37037efbb85f20a3",
    "0037": "fa7290c1f7391eac8c746d02db859b8a557f4c0594d2b9c492a76d9289c2c7ae",
    "0038": "c2d15b4aa4e908596e2ff9190fa0b20e56f4388982347bb197d38ccd58ce9531",
    "0039": "a6e77005a627014e77f5dca23dc2b11e702b3631899881e6b9ad11db374ac26a",
    "0040": "3c21b65edf533970b46106bb4ac5680a2309d273734ad8e0ec0e1becba701191",
    "0041": "86416a0a93bc76dadd7c955b054cc85ed6c3fc9b72f180e56199178e864936e5",
    "0042": "cfef5f259df063ba43b1e0b5c6812c22f0bd5e37a8e674dc0f0a47fe9b29a908",
    "0043": "acec3ad51198019b84ca35cb997f95a965217bdda360292e6324e1c32c3a8781",
    "0044": "ccb0eae8a1de590ae0186306490ef923a8ab9696b5a3860bd1a412c9dd1f1f2b",
}
"""The SHA-256 of every migration's text, by revision; a new one adds a line."""


def hashes() -> dict[str, str]:
    """The hashes of the present migrations."""
    return {
        file.name[1:5]: sha256(file.read_text(encoding="utf-8").encode()).hexdigest()
        for file in sorted(VERSIONS.glob("v*.py"))
    }


def test_no_released_migration_has_changed() -> None:
    """No released migration has changed; a change of the tables needs a new migration."""
    found = hashes()
    changed = [name for name, pinned in RELEASED.items() if found.get(name) != pinned]
    assert not changed, f"put {changed} back as they were, and write a new migration instead"


def test_every_migration_is_pinned() -> None:
    """Every migration, including the newest, has its hash pinned here."""
    missing = {name: text for name, text in hashes().items() if name not in RELEASED}
    assert not missing, f"add to RELEASED: {missing}"
