/* gcast_run_find_remedies: changes to a workload that make two operations overlap. Each remedy was simulated. If one
 * change is not enough, further ones are tried on top of the best change or, if none helps yet, of the first one. */
#include <limits.h>
#include <stdlib.h>

#include "analyze/advice/remedy.h"
#include "base/api.h"
#include "base/integers.h"
#include "base/vec.h"
#include "change/variant.h"
#include "model/gpu.h"
#include "model/workload/workload.h"

#define MAX_TRIED 24             /* changes to try on top of one workload */
#define MILLION 1000000          /* unit of overlaps: millionths of the shorter operation's time */
#define MIN_GAIN (MILLION / 100) /* a change that gains less is no remedy */

/* Limits of changes. */
#define MAX_CONNECTIONS 32 /* of CUDA_DEVICE_MAX_CONNECTIONS */
#define MIN_THREADS 32
#define MIN_REGISTERS 16
#define MIN_SHARED 1024

/* remedy_collect lists changes that may shorten the waits of a pair. They only change what a programmer decides:
 * streams, priorities, calls, and the demand of a block. */

typedef struct remedy_candidate {
    change change;
    int series; /* changes of one series differ only in their value; the smallest change comes first */
} remedy_candidate;

typedef VEC(remedy_candidate) remedy_candidates;

typedef struct collecting {
    const gcast_run *run;   /* the run of the pair */
    const gcast_pair *pair; /* its waits should become shorter */
    remedy_candidates *out; /* so far */
    int series;             /* the current series */
    bool failed;            /* no memory */
} collecting;

static const gcast_op *op_of(const collecting *k, size_t run_op)
{
    return &k->run->workload->ops[k->run->ops[run_op].op];
}

static bool changes_stream(change_kind kind)
{
    return kind == CHANGE_NON_BLOCKING || kind == CHANGE_LEVEL;
}

static bool is_equal(const collecting *k, const change *a, const change *b)
{
    const gcast_op *ops = k->run->workload->ops;
    return a->kind == b->kind && a->value == b->value &&
           (changes_stream(a->kind) ? ops[a->at].stream == ops[b->at].stream : a->at == b->at);
}

static void add(collecting *k, change_kind kind, size_t op, int64_t value)
{
    change c = {.kind = kind, .at = op, .value = value};
    for (size_t i = 0; i < k->out->count; i++)
        if (is_equal(k, &k->out->at[i].change, &c))
            return;
    if (!vec_push(k->out, ((remedy_candidate){c, k->series})))
        k->failed = true;
}

/* Child kernels are not changed: they follow from their parents. */
static void add_op(collecting *k, change_kind kind, size_t run_op, int64_t value)
{
    if (run_op < k->run->op_count)
        add(k, kind, k->run->ops[run_op].op, value);
}

static void add_stream(collecting *k, change_kind kind, size_t run_op, int64_t value)
{
    k->series++;
    add_op(k, kind, run_op, value);
}

/* Ops of a task move together, so a new stream does not separate two ops of one task. */
static void own_stream(collecting *k, size_t run_op)
{
    int task = op_of(k, run_op)->task;
    if (op_of(k, run_op)->graph != GCAST_NO_GRAPH)
        return; /* the nodes of a graph share a stream */
    if (task != GCAST_ONCE && op_of(k, k->pair->earlier)->task == task && op_of(k, k->pair->later)->task == task)
        return;
    k->series++;
    add_op(k, CHANGE_OWN_STREAM, run_op, 0);
}

/* The priority that takes effect on the GPU: from 0, the lowest, down to the highest. */
static int priority_of(const collecting *k, size_t run_op)
{
    const gcast_gpu *gpu = k->run->gpu;
    return nearest_priority(gpu, k->run->workload->streams[op_of(k, run_op)->stream].priority);
}

/* Raises the waiting stream above the other one or, if that has the highest priority, lowers the other one.
 * `equal_is_enough`: an equal priority will do. */
static void change_priority(collecting *k, size_t waiting, size_t other, bool equal_is_enough)
{
    int highest = highest_priority(k->run->gpu), wanted = priority_of(k, other) - !equal_is_enough;
    if (op_of(k, waiting)->stream == op_of(k, other)->stream)
        return;
    if (wanted >= highest)
        add_stream(k, CHANGE_LEVEL, waiting, wanted);
    else if (priority_of(k, waiting) < 0)
        add_stream(k, CHANGE_LEVEL, other, priority_of(k, waiting) + 1);
}

static void more_connections(collecting *k)
{
    k->series++;
    for (int n = k->run->connections; n > 0 && n < MAX_CONNECTIONS;) {
        n = min_int(2 * n, MAX_CONNECTIONS);
        add(k, CHANGE_CONNECTIONS, 0, n);
    }
}

