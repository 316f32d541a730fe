"""Provably fair: the key decides everything, and nothing else does."""

import hashlib
import hmac
import itertools

import pytest

from diablerie.engine.fair import DiceStream, label, pledge


def test_the_commitment_is_the_sha256_of_the_key():
    fair = DiceStream(b"k" * 32)
    assert fair.commitment == hashlib.sha256(b"k" * 32).hexdigest()


def test_a_draw_can_be_recomputed_with_nothing_but_hmac():
    alone = DiceStream(b"key"), b"12"
    shared = DiceStream(b"key", ("salt", "pepper"), ("", "")), b"4:draw,4:salt,6:pepper,2:12,"
    for fair, message in (alone, shared):
        digest = hmac.new(b"key", message, "sha256").digest()
        assert fair.draw(12) == (int.from_bytes(digest[:8], "big") >> 11) / 2**53


def test_a_label_can_be_recomputed_with_nothing_but_sha256():
    """What old files are held against must never change."""
    assert label("salt", "Ann") == hashlib.sha256(b"5:label,4:salt,3:Ann,").hexdigest()


def test_every_nonce_and_every_step_change_the_draw():
    draws = {
        DiceStream(b"k", (nonce,), ("",)).draw(n) for nonce in ("", "a", "b") for n in range(50)
    }
    assert len(draws) == 150


def test_whoever_knows_the_key_and_may_withhold_k_nonces_has_two_to_the_k_sets_of_dice():
    nonces, seats = [f"{seat}" * 32 for seat in range(6)], range(1, 6)  # seat 0 is another's
    sets = set()
    for shown in itertools.product([False, True], repeat=5):
        given = [nonces[0], *(nonces[i] if shown[i - 1] else "" for i in seats)]
        stream = DiceStream.agreed(b"k", given, [*map(pledge, nonces)], [""] * 6)
        assert stream.withheld == [i for i in seats if not shown[i - 1]]
        sets.add(tuple(map(stream.draw, range(3))))
    assert len(sets) == 32


def test_fresh_keys_differ_and_seeds_repeat(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()  # the keys of chance, not of the test
    assert DiceStream.fresh().key != DiceStream.fresh().key
    assert DiceStream.seeded(7) == DiceStream.seeded(7)


def test_picks_follow_the_probabilities():
    fair, p = DiceStream.seeded(1), [0.5, 0.125, 0.375]
    counts = [0, 0, 0]
    for n in range(8000):
        counts[fair.pick(n, p)] += 1
    for count, expected in zip(counts, p, strict=True):
        assert count / 8000 == pytest.approx(expected, abs=0.02)
