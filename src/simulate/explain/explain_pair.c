/* Why two operations did not run at the same time: how long they overlapped, and what the later one waited for while
 * the earlier one ran. Where the holder of a wait was waiting itself, a chain of links follows its waits, up to an
 * operation that ran. */
#include <stdlib.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/integers.h"
#include "base/vec.h"
#include "model/workload/workload.h"
#include "simulate/explain/explain.h"
#include "simulate/run_ops.h"

#define MAX_FOLLOWED 4 /* how many waits, the longest ones, get a chain */
#define MAX_DEPTH 4    /* links of a chain */

typedef struct span {
    int64_t start, end;
} span;

typedef VEC(span) spans;

typedef struct pairing {
    gcast_pair p; /* the result; the first member, so that it is the handle */
    const gcast_run *run;
    run_index index;       /* of the run */
    arena memory;          /* of the holders of waits */
    VEC(gcast_link) links; /* so far */
} pairing;

static int by_start(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* When an operation ran, as spans that do not touch; false without memory. */
static bool spans_of(const gcast_run *run, size_t i, spans *s)
{
    const gcast_run_op *r = &run->ops[i];
    bool kernel = run_spec(run, i)->kind == GCAST_KIND_KERNEL;
    bool ok = kernel || vec_push(s, ((span){r->start_ns, r->end_ns}));
    for (uint64_t b = 0; kernel && b < r->block_count && ok; b++)
        ok = vec_push(s, ((span){r->blocks[b].start_ns, r->blocks[b].end_ns}));
    if (!ok || !s->count)
        return ok;
    qsort(s->at, s->count, sizeof *s->at, by_start);
    size_t last = 0;
    for (size_t k = 1; k < s->count; k++) {
        if (s->at[k].start > s->at[last].end)
            s->at[++last] = s->at[k];
        else if (s->at[k].end > s->at[last].end)
            s->at[last].end = s->at[k].end;
    }
    s->count = last + 1;
    return true;
}

static int64_t length(const spans *s)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += s->at[i].end - s->at[i].start;
    return sum;
}

/* How long both ran at one time. */
static int64_t overlap(const spans *a, const spans *b)
{
    int64_t sum = 0;
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        int64_t start = max_i64(a->at[i].start, b->at[k].start), end = min_i64(a->at[i].end, b->at[k].end);
        sum += end > start ? end - start : 0;
        if (a->at[i].end < b->at[k].end)
            i++;
        else
            k++;
    }
    return sum;
}

/* How long each ran, and both at one time; false without memory. */
static bool measure(pairing *x)
{
    spans earlier = {0}, later = {0};
    bool ok = spans_of(x->run, x->p.earlier, &earlier) && spans_of(x->run, x->p.later, &later);
    if (ok) {
        x->p.earlier_ran_ns = length(&earlier);
        x->p.later_ran_ns = length(&later);
        x->p.overlap_ns = overlap(&earlier, &later);
    }
    vec_free(&earlier);
    vec_free(&later);
    return ok;
}

/* Adds the part of a wait within a span, if any, as a link; false without memory. */
static bool add_link(pairing *x, gcast_wait wait, span within, int depth)
{
    wait.from_ns = max_i64(wait.from_ns, within.start);
    wait.to_ns = min_i64(wait.to_ns, within.end);
    if (wait.to_ns <= wait.from_ns)
        return true;
    wait.holders = arena_copy(&x->memory, wait.holders, wait.holder_count * sizeof *wait.holders);
    return (!wait.holder_count || wait.holders) && vec_push(&x->links, ((gcast_link){wait, depth}));
}

/* The last call that the host of an operation made before it; SIZE_MAX: it has no host, or it is the first call. */
static size_t call_before(const gcast_run *run, size_t i)
{
    size_t found = SIZE_MAX;
    int host = run_spec(run, i)->host;
    for (size_t k = 0; k < run->op_count && host != GCAST_NO_HOST; k++)
        if (run_spec(run, k)->host == host && !run->ops[k].skipped && run->ops[k].launch < run->ops[i].launch &&
            (found == SIZE_MAX || run->ops[k].launch > run->ops[found].launch))
            found = k;
    return found;
}

