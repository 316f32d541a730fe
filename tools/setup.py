"""Make the virtual environment `.venv`: `python3 tools/setup.py WHAT …`, of EXTRAS below.

`--pins WHAT …` prints the requirements, with hashes, and installs nothing.

Runs on the system's own Python with nothing installed; what is missing is named in one sentence.
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
EXTRAS = {
    "play": (),
    "test": ("test", "research"),
    "bench": ("test", "research", "bench"),
    "docs": ("docs",),
    "ray": ("ray",),
    "learn": ("learn", "notebook"),
    "mcp": ("mcp",),
    "site": ("site",),
    "mutants": ("test", "research", "mutants"),
    "container": ("postgres",),
}
BUILD = "build"  # what builds the project itself, in locked.txt
PLUGINS = ("plugins/exact",)  # they are installed where the tests are run
NO_NETWORK = re.compile(r"connection broken by|ConnectionError|NameResolutionError|Timeout")


def main() -> int:
    """Create the environment if need be, install what the purposes need, leave their stamps."""
    purposes = sys.argv[1:]
    if purposes[:1] == ["--pins"]:
        print(requirements(purposes[1:]), end="")
        return 0
    if sys.version_info < (3, 11):  # noqa: UP036 (this is where older ones learn it)
        return stop(f"diablerie needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if not (VENV / "bin" / "pip").exists():
        if missing := lacking():
            return stop(missing)
        say("Making a virtual environment in .venv …")
        if subprocess.call([sys.executable, "-m", "venv", "--clear", str(VENV)]):
            return stop("The virtual environment could not be made (see above).")
    say("Installing the pinned libraries (once; a minute or two) …")
    if said := install_locked(purposes) or install_projects(purposes):
        asked = ": is there a network?" if NO_NETWORK.search(said) else "."
        return stop(f"The libraries could not be installed (see above){asked}")
    for purpose in purposes:
        (VENV / f"ready-{purpose}").touch()
    return 0


def lacking() -> str:
    """The sentence that names what the system's Python lacks, with its cure; "" if nothing."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return (
            "This Python has no venv; Debian keeps it in a package of its own: "
            "sudo apt-get install python3-venv"
        )
    return ""


def locked() -> tuple[dict[str, list[str]], dict[str, str]]:
    """What locked.txt says: the packages of each purpose, and the pin of each, with hashes."""
    purposes, pins = {}, {}
    for line in (ROOT / "locked.txt").read_text("utf-8").splitlines():
        head, _, rest = line.partition(" ")
        if head.endswith(":"):
            purposes[head[:-1]] = rest.split()
        elif head != "#":
            pins[head.partition("==")[0]] = line
    return purposes, pins


def requirements(purposes: Sequence[str]) -> str:
    """The pins of all packages of these purposes, with hashes, as pip reads them."""
    packages, pins = locked()
    names = sorted({name for purpose in purposes for name in packages[purpose]})
    return "".join(f"{pins[name]}\n" for name in names)


def install_projects(purposes: Sequence[str]) -> str:
    """Install the project, for tests with its plug-ins; what builds them is kept out of `.venv`."""
    tested = any("test" in EXTRAS[purpose] for purpose in purposes)
    folders = [ROOT, *(ROOT / name for name in PLUGINS if tested)]
    with TemporaryDirectory() as tools:
        if failed := install_locked([BUILD], "--target", tools):
            return failed
        os.environ["PYTHONPATH"] = tools
        editable = [word for folder in folders for word in ("--editable", str(folder))]
        failed = install("--no-deps", "--no-build-isolation", *editable)
    for path in VENV.glob("lib/*/site-packages/_editable_*.pth"):
        found = path.parent / path.read_text("utf-8").strip()
        path.write_text(os.path.relpath(found, path.parent))  # with LC_ALL=C, Python reads ASCII
    return failed


def install_locked(purposes: Sequence[str], *where: str) -> str:
    """Install the packages of these purposes, as `install`; another hash is refused."""
    with TemporaryDirectory() as folder:
        wanted = Path(folder) / "locked.txt"
        wanted.write_text(requirements(purposes), "utf-8")
        return install("--require-hashes", "--no-deps", *where, "--requirement", str(wanted))


def install(*what: str) -> str:
    """Install this; one line tells how far it is. Returns "", or what pip said if it failed."""
    os.environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    pip = (str(VENV / "bin" / "python"), "-m", "pip", "install", "--progress-bar", "off")
    command = (*pip, "--no-compile")  # Python keeps the bytecode of what is imported, and no more
    said = []
    with subprocess.Popen(
        (*command, *what), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        for line in running.stdout or ():
            said.append(line)
            if line.startswith("Collecting "):
                show(f"  fetching {line.split()[1]} …")
            elif line.startswith("Installing collected"):
                show("  putting them in their places …")
    show("")
    if not running.returncode:
        return ""
    print("".join(said), end="", flush=True)
    return "".join(said) or f"pip ended with status {running.returncode}"


def show(text: str) -> None:
    """Put a text in place of the last one, where there is a terminal."""
    if sys.stdout.isatty():
        print(f"\r\x1b[2K{text}", end="", flush=True)


def say(text: str) -> None:
    """Tell what happens now."""
    print(text, flush=True)


def stop(text: str) -> int:
    """Say in one sentence why it does not go on."""
    print(f"diablerie: {text}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
