"""The GPU: whether there is one, how kernels are launched, how arrays reach other libraries."""

from functools import cache
from importlib.util import find_spec
from typing import Any

from diablerie.engine import extras

THREADS = 128  # in a block


class NoCard(RuntimeError):
    """`device="cuda"` on a machine without a GPU, or without numba-cuda."""


def require() -> None:
    """Raise NoCard, with a sentence, unless compiled code can run on a GPU here."""
    if find_spec("numba_cuda") is None:
        raise NoCard(f'device="cuda" needs numba-cuda: {extras.install("gpu")}')
    from numba import config, cuda

    if not cuda.is_available():
        raise NoCard('device="cuda" needs an NVIDIA card and its driver, and finds none here')
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a batch may be small


@cache
def round_every_operation() -> None:
    """Have our kernels compiled without fused multiply-add, so that they round as the CPU does.

    A fused multiply-add is more precise, so near ties in a game's advice could be decided
    differently. Numba has no option for it: this replaces the function that calls the compiler.
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
    """A view of a GPU array with `__dlpack__`, for libraries that take nothing else.

    `torch.as_tensor` and `cupy.asarray` take the arrays of a batch without it.
    """
    from cuda.core.utils import StridedMemoryView

    return StridedMemoryView.from_cuda_array_interface(array, stream_ptr=-1)
