"""An elastic block whose axial motion and turning are coupled, as those of a disc between two vertebrae are.

A push F along the axis, and no moment about it, shortens the disc by z and turns it by r:

    k_z z + k_zr r = F,     k_zr z + k_r r = 0       so that     z = F k_r / (k_z k_r - k_zr^2),   r = -k_zr z / k_r

The numbers are made up; z and r hold at any size, since both motions go along and about one axis.
"""

import gudgeon as gd

ALONG, ABOUT, BOTH = 5e4, 6.0, -270.0  # [N/m], [N m/rad], [N/rad]
PUSH = -400.0  # [N]


def disc() -> gd.Mechanism:
    stiffness = [[0.0] * 6 for _ in range(6)]
    for k, value in enumerate((2e4, 2e4, ALONG, 40.0, 40.0, ABOUT)):
        stiffness[k][k] = value
    stiffness[2][5] = stiffness[5][2] = BOTH

    m = gd.Mechanism("disc", planar=False)
    upper = m.body("upper", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), at=(0, 0, 0))
    fit = gd.Elastic(stiffness, damping=(200, 200, 200, 0.2, 0.2, 0.2))
    m.mount("disc", journal=upper, bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), fit=fit)
    m.force(upper, (0, 0, PUSH))
    return m


def main() -> dict[str, float]:
    run = gd.simulate(disc(), duration="1 s", output="1 ms")

    z, turn = float(run["disc.ez"][-1]), float(run["disc.rz"][-1])
    print(f"the disc is {-1e3 * z:.3f} mm shorter and turned by {turn:.4f} rad")
    gd.plot(run, "mechanism", "disc.ez", "disc.rz", "disc.load_rz").save("out/examples/disc.svg")
    return {"z": z, "turn": turn, "stored": float(run["energy.potential"][-1])}


if __name__ == "__main__":
    main()
