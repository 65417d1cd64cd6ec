/* What FMI 2 and 3 have in common: an instance of the one mechanism of this library, between its calls. */

#ifndef GUDGEON_INSTANCE_H
#define GUDGEON_INSTANCE_H

#include "gudgeon.h"

extern const gudgeon_model GUDGEON_MODEL;

/* Value references are KIND << 20 | number. */
enum { TIME, INPUT, PARAMETER, OUTPUT, STATE, SLOPE, TOUCHING, TOUCH_SPEED, TOUCH_TIME, PEAK_FORCE, INDICATOR };
enum { OK, WARNING, DISCARD, ERROR, FATAL };
typedef enum { CO_SIMULATION, MODEL_EXCHANGE } exchange_kind;
typedef enum { INSTANTIATED = 1, INITIALIZING = 2, STEPPING = 4, EVENT_MODE = 8, CONTINUOUS = 16, TERMINATED = 32 } phase_kind;

#define RUNNING (STEPPING | EVENT_MODE | CONTINUOUS)

typedef struct instance instance;
typedef void log_function(instance *x, int status, const char *message);
typedef void any_function(void); /* a function of the importer, whose type depends on the version */

struct instance {
    gudgeon_machine *machine;
    void *memory;
    exchange_kind kind;
    int phase;
    double start;     /* time of the importer at which the mechanism is at its start [s] */
    double tolerance; /* relative; of drift off the constraints in model exchange */
    double *peaks;    /* largest forces of contacts, as far as they are told */
    int moved;        /* states or parameters were set before the start */
    log_function *log;
    void *environment;
    any_function *logger;
    char *name;
    int logging;
};

/* NULL where the library cannot serve; `log` is then called with what is known of the instance. */
instance *instance_new(exchange_kind kind, const char *name, const char *token, log_function *log, void *environment,
                       any_function *logger, int logging);
void instance_free(instance *x);
int instance_says(instance *x, int status, const char *format, ...);

/* OK where the phase is one of these, else ERROR. */
int instance_in(instance *x, int phases, const char *function);

int instance_get_reals(instance *x, const uint32_t *references, size_t count, double *values);
int instance_set_reals(instance *x, const uint32_t *references, size_t count, const double *values);
int instance_get_flag(instance *x, uint32_t reference, int *value);

int instance_set_up(instance *x, int tolerance_defined, double tolerance, double start);
int instance_start(instance *x);
int instance_step(instance *x, double from, double length);
int instance_reset(instance *x);

int instance_set_time(instance *x, double t);
int instance_set_states(instance *x, const double *states, size_t count);
int instance_get_states(instance *x, double *states, size_t count);
int instance_get_slopes(instance *x, double *slopes, size_t count);
int instance_get_indicators(instance *x, double *indicators, size_t count);
int instance_get_nominals(instance *x, double *nominals, size_t count);
int instance_switch(instance *x, int *states_changed);
int instance_step_done(instance *x, int *event);

int instance_along(instance *x, const uint32_t *unknowns, size_t unknown_count, const uint32_t *knowns,
                   size_t known_count, const double *seeds, double *rates);

size_t instance_state_bytes(const instance *x);
void instance_save(const instance *x, void *state);
int instance_restore(instance *x, const void *state, size_t bytes);

#endif
