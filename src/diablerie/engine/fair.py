"""Provably fair randomness: every outcome of a match follows from a key fixed beforehand.

The key's SHA-256 is published before anyone sits down, each seat adds a nonce, and step n is
drawn from HMAC-SHA256(key, nonces and n). Once the key is revealed anybody can check every draw.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fair:
    """The stream of one match: a secret key and the seats' nonces, in seat order."""

    key: bytes
    nonces: tuple[str, ...] = ()

    @classmethod
    def fresh(cls) -> "Fair":
        """A stream with a new secret key and no nonces yet."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def seeded(cls, seed: int) -> "Fair":
        """The stream of a seed: reproducible, so not for play against others."""
        return cls(hashlib.sha256(f"diablerie seed {seed}".encode()).digest())

    @property
    def commitment(self) -> str:
        """SHA-256 of the key, in hex: published before the first nonce is given."""
        return hashlib.sha256(self.key).hexdigest()

    def draw(self, n: int) -> float:
        """The number of step n: 53 bits, from 0 up to but not including 1."""
        message = "\n".join((*self.nonces, str(n))).encode()
        digest = hmac.digest(self.key, message, "sha256")
        return (int.from_bytes(digest[:8], "big") >> 11) / 2**53

    def pick(self, n: int, probabilities: Sequence[float]) -> int:
        """Which of the outcomes with these probabilities step n brings."""
        left = self.draw(n)
        for i, p in enumerate(probabilities):
            left -= p
            if left < 0:
                return i
        return len(probabilities) - 1
