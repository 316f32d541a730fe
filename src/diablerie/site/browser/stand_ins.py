"""Put the stand-ins under the names of what a browser lacks, before anything imports those."""

import sys
from pathlib import Path
from types import ModuleType

from diablerie.site.browser import arrays, compiler, functions, libraries, metrics

UNCALLED = {  # what Alembic imports, and never calls where it upgrades a database
    "configparser": ["ConfigParser"], "mako": ["exceptions"], "mako.template": ["Template"], "tomllib": [],
}  # fmt: skip


def install(rules: Path | None = None) -> None:
    """From now on `import numpy`, `numba` and `prometheus_client` give the stand-ins.

    rules: the folder of the compiled rules; None: everything runs as Python.
    Raises RuntimeError if one of them has been imported already.
    """
    loaded = {"numpy", "numba", "prometheus_client"} & set(sys.modules)
    if loaded:
        raise RuntimeError(f"{', '.join(sorted(loaded))} is loaded already")
    # Submodules are the same module under other names: imports take from it what they need.
    _module("numpy", arrays, **numpy_functions())
    _module("numpy.typing", arrays, NDArray=arrays.ndarray, ArrayLike=object)
    for name in ("numba", "numba.extending", "numba.np", "numba.np.numpy_support", "numba.core"):
        _module(name, compiler)
    for name in (
        "bytecode",
        "caching",
        "dispatcher",
        "registry",
        "serialize",
        "typing",
        "typing.templates",
    ):
        _module(f"numba.core.{name}", compiler)
    for name in ("", ".core", ".multiprocess", ".registry"):
        _module(f"prometheus_client{name}", metrics)
    for name, parts in UNCALLED.items():
        _module(name, metrics, **dict.fromkeys(parts))
    if rules:
        libraries.use(rules)


def numpy_functions() -> dict[str, object]:
    """NumPy's functions by their names, of which some are Python's, too."""
    return vars(functions) | {"abs": functions.absolute, "max": functions.largest}


def _module(name: str, of: ModuleType, **more: object) -> None:
    module = ModuleType(name, of.__doc__)
    offered = vars(of) | more
    vars(module).update({k: v for k, v in offered.items() if not k.startswith("__")})
    module.__version__ = "0"  # type: ignore[attr-defined]
    sys.modules[name] = module
