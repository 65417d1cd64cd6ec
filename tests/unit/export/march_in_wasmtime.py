"""WebAssembly without a browser: a march in a module, as the page of a browser runs it."""

from __future__ import annotations

import ctypes

import numpy as np
import wasmtime

from gudgeon.export.code import FIRST, LOOP, march_code, names
from gudgeon.export.image import image_of
from gudgeon.export.webassembly import module_of
from gudgeon.methods.march.memory import DONE, FULL, PAUSED
from gudgeon.simulation.prepare import Prepared

PAGE, STACK = 1 << 16, 1 << 18


class Machine:
    """A module in memory with the image of a march behind its stack."""

    def __init__(self, prepared: Prepared) -> None:
        system = prepared.system
        self.image, every = image_of(prepared), [FIRST, LOOP, *names(system)]
        made = module_of(march_code(system, prepared.method), every)
        self.base = -(-(made.constants + STACK) // 64) * 64
        store = wasmtime.Store()
        pages = -(-(self.base + len(self.image.data)) // PAGE)
        self.memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(pages, None)))
        integer = wasmtime.GlobalType(wasmtime.ValType.i32(), True)
        stack = wasmtime.Global(store, integer, wasmtime.Val.i32(self.base))
        kind = wasmtime.TableType(wasmtime.ValType.funcref(), wasmtime.Limits(len(every) + 1, None))
        table = wasmtime.Table(store, kind, None)
        given = {"__linear_memory": self.memory, "__stack_pointer": stack, "__indirect_function_table": table}
        module = wasmtime.Module(store.engine, made.code)
        self.functions = wasmtime.Instance(store, module, [given[x.name] for x in module.imports]).exports(store)
        self.store, self.places = store, {}
        for k, name in enumerate(every):
            table.set(store, 1 + k, self.functions[name])
            self.places[name] = 1 + k
        pointer = ctypes.cast(self.memory.data_ptr(store), ctypes.POINTER(ctypes.c_ubyte))
        self.bytes = np.ctypeslib.as_array(pointer, (self.memory.data_len(store),))

    def start(self) -> None:
        """Put the image into memory."""
        self.bytes[self.base : self.base + len(self.image.data)] = np.frombuffer(self.image.data, np.uint8)
        slots = self.bytes[self.base :].view(np.int64)
        for place in self.image.pointers:
            slots[place // 8] += self.base
        for place, name in self.image.functions.items():
            slots[place // 8] = self.places[name]
        p, derived = self.base + self.image.arrays["p"], self.base + self.image.derived
        self.functions["system_prepare"](self.store, 0.0, 0, p, 0, derived)

    def run(self) -> tuple[float, np.ndarray, int]:
        """To the end: time, states and steps."""
        self.start()
        whole, real = self.bytes[self.base :].view(np.int64), self.bytes[self.base :].view(np.float64)
        at = {name: place // 8 for name, place in self.image.fields.items()}
        self.functions[FIRST](self.store, self.base)
        status = PAUSED
        while status in (PAUSED, FULL):
            status = self.functions[LOOP](self.store, self.base)
            whole[at["rows_recorded"]] = whole[at["events_recorded"]] = 0
        assert status == DONE
        y = self.image.arrays["y"] // 8
        return real[at["t"]], real[y : y + whole[at["y"] + 1]].copy(), int(whole[at["steps"]])
