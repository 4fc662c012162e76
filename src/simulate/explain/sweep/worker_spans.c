#include "simulate/explain/sweep/worker_spans.h"

#include <stdlib.h>

#include "simulate/run_ops.h"

/* The end of a job. */
typedef struct job_end {
    int64_t time;  /* of it */
    uint64_t span; /* its place in the list of spans */
    uint32_t sm;   /* where it was */
} job_end;

bool explain_has_plan(const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    return !run->ops[i].skipped && op->kind == GCAST_KIND_KERNEL && op->policy != GCAST_POLICY_HARDWARE;
}

bool explain_any_plan(const gcast_run *run)
{
    for (size_t i = 0; i < run->op_count; i++)
        if (explain_has_plan(run, i))
            return true;
    return false;
}

static int by_taken(const void *a, const void *b)
{
    const worker_span *x = a, *y = b;
    if (x->taken_ns != y->taken_ns)
        return x->taken_ns < y->taken_ns ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

static int by_sm_and_time(const void *a, const void *b)
{
    const job_end *x = a, *y = b;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->span < y->span ? -1 : x->span > y->span;
}

/* The first end on this SM at this time, or behind it; count: none. */
static size_t find_end(const job_end *ends, size_t count, uint32_t sm, int64_t time)
{
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (ends[mid].sm < sm || (ends[mid].sm == sm && ends[mid].time < time))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Joins each job with one that ended on its SM when it was taken. `joined`: by place of ends[], it is joined already.
 */
static void join_jobs(const gcast_run_op *r, worker_span *spans, const job_end *ends, bool *joined)
{
    for (uint64_t k = 0; k < r->block_count; k++) {
        uint32_t sm = r->blocks[spans[k].job].sm;
        size_t at = find_end(ends, r->block_count, sm, spans[k].taken_ns);
        while (at < r->block_count && ends[at].sm == sm && ends[at].time == spans[k].taken_ns && joined[at])
            at++;
        if (at == r->block_count || ends[at].sm != sm || ends[at].time != spans[k].taken_ns)
            continue;
        joined[at] = true;
        spans[k].previous = ends[at].span;
        spans[ends[at].span].release_ns = ends[at].time;
    }
}

worker_span *explain_worker_spans(const gcast_run *run, size_t i)
{
    const gcast_run_op *r = &run->ops[i];
    size_t count = r->block_count;
    worker_span *spans = malloc((count + 1) * sizeof *spans);
    job_end *ends = malloc((count + 1) * sizeof *ends);
    bool *joined = calloc(count + 1, sizeof *joined);
    if (spans && ends && joined) {
        for (uint64_t j = 0; j < count; j++)
            spans[j] = (worker_span){r->blocks[j].start_ns - run->gpu->job_overhead_ns,
                                     r->blocks[j].end_ns + run->gpu->handover_ns, j, UINT64_MAX};
        qsort(spans, count, sizeof *spans, by_taken);
        for (uint64_t k = 0; k < count; k++) {
            const gcast_block *b = &r->blocks[spans[k].job];
            ends[k] = (job_end){b->end_ns, k, b->sm};
        }
        qsort(ends, count, sizeof *ends, by_sm_and_time);
        join_jobs(r, spans, ends, joined);
    } else {
        free(spans);
        spans = NULL;
    }
    free(ends);
    free(joined);
    return spans;
}
