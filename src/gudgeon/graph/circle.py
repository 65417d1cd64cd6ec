"""Sine and cosine together, as straight-line LLVM code.

A mechanism asks for both of every angle, and a call of the C library for each angle would take half the time of its
equations. Written out, the code of several angles overlaps, and so do their latencies.

    k = round(x·2/π),  r = x - k·π/2 in |r| <= π/4
    sin r = r - r³/3! + ... + r¹⁷/17!,   cos r = 1 - r²/2! + ... + r¹⁶/16!

π/2 is subtracted in three pieces; the first two have 33 bits, so their products with k < 2²⁰ are exact (Cody and
Waite). The first terms left out are below 2e-18. Beyond |x| = 10⁶ the C library is called.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

from llvmlite import ir

_DOUBLE = ir.DoubleType()

LIMIT = 1e6
TWO_OVER_PI = 0.6366197723675814
PIECES = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
SINGLE_PIECES = (1.5703125, 4.83751296997e-4, 7.5497894159e-8)  # the same for numbers of 24 bits

_SIN = [(-1.0) ** n / factorial(2 * n + 1) for n in range(1, 9)]
_COS = [(-1.0) ** n / factorial(2 * n) for n in range(1, 9)]


def sin_cos(builder: ir.IRBuilder, x: ir.Value, flags: tuple[str, ...],
            library: Callable[[str], ir.Function] | None = None) -> tuple[ir.Value, ir.Value]:  # fmt: skip
    """Values of sin x and cos x; `library` gives the functions to call far from zero."""
    size = builder.call(builder.module.declare_intrinsic("llvm.fabs", (x.type,)), [x])
    ordinary = builder.fcmp_ordered("<", size, ir.Constant(x.type, LIMIT))
    with builder.if_else(ordinary, likely=True) as (near, far):
        with near:
            close = _near(builder, x, flags)
            near_block = builder.block
        with far:
            found = library or (lambda name: builder.module.declare_intrinsic(f"llvm.{name}", (x.type,)))
            away = [builder.call(found(name), [x]) for name in ("sin", "cos")]
            far_block = builder.block
    merged = []
    for a, b in zip(close, away, strict=True):
        phi = builder.phi(x.type)
        phi.add_incoming(a, near_block)
        phi.add_incoming(b, far_block)
        merged.append(phi)
    return merged[0], merged[1]


def _near(b: ir.IRBuilder, x: ir.Value, flags: tuple[str, ...]) -> tuple[ir.Value, ir.Value]:
    real = x.type
    rounded = b.module.declare_intrinsic("llvm.rint", (real,))
    k = b.call(rounded, [b.fmul(x, ir.Constant(real, TWO_OVER_PI))])
    r = x
    for piece in PIECES if real == _DOUBLE else SINGLE_PIECES:
        r = b.fsub(r, b.fmul(k, ir.Constant(real, piece), flags=flags), flags=flags)
    z = b.fmul(r, r)
    sine = b.fadd(r, b.fmul(b.fmul(r, z), _polynomial(b, _SIN, z, flags), flags=flags), flags=flags)
    cosine = b.fadd(ir.Constant(real, 1.0), b.fmul(z, _polynomial(b, _COS, z, flags), flags=flags), flags=flags)
    word = ir.IntType(64 if real == _DOUBLE else 32)
    quarter = b.fptosi(k, word)
    odd = b.trunc(quarter, ir.IntType(1))
    sign_of_sine = _bit_one(b, quarter)
    sign_of_cosine = _bit_one(b, b.add(quarter, ir.Constant(word, 1)))
    sine, cosine = b.select(odd, cosine, sine), b.select(odd, sine, cosine)
    return _signed(b, sine, sign_of_sine), _signed(b, cosine, sign_of_cosine)


def _polynomial(b: ir.IRBuilder, coefficients: list[float], z: ir.Value, flags: tuple[str, ...]) -> ir.Value:
    """Eight terms by pairs, pairs of pairs and halves (Estrin): a third of the latency of Horner's rule."""
    parts: list[ir.Value] = [ir.Constant(z.type, c) for c in coefficients]
    power = z
    while len(parts) > 1:
        parts = [b.fadd(low, b.fmul(high, power, flags=flags), flags=flags)
                 for low, high in zip(parts[0::2], parts[1::2], strict=True)]  # fmt: skip
        power = b.fmul(power, power)
    return parts[0]


def _bit_one(b: ir.IRBuilder, k: ir.Value) -> ir.Value:
    """Bit 1 of k moved to the sign bit of a number of the same width."""
    return b.shl(b.and_(k, ir.Constant(k.type, 2)), ir.Constant(k.type, k.type.width - 2))


def _signed(b: ir.IRBuilder, value: ir.Value, sign: ir.Value) -> ir.Value:
    return b.bitcast(b.xor(b.bitcast(value, sign.type), sign), value.type)
