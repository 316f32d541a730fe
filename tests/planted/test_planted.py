"""Mistakes planted into a small game, each caught by the law about it."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.testing import contract
from tests.planted import mistakes
from tests.planted.lots import lots
from tests.planted.making import hold

LAWS: dict[str, Callable[..., None]] = {
    name.removeprefix("test_"): law
    for name, law in vars(contract).items()
    if name.startswith("test_")
}
LENGTHY = {"redact": mistakes.leaves_the_cards, "narrate": mistakes.tells_by_the_length}
LEFT_OUT = {"begin": mistakes.bids_for_the_last_seat, "apply": mistakes.forgets_the_last_seat}
MISTAKES = [
    ({"actor": mistakes.goes_on_after_the_end}, "when_a_game_is_over"),
    ({"actor": mistakes.names_the_highest_seat}, "actor_is_the_lowest"),
    ({"Node": mistakes.UNREACHED}, "every_node_is_visited"),
    ({"forbids": mistakes.refuses_without_a_clause}, "refusals_name_a_clause"),
    ({"forbids": mistakes.refuses_by_a_secret}, "refusal_says_only"),
    ({"legal": mistakes.forgets_the_last}, "legal_lists_what_forbids_allows"),
    ({"legal": mistakes.depends_on_a_secret}, "depends_only_on_what_it_may_know"),
    ({"chance": mistakes.loses_a_chance}, "sum_to_one"),
    ({"apply": mistakes.remembers_outside_the_record}, "match_file_reads_back"),
    ({"apply": mistakes.remembers_outside_the_record}, "one_decision_is_taken_back"),
    ({"apply": mistakes.remembers_outside_the_record}, "restored_match_go_on_alike"),
    ({"forbids": mistakes.counts_what_it_refuses}, "illegal_decision_is_refused"),
    ({"returns": mistakes.rewards_everybody}, "returns_sum_to_zero"),
    ({"TEXT": "**Z1** In turn.\n**Z3** Only what there is to do.\n"}, "without_gaps"),
    ({"redact": mistakes.leaves_the_cards}, "leaves_no_trace"),
    (LENGTHY, "log_and_moments_tell_nothing"),
    ({"redact": mistakes.hides_the_coin}, "makes_a_difference"),
    ({"redact": mistakes.hides_more_each_time}, "redaction_twice"),
    ({"witness": mistakes.says_all_see_the_bids}, "witness_is_exact"),
    ({"guess": mistakes.leaves_a_blank}, "leaves_nothing_blank"),
    ({"guess": mistakes.guesses_always_the_same}, "every_true_value_is_guessed"),
    ({"guess": mistakes.never_guesses_the_truth}, "guess_is_possible"),
    ({"guess": mistakes.deals_a_card_twice}, "exists_once"),
    ({"advise": mistakes.advises_what_is_over}, "advice_is_legal_over_whole_games"),
    ({"advise": mistakes.advises_the_worse}, "advice_is_not_worse"),
    ({"format_action": mistakes.says_the_same_of_two}, "legal_actions_have_unique_texts"),
    ({"parse_action": mistakes.breaks_at_odd_words}, "any_text_parses"),
    ({"parse_outcome": mistakes.reads_the_next_card}, "outcomes_have_unique_texts"),
    ({"draw": mistakes.misspells}, "spot_of_the_picture"),
    ({"draw": mistakes.draws_an_id_twice}, "unique_ids"),
    ({"draw": mistakes.draws_it_otherwise_each_time}, "look_alikes"),
    ({"look": mistakes.shows_a_set}, "views_are_plain_data"),
    ({"describe": mistakes.describes_nothing}, "told_in_sentences"),
    ({"prompt": mistakes.asks_nothing}, "prompts_and_amounts"),
    ({"label": mistakes.labels_without_a_value}, "every_action_a_label"),
    ({"narrate": mistakes.names_no_clause}, "log_tells_every_viewer"),
    ({"narrate": mistakes.names_nobody_as_winner}, "log_tells_about"),
    ({"prompt": mistakes.waits_for_one_too_many}, "position_tells_about"),
    (LEFT_OUT, "every_seat_decides"),
    ({"legal": mistakes.lists_one_beyond}, "beyond_a_buffer"),
    ({"longest": mistakes.counts_no_draws}, "no_game_is_longer"),
    ({"advise": mistakes.notes_its_plan}, "does_not_change_the_position"),
    ({"guess": mistakes.guesses_high_cards}, "as_likely_as_the_truth"),
    ({"guess": mistakes.passes_on_to_nobody}, "played_to_its_end"),
    ({"guess": mistakes.forgets_its_own_card}, "looks_the_same"),
    ({"advise": mistakes.peeks}, "advice_uses_only"),
    ({"value": mistakes.counts_cards}, "values_are_utilities"),
]
# Where a law runs the mistaken function and says no more than what that raised.
RAISES: dict[str, Any] = {
    "any_text_parses": ValueError,
    "spot_of_the_picture": NotationError,
    "played_to_its_end": ValueError,
}


def _name(one: Any) -> str:
    """A mistake by what is planted, a game or law by its name."""
    if isinstance(one, dict):
        return "-".join(getattr(planted, "__name__", verb) for verb, planted in one.items())
    return str(getattr(one, "__name__", one))


@cache
def sound() -> Game:
    """The game without mistakes."""
    return lots()


@pytest.mark.parametrize("law", LAWS)
def test_the_game_as_it_should_be_keeps_every_law(law):
    hold(LAWS[law], sound())


@pytest.mark.parametrize(("planted", "caught"), MISTAKES, ids=_name)
def test_a_planted_mistake_is_caught_by_the_law_about_it(planted, caught):
    (law,) = (law for name, law in LAWS.items() if caught in name)
    with pytest.raises(RAISES.get(caught, AssertionError)):
        hold(law, lots(**planted))


def test_every_law_but_five_has_a_mistake_that_it_catches():
    """What is written beyond a record is tried in `tests/test_first_pass.py`, on a compiled game.

    Two are about copies of what the small game cannot get wrong: a game, and a batch, which is
    compiled. Two are about the numbers of draws, which a match counts: see `tests/test_dice.py`.
    """
    caught = {name for name in LAWS for _, part in MISTAKES if part in name}
    assert set(LAWS) - caught == {
        "nothing_is_written_beyond_the_record",
        "a_game_is_copied_and_pickled_as_itself",
        "a_copied_and_a_restored_batch_go_on_alike",
        "nothing_but_a_draw_moves_the_dice",
        "what_is_taken_back_keeps_its_number",
    }
