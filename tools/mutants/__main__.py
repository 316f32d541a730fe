"""The command: `python -m tools.mutants`, or `make mutants`."""

import argparse
import sys
from pathlib import Path

from tools.mutants import running
from tools.mutants.places import PLACES
from tools.mutants.report import survivors, table
from tools.mutants.sampling import sample
from tools.mutants.tree import copied


def main() -> int:
    """Draw the sample, try what has no result yet, print the table and the survivors."""
    asked = arguments()
    names = [place.name for place in PLACES]
    if unknown := set(asked.only) - set(names):
        print(
            f"mutants: there is no folder {unknown.pop()}; there are {', '.join(names)}",
            file=sys.stderr,
        )
        return 2
    shares = {p.name: round(p.share * asked.times) for p in PLACES}
    mutants = [
        one for one in sample(asked.seed, shares) if not asked.only or one.place in asked.only
    ]
    folder = asked.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    running.write_sample(folder / "sample.json", asked.seed, mutants)
    if not asked.report:
        running.run(copied(folder / "tree"), folder, mutants, asked.again, asked.processes)
    results = {line["mutant"]: line for line in running.read(folder / "results.jsonl")}
    print(table(mutants, results))
    print("\n\n".join(["", *survivors(mutants, results)]))
    return 0


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=12, help="equal seeds draw equal samples")
    parser.add_argument(
        "--folder", type=Path, default=Path("mutants"), help="where results are kept"
    )
    parser.add_argument("--only", nargs="*", default=(), help="folders, by name")
    parser.add_argument("--times", type=float, default=1.0, help="a larger or smaller sample")
    parser.add_argument("--processes", type=int, default=1, help="so many at once")
    parser.add_argument("--again", action="store_true", help="try survivors again, with new tests")
    parser.add_argument("--report", action="store_true", help="only say what is known")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
