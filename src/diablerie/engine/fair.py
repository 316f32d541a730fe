"""Provably fair randomness: every outcome of a match follows from a key fixed beforehand.

The key's SHA-256 is published before anyone sits down, and draw n is made from HMAC-SHA256(key,
nonces and n), where n counts the draws of the match and nothing else. A seat's nonce is its player's,
who has promised it by its hash before any nonce was shown, or it follows from the key: so nobody,
whoever knows the key, chooses after having seen the others'. Once the key is revealed anybody can
check every draw.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from diablerie.engine.rng import whole

KEY_BYTES = 32  # bytes
DEALT_NONCE_DIGITS = 32  # hex digits of a nonce that follows from the key


@dataclass(frozen=True)
class Aborted:
    """A start that was given up after all hashes of nonces were in.

    `commitment` is that of the key it would have been played with; `hashes` are by seat.
    """

    commitment: str
    hashes: tuple[str, ...]


@dataclass(frozen=True)
class DiceStream:
    """The stream of one match: a secret key and the seats' nonces, in seat order.

    `pledges` are the hashes by which nonces were promised, "" for one that nobody did; `labels`
    hold what each seat was called, see `label`. The stream of a seed, or of a key alone, has no
    nonces, and `pledges` is None. So many starts of the match were `aborted` before, and `earlier`
    has the last of them. `late` are the seats whose players had said that a hash would come, and
    the match began without it. `by_lines`: the match began before 0.4.0, so the number of a draw is
    that of its line in the file, which every note moves.
    """

    key: bytes
    nonces: tuple[str, ...] = ()
    pledges: tuple[str, ...] | None = None
    labels: tuple[str, ...] = ()
    aborted: int = 0
    earlier: tuple[Aborted, ...] = ()
    late: tuple[int, ...] = ()
    by_lines: bool = False

    @classmethod
    def fresh(cls) -> "DiceStream":
        """A stream with a new secret key and no nonces yet."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def seeded(cls, seed: int) -> "DiceStream":
        """The stream of a seed: reproducible, so not for play against others.

        Raises TypeError for a seed that is no whole number.
        """
        return cls(hashlib.sha256(f"diablerie seed {whole('seed', seed)}".encode()).digest())

    @classmethod
    def agreed(
        cls, key: bytes, nonces: Sequence[str], pledges: Sequence[str], names: Sequence[str]
    ) -> "DiceStream":
        """The stream in which the players with these names have a share.

        nonces: by seat, "" for one that is to follow from the key; pledges: their hashes.
        """
        full = tuple(nonce or dealt(key, seat) for seat, nonce in enumerate(nonces))
        labels = tuple(map(label, full, names))
        return cls(key, full, tuple(pledges), labels)

    @property
    def commitment(self) -> str:
        """SHA-256 of the key, in hex: published before the first nonce is given."""
        return hashlib.sha256(self.key).hexdigest()

    @cached_property
    def by(self) -> list[str]:
        """Who gave each nonce: "player", or "table" for one that follows from the key."""
        pairs = zip(self.nonces, self.pledges or (), strict=True)
        return ["player" if pledge(nonce) == promised else "table" for nonce, promised in pairs]

    @cached_property
    def withheld(self) -> list[int]:
        """The seats whose nonce was promised and not shown, so that one was dealt instead."""
        pledges = self.pledges or ()
        return [seat for seat, by in enumerate(self.by) if by == "table" and pledges[seat]]

    @property
    def repeated(self) -> list[int]:
        """The seats whose nonce was promised in an earlier start, so that others may know it."""
        old = {promised for start in self.earlier for promised in start.hashes if promised}
        return [seat for seat, promised in enumerate(self.pledges or ()) if promised in old]

    def draw(self, n: int) -> float:
        """What draw n (from 0) gives: 53 bits, from 0 up to but not including 1."""
        if self.pledges is None:
            message = str(n).encode()
        else:
            message = joined("draw", *self.nonces, str(n))
        digest = hmac.digest(self.key, message, "sha256")
        return (int.from_bytes(digest[:8], "big") >> 11) / 2**53

    def pick(self, n: int, probabilities: Sequence[float]) -> int:
        """Which of the outcomes with these probabilities draw n brings."""
        left = self.draw(n)
        for i, p in enumerate(probabilities):
            left -= p
            if left < 0:
                return i
        return len(probabilities) - 1


def joined(*texts: str) -> bytes:
    """Texts as one, each with its length before it, so that no other texts give the same bytes."""
    encoded = [text.encode() for text in texts]
    return b"".join(b"%d:%s," % (len(data), data) for data in encoded)


def pledge(nonce: str) -> str:
    """The hash by which a player promises a nonce: SHA-256, in hex."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def dealt(key: bytes, seat: int) -> str:
    """The nonce of a seat whose player gives none: it follows from the key, so nobody chose it."""
    return hmac.new(key, joined("nonce", str(seat)), "sha256").hexdigest()[:DEALT_NONCE_DIGITS]


def label(nonce: str, name: str) -> str:
    """The hash that a digest binds in place of a seat's name, which may be deleted later."""
    return hashlib.sha256(joined("label", nonce, name)).hexdigest()
