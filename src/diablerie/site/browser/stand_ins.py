"""Put the stand-ins under the names of NumPy and Numba, before anything imports those."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from diablerie.site.browser import arrays, compiler, libraries


def install(rules: Path | None = None) -> None:
    """From now on `import numpy` and `import numba` give the stand-ins.

    rules: the folder of the compiled rules; None: everything runs as Python.
    Raises RuntimeError if one of the two has been imported already.
    """
    loaded = {"numpy", "numba"} & set(sys.modules)
    if loaded:
        raise RuntimeError(f"{', '.join(sorted(loaded))} is loaded already")
    _module("numpy", arrays, abs=arrays.absolute, max=arrays.largest)
    _module("numpy.typing", arrays, NDArray=arrays.ndarray, ArrayLike=Any)
    for name in ("numba", "numba.extending", "numba.np", "numba.np.numpy_support"):
        _module(name, compiler)
    for name in ("numba.core", "numba.core.bytecode", "numba.core.caching"):
        _module(name, compiler)
    if rules:
        libraries.use(rules)


def _module(name: str, of: ModuleType, **more: Any) -> None:
    module = ModuleType(name, of.__doc__)
    vars(module).update({k: v for k, v in vars(of).items() if not k.startswith("__")}, **more)
    module.__version__ = "0"  # type: ignore[attr-defined]
    sys.modules[name] = module
