"""What Alembic runs to come to the files of `versions`: on the connection that it was given."""

from alembic import context

from diablerie.table.storage import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema.metadata,
    render_as_batch=True,  # SQLite changes a column by making the table anew
    transactional_ddl=False,  # the transaction is the caller's
)
context.run_migrations()
