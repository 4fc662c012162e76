/* Blocks that take longer than given: they starve, or they sleep.
 *
 * A block that starves gets no issue slots ("Starving" in docs/model.md): an SM issues for its older warps first, so
 * that a block beside many older warps that spin cannot end in time. */
#ifndef SIMULATE_BLOCKS_DELAYS_H
#define SIMULATE_BLOCKS_DELAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "gridcast/workload.h"
#include "simulate/blocks/sm.h"

/* A block that spins. */
typedef struct starve_block {
    int64_t end_ns; /* when it ends */
    int32_t warps;  /* how many it has */
} starve_block;

/* The blocks that spin on one SM. */
typedef struct starve_list {
    VEC(starve_block) blocks; /* the oldest first */
} starve_list;

typedef struct starve {
    starve_list *sms;      /* by rank: the blocks that spin there, oldest first; NULL: no block ever starves */
    int sm_count;          /* of sms[] */
    int64_t min_warps;     /* a block starves beside this many warps that spin */
    int64_t scatter_warps; /* where times scatter, this many warps of SCATTER_MIN_BLOCKS blocks are enough */
    int64_t max_delay_ns;  /* maximum delay of a block that starves */
} starve;

/* Can a block of this workload starve? */
bool starve_happens(const gcast_gpu *gpu, const gcast_workload *w);
/* `scatter`: a block that may starve does, and its delay is drawn. False without memory. */
bool starve_init(starve *s, const gcast_gpu *gpu, const gcast_workload *w, bool scatter);
void starve_free(starve *s);

/* How much later than end_ns a block ends that starts now, at most max_ns. */
int64_t starve_delay_ns(const starve *s, uint32_t rank, int64_t end_ns, int64_t max_ns);
/* Does the youngest block of this SM starve at this time? */
bool starve_at(const starve *s, uint32_t rank, int64_t time);
/* A block that spins starts now. False without memory. */
bool starve_add(starve *s, uint32_t rank, int64_t now, int64_t end_ns, int32_t warps);

/* Blocks may sleep until their time is over: those of the kernel that `measure` runs for "spin" do ("As measured" in
 * docs/model.md). Warps that sleep wake on ticks of the GPU's clock. */

#define TICK_STEPS 4 /* values per tick of the clock that blocks read */

typedef struct tick {
    int64_t period_ns;       /* from one tick to the next; 0: no block sleeps */
    int64_t counted_ns;      /* the time for which started_count[] counts */
    uint32_t *started_count; /* by rank: blocks that have started at that time; NULL where no block sleeps */
    bool after_release;      /* resources are released now, and blocks start in them */
} tick;

/* `period_ns` 0: no block sleeps. False without memory. */
bool tick_init(tick *t, int64_t period_ns, int sms);
void tick_free(tick *t);

/* The time that a block which sleeps, and starts now on the SM of this rank, reads as its start. */
int64_t tick_start(tick *t, const gcast_gpu *gpu, const sm_set *sms, uint32_t rank, int64_t now);

#endif
