/* Builds systems (model/system.h) by calls, for tests. Each call that adds something gives its index. A test
 * fails where there is no memory, or where the finished system is not sound. */
#ifndef TESTS_SUPPORT_MAKE_SYSTEM_H
#define TESTS_SUPPORT_MAKE_SYSTEM_H

#include "model/system.h"

#define MAKE_KINDS 8 /* kinds of cores, at most */

typedef struct make_system make_system;

/* gpu may be NULL; else it must outlive the system. */
make_system *make_system_new(const gcast_gpu *gpu);
/* GPU tasks are contexts that take turns. */
void make_slices(make_system *m, int64_t slice_ns, int64_t switch_ns);

/* A core of kind 0, or of another kind (kinds are numbers from 0, named "kind0", ...). */
int add_core(make_system *m, const char *name);
int add_core_of_kind(make_system *m, const char *name, int kind);

/* `core` may be SYS_GPU for a triggered task. Deadlines and all else are 0 or as named. */
int add_periodic(make_system *m, const char *name, int core, int64_t priority, int64_t period_ns);
int add_sporadic(make_system *m, const char *name, int core, int64_t priority, int64_t distance_ns);
/* Some task must trigger it (add_trigger). */
int add_triggered(make_system *m, const char *name, int core, int64_t priority);

/* Steps, in order. A step of code takes the same time on cores of all kinds, no part of it for accesses to memory. */
size_t add_run(make_system *m, int task, int64_t min_ns, int64_t max_ns);
size_t add_trigger(make_system *m, int task, int other);
size_t add_wait(make_system *m, int task, int other);
/* Steps that run on the GPU only. Its time alone on the GPU is that of a simulation of nothing else. */
size_t add_copy(make_system *m, int task, gcast_direction direction, int64_t min_ns, int64_t max_ns);
size_t add_kernel(make_system *m, int task, uint32_t blocks, uint32_t threads, int64_t min_ns, int64_t max_ns);
int add_chain(make_system *m, const char *name, const int *tasks, size_t count);
/* Limits; SYS_NO_LIMIT: none. Delays are of mapping Reaction. */
int add_response_limit(make_system *m, const char *name, int task, int64_t min_ns);
int add_span_limit(make_system *m, const char *name, const sys_span *spans, size_t count, int64_t min_ns,
                   int64_t max_ns);
int add_delay_limit(make_system *m, const char *name, sys_event source, sys_event target, int64_t min_ns,
                    int64_t max_ns);

/* To change what the calls above have set; the pointers hold until something is added. The ranges of a RUN step can be
 * changed too: on[] and access[] have MAKE_KINDS entries that can be written to through made_on and made_access. */
sys_task *made_task(make_system *m, int task);
sys_place *made_place(make_system *m, int task);
sys_step *made_step(make_system *m, int task, size_t step);
sys_limit *made_limit(make_system *m, int limit);
sys_range *made_on(make_system *m, int task, size_t step);
sys_range *made_access(make_system *m, int task, size_t step);

/* The system, to be freed with system_free; m is gone. Each task may be on any core that can run it, and on the GPU
 * where it can, and wait as it likes. The test fails unless system_check accepts the system. */
sys_system *make_system_done(make_system *m);
/* The same, without the check. */
sys_system *make_system_unchecked(make_system *m);

#endif
