"""Thousands of damaged model files: a clear refusal with places in the file, or a mechanism; never anything else.

Damage whose outcome is known (an unknown key, a key twice, a wrong unit, a wrong type) must be refused at its place.
"""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gudgeon.model.files import ModelFile, ModelFileError, dump, loads
from gudgeon.model.files.errors import lines_of
from gudgeon.model.files.layout import SECTIONS
from gudgeon.model.files.source import FileLeaf, FileRow, FileTable, compose

MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(MODELS.glob("*.yaml"))]
TEXTS.append("""name: all
bodies: {a: {mass: 1, inertia: 1, at: [0, 0]}, b: {mass: 1, inertia: 1, at: [1, 0]}}
materials: {own: {youngs_modulus: 1 GPa, poisson_ratio: 0.3, density: 1000}}
joints:
  s: {kind: translational, journal: a, bearing: ground, at: [0, 0], axis: [1, 0], stop: {upper: 1 mm, wall: {law: Hertz,
      stiffness: 1e8, material: [own, {name: x, youngs_modulus: 1, poisson_ratio: 0, density: 1}]}}}
  w: {kind: rigid, journal: b, bearing: ground, at: [1, 0], radius: 0.1, fit: {pin: {clearance: {radial_clearance: 1 mm,
      wall: {law: ContactTable, depths: [0, 1 mm], forces: [0, 1 kN]}, liner: {law: PolynomialLiner,
      coefficients: [1 N/m]}, liner_thickness: 1 mm}}, key: {clearance: {angular_clearance: 1 deg,
      wall: {law: KelvinVoigt, stiffness: 1, damping: 1, clip: true}}}}}
drives: {s: {motion: 0.1*sin(t)}}
springs: {sp: {body_i: a, body_j: b, at_i: [0, 0], point_j: [0, 0], stiffness: 1, free_length: 1 m}}
dampers: {da: {body_i: a, body_j: b, at_i: [0, 0], at_j: [1, 0], damping: 1 N s/m}}
torques: {to: {body: a, value: 3*t, reaction: b}}
forces: {fo: {body: a, components: [1, t**2], frame: body}}
run: {duration: 1, output: 1 ms, channels: [a.x]}
""")

QUICK = settings(max_examples=500, deadline=None, derandomize=True, database=None,
                 suppress_health_check=list(HealthCheck))  # fmt: skip
JUNK = st.one_of(
    st.sampled_from([
        "\t", "{", "}", "[", "]", ":", ": ", "- ", "? ", "&a ", "*a", "!!python/name:os.system ", "!x ", "|\n", ">\n",
        "'", '"', "#", " #", "%", "@", "`", ",", "\n", "\r", "\x00", "\x85", "\u2028", "\ufeff", "\ud800", "é", "日本",
        "\U0001f600", "---\n", "...\n", "<<: ", "null", "~", "1e999", "-1e999", "9" * 400, ".nan", ".inf", "0x1F",
        "1_000", "[" * 60, "{a: " * 60,
    ]),
    st.text(max_size=8),
)  # fmt: skip
FILE, CHANCE = st.integers(0, len(TEXTS) - 1), st.randoms(use_true_random=False)
SCALARS = [
    "true", "~", "", "on", "1e999", "1e308", "-1e308", "5e-324", "1e-300", "0", "-1", "1e200", "5 km^9999",
    "3 mm^-9999 m", "1e300 km", "exp(t)", "9**9**9*t", "steel", "ground", "{}", "1 deg", "10 mm", "5 kg", "1 kN",
    "revolute", "Hertz",
]  # fmt: skip
VALUES = ["[1, 2, 3]", "{x: 1}", "[]", "{}", "[[0, 0], 0]", "{mass: {mass: 1}}"]


def leaves(node):
    """Values and keys of fields; names of parts and of materials are free."""
    keys, values = [], []

    def walk(node, depth, section):
        if isinstance(node, FileTable):
            for key, value in node.entries:
                named = depth == 1 and (section in SECTIONS or section == "materials")
                if not named:
                    keys.append(key)
                inside = key.text if depth == 0 else section
                if isinstance(value, FileLeaf):
                    values.append((key.text, value))
                walk(value, depth + 1, inside)
        elif isinstance(node, FileRow):
            for item in node.items:
                if isinstance(item, FileLeaf):
                    values.append(("", item))
                walk(item, depth + 1, section)

    walk(node, 0, "")
    return keys, values


TREES = [leaves(compose(text, [])) for text in TEXTS]


def put(text, node, new):
    """The text with one node on a line replaced."""
    lines = text.split("\n")
    line = lines[node.line - 1]
    lines[node.line - 1] = line[: node.column - 1] + new + line[node.column - 1 + node.width :]
    return "\n".join(lines)


