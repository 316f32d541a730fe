"""What a match file of a table proves: every forgery is refused, or has another digest or seal."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import diablerie
from diablerie.cli import TAKEN_OVER, commands
from diablerie.engine import files, proof
from diablerie.engine.fair import Fair, dealt, joined, label, pledge
from diablerie.engine.match import Match
from diablerie.games import ALL

KEY, OTHER = b"k" * 32, b"x" * 32
NAMES = ["Ann", "Bo", "Devil Flint", "Cy"]
MINE = ["a" * 32, "b" * 32, "", ""]  # Cy promised a nonce and did not show it
PLEDGES = [pledge("a" * 32), pledge("b" * 32), "", pledge("c" * 32)]

Row = dict[str, Any]


def played(key: bytes = KEY) -> Match:
    """A match of COALS to its end: all bet, each in turn pulls once and stops."""
    fair = Fair.agreed(key, MINE, PLEDGES, NAMES)
    match = Match.new(ALL["coals"], fair=fair, seats=4, names=NAMES, options={"goal": "210"})
    while not match.over:
        for seat in match.pending[::-1]:
            if not match.over and seat in match.pending:
                texts = match.legal(seat)
                match.play(texts[match.ply % len(texts)], seat)
    return match


MATCH = played()
ROWS: list[Row] = [json.loads(line) for line in files.lines(MATCH)]
HEAD, LAST = ROWS[0], ROWS[-1]


def read(rows: list[Row] | str) -> Match:
    text = rows if isinstance(rows, str) else "\n".join(map(json.dumps, rows))
    return files.parse(text.encode(), ALL, dice=True)


def changed(**fields: Any) -> list[Row]:
    return [HEAD | fields, *ROWS[1:]]


def swapped(values: list[Any]) -> list[Any]:
    return [values[1], values[0], *values[2:]]


def test_a_sound_file_is_sound_and_says_whose_the_nonces_are() -> None:
    match = read(ROWS)
    assert match.plies == MATCH.plies
    assert HEAD["by"] == ["player", "player", "table", "table"]
    assert HEAD["nonces"][2:] == [dealt(KEY, 2), dealt(KEY, 3)]
    assert match.fair.withheld == [3]
    assert HEAD["digest"] == proof.digest(MATCH)
    assert HEAD["diablerie"] == 3


def test_a_name_may_be_deleted_and_nothing_else() -> None:
    assert "deleted" not in " ".join(proof.shares(read(ROWS)))
    less = read(changed(names=["", NAMES[1], "", NAMES[3]]))
    assert less.names[0] == ""
    assert "Names that were deleted: seats 0, 2." in proof.shares(less)
    with pytest.raises(diablerie.Damaged, match="was not called"):
        read(changed(names=["Al", *NAMES[1:]]))


def bets() -> int:
    """The index of the first of two bets, one after the other."""
    done = [row.get("do", "") for row in ROWS]
    return next(i for i in range(len(ROWS)) if done[i][:3] == done[i + 1][:3] == "bet")


def reordered() -> list[Row]:
    i = bets()
    pair = [ROWS[i + 1] | {"n": ROWS[i]["n"]}, ROWS[i] | {"n": ROWS[i + 1]["n"]}]
    return [*ROWS[:i], *pair, *ROWS[i + 2 :]]


def another_stake() -> list[Row]:
    i = bets()
    other = "bet 10" if ROWS[i]["do"] != "bet 10" else "bet 20"
    return [*ROWS[:i], ROWS[i] | {"do": other}, *ROWS[i + 1 :]]


def another_outcome() -> list[Row]:
    i = next(i for i, row in enumerate(ROWS) if row.get("do") == "first 0" or i == 1)
    return [
        *ROWS[:i],
        ROWS[i] | {"do": f"first {(int(ROWS[i]['do'][-1]) + 1) % 4}"},
        *ROWS[i + 1 :],
    ]


def twice(field: str) -> str:
    """The file's text with a field of the header there twice."""
    head = json.dumps(HEAD)[:-1] + f', "{field}": {json.dumps(HEAD[field])}}}'
    return "\n".join([head, *map(json.dumps, ROWS[1:])])


