/* An instance between the calls of an importer: phases, values by reference, errors in words. See instance.h. */

#include "instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIND(reference) ((reference) >> 20)
#define NUMBER(reference) ((int64_t)((reference) & 0xFFFFFu))
#define ALIGNMENT 64
#define LEAST_TOLERANCE 1e-6 /* for drift, where the importer does not say how exactly it integrates */
#define DRIFT 10.0           /* times the tolerance: so far off the constraints, states are brought back */
#define FAR 0.1              /* of the scale of states: no start is looked for that is farther from the values given */
#define LATE 1e-9            /* of a step: importers round their times */

static const gudgeon_model *const model = &GUDGEON_MODEL;

int instance_says(instance *x, int status, const char *format, ...) {
    char message[512];
    va_list words;
    va_start(words, format);
    vsnprintf(message, sizeof message, format, words);
    va_end(words);
    if (x->log != NULL && (x->logging || status >= ERROR)) x->log(x, status, message);
    return status;
}

int instance_in(instance *x, int phases, const char *function) {
    if (x == NULL) return ERROR;
    if (x->phase & phases) return OK;
    return instance_says(x, ERROR, "%s: not allowed now; call the functions in the order of the standard", function);
}

instance *instance_new(exchange_kind kind, const char *name, const char *token, log_function *log, void *environment,
                       any_function *logger, int logging) {
    instance none = {0}, *x = calloc(1, sizeof *x);
    none.log = log, none.environment = environment, none.logger = logger, none.name = (char *)(name ? name : "");
    if (name == NULL || name[0] == '\0') {
        instance_says(&none, ERROR, "an instance needs a name");
    } else if (token == NULL || strcmp(token, GUDGEON_TOKEN) != 0) {
        instance_says(&none, ERROR, "the identification \"%s\" is not that of this library, \"%s\"; take the model "
                      "description and the library from the same FMU", token ? token : "", GUDGEON_TOKEN);
    } else if (x != NULL) {
        x->memory = malloc(gudgeon_bytes(model) + ALIGNMENT);
        x->peaks = calloc((size_t)model->contacts + 1, sizeof(double));
        x->name = malloc(strlen(name) + 1);
        if (x->memory != NULL && x->peaks != NULL && x->name != NULL) {
            char *raw = x->memory;
            strcpy(x->name, name);
            x->machine = gudgeon_place(model, raw + (ALIGNMENT - (uintptr_t)raw % ALIGNMENT));
        }
        if (x->machine != NULL) {
            x->kind = kind, x->phase = INSTANTIATED, x->log = log, x->environment = environment, x->logger = logger;
            x->logging = logging, x->tolerance = LEAST_TOLERANCE;
            return x;
        }
        instance_says(&none, ERROR, "there is not enough memory");
    }
    instance_free(x);
    return NULL;
}

void instance_free(instance *x) {
    if (x == NULL) return;
    free(x->memory);
    free(x->peaks);
    free(x->name);
    free(x);
}

/* -- values ------------------------------------------------------------------------------------------------------ */

static int64_t count_of(uint32_t kind) {
    switch (kind) {
        case TIME: return 1;
        case INPUT: return model->inputs;
        case PARAMETER: return model->settable;
        case OUTPUT: return model->outputs;
        case STATE: case SLOPE: return model->states;
        case TOUCHING: case TOUCH_SPEED: case TOUCH_TIME: case PEAK_FORCE: case INDICATOR: return model->contacts;
        default: return 0;
    }
}

static int known(instance *x, uint32_t reference) {
    if (NUMBER(reference) < count_of(KIND(reference))) return OK;
    return instance_says(x, ERROR, "the value reference %lu is not known", (unsigned long)reference);
}

static double indicator(instance *x, int64_t c) { return gudgeon_gaps(x->machine)[c * model->gap_columns]; }

