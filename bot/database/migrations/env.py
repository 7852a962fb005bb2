"""Where Alembic meets the store: migrations run on a connection that is handed in."""

from alembic import context

from bot.database.statements import Base, backend_of

connection = context.config.attributes["connection"]

backend_of(connection.dialect.name).prepare_migrations()

# SQLite cannot alter most of a table in place: batch mode copies it instead.
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)

with context.begin_transaction():
    context.run_migrations()
