"""What a match file of a table proves: every forgery is refused, or has another digest or seal."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from click.testing import CliRunner

import diablerie
from diablerie.cli import TAKEN_OVER, commands
from diablerie.engine import files, proof, replay
from diablerie.engine.fair import Aborted, DiceStream, dealt, joined, label, pledge
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.plies import Event, PlyKind, count_draws
from diablerie.engine.record import Record, same
from diablerie.engine.replay import PositionTree, number_of
from diablerie.games import ALL

KEY, OTHER = b"k" * 32, b"x" * 32
NAMES = ["Ann", "Bo", "Devil Flint", "Cy"]
MINE = ["a" * 32, "b" * 32, "", ""]  # Cy promised a nonce and did not show it
PLEDGES = [pledge("a" * 32), pledge("b" * 32), "", pledge("c" * 32)]

Row = dict[str, Any]


def played(key: bytes = KEY) -> Match:
    """A match of COALS to its end: all bet, each in turn pulls once and stops."""
    fair = DiceStream.agreed(key, MINE, PLEDGES, NAMES)
    match = Match.new(ALL["coals"], fair=fair, seats=4, names=NAMES, options={"goal": "210"})
    while not match.over:
        for seat in match.pending[::-1]:
            if not match.over and seat in match.pending:
                texts = match.legal(seat)
                match.play(texts[match.ply % len(texts)], seat)
    return match


MATCH = played()
ROWS: list[Row] = [json.loads(line) for line in files.match_lines(MATCH)]
HEAD, LAST = ROWS[0], ROWS[-1]


def read(rows: list[Row] | str) -> Match:
    text = rows if isinstance(rows, str) else "\n".join(map(json.dumps, rows))
    return files.parse_match(text.encode(), ALL, dice=True)


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
    assert HEAD["digest"] == proof.match_digest(MATCH)
    assert HEAD["diablerie"] == 6


def test_a_name_may_be_deleted_and_nothing_else() -> None:
    assert "deleted" not in " ".join(proof.nonce_sentences(read(ROWS)))
    less = read(changed(names=["", NAMES[1], "", NAMES[3]]))
    assert less.names[0] == ""
    assert "Names that were deleted: seats 0, 2." in proof.nonce_sentences(less)
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
        HEAD | {"commitment": DiceStream(b"").commitment}, *ROWS[1:-1], LAST | {"key": ""}
    ],
    "another key": lambda: [
        HEAD | {"commitment": DiceStream(OTHER).commitment}, *ROWS[1:-1], LAST | {"key": OTHER.hex()}
    ],
    "another digest": lambda: changed(digest="0" * 64),
    "no digest": lambda: changed(digest=""),
    "no seal": lambda: [*ROWS[:-1], LAST | {"seal": ""}],
    "an older format": lambda: changed(diablerie=2),
    "dice numbered by lines": lambda: changed(by_lines=True),
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
    fair = DiceStream(KEY, tuple(head["nonces"]), tuple(head["hashes"]), tuple(head["labels"]))
    match = Match.opening(ALL["coals"], seats=4, fair=fair, names=head["names"],
                          options=head["options"])  # fmt: skip
    head["digest"] = proof.match_digest(match)
    told = [
        files._json(files._read(json.dumps(row).encode(), files.FileEntry, 1)) for row in middle
    ]
    return [head, *middle, rows[-1] | {"seal": proof.seal_of(head["digest"], told)}]


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
                          fair=DiceStream.agreed(OTHER, [""] * 4, [""] * 4, NAMES))  # fmt: skip
    match.taken = 5
    for ply in MATCH.plies[:5]:
        match.append(ply)
    while not match.over:
        match.play(match.legal()[-1])
    rows = [json.loads(line) for line in files.match_lines(match)]
    told = verified(tmp_path, rows)
    assert told.exit_code == TAKEN_OVER
    assert "another match" in told.output
    less = [rows[0] | {"taken": rows[0]["taken"] - 1}, *rows[1:]]
    assert "digest" in str(verified(tmp_path, less).exception) or "draws" in str(less)


def test_the_file_of_a_key_alone_has_no_nonces_and_no_digest(tmp_path: Any) -> None:
    match = Match.new(ALL["coals"], fair=DiceStream(KEY), seats=4, names=NAMES)
    while not match.over:
        match.play(match.legal()[-1])
    rows = [json.loads(line) for line in files.match_lines(match)]
    assert rows[0]["diablerie"] == 6
    assert "digest" not in rows[0]
    assert "Nobody but the key" in verified(tmp_path, rows).output
    with_nonces = [rows[0] | {"nonces": ["salt", "pepper", "thyme", "dill"]}, *rows[1:]]
    assert "one nonce, one hash and one label" in str(verified(tmp_path, with_nonces).exception)
    assert "missing" in str(verified(tmp_path, rows, "--digest", "00").exception)


@pytest.mark.parametrize(
    ("options", "digest"),
    [
        ({}, "f316a8dca84edb79ac98941b9ff8df54f4189a7384234b1edadb7ad028683af0"),
        ({"stove": "5"}, "7783c8a090648a5cfb7e51dfb04218fbf58246e9913107a71f0bbd7307b6ba35"),
    ],
)
def test_digests_from_before_a_game_had_more_options_hold(
    options: dict[str, str], digest: str
) -> None:
    """0.3 made these, when `stove` was the only option of KITCHEN."""
    fair = replace(DiceStream.agreed(KEY, MINE[:2], PLEDGES[:2], NAMES[:2]), by_lines=True)
    match = Match.opening(ALL["kitchen"], fair=fair, seats=2, names=NAMES[:2], options=options)
    assert proof.match_digest(match) == digest
    assert files.header(match).options == {"stove": options.get("stove", "8")}
    other = Match.opening(
        ALL["kitchen"], fair=fair, seats=2, names=NAMES[:2], options={"own_start": "yes", **options}
    )
    assert proof.match_digest(other) != digest
    assert files.header(other).options["own_start"] == "yes"


def test_no_two_lists_of_nonces_are_joined_alike() -> None:
    assert joined("a", "bc") != joined("ab", "c") != joined("a", "b", "c")
    assert DiceStream(KEY, ("1:", ","), ("", "")).draw(1) != DiceStream(KEY, ("1:,",), ("",)).draw(
        1
    )


def test_the_program_in_the_docs_checks_a_file_by_itself(tmp_path: Any) -> None:
    text = (Path(__file__).parent.parent / "docs" / "fairness.md").read_text("utf-8")
    program = text.partition("```python\n")[2].partition("```")[0]
    path = tmp_path / "match.jsonl"
    files.save(MATCH, path)
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=True)
    drawn = [row for row in ROWS if row.get("seat") == "chance"]
    told = done.stdout.decode().splitlines()
    for k, (line, row) in enumerate(zip(told, drawn, strict=True)):
        assert int(line.split()[0]) == row["n"]
        assert float(line.split()[-1]) == MATCH.fair.draw(k)
    for old in sorted((Path(__file__).parent / "formats").glob("format-[345]*.jsonl")):
        match = files.load_match(old, ALL)
        done = subprocess.run([sys.executable, "-c", program, old], capture_output=True, check=True)
        told = done.stdout.decode().splitlines()
        assert len(told) == count_draws(match.plies[match.taken :])
        for line in told:
            assert float(line.split()[-1]) == match.fair.draw(int(line.split()[0]))
    rows = [*ROWS[:-1], LAST | {"key": OTHER.hex()}]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    wrong = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=False)
    assert wrong.returncode != 0


ABORTED = Aborted("11" * 32, (pledge("old"), pledge("older"), "", ""))


def after_an_aborted_start(*hashes: str) -> Match:
    """MATCH, of whose table a start with these hashes was aborted before."""
    earlier = (Aborted(ABORTED.commitment, hashes),)
    fair = replace(MATCH.fair, aborted=1, earlier=earlier)
    return replace(MATCH.copy(), fair=fair)


def test_a_file_counts_aborted_starts_and_its_digest_binds_them(tmp_path: Any) -> None:
    match = after_an_aborted_start(*ABORTED.hashes)
    rows = [json.loads(line) for line in files.match_lines(match)]
    assert rows[0]["diablerie"] == 6
    assert rows[0]["earlier"] == [{"commitment": "11" * 32, "hashes": list(ABORTED.hashes)}]
    assert read(rows).fair == match.fair
    assert "Aborted starts: 1." in verified(tmp_path, rows).output
    wrong = verified(tmp_path, rows, "--commitment", ABORTED.commitment)
    assert "of an earlier start" in str(wrong.exception)
    for fields in ({"aborted": 2}, {"aborted": 0, "earlier": []}):
        with pytest.raises(diablerie.Damaged):
            read([rows[0] | fields, *rows[1:]])
    assert "aborted" not in HEAD


def test_a_nonce_that_was_promised_in_an_aborted_start_is_refused() -> None:
    match = after_an_aborted_start(PLEDGES[0], pledge("older"), "", "")
    with pytest.raises(diablerie.Damaged, match="the hash of seat 0 was sent in an earlier start"):
        files.parse_match(files.dump(match).encode(), ALL, dice=True)


def with_late(*seats: int) -> Match:
    """MATCH, in which these seats were to add a nonce and came late; seat 2 is a devil's there."""
    return replace(MATCH.copy(), fair=replace(MATCH.fair, late=seats))


