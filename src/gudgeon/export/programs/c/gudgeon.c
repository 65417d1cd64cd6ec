/* A machine: the memory of a march, and what is kept beside it. See gudgeon.h. */

#include "gudgeon.h"

#include <math.h>
#include <string.h>

#define LINE 64
#define NEAR 1e-9    /* of the size of the mechanism: so close to zero a depth is zero at an event of another solver */
#define CLOSED 1e-11 /* so close to their constraints states are on them */
#define OFTEN 1e-7   /* looser than this, every step is projected onto the constraints; tighter, every fourth */

enum { DONE, STUCK, FULL, PAUSED };                 /* how the loop is left */
enum { EVENT_TIME = 0, EVENT_CONTACT, EVENT_KIND }; /* columns of an event */
enum { MODE, LATCH, PER_CONTACT };                  /* of the memory of a contact */
enum { DEPTH, RATE };                               /* of its gap */

struct gudgeon_machine {
    const gudgeon_model *model;
    unsigned char *block; /* the memory of the march */
    double *outputs, *along, *onset, *numbers;
    int64_t onsets;
    double tolerance; /* by which those of the image are multiplied */
    int unprepared;   /* parameters were changed: what follows from them is not yet known */
    int restarts;     /* the march begins anew: inputs or states were changed */
    int reported;     /* outputs are those of the present time */
};

