"""The parts of the engine by themselves: records, options, sentences, generator, cache."""

import pickle
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

import numba
import numpy as np
import pytest

import diablerie
from diablerie.bots.search import search
from diablerie.engine import sources, verbs
from diablerie.engine.notation import NotationError, TableNotation, Texts
from diablerie.engine.numba_internals import ByModule
from diablerie.engine.options import BadOption, choice_option, flag_option, number_option, settle
from diablerie.engine.record import Grid, Record, Row, copy, from_bytes, i8, i32, record, same
from diablerie.engine.rng import below, seeded, unit, weighted
from diablerie.engine.shared_rules import softmax_to_utilities, winner_takes_all
from diablerie.engine.text import ENGLISH, Line, SeatRef, listed, render_line, say, says
from diablerie.games.coals import GAME as COALS


@record
class Small(Record):
    node: i8
    seats: i8
    chips: Annotated[Row, i32, 3]
    front: Annotated[Grid, i8, 2, 4]


def test_a_record_has_the_declared_layout():
    s = Small.zero()
    s.chips[1] = 70_000
    s.front[1, 3] = 5
    assert Small.dtype.itemsize == 24
    assert (int(s.chips[1]), int(s.front[1, 3]), int(s.node)) == (70_000, 5, 0)


def test_a_copy_is_equal_and_independent():
    s = Small.zero()
    twin = copy(s)
    assert same(s, twin)
    twin.node = 3
    assert not same(s, twin)


def test_bytes_of_another_size_are_refused():
    with pytest.raises(ValueError, match="24 bytes expected, 3 found"):
        from_bytes(Small, b"abc")


def test_a_field_may_not_hide_an_attribute_of_every_record():
    with pytest.raises(TypeError, match="'round'"):

        @record
        class Bad(Record):
            round: i8


class Game:
    class State(Record):
        node: i8


def test_a_record_is_sent_to_other_processes_wherever_it_is_declared(monkeypatch):
    monkeypatch.setattr(Game, "State", record(Game.State))
    s = Game.State.zero()
    s.node = 3
    twin = pickle.loads(pickle.dumps(s))
    assert type(twin) is Game.State
    assert same(s, twin)


def test_verbs_that_are_not_compiled_are_asked_with_an_array_too():
    plain = verbs.InterpretedVerbs(
        Small, {"legal": lambda s, seat, out: (type(s), int(s.node), seat, out)}
    )
    s = Small.zero()
    s.node = 3
    assert plain.legal(s.array, 1, "out") == (Small, 3, 1, "out")


def test_compiled_rules_hold_nobody_up():
    """They let go of the interpreter's lock: requests are answered while bots think."""
    assert search.targetoptions["nogil"]
    assert unit.targetoptions["nogil"]


def test_a_class_of_states_belongs_to_one_game(game):
    with pytest.raises(ValueError, match="same class of states"):
        verbs.register(game.state, {})


OPTIONS = (
    choice_option("pact", say("Pact"), say("…"), [("all", say("all")), ("one", say("one"))]),
    number_option("mouth", say("Mouth"), say("…"), 0, 47, 20, (0,)),
    flag_option("open", say("Open"), say("…")),
)


def test_options_take_values_or_their_text():
    assert settle(OPTIONS, {}) == {"pact": "all", "mouth": 20, "open": False}
    given = {"pact": "one", "mouth": "7", "open": "yes"}
    assert settle(OPTIONS, given) == {"pact": "one", "mouth": 7, "open": True}
    assert settle(OPTIONS, settle(OPTIONS, given)) == settle(OPTIONS, given)


@pytest.mark.parametrize(
    ("name", "value"),
    [("pact", "two"), ("mouth", "48"), ("mouth", "-1"), ("mouth", "x"), ("mouth", 48),
     ("mouth", "٣"), ("mouth", "9" * 30), ("open", "maybe"), ("teeth", "1")],
)  # fmt: skip
def test_wrong_options_are_refused_in_a_sentence(name, value):
    with pytest.raises(BadOption) as error:
        settle(OPTIONS, {name: value})
    assert name in str(error.value)


def test_an_option_that_is_not_there_is_told_beside_those_that_are():
    with pytest.raises(BadOption, match="this game has pact, mouth, open"):
        settle(OPTIONS, {"teeth": "1"})
    with pytest.raises(BadOption, match="this game has none"):
        settle((), {"teeth": "1"})


class Shouting:
    def gettext(self, message):
        return message.upper().replace("{WHO}", "{who}")

    def ngettext(self, singular, plural, n):
        return self.gettext(singular if n == 1 else plural).replace("{N}", "{n}")


def test_a_sentence_is_rendered_in_any_language_with_names():
    line = say("{who} waits.", who=SeatRef(1))
    assert render_line(line, Shouting(), lambda seat: f"Bo{int(seat)}") == "Bo1 WAITS."
    assert str(line) == "player 2 waits."


def test_sentences_nest_and_have_plural_forms():
    one, two = (says("{n} piece", "{n} pieces", n) for n in (1, 2))
    assert [str(one), str(two)] == ["1 piece", "2 pieces"]
    assert str(say("You hold {what}.", what=two)) == "You hold 2 pieces."
    assert render_line(two, Shouting(), str) == "2 PIECES"
    assert isinstance(one, Line)
    assert ENGLISH.gettext("x") == "x"