def late_nonce() -> list[Row]:
    """Bo takes another nonce after the start, with its hash."""
    nonces, hashes = HEAD["nonces"][:], HEAD["hashes"][:]
    nonces[1] = "d" * 32
    hashes[1] = pledge(nonces[1])
    labels = [*HEAD["labels"]]
    labels[1] = label(nonces[1], "Bo")
    return changed(nonces=nonces, hashes=hashes, labels=labels)


FORGED: dict[str, Callable[[], list[Row] | str]] = {
    "swapped names": lambda: changed(names=swapped(NAMES)),
    "swapped names and labels": lambda: changed(
        names=swapped(NAMES), labels=swapped(HEAD["labels"])
    ),
    "another nonce": lambda: changed(nonces=["e" * 32, *HEAD["nonces"][1:]]),
    "a late nonce": late_nonce,
    "a chosen nonce for a devil": lambda: changed(
        nonces=[*HEAD["nonces"][:2], "f" * 32, HEAD["nonces"][3]]
    ),
    "a promise taken away": lambda: changed(hashes=[*PLEDGES[:3], ""]),
    "a missing nonce": lambda: changed(nonces=HEAD["nonces"][:3]),
    "an extra nonce": lambda: changed(nonces=[*HEAD["nonces"], "a"]),
    "a nonce said to be the table's": lambda: changed(by=["table", *HEAD["by"][1:]]),
    "no nonces": lambda: changed(nonces=[], hashes=[], labels=[], by=[]),
    "swapped nonces": lambda: changed(nonces=swapped(HEAD["nonces"])),
    "another option": lambda: changed(options=HEAD["options"] | {"goal": "300"}),
    "an empty key": lambda: [
        HEAD | {"commitment": Fair(b"").commitment}, *ROWS[1:-1], LAST | {"key": ""}
    ],
    "another key": lambda: [
        HEAD | {"commitment": Fair(OTHER).commitment}, *ROWS[1:-1], LAST | {"key": OTHER.hex()}
    ],
    "another digest": lambda: changed(digest="0" * 64),
    "no digest": lambda: changed(digest=""),
    "no seal": lambda: [*ROWS[:-1], LAST | {"seal": ""}],
    "an older format": lambda: changed(diablerie=2),
    "an older format without shares": lambda: [
        {k: v for k, v in changed(diablerie=1)[0].items()
         if k not in ("hashes", "by", "labels", "digest")}, *ROWS[1:-1],
        {k: v for k, v in LAST.items() if k != "seal"},
    ],
    "reordered bets": reordered,
    "another stake": another_stake,
    "another outcome": another_outcome,
    "a field twice": lambda: twice("names"),
    "the key twice": lambda: "\n".join(
        [*map(json.dumps, ROWS[:-1]), json.dumps(LAST)[:-1] + f', "key": "{OTHER.hex()}"}}']
    ),
    "said to be taken over": lambda: changed(taken=len(ROWS) - 2),
}  # fmt: skip


@pytest.mark.parametrize("how", FORGED)
def test_a_forgery_is_refused(how: str) -> None:
    with pytest.raises(diablerie.Damaged):
        read(FORGED[how]())


def forged_whole(forge: Callable[[list[Row]], list[Row]]) -> list[Row]:
    """A forgery whose digest and seal are made to fit."""
    rows = forge([dict(row) for row in ROWS])
    head, middle = rows[0], rows[1:-1]
    fair = Fair(KEY, tuple(head["nonces"]), tuple(head["hashes"]), tuple(head["labels"]))
    match = Match.opening(ALL["coals"], seats=4, fair=fair, names=head["names"],
                          options=head["options"])  # fmt: skip
    head["digest"] = proof.digest(match)
    told = [files._json(files._read(json.dumps(row).encode(), files.Entry, 1)) for row in middle]
    return [head, *middle, rows[-1] | {"seal": proof.seal(head["digest"], told)}]


def names_swapped(rows: list[Row]) -> list[Row]:
    names = swapped(rows[0]["names"])
    labels = [label(nonce, name) for nonce, name in zip(rows[0]["nonces"], names, strict=True)]
    return [rows[0] | {"names": names, "labels": labels}, *rows[1:]]


