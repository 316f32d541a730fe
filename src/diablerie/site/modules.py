"""Compile a game's rules to a WebAssembly module: Numba's own IR, for another machine.

`python -m diablerie.site.modules GAME FILE` writes one. It needs the extra `site`, for the
linker. Numba must compile afresh, since what comes from its cache has no IR, so `module_of` runs
this in a child process with an empty cache and keeps the result beside the cached machine code.

The verbs that a module exports take pointers and int32 numbers, so that any host can call them by name.
Every other rule takes one pointer, to a block of 8-byte slots: slot 0 is for the result, the arguments
follow. It says by the number that it returns what the result is: `NO_RESULT`, `INTEGER` or `FLOAT`.
"""

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from numba import typeof, types
from numba.extending import is_jitted

from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.network_rollouts import roll_out
from diablerie.bots.one_ply import Lookahead, glance, one_ply_arrays
from diablerie.bots.rollouts import RolloutArrays, rollouts
from diablerie.bots.search import SearchParams, search, state_hash
from diablerie.bots.search_tree import arena, copy_subtree, find_key, lead, reset
from diablerie.bots.workspace import Workspace, zeros
from diablerie.engine import extras, rng, verbs
from diablerie.engine.checked_files import read_checked, write_checked
from diablerie.engine.game import Game
from diablerie.engine.numba_internals import Lowered, lowered
from diablerie.engine.playout import buffers, playouts
from diablerie.engine.queries import redacted
from diablerie.engine.sources import cache_folder
from diablerie.games import ALL
from diablerie.learning.rollout import forward_state

# -- what a module exports -------------------------------------------------------------------------

NO_RESULT, INTEGER, FLOAT = range(3)  # the results of rules that are called with a block
Call = tuple[Any, tuple[object, ...]]  # a rule, and arguments as Python hands them over


class Compiled(NamedTuple):
    """One compiled function: the name it is exported by, what LLVM has of it, how it is called.

    lengths: of a verb, how many items each of its arrays has, in order; None: by a block of slots.
    """

    name: str
    result: Lowered
    lengths: Sequence[int] | None = None


def compiled_verbs(game: Game) -> Iterator[Compiled]:
    """The verbs of a game, and `playouts`, which plays many random games."""
    lengths = {
        "legal": (game.actions,),
        "chance": (game.outcomes, game.outcomes),
        "returns": (verbs.SEATS,),
        "value": (verbs.SEATS,),
        "guess": (1,),
        "advise": (1,),
    }
    for name in verbs.SIGNATURES:
        getattr(game.state.verbs, name)  # compiles it
        dispatcher, rest = verbs.OVER_ARRAYS[name]
        signature = (game.state.verbs.array_type, *rest)
        yield Compiled(name, lowered(dispatcher, signature), (1, *lengths.get(name, ())))
    start = game.start(game.seats[0]).array
    yield compiled_call(playouts, (start, start, rng.seeded(0), *buffers(game), 0))


def bot_calls(game: Game) -> Iterator[Call]:
    """The rules that bots call from Python, each with arguments of the types that they hand over."""
    # Only the types of these arguments matter, so they are as small as can be.
    work = Workspace(game, 1)
    random = rng.seeded(0)
    spare = buffers(game)
    yield rng.bits, (random,)
    yield rng.below, (random, 1)
    yield rng.unit, (random,)
    yield search, (work.arrays, zeros(SearchParams), work.scratch, random, 1)
    yield state_hash, (work.arrays.words,)
    yield lead, (arena(1), 0)
    yield find_key, (arena(1), 0, 0)
    yield copy_subtree, (arena(1), 0, arena(1))
    yield reset, (arena(1)[0],)
    one_ply = one_ply_arrays(game.state, np.zeros(1, np.int64), spare)
    yield glance, (one_ply, zeros(Lookahead), random, 1)
    state = zeros(game.state)
    won = np.zeros(game.seats[-1])
    yield rollouts, (RolloutArrays(state, state, state, *spare, won, won), 0, 0, random, 1)
    if game.learnt:
        bot = NetworkBot(game)
        yield forward_state, (*bot.arrays, zeros(bot.game.state), 0)
        yield roll_out, (*bot.arrays, bot.rollouts, 0, 1, 1, 1, 0.0, random)
    yield from appraisal_calls(game)


def appraisal_calls(game: Game) -> Iterator[Call]:
    """What the game's own appraisal of a decision calls, seen by running one."""
    if not game.appraise:
        return
    position = game.start(game.seats[0])
    while (seat := verbs.actor(position)) < 0:
        verbs.apply(position, seat, 0)
    # For a while its rules are functions that note what they are called with.
    module = vars(import_module(game.appraise.__module__))
    rules = {name: f for name, f in module.items() if is_jitted(f)}
    calls: dict[str, Call] = {}

    def noting(name: str, function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            calls.setdefault(name, (function, arguments))
            return function(*arguments)

        return call

    try:
        module.update({name: noting(name, f) for name, f in rules.items()})
        appraisal = game.appraise(redacted(position, seat), seat)
        if appraisal:
            appraisal.sample(rng.seeded(0), 1)
            appraisal.judged()
    finally:
        module.update(rules)
    yield from calls.values()


def compiled_call(function: Any, arguments: tuple[object, ...]) -> Compiled:
    """A rule as compiled for the types of these arguments."""
    signature = tuple(map(typeof, arguments))
    function.compile(signature)
    name = f"{function.__module__}.{function.__name__}".replace(".", "_")
    return Compiled(name, lowered(function, signature))


def slots(kind: types.Type) -> Iterator[tuple[str, bool]]:
    """The LLVM types that Numba hands an argument of this type over in, and whether each has a slot.

    A null pointer has none: the owner of an array is of no use to a rule.
    """
    if isinstance(kind, types.Array):
        yield from (("ptr", False), ("ptr", False), ("i64", True), ("i64", True), ("ptr", True))
        yield from (("i64", True) for _ in range(2 * kind.ndim))
    elif isinstance(kind, types.BaseTuple):
        for part in kind:
            yield from slots(part)
    elif isinstance(kind, types.Record):
        yield "ptr", True
    elif isinstance(kind, types.Integer):
        yield f"i{kind.bitwidth}", True
    elif isinstance(kind, types.Float):
        yield "double" if kind.bitwidth == 64 else "float", True
    else:
        raise TypeError(f"an argument of type {kind} cannot be handed over")


# -- the module ------------------------------------------------------------------------------------

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
    """The function `i32 name(ptr block)`: see `slots`."""
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
            # Numba takes an array as seven values: two owners, length, size, items, shape, strides.
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
    verbs.compile_first(ALL[game].state)  # the cache is empty, so it would be interpreted
    bots = starmap(compiled_call, bot_calls(ALL[game]))  # and hints
    build([*compiled_verbs(ALL[game]), *bots], Path(file))


if __name__ == "__main__":
    main(*sys.argv[1:])
