"""Sine and cosine together, as straight-line LLVM code.

A mechanism asks for both of every angle, and a call of the C library for each angle would take half the time of its
equations. Written out, the code of several angles overlaps, and so do their latencies.

    k = round(x·2/π),  r = x - k·π/2 in |r| <= π/4
    sin r = r - r³/3! + ... + r¹⁷/17!,   cos r = 1 - r²/2! + ... + r¹⁶/16!

π/2 is subtracted in three pieces (Cody and Waite) of 33, 33 and 53 bits, product and difference rounded once: what is
left is right to the last place for |x| up to 10¹⁵, where a double has no more than a digit behind the point; beyond, an
angle has no digits that count, and r is 0. Where neither the processor nor a library can round product and difference
once, in a browser, the products are exact up to |x| = 1.6·10⁶ (k of 20 bits), a quarter of a million turns. The first
terms left out are below 2e-18. Without branches the compiler sees that two functions of a mechanism ask for the same
angle, and computes it once.
"""

from __future__ import annotations

from math import factorial

from llvmlite import ir

from gudgeon.compile.processor import multiply_add

TWO_OVER_PI = 0.6366197723675814
PIECES = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
WHOLE = 1.5 * 2.0**52  # added to a number, it leaves no digit behind the point

_SIN = [(-1.0) ** n / factorial(2 * n + 1) for n in range(1, 9)]
_COS = [(-1.0) ** n / factorial(2 * n) for n in range(1, 9)]


def sin_cos(b: ir.IRBuilder, x: ir.Value, *, fused: bool, rounded_once: bool = True) -> tuple[ir.Value, ir.Value]:
    """Values of sin x and cos x. rounded_once: products are subtracted by a function that rounds once."""
    real, word = x.type, ir.IntType(64)
    k = b.call(b.module.declare_intrinsic("llvm.rint", (real,)), [b.fmul(x, ir.Constant(real, TWO_OVER_PI))])
    r, back = x, b.fneg(k)
    for piece in PIECES:
        r = multiply_add(b, back, ir.Constant(real, piece), r, fused=rounded_once)
    size = b.call(b.module.declare_intrinsic("llvm.fabs", (real,)), [r])
    r = b.select(b.fcmp_ordered(">", size, ir.Constant(real, 1.0)), ir.Constant(real, 0.0), r)
    z = b.fmul(r, r)
    sine = multiply_add(b, b.fmul(r, z), _polynomial(b, _SIN, z, fused=fused), r, fused=fused)
    cosine = multiply_add(b, z, _polynomial(b, _COS, z, fused=fused), ir.Constant(real, 1.0), fused=fused)
    quarter = b.bitcast(b.fadd(k, ir.Constant(real, WHOLE)), word)  # its last bits are those of k
    odd = b.trunc(quarter, ir.IntType(1))
    sign_of_sine = _bit_one(b, quarter)
    sign_of_cosine = _bit_one(b, b.add(quarter, ir.Constant(word, 1)))
    sine, cosine = b.select(odd, cosine, sine), b.select(odd, sine, cosine)
    return _signed(b, sine, sign_of_sine), _signed(b, cosine, sign_of_cosine)


def _polynomial(b: ir.IRBuilder, coefficients: list[float], z: ir.Value, *, fused: bool) -> ir.Value:
    """Eight terms by pairs, pairs of pairs and halves (Estrin): a third of the latency of Horner's rule."""
    parts: list[ir.Value] = [ir.Constant(z.type, c) for c in coefficients]
    power = z
    while len(parts) > 1:
        parts = [multiply_add(b, high, power, low, fused=fused)
                 for low, high in zip(parts[0::2], parts[1::2], strict=True)]  # fmt: skip
        power = b.fmul(power, power)
    return parts[0]


def _bit_one(b: ir.IRBuilder, k: ir.Value) -> ir.Value:
    """Bit 1 of k moved to the sign bit of a number of the same width."""
    return b.shl(b.and_(k, ir.Constant(k.type, 2)), ir.Constant(k.type, k.type.width - 2))


def _signed(b: ir.IRBuilder, value: ir.Value, sign: ir.Value) -> ir.Value:
    return b.bitcast(b.xor(b.bitcast(value, sign.type), sign), value.type)
