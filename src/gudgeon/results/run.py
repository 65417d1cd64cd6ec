"""`Run`: what came out of a simulation. Named channels over time, contacts, evidence."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble import Channel
from gudgeon.quantity import GudgeonError, closest, in_notebook, quantity
from gudgeon.results.contacts import ContactRecord, ContactRecords
from gudgeon.results.evaluate import LazyColumns
from gudgeon.results.evidence import Evidence
from gudgeon.results.extremes import HIGH, LOW, Extremes, Peak, rows_between
from gudgeon.results.files import to_xarray, write_csv, write_netcdf
from gudgeon.results.impacts import ImpactRecord
from gudgeon.results.whole import read

if TYPE_CHECKING:
    import xarray

FREE, IMPACT, CONTACT = 0, 1, 2


@dataclass(frozen=True)
class State:
    """Where a run stopped; `simulate(..., resume=run)` goes on from here."""

    t: float
    y: np.ndarray
    m: np.ndarray


class Run:
    """Results of one simulation: run["slider.ax"] is an array over run.t [s].

    In addition to the recorded channels, every joint with contact has a channel `joint.mode` (0 free flight, 1 impact,
    2 lasting contact).
    """

    def __init__(self, mechanism: Any, t: np.ndarray, data: Mapping[str, np.ndarray], channels: dict[str, Channel],
                 contacts: ContactRecords | Callable[[], ContactRecords], evidence: Evidence | Callable[[], Evidence],
                 end: State, complete: bool, period: float | None, loose: Iterable[str] = (),
                 impacts: Iterable[ImpactRecord] = (), extremes: Extremes | None = None) -> None:  # fmt: skip
        self.mechanism, self.t, self._channels, self._data = mechanism, t, channels, LazyColumns.of(data)
        self._contacts, self._evidence, self.end, self.complete, self.period = contacts, evidence, end, complete, period
        self.impacts = list(impacts)
        self.extremes = extremes if extremes is not None else Extremes(t, data)
        for joint in dict.fromkeys(loose):
            self._data[f"{joint}.mode"] = partial(self._mode, joint)
            self._channels[f"{joint}.mode"] = Channel(f"{joint}.mode", "1", "contact mode")

    @property
    def name(self) -> str:
        return str(self.mechanism.name)

    @property
    def contacts(self) -> ContactRecords:
        """The contacts in order of onset; the table is made when it is read first."""
        if callable(self._contacts):
            self._contacts = self._contacts()
        return self._contacts

    @property
    def evidence(self) -> Evidence:
        """What the run reports about its own accuracy; parts that are expensive are computed on first access."""
        if callable(self._evidence):
            self._evidence = self._evidence()
        return self._evidence

    @evidence.setter
    def evidence(self, evidence: Evidence) -> None:
        self._evidence = evidence

    def add_notes(self, notes: Iterable[str]) -> None:
        """More notes in the evidence, which is still computed when it is read first."""
        known, more = self._evidence, tuple(notes)

        def noted() -> Evidence:
            before = known() if callable(known) else known
            return replace(before, notes=(*before.notes, *more))

        self._evidence = noted

    def __getstate__(self) -> dict[str, Any]:
        # what is computed on request needs compiled functions, which belong to this process
        return {**self.__dict__, "_evidence": self.evidence, "_contacts": self.contacts}

    @property
    def channels(self) -> list[str]:
        return list(self._data)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._data:
            likely = closest(name, self._data)
            hint = f'did you mean "{likely}"?' if likely else f"recorded: {', '.join(self._data)}"
            raise GudgeonError(f'run of "{self.name}" has no channel "{name}"; {hint}')
        return self._data[name]

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def channel(self, name: str) -> Channel:
        """Unit and label of a channel."""
        self[name]
        return self._channels[name]

    def peak(self, name: str) -> Peak:
        """The value of largest magnitude of a channel, with its sign and its time, also between recorded times (see
        `results.extremes`)."""
        self[name]
        return self.extremes.largest(name)

    def highest(self, name: str) -> Peak:
        """Largest value of a channel and its time, also between recorded times."""
        self[name]
        return self.extremes.extreme(name, HIGH)

    def lowest(self, name: str) -> Peak:
        """Smallest value of a channel and its time, also between recorded times."""
        self[name]
        return self.extremes.extreme(name, LOW)

    def maximum(self, name: str) -> float:
        """Largest value of a channel, with its sign; for the largest magnitude see `peak`."""
        return self.highest(name).value

    def minimum(self, name: str) -> float:
        """Smallest value of a channel, with its sign."""
        return self.lowest(name).value

    def rms(self, name: str) -> float:
        """Root mean square of a channel over time (the recorded times need not be evenly spaced)."""
        values = self[name].astype(float)
        span = float(self.t[-1] - self.t[0])
        if not span > 0.0:
            return float(abs(values[-1]))
        return float(np.sqrt(np.trapezoid(values**2, self.t) / span))

    def after(self, t: float | str) -> Run:
        """The part of the run from time t [s] on, to leave out the start. A contact that is in progress at t is
        included: its onset lies before t, and its largest force is that from t on.
        """
        t = quantity(t, "s", "after")
        if len(self.t) and t > self.t[-1]:
            raise GudgeonError(
                f"after: {t:g} s lies beyond the end of the run at {self.t[-1]:g} s; give an earlier time"
            )
        keep = rows_between(self.t, t, np.inf)
        data = self._data.cut(keep)
        contacts = ContactRecords(self._from(r, t) for r in self.contacts if r.t_on >= t or not r.ended or r.t_off > t)
        return Run(self.mechanism, self.t[keep], data, dict(self._channels), contacts, self._evidence, self.end,
                   self.complete, self.period, impacts=[x for x in self.impacts if x.t >= t],
                   extremes=self.extremes.within(t, np.inf))  # fmt: skip

    def _from(self, record: ContactRecord, t: float) -> ContactRecord:
        """A contact with its largest force from time t on, where that was before."""
        name = f"{record.contact}.normal"
        if record.t_on >= t or record.peak_time >= t or name not in self._data:
            return record
        part = self.extremes.within(t, record.t_off if record.ended else np.inf)
        peak = part.extreme(name, HIGH) if len(part.t) else Peak(float(np.interp(t, self.t, self._data[name])), t)
        return replace(record, peak_force=peak.value, peak_time=peak.time)

    def touching(self, joint: str, *, impacts: bool = True) -> float:
        """Share of the time in contact; with impacts=False only in lasting contact."""
        mode = self._data.get(f"{joint}.mode")
        if mode is None or len(self.t) < 2:
            return 0.0
        steps = np.diff(self.t)
        return float(steps[mode[1:] > (FREE if impacts else IMPACT)].sum() / steps.sum())

    def _mode(self, joint: str) -> np.ndarray:
        mode = np.zeros(len(self.t), dtype=np.int8)
        for record in self.contacts.of(joint):
            stop = record.t_off if record.ended else np.inf
            span = slice(np.searchsorted(self.t, record.t_on, "right"), np.searchsorted(self.t, stop, "right"))
            mode[span] = np.maximum(mode[span], IMPACT if record.kind == "impact" else CONTACT)
        return mode

    def to_pandas(self) -> Any:
        """Channels as a DataFrame over time [s], every column in SI; contacts: `run.contacts.to_pandas()`."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self.channels}, index=pandas.Index(self.t, name="time"))

    def to_xarray(self) -> xarray.Dataset:
        """Channels over `time` with units and labels, contacts over `contact`, evidence as attributes."""
        return to_xarray(self)

    def to_netcdf(self, path: str | Path, **about: str) -> Path:
        """Channels, contacts and evidence as netCDF, readable by xarray.open_dataset; `about`: more attributes."""
        return write_netcdf(self, Path(path), about)

    @classmethod
    def from_netcdf(cls, path: str | Path, mechanism: Any = None) -> Run:
        """Read a complete run that `to_netcdf` wrote; `resume=` can continue it. The mechanism is in the file, unless
        it has parts that cannot be written to a file, such as laws of your own; then give it.
        """
        parts = read(path, mechanism)
        return cls(**{**parts, "end": State(*parts["end"])})

    def view(self, path: str | Path | None = None, **options: Any) -> Any:
        """Show the run in the browser: one page, written to `path` or opened at once. Options as in
        `gudgeon.view.page`.
        """
        # a door upstairs, by name: a run does not need the viewer, only its users do
        page = importlib.import_module("gudgeon.view").page(self, **options)
        page.save(path if path is not None else Path(tempfile.mkdtemp(prefix="gudgeon-")) / "view.html")
        if path is None:
            page.open()
        return page

    def to_csv(self, path: str | Path) -> Path:
        """Write the channels as a table with names and units in its header, and the contacts to *_contacts.csv beside
        it.
        """
        return write_csv(self, Path(path))

    def _repr_html_(self) -> str:
        return in_notebook(repr(self).strip("<>"), f"{self.evidence}\n\nrun.view() shows it move")

    def __repr__(self) -> str:
        state = "" if self.complete else ", incomplete"
        return f"<Run {self.name}: {self.end.t:.6g} s, {len(self.t)} rows, {len(self.contacts)} contacts{state}>"
