"""What KITCHEN hides: menus, from everybody else, until a pot is served."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from diablerie.engine import verbs
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import copy, same
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import WATCHER
from diablerie.games.kitchen.rules.state import CARDS, SECRET, UNSET, Node, delivered, seat_of
from diablerie.testing.positions import GameSetting, states_of_game
from tests.games.kitchen.kitchens import cards
from tests.scripts import opening, play

SETTINGS = [GameSetting("kitchen", seats) for seats in (2, 3, 4)]


@st.composite
def moments(draw):
    """A position of a random or advised game, and a viewer."""
    setting = draw(st.sampled_from(SETTINGS))
    states = states_of_game(setting, draw(st.integers(1, 3)), draw(st.booleans()))
    s = copy(states[draw(st.integers(0, len(states) - 1))])
    return s, draw(st.integers(WATCHER, setting.seats - 1))


@settings(deadline=None)
@given(moment=moments())
def test_a_card_is_seen_by_its_owner_and_by_all_once_it_is_served(moment):
    s, viewer = moment
    for pot, card in enumerate(redacted(s, viewer).card):
        own = seat_of(s, pot // 4) == viewer
        if s.card[pot] == UNSET or own or delivered(s, pot):
            assert card == s.card[pot]
        else:
            assert card == SECRET


@settings(deadline=None)
@given(moment=moments())
def test_nothing_but_cards_is_hidden(moment):
    s, viewer = moment
    seen = redacted(s, viewer)
    seen.card[:] = s.card
    assert same(seen, s)


@settings(deadline=None)
@given(moment=moments(), seed=st.integers(0, 2**32))
def test_a_guess_is_a_menu_of_each_colour_that_fits_what_is_known(moment, seed):
    s, viewer = moment
    guessed = redacted(s, viewer)
    verbs.guess(guessed, viewer, seeded(seed))
    for c in range(4):
        mine = guessed.card[4 * c : 4 * c + 4].tolist()
        assert sorted(mine) == sorted(CARDS) or mine == [UNSET] * 4
        assert (mine == [UNSET] * 4) == (s.card[4 * c] == UNSET)


def test_a_guess_is_uniform_among_what_is_possible():
    s = play(opening("kitchen", 2), "0 menu 0 1 3 5, 1 menu 5 0 3 1").state
    s.pot[8:12] = (7, 2, 0, 3)  # blue's flame, its 5, is served on blue's grill
    rng, found = seeded(4), Counter()
    for _ in range(3000):
        guessed = redacted(s, 0)
        verbs.guess(guessed, 0, rng)
        found[tuple(guessed.card[8:12].tolist())] += 1
    assert {menu[0] for menu in found} == {5}
    assert len(found) == 6
    assert all(420 < n < 580 for n in found.values())


def test_menus_are_chosen_at_the_same_time_without_a_word_about_them():
    told = set()
    for menu in ("0 1 3 5", "5 3 1 0"):
        before = opening("kitchen", 3).state
        match = play(opening("kitchen", 3), f"1 menu {menu}")
        assert [sees(before, 1, viewer) for viewer in (WATCHER, 0, 1, 2)] == [
            False, False, True, False,
        ]  # fmt: skip
        told.add(str([str(line) for line in match.log(0)]))
        assert cards(match, 0)[4:8] == [SECRET] * 4
        assert match.view(0).colours[1].chosen
        assert not match.view(0).colours[0].chosen
    assert len(told) == 1


def test_a_menu_stays_secret_after_the_game():
    for setting in SETTINGS:
        last = states_of_game(setting)[-1]
        assert last.node == Node.OVER
        hidden = [p for p in range(16) if not delivered(last, p) and last.card[p] >= 0]
        assert all(redacted(last, WATCHER).card[p] == SECRET for p in hidden)
