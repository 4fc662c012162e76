#include "model/experiment/experiment.h"

#include <stdlib.h>

_Static_assert(2 * GCAST_TESTS <= 32, "the verdicts of a set fit into 32 bits");

static const char *const tests[] = {
#define X(id, name, text) name,
    GCAST_METHOD_TABLE(X)
#undef X
        "simulate",
};

const char *gcast_test_name(int test)
{
    return test >= 0 && test < GCAST_TESTS ? tests[test] : "?";
}

void gcast_experiment_free(gcast_experiment *e)
{
    if (!e)
        return;
    owned_experiment *o = e->memory;
    gcast_gpu_free(o->gpu);
    arena_free(&o->memory);
    free(o);
}

uint64_t gcast_experiment_size(const gcast_experiment *e)
{
    return e->percents.count * (uint64_t)e->sets;
}