static void fewer_threads(collecting *k, size_t run_op)
{
    gcast_op shape = *op_of(k, run_op);
    k->series++;
    while (shape.shape.threads / 2 >= MIN_THREADS && change_threads(&shape, shape.shape.threads / 2))
        add_op(k, CHANGE_THREADS, run_op, shape.shape.threads);
}

static void more_threads(collecting *k, size_t run_op)
{
    gcast_op shape = *op_of(k, run_op);
    int max_threads = k->run->gpu->limits.threads_per_block;
    k->series++;
    while (shape.shape.threads <= max_threads / 2 && change_threads(&shape, 2 * (int64_t)shape.shape.threads))
        add_op(k, CHANGE_THREADS, run_op, shape.shape.threads);
}

static void halves(collecting *k, change_kind kind, size_t run_op, int64_t value, int64_t min_value)
{
    k->series++;
    for (value /= 2; value >= min_value; value /= 2)
        add_op(k, kind, run_op, value);
}

/* Static and dynamic shared memory of a block. */
static int64_t shared_of(const gcast_op *op)
{
    return op->shape.static_smem + op->shape.dynamic_smem;
}

/* Smaller demands of the waiting kernel and of the one that holds the most. */
static void less_demand(collecting *k, const gcast_wait *w)
{
    size_t kernels[2] = {w->run_op, w->holder_count ? w->holders[0].run_op : w->run_op};
    if (w->resources >> GCAST_RES_THREADS & 1 || w->resources >> GCAST_RES_WARPS & 1)
        fewer_threads(k, w->run_op);
    for (int i = 0; i < (kernels[0] == kernels[1] ? 1 : 2); i++) {
        const gcast_op *op = op_of(k, kernels[i]);
        if (w->resources >> GCAST_RES_REGISTERS & 1)
            halves(k, CHANGE_REGISTERS, kernels[i], op->shape.registers, MIN_REGISTERS);
        if (w->resources >> GCAST_RES_SHARED_MEMORY & 1)
            halves(k, CHANGE_SHARED_MEMORY, kernels[i], shared_of(op), MIN_SHARED);
        if (w->resources >> GCAST_RES_BLOCKS & 1)
            more_threads(k, kernels[i]);
    }
}

static void larger_carveout(collecting *k, const gcast_wait *w)
{
    for (size_t i = 0; i < w->holder_count; i++)
        if (op_of(k, w->holders[i].run_op)->carveout != GCAST_OP_CARVEOUT_MOST) {
            k->series++;
            add_op(k, CHANGE_OP_CARVEOUT, w->holders[i].run_op, GCAST_OP_CARVEOUT_MOST);
            return;
        }
}

static void earlier_call(collecting *k, size_t run_op)
{
    k->series++;
    if (op_of(k, run_op)->task == GCAST_ONCE && op_of(k, run_op)->graph == GCAST_NO_GRAPH)
        add_op(k, CHANGE_CALL, run_op, k->run->ops[k->pair->earlier].call_ns);
}

/* Changes that may shorten this wait. */
static void collect_for(collecting *k, const gcast_wait *w)
{
    size_t holder = w->holder_count ? w->holders[0].run_op : w->run_op;
    switch (w->reason) {
    case GCAST_WHY_CALL:
        earlier_call(k, w->run_op);
        break;
    case GCAST_WHY_STREAM:
        own_stream(k, w->run_op);
        break;
    case GCAST_WHY_NULL_FIRST: /* it is in the NULL stream, its holder in a blocking one */
        own_stream(k, w->run_op);
        add_stream(k, CHANGE_NON_BLOCKING, holder, 0);
        break;
    case GCAST_WHY_NULL_BEFORE:
        add_stream(k, CHANGE_NON_BLOCKING, w->run_op, 0);
        own_stream(k, holder);
        break;
    case GCAST_WHY_CONNECTION:
    case GCAST_WHY_TURN:
        more_connections(k);
        break;
    case GCAST_WHY_FIFO:
    case GCAST_WHY_PRIORITY:
        change_priority(k, w->run_op, holder, w->reason == GCAST_WHY_PRIORITY);
        break;
    case GCAST_WHY_CARVEOUT:
        larger_carveout(k, w);
        break;
    case GCAST_WHY_RESOURCES:
        less_demand(k, w);
        break;
    default: /* times of the GPU cannot be changed */
        break;
    }
}

/* Lists candidates in the order of the waits; false without memory. */
static bool remedy_collect(const gcast_run *run, const gcast_pair *pair, remedy_candidates *out)
{
    collecting k = {.run = run, .pair = pair, .out = out};
    for (size_t i = 0; i < pair->link_count; i++)
        collect_for(&k, &pair->links[i].wait);
    return !k.failed;
}

