/* The blocks of an operation that a run has recorded: all, or those of its window. */
#ifndef REPORT_RUN_SHOWN_BLOCKS_H
#define REPORT_RUN_SHOWN_BLOCKS_H

#include "gridcast/run.h"

typedef struct shown_blocks {
    const gcast_block *at; /* NULL: none */
    const uint64_t *index; /* their numbers in the kernel; NULL: from 0 on */
    uint64_t count;        /* how many there are */
} shown_blocks;

static inline shown_blocks shown_blocks_of(const gcast_run_op *o)
{
    if (o->blocks)
        return (shown_blocks){o->blocks, NULL, o->block_count};
    return (shown_blocks){o->window, o->window_index, o->window_count};
}

static inline uint64_t shown_block_index(const shown_blocks *s, uint64_t i)
{
    return s->index ? s->index[i] : i;
}

static inline bool shown_blocks_any(const gcast_run *run)
{
    return run->blocks_recorded || run->window_recorded;
}

#endif
