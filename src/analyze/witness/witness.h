/* Late executions: a search for the longest response of every op, and the execution that shows it as a workload in
 * which nothing is left open. A bound says what can never happen; a witness is something that does. */
#ifndef ANALYZE_WITNESS_WITNESS_H
#define ANALYZE_WITNESS_WITNESS_H

#include <stddef.h>
#include <string.h>

#include "gridcast/analyze.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"

typedef struct gcast_witness_options {
    size_t size;           /* of the struct, as the caller was compiled */
    bool any_order;        /* operations without a host that are released together may be called in any order */
    bool any_phase;        /* tasks begin at their offsets or up to a period later */
    bool without_noise;    /* blocks and copies take no longer than the workload says, whatever the noise of the GPU */
    int64_t horizon_ns;    /* only jobs released before this, as if there were no others; 0: all there will be */
    uint32_t hyperperiods; /* how many an execution covers; 0: 3, or fewer where these have many operations */
    uint64_t seed;         /* of all that is drawn */
    bool growth;           /* also find out whether responses grow without bound where all takes longest */
    uint64_t max_executions; /* that are tried, of which four in windows count for one; 0: no limit */
    uint64_t
        max_operations; /* that are simulated in all, of which one of many blocks counts for several; 0: no limit */
    int64_t max_ms;     /* stop after this much processor time; 0: a minute */
    /* By op of the workload: its longest response is searched for until one of this length is seen, so 0 for ops that
     * do not matter. NULL: ops with deadlines, or all where there are none, without such an end. */
    const int64_t *enough_ns;
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
    /* How long calls take to reach their stream's queue, as in gcast_analyze_options. Below 0: as the GPU has it. */
    int64_t launch_min_ns; /* of kernels */
    int64_t launch_max_ns; /* of kernels */
    int64_t copy_min_ns;   /* of copies and memsets */
    int64_t copy_max_ns;   /* of copies and memsets */
    int64_t quantile;      /* a maximum of the GPU may be exceeded by one in this many calls; 0: by none measured */
} gcast_witness_options;

static inline gcast_witness_options gcast_witness_options_default(void)
{
    gcast_witness_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.seed = 1;
    options.max_executions = 6000;
    options.max_operations = 10000000;
    options.max_ms = 60000;
    options.launch_min_ns = options.launch_max_ns = options.copy_min_ns = options.copy_max_ns = -1;
    return options;
}

typedef struct gcast_witness {
    const gcast_workload *workload; /* must outlive the witness */
    const int64_t *seen_ns;         /* by op of the workload: its longest response; 0: none was seen */
    uint64_t executions;            /* that were tried */
    bool growth_searched;           /* it was to be found out whether responses grow: what is known is in the next */
    gcast_backlog growth;           /* as far as it is known */
    uint64_t growth_hyperperiods;   /* GROWS: seen over so many */
    const char *growth_why;         /* PILES_UP: why, a sentence */
    const int64_t *growth_ns;       /* by op: by how much its response grows per hyperperiod; 0: it is not known to */
    const char *why_not;            /* no execution could be simulated; NULL */
    uint64_t windows;               /* executions that were of a window only, from an idle time on */
    void *memory;
} gcast_witness;

/* Tries executions that the workload allows: all longest, all shortest, drawn ones, then changes of the latest, op by
 * op, of all operations or in windows around late jobs. `gpu` NULL: the workload's. Where time does not end it, the
 * result depends on the arguments alone. */
gcast_status gcast_workload_witness(const gcast_workload *w, const gcast_gpu *gpu, const gcast_witness_options *options,
                                    gcast_witness **out, gcast_error *err);
void gcast_witness_free(gcast_witness *witness);

/* The execution in which the response seen_ns[op] was seen: a workload without tasks, ranges and jitter, with its GPU,
 * up to the end of that operation. An op LABEL of a task becomes LABEL#JOB. *late (may be NULL) is the op of *out that
 * is late. The simulation of *out has been compared; GCAST_USAGE where none was seen. */
gcast_status gcast_witness_workload(const gcast_witness *witness, size_t op, gcast_workload **out, size_t *late,
                                    gcast_error *err);

/* Adds what was seen to an answer about the same workload: deadlines that an execution misses are missed.
 * GCAST_INTERNAL where a response is longer than its bound. */
gcast_status gcast_answer_add_witness(gcast_answer *answer, const gcast_witness *witness, gcast_error *err);

#endif
