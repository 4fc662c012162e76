/* Why an operation ended when it did: its response time cut into waits, each
 * with the rule behind it and who held what it waited for. */
#ifndef GRIDCAST_EXPLAIN_H
#define GRIDCAST_EXPLAIN_H

#include "gridcast/error.h"
#include "gridcast/run.h"

/* Reasons: rule, text. */
#define GCAST_REASON_TABLE(X)                                                                                          \
    X(HOST, "cudaFree", "a cudaFree held back all calls")                                                              \
    X(HOST_WAIT, "wait", "the call waited for the GPU or for other host threads")                                      \
    X(LATENCY, "launch", "the call was on its way to the GPU")                                                         \
    X(STREAM, "G2 G4", "earlier work of its stream was not complete")                                                  \
    X(GAP, "stream gap", "the stream was moving on to its next operation")                                             \
    X(NULL_FIRST, "N1", "older work of blocking streams was not complete")                                             \
    X(NULL_BEFORE, "N2", "older work of the NULL stream was not complete")                                             \
    X(CONNECTION, "connection", "another operation was in front of it in its connection")                              \
    X(TURN, "turns", "other connections of its half held kernels that waited")                                         \
    X(FIFO, "X1", "another kernel was the head of its queue")                                                          \
    X(PRIORITY, "A2", "a kernel of higher priority had blocks to start")                                               \
    X(SWITCH, "kernel switch", "the GPU was moving on from the kernel that started blocks before")                     \
    X(GRIDS, "resident grids", "as many kernels were resident as the GPU allows")                                      \
    X(CARVEOUT, "carveout",                                                                                            \
      "SMs with room had too small a carveout of shared memory, which changes only when one is empty")                 \
    X(ROOM, "R1", "no SM had room for its next block")                                                                 \
    X(COPY_FIFO, "C2", "other copies were in front of it at the copy engine")                                          \
    X(COPY_BESIDE, "copy start", "a copy to the device held up its commands")                                          \
    X(RUN, "running", "the block that ended last was running")                                                         \
    X(COPY_RUN, "copying", "the copy was running")

typedef enum {
#define X(id, rule, text) GCAST_WHY_##id,
    GCAST_REASON_TABLE(X)
#undef X
        GCAST_REASONS
} gcast_reason;

typedef struct gcast_holder {
    size_t run_op;   /* index in run->ops */
    uint64_t blocks; /* resident blocks; 0 where it is not about room */
    uint32_t sms;    /* on how many SMs */
} gcast_holder;

typedef struct gcast_wait {
    gcast_reason reason;
    int64_t from_ns, to_ns;
    unsigned resources;          /* bits 1 << gcast_resource: what was short, for ROOM */
    int64_t size_bytes;          /* for CARVEOUT: of the shared memory of these SMs, at most; -1: not told by the run */
    int64_t least_bytes;         /* for CARVEOUT: that it needs */
    const gcast_holder *holders; /* at from_ns */
    size_t holder_count;
} gcast_wait;

typedef struct gcast_explanation {
    size_t run_op;
    int64_t critical_block;  /* the block that ended last (lowest index); -1 for copies */
    const gcast_wait *waits; /* in order of time, without holes: from release to end */
    size_t wait_count;
    void *memory;
} gcast_explanation;

const char *gcast_reason_rule(gcast_reason r);
const char *gcast_reason_text(gcast_reason r);

/* run must have its blocks recorded. */
gcast_status gcast_explain(const gcast_run *run, size_t run_op, gcast_explanation **out, gcast_error *err);
void gcast_explanation_free(gcast_explanation *e);

#endif
