"""The client of the API: tables of a server, from Python.

    from diablerie.client import Client

    with Client("http://localhost:8666", token) as server:
        table = server.open_table("coals", ["me", "devil"]).id
        for seen in server.stream(table):
            if seen.legal:
                server.decide(table, seen.ply, seen.legal[0].do)

`AsyncClient` has the same methods, awaited. Both need httpx, which the extra
`client` brings, and import it only when they are asked for: `diablerie bot --help` works without.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diablerie.client.client import AsyncClient, Client, Refusal

__all__ = ["AsyncClient", "Client", "Refusal"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.client"), name)
