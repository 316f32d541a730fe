"""All that the house answers on a walk through it is what it was."""

from pathlib import Path

import pytest

from tests import snapshots
from tests.web.walk import walked
from tests.web.walking import Walk

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def walk() -> Walk:
    """The walk, once for the tests of this file."""
    return walked()


@pytest.mark.xdist_group("walk")
def test_the_house_answers_as_it_did(walk: Walk) -> None:
    """Status, headers, where to, the title and what is refused, of every answer."""
    snapshots.compare(GOLDEN / "answers", walk.answered())


@pytest.mark.xdist_group("walk")
def test_each_kind_of_page_says_and_offers_what_it_did(walk: Walk) -> None:
    snapshots.compare_folder(GOLDEN / "pages", walk.pages)
