"""What runs a program: the graphics card, or the processor with the same code."""

from __future__ import annotations

import ctypes
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from gudgeon.batch import driver
from gudgeon.batch.program import NAME, Program
from gudgeon.compile.python import target
from gudgeon.quantity import GudgeonError

__all__ = ["Card", "Host", "Machine", "machine"]

NOTICE = "gudgeon: compiling the trajectories of this mechanism for the {} ..."
SHARES = 16  # of each thread in the trajectories of one call
SHARE = 0.8  # of the free memory of the card


class Machine(ABC):
    """A place where trajectories are computed, for one program after the other."""

    name: str

    @abstractmethod
    def load(self, program: Program) -> Any:
        """The program as code of this machine."""

    @abstractmethod
    def run(self, kernel: Any, count: int, arrays: list[np.ndarray], put: int, numbers: Sequence[int]) -> None:
        """Compute so many trajectories; the first `put` arrays go in, all but the first come back."""

    @property
    def memory(self) -> int:
        """Bytes that arrays may take."""
        return 1 << 31


class Host(Machine):
    """The processor: some threads, each with one trajectory after the other."""

    name = "processor"

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        # one pool for all calls: whoever calls at the same time, no more threads are at work
        self._pool = ThreadPoolExecutor(threads)

    def load(self, program: Program) -> Any:
        address, keep = target.host(program.code(gpu=False), NAME)
        pointers, numbers = 1 + len(program.arrays), len(program.numbers)
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 3, *[ctypes.c_void_p] * pointers, *[ctypes.c_int64] * numbers)
        return kind(address), keep

    def run(self, kernel: Any, count: int, arrays: list[np.ndarray], put: int, numbers: Sequence[int]) -> None:
        given = (count, *(array.ctypes.data for array in arrays), *numbers)
        # small shares, so that no thread waits long for another; the call lets go of Python's lock
        share = max(1, count // (SHARES * self.threads))
        done = [self._pool.submit(kernel[0], k, min(k + share, count), *given) for k in range(0, count, share)]
        for future in done:
            future.result()


class Card(Machine):
    """A graphics card."""

    def __init__(self) -> None:
        self.device = driver.device()
        self.name = self.device.name

    @property
    def memory(self) -> int:
        self.device.enter()
        return int(SHARE * self.device.free)

    def load(self, program: Program) -> driver.CardKernel:
        self.device.enter()
        return self.device.load(_ptx(program, self.device.capability, self.name), NAME)

    def run(self, kernel: Any, count: int, arrays: list[np.ndarray], put: int, numbers: Sequence[int]) -> None:
        self.device.enter()
        buffers: list[driver.Buffer] = []
        try:
            for k, array in enumerate(arrays):
                buffers.append(self.device.buffer(array.nbytes))
                if k < put:
                    buffers[k].put(array)
            kernel.launch(count, count, *(buffer.address for buffer in buffers), *numbers)
            self.device.wait()
            for buffer, array in zip(buffers[1:], arrays[1:], strict=True):
                if array.size:
                    buffer.get(array)
        finally:
            for buffer in buffers:
                buffer.free()


def machine(name: str) -> Machine:
    if name == "gpu":
        return Card()
    if name == "host":
        return Host()
    raise GudgeonError(f'machine "{name}" is not known; choose "gpu" or "host"')


def _ptx(program: Program, capability: tuple[int, int], name: str) -> str:
    """PTX of a program, from the cache where it was made before."""
    code = program.code(gpu=True)

    def make() -> bytes:
        print(NOTICE.format(name), file=sys.stderr, flush=True)
        return target.ptx(code, capability).encode()

    return target.remembered("gpu", f"{capability} {code}", "ptx", make).decode()
