"""`make migration` has Alembic run this before the files of `versions`; `connection` is the caller's."""

from alembic import context

from diablerie.table.storage import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema.metadata,
    render_as_batch=True,  # SQLite changes a column by making the table anew
    transactional_ddl=False,  # the caller begins and commits the transaction
)
context.run_migrations()
