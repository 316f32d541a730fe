"""Compile a game's rules to a WebAssembly module: Numba's own IR, for another machine.

`python -m diablerie.site.modules GAME FILE` writes one. It needs the extra `site`, for the
linker. Numba must compile afresh, since what comes from its cache has no IR, so `module_of` runs
this in a child process with an empty cache and keeps the result beside the cached machine code.
"""

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from itertools import starmap
from pathlib import Path
from tempfile import TemporaryDirectory

import llvmlite.binding as llvm
from numba import types

from diablerie.engine import extras
from diablerie.engine.checked_files import read_checked, write_checked
from diablerie.engine.game import Game
from diablerie.engine.sources import cache_folder
from diablerie.games import ALL
from diablerie.site.exports import (
    FLOAT,
    INTEGER,
    NO_RESULT,
    Compiled,
    bot_calls,
    compiled_call,
    compiled_verbs,
    slots,
)

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"


class CannotBuild(Exception):
    """Why the modules cannot be made on this machine, in a sentence."""


def module_of(game: str) -> bytes:
    """A game's module, made if there is none of this version, or a damaged one.

    Raises CannotBuild if the linker is missing.
    """
    if not find_spec("ziglang"):
        raise CannotBuild(f"WebAssembly needs a linker: {extras.install('site')}")
    file = cache_folder() / f"{game}.wasm"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(
            lock, fcntl.LOCK_EX
        )  # whoever else wants it waits, instead of compiling it, too
        if (module := read_checked(file)) is None:
            module = _made(game)
            write_checked(file, module)
    return module


def _made(game: str) -> bytes:
    """The module, compiled by another process, which has no cache."""
    with TemporaryDirectory() as fresh:
        made = Path(fresh) / f"{game}.wasm"
        command = [sys.executable, "-m", __name__, game, str(made)]
        subprocess.run(command, check=True, env={**os.environ, "DIABLERIE_CACHE": fresh})
        return made.read_bytes()


def build(compiled: Sequence[Compiled], file: Path) -> None:
    """Link these functions into one module, which takes memory and `exp`, `log`, `pow` from its host."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly(wrappers(compiled))
    for one in compiled:
        module.link_in(llvm.parse_assembly(retargeted(one.result.ir)))
    module.verify()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(opt=3, reloc="pic")
    with TemporaryDirectory() as folder:
        object_file = Path(folder) / "rules.o"
        object_file.write_bytes(machine.emit_object(module))
        link(object_file, file, [one.name for one in compiled])


def link(object_file: Path, file: Path, names: Iterable[str]) -> None:
    """Link an object file into a module that exports these functions."""
    exports = [f"--export={name}" for name in names]
    linker = [sys.executable, "-m", "ziglang", "wasm-ld"]
    options = ["--no-entry", "--gc-sections", "--allow-undefined", "--strip-all", "-pie"]
    options += ["--import-memory", "--experimental-pic"]
    subprocess.run([*linker, str(object_file), "-o", str(file), *options, *exports], check=True)


def retargeted(ir: str) -> str:
    """Numba's IR for this machine as IR for WebAssembly.

    What is left of Python in it (wrappers that Python calls) the linker drops.
    """
    ir = re.sub(r'target triple = "[^"]*"', f'target triple = "{TRIPLE}"', ir)
    ir = re.sub(r'target datalayout = "[^"]*"', f'target datalayout = "{LAYOUT}"', ir)
    return ir.replace(" = common ", " = linkonce_odr ")


def wrappers(compiled: Iterable[Compiled]) -> str:
    """IR of the exported functions, which call Numba's; a rule that fails traps."""
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{LAYOUT}"\n'
    return head + "".join(
        by_slots(one) if one.lengths is None else by_pointers(one, one.lengths) for one in compiled
    )


def by_slots(one: Compiled) -> str:
    """The function `i32 name(ptr block)`: see `exports`."""
    lines = list[str]()
    values = list[str]()
    slot = 0
    for kind, given in (x for t in one.result.arguments for x in slots(t)):
        if not given:
            values.append("ptr null")
            continue
        slot += 1
        lines.append(f"%a{slot} = getelementptr i64, ptr %block, i32 {slot}")
        # an int32 or a float lies in the low bytes of its slot
        lines.append(f"%v{slot} = load {kind}, ptr %a{slot}")
        values.append(f"{kind} %v{slot}")
    returned = one.result.returns
    number = INTEGER if isinstance(returned, types.Integer) else FLOAT
    result = NO_RESULT if isinstance(returned, types.NoneType) else number
    body = [*lines, *call(one, "%block", values), f"ret i32 {result}"]
    return define(one, "ptr %block", body)


def by_pointers(one: Compiled, lengths: Sequence[int]) -> str:
    """The function of a verb: a pointer to the state, then pointers and i32 numbers."""
    params = []
    values = []
    lines = []
    left = list(lengths)
    for i, kind in enumerate(one.result.arguments):
        if isinstance(kind, types.Array):
            n = left.pop(0)
            item = kind.dtype
            size = item.size if isinstance(item, types.Record) else item.bitwidth // 8
            params.append(f"ptr %p{i}")
            values += ["ptr null", "ptr null", f"i64 {n}", f"i64 {size}", f"ptr %p{i}"]
            values += [f"i64 {n}", f"i64 {size}"]
        else:
            params.append(f"i32 %p{i}")
            lines.append(f"%v{i} = sext i32 %p{i} to i64")
            values.append(f"i64 %v{i}")
    lines += ["%result = alloca i64", *call(one, "%result", values)]
    lines += ["%whole = load i64, ptr %result", "%half = trunc i64 %whole to i32", "ret i32 %half"]
    return define(one, ", ".join(params), lines)


def call(one: Compiled, result: str, values: Sequence[str]) -> list[str]:
    """Lines that call Numba's function, which writes its result and returns 0 unless it failed."""
    arguments = ", ".join([f"ptr {result}", "ptr %error", *values])
    return [
        "%error = alloca ptr",
        f'%status = call i32 @"{one.result.symbol}"({arguments})',
        "%failed = icmp ne i32 %status, 0",
        "br i1 %failed, label %trap, label %done",
        "trap:",
        "unreachable",
        "done:",
    ]


def define(one: Compiled, params: str, body: Sequence[str]) -> str:
    """A declaration of Numba's function, and the definition of the exported one."""
    kinds = [kind for t in one.result.arguments for kind, _ in slots(t)]
    name = one.result.symbol
    declared = f'declare i32 @"{name}"({", ".join(["ptr", "ptr", *kinds])})\n'
    return f"{declared}define i32 @{one.name}({params}) {{\n" + "\n".join(body) + "\n}\n"


def write_rules(folder: Path, games: Iterable[Game]) -> None:
    """Write compiled rules into a folder, with `rules.json`, which `browser.libraries` reads.

    Raises CannotBuild, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    index = {}
    for game in games:
        file = folder / f"{game.name}.wasm"
        file.write_bytes(module_of(game.name))
        index[list(game.state.dtype.fields)[-1]] = file.name
    (folder / "rules.json").write_text(json.dumps(index), "utf-8")


def main(game: str, file: str) -> None:
    """Write the module of a game."""
    bots = starmap(compiled_call, bot_calls(ALL[game]))  # and hints
    build([*compiled_verbs(ALL[game]), *bots], Path(file))


if __name__ == "__main__":
    main(*sys.argv[1:])