/* Adds all waits of the later operation within a span. */
static gcast_status add_waits(pairing *x, span within, gcast_error *err)
{
    size_t later = x->p.later, before = call_before(x->run, later);
    gcast_holder caller = {.run_op = before};
    gcast_wait call = {
        .reason = GCAST_WHY_CALL, .run_op = later, .from_ns = within.start, .to_ns = x->run->ops[later].release_ns};
    if (before != SIZE_MAX && x->run->ops[before].return_ns > within.start) {
        call.holders = &caller;
        call.holder_count = 1;
    }
    gcast_explanation *e;
    gcast_status status = explain_to(x->run, &x->index, later, EXPLAIN_FIRST_START, &e, err);
    if (status != GCAST_OK)
        return status;
    bool ok = add_link(x, call, within, 0);
    for (size_t i = 0; i < e->wait_count && ok; i++)
        ok = add_link(x, e->waits[i], within, 0);
    gcast_explanation_free(e);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* The operation whose progress ends a wait; SIZE_MAX: there is none. *goal: how far it has to come. */
static size_t blocker(const gcast_wait *w, explain_goal *goal)
{
    switch (w->reason) {
    case GCAST_WHY_FIFO:
    case GCAST_WHY_PRIORITY:
        *goal = EXPLAIN_LAST_START;
        break;
    case GCAST_WHY_STREAM:
    case GCAST_WHY_NULL_FIRST:
    case GCAST_WHY_NULL_BEFORE:
    case GCAST_WHY_AFTER:
    case GCAST_WHY_EDGE:
    case GCAST_WHY_CONNECTION:
    case GCAST_WHY_COPY_FIFO:
    case GCAST_WHY_CHILD_STREAM:
    case GCAST_WHY_CHILD_QUEUE:
        *goal = EXPLAIN_FIRST_START;
        break;
    default:
        return SIZE_MAX;
    }
    return w->holder_count ? w->holders[0].run_op : SIZE_MAX;
}

/* Adds the chain of a wait: what its holder waited for meanwhile, and so on. */
static gcast_status follow(pairing *x, gcast_wait wait, gcast_error *err)
{
    for (int depth = 1; depth <= MAX_DEPTH; depth++) {
        explain_goal goal;
        gcast_explanation *e;
        size_t holder_op = blocker(&wait, &goal), count = x->links.count;
        if (holder_op == SIZE_MAX || holder_op == x->p.earlier)
            break;
        gcast_status status = explain_to(x->run, &x->index, holder_op, goal, &e, err);
        if (status != GCAST_OK)
            return status;
        gcast_wait longest = {0};
        for (size_t i = 0; i < e->wait_count; i++) {
            gcast_wait w = e->waits[i];
            w.from_ns = max_i64(w.from_ns, wait.from_ns);
            w.to_ns = min_i64(w.to_ns, wait.to_ns);
            if (w.to_ns - w.from_ns > longest.to_ns - longest.from_ns)
                longest = w;
        }
        bool ok = add_link(x, longest, (span){wait.from_ns, wait.to_ns}, depth);
        gcast_explanation_free(e);
        if (!ok)
            return gcast_error_set_memory(err);
        if (x->links.count == count)
            break;
        wait = x->links.at[count].wait;
    }
    return GCAST_OK;
}

/* Is it one of the longest waits? */
static bool is_long(const gcast_link *links, size_t count, size_t i)
{
    int64_t own = links[i].wait.to_ns - links[i].wait.from_ns;
    size_t longer_count = 0;
    for (size_t k = 0; k < count && longer_count < MAX_FOLLOWED; k++) {
        int64_t other = links[k].wait.to_ns - links[k].wait.from_ns;
        longer_count += other > own || (other == own && k < i);
    }
    return longer_count < MAX_FOLLOWED;
}

/* Inserts the chain of each of the longest waits behind the wait. */
static gcast_status add_chains(pairing *x, gcast_error *err)
{
    size_t count = x->links.count;
    gcast_link *waits = x->links.at;
    gcast_status status = GCAST_OK;
    x->links.at = NULL;
    x->links.count = x->links.cap = 0;
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        if (!vec_push(&x->links, waits[i]))
            status = gcast_error_set_memory(err);
        else if (is_long(waits, count, i))
            status = follow(x, waits[i].wait, err);
    }
    free(waits);
    return status;
}

static gcast_status check(const gcast_run *run, size_t a, size_t b, gcast_error *err)
{
    const size_t both[] = {a, b};
    gcast_status status = explain_check_run(run, err);
    if (status != GCAST_OK)
        return status;
    for (int i = 0; i < 2; i++) {
        if (both[i] >= run_total(run) || run->ops[both[i]].skipped)
            return gcast_error_set(err, GCAST_INPUT, NULL, "the operation was never called");
        if (!gcast_kind_on_gpu(run_spec(run, both[i])->kind))
            return gcast_error_set(err, GCAST_INPUT, NULL, "%s does not run on the GPU", run_spec(run, both[i])->label);
    }
    return a == b ? gcast_error_set(err, GCAST_USAGE, NULL, "two different operations must be named") : GCAST_OK;
}

gcast_status gcast_run_explain_pair(const gcast_run *run, size_t a, size_t b, gcast_pair **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!run || !out)
        return argument_missing(err);
    gcast_status status = check(run, a, b, err);
    if (status != GCAST_OK)
        return status;
    pairing *x = calloc(1, sizeof *x);
    if (!x)
        return gcast_error_set_memory(err);
    bool swap = run->ops[b].start_ns < run->ops[a].start_ns;
    *x = (pairing){.run = run, .p = {.earlier = swap ? b : a, .later = swap ? a : b, .memory = x}};
    const gcast_run_op *earlier = &run->ops[x->p.earlier], *later = &run->ops[x->p.later];
    span within = {earlier->start_ns, min_i64(later->start_ns, earlier->end_ns)};
    status = run_index_init(&x->index, run) && measure(x) ? add_waits(x, within, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = add_chains(x, err);
    x->p.links = x->links.at;
    x->p.link_count = x->links.count;
    if (status == GCAST_OK)
        *out = &x->p;
    else
        gcast_pair_free(&x->p);
    return status;
}

void gcast_pair_free(gcast_pair *p)
{
    if (!p)
        return;
    pairing *x = p->memory;
    run_index_free(&x->index);
    vec_free(&x->links);
    arena_free(&x->memory);
    free(x);
}
