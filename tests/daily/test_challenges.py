"""Every challenge that comes with diablerie fulfils what is promised."""

from datetime import UTC, date, datetime, timedelta
from importlib.resources import files

import pytest
from msgspec.structs import replace

from diablerie.bots.levels import LEVELS
from diablerie.daily.challenge import (
    CHALLENGES_FILE,
    BadList,
    Calendar,
    Challenge,
    JudgedAction,
    LevelTries,
    calendar,
    parse_list,
    record_of,
    utc_day,
)
from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import same
from diablerie.engine.rng import seeded
from diablerie.games import OURS
from tools.daily.promises import (
    APART,
    fields_of,
    list_text,
    misplaced,
    mistake,
    repeated,
    unclear,
    unfit,
)

CHALLENGES = calendar().challenges
DATA = (files("diablerie.daily") / CHALLENGES_FILE).read_bytes()


def test_there_are_four_weeks_at_least_in_a_small_file():
    assert len(CHALLENGES) >= 220
    assert len(DATA) <= 500_000


@pytest.mark.parametrize("one", CHALLENGES, ids=lambda one: one.theme)
def test_a_challenge_is_a_position_of_the_rules(one: Challenge):
    assert misplaced(one) == ""
    assert same(record_of(one.rules, fields_of(one.state)), one.state)


def test_the_best_action_is_a_tenth_better_than_any_other():
    for one in CHALLENGES:
        best, *others = one.actions
        assert others
        assert best.behind == 0
        for other in others:
            assert other.behind >= 0.10
            assert best.chance - other.chance >= other.behind


def test_one_to_three_of_four_levels_find_it_in_a_fifth_to_four_fifths_of_their_tries():
    for one in CHALLENGES:
        assert [level.level for level in one.levels] == [level.name for level in LEVELS]
        assert 0.2 <= one.finders / 4 <= 0.8
        assert 0.2 <= sum(level.hits / level.tries for level in one.levels) / 4 <= 0.8
        assert all(level.tries >= 4 for level in one.levels)


def test_no_theme_comes_twice_in_14_days_also_where_the_list_begins_again():
    themes = [one.theme for one in (*CHALLENGES, *CHALLENGES)]
    for n in range(len(CHALLENGES)):
        assert len(set(themes[n : n + 14])) == 14


def test_several_games_are_in_it():
    games = {one.game for one in CHALLENGES}
    assert len(games) >= 3
    assert games <= {game.name for game in OURS}


# -- days ------------------------------------------------------------------------------------------


def test_a_day_has_one_challenge_and_the_list_begins_again():
    days = calendar()
    assert days.on(days.first) is CHALLENGES[0]
    assert days.on(days.first + timedelta(1)) is CHALLENGES[1]
    assert days.on(days.first + timedelta(len(CHALLENGES))) is CHALLENGES[0]
    assert days.on(days.first - timedelta(1)) is None


def test_days_until_today_are_counted_backwards():
    days = Calendar(date(2030, 1, 30), CHALLENGES)
    assert days.days(date(2030, 2, 1)) == [date(2030, 2, 1), date(2030, 1, 31), date(2030, 1, 30)]
    assert days.days(date(2030, 1, 29)) == []


def test_a_day_begins_at_midnight_utc():
    midnight = datetime(2030, 1, 2, tzinfo=UTC).timestamp()
    assert utc_day(midnight) == date(2030, 1, 2)
    assert utc_day(midnight - 0.001) == date(2030, 1, 1)


# -- a damaged list --------------------------------------------------------------------------------


