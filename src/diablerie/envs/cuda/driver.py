"""Whether there is a card to compute on, and what hands its arrays to other libraries."""

from functools import cache
from importlib.util import find_spec
from typing import Any

from diablerie.engine import extras

THREADS = 128  # in a block


class NoCard(RuntimeError):
    """`device="cuda"` was asked for where there is no card, or nothing that compiles for it."""


def require() -> None:
    """Raise NoCard, in one sentence, unless there is a card that compiled code can run on."""
    if find_spec("numba_cuda") is None:
        raise NoCard(f'device="cuda" needs numba-cuda: {extras.install("gpu")}')
    from numba import config, cuda

    if not cuda.is_available():
        raise NoCard('device="cuda" needs an NVIDIA card and its driver, and finds none here')
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a batch may be small


@cache
def round_every_operation() -> None:
    """Let our kernels round every sum and product by itself, as the CPU does.

    The compiler would fuse them, which is more precise, and a near tie in a game's advice would
    fall otherwise. Numba hands no such option on, so it is added where the compiler is called.
    """
    from numba.cuda.cudadrv import nvvm

    plain = nvvm.compile_ir

    def compile_ir(modules: Any, **options: Any) -> Any:
        ours = "diablerie" in "".join(modules)
        return plain(modules, **({"fma": False} if ours else {}), **options)

    nvvm.compile_ir = compile_ir


def launch(kernel: Any, n: int, *arguments: Any) -> None:
    """Run a kernel with one thread for each of n games."""
    kernel[-(-n // THREADS), THREADS](*arguments)


def dlpack_view(array: Any) -> Any:
    """The same memory of the card as an object with `__dlpack__`, for what takes no other.

    `torch.as_tensor` and `cupy.asarray` take the arrays of a batch themselves.
    """
    from cuda.core.utils import StridedMemoryView

    return StridedMemoryView.from_cuda_array_interface(array, stream_ptr=-1)
