/* Can a workload hang? Blocks that wait for other blocks keep their room on the SMs while they wait. The proof of
 * docs/residency.md: does every kernel that is waited for find room in every schedule? */
#ifndef ANALYZE_RESIDENCY_RESIDENCY_H
#define ANALYZE_RESIDENCY_RESIDENCY_H

#include "analyze/residency/happens_before.h"
#include "base/arena.h"
#include "gridcast/workload.h"

#define RESIDENCY_NONE UINT32_MAX /* no op */

/* Why a kernel may never start: name, text. */
#define RESIDENCY_REASON_TABLE(X)                                                                                      \
    X(ROOM, "room", "waiting blocks may hold all the room in which it could start")                                    \
    X(ORDER, "order", "it starts only after a kernel that waits for it is complete")                                   \
    X(CONNECTION, "connection",                                                                                        \
      "its connection may hold, in front of it, a kernel that starts only after a kernel waiting for it is complete")  \
    X(SIZE, "size", "its blocks wait for each other, and may not all fit on the GPU at once")                          \
    X(SKIP, "skip", "its call may be skipped (skip_ns)")                                                               \
    X(BARRIER, "barrier", "its host waits forever at a barrier of hosts")

typedef enum {
#define X(id, name, text) RESIDENCY_##id,
    RESIDENCY_REASON_TABLE(X)
#undef X
        RESIDENCY_REASONS
} residency_reason;

/* One way in which a schedule may hang. */
typedef struct residency_risk {
    residency_reason reason;
    uint32_t kernel;  /* the op whose blocks may not all start */
    uint32_t waiter;  /* an op that waits for it meanwhile, perhaps one of several */
    uint32_t between; /* CONNECTION: the kernel in front of `kernel`; otherwise RESIDENCY_NONE */
} residency_risk;

typedef struct residency {
    const residency_risk *risks; /* none: no schedule hangs */
    size_t risk_count;
    size_t waiter_count; /* kernels whose blocks wait for blocks */
    arena memory;
} residency;

const char *residency_reason_name(residency_reason r);
const char *residency_reason_text(residency_reason r);

/* Covers all schedules of a workload without tasks: any order of calls by different callers, any durations, any
 * placement. `gpu` is already cut to the partition of the workload; `assumed` may be NULL. Fails with a sentence where
 * the proof does not cover the workload. */
gcast_status residency_prove(const gcast_workload *w, const gcast_gpu *gpu, const needs_assumed *assumed,
                             residency *out, gcast_error *err);
void residency_free(residency *r);

#endif