static size_t lines(size_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

static double *numbers_at(const gudgeon_machine *x, int64_t place) { return (double *)(void *)(x->block + place); }
static int64_t *integers_at(const gudgeon_machine *x, int64_t place) { return (int64_t *)(void *)(x->block + place); }

#define NUMBER(x, field) (*numbers_at(x, (x)->model->at_##field))
#define INTEGER(x, field) (*integers_at(x, (x)->model->at_##field))
#define ARRAY(x, field) numbers_at(x, (x)->model->at_##field)

static size_t along_in(const gudgeon_model *m) { return (size_t)(2 * m->states + m->inputs); }
static size_t along_out(const gudgeon_model *m) { return (size_t)(m->states + m->outputs + m->contacts); }

size_t gudgeon_bytes(const gudgeon_model *m) {
    size_t numbers = (size_t)m->outputs + along_in(m) + along_out(m) + (size_t)m->contacts + (size_t)m->states;
    return lines(sizeof(gudgeon_machine)) + lines((size_t)m->size) + lines(numbers * sizeof(double)) + LINE;
}

gudgeon_machine *gudgeon_place(const gudgeon_model *m, void *memory) {
    gudgeon_machine *x = memory;
    if (m->version != GUDGEON_VERSION || memory == NULL || (uintptr_t)memory % LINE) return NULL;
    memset(x, 0, gudgeon_bytes(m));
    x->model = m;
    x->block = (unsigned char *)memory + lines(sizeof(gudgeon_machine));
    x->outputs = (double *)(void *)(x->block + lines((size_t)m->size));
    x->along = x->outputs + m->outputs;
    x->onset = x->along + along_in(m) + along_out(m);
    x->numbers = x->onset + m->contacts;
    gudgeon_reset(x);
    return x;
}

/* Addresses in the memory of the march: of itself, which count from its start in the image, and of functions. */
static void link_block(gudgeon_machine *x) {
    const gudgeon_model *m = x->model;
    for (int64_t k = 0; k < m->pointer_count; k++) {
        int64_t place;
        memcpy(&place, m->image + m->pointers[k], sizeof place);
        *integers_at(x, m->pointers[k]) = place + (int64_t)(intptr_t)x->block;
    }
    for (int64_t k = 0; k < m->function_count; k++) *integers_at(x, m->functions[2 * k]) = m->functions[2 * k + 1];
}

void gudgeon_reset(gudgeon_machine *x) {
    memcpy(x->block, x->model->image, (size_t)x->model->size);
    link_block(x);
    x->onsets = 0;
    x->tolerance = 1.0;
    x->reported = 0;
    x->unprepared = x->restarts = 1; /* the image has no parameters that follow from others */
    for (int64_t c = 0; c < x->model->contacts; c++) x->onset[c] = -1.0;
}

static void settle_parameters(gudgeon_machine *x) {
    if (!x->unprepared) return;
    double *p = ARRAY(x, p);
    x->model->prepare(0.0, p, p, p, p + x->model->parameters);
    x->unprepared = 0;
}

/* The places in p of a number that is given: the first, and how many there are. */
static const int64_t *places_of(const int64_t *places, int64_t k, int64_t *count) {
    while (k-- > 0) places += 1 + places[0];
    *count = places[0];
    return places + 1;
}

static double given(const gudgeon_machine *x, const int64_t *places, int64_t k) {
    int64_t count;
    return ARRAY(x, p)[places_of(places, k, &count)[0]];
}

static void give(gudgeon_machine *x, const int64_t *places, int64_t k, double value) {
    int64_t count;
    const int64_t *own = places_of(places, k, &count);
    double *p = ARRAY(x, p);
    if (p[own[0]] == value) return;
    for (int64_t i = 0; i < count; i++) p[own[i]] = value;
    x->unprepared = x->restarts = 1;
    x->reported = 0;
}

double gudgeon_input(const gudgeon_machine *x, int64_t k) { return given(x, x->model->input_places, k); }
double gudgeon_parameter(const gudgeon_machine *x, int64_t k) { return given(x, x->model->setting_places, k); }

void gudgeon_set_input(gudgeon_machine *x, int64_t k, double value) { give(x, x->model->input_places, k, value); }
void gudgeon_set_parameter(gudgeon_machine *x, int64_t k, double value) {
    give(x, x->model->setting_places, k, value);
}

/* What was recorded: contacts that began. */
static int read_events(gudgeon_machine *x) {
    const gudgeon_model *m = x->model;
    int64_t count = INTEGER(x, events_recorded);
    for (int64_t k = 0; k < count; k++) {
        const double *event = ARRAY(x, events) + k * m->event_columns;
        if (event[EVENT_KIND] > 0.0) {
            x->onset[(int64_t)event[EVENT_CONTACT]] = event[EVENT_TIME];
            x->onsets++;
        }
    }
    INTEGER(x, events_recorded) = INTEGER(x, rows_recorded) = 0;
    return count > 0;
}

static void begin(gudgeon_machine *x) {
    settle_parameters(x);
    x->model->begin(x->block);
    read_events(x);
    x->restarts = 0;
}

int gudgeon_advance(gudgeon_machine *x, double until, int64_t most_steps) {
    int64_t last = INTEGER(x, steps) + INTEGER(x, rejected) + most_steps, status, events = 0;
    double before = NUMBER(x, h);
    if (x->restarts) begin(x);
    x->reported = 0;
    NUMBER(x, t_end) = until;
    do {
        int64_t left = last - INTEGER(x, steps) - INTEGER(x, rejected);
        if (most_steps > 0 && left <= 0) return GUDGEON_PAUSED;
        INTEGER(x, budget) = most_steps > 0 ? left : INT64_MAX / 2;
        status = x->model->march(x->block);
        events |= read_events(x);
    } while (status == FULL || status == PAUSED);
    /* the last step was cut to what was left; the next one need not be as short */
    if (status == DONE && !events && NUMBER(x, h) < before) NUMBER(x, h) = before;
    return status == DONE ? GUDGEON_DONE : GUDGEON_STUCK;
}

double gudgeon_time(const gudgeon_machine *x) { return NUMBER(x, t); }
int64_t gudgeon_steps(const gudgeon_machine *x) { return INTEGER(x, steps); }
int64_t gudgeon_onsets(const gudgeon_machine *x) { return x->onsets; }
double gudgeon_onset(const gudgeon_machine *x, int64_t contact) { return x->onset[contact]; }
double gudgeon_peak(const gudgeon_machine *x, int64_t contact) { return ARRAY(x, peak_force)[contact]; }

const double *gudgeon_outputs(gudgeon_machine *x) {
    if (!x->reported) {
        settle_parameters(x);
        x->model->channels(NUMBER(x, t), ARRAY(x, y), ARRAY(x, p), ARRAY(x, m), x->outputs);
        x->reported = 1;
    }
    return x->outputs;
}

void gudgeon_set_tolerance(gudgeon_machine *x, double tolerance) {
    double factor = tolerance / x->model->tolerance / x->tolerance;
    for (int64_t i = 0; i < x->model->states; i++) ARRAY(x, atol)[i] *= factor;
    NUMBER(x, rtol) *= factor;
    x->tolerance *= factor;
    INTEGER(x, project_every) = tolerance < OFTEN ? 4 : 1;
}

/* -- saved states ------------------------------------------------------------------------------------------------ */

size_t gudgeon_state_bytes(const gudgeon_model *m) {
    return (size_t)m->size + ((size_t)m->contacts + 4) * sizeof(double);
}

void gudgeon_save(const gudgeon_machine *x, void *state) {
    const gudgeon_model *m = x->model;
    unsigned char *to = state;
    double beside[4] = {(double)x->onsets, x->tolerance, x->unprepared, x->restarts};
    memcpy(to, x->block, (size_t)m->size);
    /* addresses are no part of a state */
    for (int64_t k = 0; k < m->pointer_count; k++) memset(to + m->pointers[k], 0, sizeof(int64_t));
    for (int64_t k = 0; k < m->function_count; k++) memset(to + m->functions[2 * k], 0, sizeof(int64_t));
    memcpy(to + m->size, beside, sizeof beside);
    memcpy(to + m->size + sizeof beside, x->onset, (size_t)m->contacts * sizeof(double));
}

void gudgeon_restore(gudgeon_machine *x, const void *state) {
    const gudgeon_model *m = x->model;
    const unsigned char *from = state;
    double beside[4];
    memcpy(x->block, from, (size_t)m->size);
    link_block(x);
    memcpy(beside, from + m->size, sizeof beside);
    memcpy(x->onset, from + m->size + sizeof beside, (size_t)m->contacts * sizeof(double));
    x->onsets = (int64_t)beside[0];
    x->tolerance = beside[1];
    x->unprepared = beside[2] != 0.0;
    x->restarts = beside[3] != 0.0;
    x->reported = 0;
}

/* -- for another program's solver -------------------------------------------------------------------------------- */

double *gudgeon_states(gudgeon_machine *x) { return ARRAY(x, y); }
const double *gudgeon_memory(const gudgeon_machine *x) { return ARRAY(x, m); }

void gudgeon_set_time(gudgeon_machine *x, double t) {
    if (NUMBER(x, t) != t) x->reported = 0;
    NUMBER(x, t) = t;
}

void gudgeon_changed(gudgeon_machine *x) {
    x->reported = 0;
    x->restarts = 1;
}

void gudgeon_start_exchange(gudgeon_machine *x) {
    begin(x);
    x->reported = 0;
}

const double *gudgeon_slopes(gudgeon_machine *x) {
    settle_parameters(x);
    x->model->rhs(NUMBER(x, t), ARRAY(x, y), ARRAY(x, p), ARRAY(x, m), x->numbers);
    return x->numbers;
}

const double *gudgeon_gaps(gudgeon_machine *x) {
    settle_parameters(x);
    if (x->model->contacts) x->model->gaps(NUMBER(x, t), ARRAY(x, y), ARRAY(x, p), ARRAY(x, m), ARRAY(x, gap));
    return ARRAY(x, gap);
}

void gudgeon_scales(const gudgeon_machine *x, double *scales) {
    for (int64_t i = 0; i < x->model->states; i++)
        scales[i] = ARRAY(x, atol)[i] / (x->model->absolute * NUMBER(x, rtol));
}

/* Corrections that would bring states onto the constraints; gives the largest, relative to the scale of its state. */
static double correction(gudgeon_machine *x) {
    const gudgeon_model *m = x->model;
    double largest = 0.0;
    settle_parameters(x);
    m->project(NUMBER(x, t), ARRAY(x, y), ARRAY(x, p), ARRAY(x, m), ARRAY(x, correction));
    for (int64_t i = 0; i < m->positions + m->velocities; i++) {
        double share = fabs(ARRAY(x, correction)[i]) / ARRAY(x, atol)[i];
        if (!(share <= largest)) largest = share;
    }
    return largest * m->absolute * NUMBER(x, rtol);
}

double gudgeon_drift(gudgeon_machine *x) { return INTEGER(x, projectable) ? correction(x) : 0.0; }

int gudgeon_project(gudgeon_machine *x) {
    const gudgeon_model *m = x->model;
    if (!INTEGER(x, projectable)) return 1;
    for (int n = 0; n < 30; n++) {
        double left = correction(x);
        if (!(left < 1e30)) return 0;
        for (int64_t i = 0; i < m->positions + m->velocities; i++) ARRAY(x, y)[i] += ARRAY(x, correction)[i];
        gudgeon_changed(x);
        if (left < CLOSED) return 1;
    }
    return 0;
}

static double depth_of(gudgeon_machine *x, int64_t c) { return ARRAY(x, gap)[c * x->model->gap_columns + DEPTH]; }
static int touches(gudgeon_machine *x, int64_t c) { return ARRAY(x, m)[c * PER_CONTACT + MODE] > 0.0; }

int gudgeon_overrun(gudgeon_machine *x) {
    double slack = 10.0 * NEAR * NUMBER(x, size);
    gudgeon_gaps(x);
    for (int64_t c = 0; c < x->model->contacts; c++)
        if ((touches(x, c) ? -depth_of(x, c) : depth_of(x, c)) > slack) return 1;
    return 0;
}

int gudgeon_switch(gudgeon_machine *x) {
    const gudgeon_model *m = x->model;
    double slack = NEAR * NUMBER(x, size);
    int changed;
    gudgeon_gaps(x);
    INTEGER(x, located) = -1;
    if (m->contacts) m->switch_modes(x->block);
    for (int64_t c = 0; c < m->contacts; c++) {
        if ((touches(x, c) ? depth_of(x, c) : -depth_of(x, c)) > slack) continue;
        if (x->onset[c] == NUMBER(x, t) && touches(x, c)) continue;
        INTEGER(x, located) = c;
        m->switch_modes(x->block);
    }
    changed = read_events(x);
    if (changed) gudgeon_changed(x);
    return changed;
}

const double *gudgeon_along(gudgeon_machine *x, const double *rates) {
    const gudgeon_model *m = x->model;
    double *y = x->along, *out = y + along_in(m);
    if (!m->slopes_known) return NULL;
    settle_parameters(x);
    memcpy(y, ARRAY(x, y), (size_t)m->states * sizeof(double));
    memcpy(y + m->states, rates, (size_t)(m->states + m->inputs) * sizeof(double));
    m->slopes(NUMBER(x, t), y, ARRAY(x, p), ARRAY(x, m), out);
    return out;
}
