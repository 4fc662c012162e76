#ifndef ANALYZE_WITNESS_FRAME_H
#define ANALYZE_WITNESS_FRAME_H

#include "analyze/witness/state.h"
#include "gridcast/witness.h"

/* Which jobs a part has. */
typedef struct frame_part {
    int64_t start_ns; /* those released from here on, without jitter; ops that run once only where this is 0 */
    int64_t open_ns;  /* those released before this are punctual and as short as they can be; 0: none */
    int64_t end_ns;   /* those released before this */
    bool with_first;  /* also job 0 of every task, so that streams join connections and channels in their order */
} frame_part;

/* The operations of a workload that has been checked, up to the horizon of the options or one that is chosen. */
gcast_status frame_create(frame *f, const gcast_workload *w, const gcast_gpu *gpu, const latency_range *latency,
                          const gcast_witness_options *options, gcast_error *err);
void frame_free(frame *f);
/* Some of the jobs of the same workload; without any_phase. *out goes with frame_release. */
gcast_status frame_cut(const frame *f, const frame_part *part, frame **out, gcast_error *err);

static inline frame *frame_hold(frame *cut)
{
    if (cut)
        cut->references++;
    return cut;
}

/* The memory goes with the last holder. NULL is fine. */
void frame_release(frame *cut);
/* The weight of the jobs of tasks that are released in this time; UINT64_MAX: more than can be told. */
uint64_t frame_weight_of(const frame *f, int64_t start_ns, int64_t end_ns);
/* The end of so many hyperperiods after the largest offset. */
int64_t frame_hyperperiods_end(const frame *f, int64_t count);

#endif
