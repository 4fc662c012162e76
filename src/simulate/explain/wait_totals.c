/* Sums of waits: by rule, and by holder. A wait with several holders is divided among them, in whole nanoseconds, in
 * proportion to what each held. */
#include <stdlib.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/integers.h"
#include "gridcast/explain.h"
#include "simulate/blocks/sm.h"
#include "simulate/run_ops.h"

#define SCALE (1 << 20) /* the capacity of an SM for one resource, so that shares of several resources can be added */

typedef struct owned_totals {
    gcast_totals t; /* the result; the first member, so that it is the handle */
    arena memory;
} owned_totals;

/* The sums so far. */
typedef struct tally {
    const gcast_run *run;
    owned_totals *o;
    gcast_rule_total *rules;
    gcast_holder_total *ops, *streams, *tasks; /* by index in the workload */
    bool *is_counted;                          /* operations of the run that held something */
    int64_t *parts;                            /* by holder: its part of the wait that is divided */
    bool failed;
} tally;

/* How much a holder has of the resources that a wait is for; at least 1. */
static uint64_t weight(const gcast_run *run, const gcast_wait *w, const gcast_holder *h)
{
    const gcast_limits *l = &run->gpu->limits;
    if (w->reason == GCAST_WHY_CARVEOUT || w->reason == GCAST_WHY_CLUSTER)
        return h->blocks ? h->blocks : 1;
    if (w->reason != GCAST_WHY_RESOURCES)
        return 1;
    const int64_t capacity[GCAST_RESOURCES] = {
        [GCAST_RES_THREADS] = l->threads_per_sm,    [GCAST_RES_WARPS] = l->warps_per_sm,
        [GCAST_RES_BLOCKS] = l->blocks_per_sm,      [GCAST_RES_REGISTERS] = l->registers_per_sm,
        [GCAST_RES_SHARED_MEMORY] = l->smem_per_sm, [GCAST_RES_BARRIERS] = l->barriers_per_sm};
    sm_demand d = sm_demand_of(run->gpu, run_spec(run, h->run_op));
    uint64_t part = 0;
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        int64_t need = r == GCAST_RES_WARPS       ? d.warps
                       : r == GCAST_RES_REGISTERS ? (int64_t)d.warps * d.warp_registers
                                                  : d.need[r];
        if (w->resources >> r & 1 && capacity[r] > 0)
            part += (uint64_t)need * SCALE / (uint64_t)capacity[r];
    }
    return part && h->blocks ? part * h->blocks : 1;
}

/* Divides a wait among its holders in proportion to their weights; the parts add up to the wait. */
static void split(const gcast_run *run, const gcast_wait *w, int64_t *parts)
{
    unsigned __int128 total = 0, before = 0, ns = (unsigned __int128)(w->to_ns - w->from_ns);
    for (size_t i = 0; i < w->holder_count; i++)
        total += weight(run, w, &w->holders[i]);
    int64_t given = 0;
    for (size_t i = 0; i < w->holder_count; i++) {
        before += weight(run, w, &w->holders[i]);
        int64_t end = (int64_t)(ns * before / total);
        parts[i] = end - given;
        given = end;
    }
}

/* Adds a part of a wait to a holder. `fresh`: its operation was not counted before. */
static void credit(tally *y, gcast_holder_total *h, size_t rule, int64_t ns, bool fresh)
{
    if (!h->by_rule)
        h->by_rule = arena_alloc_array(&y->o->memory, y->o->t.rule_count, sizeof *h->by_rule);
    if (h->by_rule)
        ((int64_t *)h->by_rule)[rule] += ns;
    else
        y->failed = true;
    h->ns += ns;
    h->operations += fresh;
}

/* The index of the sum that a wait belongs to; rule_count: there is none yet. */
static size_t find_rule(const tally *y, const gcast_wait *w)
{
    size_t i = 0;
    while (i < y->o->t.rule_count && (y->rules[i].reason != w->reason || y->rules[i].resources != w->resources))
        i++;
    return i;
}

static void add_holders(tally *y, const gcast_wait *w)
{
    if (!w->holder_count)
        return;
    size_t rule = find_rule(y, w);
    split(y->run, w, y->parts);
    y->o->t.held_ns += w->to_ns - w->from_ns;
    for (size_t i = 0; i < w->holder_count; i++) {
        size_t who = w->holders[i].run_op;
        const gcast_op *op = run_spec(y->run, who);
        bool fresh = !y->is_counted[who];
        y->is_counted[who] = true;
        credit(y, &y->ops[y->run->ops[who].op], rule, y->parts[i], fresh);
        if (op->stream >= 0)
            credit(y, &y->streams[op->stream], rule, y->parts[i], fresh);
        if (op->task != GCAST_ONCE)
            credit(y, &y->tasks[op->task], rule, y->parts[i], fresh);
    }
}

