"""The planted faults still fit the product: each can be planted, and changes what it says."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.storm_planted.faults import SOURCES, Fault, all_faults

FAULTS = all_faults()
ROOT = Path(__file__).parents[2]
PLANTED = """
from tests.storm_planted.faults import all_faults, plant
fault = next(one for one in all_faults() if one.name == "earlier-agreement-forgotten")
plant(fault)
import diablerie.table.state.transitions as module
print(module.answered.__code__.co_names, module.__file__)
try:
    plant(fault)
except RuntimeError as error:
    print(error)
"""


def test_there_are_ten_easy_twenty_middling_and_ten_hard_faults_with_names_of_their_own() -> None:
    assert Counter(fault.kind for fault in FAULTS) == {"easy": 10, "middling": 20, "hard": 10}
    assert len({fault.name for fault in FAULTS}) == 40


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_fits_its_file_once_and_leaves_a_module_that_can_be_compiled(fault: Fault) -> None:
    text = (SOURCES / fault.file).read_text("utf-8")
    planted = fault.planted(text)
    assert planted != text
    compile(planted, fault.file, "exec")


def test_a_fault_whose_place_is_gone_or_not_one_cannot_be_planted() -> None:
    fault = FAULTS[0]
    with pytest.raises(ValueError, match="stands 0 times"):
        fault.planted("")
    with pytest.raises(ValueError, match="stands 2 times"):
        fault.planted(fault.old * 2)


def test_a_planted_module_has_the_fault_and_its_own_file_and_cannot_be_planted_later() -> None:
    command = [sys.executable, "-c", PLANTED]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    names, *more = ran.stdout.splitlines()
    assert "request" in names
    assert "sorted" not in names  # which the true one calls
    assert names.endswith(str(SOURCES / "table/state/transitions.py"))
    assert more == ["diablerie.table.state.transitions was imported already"]
