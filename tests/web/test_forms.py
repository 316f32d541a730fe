"""Fields become what a route's struct says, and what cannot is refused in a sentence."""

import pytest
from msgspec import Struct

from diablerie.api import Number, Seat
from diablerie.table.errors import Refused
from diablerie.web.edges.forms import Owned, typed
from diablerie.web.routes.landing import OpeningForm
from tests.web.client import SCRIPT, Client


class Sample(Struct, frozen=True):
    """One field of each type."""

    seat: Seat | None = None
    step: Number = 7
    text: str = "nothing"
    flag: bool = False
    option: dict[str, str] = {}


def test_text_becomes_what_the_struct_says():
    fields = {"seat": "3", "step": "12", "text": "12", "flag": "1", "other": "?"}
    assert typed(Sample, fields) == Sample(3, 12, "12", True)


def test_an_empty_field_is_as_if_it_were_not_there():
    assert typed(Sample, dict.fromkeys(("seat", "step", "text", "flag"), "")) == Sample()


def test_fields_with_a_hyphen_are_a_group_in_which_nothing_is_left_out():
    found = typed(OpeningForm, {"option-goal": "300", "option-a-b": "", "option": "x"})
    assert found.option == {"goal": "300", "a-b": ""}


@pytest.mark.parametrize(
    "text", ["1.0", "1e0", "+1", "-1", "01", "٣", "1_0", "x" * 100, " 1", "99999999", "9" * 30]
)
@pytest.mark.parametrize(
    ("name", "status", "words"),
    [("seat", 400, "no seat"), ("step", 422, "must be a whole number from 0 to 999999, not")],
)
def test_a_number_is_written_in_digits(name: str, status: int, words: str, text: str):
    with pytest.raises(Refused, match=words) as refused:
        typed(Sample, {name: text})
    assert refused.value.status == status
    assert text[:40] in str(refused.value)


def test_a_seat_is_one_of_those_there_can_be():
    assert typed(Sample, {"seat": "5"}).seat == 5
    with pytest.raises(Refused, match="no seat “6”"):
        typed(Sample, {"seat": "6"})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"way": "hax"},
            "“way” must be one of these: bots, friends, here, screen, short; not “hax”",
        ),
        ({"clock": "9" * 30}, "“clock” must be a whole number from 0 to 2592000, not “9999"),
    ],
)
def test_what_may_be_chosen_is_said(fields: dict[str, str], words: str):
    with pytest.raises(Refused, match=words):
        typed(OpeningForm, fields)


@pytest.mark.parametrize("url", ["/tables", "/known"])
@pytest.mark.parametrize("game", ["", " "])
def test_a_game_without_a_name_is_no_game_called_nothing(ann: Client, url: str, game: str):
    refused = ann.call(url, game=game).json()
    assert refused["title"].startswith("The name is missing; there are coals, ")


@pytest.mark.parametrize(
    ("body", "status"), [("&".join(f"f{n}=1" for n in range(65)), 413), ("name=é", 200)]
)
def test_only_what_is_not_utf_8_is_called_so(ann: Client, body: str, status: int):
    form = SCRIPT | {"content-type": "application/x-www-form-urlencoded"}
    content = f"game=coals&way=here&{body}".encode()
    assert ann.request("POST", "/tables", headers=form, content=content).status_code == status


def test_what_a_form_must_say_it_must_say():
    assert typed(Owned, {"seat": "1", "as": "2"}) == Owned(seat=1, chosen=2)
    with pytest.raises(Refused, match="lacks the field “seat”"):
        typed(Owned, {"seat": ""})


def test_what_is_no_number_is_refused_by_its_field():
    with pytest.raises(Refused, match="“flag” cannot be “perhaps”"):
        typed(Sample, {"flag": "perhaps"})
    with pytest.raises(Refused, match="“option” cannot be “x”"):
        typed(Sample, {"option": "x"})
