"""What the benchmarks hand back: tables, for the screen and for the page of the documentation."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import gudgeon

Row = Sequence[str]


@dataclass(frozen=True)
class Table:
    """A title, what it is about, columns, rows, and what follows from them."""

    title: str
    words: str
    header: Row
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def text(self) -> str:
        """For the screen."""
        lines = [self.header, *self.rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.header))]
        first, others = widths[0], widths[1:]
        aligned = ["  ".join([line[0].ljust(first), *map(str.rjust, line[1:], others)]) for line in lines]
        return "\n".join([f"{self.title}: {self.words}" if self.words else self.title, *aligned, "", *self.notes])


def machine() -> str:
    """The processor and how busy it was."""
    name = next(processors(), platform.processor() or platform.machine())
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} cores{busy}, Python {platform.python_version()}"


def processors() -> Iterator[str]:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                yield line.partition(":")[2].strip()


def save(tables: Sequence[Table], path: Path) -> Path:
    """As JSON, from which `make docs` makes its page; to keep it, copy it to benchmarks/logs/bench.json."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = {"machine": machine(), "date": time.strftime("%Y-%m-%d"), "version": gudgeon.__version__,
             "tables": [asdict(table) for table in tables]}  # fmt: skip
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
