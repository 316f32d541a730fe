"""What only some of the commands need: libraries of extras, and how to install them; compiled rules.

diablerie is on no index, so pip is given what this one was installed from: a clone or a wheel.
"""

import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname


def install(extra: str) -> str:
    """The command that installs an extra for the Python that runs now."""
    origin = _origin()
    url = origin.get("url", "")
    path = Path(url2pathname(urlsplit(url).path)) if url.startswith("file:") else None
    if path and path.exists():
        editable = "--editable " if origin.get("dir_info", {}).get("editable") else ""
        return f"{_installer()} {editable}{shlex.quote(f'{path}[{extra}]')}"
    if url and not path:
        prefix = f"{origin['vcs_info']['vcs']}+" if "vcs_info" in origin else ""
        return f"{_installer()} {shlex.quote(f'diablerie[{extra}] @ {prefix}{url}')}"
    return f"{_installer()} {shlex.quote(f'.[{extra}]')} in a clone of diablerie"


class Missing(ModuleNotFoundError):
    """A library of an extra is not installed; the message is a sentence with its cure."""


def missing(library: str | None, extra: str) -> Missing:
    """The error that says that a library of this extra is not installed."""
    return Missing(f"{library} is not installed: {install(extra)}", name=library)


@contextmanager
def needed(extra: str) -> Iterator[None]:
    """A block that imports libraries of an extra. Raises Missing where one is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        raise missing(library, extra) from None


def _origin() -> dict[str, Any]:
    """What pip wrote of where it installed diablerie from (PEP 610); empty if it did not."""
    try:
        text = distribution("diablerie").read_text("direct_url.json")
    except PackageNotFoundError:
        return {}
    return dict(json.loads(text or "{}"))


def _installer() -> str:
    """How packages are installed for this Python: by the shell's pip, if it is this Python's."""
    python = shlex.quote(sys.executable)
    if not find_spec("pip"):  # as in environments that uv made
        return f"uv pip install --python {python}"
    pip = shutil.which("pip")
    if pip and Path(pip).parent == Path(sys.executable).parent:
        return "pip install"
    return f"{python} -m pip install"


def require_compiled(what: str) -> None:
    """Raise ValueError where nothing is compiled. what: who needs that, "a batch" for example."""
    from numba import config  # not for `--help`

    if config.DISABLE_JIT:
        raise ValueError(f"{what} needs compiled rules: leave NUMBA_DISABLE_JIT unset")
