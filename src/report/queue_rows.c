#include "report/queue_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "model/gpu.h"
#include "model/run_op.h"
#include "model/workload/workload.h"

/* An operation of a queue, and its place there. */
typedef struct candidate {
    uint64_t order; /* of its call, or of its entry to the engine's queue */
    size_t run_op;  /* index in the operations of the run */
} candidate;

typedef VEC(candidate) candidate_list;

static int by_order(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* Is from <= at < to? Times of -1 never come. */
static bool is_between(int64_t at, int64_t from, int64_t to)
{
    return from >= 0 && from <= at && (to < 0 || at < to);
}

static bool block_never_ends(const gcast_run *run, const gcast_run_op *o, uint64_t block)
{
    return run->hang && o->end_ns < 0 && o->blocks[block].end_ns == run->hang->time_ns;
}

static bool belongs(const queue_rows *q, const gcast_run_op *o, queue_kind kind, int index)
{
    const gcast_op *op = &q->run->workload->ops[o->op];
    size_t run_op = (size_t)(o - q->run->ops);
    bool is_kernel = op->kind == GCAST_KIND_KERNEL;
    if (o->skipped || !gcast_kind_on_gpu(op->kind))
        return false;
    switch (kind) {
    case QUEUE_STREAM:
        return op->stream == index && is_between(q->at_ns, o->arrive_ns, o->end_ns);
    case QUEUE_EE:
        return is_kernel && run_level(q->run, run_op) == index && is_between(q->at_ns, o->enter_ns, o->dispatched_ns);
    case QUEUE_CE:
        return !is_kernel && o->engine == index && is_between(q->at_ns, o->enter_ns, o->start_ns);
    case QUEUE_COPYING:
        return !is_kernel && o->engine == index && is_between(q->at_ns, o->start_ns, o->end_ns);
    default:
        return is_kernel && is_between(q->at_ns, o->start_ns, o->end_ns);
    }
}

/* Finds the operations of a queue, in order. */
static bool find_operations(const queue_rows *q, queue_kind kind, int index, candidate_list *found)
{
    found->count = 0;
    for (size_t i = 0; i < q->run->op_count; i++) {
        const gcast_run_op *o = &q->run->ops[i];
        candidate c = {kind == QUEUE_STREAM ? o->launch : o->entry, i};
        if (belongs(q, o, kind, index) && !vec_push(found, c))
            return false;
    }
    if (found->count)
        qsort(found->at, found->count, sizeof *found->at, by_order);
    return true;
}

static uint64_t dispatched_blocks(const gcast_run_op *o, int64_t at_ns)
{
    uint64_t count = 0;
    for (uint64_t b = 0; o->blocks && b < o->block_count; b++)
        count += o->blocks[b].start_ns >= 0 && o->blocks[b].start_ns <= at_ns;
    return count;
}

static bool add_queue(queue_rows *q, queue_kind kind, int index, candidate_list *found)
{
    if (!find_operations(q, kind, index, found))
        return false;
    queue_row row = {kind, index, index, q->entries.count, found->count};
    for (size_t i = 0; i < found->count; i++) {
        const gcast_run_op *o = &q->run->ops[found->at[i].run_op];
        queue_entry e = {found->at[i].run_op, kind == QUEUE_EE ? dispatched_blocks(o, q->at_ns) : 0};
        if (!vec_push(&q->entries, e))
            return false;
    }
    return vec_push(&q->rows, row);
}

static bool has_same_entries(const queue_rows *q, const queue_row *a, const queue_row *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const queue_entry *x = &q->entries.at[a->first + i], *y = &q->entries.at[b->first + i];
        if (x->run_op != y->run_op || x->blocks != y->blocks)
            return false;
    }
    return true;
}

