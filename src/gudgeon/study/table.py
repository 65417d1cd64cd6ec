"""`Table`: what came out of a study, one row per run, with names and units."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon import draw
from gudgeon.analysis.measures import named
from gudgeon.analysis.statistics.percentiles import SHARES, Percentile, percentiles_of
from gudgeon.analysis.statistics.sobol_indices import SobolIndices
from gudgeon.draw.scale import Quantity
from gudgeon.model.files import loads
from gudgeon.quantity import GudgeonError, closest, in_words, quantity
from gudgeon.results.files import netcdf_names, save_dataset
from gudgeon.study.chance import chance_values, influence, percentiles
from gudgeon.study.comparison import Comparison, compare
from gudgeon.study.engines.job import DONE
from gudgeon.study.limits import Verdict, judge
from gudgeon.study.storage.store import Store
from gudgeon.written import draft

if TYPE_CHECKING:
    import xarray


__all__ = ["Table"]

DRAWN = (0.5, 0.95, 0.99)  # percentiles in a figure


@dataclass
class Table:
    """table["peak pin.force"] is an array over the runs, table["pin.radial_clearance"] the values of the parameter
    [SI].

    Runs without a result have nan, or an empty word. `status` says done, failed, crashed or todo, `messages` why.
    """

    name: str
    paths: list[str]
    measures: list[str]
    columns: dict[str, np.ndarray]
    units: dict[str, str]
    index: np.ndarray
    status: np.ndarray
    messages: list[str]
    shape: tuple[int, ...] | None = None
    store: Path | None = None
    engine: str = ""  # what computed the runs, the last time that any were
    about: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, store: Store | str | Path) -> Table:
        """The table of a store, also of one that is not finished or is being computed."""
        if not isinstance(store, Store):
            with Store(store) as opened:
                return cls.read(opened)
        about = store.about
        paths, measures = about["paths"], about["columns"]
        rows = list(store.rows())
        values: dict[str, list[Any]] = {path: [row[1][k] for row in rows] for k, path in enumerate(paths)}
        words = {m for m in measures if any(isinstance(row[3].get(m), str) for row in rows)}
        for measure in measures:
            values[measure] = [row[3].get(measure, "" if measure in words else np.nan) for row in rows]
        shape = tuple(about["shape"]) if about["shape"] and len(rows) == about["total"] else None
        return cls(
            about["name"], paths, measures, {name: _array(column) for name, column in values.items()},
            about["path_units"] | about["units"], np.array([row[0] for row in rows]),
            np.array([row[2] for row in rows]), [row[4] for row in rows], shape, store.path,
            sessions[-1][1]["engine"] if (sessions := store.sessions()) else "", about,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            likely = closest(name, self.columns)
            hint = f'did you mean "{likely}"?' if likely else f"there are {in_words(self.columns)}"
            raise GudgeonError(f'the table of "{self.name}" has no column "{name}"; {hint}')
        return self.columns[name]

    def __repr__(self) -> str:
        done = int((self.status == DONE).sum())
        return f"<Table {self.name}: {done} of {len(self)} runs done; {', '.join([*self.paths, *self.measures])}>"

    def _repr_html_(self) -> str:
        return str(self.to_xarray()._repr_html_())

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each run as a mapping of names to values."""
        for k, index in enumerate(self.index):
            values = {name: column[k].item() if hasattr(column[k], "item") else column[k]
                      for name, column in self.columns.items()}  # fmt: skip
            yield {"run": int(index), **values, "status": str(self.status[k]), "message": self.messages[k]}

    def one_sample(self) -> set[str]:
        """The measures that have no error of their own, where joints can touch: of a chaotic motion each value is one
        of many."""
        model = self.about.get("model")
        if model is not None and all(j.ideal and not j.stops for j in loads(model).mechanism.joints.values()):
            return set()
        return {name for name in self.measures if _is_sample(name)}

    def judge(self, limits: Mapping[str, Any]) -> Verdict:
        """Which runs keep limits such as {"peak pin.force": "5 kN", "regime": "periodic"}, and for which parameter
        values; print the result, or use its `within`.
        """
        return judge(self, limits)

    def percentiles(self, measure: str, shares: Sequence[float] = SHARES) -> tuple[Percentile, ...]:
        """The values below which shares of all parts lie, if the runs were drawn by chance. The confidence intervals
        of 95 % hold for every distribution; an end for which the runs are too few is None.
        """
        return percentiles(self, measure, shares)

    def influence(self, measure: str) -> SobolIndices:
        """Which share of the variance of a measure each varied path has: Sobol indices with confidence intervals of
        95 %, of first order and total from the design "saltelli", else estimates of first order.
        """
        return influence(self, measure)

    def compare(self, other: Table, measure: str, limit: Any = None) -> Comparison:
        """This study beside another one: percentiles of a measure, how often each keeps a limit, which has the larger
        values, with confidence intervals of 95 %; print the result.
        """
        return compare(self, other, measure, limit)

    def trace(self, index: int) -> dict[str, np.ndarray]:
        """Time [s] and kept channels of one run."""
        if self.store is None:
            raise GudgeonError("this table has no store, so no traces")
        with Store(self.store) as opened:
            return opened.trace(index)

    def to_csv(self, path: str | Path) -> Path:
        """All rows, every digit; units stand in the header."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with draft(target) as part, part.open("w", newline="", encoding="utf-8") as file:
            self.write_csv(file)
        return target

    def write_csv(self, file: Any) -> None:
        writer = csv.writer(file)
        names = list(self.columns)
        writer.writerow(["run", *(f"{n} [{self.units[n]}]" if self.units.get(n) else n for n in names), "status",
                         "message"])  # fmt: skip
        writer.writerows(row.values() for row in self.rows())

    def to_pandas(self) -> Any:
        """A DataFrame with one row per run: parameters, measures, status and message [SI]."""
        import pandas

        return pandas.DataFrame(list(self.rows())).set_index("run")

    def to_xarray(self) -> xarray.Dataset:
        """Labelled arrays: over the parameters for a grid, else over `run`; units and provenance as attributes."""
        import xarray

        grid = self.shape is not None
        dims = tuple(self.paths) if grid else ("run",)
        shape = self.shape or (len(self),)
        coords: dict[str, Any] = {} if grid else {"run": self.index}
        for k, path in enumerate(self.paths):
            values = self._axis(k) if grid else self.columns[path]
            coords[path] = (path if grid else "run", values, {"units": self.units.get(path, "")})
        data = {
            name: (dims, self.columns[name].reshape(shape), {"units": self.units.get(name, "")})
            for name in self.measures
        }
        data["status"] = (dims, self.status.reshape(shape), {})
        provenance = {k: v for k, v in self.about.items() if isinstance(v, str)}
        return xarray.Dataset(data, coords, {"title": self.name, **provenance})

    def to_netcdf(self, path: str | Path) -> Path:
        """The same as netCDF; dots in names become underscores."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        dataset = self.to_xarray()
        save_dataset(dataset.rename(netcdf_names(map(str, dataset.variables))), target)
        return target

    # -- figures ----------------------------------------------------------------------------------------

    def quantity(self, name: str) -> Quantity:
        """A column for a figure."""
        return Quantity(name, self[name], self.units.get(name, ""))

    def plot(self, *measures: str, over: str | None = None, title: str | None = None) -> draw.Figure:
        """Draw measures over one parameter; for a grid of two parameters one line for each value of the other."""
        names = measures or tuple(self.measures)
        path = self._path(over) if over is not None else self.paths[0]
        others = [self.quantity(other) for other in self.paths if other != path] if self.shape is not None else []
        lines = others if len(others) == 1 else []
        head = title if title is not None else self.name
        return draw.sweep([self.quantity(name) for name in names], self.quantity(path), lines, head)

    def map(self, measure: str, *, x: str | None = None, y: str | None = None, title: str | None = None) -> draw.Figure:
        """Draw a measure in colour over two parameters: numbers with a scale, labels with one colour each."""
        across = self._path(x) if x is not None else self.paths[0]
        rest = [path for path in self.paths if path != across]
        if y is None and not rest:
            raise GudgeonError(f'a map needs two paths, and "{self.name}" varies one; use plot("{measure}")')
        up = self._path(y) if y is not None else rest[0]
        head = title if title is not None else f"{self.name} · {measure}"
        return draw.draw_map(self.quantity(across), self.quantity(up), self.quantity(measure), head)

    def marginal(self, measure: str, *, title: str | None = None) -> draw.Figure:
        """Draw a measure over each parameter separately, with its median and middle 90 per cent, and its
        distribution.
        """
        head = title if title is not None else f"{self.name} · {measure}"
        return draw.marginals(self.quantity(measure), [self.quantity(path) for path in self.paths], head)

    def tornado(self, measure: str, *, title: str | None = None) -> draw.Figure:
        """Draw the influence of each varied path on a measure, the largest on top."""
        head = title if title is not None else f"{self.name} · influence on {measure}"
        return draw.tornado(self.influence(measure), head)

    def distribution(self, measure: str, *, against: Table | None = None, limit: Any = None,
                     names: Sequence[str] = ("first", "second"), title: str | None = None) -> draw.Figure:  # fmt: skip
        """Draw how the runs of a sample are distributed, with percentiles, their confidence intervals and a limit; also
        of two studies.
        """
        unit = self.units.get(measure, "")
        tables = [self] if against is None else [self, against]
        titles = [table.name for table in tables]
        if against is not None:
            self.compare(against, measure)  # refuses what cannot be compared
            titles = titles if titles[0] != titles[1] else list(names)
        values = [chance_values(table, measure) for table in tables]
        samples = [(name, known, percentiles_of(known, DRAWN)) for name, known in zip(titles, values, strict=True)]
        bound = None if limit is None else abs(quantity(limit, unit, f'limit "{measure}"'))
        head = title if title is not None else f"{self.name} · {measure}" if against is None else measure
        return draw.distribution(measure, unit, samples, head, bound)

    def _path(self, name: str) -> str:
        if name not in self.paths:
            likely = closest(name, self.paths)
            hint = f'did you mean "{likely}"?' if likely else f"it varies {in_words(self.paths)}"
            raise GudgeonError(f'"{name}" is not varied in "{self.name}"; {hint}')
        return name

    def _axis(self, k: int) -> np.ndarray:
        """Values of one path in a grid, in their order."""
        assert self.shape is not None
        place = [0] * len(self.shape)
        grid = self.columns[self.paths[k]].reshape(self.shape)
        place_k: list[Any] = list(place)
        place_k[k] = slice(None)
        return np.asarray(grid[tuple(place_k)])


def _array(column: list[Any]) -> np.ndarray:
    if all(isinstance(x, int | float) and not isinstance(x, bool) for x in column):
        return np.array(column, dtype=float)
    if all(isinstance(x, str) for x in column):
        return np.array(column, dtype=str)
    return np.array([str(x) for x in column])


def _is_sample(name: str) -> bool:
    try:
        return named(name).one_sample
    except GudgeonError:
        # a measure of the user, or one of several numbers of a measure
        return False