def test_sentences_are_listed_with_commas_between_them():
    lines = [say("salt"), say("pepper"), say("brimstone")]
    assert [str(listed(lines[:n])) for n in (1, 2, 3)] == [
        "salt", "salt, pepper", "salt, pepper, brimstone"
    ]  # fmt: skip
    with pytest.raises(ValueError, match="unpack"):
        listed([])


def test_the_generator_is_reproducible_and_even():
    a, b = seeded(3), seeded(3)
    assert [below(a, 10) for _ in range(20)] == [below(b, 10) for _ in range(20)]
    counts = np.bincount([below(a, 5) for _ in range(5000)])
    assert counts.min() > 900
    assert 0.0 <= unit(a) < 1.0
    p = np.array([0.0, 1.0])
    assert {weighted(a, p, 2) for _ in range(50)} == {1}


@pytest.mark.parametrize(
    ("scores", "shares"),
    [([3, 1, 1], [1, -0.5, -0.5]), ([3, 3, 1], [0.5, 0.5, -1]), ([2, 2], [0, 0])],
)
def test_winners_share(scores, shares):
    out = np.zeros(len(scores))
    winner_takes_all(np.array(scores), len(scores), out)
    assert out.tolist() == shares


def test_utilities_of_a_softmax_are_those_of_its_shares():
    """Shares of 1/2, 1/3 and 1/6 are worth as much more than the others' mean."""
    out = np.log([3.0, 2.0, 1.0]) + 5.0
    softmax_to_utilities(out, 3, out)
    np.testing.assert_allclose(out, [0.25, 0.0, -0.25], atol=1e-12)


def test_numba_keeps_code_in_that_folder_and_none_where_nothing_is_compiled():
    kept = numba.config.CACHE_DIR
    if numba.config.DISABLE_JIT:
        assert kept == ""
    else:
        assert Path(kept).name == sources.source_digest()


def test_the_cache_folder_is_named_by_the_sources(tmp_path, monkeypatch):
    monkeypatch.setenv("DIABLERIE_CACHE", str(tmp_path))
    for old in range(6):
        (tmp_path / "rules" / f"old{old}").mkdir(parents=True)
    here = sources.cache_folder()
    assert here.name == sources.source_digest()
    assert len(list((tmp_path / "rules").iterdir())) == sources.OLDER_DIGESTS_KEPT + 1


def test_without_a_word_machine_code_lies_in_a_folder_of_our_name(monkeypatch):
    monkeypatch.delenv("DIABLERIE_CACHE", raising=False)
    assert "diablerie" in sources.cache_root().parts


def test_two_checkouts_of_one_version_share_their_code(tmp_path):
    """The folder of a module's code is named by the module and not by where it lies."""
    path = sources.PACKAGE / "games" / "coals" / "rules" / "legality.py"
    named = ByModule.get_suitable_cache_subpath(str(path))
    assert named == "diablerie.games.coals.rules"
    assert str(tmp_path) not in ByModule.get_suitable_cache_subpath(str(tmp_path / "x.py"))


def test_a_game_whose_room_lacks_a_verb_says_which_room():
    rules = SimpleNamespace(**{k: v for k, v in vars(COALS.rules).items() if k != "legal"})
    with pytest.raises(AttributeError, match="legal"):
        replace(COALS, rules=rules)


def test_a_game_that_is_begun_at_once_has_as_many_players_as_it_can_have():
    assert COALS.quick in COALS.seats
    with pytest.raises(ValueError, match="quick is 7"):
        replace(COALS, quick=7)


def test_a_notation_by_tables_knows_outcomes_at_chance_nodes_only():
    s = Small.zero()
    notation = TableNotation(Texts(["go"]), {0: Texts(["first 0", "first 1"])})
    assert notation.parse_action(s, 0, notation.format_action(s, 0, 0)) == 0
    assert notation.parse_outcome(s, notation.format_outcome(s, 1)) == 1
    with pytest.raises(NotationError):
        notation.parse_outcome(s, "first 2")
    s.node = 1
    with pytest.raises(NotationError):
        notation.parse_outcome(s, "first 0")


@pytest.mark.parametrize("seed", [1.0, True, float("nan"), b"1", "1", [1], np.float32(1), np.True_])
def test_a_seed_is_a_whole_number_or_refused(seed):
    for begin in (diablerie.start, partial(diablerie.batch, n=2)):
        with pytest.raises(TypeError, match="seed is one whole number, not"):
            begin("coals", seed=seed)
    with pytest.raises(TypeError, match="seed is one whole number, not"):
        seeded(seed)


def test_a_seed_of_numpy_gives_the_same_dice():
    assert (
        diablerie.start("coals", seed=np.int64(-3)).fair == diablerie.start("coals", seed=-3).fair
    )
    assert (seeded(np.int64(-3)) == seeded(-3)).all()


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"gaol": 3}, 'There is no “gaol” here; try options={"goal": …}.'),
        ({"goal": 300}, 'There is no “goal” here; try options={"goal": …}.'),
        ({"sead": 3}, "There is no “sead” here; try seed=…."),
        ({"seats": 2.0}, "COALS is for 2 to 6 players, not 2.0."),
        ({"seats": "3"}, "COALS is for 2 to 6 players, not '3'."),
    ],
)
def test_an_argument_that_there_is_not_is_refused_in_a_sentence(chosen, said):
    for begin in (diablerie.start, partial(diablerie.batch, n=2)):
        with pytest.raises(diablerie.BadOption, match=re.escape(said)):
            begin("coals", **chosen)
