/* Why an operation ended when it did: its response time is divided into waits. Each
 * wait has a rule and the operations that held the resource. Further calls sum these
 * waits up, and explain why two operations did not run at the same time. */
#ifndef GRIDCAST_EXPLAIN_H
#define GRIDCAST_EXPLAIN_H

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/run.h"

GCAST_BEGIN_DECLS

/* Reasons: rule, text. */
#define GCAST_REASON_TABLE(X)                                                                                          \
    X(CALL, "call", "the CPU had not called it yet")                                                                   \
    X(HOST, "cudaFree", "a cudaFree blocked all other calls")                                                          \
    X(HOST_WAIT, "wait", "the call waited for the GPU or for other host threads")                                      \
    X(LATENCY, "launch", "the call was on its way to the GPU")                                                         \
    X(STREAM, "G2 G4", "earlier work of its stream was not complete")                                                  \
    X(GAP, "stream gap", "the stream was moving on to its next operation")                                             \
    X(NULL_FIRST, "N1", "older work of blocking streams was not complete")                                             \
    X(NULL_BEFORE, "N2", "older work of the NULL stream was not complete")                                             \
    X(AFTER, "event", "a dependency was not complete, or the GPU had not seen its event yet")                          \
    X(EDGE, "graph", "a predecessor in its graph was not complete, or the GPU had not seen its end yet")               \
    X(CONNECTION, "connection", "another operation was in front of it in its connection (hardware queue)")             \
    X(TURN, "turns", "it waited for its turn: connections of its half let kernels enter in turn")                      \
    X(FIFO, "X1", "another kernel was first in the queue and still had blocks to start")                               \
    X(PRIORITY, "A2", "a kernel of higher priority had blocks to start")                                               \
    X(SWITCH, "kernel switch", "the GPU was switching from the kernel that started blocks before it")                  \
    X(GRIDS, "resident grids", "the GPU ran its maximum number of resident kernels")                                   \
    X(CARVEOUT, "carveout",                                                                                            \
      "the shared memory carveout of SMs with room was too small; it changes only when an SM is empty")                \
    X(CLUSTER, "cluster", "no GPC had room for all blocks of its next cluster")                                        \
    X(RESOURCES, "R2 R3", "no SM had room for its next block")                                                         \
    X(PLAN, "workers", "workers of a plan held the SMs, or waited in front of it")                                     \
    X(JOBS, "plan", "its worker had other jobs of the plan before the one that ended last")                            \
    X(REPAIR, "repair", "no worker did the job that ended last, so a second launch did it")                            \
    X(COPY_FIFO, "C2", "other copies were in front of it at the copy engine")                                          \
    X(COPY_BESIDE, "copy start", "a copy to the device held up its commands")                                          \
    X(RUN, "running", "the block that ended last was running")                                                         \
    X(COPY_RUN, "copying", "the copy was running")                                                                     \
    X(TRIGGER, "trigger", "not all blocks of the kernel before it in its stream had triggered")                        \
    X(DEPTH, "overlap depth", "its stream had its maximum number of overlapping kernels")                              \
    X(WHOLE, "cooperative", "not all of its blocks fitted at once")                                                    \
    X(GRID_WAIT, "grid wait", "its block waited until the kernel before it was complete")                              \
    X(BLOCK_WAIT, "waits_for", "its block waited for blocks that had not started")                                     \
    X(IN_ORDER, "in order", "its last block had ended, but the kernel before it was not complete")                     \
    X(CHILD_LAUNCH, "device launch", "its launch by another kernel was on its way to its stream")                      \
    X(CHILD_SERVICE, "launch service", "launches of other children were served before it")                             \
    X(TAIL, "tail launch", "the last block of its parent had not ended")                                               \
    X(CHILD_STREAM, "child stream", "the child before it in its stream was not complete")                              \
    X(POOL, "pool", "the pool of pending children was full")                                                           \
    X(CHILD_QUEUE, "hardware queue", "another child was the first of its hardware queue")                              \
    X(CHILDREN, "children", "its last block had ended, but not all its children had ended")                            \
    X(LAUNCHES, "device launches", "its last block had ended; launches of its children were on their way")             \
    X(CHILD_ENDS, "child ends", "its last child had ended; the GPU had not seen that yet")

typedef enum {
#define GCAST_X(id, rule, text) GCAST_WHY_##id,
    GCAST_REASON_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_REASONS
} gcast_reason;

typedef struct gcast_holder {
    size_t run_op;   /* index in run->ops, also behind op_count: of a child */
    uint64_t blocks; /* resident blocks; 0 where the wait is not for resources of an SM */
    uint32_t sms;    /* on how many SMs */
} gcast_holder;

typedef struct gcast_wait {
    gcast_reason reason;
    size_t run_op; /* the operation that waited: index in run->ops */
    int64_t from_ns, to_ns;
    unsigned resources;          /* for RESOURCES: bits 1 << gcast_resource of those that were short */
    int64_t size_bytes;          /* for CARVEOUT: maximum shared memory of these SMs; -1: the run does not have it */
    int64_t min_bytes;           /* for CARVEOUT: shared memory that an SM needs for the kernel */
    const gcast_holder *holders; /* at from_ns */
    size_t holder_count;
} gcast_wait;

