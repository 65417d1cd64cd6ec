"""Mechanism -> System: equations of motion as a graph, a consistent start, machine code.

`assemble(mechanism, needs)` chooses one of four formulations (`support.choose`) and gives a `System` in named parts:
layout of the state, compiled code, what can be reported, the start. Every function has the form f(t, y, p, m, out):

  y   coordinates, velocities, internal states (bristles, angles of drives given by their speed, currents), integrals
      (work of drives, contacts and friction: the energy ledger), which ride along outside error control
  p   every number of the description, then what `prepare` derives from them once per run. 0 and 1 in geometry are
      structure and fold; every other number can change without compiling anything
  m   mode and first-touch speed of each contact, changed at located events only

Functions: rhs (slopes), gaps (depth, rate and force of each contact), project (corrections onto the constraints and
their residuals), channels (everything a run can report), prepare; on request jacobian; with hard walls delassus,
velocity_jump and row_accelerations; in the residual form residual and tangent, over steps conservative and dissipative.

Decisions:

- Only positions are written by hand. Rows and touches of a mate are formulas; Jacobians, rates, acceleration terms and
  generalised forces are derivatives of the graph. The generalised force of friction is the derivative of the slip by
  the velocities, so that its power is force times slip to the last digit.
- What cannot go with what is said once, by `refuses(mechanism, needs)` of each formulation; `support.table` prints it.
- How contact is treated has one word, `Needs.contact`, on the method, the trace and the system.
- Large mechanisms are looped, small ones written out; open trees have the coordinates of their joints.
"""

from gudgeon.assemble.build import assemble
from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.needs import ContactTreatment, Needs
from gudgeon.assemble.report.channels import LEDGER, Channel
from gudgeon.assemble.system import Baumgarte, System
from gudgeon.assemble.trace.motors import SUPPLIED
from gudgeon.compile.graph.llvm import call_address

__all__ = ["LEDGER", "SUPPLIED", "Baumgarte", "Channel", "Contact", "ContactTreatment", "Film", "Needs", "System",
           "assemble", "call_address"]  # fmt: skip
