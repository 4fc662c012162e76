/* Ticks of threads, and what the lanes of a warp know together. */
#include "simt/races/race_checker.h"

void order_gather(race_checker *checker, const race_warp *w, uint32_t m, int view, race_view *out)
{
    const race_view *last = NULL;
    bool is_first = true;
    EACH_SET(i, m)
    {
        const race_view *v = &w->view[i][view];
        if (is_first || !view_is_same(last, v))
            view_join(&checker->clocks, out, v);
        last = v;
        is_first = false;
    }
    out->known = clock_raise(&checker->clocks, out->known, w->number, m, w->lane_tick);
}

void order_tick(race_checker *checker, const warp *w, uint32_t m, const op *o)
{
    race_warp *x = &w->block->races->warp[w->number];
    race_event e = {x->tick, o ? (uint32_t)(o - checker->machine->program->op) : 0, m};
    checker->failed |= !vec_push(&x->events, e);
    if (x->tick >= UINT32_MAX - 2) {
        checker->failed = true;
        return;
    }
    x->tick++;
    EACH_SET(i, m) x->lane_tick[i] = x->tick;
}

void copies_end(race_checker *checker, race_memory *shared, race_warp *x, uint32_t lane, uint32_t before_group)
{
    size_t left = 0;
    for (size_t i = 0; i < x->copies[lane].count; i++) {
        race_copy p = x->copies[lane].at[i];
        if (p.group < before_group)
            (p.shared ? shared : checker->memory)->records.at[p.record].tick = x->lane_tick[lane];
        else
            x->copies[lane].at[left++] = p;
    }
    x->copies[lane].count = left;
}
