#include "report/run/sm_index.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/run_op.h"
#include "report/report_progress.h"
#include "report/run/sm_share.h"

static gcast_status say_path(size_t op, gcast_error *err, gcast_status code, const char *message)
{
    char path[64];
    snprintf(path, sizeof path, "/ops/%zu/blocks", op);
    return gcast_error_set(err, code, path, "%s", message);
}

/* Checks the blocks, which may be from a file, and counts those of each SM in first[i + 1]. */
static gcast_status count_blocks(sm_index *index, gcast_error *err)
{
    const gcast_run *run = index->run;
    const view *v = index->shown;
    for (size_t i = 0; i < run_total(run); i++) {
        shown_blocks blocks = shown_blocks_of(&run->ops[i]);
        report_progress_add(v->progress, STEPS_TO_SORT * blocks.count);
        if (blocks.at && (i > UINT32_MAX || blocks.count > UINT32_MAX))
            return say_path(i, err, GCAST_RESOURCE, "too many blocks to show one by one");
        for (uint64_t b = 0; blocks.at && b < blocks.count; b++) {
            const gcast_block *k = &blocks.at[b];
            if (k->sm >= (uint32_t)run->gpu->sms || k->end_ns < k->start_ns) {
                char message[100];
                snprintf(message, sizeof message, "block %llu has no SM of the GPU, or ends before it starts",
                         (unsigned long long)shown_block_index(&blocks, b));
                return say_path(i, err, GCAST_INPUT, message);
            }
            if (view_holds_block(v, k))
                index->first[(int)k->sm - v->first_sm + 1]++;
        }
    }
    return GCAST_OK;
}

static void enter_blocks(sm_index *index, size_t *next)
{
    const gcast_run *run = index->run;
    const view *v = index->shown;
    for (size_t i = 0; i < run_total(run); i++) {
        shown_blocks blocks = shown_blocks_of(&run->ops[i]);
        report_progress_add(v->progress, STEPS_TO_SORT * blocks.count);
        for (uint64_t b = 0; blocks.at && b < blocks.count; b++) {
            const gcast_block *k = &blocks.at[b];
            if (view_holds_block(v, k))
                index->entries[next[(int)k->sm - v->first_sm]++] = (sm_entry){(uint32_t)i, (uint32_t)b};
        }
    }
}

gcast_status sm_index_create(sm_index *index, const gcast_run *run, const view *shown, gcast_error *err)
{
    size_t sms = (size_t)(shown->last_sm - shown->first_sm) + 1;
    const gcast_workload *w = run->workload;
    *index = (sm_index){.run = run, .shown = shown, .first = calloc(sms + 1, sizeof *index->first)};
    size_t *next = calloc(sms, sizeof *next);
    index->share = calloc(w->op_count + w->child_count + 1, sizeof *index->share);
    gcast_status status = GCAST_OK;
    if (!index->first || !next || !index->share)
        status = gcast_error_set_memory(err);
    if (!status)
        status = count_blocks(index, err);
    if (!status) {
        for (size_t i = 0; i < sms; i++) {
            next[i] = index->first[i];
            index->first[i + 1] += index->first[i];
        }
        index->entries = malloc((index->first[sms] + 1) * sizeof *index->entries);
        if (!index->entries)
            status = gcast_error_set_memory(err);
    }
    if (!status) {
        enter_blocks(index, next);
        for (size_t i = 0; i < w->op_count + w->child_count; i++)
            index->share[i] = share_of_block(&run->gpu->limits, &w->ops[i].shape);
    }
    free(next);
    if (status)
        sm_index_free(index);
    return status;
}

void sm_index_free(sm_index *index)
{
    free(index->first);
    free(index->entries);
    free(index->share);
    *index = (sm_index){0};
}

bool sm_index_spans(const sm_index *index, int sm, span_list *out)
{
    size_t count = sm_index_count(index, sm);
    const sm_entry *e = sm_index_entries(index, sm);
    report_progress_add(index->shown->progress, STEPS_TO_SHOW * count);
    out->count = 0;
    if (!vec_reserve(out, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const gcast_run_op *o = &index->run->ops[e[i].op];
        shown_blocks blocks = shown_blocks_of(o);
        const gcast_block *b = &blocks.at[e[i].at];
        out->at[i] = (span){.start = b->start_ns,
                            .end = b->end_ns,
                            .op = e[i].op,
                            .block = run_is_rest(index->run, e[i].op) ? run_child(index->run, e[i].op)->parent_block
                                                                      : shown_block_index(&blocks, e[i].at),
                            .share = index->share[o->op]};
    }
    out->count = count;
    if (count)
        qsort(out->at, count, sizeof *out->at, span_order);
    return true;
}
