/* gridcast.amalthea/1: what reads keeps to its ranges, what does not read says why. */
#include <stdio.h>
#include <stdlib.h>

#include "files/given_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static bool is_range(sys_range r)
{
    return r.min_ns >= 0 && r.max_ns >= r.min_ns;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sys_given *g;
    gcast_error err;
    if (given_read((const char *)data, size, "fuzz", &g, &err) != GCAST_OK) {
        check(g == NULL && err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return 0;
    }
    for (size_t i = 0; i < g->kernel_count; i++)
        check(g->kernels[i].runnable && g->kernels[i].grid[0] && g->kernels[i].block[2], "a kernel without a shape");
    for (size_t i = 0; i < g->access_count; i++)
        check(g->accesses[i].kind && is_range(g->accesses[i].read) && is_range(g->accesses[i].write), "an access");
    for (size_t i = 0; i < g->task_count; i++)
        check(g->tasks[i].name && is_range(g->tasks[i].extra), "a task");
    for (size_t i = 0; i < g->chain_count; i++)
        for (size_t k = 0; k < g->chains[i].task_count; k++)
            check(g->chains[i].tasks[k], "a chain without tasks");
    given_free(g);
    return 0;
}
