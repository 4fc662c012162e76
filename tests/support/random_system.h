/* Random small systems: tasks that trigger others and wait for them, on some cores, with one GPU or none. */
#ifndef TESTS_SUPPORT_RANDOM_SYSTEM_H
#define TESTS_SUPPORT_RANDOM_SYSTEM_H

#include "model/system.h"
#include "support/support.h"

typedef struct random_system_options {
    const gcast_gpu *gpu; /* NULL: none */
    int gpu_tasks;        /* how many, at most */
    bool one_kernel;      /* each of them is one kernel of one block of 1024 threads; else copies and several blocks */
    bool any_preemption;  /* cooperative tasks and those that are not preemptive too */
    bool busy;            /* some tasks hold their cores while they wait */
    bool slices;          /* the GPU is shared by slices of time */
    int64_t unit_ns;      /* periods are 12, 24 or 48 of these, code takes up to 4 */
} random_system_options;

/* To be freed with system_free. */
sys_system *random_system(support_random *r, const random_system_options *options);

#endif
