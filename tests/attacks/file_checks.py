"""What is demanded of a damaged file: refused at its place with a remedy that helps, or read with every key heeded.

What is read can be assembled and run for a moment, or the refusal is a sentence.
"""

from __future__ import annotations

import re
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from damage import EXAMPLES, Damage, Source

from gudgeon.assemble import Needs, assemble
from gudgeon.cli.commands.study import built_in
from gudgeon.model import plausible
from gudgeon.model.files import ModelFileError, dump, loads
from gudgeon.model.files.errors import Problem, lines_of
from gudgeon.model.files.reader import load
from gudgeon.model.files.source import FileLeaf, FileNode, FileRow, FileTable, compose
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run
from gudgeon.simulation import RunStopped, simulate
from gudgeon.study.files import load as load_study
from gudgeon.study.files import loads as loads_study

PATIENCE = 10  # [s] of computing for its run, which is then stopped as by Ctrl-C
# what only the next look at a mended file can say
RATHER = ("are both", "both ends", 'write "', "given twice", "principal moment")
SECONDS = 60  # [s] of computing for one file; a hang has no end
HINTED = re.compile(r'did you mean "([^"]+)"\?')
WRITTEN = re.compile(r"^write (?:for instance )?(\w+): (\[[^]]*\]|\{[^}]*\}|[^\s,;]+)(?:[,;] .*)?$")
INSTEAD = re.compile(r"^write for instance ([^:]+?)(?: or .*)?$")


@dataclass
class Ending:
    """How a file ended: refused, read, run, and what is wrong with that."""

    kind: str
    faults: list[str] = field(default_factory=list)


class TooLong(BaseException):
    """A file that does not end."""


@contextmanager
def limited(seconds: int, end: type[BaseException]) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise end

    before, left = signal.signal(signal.SIGPROF, ring), signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.signal(signal.SIGPROF, before)
        signal.setitimer(signal.ITIMER_PROF, *left)


def read(path: Path, study: bool) -> Any:
    return load_study(path, built_in) if study else load(path)


def again(text: str, study: bool) -> ModelFileError | None:
    """The problems of a text."""
    try:
        if study:
            loads_study(text, "m.yaml", EXAMPLES / "studies", built_in)
        else:
            loads(text, "m.yaml")
    except ModelFileError as error:
        return error
    except GudgeonError:
        return None
    return None


def examine(source: Source, damage: Damage, *, run: bool = True) -> Ending:
    """One damaged file, from the disk."""
    folder = EXAMPLES / "studies" if source.study else None
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        place = Path(name) / "studies" / "m.yaml"
        place.parent.mkdir()
        if folder is not None:
            (Path(name) / "models").symlink_to(EXAMPLES / "models")
        place.write_bytes(damage.data)
        try:
            with limited(SECONDS, TooLong), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return _examined(place, source, damage, run)
        except TooLong:
            return Ending("hung", ["it does not end"])
        except MemoryError:
            return Ending("memory", ["it takes too much memory"])


def _examined(place: Path, source: Source, damage: Damage, run: bool) -> Ending:
    try:
        found = read(place, source.study)
    except ModelFileError as error:
        return Ending("refused", list(refusal_faults(error, damage, source.study)))
    except GudgeonError as error:
        return Ending("refused", [f"a refusal without a place: {error}"])
    ending = Ending("read")
    text = place.read_bytes().decode("utf-8-sig")
    if damage.refused:
        ending.faults.append("must be refused, but was read")
    ending.faults += ignored(source, text, found)
    if source.study:
        return ending
    copy = loads(dump(found.mechanism, found.run))
    if dump(copy.mechanism) != dump(found.mechanism):
        ending.faults.append("is another after it was written and read")
    if run:
        ending.kind, more = tried(found)
        ending.faults += more
    return ending


def refusal_faults(error: ModelFileError, damage: Damage, study: bool) -> Iterator[str]:
    lines, shown = lines_of(error.text), str(error)
    if not error.problems:
        yield "no problem is named"
    if len(shown) > 200_000:
        yield f"the message has {len(shown)} characters"
    for problem in error.problems:
        if not (1 <= problem.line <= len(lines) and 1 <= problem.column <= len(lines[problem.line - 1]) + 1):
            yield f"place {problem.line}:{problem.column} is not in the file: {problem.message}"
        if not problem.message:
            yield "an empty message"
        if not problem.hint and "write" not in problem.message:
            yield f"no remedy: {problem.message}"
        words = f"{problem.message} {problem.hint}"
        if "Traceback" in words or "object at 0x" in words or "NoneType" in words or "dtype" in words:
            yield f"words of the program: {words}"
    if damage.line and not any(p.line == damage.line for p in error.problems):
        yield f"damage in line {damage.line}, problem in {error.problems[0].line}: {error.problems[0].message}"
    if damage.key and damage.refused and len(error.problems) > 1:
        first = [p.message for p in error.problems]
        yield f"a key spelt wrong gives {len(first)} problems: {first[:3]}"
    yield from remedies(error, study, bool(damage.line))


def remedies(error: ModelFileError, study: bool, alone: bool) -> Iterator[str]:
    """Do what the first problems say, and see whether they go; where one place is damaged alone, nothing else comes."""
    known = {problem.message for problem in error.problems}
    for problem in error.problems[:2]:
        better = _mended(error.text, problem)
        if better is None:
            continue
        after = again(better, study)
        if after is None:
            continue
        same = [p for p in after.problems if (p.line, p.message) == (problem.line, problem.message)]
        new = [p for p in after.problems if p.line == problem.line and p.message not in known]
        if same:
            yield f"the remedy does not help: {problem.message} | {problem.hint}"
        elif alone and new and not any(words in new[0].message for words in RATHER):
            yield f"the remedy leads to another problem: {problem.message} | {problem.hint} | {new[0].message}"


