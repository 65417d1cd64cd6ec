"""A mechanism outside Python: in a browser, in another program.

Decisions:

- What leaves is what runs here: the time loop of the method with its event location, and the functions of the
  mechanism, by the same compiler (`code`). There is no second implementation of anything.
- Code for elsewhere is written for no processor in particular (`compile.python.unit.PORTABLE`): no fused operations,
  our own elementary functions. It gives the same result everywhere, and one that differs by rounding from that of the
  fastest code for this processor, as two processors differ.
- The memory of a march, its records and arrays, is copied into one block whose addresses count from its start
  (`image`). Whoever runs the code elsewhere puts the block somewhere and adds that place to the addresses.
- What changes with a clearance or a speed is found by assembling the mechanism at chosen values and interpolated by
  polynomials, checked at values between them (`knobs`). So a page needs no equations of fits, materials or starts.
- A page (`live`) computes with parts (`parts`): the march, its twin with ideal joints, and the projection that tells
  what play adds to a pose. Its program is the viewer's (viewer/src/live.js), with a worker (worker.js) that knows
  nothing of mechanisms: it puts images into memory, evaluates polynomials and empties tapes.
"""
