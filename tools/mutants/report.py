"""What came of it: a table by folder, and the survivors as differences."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from tools.mutants.places import PLACES
from tools.mutants.sampling import Mutant

Z = 1.959964  # of 95 %
Results = Mapping[str, Mapping[str, Any]]


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % interval (Wilson) of a share, `hits` of `tries`."""
    if not tries:
        return 0.0, 1.0
    share, width = hits / tries, Z * Z / tries
    centre = (share + width / 2) / (1 + width)
    half = Z / (1 + width) * sqrt(share * (1 - share) / tries + width / (4 * tries))
    return max(0.0, centre - half), min(1.0, centre + half)


def table(mutants: Sequence[Mutant], results: Results) -> str:
    """Markdown: noticed and tried of every folder and of all, with the interval."""
    rows = [
        "| folder | mutants | killed | survived | killed, % | 95 % interval |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name in [place.name for place in PLACES]:
        mine = [one for one in mutants if one.place == name]
        if mine:
            rows.append(_row(name, mine, results))
    return "\n".join([*rows, _row("**all**", mutants, results)])


def _row(name: str, mutants: Sequence[Mutant], results: Results) -> str:
    states = [results[one.name]["state"] for one in mutants if one.name in results]
    killed = states.count("killed")
    low, high = wilson(killed, len(states))
    share = f"{100 * killed / len(states):.0f}" if states else "–"
    counts = f"{len(states)} | {killed} | {len(states) - killed}"
    return f"| {name} | {counts} | {share} | {100 * low:.0f} to {100 * high:.0f} |"


def survivors(mutants: Sequence[Mutant], results: Results) -> Iterator[str]:
    """Each that no test noticed, as a difference with the number of tests that reached it."""
    for one in mutants:
        found = results.get(one.name)
        if found and found["state"] != "killed":
            why = found.get("why") or reached(found)
            yield f"{one.name} ({one.kind}; {why})\n{difference(one)}"


def reached(found: Mapping[str, Any]) -> str:
    """How many tests ran it in vain."""
    return f"{found.get('tests', '?')} tests reach it"


def difference(mutant: Mutant) -> str:
    """The statement before and after, only the lines that differ."""
    before, after = mutant.before.split("\n"), mutant.after.split("\n")
    gone = (f"- {line}" for line in before if line not in after)
    return "\n".join([*gone, *(f"+ {line}" for line in after if line not in before)])
