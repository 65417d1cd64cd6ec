"""Claims of the articles computed anew, and their figures drawn, by several processes.

Every run and every verdict is kept on disk as soon as it is computed (`stored`), so that a killed command continues.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gudgeon.papers import stored
from gudgeon.papers.article import Article, articles
from gudgeon.papers.claim import UNDECIDED, Claim, Finding
from gudgeon.papers.figure import PaperFigure
from gudgeon.progress import counter
from gudgeon.simulation import choose_method
from gudgeon.study.engines.engine import Crash, Engine, InProcess
from gudgeon.study.engines.job import DONE, FAILED, Job, Outcome
from gudgeon.study.engines.local import Local
from gudgeon.study.points.design import Point

__all__ = ["NO_RESULT", "ClaimResult", "draw", "figures_of", "reproduce", "settled"]


@dataclass(frozen=True)
class ClaimResult:
    """A claim with its finding; the fields are the columns of the table, in every form of it."""

    paper: str
    case: str
    claim: str
    section: str
    published: str
    ours: str
    tolerance: str
    verdict: str
    note: str

    @classmethod
    def of(cls, article: Article, claim: Claim, finding: Finding) -> ClaimResult:
        return cls(claim.paper, article.case(claim), claim.statement, claim.section, claim.published, finding.ours,
                   claim.tolerance or "none", finding.verdict, claim.note(finding))  # fmt: skip

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def settled(claim: Claim, full: bool) -> Finding:
    """The finding of a claim, from disk where these sources computed it before."""
    files = stored.sources()
    return stored.kept(f"claim-{claim.paper}", f"{claim.statement} {full}", files, lambda: claim.compute(full))


@dataclass(frozen=True)
class ReproduceJob(Job):
    """What a worker process needs: the claims and figures by article, and where results are kept."""

    tasks: tuple[tuple[str, str, str], ...] = ()  # kind, key of the article, statement or number
    full: bool = True
    folder: Path | None = None  # of kept results
    figures: Path | None = None  # where figures are written

    @property
    def mechanism(self) -> Any:
        """Read by a worker when it starts: from then on it keeps its results."""
        stored.keep_in(self.folder)

    def compute(self, index: int, point: Point) -> Outcome:
        kind, key, name = self.tasks[index]
        article = next(article for article in articles() if article.key == key)
        began = time.perf_counter()
        try:
            made: dict[str, float | str] = (self._claim if kind == CLAIM else self._figure)(article, name)
        except Exception as error:
            return Outcome(index, FAILED, {}, f"{type(error).__name__}: {error}", time.perf_counter() - began)
        return Outcome(index, DONE, made, "", time.perf_counter() - began)

    def _claim(self, article: Article, statement: str) -> dict[str, float | str]:
        claim = next(claim for claim in article.claims if claim.statement == statement)
        finding = settled(claim, self.full)
        return {"ours": finding.ours, "verdict": finding.verdict, "note": finding.note}

    def _figure(self, article: Article, number: str) -> dict[str, float | str]:
        entry = next(entry for entry in article.figures if entry.number == number)
        assert self.figures is not None
        return {"files": ",".join(path.name for path in entry.write(self.figures, article.key))}


CLAIM, FIGURE = "claim", "figure"
NO_RESULT = "no result"


def reproduce(claims: Sequence[tuple[Article, Claim]], *, full: bool = True, processes: int = 2,
              folder: Path | None = None, progress: bool | None = None) -> list[ClaimResult]:  # fmt: skip
    """What becomes of these claims, in their order; `full` asks for long statistics, `folder` is where all is kept."""
    tasks = tuple((CLAIM, article.key, claim.statement) for article, claim in claims)
    work = ReproduceJob("", (), (), {}, tasks=tasks, full=full, folder=folder)
    answers = _answers(work, _order(claims), processes, progress, "claims")
    return [ClaimResult.of(*claims[k], _outcome(answers[k])) for k in range(len(claims))]


def figures_of(claims: Sequence[tuple[Article, Claim]]) -> dict[str, list[PaperFigure]]:
    """The figures made of the cases of these claims, by the key of their article."""
    cases: dict[str, set[str]] = {article.key: set() for article, _ in claims}
    for article, claim in claims:
        cases[article.key].add(claim.case)
    # what nothing is known about goes with the whole article
    whole = {a.key for a in articles() if a.key in cases and cases[a.key] == {claim.case for claim in a.claims}}
    return {a.key: [entry for entry in a.figures if a.key in whole or cases[a.key] & set(entry.cases)]
            for a in articles() if a.key in cases}  # fmt: skip


def draw(figures: Mapping[str, Sequence[PaperFigure]], place: Path, *, processes: int = 2, folder: Path | None = None,
         progress: bool | None = None) -> dict[tuple[str, str], str]:  # fmt: skip
    """Figures of articles as files at a place; what went wrong, by article and number."""
    tasks = tuple((FIGURE, key, entry.number) for key, entries in figures.items() for entry in entries if entry.draw)
    work = ReproduceJob("", (), (), {}, tasks=tasks, folder=folder, figures=place)
    place.mkdir(parents=True, exist_ok=True)
    answers = _answers(work, range(len(tasks)), processes, progress, "figures")
    return {tasks[k][1:]: sent.message for k, sent in answers.items() if sent.status != DONE}


def _order(claims: Sequence[tuple[Article, Claim]]) -> list[int]:
    """One claim of every case first: it makes the runs that the others of its case look at."""
    seen: dict[str, int] = {}
    rank = []
    for article, claim in claims:
        name = article.case(claim)
        seen[name] = seen.get(name, 0) + 1
        rank.append(seen[name])
    return sorted(range(len(claims)), key=lambda k: rank[k])


def _answers(work: ReproduceJob, order: Sequence[int], processes: int, progress: bool | None,
             noun: str) -> dict[int, Outcome]:  # fmt: skip
    _compile(work)
    stored.keep_in(work.folder)
    engine: Engine = Local(processes) if processes else InProcess()
    answers: dict[int, Outcome] = {}
    stream = engine.outcomes(work, [(k, (), 0) for k in order])
    with counter(progress, noun) as tell:
        for item in _closing(stream):
            if isinstance(item, Outcome):
                answers[item.index] = item
            elif isinstance(item, Crash) and item.final:
                answers[item.index] = Outcome(item.index, FAILED, {}, item.reason)
            if tell is not None:
                tell(len(answers), len(order))
    return answers


def _compile(work: ReproduceJob) -> None:
    """The time loops, once for all workers."""
    keys = {key for _, key, _ in work.tasks}
    for method in dict.fromkeys(method for a in articles() if a.key in keys for method in a.methods):
        choose_method(method, None, None)


def _closing(stream: Iterator[Any]) -> Iterator[Any]:
    """The stream, whose workers end with it, also after Ctrl-C."""
    try:
        yield from stream
    finally:
        close: Callable[[], None] = getattr(stream, "close", lambda: None)
        close()


def _outcome(sent: Outcome) -> Finding:
    if sent.status != DONE:
        return Finding(NO_RESULT, UNDECIDED, f"the computation failed: {sent.message}")
    return Finding(str(sent.values["ours"]), str(sent.values["verdict"]), str(sent.values["note"]))
