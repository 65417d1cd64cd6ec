"""`Store`: a study on disk. One SQLite file as the index, trace chunks beside it, one writer.

    study.db       what the study is, its points, what came out of each, sessions and notes
    chunks/*.npz   traces of the kept channels, some runs in each file
    lock           held by the process that computes; it falls with the process, even by kill -9

A chunk is written beside its place, synchronised and renamed before the index names it, so the index never names
half a chunk. The index uses SQLite's rollback journal with full synchronisation: a transaction is there or it is not,
also on file systems without shared memory, and a full disk rolls the last one back.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.quantity import GudgeonError
from gudgeon.study.engines.job import DONE, FAILED, Outcome
from gudgeon.study.points.design import Point
from gudgeon.study.storage.disk import StoreError, checksum, guarded, write_file
from gudgeon.study.storage.lock import Lock

__all__ = ["CRASHED", "OPEN", "Store"]

OPEN, CRASHED = "todo", "crashed"
FORMAT = 1
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY, point TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'todo', result TEXT,
                   message TEXT NOT NULL DEFAULT '', crashes INTEGER NOT NULL DEFAULT 0, seconds REAL, chunk TEXT,
                   checksum INTEGER);
CREATE INDEX by_status ON runs (status);
CREATE TABLE chunks (file TEXT PRIMARY KEY, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL);
CREATE TABLE sessions (started TEXT NOT NULL, about TEXT NOT NULL);
CREATE TABLE notes (time TEXT NOT NULL, text TEXT NOT NULL);
"""


