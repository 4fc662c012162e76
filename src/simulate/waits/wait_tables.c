#include "simulate/waits/wait_tables.h"

#include <stdlib.h>

#include "model/workload/attributes/attributes.h"
#include "model/workload/attributes/programmatic.h"
#include "model/workload/dependencies/dependencies.h"

/* Are there streams with programmatic kernels, and blocks that wait? */
static bool is_needed(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].programmatic || attributes_waits(&w->ops[i]))
            return true;
    return false;
}

/* Of every operation with waits_for: the kernels whose blocks it waits for, and how many those are. */
static void link_edges(sim *s, sim_waits *all)
{
    uint32_t count = 0;
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        for (size_t k = 0; k < op->waits_for_count; k++) {
            sim_wait_op *named = &all->ops[dependencies_operation(o, s->ops[o].op, op->waits_for[k])];
            all->edges[count] = (sim_wait_edge){o, named->first_edge};
            named->first_edge = count++;
            all->ops[o].pending++;
        }
    }
}

/* Blocks that wait, and those whose triggers count, start one by one. */
static void set_starts(sim *s)
{
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_op *op = sim_spec(s, o);
        if (op->kind != GCAST_KIND_KERNEL)
            continue;
        bool triggers = s->waits && s->waits->has_programmatic && op->trigger_ns != GCAST_NEVER;
        s->state[o].starts_each = attributes_waits(op) || triggers;
        s->state[o].starts_whole = op->cooperative;
    }
}

bool wait_tables_init(sim *s)
{
    size_t edges = 0, ops = (size_t)s->op_count + 1;
    if (is_needed(s->w)) {
        sim_waits *all = s->waits = calloc(1, sizeof *all);
        for (uint32_t o = 0; o < s->op_count; o++)
            edges += sim_spec(s, o)->waits_for_count;
        if (!all || edges >= NONE)
            return false;
        all->ops = calloc(ops, sizeof *all->ops);
        all->edges = calloc(edges + 1, sizeof *all->edges);
        all->called = calloc(s->w->stream_count + 1, sizeof *all->called);
        all->departed = calloc(s->w->stream_count + 1, sizeof *all->departed);
        if (!all->ops || !all->edges || !all->called || !all->departed)
            return false;
        for (uint32_t o = 0; o < s->op_count; o++)
            all->ops[o].before = all->ops[o].behind = all->ops[o].first_edge = NONE;
        all->gap_ns = programmatic_gap_of(s->gpu);
        all->wait_gap_ns = programmatic_wait_of(s->gpu);
        all->depth = (uint64_t)programmatic_depth_of(s->gpu);
        for (size_t i = 0; i < s->w->op_count; i++)
            all->has_programmatic = all->has_programmatic || s->w->ops[i].programmatic;
        link_edges(s, all);
    }
    set_starts(s);
    return true;
}

void wait_tables_free(sim *s)
{
    sim_waits *all = s->waits;
    if (!all)
        return;
    for (uint32_t o = 0; all->ops && o < s->op_count; o++)
        vec_free(&all->ops[o].blocks);
    vec_free(&all->triggers.items);
    vec_free(&all->candidates.items);
    free(all->ops);
    free(all->edges);
    free(all->called);
    free(all->departed);
    free(all);
    s->waits = NULL;
}