def test_a_file_names_who_came_late_and_its_digest_binds_them(tmp_path: Any) -> None:
    match = with_late(2)
    rows = [json.loads(line) for line in files.match_lines(match)]
    assert rows[0]["late"] == [2]
    assert read(rows).fair == match.fair
    told = verified(tmp_path, rows)
    assert "Seat 2 was to add a nonce and came late: the match began without it." in told.output
    assert "came late" not in verified(tmp_path, ROWS).output
    assert "late" not in HEAD
    hidden = {name: value for name, value in rows[0].items() if name != "late"}
    for head in (hidden, hidden | {"diablerie": 5}, rows[0] | {"late": [2, 2]}):
        with pytest.raises(diablerie.Damaged):
            read([head, *rows[1:]])
    for seats in ((0,), (3,), (4,), (-1,)):  # who promised a hash, and no seats
        with pytest.raises(diablerie.Damaged, match="came late"):
            files.parse_match(files.dump(with_late(*seats)).encode(), ALL)


def test_whoever_came_late_is_no_bot_of_the_house() -> None:
    fair = DiceStream.agreed(KEY, MINE, [PLEDGES[0], "", "", ""], NAMES)
    alone = replace(MATCH.copy(), fair=fair)
    assert not proof.several(alone)
    assert proof.several(replace(alone, fair=replace(fair, late=(1,))))