int instance_get_reals(instance *x, const uint32_t *references, size_t count, double *values) {
    if (count && (references == NULL || values == NULL)) return instance_says(x, ERROR, "an array is missing");
    for (size_t i = 0; i < count; i++) {
        uint32_t kind = KIND(references[i]);
        int64_t k = NUMBER(references[i]);
        double onset;
        if (known(x, references[i])) return ERROR;
        switch (kind) {
            case TIME: values[i] = gudgeon_time(x->machine) + x->start; break;
            case INPUT: values[i] = gudgeon_input(x->machine, k); break;
            case PARAMETER: values[i] = gudgeon_parameter(x->machine, k); break;
            case OUTPUT: values[i] = gudgeon_outputs(x->machine)[k]; break;
            case STATE: values[i] = gudgeon_states(x->machine)[k]; break;
            case SLOPE: values[i] = gudgeon_slopes(x->machine)[k]; break;
            case TOUCH_SPEED: values[i] = gudgeon_memory(x->machine)[2 * k + 1]; break;
            case TOUCH_TIME:
                onset = gudgeon_onset(x->machine, k);
                values[i] = onset < 0.0 ? -1.0 : onset + x->start;
                break;
            case PEAK_FORCE: values[i] = x->peaks[k]; break;
            case INDICATOR: values[i] = indicator(x, k); break;
            default: return instance_says(x, ERROR, "the value reference %lu is of no real number",
                                          (unsigned long)references[i]);
        }
    }
    return OK;
}

int instance_get_flag(instance *x, uint32_t reference, int *value) {
    if (known(x, reference)) return ERROR;
    if (KIND(reference) != TOUCHING)
        return instance_says(x, ERROR, "the value reference %lu is of no Boolean", (unsigned long)reference);
    *value = gudgeon_memory(x->machine)[2 * NUMBER(reference)] > 0.0;
    return OK;
}

int instance_set_reals(instance *x, const uint32_t *references, size_t count, const double *values) {
    int before = (x->phase & (INSTANTIATED | INITIALIZING)) != 0;
    if (count && (references == NULL || values == NULL)) return instance_says(x, ERROR, "an array is missing");
    for (size_t i = 0; i < count; i++) {
        uint32_t kind = KIND(references[i]);
        if (known(x, references[i])) return ERROR;
        if (!isfinite(values[i]))
            return instance_says(x, ERROR, "the value reference %lu is given a number that is not finite",
                                 (unsigned long)references[i]);
        if (kind != INPUT && !(before && (kind == PARAMETER || kind == STATE)))
            return instance_says(x, ERROR, "the value reference %lu cannot be set%s", (unsigned long)references[i],
                                 kind == PARAMETER || kind == STATE ? " after the initialization" : "");
    }
    for (size_t i = 0; i < count; i++) {
        int64_t k = NUMBER(references[i]);
        if (KIND(references[i]) == INPUT) {
            gudgeon_set_input(x->machine, k, values[i]);
        } else if (KIND(references[i]) == PARAMETER) {
            gudgeon_set_parameter(x->machine, k, values[i]);
            x->moved = 1;
        } else if (gudgeon_states(x->machine)[k] != values[i]) {
            gudgeon_states(x->machine)[k] = values[i];
            gudgeon_changed(x->machine);
            x->moved = 1;
        }
    }
    return OK;
}

/* -- start, steps, end ------------------------------------------------------------------------------------------- */

int instance_set_up(instance *x, int tolerance_defined, double tolerance, double start) {
    if (!isfinite(start)) return instance_says(x, ERROR, "the start time is not finite");
    if (tolerance_defined) {
        if (!(tolerance >= 1e-14 && tolerance <= 1e-2))
            return instance_says(x, ERROR, "the tolerance %g must lie between 1e-14 and 1e-2", tolerance);
        gudgeon_set_tolerance(x->machine, tolerance);
        x->tolerance = tolerance;
    }
    x->start = start;
    return OK;
}