class Store:
    """An open store. `write=True` takes the lock; without it the store can only be read, also while it is written."""

    def __init__(self, path: str | Path, *, write: bool = False, lock: Lock | None = None) -> None:
        self.path = Path(path)
        self.index = self.path / "study.db"
        if not self.index.is_file():
            raise GudgeonError(f'"{path}" holds no study; `gudgeon study run STUDY --store {path}` makes one')
        self.lock = lock or (Lock(self.path) if write else None)
        try:
            with guarded(self.path):
                self._db = sqlite3.connect(self.index, timeout=60.0, isolation_level=None)
                if self.lock is not None:
                    self._db.execute("PRAGMA synchronous = FULL")
                    self._db.execute("PRAGMA journal_mode = TRUNCATE")
                self.about = self._about()
        except BaseException:
            self.close()
            raise
        if self.about["format"] != FORMAT:
            self.close()
            raise StoreError(f'"{path}" was written by another version of gudgeon; use that one, or start a new store')

    @classmethod
    def create(cls, path: str | Path, about: dict[str, Any], points: Sequence[Point],
               chosen: Iterable[int] | None = None) -> Store:  # fmt: skip
        """A new store with all its points, or the chosen ones; there is none before it is whole."""
        folder = Path(path)
        with guarded(folder):
            (folder / "chunks").mkdir(parents=True, exist_ok=True)
        lock = Lock(folder)
        if (folder / "study.db").exists():
            return cls(folder, lock=lock)
        part = folder / "study.db.part"
        try:
            with guarded(folder):
                part.unlink(missing_ok=True)
                cls._fill(part, {"format": FORMAT, **about}, points, range(len(points)) if chosen is None else chosen)
                os.rename(part, folder / "study.db")
        except BaseException:
            part.unlink(missing_ok=True)
            lock.release()
            raise
        return cls(folder, lock=lock)

    @staticmethod
    def _fill(path: Path, about: dict[str, Any], points: Sequence[Point], chosen: Iterable[int]) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("BEGIN")
            for statement in _TABLES.split(";")[:-1]:
                db.execute(statement)
            db.executemany("INSERT INTO meta VALUES (?, ?)", [(k, json.dumps(v)) for k, v in about.items()])
            rows = ((k, json.dumps(points[k])) for k in chosen)
            db.executemany("INSERT INTO runs (id, point) VALUES (?, ?)", rows)
            db.execute("COMMIT")
        finally:
            db.close()

    def _about(self) -> dict[str, Any]:
        return {key: json.loads(value) for key, value in self._db.execute("SELECT key, value FROM meta")}

    def close(self) -> None:
        if hasattr(self, "_db"):
            self._db.close()
        if self.lock is not None:
            self.lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading ----------------------------------------------------------------------------------------

    def counts(self) -> dict[str, int]:
        """How many runs are done, failed, crashed and to do."""
        counts = dict.fromkeys((DONE, FAILED, CRASHED, OPEN), 0)
        counts |= dict(self._db.execute("SELECT status, COUNT(*) FROM runs GROUP BY status"))
        return counts

    def todo(self) -> list[tuple[int, Point, int]]:
        """Index, point and crashes so far of every run that is not finished."""
        rows = self._db.execute("SELECT id, point, crashes FROM runs WHERE status = ? ORDER BY id", (OPEN,))
        return [(index, tuple(json.loads(point)), crashes) for index, point, crashes in rows]

    def rows(self) -> Iterator[tuple[int, Point, str, dict[str, Any], str]]:
        """Index, point, status, values and message of every run, in order."""
        rows = self._db.execute("SELECT id, point, status, result, message FROM runs ORDER BY id")
        for index, point, status, result, message in rows:
            yield index, tuple(json.loads(point)), status, json.loads(result) if result else {}, message

    def messages(self, most: int = 20) -> list[tuple[int, str, str]]:
        """Index, status and message of runs without values."""
        query = "SELECT id, status, message FROM runs WHERE status IN (?, ?) ORDER BY id LIMIT ?"
        return list(self._db.execute(query, (FAILED, CRASHED, most)))

    def seconds(self) -> float:
        """Computing time of all finished runs together [s]."""
        return float(self._db.execute("SELECT COALESCE(SUM(seconds), 0) FROM runs").fetchone()[0])

    def notes(self) -> list[tuple[str, str]]:
        return list(self._db.execute("SELECT time, text FROM notes ORDER BY rowid"))

    def sessions(self) -> list[tuple[str, dict[str, Any]]]:
        rows = self._db.execute("SELECT started, about FROM sessions ORDER BY rowid")
        return [(started, json.loads(about)) for started, about in rows]

    def trace(self, index: int) -> dict[str, np.ndarray]:
        """Time and kept channels of one run."""
        row = self._db.execute("SELECT chunk FROM runs WHERE id = ?", (index,)).fetchone()
        if row is None or row[0] is None:
            raise GudgeonError(f"run {index} of {self.path} has no trace; give keep=[...] channels, and see its status")
        data = self._chunk(row[0])
        if data is None:
            raise StoreError(f"{self.path}: {row[0]} is damaged; `gudgeon study resume {self.path}` computes it again")
        with np.load(io.BytesIO(data)) as chunk:
            start = f"{index}/"
            return {name.removeprefix(start): chunk[name] for name in chunk.files if name.startswith(start)}

    def _chunk(self, file: str) -> bytes | None:
        """The bytes of a chunk, or None where they are not those that were written."""
        row = self._db.execute("SELECT bytes, sha256 FROM chunks WHERE file = ?", (file,)).fetchone()
        try:
            data = (self.path / "chunks" / file).read_bytes()
        except OSError:
            return None
        return data if row is not None and (len(data), checksum(data)) == tuple(row) else None

    # -- writing ----------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with guarded(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                # a full disk has rolled it back already
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def record(self, outcomes: Sequence[Outcome]) -> None:
        """Keep what came out of some runs: after this returns it is safe."""
        if not outcomes:
            return
        arrays = {f"{o.index}/{name}": values for o in outcomes for name, values in o.traces.items()}
        file = None
        if arrays:
            buffer = io.BytesIO()
            np.savez(buffer, **arrays)  # type: ignore[arg-type]
            data = buffer.getvalue()
            file = f"{outcomes[0].index:07d}-{checksum(data)[:12]}.npz"
            with guarded(self.path):
                write_file(self.path / "chunks" / file, data)
        with self._transaction():
            if file is not None:
                self._db.execute("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?)", (file, len(data), checksum(data)))
            self._db.executemany(
                "UPDATE runs SET status = ?, result = ?, message = ?, seconds = ?, chunk = ?, checksum = ? "
                "WHERE id = ?",
                [self._row(o, file if o.traces else None) for o in outcomes],
            )

    def _row(self, o: Outcome, file: str | None) -> tuple[Any, ...]:
        result = json.dumps(o.values)
        return o.status, result, o.message, o.seconds, file, _sum(o.status, result, o.message), o.index

    def crash(self, index: int, crashes: int, reason: str, final: bool) -> None:
        """Note that a run took its worker with it; after the last try it is left alone."""
        with self._transaction():
            status = CRASHED if final else OPEN
            message = f"{reason}, {crashes} times" if crashes > 1 else reason
            values = (status, crashes, message, _sum(status, "{}", message), index)
            self._db.execute("UPDATE runs SET status = ?, crashes = ?, message = ?, result = '{}', checksum = ? "
                             "WHERE id = ?", values)  # fmt: skip
        self.note(f"run {index}: {reason}" + ("; it is left out from now on" if final else "; it is tried again"))

    def note(self, text: str) -> None:
        with self._transaction():
            self._db.execute("INSERT INTO notes VALUES (?, ?)", (_now(), text))

    def session(self, about: dict[str, Any]) -> None:
        with self._transaction():
            self._db.execute("INSERT INTO sessions VALUES (?, ?)", (_now(), json.dumps(about)))

    def computed_by(self, engine: str) -> None:
        """What the session turned out to be computed by."""
        rowid, about = self._db.execute("SELECT rowid, about FROM sessions ORDER BY rowid DESC LIMIT 1").fetchone()
        with self._transaction():
            text = json.dumps(json.loads(about) | {"engine": engine})
            self._db.execute("UPDATE sessions SET about = ? WHERE rowid = ?", (text, rowid))

    def again(self) -> int:
        """Forget what failed and crashed, so that it is computed again; gives how many."""
        with self._transaction():
            query = "UPDATE runs SET status = ?, crashes = 0, message = '', result = NULL WHERE status IN (?, ?)"
            return self._db.execute(query, (OPEN, FAILED, CRASHED)).rowcount

    def repair(self) -> list[str]:
        """Look at everything that was written; what is damaged is to be computed again. Gives a line for each."""
        problems = self._damaged()
        lines = []
        with self._transaction():
            for what, indices in problems:
                self._db.executemany("UPDATE runs SET status = ?, result = NULL, chunk = NULL, message = '' "
                                     "WHERE id = ?", [(OPEN, k) for k in indices])  # fmt: skip
                lines.append(f"{what} is damaged: {len(indices)} run{'s' * (len(indices) != 1)} will be computed again")
            for line in lines:
                self._db.execute("INSERT INTO notes VALUES (?, ?)", (_now(), line))
            self._db.execute("DELETE FROM chunks WHERE file NOT IN (SELECT chunk FROM runs WHERE chunk NOT NULL)")
        known = {file for (file,) in self._db.execute("SELECT file FROM chunks")}
        for path in (self.path / "chunks").glob("*"):
            # of a writer that was killed before the index named it
            if path.name not in known:
                path.unlink(missing_ok=True)
        return lines

    def _damaged(self) -> list[tuple[str, list[int]]]:
        try:
            sound = self._db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
        except sqlite3.DatabaseError:
            sound = False
        if not sound:
            raise StoreError(f"{self.index} is damaged and cannot be repaired; start a new store, or use a copy")
        damaged = []
        for (file,) in self._db.execute("SELECT DISTINCT chunk FROM runs WHERE chunk NOT NULL").fetchall():
            if self._chunk(file) is None:
                ids = [k for (k,) in self._db.execute("SELECT id FROM runs WHERE chunk = ?", (file,))]
                damaged.append((f"chunk {file}", ids))
        query = "SELECT id, status, result, message, checksum FROM runs WHERE status != ?"
        wrong = [row[0] for row in self._db.execute(query, (OPEN,)) if _sum(row[1], row[2] or "", row[3]) != row[4]]
        return [*damaged, *([("a result in study.db", wrong)] if wrong else [])]

    def adopt(self, part: Store) -> tuple[int, int]:
        """Take over what another store of the same study has finished; gives how many were new, and are damaged."""
        damaged = {k for _, indices in part._damaged() for k in indices}
        mine = {index for index, *_ in self.todo()}
        columns = "id, status, result, message, seconds, crashes, chunk, checksum"
        query = f"SELECT {columns} FROM runs WHERE status != ? ORDER BY id"
        rows = [row for row in part._db.execute(query, (OPEN,)) if row[0] in mine and row[0] not in damaged]
        files = {row[6] for row in rows if row[6] is not None}
        with guarded(self.path):
            for file in sorted(files):
                write_file(self.path / "chunks" / file, part._chunk(file) or b"")
        with self._transaction():
            for file in sorted(files):
                entry = part._db.execute("SELECT * FROM chunks WHERE file = ?", (file,)).fetchone()
                self._db.execute("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?)", entry)
            self._db.executemany(
                "UPDATE runs SET status = ?, result = ?, message = ?, seconds = ?, crashes = ?, chunk = ?, "
                "checksum = ? WHERE id = ?",
                [(*row[1:], row[0]) for row in rows],
            )
        return len(rows), len(damaged)


def _sum(status: str, result: str, message: str) -> int:
    """A checksum of what a row says: SQLite has none of its own."""
    return zlib.crc32("\0".join((status, result, message)).encode())


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
