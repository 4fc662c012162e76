/* gridcast.experiment/1: what reads gives sets that are valid workloads. */
#include <stdio.h>
#include <stdlib.h>

#include "gridcast/gridcast.h"
#include "papers/experiment/experiment.h"

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_experiment *e;
    gcast_workload *w;
    gcast_error err;
    if (gcast_experiment_read((const char *)data, size, "fuzz", &e, &err) != GCAST_OK) {
        check(e == NULL && err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return 0;
    }
    if (gcast_experiment_set(e, gcast_experiment_size(e) - 1, &w, &err) == GCAST_OK) {
        check(gcast_workload_check(w, &err) == GCAST_OK, err.message);
        gcast_workload_free(w);
    } else {
        check(err.message[0], "a failure without a message");
    }
    gcast_experiment_free(e);
    return 0;
}