def with_a_take_back(mine: list[str], revealed: bool, agreed: bool = False) -> Match:
    """A match in which seat 0 took a bet back, after others had bet if it was `revealed`."""
    promised = [pledge(nonce) if nonce else "" for nonce in mine]
    fair = DiceStream.agreed(KEY, mine, promised, NAMES)
    match = Match.new(ALL["coals"], fair=fair, seats=4, names=NAMES, options={"goal": "210"})
    before = match.ply
    match.play("bet 50", 0)
    if revealed:
        match.play("bet 10", 1)
    match.take_back(before, 0, agreed=agreed)
    while not match.over:
        match.play(match.legal()[-1])
    return match


def test_what_nobody_had_learnt_anything_from_may_be_taken_back(tmp_path: Any) -> None:
    match = with_a_take_back(MINE, revealed=False)
    told = verified(tmp_path, [json.loads(line) for line in files.match_lines(match)])
    assert (told.exit_code, told.exception) == (0, None)
    assert "Take-backs: 1. Hand-overs: 0. Deadlines that passed: 0." in told.output
    assert "before anybody had learnt anything" in told.output


def test_a_take_back_is_refused_after_another_player_has_decided() -> None:
    match = with_a_take_back(MINE, revealed=True)
    line = 2 + next(n for n, row in enumerate(files.match_lines(match)) if '"takeback"' in row) - 1
    with pytest.raises(diablerie.Damaged, match="cannot be taken back") as refused:
        files.parse_match(files.dump(match).encode(), ALL, dice=True)
    assert refused.value.line == line
    assert files.parse_match(files.dump(match).encode(), ALL).plies == match.plies  # it can be read


def test_what_others_have_seen_may_be_taken_back_if_all_of_them_agreed(tmp_path: Any) -> None:
    match = with_a_take_back(MINE, revealed=True, agreed=True)
    told = verified(tmp_path, [json.loads(line) for line in files.match_lines(match)])
    assert (told.exit_code, told.exception) == (0, None)
    assert "To 1 of the take-backs all others agreed, says the file." in told.output
    assert "before anybody had learnt anything" not in told.output


