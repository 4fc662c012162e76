#include "model/system_run.h"

#include <stdlib.h>

sys_run *system_run_create(const sys_system *s, const sys_place *places)
{
    arena memory = {0};
    sys_run *run = arena_alloc(&memory, sizeof *run);
    if (!run)
        return NULL;
    run->of = s;
    run->places = arena_copy(&memory, places, s->task_count * sizeof *places);
    run->memory = memory;
    if (!run->places) {
        arena_free(&memory);
        return NULL;
    }
    return run;
}

void system_run_free(sys_run *run)
{
    if (!run)
        return;
    gcast_run_free(run->gpu); /* it refers to the workload */
    gcast_workload_free(run->workload);
    arena memory = run->memory; /* the run lives in it */
    arena_free(&memory);
}
