/* Compares a profile with the simulation of the workload that was made from it: how far off is the simulation, and
 * where do errors begin?
 *
 * Times count from the first start of each side. Errors are replayed minus recorded: positive means that an operation
 * is too late, or takes too long, in the replay. */
#ifndef PROFILE_REPLAY_H
#define PROFILE_REPLAY_H

#include "gridcast/run.h"
#include "profile/make/prof_make.h"

#define REPLAY_LATE_NS 5000     /* a start is wrong if its error is larger */
#define REPLAY_SLOW_NS 1000     /* a kernel was slowed down if it took at least so much longer than replayed, */
#define REPLAY_SLOW_PERCENT 105 /* and more than this percentage of the replayed time */

/* Why the start of an operation is wrong although its predecessors are right: identifier, name, text. */
#define REPLAY_CAUSE_TABLE(X)                                                                                          \
    X(OVERLAP, "overlap", "started before the operation before it in its stream, or graph, had ended")                 \
    X(ROOM, "room",                                                                                                    \
      "started beside a kernel that leaves no room for it in the replay (its blocks may not all end together)")        \
    X(COPY, "copy", "started late after a copy or memset")                                                             \
    X(HELD, "held",                                                                                                    \
      "copies or memsets: the next operation started late for an unknown reason; that delay was added to their "       \
      "duration")                                                                                                      \
    X(HOST, "host", "was called later than in the replay (the host paused, or its call took long)")                    \
    X(BESIDE, "beside", "started late while other kernels ran")                                                        \
    X(UNKNOWN, "unknown", "started earlier or later for an unknown reason")

typedef enum {
#define X(id, name, text) REPLAY_##id,
    REPLAY_CAUSE_TABLE(X)
#undef X
        REPLAY_CAUSES
} replay_cause;

/* An operation, recorded and replayed; indexed like the operations of prof_made's `recorded`. */
typedef struct replay_op {
    const char *label;
    int64_t start_ns, end_ns; /* recorded */
    int64_t start_error_ns, end_error_ns, duration_error_ns;
    int64_t own_error_ns; /* the part of start_error_ns that it did not inherit from a predecessor */
    int64_t replayed_start_ns, replayed_end_ns;
} replay_op;

/* Errors of the operations with one name. */
typedef struct replay_error {
    int64_t median_ns;  /* median of the absolute errors; the upper one of two */
    int64_t largest_ns; /* the error with the largest absolute value, with its sign */
} replay_error;

/* Absolute errors of all operations. */
typedef struct replay_quantiles {
    int64_t median_ns, p90_ns; /* median and 90th percentile */
} replay_quantiles;

/* All launches of one kernel, all copies of one direction, or all memsets. */
typedef struct replay_name {
    const char *label;   /* label of the first launch */
    uint64_t launches;   /* number of launches */
    int64_t recorded_ns; /* sum of the recorded durations */
    replay_error duration, start, end;
    uint64_t slowed;   /* launches beside other kernels that took longer than sharing SMs explains */
    int64_t slowed_ns; /* their extra time in all */
} replay_name;

/* An operation at which an error begins. */
typedef struct replay_late {
    uint32_t op; /* index in ops[] */
    replay_cause cause;
    int64_t error_ns; /* its own_error_ns; for REPLAY_HELD minus the time for which it held up the next node */
} replay_late;

typedef struct prof_replay {
    int64_t recorded_ns, replayed_ns; /* spans, from the first start to the last end */
    replay_quantiles start, duration;
    replay_op *ops;
    size_t op_count;
    replay_name *names; /* by recorded time, the longest first */
    size_t name_count;
    replay_late *late; /* by recorded start */
    size_t late_count;
    uint64_t beside;      /* kernels that ran beside others */
    uint64_t never_alone; /* those of them that never ran alone, so that there is nothing to compare with */
    uint64_t slowed;      /* those of them that took longer than sharing SMs explains: memory is suspected */
    int64_t slowed_ns;    /* extra time of the slowed ones in all */
} prof_replay;

/* `simulated` is a run of made->workload. *r is empty where this fails. GCAST_INPUT: the run did not reach its end. */
gcast_status prof_replay_compare(const prof_trace *t, const prof_made *made, const gcast_run *simulated, prof_replay *r,
                                 gcast_error *err);
void prof_replay_free(prof_replay *r);

const char *replay_cause_name(replay_cause cause);
const char *replay_cause_text(replay_cause cause);

#endif
