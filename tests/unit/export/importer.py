"""A small importer of FMI 2: a library by ctypes, as programs of simulation load it."""

from __future__ import annotations

import ctypes
import zipfile
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

LOGGER = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p, c_char_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER), *((name, c_void_p) for name in ("allocate", "free", "finished", "environment"))]


class EventInfo(ctypes.Structure):
    _fields_ = [(x, c_int) for x in ("again", "terminate", "nominals", "states", "timed")] + [("next", c_double)]


class Library:
    """An FMU of FMI 2 on disk, with its variables by name."""

    def __init__(self, path: Path, folder: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.token = root.get("guid").encode()
        self.references = {x.get("name"): int(x.get("valueReference")) for x in root.find("ModelVariables")}
        self.code = ctypes.CDLL(str(next((folder / "binaries" / "linux64").glob("*.so"))))
        self.code.fmi2Instantiate.restype = c_void_p


class Instance:
    """An instance; calls give the status of FMI: 0 is good, 3 an error."""

    def __init__(self, library: Library, kind: int, token: bytes | None = None, name: bytes = b"one") -> None:
        self.library, self.said = library, []
        self.logger = LOGGER(lambda e, n, status, c, form, word: self.said.append(word.decode()))
        self.callbacks = Callbacks(logger=self.logger)
        token = library.token if token is None else token
        self.at = library.code.fmi2Instantiate(c_char_p(name), kind, c_char_p(token), b"", ctypes.byref(self.callbacks),
                                               0, 1)  # fmt: skip

    def __call__(self, function: str, *arguments) -> int:
        return getattr(self.library.code, f"fmi2{function}")(c_void_p(self.at), *arguments)

    def begin(self, tolerance: float = 0.0, start: float = 0.0) -> int:
        self("SetupExperiment", int(tolerance > 0), c_double(tolerance), c_double(start), 0, c_double(0.0))
        self("EnterInitializationMode")
        return self("ExitInitializationMode")

    def step(self, t: float, h: float) -> int:
        return self("DoStep", c_double(t), c_double(h), 1)

    def _references(self, names):
        return (c_uint * len(names))(*(x if isinstance(x, int) else self.library.references[x] for x in names))

    def get(self, *names) -> list[float]:
        values = (c_double * len(names))()
        assert self("GetReal", self._references(names), c_size_t(len(names)), values) == 0
        return list(values)

    def set(self, **values) -> int:
        given = {name.replace("__", "."): x for name, x in values.items()}
        return self("SetReal", self._references(list(given)), c_size_t(len(given)),
                    (c_double * len(given))(*given.values()))  # fmt: skip

    def array(self, function: str, count: int) -> np.ndarray:
        values = np.zeros(count)
        assert self(function, values.ctypes.data_as(POINTER(c_double)), c_size_t(count)) == 0
        return values

    def put_states(self, states: np.ndarray) -> int:
        return self("SetContinuousStates", np.ascontiguousarray(states).ctypes.data_as(POINTER(c_double)),
                    c_size_t(len(states)))  # fmt: skip

    def along(self, unknowns, knowns, seeds) -> list[float]:
        rates = (c_double * len(unknowns))()
        of = self._references(unknowns), c_size_t(len(unknowns))
        by = self._references(knowns), c_size_t(len(knowns))
        assert self("GetDirectionalDerivative", *of, *by, (c_double * len(seeds))(*seeds), rates) == 0
        return list(rates)
