"""The driver of an NVIDIA graphics card, called directly: memory, code, launches. Nothing else is needed."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np

from gudgeon.quantity import GudgeonError

__all__ = ["Buffer", "CardKernel", "Device", "device"]

LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
THREADS = 64  # in a block
REGISTERS = 0  # of a thread at most; 0: as many as the driver likes
FEWER = 128  # of code that needs no other memory
INSTEAD = 'use engine="local", or a computer with one'
_MAJOR, _MINOR, _REGISTERS, _LOCAL = 75, 76, 4, 3
_LIMIT, _LOG, _LOG_SIZE = 0, 5, 6


class NoGpu(GudgeonError):
    """There is no graphics card that could be used."""


@cache
def device() -> Device:
    """The first graphics card of this computer."""
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError:
        raise NoGpu(f'engine "gpu": no NVIDIA driver here ({LIBRARY} is not found); {INSTEAD}') from None
    return Device(library)


class Device:
    def __init__(self, library: Any) -> None:
        self._cuda = library
        self.library_call("cuInit", 0)
        count = ctypes.c_int()
        self.library_call("cuDeviceGetCount", ctypes.byref(count))
        if count.value < 1:
            raise NoGpu(f'engine "gpu": the NVIDIA driver finds no graphics card; {INSTEAD}')
        self._number = ctypes.c_int()
        self.library_call("cuDeviceGet", ctypes.byref(self._number), 0)
        name = ctypes.create_string_buffer(256)
        self.library_call("cuDeviceGetName", name, 256, self._number)
        self.name = name.value.decode()
        self.capability = (self._attribute(_MAJOR), self._attribute(_MINOR))
        self._context = ctypes.c_void_p()
        self.library_call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self._number)

    def enter(self) -> None:
        """For this thread: what follows is about this card."""
        self.library_call("cuCtxSetCurrent", self._context)

    def library_call(self, name: str, *args: Any) -> None:
        """A function of the driver; what it answers other than 0 is an error."""
        call = getattr(self._cuda, name, None)
        if call is None:
            raise NoGpu(
                f'engine "gpu": the NVIDIA driver is too old, it has no {name}; {INSTEAD}, or driver 470 or newer'
            )
        status = call(*args)
        if status == 0:
            return
        text = ctypes.c_char_p()
        self._cuda.cuGetErrorString(status, ctypes.byref(text))
        said = text.value.decode() if text.value else f"error {status}"
        if name in ("cuInit", "cuDevicePrimaryCtxRetain"):
            raise NoGpu(f'engine "gpu": the NVIDIA driver says "{said}"; {INSTEAD}')
        raise GudgeonError(f'the graphics card failed in {name}: "{said}"')

    def _attribute(self, which: int) -> int:
        value = ctypes.c_int()
        self.library_call("cuDeviceGetAttribute", ctypes.byref(value), which, self._number)
        return value.value

    @property
    def free(self) -> int:
        """Bytes of memory that are free."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.library_call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def load(self, ptx: str, name: str) -> CardKernel:
        """Code of the card from PTX text. Where it keeps all in registers, more threads with fewer of them are faster:
        of race P1 an H200 does 96,000 trajectories a second with 198, 118,000 with 168 and 128,000 with 128."""
        kernel = self._load(ptx, name, REGISTERS)
        if REGISTERS or kernel.local or kernel.registers <= FEWER:
            return kernel
        kernel.unload()
        return self._load(ptx, name, FEWER)

    def _load(self, ptx: str, name: str, limit: int) -> CardKernel:
        """With at most so many registers, 0: as many as there are. The driver keeps what it made."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(16384)
        given = {_LOG: ctypes.addressof(log), _LOG_SIZE: len(log), **({_LIMIT: limit} if limit else {})}
        options, values = (ctypes.c_int * len(given))(*given), (ctypes.c_void_p * len(given))(*given.values())
        try:
            self.library_call("cuModuleLoadDataEx", ctypes.byref(module), ptx.encode(), len(given), options, values)
        except GudgeonError as error:
            raise GudgeonError(f"{error}: {log.value.decode().strip()[:500]}") from None
        self.library_call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return CardKernel(self, module, function)

    def buffer(self, size: int) -> Buffer:
        return Buffer(self, size)

    def wait(self) -> None:
        """Until what this thread asked for is done; other threads have streams of their own."""
        self.library_call("cuStreamSynchronize_ptsz", None)


class CardKernel:
    """A function of the card."""

    def __init__(self, owner: Device, module: Any, function: Any) -> None:
        self._device, self._module, self._function = owner, module, function
        self.registers, self.local = self._attribute(_REGISTERS), self._attribute(_LOCAL)

    def _attribute(self, which: int) -> int:
        value = ctypes.c_int()
        self._device.library_call("cuFuncGetAttribute", ctypes.byref(value), which, self._function)
        return value.value

    def launch(self, threads: int, *args: int) -> None:
        """Run `threads` threads; all arguments are whole numbers or addresses of 64 bits."""
        held = [ctypes.c_uint64(x) for x in args]
        pointers = (ctypes.c_void_p * len(held))(*(ctypes.addressof(x) for x in held))
        blocks = -(-threads // THREADS)
        self._device.library_call("cuLaunchKernel_ptsz", self._function, blocks, 1, 1, THREADS, 1, 1, 0, None, pointers,
                                  None)  # fmt: skip

    def unload(self) -> None:
        self._device.library_call("cuModuleUnload", self._module)


class Buffer:
    """Memory of the card."""

    def __init__(self, owner: Device, size: int) -> None:
        self._device, self.size = owner, max(size, 8)
        self._pointer = ctypes.c_uint64()
        owner.library_call("cuMemAllocAsync_ptsz", ctypes.byref(self._pointer), ctypes.c_size_t(self.size), None)

    @property
    def address(self) -> int:
        return self._pointer.value

    def put(self, values: np.ndarray) -> None:
        values = np.ascontiguousarray(values)
        self._device.library_call("cuMemcpyHtoD_v2_ptds", self._pointer, ctypes.c_void_p(values.ctypes.data),
                                  ctypes.c_size_t(values.nbytes))  # fmt: skip

    def get(self, values: np.ndarray) -> np.ndarray:
        """Fill an array."""
        assert values.flags.c_contiguous
        self._device.library_call("cuMemcpyDtoH_v2_ptds", ctypes.c_void_p(values.ctypes.data), self._pointer,
                                  ctypes.c_size_t(values.nbytes))  # fmt: skip
        return values

    def free(self) -> None:
        if self._pointer.value:
            self._device.library_call("cuMemFreeAsync_ptsz", self._pointer, None)
            self._pointer.value = 0
