"""Write `locked.txt`: the hashes of all pinned versions, and what is installed for each purpose.

Run by `make locked`, after every change of pyproject.toml's dependencies or of constraints.txt, in an
environment that holds the packages. The hashes are those that pip's configured index gives for every
file of a version, so they fit all platforms.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from pip._internal.commands import create_command
from pip._internal.index.collector import LinkCollector, parse_links
from pip._internal.models.link import Link

from tools.setup import BUILD, EXTRAS, ROOT

HEAD = "# Made by `make locked`; tools/setup.py installs from it. PURPOSE: NAMES, then the pins.\n"
BUILDING = ("hatchling", "editables")  # what installs the project itself
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = (
    ("linux", "Linux", "x86_64"),
    ("linux", "Linux", "aarch64"),
    ("darwin", "Darwin", "arm64"),
)


def pins() -> dict[str, str]:
    """The versions in constraints.txt, by canonical name."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    return {canonicalize_name(name): version.strip() for name, version in pairs}


def environments() -> Iterator[dict[str, str]]:
    """What markers are evaluated for: every Python and system that `make` supports."""
    for version, (platform, system, machine) in product(PYTHONS, SYSTEMS):
        yield {
            "python_version": version, "python_full_version": f"{version}.9",
            "sys_platform": platform, "platform_system": system, "platform_machine": machine,
            "os_name": "posix",
        }  # fmt: skip


def needed(purpose: str, pinned: dict[str, str]) -> list[str]:
    """The names of all packages that a purpose needs on any system, sorted."""
    if purpose == BUILD:
        roots = [(name, "") for name in BUILDING]
    else:
        roots = [("diablerie", extra) for extra in ("", *EXTRAS[purpose])]
    found: set[str] = set()
    # Over all systems at once: one file of hashes serves each of them.
    for environment in environments():
        open_ = list(roots)
        seen = set(roots)
        while open_:
            name, extra = open_.pop()
            for wanted in _requires(name):
                if wanted.marker and not wanted.marker.evaluate(environment | {"extra": extra}):
                    continue
                child = canonicalize_name(wanted.name)
                more = {(child, one) for one in ("", *wanted.extras)} - seen
                seen |= more
                open_ += more
        found |= {name for name, _ in seen} - {"diablerie"}
    if missing := sorted(found - set(pinned)):
        raise SystemExit(f"constraints.txt lacks {', '.join(missing)}")
    return sorted(found)


@cache
def _requires(name: str) -> list[Requirement]:
    with suppress(PackageNotFoundError):
        return [Requirement(text) for text in requires(name) or []]
    return []


def hashes(collector: LinkCollector, name: str, version: str) -> list[str]:
    """The SHA-256 of every file of a version that the index has."""
    found = set()
    for url in collector.search_scope.get_index_urls_locations(name):
        page = collector.fetch_response(Link(url))
        for link in parse_links(page) if page else ():
            if link.hash_name == "sha256" and link.hash and _version(link.filename) == version:
                found.add(link.hash)
    if not found:
        raise SystemExit(f"the index has no hashes of {name} {version}")
    return sorted(found)


def _version(filename: str) -> str:
    try:
        if filename.endswith(".whl"):
            return str(parse_wheel_filename(filename)[1])
        return str(parse_sdist_filename(filename)[1])
    except ValueError:
        return ""


def main() -> int:
    """Write the file."""
    pinned = pins()
    purposes = {purpose: needed(purpose, pinned) for purpose in (*EXTRAS, BUILD)}
    command = create_command("download")
    options, _ = command.parse_args(["x"])
    options.extra_index_urls = []  # only the index itself: others may have built their own
    with command.main_context():
        session = command._build_session(options)  # type: ignore[attr-defined]
        collector = LinkCollector.create(session, options)
        lines = [f"{purpose}: {' '.join(names)}" for purpose, names in purposes.items()]
        for name in sorted(pinned):
            told = " ".join(f"--hash=sha256:{one}" for one in hashes(collector, name, pinned[name]))
            lines.append(f"{name}=={pinned[name]} {told}")
    Path(ROOT / "locked.txt").write_text(HEAD + "\n".join(lines) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
