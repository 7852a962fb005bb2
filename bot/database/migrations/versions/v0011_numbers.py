"""The number that people see of a rating, beside the estimate."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

PLACEMENT, MOST, LEAST = 5, 60.0, 24.0
"""The rule as it was when this revision was written."""


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("ratings", sa.Column("shown", sa.Double(), nullable=True))
    for column in ("shown_before", "shown_after"):
        op.add_column("rating_changes", sa.Column(column, sa.Double(), nullable=True))
    op.drop_index("ix_ratings_ladder", "ratings")
    op.create_index("ix_ratings_shown", "ratings", ["ladder", "shown", "user_id"])
    _fill_in(op.get_bind())


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_index("ix_ratings_shown", "ratings")
    op.create_index("ix_ratings_ladder", "ratings", ["ladder", "value", "user_id"])
    for column in ("shown_after", "shown_before"):
        op.drop_column("rating_changes", column)
    op.drop_column("ratings", "shown")


GAMES = """
SELECT c.game_id, c.user_id, c.ladder, c.value_after, c.deviation_before, c.games_after, c.opponent,
       CASE WHEN g.winner IS NULL THEN 0.5
            WHEN (g.winner = 1 AND g.first_user = c.user_id)
              OR (g.winner = 2 AND g.second_user = c.user_id) THEN 1.0
            ELSE 0.0 END AS score
FROM rating_changes AS c JOIN games AS g ON g.id = c.game_id
ORDER BY c.user_id, c.ladder, c.at, c.games_after
"""


def _fill_in(connection: sa.Connection) -> None:
    """Play everybody's games through, so that their course has numbers from the beginning."""
    shown: dict[tuple[int, str], float | None] = defaultdict(lambda: None)
    changes = []
    for row in connection.execute(sa.text(GAMES)).all():
        key = (row.user_id, row.ladder)
        before, shown[key] = shown[key], _after(shown[key], row)
        names = {"game": row.game_id, "user": row.user_id, "before": before, "after": shown[key]}
        changes.append(names)
    if changes:
        change = (
            "UPDATE rating_changes SET shown_before = :before, shown_after = :after "
            "WHERE game_id = :game AND user_id = :user"
        )
        connection.execute(sa.text(change), changes)
        rating = "UPDATE ratings SET shown = :shown WHERE user_id = :user AND ladder = :ladder"
        rows = [{"user": u, "ladder": name, "shown": n} for (u, name), n in shown.items()]
        connection.execute(sa.text(rating), rows)


def _after(shown: float | None, row: Any) -> float | None:
    """The number after a game."""
    if shown is None:
        return float(row.value_after) if row.games_after >= PLACEMENT else None
    step = min(max(row.deviation_before**2 * 0.005756463, LEAST), MOST)
    return float(shown + step * (row.score - 1 / (1 + 10 ** ((row.opponent - shown) / 400))))
