/* What tests of mappings share. */
#ifndef UNIT_ANALYZE_MAPPED_H
#define UNIT_ANALYZE_MAPPED_H

#include "analyze/mapping/mapping_space.h"
#include "support/make_system.h"
#include "support/simple_responses.h"

#define MS INT64_C(1000000)
#define MOST_TASKS 64

/* Everything may change. */
static const map_may may_all __attribute__((unused)) = {true, true, true, true};

/* Three tasks on as many equal cores as given. */
static inline sys_system *equal_cores(int cores)
{
    make_system *m = make_system_new(NULL);
    for (int i = 0; i < cores; i++)
        add_core(m, "core");
    for (int i = 0; i < 3; i++)
        add_run(m, add_periodic(m, "task", 0, 1, 10 * MS), MS, MS);
    return make_system_done(m);
}

/* The GPU of a group of tests. */
static gcast_gpu *group_gpu __attribute__((unused));

static inline int load_gpu(void **state)
{
    (void)state;
    gcast_error err;
    return gcast_gpu_load("tx2", &group_gpu, &err) == GCAST_OK ? 0 : -1;
}

static inline int free_gpu(void **state)
{
    (void)state;
    gcast_gpu_free(group_gpu);
    return 0;
}

#endif