/* A march sees every peak of a force; another program's solver stops where it likes. */
static void tell_peaks(instance *x) {
    for (int64_t c = 0; c < model->contacts; c++)
        x->peaks[c] = x->kind == CO_SIMULATION ? gudgeon_peak(x->machine, c) : -1.0;
}

int instance_start(instance *x) {
    if (x->moved && (!(gudgeon_drift(x->machine) < FAR) || !gudgeon_project(x->machine)))
        return instance_says(x, ERROR, "the joints of the mechanism do not close with these start values");
    gudgeon_start_exchange(x->machine);
    tell_peaks(x);
    for (int64_t k = 0; k < model->states; k++)
        if (!isfinite(gudgeon_slopes(x->machine)[k]))
            return instance_says(x, ERROR, "with these start values the equations have no solution");
    return OK;
}

int instance_step(instance *x, double from, double length) {
    double now = gudgeon_time(x->machine), until = from - x->start + length;
    if (!isfinite(from) || !isfinite(length) || !(length >= 0.0))
        return instance_says(x, ERROR, "a step from %g s of %g s is none", from, length);
    if (fabs(from - x->start - now) > LATE * (length + fabs(from)) + 1e-12)
        return instance_says(x, ERROR, "a step begins at %.17g s, but the last one ended at %.17g s", from,
                             now + x->start);
    if (gudgeon_advance(x->machine, until, 0) != GUDGEON_DONE) {
        x->phase = TERMINATED;
        return instance_says(x, ERROR, "stopped at %.17g s: the step would be shorter than the rounding of time, as "
                             "where forces are not finite or a mechanism locks", gudgeon_time(x->machine) + x->start);
    }
    tell_peaks(x);
    return OK;
}

int instance_reset(instance *x) {
    gudgeon_reset(x->machine);
    memset(x->peaks, 0, (size_t)model->contacts * sizeof(double));
    x->phase = INSTANTIATED, x->start = 0.0, x->moved = 0, x->tolerance = LEAST_TOLERANCE;
    return OK;
}

/* -- model exchange ---------------------------------------------------------------------------------------------- */

static int fits(instance *x, const void *array, size_t count, int64_t wanted) {
    if ((int64_t)count == wanted && (array != NULL || wanted == 0)) return OK;
    return instance_says(x, ERROR, "an array of %ld numbers is needed, not of %lu", (long)wanted,
                         (unsigned long)count);
}

int instance_set_time(instance *x, double t) {
    if (!isfinite(t)) return instance_says(x, ERROR, "the time is not finite");
    gudgeon_set_time(x->machine, t - x->start);
    return OK;
}

int instance_set_states(instance *x, const double *states, size_t count) {
    if (fits(x, states, count, model->states)) return ERROR;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(states[i])) return instance_says(x, ERROR, "state %lu is not finite", (unsigned long)i + 1);
    memcpy(gudgeon_states(x->machine), states, count * sizeof(double));
    gudgeon_changed(x->machine);
    return OK;
}

int instance_get_states(instance *x, double *states, size_t count) {
    if (fits(x, states, count, model->states)) return ERROR;
    memcpy(states, gudgeon_states(x->machine), count * sizeof(double));
    return OK;
}

int instance_get_slopes(instance *x, double *slopes, size_t count) {
    if (fits(x, slopes, count, model->states)) return ERROR;
    memcpy(slopes, gudgeon_slopes(x->machine), count * sizeof(double));
    for (size_t i = 0; i < count; i++)
        if (!isfinite(slopes[i])) return instance_says(x, DISCARD, "the equations have no solution here");
    return OK;
}

int instance_get_indicators(instance *x, double *indicators, size_t count) {
    const double *gaps;
    if (fits(x, indicators, count, model->contacts)) return ERROR;
    gaps = gudgeon_gaps(x->machine);
    for (size_t c = 0; c < count; c++) {
        indicators[c] = gaps[c * (size_t)model->gap_columns];
        if (!isfinite(indicators[c])) return instance_says(x, DISCARD, "a contact has no depth here");
    }
    return OK;
}