typedef struct owned_remedies {
    gcast_remedies r;        /* first, so that a gcast_remedies is its handle */
    VEC(gcast_remedy) found; /* r.list */
} owned_remedies;

typedef struct search {
    const gcast_run *run; /* the given run */
    variant_base base;    /* its workload */
    const gcast_gpu *gpu; /* NULL: the GPU of the workload */
    const gcast_simulate_options *options;
    const gcast_pair *pair; /* the two operations that should overlap */
    owned_remedies *o;
    int64_t given_overlap; /* of the pair in the given run, in millionths */
    double done;           /* fraction of all work */
    double step;           /* the fraction of one simulation, or of all candidates of one base */
} search;

static bool show_progress(void *data, double fraction)
{
    const search *s = data;
    return s->options->progress(s->options->progress_data, s->done + s->step * fraction);
}

/* A workload with changes, its run and pair; or the unchanged workload with the caller's run and pair. */
typedef struct outcome {
    gcast_remedy remedy;    /* the changes and the overlap */
    const gcast_run *run;   /* NULL: it cannot run */
    const gcast_pair *pair; /* the two operations in that run */
    variant own;            /* the changed workload; nothing in it: unchanged */
    gcast_run *own_run;     /* `run` if it is not the caller's, else NULL */
    gcast_pair *own_pair;   /* `pair` if it is not the caller's, else NULL */
} outcome;

static void outcome_free(outcome *x)
{
    gcast_pair_free(x->own_pair);
    gcast_run_free(x->own_run);
    variant_free(&x->own);
    *x = (outcome){0};
}

static void measure_overlap(const search *s, outcome *x)
{
    gcast_remedy *r = &x->remedy;
    int64_t a = x->pair->earlier_ran_ns, b = x->pair->later_ran_ns;
    r->overlap_ns = x->pair->overlap_ns;
    r->shorter_ns = min_i64(a, b);
    r->earlier_end_ns = x->run->ops[s->pair->earlier].end_ns;
    r->later_end_ns = x->run->ops[s->pair->later].end_ns;
    r->end_ns = x->run->end_ns;
}

/* Does the run hang, or is one of the two operations skipped? */
static bool never_runs(const search *s, const gcast_run *run)
{
    return run->hang || run->ops[s->pair->earlier].skipped || run->ops[s->pair->later].skipped;
}

/* Simulates the workload with the changes of a remedy. x->run is NULL if it cannot run. */
static gcast_status try_changes(search *s, const gcast_remedy *changes, outcome *x, gcast_error *err)
{
    gcast_simulate_options options = *s->options;
    *x = (outcome){.remedy = *changes};
    gcast_status status = variant_make(&s->base, x->remedy.changes, x->remedy.change_count, &x->own, err);
    options.record_blocks = true;
    options.progress = s->options->progress ? show_progress : NULL;
    options.progress_data = s;
    if (status == GCAST_OK) {
        s->o->r.runs++;
        status = gcast_workload_simulate(x->own.w, s->gpu, &options, &x->own_run, err);
        x->run = x->own_run;
    }
    bool cannot_run = status == GCAST_INPUT || (status == GCAST_OK && never_runs(s, x->run));
    if (status == GCAST_OK && !cannot_run)
        status = gcast_run_explain_pair(x->run, s->pair->earlier, s->pair->later, &x->own_pair, err);
    if (status == GCAST_OK && !cannot_run) {
        x->pair = x->own_pair;
        measure_overlap(s, x);
    } else {
        outcome_free(x);
    }
    return cannot_run ? GCAST_OK : status;
}

/* The overlap in millionths of the shorter operation's time. */
static int64_t overlap_of(const gcast_remedy *r)
{
    return r->shorter_ns ? (int64_t)((unsigned __int128)(uint64_t)r->overlap_ns * MILLION / (uint64_t)r->shorter_ns)
                         : MILLION;
}

/* Keeps only the best of a series; of equal ones, the smallest change. */
static bool keep_best(search *s, const gcast_remedy *r, bool same_series)
{
    if (same_series && s->o->found.count) {
        gcast_remedy *last = &s->o->found.at[s->o->found.count - 1];
        if (overlap_of(r) > overlap_of(last))
            *last = *r;
        return true;
    }
    return vec_push(&s->o->found, *r);
}

