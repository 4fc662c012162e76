/* Barriers of a block and of a warp, exits, fences, and waits for asynchronous copies order threads: each passes clocks
 * from one thread to another. */
#include "simt/races/synchronization.h"

#include <string.h>

#include "ptx/instruction.h"
#include "simt/races/detect.h"
#include "simt/races/race_checker.h"

/* Before Volta the lanes of a warp run in lockstep, so all lanes have come as far as one of them. */
static uint32_t lockstep_lanes(const core *c, const warp *w, uint32_t m)
{
    return c->machine->options->model == GCAST_SIMT_STACK ? w->threads : m;
}

static race_warp *state_of(const warp *w)
{
    return &w->block->races->warp[w->number];
}

/* Gathers both views. They are mostly the same, and then share one clock. */
static void gather_both(race_checker *checker, const race_warp *w, uint32_t m, race_view out[VIEWS])
{
    bool same = true;
    EACH_SET(i, m) same &= view_is_same(&w->view[i][VIEW_PTX], &w->view[i][VIEW_GPU]);
    order_gather(checker, w, m, VIEW_PTX, &out[VIEW_PTX]);
    if (same && !out[VIEW_GPU].known && view_is_same(&out[VIEW_GPU], &(race_view){0}))
        view_set(&checker->clocks, &out[VIEW_GPU], &out[VIEW_PTX]);
    else
        order_gather(checker, w, m, VIEW_GPU, &out[VIEW_GPU]);
}

void races_arrive(core *c, warp *w, const op *o, uint32_t m, uint32_t id)
{
    race_checker *checker = c->machine->races;
    race_block *b = w->block->races;
    m = lockstep_lanes(c, w, m);
    race_view out[VIEWS] = {0};
    gather_both(checker, state_of(w), m, out);
    for (int v = 0; v < VIEWS; v++) {
        view_join(&checker->clocks, &b->barrier[id][v], &out[v]);
        view_clear(&checker->clocks, &out[v]);
    }
    order_tick(checker, w, m, o);
}

void races_complete(core *c, block *b, uint32_t id, bool all)
{
    if (all)
        view_join(&c->machine->races->clocks, &b->races->barrier[id][VIEW_GPU], &b->races->exited);
}

void races_leave(core *c, warp *w, uint32_t m, uint32_t id)
{
    race_checker *checker = c->machine->races;
    race_block *b = w->block->races;
    EACH_SET(i, lockstep_lanes(c, w, m))
    for (int v = 0; v < VIEWS; v++)
        view_set(&checker->clocks, &state_of(w)->view[i][v], &b->barrier[id][v]);
}

void races_barrier_end(core *c, block *b, uint32_t id)
{
    for (int v = 0; v < VIEWS; v++)
        view_clear(&c->machine->races->clocks, &b->races->barrier[id][v]);
}

void races_warp_sync(core *c, warp *w, const op *o, uint32_t m)
{
    race_checker *checker = c->machine->races;
    race_warp *x = state_of(w);
    bool is_barrier = o->run.sync == NULL;
    m = lockstep_lanes(c, w, m);
    race_view out[VIEWS] = {0};
    gather_both(checker, x, m, out);
    for (int v = is_barrier ? VIEW_PTX : VIEW_GPU; v < VIEWS; v++)
        EACH_SET(i, m) view_set(&checker->clocks, &x->view[i][v], &out[v]);
    for (int v = 0; v < VIEWS; v++)
        view_clear(&checker->clocks, &out[v]);
    order_tick(checker, w, m, o);
}

void races_exit(core *c, warp *w, const op *o, uint32_t m)
{
    race_checker *checker = c->machine->races;
    order_gather(checker, state_of(w), m, VIEW_GPU, &w->block->races->exited);
    order_tick(checker, w, m, o);
}

static void copies_wait(race_checker *checker, warp *w, const op *o, uint32_t m)
{
    const ptx_instruction *in = o->source;
    race_warp *x = state_of(w);
    const char *operation = in->mods > 1 ? in->mod[1] : "";
    bool all = strcmp(operation, "wait_all") == 0, commits = strcmp(operation, "commit_group") == 0;
    uint32_t keep = in->operands ? (uint32_t)in->operand[0].bits : 0;
    EACH_SET(i, m)
    {
        if (commits)
            x->groups[i]++;
        else if (all)
            copies_end(checker, w->block->races->memory, x, i, UINT32_MAX);
        else if (x->groups[i] > keep)
            copies_end(checker, w->block->races->memory, x, i, x->groups[i] - keep);
    }
    if (commits)
        return;
    for (int v = 0; v < VIEWS; v++)
        EACH_SET(i, m)
        {
            race_view *a = &x->view[i][v];
            a->known = clock_raise(&checker->clocks, a->known, x->number, 1u << i, x->lane_tick);
        }
    order_tick(checker, w, m, o);
}

void races_fence(core *c, warp *w, const op *o, uint32_t m)
{
    race_checker *checker = c->machine->races;
    const race_op *r = &checker->op[o - c->machine->program->op];
    race_warp *x = state_of(w);
    if (r->ends_copies)
        EACH_SET(i, m) races_copies_arrive(c, w, o, i);
    else if (o->source && ptx_is(o->source, "cp") && m)
        copies_wait(checker, w, o, m);
    if (!r->is_fence || !m)
        return;
    m = lockstep_lanes(c, w, m);
    EACH_SET(i, m)
    for (int v = 0; v < VIEWS; v++) {
        race_view *a = &x->view[i][v];
        for (int s = 0; s <= (int)r->scope; s++) {
            a->known = clock_join(&checker->clocks, a->known, a->unfenced[s]);
            clock_drop(&checker->clocks, a->unfenced[s]);
            a->unfenced[s] = NULL;
        }
        race_clock *all = clock_raise(&checker->clocks, clock_keep(a->known), x->number, 1u << i, x->lane_tick);
        for (int s = 0; s <= (int)r->scope; s++) {
            clock_drop(&checker->clocks, a->fenced[s]);
            a->fenced[s] = clock_keep(all);
        }
        clock_drop(&checker->clocks, all);
    }
    order_tick(checker, w, m, o);
}
