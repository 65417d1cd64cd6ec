"""A mechanism inside other programs: an object file with a C header, and an FMU.

Decisions:

- Every number that may change in time, of a drive, load, motor or controller, becomes an input (`inputs`); formulas of
  time stay inside. The input of a drive is its acceleration: a speed that jumps would need an infinite force.
- A number of the description is a parameter where it is one number of the equations and the start does not depend on
  it (`inputs`); one that stands for several, such as a clearance that changes the stiffness of a contact too, is
  changed before exporting.
- Derivatives along a direction are formulas of the same graph (`slopes`), exact through contacts in their mode.
- One object file holds code, memory and description (`machine`), of which one symbol is seen outside. What calls it
  is C that is the same for every mechanism (`c/`): the march to a time, inputs, outputs, saved states (`gudgeon.c`);
  FMI 2 and 3 are two thin layers on that (`fmi2.c`, `fmi3.c` on `instance.c`).
- Model exchange has the states of the march, the depths of contacts as event indicators, and modes and speeds of first
  touch as discrete states, changed by the same kernel as in the march. Constraints are solved for the accelerations;
  where the states drift off them, an event brings them back.
- Linking is left to a C compiler: that of the `ziglang` package for every platform, or that of this computer for its
  own (`platforms`).
"""
