/* DOPRI5 with location of the onset, for one contact; included by a floor that has defined N, Model with c,
 * hysteresis and slowest, model_of, derivative, gap and weights_of.
 *
 * A free step whose end penetrates is done again with the length at which the gap closes (Newton, kept in
 * a bracket); the rate found there stays fixed until the surfaces part.  The force is continuous at onset
 * and release, so the last derivative of a step always serves as the first of the next. */

typedef struct {
    real y[N], end[N], k[7][N], u[N];
    real hysteresis_rate; /* a / v0 of the present contact */
    int contact;
} March;

enum { STEPS, REJECTIONS, EVALUATIONS, ONSETS, COUNTERS };
enum { DONE = 0, STEP_TOO_SMALL = 1 };

#define Q(a, b) ((real)(a) / (real)(b))
#define FOR_STATES for (int i = 0; i < N; i++)

/* the stages 2 to 6 and the end state; stage 1 is known, stage 7 is left to the caller */
INLINE void stages(const Model *m, March *s, int contact, real t, real h)
{
    real (*k)[N] = s->k, *y = s->y, *u = s->u, v = s->hysteresis_rate;
    FOR_STATES u[i] = y[i] + h * (Q(1, 5) * k[0][i]);
    derivative(m, contact, v, t + Q(1, 5) * h, u, k[1]);
    FOR_STATES u[i] = y[i] + h * (Q(3, 40) * k[0][i] + Q(9, 40) * k[1][i]);
    derivative(m, contact, v, t + Q(3, 10) * h, u, k[2]);
    FOR_STATES u[i] = y[i] + h * (Q(44, 45) * k[0][i] - Q(56, 15) * k[1][i] + Q(32, 9) * k[2][i]);
    derivative(m, contact, v, t + Q(4, 5) * h, u, k[3]);
    FOR_STATES u[i] = y[i] + h * (Q(19372, 6561) * k[0][i] - Q(25360, 2187) * k[1][i]
                                  + Q(64448, 6561) * k[2][i] - Q(212, 729) * k[3][i]);
    derivative(m, contact, v, t + Q(8, 9) * h, u, k[4]);
    FOR_STATES u[i] = y[i] + h * (Q(9017, 3168) * k[0][i] - Q(355, 33) * k[1][i] + Q(46732, 5247) * k[2][i]
                                  + Q(49, 176) * k[3][i] - Q(5103, 18656) * k[4][i]);
    derivative(m, contact, v, t + h, u, k[5]);
    FOR_STATES s->end[i] = y[i] + h * (Q(35, 384) * k[0][i] + Q(500, 1113) * k[2][i] + Q(125, 192) * k[3][i]
                                       - Q(2187, 6784) * k[4][i] + Q(11, 84) * k[5][i]);
}

/* mean square of the estimated error in units of the tolerance */
INLINE real error_of(const March *s, real h, const real *weight)
{
    const real (*k)[N] = (const real (*)[N])s->k;
    real sum = 0;
    FOR_STATES {
        real e = Q(71, 57600) * k[0][i] - Q(71, 16695) * k[2][i] + Q(71, 1920) * k[3][i]
                 - Q(17253, 339200) * k[4][i] + Q(22, 525) * k[5][i] - Q(1, 40) * k[6][i];
        e *= h * weight[i];
        sum += e * e;
    }
    return sum / N;
}

/* the step of length h, which penetrates, becomes the step that ends where the gap closes */
static real close_gap(const Model *m, March *s, real t, real h, real value, real rate, real resolution, long *n)
{
    real low = 0, high = h, length = h;
    for (int round = 0; round < 60 && fabs(value) > resolution && high - low > 1e-16 * h; round++) {
        if (value > 0) high = length;
        else low = length;
        real guess = rate != 0 ? length - value / rate : low;
        length = guess > low && guess < high ? guess : (low + high) / 2;
        stages(m, s, 0, t, length);
        n[EVALUATIONS] += 5;
        value = gap(m, t + length, s->end, &rate);
    }
    derivative(m, 0, 0, t + length, s->end, s->k[6]);
    n[EVALUATIONS]++;
    s->hysteresis_rate = m->hysteresis / (rate > m->slowest ? rate : m->slowest);
    return length;
}

/* the state at the fraction x of the step (fourth-order continuous extension) */
static void sample(const March *s, real h, real x, double *row)
{
    const real (*k)[N] = (const real (*)[N])s->k;
    FOR_STATES {
        real change = s->end[i] - s->y[i], ahead = h * k[0][i] - change;
        real behind = change - h * k[6][i] - ahead;
        real fifth = h * (-Q(12715105075, 11282082432) * k[0][i] + Q(87487479700, 32700410799) * k[2][i]
                          - Q(10690763975, 1880347072) * k[3][i] + Q(701980252875, 199316789632) * k[4][i]
                          - Q(1453857185, 822651844) * k[5][i] + Q(69997945, 29380423) * k[6][i]);
        row[i] = s->y[i] + x * (change + (1 - x) * (ahead + x * (behind + (1 - x) * fifth)));
    }
}

/* p: parameters; start: initial state; out: samples + 1 rows of N; n: counters.  Returns DONE or a reason. */
int march(const double *p, const double *start, double end_time, double rtol, long samples, double *out, long *n)
{
    const Model m = model_of(p);
    const real tick = (real)end_time / samples, onset_step = (real)1e-6;
    const real resolution = fmax((real)rtol * m.c, (real)GAP_RESOLUTION);
    real weight[N];
    weights_of(&m, weight);
    FOR_STATES weight[i] /= (real)rtol;
    March s = {.contact = 0};
    real t = 0, h = onset_step, memory = 0, rate;
    long next = 1;
    for (int i = 0; i < COUNTERS; i++) n[i] = 0;
    FOR_STATES out[i] = start[i];
    FOR_STATES s.y[i] = start[i];
    derivative(&m, 0, 0, t, s.y, s.k[0]);
    n[EVALUATIONS]++;
    while (next <= samples) {
        int last = t + h >= end_time;
        if (last) h = end_time - t;
        if (s.contact) { stages(&m, &s, 1, t, h); derivative(&m, 1, s.hysteresis_rate, t + h, s.end, s.k[6]); }
        else { stages(&m, &s, 0, t, h); derivative(&m, 0, 0, t + h, s.end, s.k[6]); }
        n[EVALUATIONS] += 6;
        real error = error_of(&s, h, weight), size = log(error + (real)1e-20) / 2;
        if (error > 1) {
            n[REJECTIONS]++;
            h *= fmax((real)0.2, (real)0.9 * exp(size / -5));
            if (h < (real)1e-16) return STEP_TOO_SMALL;
            continue;
        }
        real value = gap(&m, t + h, s.end, &rate), used = h;
        int onset = !s.contact && value > 0;
        if (onset) {
            used = close_gap(&m, &s, t, h, value, rate, resolution, n);
            n[ONSETS]++;
            last = 0;
        }
        while (next <= samples && (last || next * tick <= t + used)) {
            sample(&s, used, fmin((real)1, (next * tick - t) / used), out + N * next);
            next++;
        }
        t += used;
        n[STEPS]++;
        FOR_STATES { s.y[i] = s.end[i]; s.k[0][i] = s.k[6][i]; }
        if (onset) { s.contact = 1; memory = 0; h = fmin(used, onset_step); continue; }
        if (s.contact && value < 0) s.contact = 0;
        h *= fmin((real)5, fmax((real)0.2, (real)0.9 * exp((real)-0.17 * size + (real)0.04 * memory)));
        memory = fmax(size, (real)-9.2);
    }
    return DONE;
}
