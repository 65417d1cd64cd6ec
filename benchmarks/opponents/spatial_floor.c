/* The floor of race P2: equations derived by hand for this one mechanism, the march of P1.
 *
 * States y = (theta, psi, Euler parameters of the coupler, theta', psi', w): crank and rocker angle, angular
 * velocity of the coupler in its own axes a1, u, a3, of which u lies along the coupler.  With
 * e1 = (0, cos theta, sin theta), e2 = (0, -sin theta, cos theta), the crank pin is B = r e1, the ball B + L u,
 * the socket S = D + l (sin psi, 0, cos psi).  w x u = -w3 a1 + w1 a3 gives
 *     u'' = alpha1 a1 + alpha3 a3 - (w1^2 + w3^2) u,   alpha1 = w1 w2 - w3',   alpha3 = w1' + w2 w3.
 * With the force F on the ball, J = I_t + m L^2 / 4, h = m L r / 2 and W = L F + m L / 2 g + h theta'^2 e1 the
 * moments about B are
 *     J alpha1 = I_a w1 w2 + a1.W - h (a1.e2) theta'',   J alpha3 = I_a w2 w3 + a3.W - h (a3.e2) theta''
 * and, with both put into the moment about the crank's axis,
 *     (J_c + m r^2 - h^2 ((a1.e2)^2 + (a3.e2)^2) / J) theta'' =
 *         e2.(r F + (m + m_c / 2) r g) - h / J (a1.e2 b1 + a3.e2 b3) + h (w1^2 + w3^2) e2.u,
 * b1 and b3 being the right sides above without theta''.  The rocker turns by J_r psi'' = t.(m_r l / 2 g - l F),
 * t = (cos psi, 0, -sin psi).  J_c and J_r are about the axes. */

#include "real.h"

#define N 11

typedef struct {
    real r, L, l, dx, dy, c, K, hysteresis, slowest;
    real crank, rocker, turn, axial;    /* J_c + m r^2, 1 / J_r, 1 / J, I_a */
    real couple, lift, sink, fall;      /* h, (m + m_c / 2) r g, m L / 2 g, m_r l / 2 g */
    real pace;                          /* of the weights of velocities, 1/s */
} Model;

static Model model_of(const double *p)
{
    real m = p[9], g = p[16];
    Model s = {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], 0, 0, 0, 0, 0, 0, 0, 0, 0};
    s.crank = (real)p[11] + m * s.r * s.r;
    s.turn = 1 / ((real)p[12] + m * s.L * s.L / 4);
    s.axial = p[13];
    s.rocker = 1 / (real)p[15];
    s.couple = m * s.L * s.r / 2;
    s.lift = (m + (real)p[10] / 2) * s.r * g;
    s.sink = m * s.L / 2 * g;
    s.fall = (real)p[14] * s.l / 2 * g;
    s.pace = p[17];
    return s;
}

/* the ball relative to the socket and its velocity */
#define BALL_IN_SOCKET                                                                                   \
    real e0 = y[2], e1 = y[3], e2 = y[4], e3 = y[5], w1 = y[8], w2 = y[9], w3 = y[10];                   \
    real st = sin(y[0]), ct = cos(y[0]), sp = sin(y[1]), cp = cos(y[1]);                                 \
    real ux = 2 * (e1 * e2 - e0 * e3), uy = 1 - 2 * (e1 * e1 + e3 * e3), uz = 2 * (e2 * e3 + e0 * e1);   \
    real ax = 1 - 2 * (e2 * e2 + e3 * e3), ay = 2 * (e1 * e2 + e0 * e3), az = 2 * (e1 * e3 - e0 * e2);   \
    real bx = 2 * (e1 * e3 + e0 * e2), by = 2 * (e2 * e3 - e0 * e1), bz = 1 - 2 * (e1 * e1 + e2 * e2);   \
    real x = m->L * ux - m->dx - m->l * sp, yy = m->r * ct + m->L * uy - m->dy;                          \
    real z = m->r * st + m->L * uz - m->l * cp;                                                          \
    real square = x * x + yy * yy + z * z;

#define ITS_VELOCITY                                                                                     \
    real vx = m->L * (w1 * bx - w3 * ax) - m->l * cp * y[7];                                             \
    real vy = m->L * (w1 * by - w3 * ay) - m->r * st * y[6];                                             \
    real vz = m->L * (w1 * bz - w3 * az) + m->r * ct * y[6] + m->l * sp * y[7];

INLINE void derivative(const Model *m, int contact, real hysteresis_rate, real t, const real *y, real *f)
{
    BALL_IN_SOCKET
    real fx = 0, fy = 0, fz = 0;
    if (contact && square > m->c * m->c) {
        ITS_VELOCITY
        real distance = sqrt(square), depth = distance - m->c, inverse = 1 / distance;
        real rate = (x * vx + yy * vy + z * vz) * inverse;
        real force = m->K * depth * sqrt(depth) * (1 + hysteresis_rate * rate) * inverse;
        force = force > 0 ? force : 0;
        fx = -force * x;
        fy = -force * yy;
        fz = -force * z;
    }
    real whirl = m->couple * y[6] * y[6];
    real wx = m->L * fx, wy = m->L * fy + whirl * ct, wz = m->L * fz + whirl * st - m->sink;
    real s1 = ct * az - st * ay, s3 = ct * bz - st * by;
    real b1 = m->axial * w1 * w2 + ax * wx + ay * wy + az * wz;
    real b3 = m->axial * w2 * w3 + bx * wx + by * wy + bz * wz;
    real share = m->couple * m->turn;
    real moment = m->r * (ct * fz - st * fy) - m->lift * ct - share * (s1 * b1 + s3 * b3)
                  + m->couple * (w1 * w1 + w3 * w3) * (ct * uz - st * uy);
    real swing = moment / (m->crank - m->couple * share * (s1 * s1 + s3 * s3));
    f[0] = y[6];
    f[1] = y[7];
    f[2] = (real)-0.5 * (e1 * w1 + e2 * w2 + e3 * w3);
    f[3] = (real)0.5 * (e0 * w1 - e3 * w2 + e2 * w3);
    f[4] = (real)0.5 * (e3 * w1 + e0 * w2 - e1 * w3);
    f[5] = (real)0.5 * (e1 * w2 - e2 * w1 + e0 * w3);
    f[6] = swing;
    f[7] = m->rocker * (m->fall * sp - m->l * (cp * fx - sp * fz));
    f[8] = m->turn * b3 - share * s3 * swing - w2 * w3;
    f[9] = 0;
    f[10] = w1 * w2 - (m->turn * b1 - share * s1 * swing);
}

INLINE real gap(const Model *m, real t, const real *y, real *rate)
{
    BALL_IN_SOCKET
    ITS_VELOCITY
    real distance = sqrt(square);
    *rate = distance > 0 ? (x * vx + yy * vy + z * vz) / distance : 0;
    return distance - m->c;
}

/* what an error of 1 in each state weighs at tolerance 1 */
static void weights_of(const Model *m, real *weight)
{
    for (int i = 0; i < N; i++) weight[i] = i < 6 ? 1 : 1 / m->pace;
}

#include "march.h"
