/* All starts of blocks of a run, in the order in which they happen: what an SM remembers of blocks that are gone, and
 * which blocks of a kernel may be resident at a time. */
#ifndef SIMULATE_EXPLAIN_INDEX_BLOCK_HISTORY_H
#define SIMULATE_EXPLAIN_INDEX_BLOCK_HISTORY_H

#include "base/vec.h"
#include "simulate/blocks/sm.h"
#include "simulate/explain/index/kernel_windows.h"

#define HISTORY_PART 64 /* blocks of a kernel that follow each other, of which one time is kept */

/* An SM takes another size. */
typedef struct size_change {
    int64_t time; /* when it does */
    int32_t rank; /* of the SM */
    int32_t size; /* from then on */
} size_change;

/* A block starts on an SM. */
typedef struct sm_start {
    int64_t time;
    int32_t size;         /* of the shared memory from then on */
    int32_t next_quarter; /* where the first warp of the next block goes */
} sm_start;

typedef struct block_history {
    int64_t *part_start_ns;   /* by part: when its first block, and all before that one, had started */
    int64_t *part_until_ns;   /* by part: when the last of its blocks releases its SM */
    sm_start *starts;         /* by rank of their SM, then in the order in which they happen */
    size_t *first_start;      /* by rank: its first in starts[]; behind the last rank: how many */
    VEC(size_change) changes; /* by time; none where all SMs always have the largest size */
    bool has_sizes;           /* sizes of shared memory change */
} block_history;

/* Which block of a kernel starts as number `next`. */
uint64_t indexed_kernel_block(const gcast_run *run, const indexed_kernel *k, uint64_t next);
/* When it starts, or a worker takes the job. */
int64_t indexed_kernel_start(const gcast_run *run, const indexed_kernel *k, uint64_t next);
/* When it releases its resources, or its worker takes its next job. */
int64_t indexed_kernel_release(const gcast_run *run, const indexed_kernel *k, uint64_t next);

/* False without memory; to be freed in any case. */
bool block_history_init(block_history *h, const gcast_run *run, kernel_windows *w, const sm_set *sms);
void block_history_free(block_history *h);
/* How many blocks of a kernel have started up to this time: they start in order. */
uint64_t block_history_started(const block_history *h, const gcast_run *run, const indexed_kernel *k, int64_t time_ns);
/* The last start on an SM up to this time; NULL: none. */
const sm_start *block_history_last(const block_history *h, int rank, int64_t time_ns);
/* The first change of a size after this time. */
size_t block_history_change(const block_history *h, int64_t time_ns);

#endif
