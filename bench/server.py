"""The table as a server: start, actions a second, bytes a frame, memory."""


def everything() -> None:
    """All server figures."""