def test_a_list_is_read_as_it_was_written():
    text = list_text(date(2030, 1, 1), CHALLENGES[:APART], 7)
    assert repeated(CHALLENGES[:APART]) == ""
    read = parse_list(text)
    assert read.first == date(2030, 1, 1)
    assert read.challenges == CHALLENGES[:APART]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b'"seat":0', b'"seat":1', 1),
        lambda data: data + data.splitlines(keepends=True)[-1],
        lambda data: data.replace(b'"daily":1', b'"daily":9', 1),
        lambda data: data.replace(b"{", b"[", 1),
        lambda data: data[:0],
        lambda data: b"\xff" + data,
    ],
    ids=["cut", "half", "changed", "longer", "format", "no JSON", "empty", "no text"],
)
def test_a_damaged_list_is_refused_whole(change):
    assert change(DATA) != DATA
    with pytest.raises(BadList, match="damaged"):
        parse_list(change(DATA))


def test_a_theme_that_comes_twice_is_noticed():
    assert repeated([CHALLENGES[0], *CHALLENGES]) == CHALLENGES[0].theme


def changed(one: Challenge, **fields: object) -> Challenge:
    return replace(one, **fields)


def test_a_challenge_that_breaks_a_promise_is_noticed_and_one_of_other_rules_refused():
    one = CHALLENGES[0]
    best, second, *rest = one.actions
    near = JudgedAction(second.text, second.chance, second.low, second.high, 0.09)
    for wrong in (
        changed(one, game="chess"),
        changed(one, version=99),
        changed(one, actions=(best, near, *rest)),
        changed(one, actions=(best,)),
        changed(one, levels=()),
        changed(one, levels=tuple(LevelTries(x.level, 8, 8) for x in one.levels)),
    ):
        assert mistake(wrong)
        if not wrong.playable:
            with pytest.raises(BadList, match="other rules"):
                parse_list(list_text(date(2030, 1, 1), [wrong, *CHALLENGES[1:]], 1))


def test_what_makes_actions_unclear():
    best, second = JudgedAction("a", 0.5, 0.4, 0.6, 0.0), JudgedAction("b", 0.3, 0.2, 0.4, 0.12)
    assert unclear([best, second]) == ""
    assert "choice" in unclear([best])
    assert "choice" in unclear([best, JudgedAction("a", 0.3, 0.2, 0.4, 0.12)])
    assert "interval" in unclear([best, JudgedAction("b", 0.3, 0.35, 0.4, 0.12)])
    assert "better" in unclear([best, JudgedAction("b", 0.3, 0.2, 0.4, 0.099)])
    assert "better" in unclear([second, JudgedAction("a", 0.5, 0.4, 0.6, 0.12)])


@pytest.mark.parametrize(
    ("hits", "fit"),
    [
        ((0, 0, 0, 4), True),
        ((8, 8, 8, 4), False),
        ((0, 0, 0, 0), False),
        ((8, 8, 4, 4), False),
        ((2, 8, 8, 4), False),
        ((0, 5, 8, 4), True),
    ],
)
def test_how_many_levels_may_find_it(hits, fit):
    tries = (8, 8, 8, 4)
    levels = [LevelTries(str(k), n, h) for k, (n, h) in enumerate(zip(tries, hits, strict=True))]
    assert (unfit(levels) == "") is fit


def test_a_position_that_the_rules_do_not_have_is_noticed():
    one = CHALLENGES[0]
    s = one.state
    assert misplaced(changed(one, fields={**one.fields, "nothing": 1}))
    assert misplaced(changed(one, fields={**one.fields, "seats": 10_000}))
    assert misplaced(changed(one, seat=int(s.seats)))
    assert misplaced(changed(one, theme=f"{one.theme} again")) == "another theme"
    assert misplaced(changed(one, actions=one.actions[1:])) == "other actions are legal"
    assert len(legal_actions(one.rules, s, one.seat)) == len(one.actions)


def test_a_position_with_a_secret_is_noticed():
    """With a hidden field filled in, the record differs from what the seat may know."""
    found = 0
    for one in CHALLENGES:
        if one.rules.perfect_information:
            continue
        whole = one.state.copy()
        verbs.guess(whole, one.seat, seeded(1))
        if not same(whole, one.state):
            found += 1
            told = misplaced(changed(one, fields=fields_of(whole)))
            assert told == "the position holds what the seat may not know"
    assert found
