/* The functions of FMI 2.0 for model exchange and co-simulation, on instance.c.
   Types and prototypes follow the standard, Functional Mock-up Interface 2.0, chapters 2.1, 3.2 and 4.2. */

#include "instance.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef void *fmi2Component;
typedef void *fmi2Environment;
typedef void *fmi2State;
typedef unsigned int fmi2Reference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef int fmi2Status;

typedef void fmi2Logger(fmi2Environment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    fmi2Logger *logger;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(fmi2Environment, fmi2Status);
    fmi2Environment environment;
} fmi2Callbacks;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsChanged, statesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

#define IN(phases) if (instance_in(c, phases, __func__)) return ERROR
#define HERE(pointer) if ((pointer) == NULL) return instance_says(c, ERROR, "%s: a pointer is missing", __func__)
#define ANY (INITIALIZING | INSTANTIATED | RUNNING | TERMINATED)

static void tell(instance *x, int status, const char *message) {
    static const char *const words[] = {"logAll", "logStatusWarning", "logStatusDiscard", "logStatusError",
                                        "logStatusFatal"};
    fmi2Logger *logger = (fmi2Logger *)x->logger;
    if (logger != NULL) logger(x->environment, x->name, status, words[status], "%s", message);
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
    (void)count, (void)categories;
    IN(ANY);
    ((instance *)c)->logging = on;
    return OK;
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, int type, fmi2String token, fmi2String resources,
                                     const fmi2Callbacks *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    (void)resources, (void)visible;
    if (type != 0 && type != 1) return NULL;
    return instance_new(type == 0 ? MODEL_EXCHANGE : CO_SIMULATION, name, token, tell,
                        callbacks ? callbacks->environment : NULL, callbacks ? (any_function *)callbacks->logger : NULL,
                        logging);
}

EXPORT void fmi2FreeInstance(fmi2Component c) { instance_free(c); }

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,
                                      fmi2Boolean stop_defined, fmi2Real stop) {
    IN(INSTANTIATED);
    if (stop_defined && !(stop >= start)) return instance_says(c, ERROR, "the stop time is before the start time");
    return instance_set_up(c, tolerance_defined, tolerance, start);
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    IN(INSTANTIATED);
    ((instance *)c)->phase = INITIALIZING;
    return OK;
}

EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    IN(INITIALIZING);
    if (instance_start(c)) return ERROR;
    ((instance *)c)->phase = ((instance *)c)->kind == CO_SIMULATION ? STEPPING : EVENT_MODE;
    return OK;
}

EXPORT fmi2Status fmi2Terminate(fmi2Component c) {
    IN(RUNNING);
    ((instance *)c)->phase = TERMINATED;
    return OK;
}

EXPORT fmi2Status fmi2Reset(fmi2Component c) {
    IN(ANY);
    return instance_reset(c);
}

/* -- values ------------------------------------------------------------------------------------------------------ */

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2Reference references[], size_t count, fmi2Real values[]) {
    IN(ANY);
    return instance_get_reals(c, references, count, values);
}

EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2Reference references[], size_t count,
                              const fmi2Real values[]) {
    IN(INITIALIZING | INSTANTIATED | RUNNING);
    return instance_set_reals(c, references, count, values);
}

EXPORT fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2Reference references[], size_t count,
                                 fmi2Boolean values[]) {
    IN(ANY);
    for (size_t i = 0; i < count; i++)
        if (instance_get_flag(c, references[i], &values[i])) return ERROR;
    return OK;
}

#define NONE(name, type)                                                                                            \
    EXPORT fmi2Status name(fmi2Component c, const fmi2Reference references[], size_t count, type values[]) {        \
        (void)references, (void)values;                                                                             \
        IN(ANY);                                                                                                    \
        return count == 0 ? OK : instance_says(c, ERROR, "%s: the model has no such variables", __func__);          \
    }
NONE(fmi2GetInteger, fmi2Integer)
NONE(fmi2GetString, fmi2String)
NONE(fmi2SetInteger, const fmi2Integer)
NONE(fmi2SetBoolean, const fmi2Boolean)
NONE(fmi2SetString, const fmi2String)

/* -- saved states ------------------------------------------------------------------------------------------------ */

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2State *state) {
    IN(ANY);
    HERE(state);
    if (*state == NULL) *state = malloc(instance_state_bytes(c));
    if (*state == NULL) return instance_says(c, ERROR, "there is not enough memory");
    instance_save(c, *state);
    return OK;
}

EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2State state) {
    IN(ANY);
    return instance_restore(c, state, instance_state_bytes(c));
}

EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2State *state) {
    IN(ANY);
    if (state == NULL) return OK;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2State state, size_t *size) {
    IN(ANY);
    HERE(state);
    HERE(size);
    *size = instance_state_bytes(c);
    return OK;
}

EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2State state, fmi2Byte bytes[], size_t size) {
    IN(ANY);
    HERE(state);
    HERE(bytes);
    if (size < instance_state_bytes(c)) return instance_says(c, ERROR, "there is no room for the state");
    memcpy(bytes, state, instance_state_bytes(c));
    return OK;
}

EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2State *state) {
    IN(ANY);
    HERE(state);
    if (bytes == NULL || size != instance_state_bytes(c))
        return instance_says(c, ERROR, "this is no state of this model");
    if (*state == NULL) *state = malloc(size);
    if (*state == NULL) return instance_says(c, ERROR, "there is not enough memory");
    memcpy(*state, bytes, size);
    return OK;
}

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2Reference unknowns[], size_t unknown_count,
                                               const fmi2Reference knowns[], size_t known_count,
                                               const fmi2Real seeds[], fmi2Real rates[]) {
    IN(INITIALIZING | RUNNING | TERMINATED);
    return instance_along(c, unknowns, unknown_count, knowns, known_count, seeds, rates);
}

/* -- co-simulation ----------------------------------------------------------------------------------------------- */

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real length, fmi2Boolean keep) {
    (void)keep;
    IN(STEPPING);
    return instance_step(c, from, length);
}

EXPORT fmi2Status fmi2CancelStep(fmi2Component c) {
    IN(ANY);
    return instance_says(c, ERROR, "steps end before fmi2DoStep returns");
}

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2Reference references[], size_t count,
                                              const fmi2Integer order[], const fmi2Real values[]) {
    (void)references, (void)order, (void)values;
    IN(ANY);
    return count == 0 ? OK : instance_says(c, ERROR, "inputs are held over a step");
}

EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2Reference references[], size_t count,
                                               const fmi2Integer order[], fmi2Real values[]) {
    (void)references, (void)order, (void)values;
    IN(ANY);
    return count == 0 ? OK : instance_says(c, ERROR, "derivatives of outputs in time are not given");
}

#define NO_STATUS(name, type)                                                \
    EXPORT fmi2Status name(fmi2Component c, int kind, type *value) {         \
        (void)kind, (void)value;                                             \
        IN(ANY);                                                             \
        return instance_says(c, DISCARD, "steps end before fmi2DoStep returns"); \
    }
NO_STATUS(fmi2GetStatus, fmi2Status)
NO_STATUS(fmi2GetIntegerStatus, fmi2Integer)
NO_STATUS(fmi2GetStringStatus, fmi2String)

EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, int kind, fmi2Real *value) {
    uint32_t time = TIME << 20;
    IN(ANY);
    HERE(value);
    if (kind != 2) return instance_says(c, DISCARD, "steps end before fmi2DoStep returns");
    return instance_get_reals(c, &time, 1, value);
}

EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, int kind, fmi2Boolean *value) {
    IN(ANY);
    HERE(value);
    if (kind != 3) return instance_says(c, DISCARD, "steps end before fmi2DoStep returns");
    *value = ((instance *)c)->phase == TERMINATED;
    return OK;
}

/* -- model exchange ---------------------------------------------------------------------------------------------- */

EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) {
    IN(EVENT_MODE | CONTINUOUS);
    ((instance *)c)->phase = EVENT_MODE;
    return OK;
}

EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    IN(EVENT_MODE);
    HERE(info);
    memset(info, 0, sizeof *info);
    return instance_switch(c, &info->statesChanged);
}

EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
    IN(EVENT_MODE);
    ((instance *)c)->phase = CONTINUOUS;
    return OK;
}

EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean keep, fmi2Boolean *event,
                                              fmi2Boolean *terminate) {
    (void)keep;
    IN(CONTINUOUS);
    HERE(event);
    HERE(terminate);
    *terminate = 0;
    return instance_step_done(c, event);
}

EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
    IN(EVENT_MODE | CONTINUOUS);
    return instance_set_time(c, t);
}

EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real states[], size_t count) {
    IN(CONTINUOUS | EVENT_MODE);
    return instance_set_states(c, states, count);
}

EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real slopes[], size_t count) {
    IN(INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_slopes(c, slopes, count);
}

EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t count) {
    IN(INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_indicators(c, indicators, count);
}

EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real states[], size_t count) {
    IN(INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_states(c, states, count);
}

EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominals[], size_t count) {
    IN(INSTANTIATED | INITIALIZING | EVENT_MODE | CONTINUOUS | TERMINATED);
    return instance_get_nominals(c, nominals, count);
}
