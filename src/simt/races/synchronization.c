/* What orders threads: barriers of a block and of a warp, fences with relaxed
 * accesses, acquire and release, atomics, mbarriers, the end of asynchronous
 * copies. Each hands clocks from one thread to another. */
#include <string.h>

#include "simt/races/races.h"
#include "simt/races/state.h"

void view_clear(race_checker *k, race_view *a)
{
    clock_drop(&k->clocks, a->known);
    for (int s = 0; s < SCOPES; s++) {
        clock_drop(&k->clocks, a->fenced[s]);
        clock_drop(&k->clocks, a->seen[s]);
    }
    *a = (race_view){0};
}

void view_set(race_checker *k, race_view *a, const race_view *b)
{
    race_view old = *a;
    *a = *b;
    clock_keep(a->known);
    for (int s = 0; s < SCOPES; s++) {
        clock_keep(a->fenced[s]);
        clock_keep(a->seen[s]);
    }
    view_clear(k, &old);
}

void view_join(race_checker *k, race_view *a, const race_view *b)
{
    a->known = clock_join(&k->clocks, a->known, b->known);
    for (int s = 0; s < SCOPES; s++) {
        a->fenced[s] = clock_join(&k->clocks, a->fenced[s], b->fenced[s]);
        a->seen[s] = clock_join(&k->clocks, a->seen[s], b->seen[s]);
    }
}

static bool same_view(const race_view *a, const race_view *b)
{
    bool same = a->known == b->known;
    for (int s = 0; s < SCOPES; s++)
        same &= a->fenced[s] == b->fenced[s] && a->seen[s] == b->seen[s];
    return same;
}

/* Before Volta a warp is in step: what one lane does, all have done. */
static uint32_t in_step(const core *c, const warp *w, uint32_t m)
{
    return c->machine->options->model == GCAST_SIMT_STACK ? w->threads : m;
}

static race_warp *state_of(const warp *w)
{
    return &w->block->races->warp[w->number];
}

void order_gather(race_checker *k, const race_warp *w, uint32_t m, int view, race_view *out)
{
    const race_view *last = NULL;
    EACH_SET(i, m)
    {
        const race_view *v = &w->lane[i].view[view];
        if (!last || !same_view(last, v))
            view_join(k, out, v);
        last = v;
    }
    out->known = clock_raise(&k->clocks, out->known, w->number, m, w->now);
}

void order_tick(race_checker *k, const warp *w, uint32_t m, const op *o)
{
    race_warp *x = state_of(w);
    race_event e = {x->tick, o ? (uint32_t)(o - k->machine->program->op) : 0, m};
    k->failed |= !vec_push(&x->events, e);
    if (x->tick >= UINT32_MAX - 2) {
        k->failed = true;
        return;
    }
    x->tick++;
    EACH_SET(i, m) x->now[i] = x->tick;
}

/* In LOOSE as in STRICT, mostly: then one clock does for both. */
static void gather_both(race_checker *k, const race_warp *w, uint32_t m, race_view out[VIEWS])
{
    bool same = true;
    EACH_SET(i, m) same &= same_view(&w->lane[i].view[STRICT], &w->lane[i].view[LOOSE]);
    order_gather(k, w, m, STRICT, &out[STRICT]);
    if (same && !out[LOOSE].known && same_view(&out[LOOSE], &(race_view){0}))
        view_set(k, &out[LOOSE], &out[STRICT]);
    else
        order_gather(k, w, m, LOOSE, &out[LOOSE]);
}

void races_arrive(core *c, warp *w, const op *o, uint32_t m, uint32_t id)
{
    race_checker *k = c->machine->races;
    race_block *b = w->block->races;
    m = in_step(c, w, m);
    race_view out[VIEWS] = {0};
    gather_both(k, state_of(w), m, out);
    for (int v = 0; v < VIEWS; v++) {
        view_join(k, &b->barrier[id][v], &out[v]);
        view_clear(k, &out[v]);
    }
    order_tick(k, w, m, o);
}

void races_complete(core *c, block *b, uint32_t id, bool all)
{
    if (all)
        view_join(c->machine->races, &b->races->barrier[id][LOOSE], &b->races->exited);
}