typedef struct gcast_explanation {
    size_t run_op;      /* of a job: its last operation */
    int64_t release_ns; /* of the operation, or of the job */
    int64_t end_ns;
    int64_t critical_block;  /* of run_op: the block that ended last (lowest index); -1 for copies */
    const gcast_wait *waits; /* in order of time, without holes: from release to end */
    size_t wait_count;
    void *memory;
} gcast_explanation;

/* The rule of a wait; for RESOURCES only the rules of the resources that were short: R2, R3 or both. */
GCAST_API const char *gcast_wait_rule(gcast_reason r, unsigned resources);

/* run must have its blocks recorded, here and in all that follows. run_op may be a child: op_count + i. */
GCAST_API gcast_status gcast_run_explain(const gcast_run *run, size_t run_op, gcast_explanation **out,
                                         gcast_error *err);
/* Explains a job of a task (`task` is an index in the workload's tasks): what its operations waited for, one after the
 * other. */
GCAST_API gcast_status gcast_run_explain_job(const gcast_run *run, size_t task, uint32_t job, gcast_explanation **out,
                                             gcast_error *err);
GCAST_API void gcast_explanation_free(gcast_explanation *e);

/* The operation or job that a name stands for, or the worst of several. */
typedef struct gcast_subject {
    int task;         /* a job of this task; -1: one operation */
    size_t run_op;    /* the operation, or the last one of the job */
    size_t matches;   /* how many the name stands for: jobs, children, or iterations "K", "K#2" of one call */
    bool by_lateness; /* the worst was chosen by its lateness; else by its response time */
    int64_t late_ns;  /* after its deadline, where by_lateness; below 0: before it */
} gcast_subject;

/* `name` is LABEL or LABEL#JOB of an operation or, where no operation has that label, NAME or NAME#JOB of a task, or
 * LABEL or LABEL#CALL of a child, with its call number. Without #JOB the first job is found; with `worst` the one with
 * the largest lateness or, where there are no deadlines, with the longest response time (of equal ones the first).
 * Without #CALL the child is found that was complete last; with `worst` the one with the longest response time. With
 * `worst` the name may be NULL: all operations that hosts called are compared. GCAST_USAGE where nothing has that name,
 * GCAST_INPUT where nothing with that name was called. */
GCAST_API gcast_status gcast_run_find_subject(const gcast_run *run, const char *name, bool worst, gcast_subject *out,
                                              gcast_error *err);

/* The total of waits by a rule. */
typedef struct gcast_rule_total {
    gcast_reason reason;
    unsigned resources; /* for RESOURCES: those that were short; each combination has a total of its own */
    int64_t ns;
    size_t waits;
} gcast_rule_total;

/* The total of waits for a holder: an op of the workload with all its jobs, a stream or a task. */
typedef struct gcast_holder_total {
    size_t which;      /* index in the workload's ops (also behind op_count: of children), streams or tasks */
    size_t operations; /* number of its operations in the run that were waited for */
    int64_t ns;
    const int64_t *by_rule; /* its parts, one for each of the rules of the totals */
} gcast_holder_total;

/* All lists have the largest first. The rules add up to the response time; the ops, and the streams, to held_ns. A wait
 * with several holders is split among them: for RESOURCES by how much of the short resources each held, for CARVEOUT by
 * their resident blocks, else evenly. */
typedef struct gcast_totals {
    int64_t response_ns;
    int64_t held_ns; /* the part of it that has holders */
    const gcast_rule_total *rules;
    size_t rule_count;
    const gcast_holder_total *ops, *streams, *tasks;
    size_t op_count, stream_count, task_count;
    void *memory;
} gcast_totals;

GCAST_API gcast_status gcast_run_sum_waits(const gcast_run *run, const gcast_explanation *e, gcast_totals **out,
                                           gcast_error *err);
GCAST_API void gcast_totals_free(gcast_totals *t);

/* A wait in a chain of reasons. */
typedef struct gcast_link {
    gcast_wait wait;
    int depth; /* 0: a wait of the later operation; n: the longest wait of the holder at depth n - 1 */
} gcast_link;

/* Two operations of the GPU, by their starts. An operation runs while it has a block on an SM, or its copy is in
 * progress. */
typedef struct gcast_pair {
    size_t earlier, later; /* index in run->ops */
    int64_t earlier_ran_ns, later_ran_ns;
    int64_t overlap_ns;      /* the time in which both ran */
    const gcast_link *links; /* why the later one had not started while the earlier one ran */
    size_t link_count;
    void *memory;
} gcast_pair;

GCAST_API gcast_status gcast_run_explain_pair(const gcast_run *run, size_t a, size_t b, gcast_pair **out,
                                              gcast_error *err);
GCAST_API void gcast_pair_free(gcast_pair *p);

GCAST_END_DECLS

#endif