static void add_rule(tally *y, const gcast_wait *w)
{
    size_t i = find_rule(y, w);
    if (i == y->o->t.rule_count)
        y->rules[y->o->t.rule_count++] = (gcast_rule_total){.reason = w->reason, .resources = w->resources};
    y->rules[i].ns += w->to_ns - w->from_ns;
    y->rules[i].waits++;
}

static int by_cost(const void *a, const void *b)
{
    const gcast_holder_total *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return x->which < y->which ? -1 : x->which > y->which;
}

static int by_rule_cost(const void *a, const void *b)
{
    const gcast_rule_total *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->reason != y->reason)
        return x->reason < y->reason ? -1 : 1;
    return x->resources < y->resources ? -1 : x->resources > y->resources;
}

/* Keeps the entries that held something, by sum, the largest first; returns how many. */
static size_t keep_holders(gcast_holder_total *all, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].operations)
            all[kept++] = all[i];
    if (kept)
        qsort(all, kept, sizeof *all, by_cost);
    return kept;
}

static gcast_holder_total *new_holders(arena *memory, size_t count)
{
    gcast_holder_total *all = arena_alloc_array(memory, count + 1, sizeof *all);
    for (size_t i = 0; all && i < count; i++)
        all[i].which = i;
    return all;
}

static bool sum_up(tally *y, const gcast_explanation *e)
{
    const gcast_workload *w = y->run->workload;
    size_t max_holders = 1;
    for (size_t i = 0; i < e->wait_count; i++)
        max_holders = max_size(max_holders, e->waits[i].holder_count);
    arena *memory = &y->o->memory;
    y->rules = arena_alloc_array(memory, GCAST_REASONS + (1u << GCAST_RESOURCES), sizeof *y->rules);
    y->ops = new_holders(memory, w->op_count + w->child_count);
    y->streams = new_holders(memory, w->stream_count);
    y->tasks = new_holders(memory, w->task_count);
    y->is_counted = arena_alloc_array(memory, run_total(y->run) + 1, sizeof *y->is_counted);
    y->parts = arena_alloc_array(memory, max_holders, sizeof *y->parts);
    if (!y->rules || !y->ops || !y->streams || !y->tasks || !y->is_counted || !y->parts)
        return false;
    gcast_totals *t = &y->o->t;
    for (size_t i = 0; i < e->wait_count; i++)
        add_rule(y, &e->waits[i]);
    if (t->rule_count)
        qsort(y->rules, t->rule_count, sizeof *y->rules, by_rule_cost);
    for (size_t i = 0; i < e->wait_count; i++)
        add_holders(y, &e->waits[i]);
    t->rules = y->rules;
    t->ops = y->ops;
    t->op_count = keep_holders(y->ops, w->op_count + w->child_count);
    t->streams = y->streams;
    t->stream_count = keep_holders(y->streams, w->stream_count);
    t->tasks = y->tasks;
    t->task_count = keep_holders(y->tasks, w->task_count);
    return !y->failed;
}

/* Does the run have all operations that the explanation names? */
static bool is_of_run(const gcast_run *run, const gcast_explanation *e)
{
    size_t count = run->op_count + run->child_count;
    bool known = e->run_op < count;
    for (size_t i = 0; known && i < e->wait_count; i++) {
        const gcast_wait *w = &e->waits[i];
        known = w->run_op < count && (unsigned)w->reason < GCAST_REASONS;
        for (size_t k = 0; known && k < w->holder_count; k++)
            known = w->holders[k].run_op < count;
    }
    return known;
}

gcast_status gcast_run_sum_waits(const gcast_run *run, const gcast_explanation *e, gcast_totals **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!run || !e || !out)
        return argument_missing(err);
    if (!is_of_run(run, e))
        return gcast_error_set(err, GCAST_USAGE, NULL, "the explanation is not of this run");
    owned_totals *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->t.memory = o;
    o->t.response_ns = e->end_ns - e->release_ns;
    tally y = {.run = run, .o = o};
    if (!sum_up(&y, e)) {
        gcast_totals_free(&o->t);
        return gcast_error_set_memory(err);
    }
    *out = &o->t;
    return GCAST_OK;
}

void gcast_totals_free(gcast_totals *t)
{
    if (!t)
        return;
    owned_totals *o = t->memory;
    arena_free(&o->memory);
    free(o);
}
