/* The functions of FMI 3.0 for model exchange and co-simulation, on instance.c.
   Types and prototypes follow the standard, Functional Mock-up Interface 3.0, chapters 2.2, 3.2 and 4.2. */

#include "instance.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef void *fmi3Instance;
typedef void *fmi3Environment;
typedef void *fmi3State;
typedef uint32_t fmi3Reference;
typedef double fmi3Float64;
typedef const char *fmi3String;
typedef const uint8_t *fmi3Binary;
typedef uint8_t fmi3Byte;
typedef int fmi3Status;
typedef void fmi3Logger(fmi3Environment, fmi3Status, fmi3String, fmi3String);

#define IN(phases) if (instance_in(c, phases, __func__)) return ERROR
#define HERE(pointer) if ((pointer) == NULL) return instance_says(c, ERROR, "%s: a pointer is missing", __func__)
#define SAME(one, other) \
    if ((one) != (other)) return instance_says(c, ERROR, "%s: two lengths differ that must not", __func__)
#define ANY (INITIALIZING | INSTANTIATED | RUNNING | TERMINATED)

static void tell(instance *x, int status, const char *message) {
    static const char *const words[] = {"logAll", "logStatusWarning", "logStatusDiscard", "logStatusError",
                                        "logStatusFatal"};
    fmi3Logger *logger = (fmi3Logger *)x->logger;
    if (logger != NULL) logger(x->environment, status, words[status], message);
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance c, bool on, size_t count, const fmi3String categories[]) {
    (void)count, (void)categories;
    IN(ANY);
    ((instance *)c)->logging = on;
    return OK;
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                 bool logging, fmi3Environment environment, fmi3Logger *logger) {
    (void)resources, (void)visible;
    return instance_new(MODEL_EXCHANGE, name, token, tell, environment, (any_function *)logger, logging);
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                bool logging, bool events, bool early,
                                                const fmi3Reference intermediate[], size_t count,
                                                fmi3Environment environment, fmi3Logger *logger,
                                                any_function *update) {
    (void)resources, (void)visible, (void)events, (void)early, (void)intermediate, (void)count, (void)update;
    return instance_new(CO_SIMULATION, name, token, tell, environment, (any_function *)logger, logging);
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                      bool visible, bool logging, fmi3Environment environment,
                                                      fmi3Logger *logger, any_function *clock, any_function *lock,
                                                      any_function *unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)logger;
    (void)clock, (void)lock, (void)unlock;
    return NULL;
}

EXPORT void fmi3FreeInstance(fmi3Instance c) { instance_free(c); }

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, bool tolerance_defined, fmi3Float64 tolerance,
                                              fmi3Float64 start, bool stop_defined, fmi3Float64 stop) {
    IN(INSTANTIATED);
    if (stop_defined && !(stop >= start)) return instance_says(c, ERROR, "the stop time is before the start time");
    if (instance_set_up(c, tolerance_defined, tolerance, start)) return ERROR;
    ((instance *)c)->phase = INITIALIZING;
    return OK;
}

EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    IN(INITIALIZING);
    if (instance_start(c)) return ERROR;
    ((instance *)c)->phase = ((instance *)c)->kind == CO_SIMULATION ? STEPPING : EVENT_MODE;
    return OK;
}

EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance c) {
    IN(EVENT_MODE | CONTINUOUS);
    ((instance *)c)->phase = EVENT_MODE;
    return OK;
}

EXPORT fmi3Status fmi3Terminate(fmi3Instance c) {
    IN(RUNNING);
    ((instance *)c)->phase = TERMINATED;
    return OK;
}

EXPORT fmi3Status fmi3Reset(fmi3Instance c) {
    IN(ANY);
    return instance_reset(c);
}

EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
    IN(ANY);
    return instance_says(c, ERROR, "the model has no structural parameters");
}

EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
    IN(ANY);
    return instance_says(c, ERROR, "the model has no structural parameters");
}

/* -- values ------------------------------------------------------------------------------------------------------ */

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3Reference references[], size_t count, fmi3Float64 values[],
                                 size_t room) {
    IN(ANY);
    SAME(count, room);
    return instance_get_reals(c, references, count, values);
}

EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3Reference references[], size_t count,
                                 const fmi3Float64 values[], size_t given) {
    IN(INITIALIZING | INSTANTIATED | RUNNING);
    SAME(count, given);
    return instance_set_reals(c, references, count, values);
}

EXPORT fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3Reference references[], size_t count, bool values[],
                                 size_t room) {
    IN(ANY);
    SAME(count, room);
    for (size_t i = 0; i < count; i++) {
        int value;
        if (instance_get_flag(c, references[i], &value)) return ERROR;
        values[i] = value != 0;
    }
    return OK;
}

#define NONE(name, type)                                                                                          \
    EXPORT fmi3Status name(fmi3Instance c, const fmi3Reference references[], size_t count, type values[],         \
                           size_t room) {                                                                         \
        (void)references, (void)values, (void)room;                                                               \
        IN(ANY);                                                                                                  \
        return count == 0 ? OK : instance_says(c, ERROR, "%s: the model has no such variables", __func__);        \
    }
