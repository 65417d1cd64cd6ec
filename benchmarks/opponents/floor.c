/* The floor of race P1: equations derived by hand for this one mechanism, its own DOPRI5.
 *
 * States y = (phi, xs, phi', xs').  With e2 = (-sin phi, cos phi), d = P - S = distance * n:
 *     phi'' = 1.5 r omega^2 / L sin(theta - phi) - 3 F / (m L) e2.n
 *     xs''  = F n_x / m_slider
 * The march is march.h.  Compiled with -DREAL="long double" the same source is the reference. */

#include "real.h"

#define N 4

typedef struct {
    real r, L, omega, c, K, hysteresis, slowest;
    real swing, pull, slider; /* 1.5 r omega^2 / L, 3 / (m_rod L), 1 / m_slider */
} Model;

static Model model_of(const double *p)
{
    Model m = {p[0], p[1], p[4], p[5], p[6], p[7], p[8], 0, 0, 0};
    m.swing = (real)1.5 * m.r * m.omega * m.omega / m.L;
    m.pull = 3 / ((real)p[2] * m.L);
    m.slider = 1 / (real)p[3];
    return m;
}

INLINE void derivative(const Model *m, int contact, real hysteresis_rate, real t, const real *y, real *f)
{
    real theta = m->omega * t;
    f[0] = y[2];
    f[1] = y[3];
    if (!contact) {
        f[2] = m->swing * sin(theta - y[0]);
        f[3] = 0;
        return;
    }
    real st = sin(theta), ct = cos(theta), sp = sin(y[0]), cp = cos(y[0]);
    real dx = m->r * ct + m->L * cp - y[1], dy = m->r * st + m->L * sp;
    real square = dx * dx + dy * dy, force = 0;
    f[2] = m->swing * (st * cp - ct * sp);
    if (square > m->c * m->c) {
        real vx = -m->r * m->omega * st - m->L * sp * y[2] - y[3];
        real vy = m->r * m->omega * ct + m->L * cp * y[2];
        real distance = sqrt(square), depth = distance - m->c, inverse = 1 / distance;
        real rate = (dx * vx + dy * vy) * inverse;
        force = m->K * depth * sqrt(depth) * (1 + hysteresis_rate * rate) * inverse;
        force = force > 0 ? force : 0;
    }
    f[2] -= m->pull * force * (cp * dy - sp * dx);
    f[3] = m->slider * force * dx;
}

INLINE real gap(const Model *m, real t, const real *y, real *rate)
{
    real theta = m->omega * t;
    real st = sin(theta), ct = cos(theta), sp = sin(y[0]), cp = cos(y[0]);
    real dx = m->r * ct + m->L * cp - y[1], dy = m->r * st + m->L * sp;
    real vx = -m->r * m->omega * st - m->L * sp * y[2] - y[3];
    real vy = m->r * m->omega * ct + m->L * cp * y[2];
    real distance = sqrt(dx * dx + dy * dy);
    *rate = distance > 0 ? (dx * vx + dy * vy) / distance : 0;
    return distance - m->c;
}

/* what an error of 1 in each state weighs at tolerance 1 */
static void weights_of(const Model *m, real *weight)
{
    weight[0] = 1;
    weight[1] = 1 / m->L;
    weight[2] = 1 / m->omega;
    weight[3] = 1 / m->omega / m->L;
}

#include "march.h"