/* Adds an SM: to the row before, if that has the same contents, else as a row of its own. */
static bool add_sm(queue_rows *q, int sm, const candidate_list *running, const uint64_t *resident)
{
    queue_row row = {QUEUE_SM, sm, sm, q->entries.count, 0};
    for (size_t i = 0; i < running->count; i++) {
        uint64_t blocks = resident[i * (size_t)q->run->gpu->sms + (size_t)sm];
        if (blocks && !vec_push(&q->entries, ((queue_entry){running->at[i].run_op, blocks})))
            return false;
        row.count += blocks > 0;
    }
    queue_row *before = &q->rows.at[q->rows.count - 1]; /* exists: EE queues come first */
    if (!has_same_entries(q, before, &row))
        return vec_push(&q->rows, row);
    before->last = sm;
    q->entries.count = row.first;
    return true;
}

static bool add_sms(queue_rows *q, candidate_list *running)
{
    size_t sms = (size_t)q->run->gpu->sms;
    if (!find_operations(q, QUEUE_SM, 0, running))
        return false;
    uint64_t *resident = calloc(running->count * sms + 1, sizeof *resident);
    bool ok = resident;
    for (size_t i = 0; ok && i < running->count; i++) {
        const gcast_run_op *o = &q->run->ops[running->at[i].run_op];
        for (uint64_t b = 0; o->blocks && b < o->block_count; b++)
            if (is_between(q->at_ns, o->blocks[b].start_ns, block_never_ends(q->run, o, b) ? -1 : o->blocks[b].end_ns))
                resident[i * sms + o->blocks[b].sm]++;
    }
    for (int sm = 0; ok && sm < q->run->gpu->sms; sm++)
        ok = add_sm(q, sm, running, resident);
    free(resident);
    return ok;
}

/* Further copy engines are not used (model/gpu.h). */
static int used_engines(const gcast_gpu *gpu)
{
    return min_int(gpu->copy_engines, COPY_ENGINES);
}

bool queue_rows_make(const gcast_run *run, int64_t at_ns, queue_rows *q)
{
    candidate_list found = {0};
    bool ok = true;
    *q = (queue_rows){.run = run, .at_ns = at_ns};
    for (size_t i = 0; ok && i < run->workload->stream_count; i++)
        ok = add_queue(q, QUEUE_STREAM, (int)i, &found);
    for (int i = 0; ok && i < run->gpu->priority_levels; i++)
        ok = add_queue(q, QUEUE_EE, i, &found);
    for (int i = 0; ok && i < used_engines(run->gpu); i++)
        ok = add_queue(q, QUEUE_CE, i, &found) && add_queue(q, QUEUE_COPYING, i, &found);
    ok = ok && add_sms(q, &found);
    vec_free(&found);
    return ok;
}

void queue_rows_free(queue_rows *q)
{
    vec_free(&q->rows);
    vec_free(&q->entries);
}

void queue_row_title(const queue_rows *q, const queue_row *r, char *out, size_t size)
{
    int engines = q->run->gpu->copy_engines;
    switch (r->kind) {
    case QUEUE_STREAM:
        snprintf(out, size, "stream %d", q->run->workload->streams[r->index].id);
        break;
    case QUEUE_EE:
        snprintf(out, size, "EE queue, priority %d", r->index - (q->run->gpu->priority_levels - 1));
        break;
    case QUEUE_CE:
        snprintf(out, size, engines > 1 ? "CE %d queue" : "CE queue", r->index);
        break;
    case QUEUE_COPYING:
        snprintf(out, size, engines > 1 ? "CE %d" : "CE", r->index);
        break;
    default:
        snprintf(out, size, r->last > r->index ? "SM %d-%d" : "SM %d", r->index, r->last);
    }
}

int64_t queue_row_threads(const queue_rows *q, const queue_row *r)
{
    int64_t threads = 0;
    for (size_t i = 0; i < r->count; i++) {
        const queue_entry *e = &q->entries.at[r->first + i];
        threads += (int64_t)e->blocks * run_op(q->run, e->run_op)->shape.threads;
    }
    return threads;
}