int instance_get_nominals(instance *x, double *nominals, size_t count) {
    if (fits(x, nominals, count, model->states)) return ERROR;
    gudgeon_scales(x->machine, nominals);
    return OK;
}

int instance_switch(instance *x, int *states_changed) {
    *states_changed = gudgeon_switch(x->machine);
    if (gudgeon_drift(x->machine) > DRIFT * x->tolerance) {
        if (!gudgeon_project(x->machine))
            return instance_says(x, ERROR, "the joints of the mechanism do not close with these states");
        *states_changed = 1;
    }
    return OK;
}

int instance_step_done(instance *x, int *event) {
    *event = gudgeon_overrun(x->machine) || gudgeon_drift(x->machine) > DRIFT * x->tolerance;
    return OK;
}

/* -- derivatives ------------------------------------------------------------------------------------------------- */

int instance_along(instance *x, const uint32_t *unknowns, size_t unknown_count, const uint32_t *knowns,
                   size_t known_count, const double *seeds, double *rates) {
    double *given = calloc((size_t)(model->states + model->inputs) + 1, sizeof(double));
    const double *found = NULL;
    int status = given == NULL ? instance_says(x, ERROR, "there is not enough memory") : OK;
    if (!model->slopes_known && !status)
        status = instance_says(x, ERROR, "a law of this mechanism gives no derivatives");
    for (size_t i = 0; i < known_count && !status; i++) {
        int64_t k = NUMBER(knowns[i]);
        status = known(x, knowns[i]);
        if (KIND(knowns[i]) == STATE && !status) given[k] += seeds[i];
        else if (KIND(knowns[i]) == INPUT && !status) given[model->states + k] += seeds[i];
        else if (!status) status = instance_says(x, ERROR, "derivatives are by states and inputs");
    }
    if (!status) found = gudgeon_along(x->machine, given);
    for (size_t i = 0; i < unknown_count && !status; i++) {
        int64_t k = NUMBER(unknowns[i]);
        status = known(x, unknowns[i]);
        if (KIND(unknowns[i]) == SLOPE && !status) rates[i] = found[k];
        else if (KIND(unknowns[i]) == OUTPUT && !status) rates[i] = found[model->states + k];
        else if (KIND(unknowns[i]) == INDICATOR && !status) rates[i] = found[model->states + model->outputs + k];
        else if (!status) status = instance_says(x, ERROR, "derivatives are of slopes, outputs and event indicators");
    }
    free(given);
    return status;
}

/* -- saved states ------------------------------------------------------------------------------------------------ */

typedef struct {
    double bytes, phase, start, tolerance, moved;
} saved_head;

size_t instance_state_bytes(const instance *x) {
    (void)x;
    return sizeof(saved_head) + (size_t)model->contacts * sizeof(double) + gudgeon_state_bytes(model);
}

void instance_save(const instance *x, void *state) {
    saved_head head = {(double)instance_state_bytes(x), x->phase, x->start, x->tolerance, x->moved};
    unsigned char *to = state;
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, x->peaks, (size_t)model->contacts * sizeof(double));
    gudgeon_save(x->machine, to + sizeof head + (size_t)model->contacts * sizeof(double));
}

int instance_restore(instance *x, const void *state, size_t bytes) {
    saved_head head;
    const unsigned char *from = state;
    if (state == NULL || bytes != instance_state_bytes(x))
        return instance_says(x, ERROR, "this is no state of this model");
    memcpy(&head, from, sizeof head);
    if (head.bytes != (double)bytes || !(head.phase >= INSTANTIATED && head.phase <= TERMINATED)) return instance_says(x, ERROR, "this is no state of this model");
    memcpy(x->peaks, from + sizeof head, (size_t)model->contacts * sizeof(double));
    gudgeon_restore(x->machine, from + sizeof head + (size_t)model->contacts * sizeof(double));
    x->phase = (int)head.phase, x->start = head.start, x->tolerance = head.tolerance, x->moved = (int)head.moved;
    return OK;
}