def verified(tmp_path: Any, rows: list[Row], *options: str) -> Any:
    path = tmp_path / "match.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return CliRunner().invoke(commands, ["verify", str(path), *options])


def test_a_whole_forgery_is_told_by_what_the_table_showed(tmp_path: Any) -> None:
    true = {"commitment": HEAD["commitment"], "digest": HEAD["digest"], "seal": LAST["seal"]}
    shown = [word for what, text in true.items() for word in (f"--{what}", text)]
    sound = verified(tmp_path, ROWS, *shown)
    assert (sound.exit_code, sound.exception) == (0, None)
    assert all(text in sound.output for text in true.values())
    assert "promised a nonce and did not show it" in sound.output
    swap = forged_whole(names_swapped)
    assert verified(tmp_path, swap).exit_code == 0  # by itself it is a match of others
    assert "digest" in str(verified(tmp_path, swap, *shown).exception)
    order = forged_whole(lambda _: reordered())
    assert order[0]["digest"] == HEAD["digest"]
    assert "seal" in str(verified(tmp_path, order, *shown).exception)
    assert "commitment" in str(verified(tmp_path, ROWS, "--commitment", "00").exception)


def test_a_match_that_goes_on_from_another_has_a_status_of_its_own(tmp_path: Any) -> None:
    match = Match.opening(ALL["coals"], seats=4, names=NAMES, options={"goal": "210"},
                          fair=Fair.agreed(OTHER, [""] * 4, [""] * 4, NAMES))  # fmt: skip
    for ply in MATCH.plies[:5]:
        match.append(ply)
    match.taken = match.ply
    while not match.over:
        match.play(match.legal()[-1])
    rows = [json.loads(line) for line in files.lines(match)]
    told = verified(tmp_path, rows)
    assert told.exit_code == TAKEN_OVER
    assert "another match" in told.output
    less = [rows[0] | {"taken": rows[0]["taken"] - 1}, *rows[1:]]
    assert "digest" in str(verified(tmp_path, less).exception) or "draws" in str(less)


def test_old_files_verify_as_what_they_are(tmp_path: Any) -> None:
    """A stream of 0.1 with nonces, and one of a seed without."""
    fair = Fair(KEY, ("salt", "pepper", "thyme", "dill"))
    match = Match.new(ALL["coals"], fair=fair, seats=4, names=NAMES)
    while not match.over:
        match.play(match.legal()[-1])
    rows = [json.loads(line) for line in files.lines(match)]
    assert rows[0]["diablerie"] == 1
    assert "digest" not in rows[0]
    assert "As in 0.1" in verified(tmp_path, rows).output
    joint = [rows[0] | {"nonces": ["salt\npepper", "thyme", "dill"]}, *rows[1:]]
    assert "one nonce" in str(verified(tmp_path, joint).exception)  # it draws the same dice
    assert "missing" in str(verified(tmp_path, rows, "--digest", "00").exception)


def test_no_two_lists_of_nonces_are_joined_alike() -> None:
    assert joined("a", "bc") != joined("ab", "c") != joined("a", "b", "c")
    assert Fair(KEY, ("1:", ","), ("", "")).draw(1) != Fair(KEY, ("1:,",), ("",)).draw(1)


def test_the_program_in_the_docs_checks_a_file_by_itself(tmp_path: Any) -> None:
    text = (Path(__file__).parent.parent / "docs" / "fairness.md").read_text("utf-8")
    program = text.partition("```python\n")[2].partition("```")[0]
    path = tmp_path / "match.jsonl"
    files.save(MATCH, path)
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=True)
    drawn = [row for row in ROWS if row.get("seat") == "chance"]
    for line, row in zip(done.stdout.decode().splitlines(), drawn, strict=True):
        assert int(line.split()[0]) == row["n"]
        assert float(line.split()[-1]) == MATCH.fair.draw(row["n"])
    rows = [*ROWS[:-1], LAST | {"key": OTHER.hex()}]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    wrong = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=False)
    assert wrong.returncode != 0
