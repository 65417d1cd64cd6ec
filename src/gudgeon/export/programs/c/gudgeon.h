/* A mechanism that gudgeon has compiled, for programs in C.

   The object file holds one symbol, a gudgeon_model. A machine is one instance of it: it lies in one piece of memory,
   which the caller may give, and several may live side by side. Nothing is allocated while it runs, and nothing is
   shared between machines. SI units. */

#ifndef GUDGEON_H
#define GUDGEON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GUDGEON_VERSION 1

/* Functions of a mechanism: time, states, parameters, memory of the contacts, results. */
typedef void gudgeon_function(double t, const double *y, const double *p, const double *m, double *out);
typedef int64_t gudgeon_loop(void *block);

/* The table in the object file. Places of numbers and arrays, at_..., are bytes from the start of the memory of the
   march; a place that is 0 belongs to an array that is not there. */
typedef struct {
    int64_t version, size, states, controlled, positions, velocities, rows, contacts, memory;
    int64_t gap_columns, event_columns, parameters, inputs, outputs, settable, slopes_known;
    int64_t at_t, at_h, at_t_end, at_h_max, at_rtol, at_size, at_project_every, at_projectable, at_located, at_steps;
    int64_t at_rejected, at_evaluations, at_rows_recorded, at_events_recorded;
    int64_t at_budget, at_y, at_p, at_m, at_atol, at_gap, at_peak_force, at_correction, at_events;
    int64_t pointer_count, function_count;
    double tolerance, absolute;     /* relative tolerance; the absolute one by it and the scale of a state */
    const unsigned char *image;     /* the memory of the march before its first step */
    const int64_t *pointers;        /* places of addresses in it, which count from its start */
    const int64_t *functions;       /* places of addresses of functions, each with the function */
    const int64_t *input_places;    /* for each input how many places in p it has, then these */
    const int64_t *setting_places;  /* the same for the parameters */
    gudgeon_loop *begin, *march, *switch_modes;
    gudgeon_function *rhs, *gaps, *project, *channels, *prepare, *slopes;
} gudgeon_model;

typedef struct gudgeon_machine gudgeon_machine;

enum { GUDGEON_DONE = 0, GUDGEON_STUCK = 1, GUDGEON_PAUSED = 3 };

/* Bytes that a machine needs, and a machine in memory that is aligned to 64 bytes; NULL where the table is of another
   version. The machine lives until the memory is used for something else. */
size_t gudgeon_bytes(const gudgeon_model *model);
gudgeon_machine *gudgeon_place(const gudgeon_model *model, void *memory);

/* Everything as it was at the start, inputs and parameters too. */
void gudgeon_reset(gudgeon_machine *machine);

/* On to a time [s], with inputs held; contacts begin and end where they do within it. most_steps: so many steps at
   most, then GUDGEON_PAUSED and the next call goes on; 0: no limit. GUDGEON_STUCK: a step would have to be shorter
   than the rounding of time. */
int gudgeon_advance(gudgeon_machine *machine, double until, int64_t most_steps);

double gudgeon_time(const gudgeon_machine *machine);
int64_t gudgeon_steps(const gudgeon_machine *machine);
int64_t gudgeon_onsets(const gudgeon_machine *machine); /* contacts that began, all together */

/* Inputs and parameters by their numbers. An input may change at any time. */
double gudgeon_input(const gudgeon_machine *machine, int64_t k);
void gudgeon_set_input(gudgeon_machine *machine, int64_t k, double value);
double gudgeon_parameter(const gudgeon_machine *machine, int64_t k);
void gudgeon_set_parameter(gudgeon_machine *machine, int64_t k, double value);

/* What is reported at the present time, one number for each output; good until the next call. */
const double *gudgeon_outputs(gudgeon_machine *machine);

/* The tolerance of the steps, relative to the size of states. */
void gudgeon_set_tolerance(gudgeon_machine *machine, double tolerance);

/* The state of a machine, with inputs and parameters, in gudgeon_state_bytes; it can be given to another machine of the
   same model, also in another process. */
size_t gudgeon_state_bytes(const gudgeon_model *model);
void gudgeon_save(const gudgeon_machine *machine, void *state);
void gudgeon_restore(gudgeon_machine *machine, const void *state);

/* For another program's solver ---------------------------------------------------------------------------------- */

double *gudgeon_states(gudgeon_machine *machine);        /* to be read and written */
const double *gudgeon_memory(const gudgeon_machine *machine); /* mode and speed of first touch of each contact */
void gudgeon_set_time(gudgeon_machine *machine, double t);
void gudgeon_changed(gudgeon_machine *machine);          /* states were written */
void gudgeon_start_exchange(gudgeon_machine *machine);   /* contacts that touch already */
const double *gudgeon_slopes(gudgeon_machine *machine);  /* of the states */
const double *gudgeon_gaps(gudgeon_machine *machine);    /* depth, rate and force of each contact, gap_columns apart */
/* What is large for each state. */
void gudgeon_scales(const gudgeon_machine *machine, double *scales);
/* How far the states are off the constraints, relative to the size of the mechanism and its speeds. */
double gudgeon_drift(gudgeon_machine *machine);
/* Bring them back; whether that was possible. */
int gudgeon_project(gudgeon_machine *machine);
/* Whether a contact is where its mode does not belong. */
int gudgeon_overrun(gudgeon_machine *machine);
/* At an event: modes of contacts whose depth is zero. Gives whether any changed. */
int gudgeon_switch(gudgeon_machine *machine);

/* Rates of slopes, outputs and depths where states and then inputs change at `rates`; NULL where laws give no
   derivative. */
const double *gudgeon_along(gudgeon_machine *machine, const double *rates);

/* Of a contact: when it last began [s], -1 if it never did, and its largest force since [N or N m]. */
double gudgeon_onset(const gudgeon_machine *machine, int64_t contact);
double gudgeon_peak(const gudgeon_machine *machine, int64_t contact);

#ifdef __cplusplus
}
#endif
#endif
