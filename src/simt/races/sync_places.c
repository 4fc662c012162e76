/* Addresses by which threads synchronize: a write stores there what its thread releases, and a read acquires what the
 * write that it sees has stored. */
#include "simt/races/sync_places.h"

race_place *place_find(race_places *p, uint64_t address)
{
    if (!p->all.count)
        return NULL;
    for (index_probe i = index_start(&p->index, index_hash(&address, sizeof address)); index_next(&p->index, &i);)
        if (p->all.at[i.value].address == address)
            return &p->all.at[i.value];
    return NULL;
}

static race_place *place_make(race_checker *checker, race_places *p, uint64_t address)
{
    race_place *x = place_find(p, address), new_place = {.address = address, .block = UINT32_MAX};
    if (x)
        return x;
    if (!vec_push(&p->all, new_place) ||
        !index_add(&p->index, index_hash(&address, sizeof address), (uint32_t)(p->all.count - 1))) {
        checker->failed = true;
        return NULL;
    }
    return &p->all.at[p->all.count - 1];
}

/* Nothing is released there any more. */
static void place_clear(race_checker *checker, race_place *x)
{
    for (int v = 0; v < VIEWS; v++) {
        for (int s = 0; s < SCOPES; s++) {
            clock_drop(&checker->clocks, x->released[v][s]);
            x->released[v][s] = NULL;
        }
        clock_drop(&checker->clocks, x->arrived[v]);
        x->arrived[v] = NULL;
    }
}

void places_free(race_checker *checker, race_places *p)
{
    for (size_t i = 0; i < p->all.count; i++)
        place_clear(checker, &p->all.at[i]);
    vec_free(&p->all);
    index_free(&p->index);
}

static void join(race_checker *checker, race_clock **a, race_clock *b)
{
    *a = clock_join(&checker->clocks, *a, b);
}

/* What a thread knows of the others, and its own accesses up to now. */
static race_clock *knowledge_of(race_checker *checker, const access_by *by, int view)
{
    const race_warp *w = by->warp;
    return clock_raise(&checker->clocks, clock_keep(w->view[by->lane][view].known), w->number, by->lanes, w->lane_tick);
}

void place_read(race_checker *checker, race_places *p, uint64_t address, const access_by *by)
{
    race_place *x = by->op->spins ? place_make(checker, p, address) : place_find(p, address);
    if (!x)
        return;
    x->is_flag |= by->op->spins;
    bool own = x->block == by->block;
    if (!own && by->op->scope == SCOPE_BLOCK)
        return;
    for (int v = 0; v < VIEWS; v++) {
        race_clock *released = x->released[v][own ? SCOPE_BLOCK : SCOPE_GPU];
        bool acquires = by->op->acquires || (v == VIEW_GPU && by->op->plain_atomic);
        EACH_SET(i, by->lanes)
        {
            race_view *view = &by->warp->view[i][v];
            join(checker, acquires ? &view->known : &view->unfenced[own ? SCOPE_BLOCK : SCOPE_GPU], released);
        }
        checker->blocks_meet |= !own && released;
    }
}

void place_write(race_checker *checker, race_places *p, uint64_t address, const access_by *by, place_change change)
{
    race_place *x = place_make(checker, p, address);
    if (!x)
        return;
    const race_op *o = by->op;
    uint64_t thread = (uint64_t)by->warp->number * LANES + by->lane + 1;
    bool unlocks = o->plain_atomic && x->holder == thread;
    if (change == CHANGE_STORE)
        place_clear(checker, x);
    if (change != CHANGE_NOTHING)
        x->holder = unlocks || change == CHANGE_STORE ? 0 : thread;
    x->is_flag |= change != CHANGE_STORE;
    for (int v = 0; v < VIEWS; v++) {
        const race_view *view = &by->warp->view[by->lane][v];
        bool releases = o->releases || (v == VIEW_GPU && unlocks);
        race_clock *all = releases ? knowledge_of(checker, by, v) : NULL;
        if (x->block != by->block) { /* the previous writer released this only to its own block */
            clock_drop(&checker->clocks, x->released[v][SCOPE_BLOCK]);
            x->released[v][SCOPE_BLOCK] = clock_keep(x->released[v][SCOPE_GPU]);
        }
        for (int s = 0; s <= (int)o->scope; s++)
            join(checker, &x->released[v][s], releases ? all : view->fenced[s]);
        clock_drop(&checker->clocks, all);
    }
    x->block = by->block;
}

void place_overwrite(race_checker *checker, race_places *p, uint64_t address)
{
    race_place *x = place_find(p, address);
    if (x)
        place_clear(checker, x);
}

void place_barrier(race_checker *checker, race_places *p, uint64_t address, const access_by *by, mbarrier_event e)
{
    race_place *x = place_make(checker, p, address);
    if (!x)
        return;
    if (e == MBARRIER_NEW)
        place_clear(checker, x);
    for (int v = 0; v < VIEWS; v++) {
        if (e == MBARRIER_ARRIVES || e == MBARRIER_LAST_ARRIVES) {
            race_clock *all = knowledge_of(checker, by, v);
            join(checker, &x->arrived[v], all);
            clock_drop(&checker->clocks, all);
        }
        if (e == MBARRIER_LAST_ARRIVES) {
            join(checker, &x->released[v][SCOPE_BLOCK], x->arrived[v]);
            clock_drop(&checker->clocks, x->arrived[v]);
            x->arrived[v] = NULL;
        }
        if (e == MBARRIER_PASSES)
            EACH_SET(i, by->lanes) join(checker, &by->warp->view[i][v].known, x->released[v][SCOPE_BLOCK]);
    }
}
