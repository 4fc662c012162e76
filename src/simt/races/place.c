/* Places that threads order themselves by: a write leaves there what its thread
 * hands on, a read finds what was left by the write that it sees. */
#include "simt/races/place.h"

#include "simt/races/races.h"

race_place *place_find(race_places *p, uint64_t address)
{
    if (!p->all.count)
        return NULL;
    for (index_probe i = index_start(&p->index, index_hash(&address, sizeof address)); index_next(&p->index, &i);)
        if (p->all.at[i.value].address == address)
            return &p->all.at[i.value];
    return NULL;
}

race_place *place_make(race_checker *k, race_places *p, uint64_t address)
{
    race_place *x = place_find(p, address), fresh = {.address = address, .block = UINT32_MAX};
    if (x)
        return x;
    if (!vec_push(&p->all, fresh) ||
        !index_add(&p->index, index_hash(&address, sizeof address), (uint32_t)(p->all.count - 1))) {
        k->failed = true;
        return NULL;
    }
    return &p->all.at[p->all.count - 1];
}

void place_clear(race_checker *k, race_place *x)
{
    for (int v = 0; v < VIEWS; v++) {
        for (int s = 0; s < SCOPES; s++) {
            clock_drop(&k->clocks, x->handed[v][s]);
            x->handed[v][s] = NULL;
        }
        clock_drop(&k->clocks, x->arrived[v]);
        x->arrived[v] = NULL;
    }
}

void places_free(race_checker *k, race_places *p)
{
    for (size_t i = 0; i < p->all.count; i++)
        place_clear(k, &p->all.at[i]);
    vec_free(&p->all);
    index_free(&p->index);
}

static void join(race_checker *k, race_clock **a, race_clock *b)
{
    *a = clock_join(&k->clocks, *a, b);
}

/* All that a thread knows, itself up to now. */
static race_clock *all_of(race_checker *k, const access_by *by, int view)
{
    const race_warp *w = by->warp;
    return clock_raise(&k->clocks, clock_keep(w->lane[by->lane].view[view].known), w->number, by->lanes, w->now);
}

void place_read(race_checker *k, race_places *p, uint64_t address, const access_by *by)
{
    race_place *x = by->op->spins ? place_make(k, p, address) : place_find(p, address);
    if (!x)
        return;
    x->is_flag |= by->op->spins;
    bool own = x->block == by->block;
    if (!own && by->op->scope == SCOPE_BLOCK)
        return;
    for (int v = 0; v < VIEWS; v++) {
        race_clock *h = x->handed[v][own ? SCOPE_BLOCK : SCOPE_GPU];
        bool acquires = by->op->acquires || (v == LOOSE && by->op->plain_atomic);
        EACH_SET(i, by->lanes)
        {
            race_view *to = &by->warp->lane[i].view[v];
            join(k, acquires ? &to->known : &to->seen[own ? SCOPE_BLOCK : SCOPE_GPU], h);
        }
        k->blocks_meet |= !own && h;
    }
}

void place_write(race_checker *k, race_places *p, uint64_t address, const access_by *by, place_change change)
{
    race_place *x = place_make(k, p, address);
    if (!x)
        return;
    const race_op *o = by->op;
    uint64_t me = (uint64_t)by->warp->number * LANES + by->lane + 1;
    bool gives_back = o->plain_atomic && x->holder == me;
    if (change == CHANGE_STORE)
        place_clear(k, x);
    if (change != CHANGE_NOTHING)
        x->holder = gives_back || change == CHANGE_STORE ? 0 : me;
    x->is_flag |= change != CHANGE_STORE;
    for (int v = 0; v < VIEWS; v++) {
        const race_view *from = &by->warp->lane[by->lane].view[v];
        bool releases = o->releases || (v == LOOSE && gives_back);
        race_clock *all = releases ? all_of(k, by, v) : NULL;
        if (x->block != by->block) { /* what only the last one's block may rely on is not for this one */
            clock_drop(&k->clocks, x->handed[v][SCOPE_BLOCK]);
            x->handed[v][SCOPE_BLOCK] = clock_keep(x->handed[v][SCOPE_GPU]);
        }
        for (int s = 0; s <= (int)o->scope; s++)
            join(k, &x->handed[v][s], releases ? all : from->fenced[s]);
        clock_drop(&k->clocks, all);
    }
    x->block = by->block;
}

void place_overwrite(race_checker *k, race_places *p, uint64_t address)
{
    race_place *x = place_find(p, address);
    if (x)
        place_clear(k, x);
}

void place_barrier(race_checker *k, race_places *p, uint64_t address, const access_by *by, mbarrier_event e)
{
    race_place *x = place_make(k, p, address);
    if (!x)
        return;
    if (e == MBARRIER_NEW)
        place_clear(k, x);
    for (int v = 0; v < VIEWS; v++) {
        if (e == MBARRIER_ARRIVES || e == MBARRIER_LAST_ARRIVES) {
            race_clock *all = all_of(k, by, v);
            join(k, &x->arrived[v], all);
            clock_drop(&k->clocks, all);
        }
        if (e == MBARRIER_LAST_ARRIVES) {
            join(k, &x->handed[v][SCOPE_BLOCK], x->arrived[v]);
            clock_drop(&k->clocks, x->arrived[v]);
            x->arrived[v] = NULL;
        }
        if (e == MBARRIER_PASSES)
            EACH_SET(i, by->lanes) join(k, &by->warp->lane[i].view[v].known, x->handed[v][SCOPE_BLOCK]);
    }
}