def outcome(text):
    """A model file or its refusal; anything else fails the test."""
    try:
        found = loads(text, "m.yaml")
    except ModelFileError as error:
        lines = lines_of(text)
        assert error.problems
        for problem in error.problems:
            assert 1 <= problem.line <= len(lines)
            assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
            assert problem.width >= 1 and problem.message
        shown = str(error)
        assert shown.startswith("m.yaml:") and shown.endswith("nothing was run")
        assert "Traceback" not in shown and "object at 0x" not in shown
        return error
    assert isinstance(found, ModelFile)
    return found


def refused_at(text, node):
    error = outcome(text)
    assert isinstance(error, ModelFileError), text
    assert any(p.line == node.line and p.column >= node.column for p in error.problems), str(error)
    return error


@QUICK
@given(FILE, CHANCE, st.sampled_from(["q", "x_y", "Mass", "äö", "t"]))
def test_an_unknown_key_is_never_accepted(which, choose, letters):
    key = choose.choice(TREES[which][0])
    cut = choose.randrange(len(key.text) + 1)
    error = refused_at(put(TEXTS[which], key, key.text[:cut] + letters + key.text[cut:]), key)
    assert any(p.line == key.line and p.column == key.column for p in error.problems)


@QUICK
@given(FILE, CHANCE,
       st.sampled_from(["5 kg^3", "5 furlong", "1e3 Pa s^7", "5 mmm", "1 rad^2", "-3 W", "5 K"]))  # fmt: skip
def test_a_wrong_unit_is_never_accepted(which, choose, wrong):
    values = [(key, leaf) for key, leaf in TREES[which][1] if key != "name" and not leaf.text.startswith("a.")]
    values = [(key, leaf) for key, leaf in values if "." not in leaf.text or any(c.isdigit() for c in leaf.text)]
    _, leaf = choose.choice(values)
    refused_at(put(TEXTS[which], leaf, wrong), leaf)


@QUICK
@given(FILE, CHANCE, st.sampled_from(VALUES))
def test_a_wrong_type_is_never_accepted(which, choose, wrong):
    _, leaf = choose.choice(TREES[which][1])
    refused_at(put(TEXTS[which], leaf, wrong), leaf)


@QUICK
@given(FILE, CHANCE, st.lists(st.sampled_from(SCALARS), min_size=1, max_size=4))
def test_other_scalars_give_a_model_or_a_refusal(which, choose, others):
    text = TEXTS[which]
    # from the end, so that places before stay right
    chosen = sorted(choose.sample(TREES[which][1], len(others)), key=lambda item: (item[1].line, item[1].column))
    for (_, leaf), other in zip(reversed(chosen), others, strict=True):
        text = put(text, leaf, other)
    found = outcome(text)
    if isinstance(found, ModelFile):
        assert dump(loads(dump(found.mechanism, found.run)).mechanism) == dump(found.mechanism)


@QUICK
@given(FILE, CHANCE)
def test_a_key_given_twice_is_never_accepted(which, choose):
    lines = TEXTS[which].split("\n")
    rows = [k for k, line in enumerate(lines) if ":" in line and not line.lstrip().startswith("#")]
    row = choose.choice(rows)
    indent = len(lines[row]) - len(lines[row].lstrip())
    end = row + 1
    while end < len(lines) and lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > indent:
        end += 1
    lines[end:end] = lines[row:end]
    error = outcome("\n".join(lines))
    assert isinstance(error, ModelFileError)
    # a joint or line that goes over several lines may be cut instead
    assert any("twice" in p.message for p in error.problems) or which == len(TEXTS) - 1


@QUICK
@given(FILE, CHANCE)
def test_lines_lost_or_moved_give_a_model_or_a_refusal(which, choose):
    lines = TEXTS[which].split("\n")
    for _ in range(choose.randint(1, 3)):
        row = choose.randrange(len(lines))
        kind = choose.randrange(4)
        if kind == 0 and len(lines) > 1:
            del lines[row]
        elif kind == 1:
            other = choose.randrange(len(lines))
            lines[row], lines[other] = lines[other], lines[row]
        elif kind == 2:
            lines[row] = " " * choose.randrange(7) + lines[row].lstrip()
        else:
            lines[row] = lines[row].replace("  ", "\t", 1)
    outcome("\n".join(lines))


@QUICK
@given(FILE, CHANCE, st.lists(JUNK, min_size=1, max_size=3))
def test_junk_anywhere_gives_a_model_or_a_refusal(which, choose, junk):
    text = TEXTS[which]
    for piece in junk:
        at = choose.randrange(len(text) + 1)
        text = text[:at] + piece + text[at + choose.choice([0, 0, 1, len(piece)]) :]
    found = outcome(text)
    if isinstance(found, ModelFile):
        # what is accepted can be written, and comes back
        assert dump(loads(dump(found.mechanism, found.run)).mechanism) == dump(found.mechanism)


@QUICK
@given(FILE, st.floats(0, 1))
def test_a_truncated_file_gives_a_model_or_a_refusal(which, part):
    text = TEXTS[which]
    outcome(text[: int(part * len(text))])


@settings(QUICK, max_examples=300)
@given(st.text(max_size=200))
def test_any_text_gives_a_model_or_a_refusal(text):
    outcome(text)