NONE(fmi3GetFloat32, float)
NONE(fmi3GetInt8, int8_t)
NONE(fmi3GetUInt8, uint8_t)
NONE(fmi3GetInt16, int16_t)
NONE(fmi3GetUInt16, uint16_t)
NONE(fmi3GetInt32, int32_t)
NONE(fmi3GetUInt32, uint32_t)
NONE(fmi3GetInt64, int64_t)
NONE(fmi3GetUInt64, uint64_t)
NONE(fmi3GetString, fmi3String)
NONE(fmi3SetFloat32, const float)
NONE(fmi3SetInt8, const int8_t)
NONE(fmi3SetUInt8, const uint8_t)
NONE(fmi3SetInt16, const int16_t)
NONE(fmi3SetUInt16, const uint16_t)
NONE(fmi3SetInt32, const int32_t)
NONE(fmi3SetUInt32, const uint32_t)
NONE(fmi3SetInt64, const int64_t)
NONE(fmi3SetUInt64, const uint64_t)
NONE(fmi3SetBoolean, const bool)
NONE(fmi3SetString, const fmi3String)

#define NO_BINARY(name, sizes_type, type)                                                                          \
    EXPORT fmi3Status name(fmi3Instance c, const fmi3Reference references[], size_t count, sizes_type sizes[],     \
                           type values[], size_t room) {                                                           \
        (void)references, (void)sizes, (void)values, (void)room;                                                   \
        IN(ANY);                                                                                                   \
        return count == 0 ? OK : instance_says(c, ERROR, "%s: the model has no such variables", __func__);         \
    }
NO_BINARY(fmi3GetBinary, size_t, fmi3Binary)
NO_BINARY(fmi3SetBinary, const size_t, const fmi3Binary)

/* -- clocks, of which there are none ----------------------------------------------------------------------------- */

#define NO_CLOCK_2(name, one)                                                                                      \
    EXPORT fmi3Status name(fmi3Instance c, const fmi3Reference references[], size_t count, one a[]) {              \
        (void)references, (void)a;                                                                                 \
        IN(ANY);                                                                                                   \
        return count == 0 ? OK : instance_says(c, ERROR, "%s: the model has no clocks", __func__);                 \
    }
#define NO_CLOCK_3(name, one, two)                                                                                 \
    EXPORT fmi3Status name(fmi3Instance c, const fmi3Reference references[], size_t count, one a[], two b[]) {     \
        (void)references, (void)a, (void)b;                                                                        \
        IN(ANY);                                                                                                   \
        return count == 0 ? OK : instance_says(c, ERROR, "%s: the model has no clocks", __func__);                 \
    }
NO_CLOCK_2(fmi3GetClock, bool)
NO_CLOCK_2(fmi3SetClock, const bool)
NO_CLOCK_3(fmi3GetIntervalDecimal, fmi3Float64, int)
NO_CLOCK_2(fmi3GetShiftDecimal, fmi3Float64)
NO_CLOCK_3(fmi3GetShiftFraction, uint64_t, uint64_t)
NO_CLOCK_2(fmi3SetIntervalDecimal, const fmi3Float64)
NO_CLOCK_3(fmi3SetIntervalFraction, const uint64_t, const uint64_t)
NO_CLOCK_2(fmi3SetShiftDecimal, const fmi3Float64)
NO_CLOCK_3(fmi3SetShiftFraction, const uint64_t, const uint64_t)

EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3Reference references[], size_t count,
                                          uint64_t counters[], uint64_t resolutions[], int qualifiers[]) {
    (void)references, (void)counters, (void)resolutions, (void)qualifiers;
    IN(ANY);
    return count == 0 ? OK : instance_says(c, ERROR, "%s: the model has no clocks", __func__);
}

EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3Reference clock, fmi3Float64 t) {
    (void)clock, (void)t;
    IN(ANY);
    return instance_says(c, ERROR, "%s: the model has no clocks", __func__);
}

/* -- dependencies and derivatives -------------------------------------------------------------------------------- */

EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3Reference reference, size_t *count) {
    (void)reference, (void)count;
    IN(ANY);
    return instance_says(c, ERROR, "dependencies are not told one by one");
}

EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3Reference dependent, size_t elements[],
                                              fmi3Reference independents[], size_t others[], int kinds[],
                                              size_t count) {
    (void)dependent, (void)elements, (void)independents, (void)others, (void)kinds, (void)count;
    IN(ANY);
    return instance_says(c, ERROR, "dependencies are not told one by one");
}

EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3Reference unknowns[], size_t unknown_count,
                                               const fmi3Reference knowns[], size_t known_count,
                                               const fmi3Float64 seeds[], size_t seed_count, fmi3Float64 rates[],
                                               size_t rate_count) {
    IN(INITIALIZING | RUNNING | TERMINATED);
    SAME(unknown_count, rate_count);
    SAME(known_count, seed_count);
    return instance_along(c, unknowns, unknown_count, knowns, known_count, seeds, rates);
}

EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3Reference unknowns[], size_t unknown_count,
                                           const fmi3Reference knowns[], size_t known_count, const fmi3Float64 seeds[],
                                           size_t seed_count, fmi3Float64 rates[], size_t rate_count) {
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seeds, (void)seed_count, (void)rates;
    (void)rate_count;
    IN(ANY);
    return instance_says(c, ERROR, "adjoint derivatives are not given; directional ones are");
}

/* -- saved states ------------------------------------------------------------------------------------------------ */

EXPORT fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3State *state) {
    IN(ANY);
    HERE(state);
    if (*state == NULL) *state = malloc(instance_state_bytes(c));
    if (*state == NULL) return instance_says(c, ERROR, "there is not enough memory");
    instance_save(c, *state);
    return OK;
}

EXPORT fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3State state) {
    IN(ANY);
    return instance_restore(c, state, instance_state_bytes(c));
}

EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3State *state) {
    IN(ANY);
    if (state == NULL) return OK;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3State state, size_t *size) {
    IN(ANY);
    HERE(state);
    HERE(size);
    *size = instance_state_bytes(c);
    return OK;
}

EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3State state, fmi3Byte bytes[], size_t size) {
    IN(ANY);
    HERE(state);
    HERE(bytes);
    if (size < instance_state_bytes(c)) return instance_says(c, ERROR, "there is no room for the state");
    memcpy(bytes, state, instance_state_bytes(c));
    return OK;
}

EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3State *state) {
    IN(ANY);
    HERE(state);
    if (bytes == NULL || size != instance_state_bytes(c))
        return instance_says(c, ERROR, "this is no state of this model");
    if (*state == NULL) *state = malloc(size);
    if (*state == NULL) return instance_says(c, ERROR, "there is not enough memory");
    memcpy(*state, bytes, size);
    return OK;
}

/* -- co-simulation ----------------------------------------------------------------------------------------------- */

EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance c) {
    IN(STEPPING);
    return OK;
}

EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3Reference references[], size_t count,
                                           const int32_t orders[], fmi3Float64 values[], size_t room) {
    (void)references, (void)orders, (void)values, (void)room;
    IN(ANY);
    return count == 0 ? OK : instance_says(c, ERROR, "derivatives of outputs in time are not given");
}

EXPORT fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 from, fmi3Float64 length, bool keep, bool *event,
                             bool *terminate, bool *early, fmi3Float64 *reached) {
    uint32_t time = TIME << 20;
    int status;
    (void)keep;
    IN(STEPPING);
    status = instance_step(c, from, length);
    if (event != NULL) *event = false;
    if (terminate != NULL) *terminate = false;
    if (early != NULL) *early = false;
    if (reached != NULL) instance_get_reals(c, &time, 1, reached);
    return status;
}

/* -- model exchange ---------------------------------------------------------------------------------------------- */

EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
    IN(INITIALIZING | EVENT_MODE);
    return OK;
}

EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, bool *again, bool *terminate, bool *nominals, bool *values,
                                           bool *next_defined, fmi3Float64 *next) {
    int changed = 0, status;
    IN(EVENT_MODE);
    status = instance_switch(c, &changed);
    if (again != NULL) *again = false;
    if (terminate != NULL) *terminate = false;
    if (nominals != NULL) *nominals = false;
    if (values != NULL) *values = changed != 0;
    if (next_defined != NULL) *next_defined = false;
    if (next != NULL) *next = 0.0;
    return status;
}

EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
    IN(EVENT_MODE);
    ((instance *)c)->phase = CONTINUOUS;
    return OK;
}

EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, bool keep, bool *event, bool *terminate) {
    int wanted = 0, status;
    (void)keep;
    IN(CONTINUOUS);
    HERE(event);
    HERE(terminate);
    status = instance_step_done(c, &wanted);
    *event = wanted != 0;
    *terminate = false;
    return status;
}

EXPORT fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) {
    IN(EVENT_MODE | CONTINUOUS);
    return instance_set_time(c, t);
}

EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 states[], size_t count) {
    IN(CONTINUOUS | EVENT_MODE);
    return instance_set_states(c, states, count);
}

EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 slopes[], size_t count) {
    IN(INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_slopes(c, slopes, count);
}

EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 indicators[], size_t count) {
    IN(INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_indicators(c, indicators, count);
}

EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 states[], size_t count) {
    IN(INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_states(c, states, count);
}

EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 nominals[], size_t count) {
    IN(INSTANTIATED | INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_nominals(c, nominals, count);
}

EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count) {
    IN(ANY);
    HERE(count);
    *count = (size_t)GUDGEON_MODEL.contacts;
    return OK;
}

EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count) {
    IN(ANY);
    HERE(count);
    *count = (size_t)GUDGEON_MODEL.states;
    return OK;
}
