"""Kernels compiled to PTX on a machine without a card, and what a card would refuse in them."""

import re
import shutil
import subprocess

from numba import types
from numba.np.numpy_support import from_dtype

from diablerie.envs.batch import Batch
from diablerie.envs.cuda import kernels
from diablerie.envs.cuda.batch import ROOM
from diablerie.envs.cuda.driver import round_every_operation

CARD = (9, 0)  # compute capability
CONSTANTS = 64 * 1024  # bytes that a kernel may have


def without_a_card(monkeypatch):
    """Let functions of the card be compiled where there is none: Numba asks which it is."""
    from numba.cuda import dispatcher

    class Card:
        compute_capability = CARD

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: Card)


def compiled(function, signature):
    """The PTX of a kernel."""
    from numba import cuda

    round_every_operation()
    return cuda.compile_ptx(function, signature, cc=CARD)[0]


def step(game, inside):
    """A batch's step as kernel and signature, as `CardBatch` calls it."""
    whole = Batch(game, 1).whole
    arrays = whole._replace(**dict.fromkeys(ROOM, whole.seed))
    function = kernels.step_function(kernels.room_of(game), inside)
    return function, (kind(arrays), types.int64[::1], types.boolean)


def playout(game, advised):
    """A playout as kernel and signature."""
    states = from_dtype(game.state.dtype)[::1]
    function = kernels.playout_function(kernels.room_of(game), advised)
    signature = (states, types.uint64, types.int64[::1], types.float64[:, ::1], states)
    return function, signature


def plain():
    """The kernels that need no room, with their signatures."""
    seats, wide, rows = types.int32[::1], types.int64[::1], types.int32[:, ::1]
    yield kernels.sample_kernel, (rows, seats, types.uint64, wide)
    yield kernels.refuse, (seats, rows, seats, wide, wide)
    yield kernels.widen, (types.int32[:], wide)
    yield kernels.widen, (types.boolean[::1], wide)


def kind(array):
    """The type of an array on the card, or of a tuple of them."""
    if isinstance(array, tuple):
        return types.NamedTuple([kind(one) for one in array], type(array))
    return types.Array(from_dtype(array.dtype), array.ndim, "C")


def constants(ptx):
    """Bytes of constants."""
    found = re.findall(r"^(?:\.\w+ )*\.const\b[^;=]*\[(\d+)\]", ptx, re.MULTILINE)
    return sum(map(int, found))


def assembled(ptx, folder):
    """Let the assembler of the card look at it, where it is installed. Its complaint, or ""."""
    from cuda.pathfinder import find_nvidia_binary_utility

    program = find_nvidia_binary_utility("ptxas") or shutil.which("ptxas")
    if not program:
        return ""
    (folder / "kernel.ptx").write_text(ptx)
    command = [program, f"-arch=sm_{CARD[0]}{CARD[1]}", "-o", folder / "out", folder / "kernel.ptx"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    return "" if "Unsupported .version" in said else said  # it is older than what has compiled