void races_leave(core *c, warp *w, uint32_t m, uint32_t id)
{
    race_checker *k = c->machine->races;
    race_block *b = w->block->races;
    EACH_SET(i, in_step(c, w, m))
    for (int v = 0; v < VIEWS; v++)
        view_set(k, &state_of(w)->lane[i].view[v], &b->barrier[id][v]);
}

void races_barrier_over(core *c, block *b, uint32_t id)
{
    for (int v = 0; v < VIEWS; v++)
        view_clear(c->machine->races, &b->races->barrier[id][v]);
}

void races_warp_sync(core *c, warp *w, const op *o, uint32_t m)
{
    race_checker *k = c->machine->races;
    race_warp *x = state_of(w);
    bool is_barrier = o->run.sync == NULL;
    m = in_step(c, w, m);
    race_view out[VIEWS] = {0};
    gather_both(k, x, m, out);
    for (int v = is_barrier ? STRICT : LOOSE; v < VIEWS; v++)
        EACH_SET(i, m) view_set(k, &x->lane[i].view[v], &out[v]);
    for (int v = 0; v < VIEWS; v++)
        view_clear(k, &out[v]);
    order_tick(k, w, m, o);
}

void races_exit(core *c, warp *w, const op *o, uint32_t m)
{
    race_checker *k = c->machine->races;
    order_gather(k, state_of(w), m, LOOSE, &w->block->races->exited);
    order_tick(k, w, m, o);
}

void copies_end(race_checker *k, race_memory *shared, race_warp *x, uint32_t lane, uint32_t before_group)
{
    size_t left = 0;
    for (size_t i = 0; i < x->copies[lane].count; i++) {
        race_copy p = x->copies[lane].at[i];
        if (p.group < before_group)
            (p.shared ? shared : k->memory)->records.at[p.record].tick = x->now[lane];
        else
            x->copies[lane].at[left++] = p;
    }
    x->copies[lane].count = left;
}

static void copies_wait(race_checker *k, warp *w, const op *o, uint32_t m)
{
    const ptx_instruction *in = o->source;
    race_warp *x = state_of(w);
    const char *what = in->mods > 1 ? in->mod[1] : "";
    bool all = strcmp(what, "wait_all") == 0, commits = strcmp(what, "commit_group") == 0;
    uint32_t keep = in->operands ? (uint32_t)in->operand[0].bits : 0;
    EACH_SET(i, m)
    {
        if (commits)
            x->groups[i]++;
        else if (all)
            copies_end(k, w->block->races->memory, x, i, UINT32_MAX);
        else if (x->groups[i] > keep)
            copies_end(k, w->block->races->memory, x, i, x->groups[i] - keep);
    }
    if (commits)
        return;
    for (int v = 0; v < VIEWS; v++)
        EACH_SET(i, m)
        {
            race_view *a = &x->lane[i].view[v];
            a->known = clock_raise(&k->clocks, a->known, x->number, 1u << i, x->now);
        }
    order_tick(k, w, m, o);
}

void races_fence(core *c, warp *w, const op *o, uint32_t m)
{
    race_checker *k = c->machine->races;
    const race_op *r = &k->op[o - c->machine->program->op];
    race_warp *x = state_of(w);
    if (r->ends_copies)
        EACH_SET(i, m) races_copies_arrive(c, w, o, i);
    else if (o->source && strcmp(o->source->opcode, "cp") == 0 && m)
        copies_wait(k, w, o, m);
    if (!r->is_fence || !m)
        return;
    m = in_step(c, w, m);
    EACH_SET(i, m)
    for (int v = 0; v < VIEWS; v++) {
        race_view *a = &x->lane[i].view[v];
        for (int s = 0; s <= (int)r->scope; s++) {
            a->known = clock_join(&k->clocks, a->known, a->seen[s]);
            clock_drop(&k->clocks, a->seen[s]);
            a->seen[s] = NULL;
        }
        race_clock *all = clock_raise(&k->clocks, clock_keep(a->known), x->number, 1u << i, x->now);
        for (int s = 0; s <= (int)r->scope; s++) {
            clock_drop(&k->clocks, a->fenced[s]);
            a->fenced[s] = clock_keep(all);
        }
        clock_drop(&k->clocks, all);
    }
    order_tick(k, w, m, o);
}