def _mended(text: str, problem: Problem) -> str | None:
    """The text with the remedy followed, where it is one that can be typed."""
    node = FileNode(problem.line, problem.column, problem.width)
    match = HINTED.search(problem.hint)
    if match is not None and '"' in problem.message:
        # what is meant may be a part of the value, such as its unit
        wrong, here = re.findall('"([^"]+)"', problem.message), _here(text, node)
        inside = next(iter(re.findall('unknown [a-z ]*"([^"]+)"', problem.message)), None)
        inside = inside or max((word for word in wrong if word in here), key=len, default=None)
        if inside is None or inside not in here or inside + '"' in here:
            return None
        return _put(text, node, here.replace(inside, match[1], 1))
    if problem.message.endswith(("not nothing", 'not ""')):
        return None
    instead, written = INSTEAD.match(problem.hint), WRITTEN.match(problem.hint)
    if instead is not None and " must be a number" in problem.message:
        return _put(text, node, instead[1])
    if written is None or "..." in written[2]:
        return None
    ours = problem.message.startswith((f"{written[1]} ", f"{written[1]}["))
    return _put(text, node, written[2]) if ours else None


ENDS = "(\r\n|[\n\r\x85\u2028\u2029])"


def _here(text: str, node: FileNode) -> str:
    return re.split(ENDS, text)[2 * (node.line - 1)][node.column - 1 : node.column - 1 + node.width]


def _put(text: str, node: FileNode, new: str) -> str:
    """The text with another piece; where there was no value but its key, the value comes behind it."""
    parts = re.split(ENDS, text)
    row = 2 * (node.line - 1)
    line = parts[row]
    parts[row] = line[: node.column - 1] + new + line[node.column - 1 + node.width :]
    return "".join(parts)


# -- what is read is heeded -------------------------------------------------------------------------------------


def values(node: FileNode | None) -> Any:
    """What a text says, without places."""
    if isinstance(node, FileTable):
        return {key.text: values(value) for key, value in node.entries}
    if isinstance(node, FileRow):
        return [values(item) for item in node.items]
    return node.value if isinstance(node, FileLeaf) else None


def described(found: Any) -> str:
    """All that was understood of a file."""
    if hasattr(found, "study"):
        study = found.study
        return repr((found.model, dump(study.mechanism), {k: v for k, v in vars(study).items() if k != "mechanism"}))
    return dump(found.mechanism, found.run) + repr(found.run)


_WHOLE: dict[str, tuple[Any, str]] = {}


def ignored(source: Source, text: str, found: Any) -> Iterator[str]:
    """The file says something else than the sound one, but means the same: something was not heeded."""
    if source.name not in _WHOLE:
        with tempfile.TemporaryDirectory() as name:
            place = (EXAMPLES / "studies" if source.study else Path(name)) / source.name
            if not source.study:
                place.write_text(source.text, encoding="utf-8")
            _WHOLE[source.name] = values(compose(source.text, [])), described(read(place, source.study))
    said, meant = _WHOLE[source.name]
    now = values(compose(text, []))
    if now == said or described(found) != meant:
        return
    where, old, new = difference(said, now)
    default = new == "absent"  # what is left out may be what it is without being said
    length = re.search(r"\.(axis|direction)\[\d\]$", where)  # of a direction, which means nothing
    case = str(old).lower() == str(new).lower()  # names of fits and laws are read whatever their case
    if not default and not length and not case:
        yield f"not heeded: {where}: {str(old)[:60]} -> {str(new)[:60]}"


def difference(one: Any, two: Any, path: str = "") -> tuple[str, Any, Any]:
    """Where two files differ first."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in [*one, *two]:
            if one.get(key, "absent") != two.get(key, "absent"):
                return difference(one.get(key, "absent"), two.get(key, "absent"), f"{path}.{key}")
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for k, (a, b) in enumerate(zip(one, two, strict=True)):
            if a != b:
                return difference(a, b, f"{path}[{k}]")
    return path, one, two


# -- what is read can be run --------------------------------------------------------------------------------------


def tried(found: Any) -> tuple[str, list[str]]:
    """Assemble and run for a moment, as `check` and `run` would."""
    mechanism = found.mechanism
    try:
        list(plausible.doubts(mechanism))
        system = assemble(mechanism, Needs(form="residual" if mechanism.beams else "acceleration"))
    except GudgeonError as error:
        return "not assembled", sentence(error)
    mechanism.summary()
    span = 2e-4 if system.contacts else 1e-3
    settings = replace(found.run, duration=span, revolutions=None, after=None, trust=False, start=None, output=None)
    if settings.step is not None:
        settings = replace(settings, step=min(settings.step, span))
    try:
        with limited(PATIENCE, KeyboardInterrupt):
            run = simulate(mechanism, settings, progress=False)
    except KeyboardInterrupt:
        # before it marched, or at its end
        return "slow", []
    except RunStopped as error:
        return "stopped", sentence(error)
    except GudgeonError as error:
        return "not run", sentence(error)
    assert isinstance(run, Run)
    return "run" if run.complete else "slow", []


def sentence(error: Exception) -> list[str]:
    """What is wrong with the words of a refusal."""
    text = str(error)
    bad = [word for word in ("Traceback", "object at 0x", "NoneType", "dtype", "array(") if word in text]
    if not text.strip() or bad:
        return [f"no sentence: {text[:200]}"]
    return []
