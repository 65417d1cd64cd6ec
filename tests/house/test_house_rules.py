"""The layout of the package and the habits of its code, as ARCHITECTURE.md describes them."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import gudgeon
import gudgeon.space.planar
import gudgeon.space.spatial
from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw, LinerLaw
from gudgeon.methods import methods
from gudgeon.model import Fit
from gudgeon.space.mate import Mate, SpatialMate

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "gudgeon"
FILES = sorted(PACKAGE.rglob("*.py"))
FILE_LINES, FOLDER_MODULES, ARCHITECTURE_WORDS = 800, 15, 1000
# folders of plug-ins have as many modules as there are plug-ins
PLUG_INS = ("cli/commands", "laws/contact", "laws/film", "model/joint_kinds", "space/planar", "space/spatial")
HEAVY = {"distributed", "llvmlite", "matplotlib", "pandas", "pydantic", "rich", "scipy", "xarray", "yaml"}

ROOT_SNAPSHOT = [
    "ALUMINIUM", "BRASS", "BRONZE", "CAST_IRON", "NYLON", "PTFE", "STEEL", "TITANIUM", "Baumgarte", "ContactLaw",
    "FilmLaw", "FrictionLaw", "GudgeonError", "LinerLaw", "Material", "Mechanism", "Run", "RunStopped", "Stop", "Study",
    "absolute", "atan", "bifurcate", "compare", "contact_loss", "cos", "exp", "export_fmu", "export_object", "linspace",
    "live", "log", "logspace", "maximum", "minimum", "oil", "optimise", "plot", "regime", "routes", "simulate", "sin",
    "sqrt", "step", "tanh", "tolerance",
]  # fmt: skip

Function = ast.FunctionDef | ast.AsyncFunctionDef


def room(path: Path) -> str:
    """The first folder below the package, or the name of the file."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno}"


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, Function))


def test_there_is_a_house():
    assert len(FILES) > 50
    rooms = {"compile", "laws", "space", "model", "assemble", "methods", "results", "analysis"}
    assert rooms <= {room(path) for path in FILES}


def test_rooms_import_only_rooms_below():
    linter = Path(sys.executable).with_name("lint-imports")
    assert linter.exists(), "import-linter is not installed: make test installs it"
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"[1-9]\d* kept, 0 broken", done.stdout)


def test_every_room_is_in_a_contract():
    """A new room that nobody listed would be free to import anything."""
    listed = set(re.findall(r'"gudgeon\.(\w+)"', (ROOT / "pyproject.toml").read_text()))
    assert {room(path) for path in FILES} - {"__init__", "__main__"} <= listed


def test_nothing_branches_on_the_plane_outside_model_and_assemble():
    found = []
    for path in FILES:
        if room(path) in ("model", "assemble"):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.If | ast.IfExp | ast.While):
                words = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
                words |= {n.attr for n in ast.walk(node.test) if isinstance(n, ast.Attribute)}
                if any("planar" in word.lower() for word in words):
                    found.append(where(path, node))
    assert not found


def test_formulas_do_not_know_what_machine_they_run_on():
    machine = re.compile(r"\b(cpu|gpu|cuda|processor|graphics card)\b", re.IGNORECASE)
    formulas = [path for path in FILES if room(path) in ("laws", "space")]
    assert len(formulas) > 50
    assert not [path for path in formulas if machine.search(path.read_text(encoding="utf-8"))]


def test_files_and_folders_are_of_a_size_to_be_read():
    long = [str(path) for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > FILE_LINES]
    folders = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in FILES)
    assert not long
    assert not {name: n for name, n in folders.items() if n > FOLDER_MODULES and name not in PLUG_INS}


def test_a_class_name_means_one_thing():
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(where(path, node))
    assert not {name: found for name, found in places.items() if len(found) > 1}


