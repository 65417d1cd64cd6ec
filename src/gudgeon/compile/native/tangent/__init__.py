"""Forward differentiation of opaque scalar functions, by rewriting their source.

A law is a plain function of floats. Its tangent is the same source in which every variable x that depends on the
chosen argument has a companion d_x, its derivative::

    def force(depth, rate, p):                  def force_0(depth, rate, p):
        x = p[0] * depth                            d_depth = 1.0
        if x < p[1]:                                v_1 = p[0]
            x = x * x                               x = v_1 * depth
        return x + p[2] * rate                      d_x = v_1 * d_depth
                                                    if x < p[1]: ...

Branches and loops follow the values, so at a kink the derivative is that of the side the law itself takes. Helpers
called by name are rewritten with it. Numbers from outside the function are written into the text, which so holds
everything that the derivative depends on: its hash names the file it is kept in.

There is no fallback to differences: what cannot be read or is not known is refused, with its line.
"""

from gudgeon.compile.native.tangent.program import tangent

__all__ = ["tangent"]
