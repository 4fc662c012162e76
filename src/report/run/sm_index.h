/* The blocks of a run by SM, also those of children, in eight bytes per block; sm_index_spans expands the blocks of one
 * SM. */
#ifndef REPORT_RUN_SM_INDEX_H
#define REPORT_RUN_SM_INDEX_H

#include "gridcast/run.h"
#include "report/run/packing.h"
#include "report/run/shown_blocks.h"
#include "report/view.h"

typedef struct sm_entry {
    uint32_t op; /* index in the operations of the run */
    uint32_t at; /* index in its shown_blocks */
} sm_entry;

typedef struct sm_index {
    const gcast_run *run; /* whose blocks these are */
    const view *shown;    /* which blocks are in it */
    size_t *first;        /* entries of SM shown->first_sm + i are first[i] to first[i + 1] - 1 */
    sm_entry *entries;    /* by SM, then by operation, then by block */
    uint32_t *share;      /* by op of the workload, also by child: what a block takes of an SM, in 1/SHARE_ALL */
} sm_index;

/* Indexes the blocks that are in `shown`. */
gcast_status sm_index_create(sm_index *index, const gcast_run *run, const view *shown, gcast_error *err);
void sm_index_free(sm_index *index);

static inline size_t sm_index_count(const sm_index *index, int sm)
{
    int i = sm - index->shown->first_sm;
    return index->first[i + 1] - index->first[i];
}

static inline const sm_entry *sm_index_entries(const sm_index *index, int sm)
{
    return index->entries + index->first[sm - index->shown->first_sm];
}

/* Replaces the contents of `out` by the blocks of one SM, sorted; false without memory. */
bool sm_index_spans(const sm_index *index, int sm, span_list *out);

#endif
