/* Starts the blocks of one job on the slots of an engine, one after the other. `slots` has the time at which each slot
 * comes free, sorted before and after. */
#ifndef ANALYZE_EXPLORE_INTERVALS_SLOT_FILL_H
#define ANALYZE_EXPLORE_INTERVALS_SLOT_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots that come free at one time. */
typedef struct slot_run {
    int64_t time;
    size_t count; /* number of these slots */
} slot_run;

/* Input, and the result. */
typedef struct slot_fill {
    int64_t block_ns;       /* duration of every block */
    const int64_t *each_ns; /* or NULL; duration of each block, from the first one to start on */
    int64_t extra_ns;       /* with each_ns: every block takes this much longer */
    int64_t handover_ns;    /* from a block's end until its slot is free */
    int64_t *ring;          /* scratch: a time for each slot; by shares two for each slot, and one more */
    slot_run *runs;         /* scratch, by shares: two for each slot, and two more */
    bool by_shares;         /* a block waits for wait_slot and takes several slots; false: it takes the first one */
    size_t wait_slot;       /* by shares: a block starts when this slot is free */
    size_t take;            /* by shares: number of slots that a block takes */
    int64_t first_start_hi; /* by shares: latest start of the first block */
    int64_t start_hi;       /* latest start of any block, known beforehand */
    int64_t cut_off;        /* a block that would start later does not start, unless it is the first */
    uint64_t block_count;   /* blocks to start; afterwards, blocks that have started */
    uint64_t started_count; /* blocks that have started so far */
    int64_t last_start;     /* the last start so far; no further block starts earlier */
    int64_t last_end;       /* the last end of the started blocks */
} slot_fill;

/* Each block takes one slot of a pool. */
void equal_fill(int64_t *slots, size_t count, slot_fill *f);

/* Each block takes several slots, by shares. */
void share_fill(int64_t *slots, size_t count, slot_fill *f);

/* The next functions sum the times at which slots come free, and what blocks add to them. The blocks that have started
 * hold slots whatever their order, so the sum says more than the latest time of each slot, which may come from another
 * order for each slot (docs/explore.md, lemma 6). */

/* The sum of the slots' times if no slot is used before `start`. */
int64_t slots_sum(const int64_t *slots, size_t count, int64_t start);
/* Idle time of all slots together before `start`. */
int64_t slots_idle_sum(const int64_t *slots, size_t count, int64_t start);
/* Time for which the first `block_count` blocks hold slots, all together. */
int64_t slots_work(const slot_fill *f, uint64_t block_count);

#endif
