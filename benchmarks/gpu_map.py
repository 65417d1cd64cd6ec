"""A map of a million regimes on a graphics card: the slider-crank of Flores 2007 over clearance and friction.

python -m benchmarks.gpu_map run [--side 1000] [--part 1/2] [--device gpu|host] [--out FOLDER]
python -m benchmarks.gpu_map join FOLDER/map_1000_1of2.npz FOLDER/map_1000_2of2.npz --out FOLDER/map_1000.npz
python -m benchmarks.gpu_map draw FOLDER/map_1000.npz [--out map.png]
python -m benchmarks.gpu_map check FOLDER/map_1000.npz [--points 12]    some points again on the processor
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.papers import flores2007

CLEARANCE, FRICTION = ("0.01 mm", "0.5 mm"), (0.0, 0.1)
LABELS = (
    "not settled",
    "period-1",
    "period-2",
    "period-3",
    "period-4",
    "period-n",
    "quasi-periodic",
    "chaotic",
    "none",
)
COLOURS = ("#b0b0b0", "#dbe9f6", "#a6cbe3", "#6aaed6", "#3a8ac2", "#1b5c9e", "#f2c14e", "#c0392b", "#ffffff")


def study(side: int, settings: dict[str, Any], points: list[tuple[float, float]] | None = None) -> gd.Study:
    """The map as a study: a grid, or some of its points."""
    mechanism = flores2007.slider_crank(CLEARANCE[1], friction=0.05)
    vary: dict[str, Any] = {
        "pin.radial_clearance": gd.logspace(*CLEARANCE, side), "pin.friction": gd.linspace(*FRICTION, side),
    }  # fmt: skip
    if points is not None:
        vary = dict(zip(vary, (list(column) for column in zip(*points, strict=True)), strict=True))
    return gd.Study(mechanism, vary, ["regime", "mean peak pin.force"], design="grid" if points is None else "list",
                    **settings)  # fmt: skip


def codes(labels: np.ndarray, status: np.ndarray) -> np.ndarray:
    """Each regime as a small number, its place in LABELS."""
    found = np.full(len(labels), LABELS.index("period-n"), dtype=np.uint8)
    for k, label in enumerate(LABELS):
        found[labels == label] = k
    found[status != "done"] = LABELS.index("none")
    return found


def compute(side: int, settings: dict[str, Any], device: str, part: tuple[int, int]) -> tuple[Any, float]:
    from gudgeon.study.engines.gpu import Gpu

    place = Path(tempfile.mkdtemp(prefix="gudgeon-map-"))
    whole = study(side, settings)
    if part[1] > 1:
        whole = study(side, settings, whole.points[part[0] - 1 :: part[1]])
    began = time.perf_counter()
    try:
        table = whole.run(place / "store", engine=Gpu(device), progress=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return table, time.perf_counter() - began


def summary(label: np.ndarray, side: int, settings: dict[str, Any], seconds: float) -> dict[str, Any]:
    return {
        "side": side, "points": len(label), "seconds": seconds, "points per second": len(label) / seconds,
        "failed": int((label == LABELS.index("none")).sum()), **settings,
        "share": {name: float((label == k).mean()) for k, name in enumerate(LABELS)},
    }  # fmt: skip


def pack(table: Any, path: Path, side: int, settings: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The results as small arrays."""
    label = codes(table["regime"], table.status)
    about = summary(label, side, settings, seconds)
    columns = {
        "regime": label, "period": np.nan_to_num(table["period"]).astype(np.uint8),
        "exponent": table["exponent"].astype(np.float32),
        "confidence": np.nan_to_num(table["confidence"] * 255).astype(np.uint8),
        "k01": np.nan_to_num(table["k01"] * 200 + 50).clip(0, 255).astype(np.uint8),
        "mean_peak": table["mean peak pin.force"].astype(np.float32),
    }  # fmt: skip
    np.savez_compressed(path, about=json.dumps(about), **columns)  # type: ignore[arg-type]
    return about


def run(given: argparse.Namespace) -> None:
    settings = {"transient": given.transient, "turns": given.turns, "rtol": given.rtol}
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    k, n = (int(x) for x in given.part.split("/"))
    table, seconds = compute(given.side, settings, given.device, (k, n))
    name = f"map_{given.side}.npz" if n == 1 else f"map_{given.side}_{k}of{n}.npz"
    print(json.dumps(pack(table, out / name, given.side, settings, seconds)), flush=True)
    for message in sorted({text for text in table.messages if text})[:5]:
        print(message)


