/* One search for a configuration of a co-run: what was asked for, and what was tried. */
#ifndef ANALYZE_CORUN_STATE_H
#define ANALYZE_CORUN_STATE_H

#include "base/index.h"
#include "base/vec.h"
#include "gridcast/corun.h"

#define CORUN_TIE 0.001 /* two values are equal where they differ by no more than this part of the larger */

/* A configuration and what `time` said of it. */
typedef struct corun_trial {
    gcast_corun_config config;           /* the configuration */
    double together_ns[GCAST_CORUN_MAX]; /* by kernel: its time */
    double value;                        /* by the goal: STP, or 1 / ANTT; more is better */
} corun_trial;

typedef struct corun_search {
    gcast_corun_options o;    /* the library's copy, checked */
    uint32_t units;           /* how many times `step` SMs there are to deal; the last kernel has the rest, too */
    VEC(corun_trial) trials;  /* in the order of the calls of `time`, no configuration twice */
    hash_index seen;          /* from a configuration to its index in trials */
    gcast_corun_config start; /* where the next part of the search begins: first the even split */
    gcast_error *err;         /* of the caller; may be NULL */
} corun_search;

#endif