def test_only_take_backs_to_which_not_all_agreed_have_to_reveal_nothing() -> None:
    match = with_a_take_back(MINE, revealed=False)
    assert proof.noted(match)[2:] == ["Each take-back came before anybody had learnt anything."]
    at = next(n for n, ply in enumerate(match.plies) if ply.kind is PlyKind.TAKE_BACK)
    match.plies.append(match.plies[at]._replace(by="1,2,3"))
    assert proof.noted(match)[2:] == [
        "To 1 of the take-backs all others agreed, says the file.",
        "Each other take-back came before anybody had learnt anything.",
    ]


def test_alone_against_bots_everything_may_be_taken_back(tmp_path: Any) -> None:
    match = with_a_take_back([MINE[0], "", "", ""], revealed=True)
    told = verified(tmp_path, [json.loads(line) for line in files.match_lines(match)])
    assert (told.exit_code, told.exception) == (0, None)
    assert "The take-backs were not checked" in told.output


def test_what_is_bound_is_told_beside_sound(tmp_path: Any) -> None:
    bare = verified(tmp_path, another_legal_stake())
    assert bare.exit_code == 0
    assert "sound; decisions: not bound, no seal given." in bare.output
    assert "Key: not bound, no commitment given." in bare.output
    seal = another_legal_stake()[-1]["seal"]
    assert "seal" in str(
        verified(tmp_path, another_legal_stake(), "--seal", LAST["seal"]).exception
    )
    full = verified(tmp_path, another_legal_stake(), "--seal", seal)
    assert "sound; decisions: bound by the seal." in full.output
    assert "Nonces, names and options: bound by the seal." in full.output
    golden = Path(__file__).parent / "games" / "coals" / "golden" / "coals-2.jsonl"
    seeded = CliRunner().invoke(commands, ["verify", str(golden)])
    assert "decisions: not bound, this file has no seal." in seeded.output


def another_legal_stake() -> list[Row]:
    """The match with another decision that was legal, and a seal made for it."""
    return forged_whole(lambda _: reordered())


def test_the_time_to_verify_take_backs_grows_as_their_number() -> None:
    """It grew as its square: 20,000 of them took a minute, 200,000 hours."""
    assert verifying(6_000) < 12 * verifying(1_000)


def verifying(take_backs: int) -> float:
    """Seconds of processor time to verify a match with so many take-backs."""
    fair = DiceStream.agreed(KEY, ["a", "b"], [pledge("a"), pledge("b")], ["Ann", "Bo"])
    match = Match.new(ALL["coals"], fair=fair, seats=2, options={"goal": "210"})
    past = match.state.copy()
    for _ in range(take_backs):
        match.play("bet 50", 0)
        match.note(PlyKind.TAKE_BACK, 0, to=match.ply - 1, past=past.copy())
    while not match.over:
        match.play(match.legal()[-1])
    data, begun = files.dump(match).encode(), process_time()
    assert files.parse_match(data, ALL, dice=True).plies[100] == match.plies[100]
    return process_time() - begun


def test_to_return_takes_few_steps_however_long_a_match_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = []

    def counted(game: Game, s: Record, event: Event) -> int:
        steps.append(event)
        return number_of(game, s, event)

    monkeypatch.setattr(replay, "number_of", counted)
    match = Match.new(ALL["coals"], fair=DiceStream.seeded(5), seats=3)
    positions = PositionTree(match.game, match.game.start(3, match.options))
    while match.ply < 5 * replay.KEYFRAME_PLIES:
        match.play(match.legal()[0])
        for ply in match.plies[len(positions._plies) :]:
            positions.add(ply, match.state)
    for ply in range(match.ply + 1):
        steps.clear()
        positions.after(ply)
        assert len(steps) <= 2 * replay.KEYFRAME_PLIES


def test_one_returns_from_anywhere_to_anywhere() -> None:
    """What is found on the way through a file is what playing it again gives."""
    rng, fair = random.Random(5), DiceStream.seeded(5)
    match = Match.new(ALL["coals"], fair=fair, seats=3)
    states = {match.ply: match.state.copy()}
    for _ in range(300):
        if match.over or rng.random() < 0.3:
            match.take_back(rng.randrange(1, match.ply), 0) if match.ply > 2 else None
        else:
            match.play(rng.choice(match.legal()))
        states[match.ply] = match.state.copy()
    positions = PositionTree(match.game, match.game.start(3, match.options))
    for n, ply in enumerate(match.plies, 1):
        positions.add(ply, states[n])
    for n, state in states.items():
        assert same(positions.after(n), state)
        assert same(match.at(n).state, state)
    assert len(states) > 200
