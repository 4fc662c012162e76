/* From which kernel the GPU switches to the next one at a time. */
#ifndef SIMULATE_EXPLAIN_SWEEP_KERNEL_SWITCHES_H
#define SIMULATE_EXPLAIN_SWEEP_KERNEL_SWITCHES_H

#include "simulate/explain/index/kernel_windows.h"

/* A kernel that was fully dispatched. */
typedef struct kernel_switch {
    int64_t time;  /* when it was */
    size_t run_op; /* its operation of the run */
} kernel_switch;

typedef struct explain_switches {
    VEC(kernel_switch) all; /* by time; none where a switch takes no time */
    int64_t switch_ns;      /* how long one takes */
    size_t next;            /* the first that was not over at the last query */
} explain_switches;

/* Of the kernels of a window. False without memory. */
bool explain_switches_init(explain_switches *s, const gcast_run *run, const kernel_windows *w,
                           const kernel_numbers *window);
void explain_switches_free(explain_switches *s);
/* The kernel from which the GPU switches to the next one at this time, which never decreases; SIZE_MAX: there is no
 * switch. */
size_t explain_switched_from(explain_switches *s, int64_t time);

#endif
