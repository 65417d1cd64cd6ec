"""The description of an FMU: variables, units, structure, as FMI 2.0 and 3.0 want it.

Value references are those of c/instance.h: the kind of a variable, times 2**20, and its number among its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from gudgeon.export.programs.machine import ExportedMechanism

__all__ = ["KINDS", "Variable", "description", "variables"]

KINDS = ("time", "input", "parameter", "output", "state", "slope", "touching", "touch_speed", "touch_time",
         "peak_force", "indicator")  # fmt: skip
BITS = 20
CAUSALITY = {"time": "independent", "input": "input", "parameter": "parameter", "output": "output"}
FIXED, DISCRETE = ("parameter",), ("touching", "touch_speed", "touch_time", "peak_force")
STARTED = ("input", "parameter", "state")  # have a start value
# by the symbol of a unit: exponents of the base units, and a factor
BASE = {
    "m": {"m": 1}, "s": {"s": 1}, "kg": {"kg": 1}, "A": {"A": 1}, "rad": {"rad": 1}, "1": {},
    "N": {"kg": 1, "m": 1, "s": -2}, "J": {"kg": 1, "m": 2, "s": -2}, "W": {"kg": 1, "m": 2, "s": -3},
    "Pa": {"kg": 1, "m": -1, "s": -2}, "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "ohm": {"kg": 1, "m": 2, "s": -3, "A": -2}, "H": {"kg": 1, "m": 2, "s": -2, "A": -2},
    "Nm": {"kg": 1, "m": 2, "s": -2}, "Ns": {"kg": 1, "m": 1, "s": -1},
}  # fmt: skip
ONE = re.compile(r"([A-Za-z]+|1)(?:\^([\d.]+))?$")


@dataclass(frozen=True)
class Variable:
    """A variable as both versions know it. `of` is the state that a slope is the derivative of."""

    kind: str
    number: int
    name: str
    unit: str = ""
    words: str = ""
    start: float | None = None
    of: Variable | None = field(default=None, repr=False)

    @property
    def reference(self) -> int:
        return KINDS.index(self.kind) << BITS | self.number

    @property
    def causality(self) -> str:
        return CAUSALITY.get(self.kind, "local")

    @property
    def variability(self) -> str:
        return "fixed" if self.kind in FIXED else "discrete" if self.kind in DISCRETE else "continuous"


def variables(machine: ExportedMechanism) -> list[Variable]:
    """Every variable, in the order of the kinds."""
    return list(_variables(machine))


def _variables(machine: ExportedMechanism) -> Iterator[Variable]:
    system = machine.system
    yield Variable("time", 0, "time", "s", "time")
    for k, one in enumerate(machine.inputs):
        yield Variable("input", k, one.name, one.unit, one.words, one.start)
    for k, one in enumerate(machine.parameters):
        yield Variable("parameter", k, one.name, one.unit, one.words, one.start)
    taken = {one.name for one in (*machine.inputs, *machine.parameters)}
    for k, channel in enumerate(system.channels):
        # a controller reports the speed that it is given, and a motor its voltage
        name = f"{channel.name}.reported" if channel.name in taken else channel.name
        yield Variable("output", k, name, channel.unit, channel.label)
    states = [Variable("state", k, f"state.{k + 1}", unit, words, float(system.y0[k]))
              for k, (unit, words) in enumerate(_states(machine))]  # fmt: skip
    yield from states
    for x in states:
        yield Variable("slope", x.number, f"der({x.name})", _per_second(x.unit), f"rate of {x.name}", of=x)
    contacts = system.event_contacts
    for kind, words in (("touching", "whether it touches"), ("touch_speed", "first-touch speed"),
                        ("touch_time", "time of first touch, -1 before"),
                        ("peak_force", "largest force since first touch, -1 in model exchange"),
                        ("indicator", "depth")):  # fmt: skip
        for k, contact in enumerate(contacts):
            length, force = ("rad", "Nm") if contact.angular else ("m", "N")
            unit = {"touch_speed": f"{length}/s", "touch_time": "s", "peak_force": force, "indicator": length}
            yield Variable(kind, k, f"{contact.name}.{kind}", unit.get(kind, ""), f"contact {contact.name}: {words}")


def _states(machine: ExportedMechanism) -> Iterator[tuple[str, str]]:
    """Unit and words of each state."""
    layout = machine.system.layout
    for k, unit in enumerate(layout.units):
        yield unit, "coordinate" if k < layout.positions else "velocity"
    inner = layout.internal if layout.reduction is None else []
    for k in range(layout.controlled - len(layout.units)):
        yield "", f"internal state {inner[k]}" if k < len(inner) else "internal state"
    for name in layout.integrals:
        yield "J", f"integral {name}"


def _per_second(unit: str) -> str:
    if unit in ("", "1"):
        return "1/s"
    stem, _, below = unit.partition("/")
    powers = {"": "s", "s": "s^2", "s^2": "s^3"}
    return f"{stem}/{powers[below]}" if below in powers else f"{unit} s^-1"


def exponents(unit: str) -> dict[str, int] | None:
    """Of the base units; None of a unit that is not made of them."""
    total: dict[str, int] = {}
    for sign, part in zip((1, -1), unit.partition("/")[::2], strict=True):
        for word in part.replace("*", " ").split():
            match = ONE.match(word)
            if match is None or match[1] not in BASE:
                return None
            power = float(match[2] or 1)
            for base, exponent in BASE[match[1]].items():
                if not (power * exponent).is_integer():
                    return None
                total[base] = total.get(base, 0) + sign * int(power) * exponent
    return {base: exponent for base, exponent in total.items() if exponent}


@dataclass(frozen=True)
class About:
    """What an FMU says of itself. `stop` and `step` are suggestions [s]."""

    identifier: str
    token: str
    words: str
    version: str
    stop: float
    step: float


def description(machine: ExportedMechanism, about: About, version: int) -> bytes:
    """modelDescription.xml of FMI 2 or 3."""
    made = (_second if version == 2 else _third)(machine, about, variables(machine))
    ElementTree.indent(made)
    return ElementTree.tostring(made, encoding="UTF-8", xml_declaration=True)


def _common(about: About, machine: ExportedMechanism) -> dict[str, str]:
    return {"modelName": machine.name, "description": about.words, "author": "gudgeon", "license": "MIT",
            "generationTool": f"gudgeon {about.version}"}  # fmt: skip


def _units(root: Element, every: Sequence[Variable]) -> None:
    units = sorted({one.unit for one in every if one.unit})
    within = SubElement(root, "UnitDefinitions")
    for unit in units:
        entry, powers = SubElement(within, "Unit", name=unit), exponents(unit)
        if powers is not None:
            SubElement(entry, "BaseUnit", {base: str(exponent) for base, exponent in powers.items()})


def _categories(root: Element) -> None:
    within = SubElement(root, "LogCategories")
    for name in ("logAll", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"):
        SubElement(within, "Category", name=name)


def _experiment(root: Element, machine: ExportedMechanism, about: About) -> None:
    SubElement(root, "DefaultExperiment", startTime="0", stopTime=_number(about.stop), stepSize=_number(about.step),
               tolerance=_number(machine.method.rtol))  # fmt: skip


def _number(value: float) -> str:
    return repr(float(value))


def _second(machine: ExportedMechanism, about: About, every: Sequence[Variable]) -> Element:
    root = Element("fmiModelDescription", {"fmiVersion": "2.0", "guid": about.token, **_common(about, machine),
                                           "variableNamingConvention": "flat"})  # fmt: skip
    contacts = sum(one.kind == "indicator" for one in every)
    root.set("numberOfEventIndicators", str(contacts))
    able = {"modelIdentifier": about.identifier, "needsExecutionTool": "false", "canGetAndSetFMUstate": "true",
            "canSerializeFMUstate": "true", "canBeInstantiatedOnlyOncePerProcess": "false",
            "canNotUseMemoryManagementFunctions": "true",
            "providesDirectionalDerivative": str(machine.differentiable).lower()}  # fmt: skip
    for kind in ("ModelExchange", "CoSimulation"):
        own = {"canHandleVariableCommunicationStepSize": "true"} if kind == "CoSimulation" else {}
        SubElement(root, kind, able | own)
    _units(root, every)
    _categories(root)
    _experiment(root, machine, about)
    within = SubElement(root, "ModelVariables")
    places = {(one.kind, one.number): k for k, one in enumerate(every, 1)}
    for one in every:
        entry = SubElement(within, "ScalarVariable", name=one.name, valueReference=str(one.reference),
                           description=one.words, causality=one.causality, variability=one.variability)  # fmt: skip
        if one.kind == "state":
            entry.set("initial", "exact")
        elif one.causality in ("local", "output"):
            entry.set("initial", "calculated")
        type_ = SubElement(entry, "Boolean" if one.kind == "touching" else "Real")
        if one.unit:
            type_.set("unit", one.unit)
        if one.kind in STARTED and one.start is not None:
            type_.set("start", _number(one.start))
        if one.of is not None:
            type_.set("derivative", str(places["state", one.number]))
    structure = SubElement(root, "ModelStructure")
    outputs = [k for k, one in enumerate(every, 1) if one.kind == "output"]
    slopes = [k for k, one in enumerate(every, 1) if one.kind == "slope"]
    for title, numbers in (("Outputs", outputs), ("Derivatives", slopes), ("InitialUnknowns", outputs + slopes)):
        if numbers:
            part = SubElement(structure, title)
            for k in numbers:
                SubElement(part, "Unknown", index=str(k))
    return root


def _third(machine: ExportedMechanism, about: About, every: Sequence[Variable]) -> Element:
    root = Element("fmiModelDescription", {"fmiVersion": "3.0", "instantiationToken": about.token,
                                           **_common(about, machine), "variableNamingConvention": "flat"})  # fmt: skip
    able = {"modelIdentifier": about.identifier, "needsExecutionTool": "false", "canGetAndSetFMUState": "true",
            "canSerializeFMUState": "true", "canBeInstantiatedOnlyOncePerProcess": "false",
            "providesDirectionalDerivatives": str(machine.differentiable).lower(),
            "providesAdjointDerivatives": "false"}  # fmt: skip
    for kind in ("ModelExchange", "CoSimulation"):
        own = {"canHandleVariableCommunicationStepSize": "true"} if kind == "CoSimulation" else {}
        SubElement(root, kind, able | own)
    _units(root, every)
    _categories(root)
    _experiment(root, machine, about)
    within = SubElement(root, "ModelVariables")
    for one in every:
        entry = SubElement(within, "Boolean" if one.kind == "touching" else "Float64", name=one.name,
                           valueReference=str(one.reference), description=one.words, causality=one.causality,
                           variability=one.variability)  # fmt: skip
        if one.kind == "state":
            entry.set("initial", "exact")
        elif one.causality in ("local", "output"):
            entry.set("initial", "calculated")
        if one.unit:
            entry.set("unit", one.unit)
        if one.kind in STARTED and one.start is not None:
            entry.set("start", _number(one.start))
        if one.of is not None:
            entry.set("derivative", str(one.of.reference))
    structure = SubElement(root, "ModelStructure")
    titles = {"Output": ["output"], "ContinuousStateDerivative": ["slope"], "InitialUnknown": ["output", "slope"],
              "EventIndicator": ["indicator"]}  # fmt: skip
    for title, kinds in titles.items():
        for one in every:
            if one.kind in kinds:
                SubElement(structure, title, valueReference=str(one.reference))
    return root
