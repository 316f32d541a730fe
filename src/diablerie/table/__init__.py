"""The table: seats, the event log and its storage, live news, and the driver of bots."""

try:
    import sqlalchemy  # noqa: F401
except ModuleNotFoundError:
    from diablerie.engine.extras import missing  # takes a tenth of all imports, in a browser

    raise missing("sqlalchemy", "play") from None
