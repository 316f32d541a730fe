"""Sockets that listen."""

import socket

from diablerie.web.process.open_files import BACKLOG


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens at an address. Raises OSError or OverflowError if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, for only then does asyncio send at once what it is given: without it every
    # answer of two packets waits 40 ms for an acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError):
        listening.close()
        raise
    return listening
