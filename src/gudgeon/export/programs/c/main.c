/* An example: the motion of a mechanism at even times, as columns of numbers.

       cc main.c gudgeon.c NAME.o -lm -o NAME && ./NAME 0.02 100 > motion.csv

   On a test stand the same two calls stand in the loop of the controller: inputs in, gudgeon_advance, outputs. */

#include "NAME.h"

#include <stdio.h>
#include <stdlib.h>

/* Memory of a machine is aligned to 64 bytes. */
static void *aligned(size_t bytes) {
    char *raw = malloc(bytes + 64);
    return raw == NULL ? NULL : raw + (64 - (uintptr_t)raw % 64);
}

int main(int count, char **words) {
    double end = count > 1 ? atof(words[1]) : 0.01;
    int64_t rows = count > 2 ? atol(words[2]) : 100;
    void *memory = aligned(gudgeon_bytes(&NAME));
    gudgeon_machine *machine = memory == NULL ? NULL : gudgeon_place(&NAME, memory);
    if (machine == NULL || rows < 1) return 1;
    printf("t");
    for (int64_t k = 0; k < NAME.outputs; k++) printf(",%s", NAME_output_names[k]);
    for (int64_t row = 0; row <= rows; row++) {
        double t = end * (double)row / (double)rows;
        /* gudgeon_set_input(machine, k, value); */
        if (gudgeon_advance(machine, t, 0) != GUDGEON_DONE) {
            fprintf(stderr, "stopped at %.17g s\n", gudgeon_time(machine));
            return 2;
        }
        const double *outputs = gudgeon_outputs(machine);
        printf("\n%.17g", gudgeon_time(machine));
        for (int64_t k = 0; k < NAME.outputs; k++) printf(",%.17g", outputs[k]);
    }
    printf("\n");
    fprintf(stderr, "%lld steps, %lld contacts\n", (long long)gudgeon_steps(machine), (long long)gudgeon_onsets(machine));
    return 0;
}