def join(given: argparse.Namespace) -> None:
    """Parts of a map as one; their times add up."""
    parts = [np.load(name) for name in given.files]
    said = [json.loads(str(part["about"])) for part in parts]
    side = said[0]["side"]
    columns = {}
    for name in parts[0].files:
        if name != "about":
            columns[name] = np.empty(side * side, dtype=parts[0][name].dtype)
            for k, part in enumerate(parts):
                columns[name][k :: len(parts)] = part[name]
    about = summary(columns["regime"], side, {k: said[0][k] for k in ("transient", "turns", "rtol")},
                    sum(x["seconds"] for x in said))  # fmt: skip
    np.savez_compressed(given.out, about=json.dumps(about), **columns)
    print(json.dumps(about))


def draw(given: argparse.Namespace) -> None:
    """Regime and exponent, each point one pixel."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.colors import BoundaryNorm, ListedColormap, TwoSlopeNorm

    data = np.load(given.file)
    about = json.loads(str(data["about"]))
    side = about["side"]
    gaps = np.geomspace(0.01, 0.5, side)
    friction = np.linspace(*FRICTION, side)
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6.5), constrained_layout=True)
    edges = [*np.sqrt(gaps[1:] * gaps[:-1])]
    edges = [gaps[0] ** 2 / edges[0], *edges, gaps[-1] ** 2 / edges[-1]]
    step = friction[1] - friction[0]
    rows = np.append(friction - step / 2, friction[-1] + step / 2)
    colours = ListedColormap(COLOURS)
    words = BoundaryNorm(np.arange(len(LABELS) + 1) - 0.5, len(LABELS))
    image = left.pcolormesh(edges, rows, data["regime"].reshape(side, side).T, cmap=colours, norm=words,
                            rasterized=True)  # fmt: skip
    bar = figure.colorbar(image, ax=left, ticks=range(len(LABELS)))
    bar.ax.set_yticklabels(LABELS)
    left.set_title("regime")
    exponent = np.clip(data["exponent"].reshape(side, side).T, -3.0, 6.0)
    image = right.pcolormesh(edges, rows, exponent, cmap="RdBu_r", norm=TwoSlopeNorm(0.0, -3.0, 6.0), rasterized=True)
    figure.colorbar(image, ax=right, label="largest exponent per revolution")
    right.set_title("largest Lyapunov exponent")
    for axes in (left, right):
        axes.set(xscale="log", xlabel="radial clearance [mm]", ylabel="coefficient of friction")
    figure.suptitle(f"slider-crank of Flores 2007, 5000 rpm: {about['points']:,} motions, {about['turns']} revolutions "
                    f"after {about['transient']:g}, rtol {about['rtol']:.0e}, {about['seconds']:.0f} s")  # fmt: skip
    figure.savefig(given.out if given.out.endswith((".png", ".pdf", ".svg")) else f"{given.out}/map.png", dpi=150)


def check(given: argparse.Namespace) -> None:
    """Some points by chance again on the processor, beside what the card found."""
    data = np.load(given.file)
    about = json.loads(str(data["about"]))
    settings = {name: about[name] for name in ("transient", "turns", "rtol")}
    side = about["side"]
    every = study(side, settings).points
    chosen = np.random.default_rng(5).choice(side * side, given.points, replace=False)
    place = Path(tempfile.mkdtemp(prefix="gudgeon-map-"))
    table = study(side, settings, [every[k] for k in chosen]).run(place / "store")
    shutil.rmtree(place, ignore_errors=True)
    ours = codes(table["regime"], table.status)
    same = 0
    for k, index in enumerate(chosen):
        card, here = LABELS[data["regime"][index]], LABELS[ours[k]]
        same += card == here
        clearance, friction = every[index]
        print(f"c {clearance * 1e3:.4f} mm, friction {friction:.4f}: card {card}, {data['exponent'][index]:+.3f}, "
              f"mean peak {data['mean_peak'][index]:.0f} N; processor {here}, {table['exponent'][k]:+.3f}, "
              f"{table['mean peak pin.force'][k]:.0f} N")  # fmt: skip
    print(f"{same} of {len(chosen)} words agree")


def main() -> None:
    options = argparse.ArgumentParser()
    commands = options.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run")
    one.add_argument("--side", type=int, default=1000)
    one.add_argument("--part", default="1/1", help="every n-th point from the k-th on: k/n")
    one.add_argument("--device", default="gpu")
    one.add_argument("--transient", type=float, default=60.0)
    one.add_argument("--turns", type=int, default=40)
    one.add_argument("--rtol", type=float, default=1e-8)
    one.add_argument("--out", default="out")
    for name in ("draw", "check"):
        other = commands.add_parser(name)
        other.add_argument("file")
        other.add_argument("--out", default="map.png")
        other.add_argument("--points", type=int, default=12)
    joining = commands.add_parser("join")
    joining.add_argument("files", nargs="+")
    joining.add_argument("--out", default="map.npz")
    given = options.parse_args()
    {"run": run, "draw": draw, "check": check, "join": join}[given.command](given)


if __name__ == "__main__":
    main()
