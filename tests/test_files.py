"""Match files: read back whole, or refused whole with the line that is wrong."""

import json
from pathlib import Path

import pytest

import diablerie
from diablerie.engine import files

FILE = Path(__file__).parent / "games" / "coals" / "golden" / "coals-2.jsonl"
LINES = FILE.read_text("utf-8").splitlines()


def line_of(prefix: str) -> int:
    """The number, from 1, of the first line whose event begins so."""
    return 1 + next(i for i, row in enumerate(LINES) if f'"do":"{prefix}' in row)


def refused(tmp_path, lines, dice=True) -> diablerie.Damaged:
    path = tmp_path / "doctored.jsonl"
    path.write_bytes("\n".join(lines).encode() + b"\n")
    with pytest.raises(diablerie.Damaged) as error:
        diablerie.verify(path) if dice else diablerie.load(path)
    return error.value


def changed(number: int, **fields) -> list[str]:
    """The file's lines with one line's fields changed."""
    row = {**json.loads(LINES[number - 1]), **fields}
    return [*LINES[: number - 1], json.dumps(row), *LINES[number:]]


def test_a_doctored_die_is_named_by_its_line(tmp_path):
    number = line_of("coal 10")
    error = refused(tmp_path, changed(number, do="coal 25"))
    assert error.line == number
    assert "coal 10" in error.why


def test_without_dice_a_doctored_die_may_pass_but_the_end_must_fit(tmp_path):
    assert refused(tmp_path, changed(len(LINES), end=[0.5, -0.5]), dice=False).line == len(LINES)


def test_an_illegal_decision_is_named_with_its_clause(tmp_path):
    number = line_of("bet")
    error = refused(tmp_path, changed(number, do="bet 1590"))
    assert error.line == number
    assert "C7" in str(error)


@pytest.mark.parametrize(
    ("number", "fields", "said"),
    [
        (1, {"game": "chess"}, "no game"),
        (1, {"version": 99}, "version 99"),
        (1, {"diablerie": 7}, "format 7 is not known here, which reads those since 0.3.0"),
        (1, {"diablerie": 0}, "format 0 is not known here, which reads those since 0.3.0"),
        (1, {"late": [0]}, "one nonce"),
        (1, {"aborted": 1}, "aborted"),
        (1, {"hashes": ["", ""]}, "one nonce"),
        (1, {"by": ["table", "table"]}, "one nonce"),
        (1, {"labels": ["", ""]}, "one nonce"),
        (1, {"digest": "00"}, "one nonce"),
        (1, {"options": {"teeth": "1"}}, "no option"),
        (1, {"names": ["Ann"]}, "2 to 6"),
        (1, {"names": []}, "2 to 6"),
        (1, {"secret": 1}, "unknown field"),
        (1, {"taken": -1}, "taken over"),
        (1, {"taken": 10**6}, "taken over"),
        (2, {"secret": 1}, "unknown field"),
        (2, {"n": 7}, "event 0 expected"),
        (2, {"do": "coal 10"}, "coal 10"),
        (2, {"seat": 0}, "Chance"),
        (3, {"seat": "chance"}, "chance"),
        (3, {"seat": 77}, "turn"),
        (3, {"do": 5}, "not a line"),
    ],
)
def test_whatever_is_wrong_is_named_with_its_line(tmp_path, number, fields, said):
    error = refused(tmp_path, changed(number, **fields))
    assert error.line == number
    assert said in str(error)


def test_another_key_is_not_the_committed_one(tmp_path):
    assert "commitment" in refused(tmp_path, changed(len(LINES), key="00" * 32)).why
    assert "hex" in refused(tmp_path, changed(len(LINES), key="zz")).why


def test_missing_repeated_and_swapped_lines_are_found(tmp_path):
    assert refused(tmp_path, LINES[:9] + LINES[10:]).line == 10
    assert refused(tmp_path, LINES[:9] + LINES[8:]).line == 10
    assert refused(tmp_path, [*LINES[:8], LINES[9], LINES[8], *LINES[10:]]).line == 9
    assert refused(tmp_path, LINES[:1]).line == 1
    assert refused(tmp_path, []).line == 1


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "noise.jsonl"
    path.write_bytes(b"\xff\xfe\x00\n\x80\n")
    with pytest.raises(diablerie.Damaged):
        diablerie.load(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LONGEST_FILE_BYTES", 100)
    for path in (FILE, "/proc/self/status"):  # the second does not say how long it is
        with pytest.raises(diablerie.Damaged, match="larger"):
            diablerie.load(path)


def test_a_running_match_saves_and_goes_on_the_same_way(tmp_path):
    match = diablerie.start("coals", seats=2, seed=3)
    match.play("bet 20", 1)
    diablerie.save(match, tmp_path / "m.jsonl")
    again = diablerie.load(tmp_path / "m.jsonl")
    for m in (match, again):
        m.play("bet 10", 0)
        m.play("pull")
    assert match.events == again.events


def test_what_was_taken_over_has_dice_of_another_key(tmp_path):
    number = line_of("coal 10")
    path = tmp_path / "taken.jsonl"
    for taken, sound in ((number - 1, True), (number - 2, False)):
        head = json.dumps({**json.loads(LINES[0]), "taken": taken})
        path.write_text("\n".join([head, *changed(number, do="coal 25")[1:]]) + "\n", "utf-8")
        with pytest.raises(diablerie.Damaged) as error:
            diablerie.verify(path)
        assert (error.value.line == number) is not sound  # what follows cannot fit either way


def test_an_outcome_that_cannot_happen_is_refused_even_where_dice_are_not_checked(tmp_path):
    """C1: the furnace holds two pieces of 100 here; no file draws a third one."""
    coals = [n for n, row in enumerate(LINES, 1) if '"seat":"chance","do":"coal' in row][:3]
    lines = LINES[:]
    for number in coals:
        lines[number - 1] = changed(number, do="coal 100")[number - 1]
    error = refused(tmp_path, lines, dice=False)
    assert error.line == coals[2]
    assert "cannot happen" in error.why


@pytest.mark.parametrize("text", ["x" * 5000, "two\nlines\u2028 \x85 and more", "word " * 900])
def test_what_is_wrong_is_one_short_line(text):
    told = str(diablerie.Damaged(3, text, Path("a\nb")))
    assert len(told.splitlines()) == 1
    assert len(told) < 250