/* Tries all candidates on top of *base; *base becomes the best of them, with its run and pair. */
static gcast_status try_candidates(search *s, outcome *base, gcast_error *err)
{
    remedy_candidates all = {0};
    gcast_status status = remedy_collect(base->run, base->pair, &all) ? GCAST_OK : gcast_error_set_memory(err);
    size_t count = min_size(all.count, MAX_TRIED);
    outcome best = {0};
    int series = -1; /* of the last remedy kept */
    double all_steps = s->step;
    int64_t base_overlap = max_i64(overlap_of(&base->remedy), s->given_overlap);
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        outcome x;
        gcast_remedy next = base->remedy;
        next.changes[next.change_count++] = all.at[i].change;
        s->step = all_steps / (double)count;
        status = try_changes(s, &next, &x, err);
        s->done += s->step;
        if (status != GCAST_OK || !x.run)
            continue;
        if (overlap_of(&x.remedy) >= base_overlap + MIN_GAIN) {
            if (!keep_best(s, &x.remedy, series == all.at[i].series))
                status = gcast_error_set_memory(err);
            series = all.at[i].series;
        }
        bool better = !best.run || overlap_of(&x.remedy) > overlap_of(&best.remedy);
        outcome_free(better ? &best : &x);
        if (better)
            best = x;
    }
    s->step = all_steps;
    vec_free(&all);
    outcome_free(base);
    *base = best;
    return status;
}

/* Removes changes without which the remedy helps as much. */
static gcast_status prune(search *s, gcast_remedy *r, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->change_count && r->change_count > 1 && status == GCAST_OK;) {
        outcome x;
        gcast_remedy less = *r;
        less.change_count--;
        for (size_t k = i; k < less.change_count; k++)
            less.changes[k] = r->changes[k + 1];
        status = try_changes(s, &less, &x, err);
        bool as_good = status == GCAST_OK && x.run && overlap_of(&x.remedy) >= overlap_of(r);
        if (as_good)
            *r = x.remedy;
        else
            i++;
        outcome_free(&x);
    }
    return status;
}

static int by_overlap(const void *a, const void *b)
{
    const gcast_remedy *x = a, *y = b;
    if (overlap_of(x) != overlap_of(y))
        return overlap_of(x) > overlap_of(y) ? -1 : 1;
    if (x->change_count != y->change_count)
        return x->change_count < y->change_count ? -1 : 1;
    for (size_t i = 0; i < x->change_count; i++) {
        const change *c = &x->changes[i], *d = &y->changes[i];
        if (c->kind != d->kind)
            return c->kind < d->kind ? -1 : 1;
        if (c->at != d->at)
            return c->at < d->at ? -1 : 1;
        if (c->value != d->value)
            return c->value < d->value ? -1 : 1;
    }
    return 0;
}

/* Sorts the remedies and removes duplicates. */
static void sort_remedies(owned_remedies *o)
{
    size_t kept = 0;
    if (o->found.count)
        qsort(o->found.at, o->found.count, sizeof *o->found.at, by_overlap);
    for (size_t i = 0; i < o->found.count; i++)
        if (!kept || by_overlap(&o->found.at[kept - 1], &o->found.at[i]) != 0)
            o->found.at[kept++] = o->found.at[i];
    o->r.list = o->found.at;
    o->r.count = kept;
}

/* Adds changes one after the other until the pair overlaps for all of the shorter operation. */
static gcast_status search_remedies(search *s, gcast_error *err)
{
    outcome base = {.run = s->run, .pair = s->pair};
    gcast_status status = GCAST_OK;
    measure_overlap(s, &base);
    s->given_overlap = overlap_of(&base.remedy);
    s->step = 1.0 / REMEDY_MAX_CHANGES;
    bool has_child =
        max_size(s->pair->earlier, s->pair->later) >= s->run->op_count; /* another run may not have this child kernel */
    for (int made = 0; made < REMEDY_MAX_CHANGES && status == GCAST_OK && !has_child; made++) {
        if (!base.run || base.remedy.overlap_ns >= base.remedy.shorter_ns)
            break;
        status = try_candidates(s, &base, err);
    }
    outcome_free(&base);
    s->step = 0;
    for (size_t i = 0; i < s->o->found.count && status == GCAST_OK; i++)
        status = prune(s, &s->o->found.at[i], err);
    return status;
}

gcast_status gcast_run_find_remedies(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *given,
                                     const gcast_pair *pair, gcast_remedies **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!run || !pair || !out)
        return argument_missing(err);
    gcast_simulate_options own = gcast_simulate_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_simulate_options", err);
    if (status != GCAST_OK)
        return status;
    owned_remedies *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->r.memory = o;
    search s = {.run = run, .base = {.w = run->workload}, .gpu = gpu, .options = &own, .pair = pair, .o = o};
    status = search_remedies(&s, err);
    if (status != GCAST_OK) {
        gcast_remedies_free(&o->r);
        return status;
    }
    sort_remedies(o);
    *out = &o->r;
    return GCAST_OK;
}

void gcast_remedies_free(gcast_remedies *r)
{
    if (!r)
        return;
    owned_remedies *o = r->memory;
    vec_free(&o->found);
    free(o);
}
