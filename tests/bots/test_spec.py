"""Bots by name, and the two simple ones."""

import sys
from types import SimpleNamespace

import pytest

from diablerie.bots import spec
from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.bots.searcher import SearchBot
from diablerie.bots.spec import KINDS, BadSpec, BotKind, Spec, bot_title, parse_bot
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded
from diablerie.engine.text import say
from diablerie.testing.positions import all_settings, positions


class Last:
    """A bot of one's own: the last legal action."""

    def __init__(self, game: Game, depth: int = 0) -> None:
        self.random, self.depth = RandomBot(game), depth

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        return self.random.choose(s, seat, rng)


def test_the_built_in_bots_are_found_by_name(game: Game) -> None:
    assert isinstance(parse_bot("random").make(game), RandomBot)
    assert isinstance(parse_bot(" sensible ").make(game), SensibleBot)
    assert str(bot_title("random")) == "Wild devil"


def test_a_bot_of_ones_own_is_found_where_imports_are_allowed(game: Game) -> None:
    spec = parse_bot("tests.bots.test_spec:Last", imports=True)
    assert type(spec.make(game)).__name__ == "Last"
    assert str(bot_title("tests.bots.test_spec:Last")) == "Last"
    with pytest.raises(BadSpec):
        parse_bot("tests.bots.test_spec:Last")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("clever", "no bot “clever”; there are imp, devil"),
        ("", "no bot “”"),
        ("random:ms=3", "no setting “ms”"),
        ("nowhere.at.all:Bot", "no bot “nowhere.at.all:Bot”"),
        ("tests.bots.test_spec:Nothing", "Nothing"),
        (":", "no bot"),
    ],
)
def test_what_is_no_bot_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(BadSpec) as refused:
        parse_bot(text, imports=True)
    assert words in str(refused.value)


def test_settings_are_read_by_the_kind(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "last", BotKind(Last, say("Last"), {"depth": int}))
    bot = parse_bot("last:depth=3").make(game)
    assert isinstance(bot, Last)
    assert bot.depth == 3
    for text in ("last:depth=deep", "last:width=3"):
        with pytest.raises(BadSpec):
            parse_bot(text)


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("search:ms=200,explore=0.7", {"ms": 200, "explore": 0.7}),
        ("search:n=1,widen=1,doubt=0", {"n": 1, "widen": 1, "doubt": 0}),
        ("search:tree=1,n=1", {"tree": 1, "n": 1}),
        ("sensible:epsilon=0.1", {"epsilon": 0.1}),
    ],
)
def test_the_settings_of_the_bots_are_read(
    game: Game, text: str, settings: dict[str, float]
) -> None:
    spec = parse_bot(text)
    assert spec == Spec(text.partition(":")[0], settings)
    assert isinstance(spec.make(game), SearchBot if "search" in text else SensibleBot)


@pytest.mark.parametrize(
    "text", ["search:n=0", "search:n=1.5", "sensible:epsilon=1.1",
             "sensible:epsilon=nan", "sensible:epsilon=-0.1", "search:explore=-1",
             "search:doubt=-1", "search:tree=-1",
             "fallible:habit=-1", "fallible:memory=1.1", "fallible:glance=1", "search:epsilon=1",
             "net:temperature=-1", "net:advised=1.1", "net:doubt=-1", "random:epsilon=0",
             "search:spots=100", "sensible:slips=0.1"],
)  # fmt: skip
def test_settings_out_of_range_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadSpec) as refused:
        parse_bot(text)
    assert str(refused.value) == str(refused.value.line)


@pytest.mark.parametrize("spec", ["random", "sensible"])
def test_bots_decide_legally_from_what_their_seat_sees(game: Game, spec: str) -> None:
    bot, rng = parse_bot(spec).make(game), seeded(1)
    for setting in all_settings():
        plain = setting.name == game.name and not setting.options
        for s in positions(setting, 6) if plain else ():
            for seat in range(setting.seats):
                if verbs.pending(s) >> seat & 1:
                    seen = s.copy()
                    verbs.redact(seen, seat)
                    before = seen.tobytes()
                    assert verbs.forbids(s, seat, bot.choose(seen, seat, rng)) == 0
                    assert seen.tobytes() == before


def test_random_finds_every_action(game: Game) -> None:
    match, bot, rng = Match.new(game, seed=3), parse_bot("random").make(game), seeded(2)
    seat = match.actor or 0
    found = {bot.choose(match.seen_by(seat), seat, rng) for _ in range(40 * len(match.actions()))}
    assert sorted(found) == match.actions()


@pytest.mark.parametrize("load", [lambda: sys.exit(3), lambda: 1 // 0])
def test_a_kind_of_another_package_that_cannot_be_imported_is_refused(load, monkeypatch):
    point = SimpleNamespace(load=load)
    monkeypatch.setattr(spec, "entry_points", lambda **_: [point])
    spec.external_kind.cache_clear()
    with pytest.raises(BadSpec, match=r"There is no bot “broken”: (SystemExit|ZeroDivisionError)"):
        parse_bot("broken:file", imports=True)
