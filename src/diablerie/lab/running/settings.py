"""Settings that the configs of all studies share: options of a game, bots by spec, seeds."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from diablerie.bots.spec import parse_bot
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig

CONTINUES = re.compile(r"\w+=")  # a piece that belongs to the spec before it


def option_texts(game: Game, seats: int, options: Mapping[str, Any]) -> dict[str, str]:
    """All options of a game as text, those that are left out too. Raises BadOption."""
    settled = game.settled(seats, options)
    return {option.name: option.format(settled[option.name]) for option in game.options}


def split_specs(text: str) -> tuple[str, ...]:
    """The specs of a comma-separated list; `key=value` belongs to the spec before it."""
    specs: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if specs and CONTINUES.match(piece):
            specs[-1] += f",{piece}"
        elif piece:
            specs.append(piece)
    return tuple(specs)


def check_players(specs: Sequence[str]) -> None:
    """Raise BadSpec or BadConfig unless every text is the spec of a bot."""
    for spec in specs:
        try:
            parse_bot(spec, imports=True)
        except ValueError:
            raise
        except Exception as error:  # a user's module may raise anything when it is imported
            why = f"{type(error).__name__}: {error}"
            raise BadConfig(say("{name} cannot be read: {why}", name=spec, why=why)) from error


def check_seed(seed: int) -> None:
    """Raise BadConfig unless a seed fits into 63 bits."""
    if not 0 <= seed < 2**63:
        raise BadConfig(say("a seed is a whole number from 0 to 2^63-1, not {seed}", seed=seed))


def seed_for(seed: int, *purpose: int | str) -> int:
    """The seed (64 bits) of one generator of a study: of a table's dice, of a seat in a game.

    It is the beginning of the SHA-256 of the study's seed and of the words that say what the
    generator is for, so generators for different purposes are independent.
    """
    words = " ".join(str(word) for word in (seed, *purpose))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
