/* The blocks of a run by SM. Eight bytes a block; the blocks of one SM at a time
 * are spelled out and sorted. */
#ifndef REPORT_RUN_SM_INDEX_H
#define REPORT_RUN_SM_INDEX_H

#include "gridcast/run.h"
#include "report/run/shown_blocks.h"
#include "report/run/span.h"
#include "report/view.h"

typedef struct sm_entry {
    uint32_t op, at; /* in the run's ops; in its shown_blocks */
} sm_entry;

typedef struct sm_index {
    const gcast_run *run;
    const view *shown;
    size_t *first;     /* of SM shown->first_sm + i: entries first[i] to first[i + 1] */
    sm_entry *entries; /* by op, then block */
    uint32_t *share;   /* of a block, by op of the workload */
} sm_index;

/* Only blocks that `shown` holds. */
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

/* The blocks of one SM, sorted, in place of what `out` held; false without memory. */
bool sm_index_spans(const sm_index *index, int sm, span_list *out);

#endif
