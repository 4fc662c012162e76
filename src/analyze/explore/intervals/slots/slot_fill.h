/* Blocks of one job that take the slots of an engine one after the other: input and result. */
#ifndef ANALYZE_EXPLORE_INTERVALS_SLOTS_SLOT_FILL_H
#define ANALYZE_EXPLORE_INTERVALS_SLOTS_SLOT_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots that come free at one time. */
typedef struct slot_run {
    int64_t time; /* when they do */
    size_t count; /* number of these slots */
} slot_run;

typedef struct slot_fill {
    int64_t block_ns;       /* duration of every block */
    const int64_t *each_ns; /* duration of each block instead, from the first one that is to start; or NULL */
    int64_t extra_ns;       /* with each_ns: every block takes this much longer */
    int64_t handover_ns;    /* from a block's end until its slot is free */
    int64_t *ring;          /* scratch: a time for every slot; by shares two for every slot, and one more */
    slot_run *runs;         /* scratch, by shares: two for every slot, and two more */
    bool by_shares;         /* a block waits for wait_slot and takes several slots; else it takes the first one */
    size_t wait_slot;       /* by shares: a block starts when this slot is free */
    size_t take;            /* by shares: how many slots a block takes */
    int64_t first_start_hi; /* by shares: the first block starts no later */
    int64_t start_hi;       /* no block starts later, which is known beforehand */
    int64_t cut_off;        /* a block that would start later is left, unless it is the first */
    uint64_t block_count;   /* blocks that are to start; afterwards those that have started */
    uint64_t started_count; /* blocks that have started so far */
    int64_t last_start;     /* no further block starts before this time: the last start so far */
    int64_t last_end;       /* the latest end of the blocks that have started */
} slot_fill;

#endif
