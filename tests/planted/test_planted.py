"""Mistakes planted into two small games, and the law that catches each."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.testing import contract
from tests.planted import in_cups, in_lots
from tests.planted.cups import cups
from tests.planted.lots import lots
from tests.planted.making import hold

LAWS: dict[str, Callable[..., None]] = {
    name.removeprefix("test_"): law
    for name, law in vars(contract).items()
    if name.startswith("test_")
}
LENGTHY = {"redact": in_lots.leaves_the_cards, "narrate": in_lots.tells_by_the_length}
STAGED = {"redact": in_lots.leaves_the_cards, "moments": in_lots.stages_a_good_card}
EQUAL = {"forbids": in_cups.allows_an_equal_bid, "legal": in_cups.lists_an_equal_bid}
LEFT_OUT = {"begin": in_lots.bids_for_the_last_seat, "apply": in_lots.forgets_the_last_seat}
IN_LOTS = [
    ({"actor": in_lots.goes_on_after_the_end}, "when_a_game_is_over"),
    ({"pending": in_lots.waits_after_the_end}, "when_a_game_is_over"),
    ({"forbids": in_lots.allows_all_after_the_end}, "when_a_game_is_over"),
    ({"actor": in_lots.names_the_highest_seat}, "actor_is_the_lowest"),
    ({"Node": in_lots.UNREACHED}, "every_node_is_visited"),
    ({"forbids": in_lots.refuses_without_a_clause}, "refusals_name_a_clause"),
    ({"forbids": in_lots.refuses_by_a_secret}, "refusal_says_only"),
    ({"legal": in_lots.forgets_the_last}, "legal_lists_what_forbids_allows"),
    ({"legal": in_lots.depends_on_a_secret}, "depends_only_on_what_it_may_know"),
    ({"chance": in_lots.loses_a_chance}, "sum_to_one"),
    ({"chance": in_lots.lists_backwards}, "sum_to_one"),
    ({"apply": in_lots.remembers_outside_the_record}, "match_file_reads_back"),
    ({"apply": in_lots.remembers_outside_the_record}, "one_decision_is_taken_back"),
    ({"apply": in_lots.remembers_outside_the_record}, "restored_match_go_on_alike"),
    ({"forbids": in_lots.counts_what_it_refuses}, "illegal_decision_is_refused"),
    ({"returns": in_lots.rewards_everybody}, "returns_sum_to_zero"),
    ({"TEXT": "**Z1** In turn.\n**Z3** Only what there is to do.\n"}, "without_gaps"),
    ({"redact": in_lots.leaves_the_cards}, "leaves_no_trace"),
    ({"redact": in_lots.leaves_the_bids}, "leaves_no_trace"),
    ({"redact": in_lots.hides_only_good_cards}, "leaves_no_trace"),
    (LENGTHY, "log_and_moments_tell_nothing"),
    (STAGED, "log_and_moments_tell_nothing"),
    ({"redact": in_lots.hides_the_coin}, "makes_a_difference"),
    ({"redact": in_lots.hides_more_each_time}, "redaction_twice"),
    ({"witness": in_lots.says_all_see_the_bids}, "witness_is_exact"),
    ({"guess": in_lots.leaves_a_blank}, "leaves_nothing_blank"),
    ({"guess": in_lots.guesses_always_the_same}, "every_true_value_is_guessed"),
    ({"guess": in_lots.never_guesses_the_truth}, "guess_is_possible"),
    ({"guess": in_lots.deals_a_card_twice}, "exists_once"),
    ({"advise": in_lots.advises_what_is_over}, "advice_is_legal_over_whole_games"),
    ({"advise": in_lots.advises_the_worse}, "advice_is_not_worse"),
    ({"format_action": in_lots.says_the_same_of_two}, "legal_actions_have_unique_texts"),
    ({"parse_action": in_lots.breaks_at_odd_words}, "any_text_parses"),
    ({"parse_outcome": in_lots.reads_the_next_card}, "outcomes_have_unique_texts"),
    ({"draw": in_lots.misspells}, "spot_of_the_picture"),
    ({"draw": in_lots.draws_an_id_twice}, "unique_ids"),
    ({"draw": in_lots.draws_it_otherwise_each_time}, "look_alikes"),
    ({"look": in_lots.shows_a_set}, "views_are_plain_data"),
    ({"describe": in_lots.describes_nothing}, "told_in_sentences"),
    ({"prompt": in_lots.asks_nothing}, "prompts_and_amounts"),
    ({"amount": in_lots.offers_too_high_a_bid}, "prompts_and_amounts"),
    ({"label": in_lots.labels_without_a_value}, "every_action_a_label"),
    ({"narrate": in_lots.names_no_clause}, "log_tells_every_viewer"),
    ({"narrate": in_lots.names_nobody_as_winner}, "log_tells_about"),
    ({"prompt": in_lots.waits_for_one_too_many}, "position_tells_about"),
    (LEFT_OUT, "every_seat_decides"),
]
IN_CUPS = [
    ({"legal": in_cups.lists_one_beyond}, "beyond_a_buffer"),
    ({"chance": in_cups.rolls_one_beyond}, "beyond_a_buffer"),
    ({"returns": in_cups.pays_six_seats}, "beyond_a_buffer"),
    ({"FEATURES": in_cups.GOES_ROUND}, "beyond_a_buffer"),
    ({"FEATURES": in_cups.TOO_NARROW}, "beyond_a_buffer"),
    (EQUAL, "no_game_is_longer"),
    ({"longest": in_cups.counts_no_rolls}, "no_game_is_longer"),
    ({"advise": in_cups.notes_its_plan}, "does_not_change_the_position"),
    ({"witness": in_cups.says_all_see_the_dice}, "witness_is_exact"),
    ({"witness": in_cups.says_a_neighbour_sees_the_die}, "witness_is_exact"),
    ({"witness": in_cups.says_nobody_sees_the_die}, "leaves_no_trace"),
    ({"redact": in_cups.shows_the_neighbours_die}, "leaves_no_trace"),
    ({"apply": in_cups.keeps_a_copy}, "leaves_no_trace"),
    ({"guess": in_cups.guesses_no_die}, "guess_is_possible"),
    ({"guess": in_cups.guesses_a_face_too_many}, "guess_is_possible"),
    ({"guess": in_cups.never_guesses_the_highest}, "every_true_value_is_guessed"),
    ({"guess": in_cups.guesses_with_a_loaded_die}, "as_likely_as_the_truth"),
    ({"guess": in_cups.passes_on_to_nobody}, "played_to_its_end"),
    ({"guess": in_cups.forgets_its_own_die}, "looks_the_same"),
    ({"advise": in_cups.peeks}, "advice_uses_only"),
    ({"advise": in_cups.bluffs_by_a_secret}, "advice_uses_only"),
    ({"value": in_cups.counts_chips}, "values_are_utilities"),
    ({"value": in_cups.adds_to_what_was_there}, "values_are_utilities"),
]
# Where a law runs the mistaken function and says no more than what that raised.
RAISES: dict[str, Any] = {
    "any_text_parses": ValueError,
    "spot_of_the_picture": NotationError,
    "prompts_and_amounts": (NotationError, AssertionError),
}


def _name(one: Any) -> str:
    """A mistake by what is planted, a game or law by its name."""
    if isinstance(one, dict):
        return "-".join(getattr(planted, "__name__", verb) for verb, planted in one.items())
    return str(getattr(one, "__name__", one))


@cache
def sound(make: Callable[[], Game]) -> Game:
    """A game without mistakes."""
    return make()


@pytest.mark.parametrize("make", [lots, pytest.param(cups, marks=pytest.mark.nightly)], ids=_name)
@pytest.mark.parametrize("law", LAWS)
def test_the_game_as_it_should_be_keeps_every_law(law, make):
    hold(LAWS[law], sound(make))


def mistakes() -> Iterator[Any]:
    """Each law catches one mistake in `make test`, and the others every night."""
    proved: set[str] = set()
    for make, planted, law in [
        *((lots, *one) for one in IN_LOTS),
        *((cups, *one) for one in IN_CUPS),
    ]:
        marks = pytest.mark.nightly if law in proved else ()
        proved.add(law)
        yield pytest.param(make, planted, law, marks=marks)


@pytest.mark.parametrize(("make", "planted", "caught"), list(mistakes()), ids=_name)
def test_a_planted_mistake_is_caught_by_the_law_about_it(make, planted, caught):
    (law,) = (law for name, law in LAWS.items() if caught in name)
    with pytest.raises(RAISES.get(caught, AssertionError)):
        hold(law, make(**planted))


def test_every_law_but_five_has_a_mistake_that_it_catches():
    """What is written beyond a record is tried in `tests/test_first_pass.py`, on a compiled game.

    Two are about copies of what the small games cannot get wrong: a game, and a batch, which is
    compiled. Two are about the numbers of draws, which a match counts: see `tests/test_dice.py`.
    """
    caught = {name for name in LAWS for _, part in IN_LOTS + IN_CUPS if part in name}
    assert set(LAWS) - caught == {
        "nothing_is_written_beyond_the_record",
        "a_game_is_copied_and_pickled_as_itself",
        "a_copied_and_a_restored_batch_go_on_alike",
        "nothing_but_a_draw_moves_the_dice",
        "what_is_taken_back_keeps_its_number",
    }
