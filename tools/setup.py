"""Make the virtual environment `.venv`: `python3 tools/setup.py WHAT …`, of EXTRAS below.

`--pins WHAT …` prints the requirements, with hashes, and installs nothing.

Runs on the system's own Python with nothing installed; what is missing is named in one sentence.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
UNFINISHED = VENV / "unfinished"  # there while packages are put in their places
PLACE = VENV / "place"
EXTRAS = {
    "play": ("play",),
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
PUTS = "Installing collected packages"  # says pip before it writes the first one
# Of pip's settings those count that say how packages are reached, and none that says where they go
# (user, target, prefix, root …), or which they are (constraint, requirement …).
REACHED_BY = frozenset(
    {
        "cache-dir",
        "cert",
        "client-cert",
        "default-timeout",
        "extra-index-url",
        "find-links",
        "index-url",
        "keyring-provider",
        "no-cache-dir",
        "no-index",
        "proxy",
        "retries",
        "timeout",
        "trusted-host",
        "use-deprecated",
        "use-feature",
    }
)
SETTING = re.compile(r"(?:global|install)\.([a-z-]+)=(.*)")  # as `pip config list` writes one


def main() -> int:
    """Create the environment if need be, install what the purposes need, leave their stamps."""
    purposes = sys.argv[1:]
    if purposes[:1] == ["--pins"]:
        print(requirements(purposes[1:]), end="")
        return 0
    if sys.version_info < (3, 11):  # noqa: UP036 (this is where older ones learn it)
        return stop(f"diablerie needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if why := unfit(VENV if VENV.exists() else ROOT) or prepared():
        return stop(why)
    say("Installing the pinned libraries (once; a minute or two) …")
    UNFINISHED.touch()
    if said := install_locked(purposes) or install_projects(purposes):
        if PUTS not in said:  # then nothing has changed
            UNFINISHED.unlink()
        asked = ": is there a network?" if NO_NETWORK.search(said) else "."
        return stop(f"The libraries could not be installed (see above){asked}")
    PLACE.write_bytes(place())
    for purpose in purposes:
        (VENV / f"ready-{purpose}").touch()
    UNFINISHED.unlink()
    return 0


def unfit(folder: Path) -> str:
    """The sentence that says why no program can run from a folder; "" if programs can."""
    if os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0):
        return f"No program may run from {folder} (it is mounted noexec): move the clone elsewhere."
    return ""


def prepared() -> str:
    """See to it that there is an environment in which pip works; "", or why there is none."""
    flaw = worn() if (VENV / "bin" / "pip").exists() else ""
    if (VENV / "bin" / "pip").exists() and not flaw:
        return ""
    if missing := lacking():
        return missing
    say(f"Making a virtual environment in .venv{flaw and f', anew: {flaw}'} …")
    return "" if made() else "The virtual environment could not be made (see above)."


def worn() -> str:
    """What is wrong with the environment, as a clause; "" if it can be used."""
    if UNFINISHED.exists():
        return "its set-up was cut off"
    if PLACE.exists() and PLACE.read_bytes() != place():
        return "the folder or its Python has moved"
    try:
        runs = subprocess.run([PYTHON, "-c", "import pip"], capture_output=True, check=False)
    except OSError:  # a link to a Python that is gone
        return "its Python is gone"
    return "its Python does not run" if runs.returncode else ""


def place() -> bytes:
    """The folder and the Python that an environment is for, as the Makefile reads them.

    Bytes, since names of folders may be of any encoding.
    """
    return os.fsencode(f"{ROOT}\n{os.path.realpath(PYTHON)}\n")


def made() -> bool:
    """Whether a new environment could be made; it has pip or the mark of one that was cut off."""
    venv = (sys.executable, "-m", "venv")
    if subprocess.call([*venv, "--clear", "--without-pip", str(VENV)]):
        return False
    UNFINISHED.touch()
    return not subprocess.call([*venv, str(VENV)])


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
    purposes = {}
    pins = {}
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
        editable = [word for folder in folders for word in ("--editable", str(folder))]
        failed = install("--no-deps", "--no-build-isolation", *editable, path=tools)
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


def install(*what: str, path: str = "") -> str:
    """Install this; one line tells how far it is. Returns "", or what pip said if it failed.

    path: where Python finds what builds it.
    """
    pip = (str(PYTHON), "-m", "pip", "install", "--progress-bar", "off")
    command = (*pip, "--no-compile")  # Python keeps the bytecode of what is imported, and no more
    env = pip_environment() | ({"PYTHONPATH": path} if path else {})
    said = []
    with subprocess.Popen(
        (*command, *what),
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as running:
        for line in running.stdout or ():
            said.append(line)
            if line.startswith("Collecting "):
                show(f"  fetching {line.split()[1]} …")
            elif line.startswith(PUTS):
                show("  putting them in their places …")
    show("")
    if not running.returncode:
        return ""
    print("".join(said), end="", flush=True)
    return "".join(said) or f"pip ended with status {running.returncode}"


def pip_environment() -> dict[str, str]:
    """The variables for pip: of its own settings `REACHED_BY` alone, from files and variables."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") and k != "PYTHONPATH"}
    own = {k: v for k, v in os.environ.items() if k.startswith("PIP_")}
    found = {k: v for k, v in own.items() if k[4:].lower().replace("_", "-") in REACHED_BY}
    fixed = {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    asked = plain | {k: v for k, v in own.items() if k == "PIP_CONFIG_FILE"}
    return plain | of_files(asked) | found | fixed


def of_files(environment: dict[str, str]) -> dict[str, str]:
    """What pip's files set of `REACHED_BY`, as variables."""
    told = subprocess.run(
        [PYTHON, "-m", "pip", "config", "list"],
        # else a quiet pip would not tell, and one with `user` would tell of one file alone
        env=environment | {"PIP_QUIET": "0", "PIP_USER": "0"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout
    lines = filter(None, map(SETTING.fullmatch, sorted(told.splitlines())))  # global, then install
    settings = {line[1]: str(ast.literal_eval(line[2])) for line in lines if line[1] in REACHED_BY}
    return {f"PIP_{name.upper().replace('-', '_')}": value for name, value in settings.items()}


def show(text: str) -> None:
    """Put a text in place of the last one, where there is a terminal."""
    if sys.stdout.isatty():
        print(f"\r\x1b[2K{text}", end="", flush=True)


def say(text: str) -> None:
    """Tell what happens now."""
    print(text, flush=True)


def stop(text: str) -> int:
    """Say in one sentence why it does not go on, and where more is written."""
    print(f"diablerie: {text}", file=sys.stderr)
    print("docs/trouble.md says what to do.", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