def imports(function: Function) -> Iterator[tuple[ast.stmt, list[str]]]:
    """Import statements of a function, with the libraries they load."""
    for node in ast.walk(function):
        if isinstance(node, ast.Import):
            yield node, [alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            yield node, ["gudgeon" if node.level else (node.module or "").split(".")[0]]


def test_functions_import_heavy_libraries_alone():
    """Own modules import each other at their top; names that shall come late go through `plugins.loaded_on_use`."""
    inside = {(where(path, node), *names) for path in FILES for f in functions(path) for node, names in imports(f)}
    light = {place for place, *names in inside if not HEAVY.issuperset(names)}
    assert not light
    assert len(inside) < 40, sorted(inside)


def test_importing_gudgeon_loads_no_heavy_library():
    code = "import sys, gudgeon; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "gudgeon" in done.stdout
    assert not HEAVY & set(done.stdout.split())


def test_places_in_arrays_have_names_in_records():
    """Constants that are made by `A, B, C = range(3)` count places; those of a march lie in typed records instead."""
    counted = [f"{where(path, node)} {name.id}" for path in FILES for node in tree(path).body
               if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
               and getattr(node.value.func, "id", "") == "range"
               for target in node.targets if isinstance(target, ast.Tuple)
               for name in target.elts if isinstance(name, ast.Name)]  # fmt: skip
    assert len(counted) < 50, counted


def test_the_architecture_is_one_page():
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split()) <= ARCHITECTURE_WORDS


def test_nothing_is_left_to_do():
    found = []
    for path in FILES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    assert not found


def abstract_classes(module: ast.Module) -> set[str]:
    """Classes that say they are bases: by ABC, `family=True` or `abstract=True`, or `Method`, the contract itself."""
    found = {"Method"}
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            says = {k.arg for k in node.keywords} & {"family", "abstract"}
            bases = {b.id for b in node.bases if isinstance(b, ast.Name)}
            if says or "ABC" in bases:
                found.add(node.name)
    return found


def test_not_implemented_is_said_by_abstract_bases_only():
    found = []
    for path in FILES:
        module = tree(path)
        inside = [
            node
            for cls in ast.walk(module)
            if isinstance(cls, ast.ClassDef) and cls.name in abstract_classes(module)
            for node in ast.walk(cls)
        ]
        for node in ast.walk(module):
            if isinstance(node, ast.Name) and node.id == "NotImplementedError" and node not in inside:
                found.append(where(path, node))
    assert not found


def test_root_names_are_the_agreed_ones_and_exist():
    plugins = {law.__name__ for law in registered_laws()}
    plugins |= {name for name, fit in Fit.registry.items() if fit.__module__.startswith("gudgeon.")}
    assert sorted(set(gudgeon.__all__) - plugins) == sorted(ROOT_SNAPSHOT)
    assert plugins < set(gudgeon.__all__)
    for name in gudgeon.__all__:
        assert getattr(gudgeon, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gudgeon.nothing


def registered_laws() -> list[type]:
    families = (ContactLaw, FrictionLaw, LinerLaw, FilmLaw)
    return [law for f in families for law in f.registry.values() if law.__module__.startswith("gudgeon.")]


@pytest.mark.parametrize("law", registered_laws(), ids=lambda law: law.__name__)
def test_every_law_has_reference_validity_and_words(law):
    assert law.reference not in ("", "not given")
    assert law.validity not in ("", "not stated")
    assert law.__dict__.get("__doc__")
    assert not law.__doc__.startswith(law.__name__ + "(")  # what dataclass writes where nobody did


def test_every_method_has_reference_and_words_and_a_name_at_the_door():
    assert len(methods()) >= 9
    for name, method in methods().items():
        assert name == method.__name__.lower()
        assert method.reference and method.title and method.order
        assert method.__dict__.get("__doc__")
        assert getattr(gudgeon, method.__name__) is method


def test_importing_all_methods_compiles_nothing():
    loaded = "'gudgeon.compile.python.unit' in sys.modules"
    code = f"import sys; from gudgeon.methods import methods; methods(); sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("mate", [*Mate.registry.values(), *SpatialMate.registry.values()], ids=lambda m: m.__module__)
def test_every_mate_has_words(mate):
    assert mate.__dict__.get("__doc__")
    assert inspect.getmodule(mate).__doc__


def test_every_module_says_what_it_is():
    silent = [str(path.relative_to(ROOT)) for path in FILES if ast.get_docstring(tree(path)) is None]
    assert not silent


def test_paths_named_in_the_architecture_exist():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:py|md|toml))`", text)
    assert named
    rooms = [ROOT, PACKAGE, *(path for path in PACKAGE.iterdir() if path.is_dir())]
    missing = [name for name in named if not any((place / name).exists() for place in rooms)]
    assert not missing


def test_test_files_have_names_of_their_own():
    """Without packages in tests/, pytest needs every basename once."""
    names = [path.name for path in (ROOT / "tests").rglob("*.py")]
    assert len(names) == len(set(names)), sorted(n for n in set(names) if names.count(n) > 1)
    assert "__init__.py" not in names
