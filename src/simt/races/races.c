/* Makes and frees the race checker and its blocks. Every thread has a clock, and knows up to which tick of every other
 * thread happens before its next access (vector_clock.c). Synchronization passes this knowledge on (synchronization.c,
 * sync_places.c). Shadow memory keeps which accesses each byte had (shadow_memory.c). An access that conflicts with an
 * earlier one that does not happen before it is a race (detect.c). */
#include "simt/races/races.h"

#include <stdlib.h>

#include "simt/races/race_checker.h"
#include "simt/races/shadow_memory.h"
#include "simt/races/sync_places.h"

gcast_status races_open(machine *m, bool exact, gcast_error *err)
{
    uint64_t warps = m->blocks * m->block_warps;
    if (warps >= UINT32_MAX)
        return gcast_error_set(err, GCAST_INPUT, "/grid", "races can be looked for among 2^32 warps at most");
    race_checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        return gcast_error_set_memory(err);
    m->races = checker;
    checker->machine = m;
    checker->exact = exact;
    clocks_open(&checker->clocks, warps);
    checker->global = calloc((size_t)m->program->regions + 1, sizeof *checker->global);
    checker->memory = shadow_open(checker);
    return checker->global && checker->memory && (checker->op = race_ops_make(m->program))
               ? GCAST_OK
               : gcast_error_set_memory(err);
}

bool races_found_any(const machine *m)
{
    return m->races && m->races->found_any;
}

void races_close(machine *m)
{
    race_checker *checker = m->races;
    if (!checker)
        return;
    for (uint32_t i = 0; checker->global && i < m->program->regions; i++)
        free(checker->global[i]);
    shadow_free(checker, checker->memory);
    for (race_memory *next; checker->free; checker->free = next) {
        next = checker->free->next;
        shadow_free(checker, checker->free);
    }
    free(checker->global);
    free(checker->op);
    vec_free(&checker->found);
    index_free(&checker->found_index);
    clocks_close(&checker->clocks);
    free(checker);
    m->races = NULL;
}

bool races_block_start(core *c, block *b)
{
    const machine *m = c->machine;
    uint32_t cells = m->program->shared_bytes / 4 + 1;
    race_block *x = calloc(1, sizeof *x);
    b->races = x;
    if (x) {
        x->cells = cells;
        x->shared = calloc(cells, sizeof *x->shared);
        x->warp = calloc(m->block_warps, sizeof *x->warp);
        x->memory = shadow_open(m->races);
    }
    if (!x || !x->shared || !x->warp || !x->memory)
        return false;
    for (uint32_t n = 0; n < m->block_warps; n++) {
        race_warp *w = &x->warp[n];
        w->number = (uint32_t)b->number * m->block_warps + n;
        w->tick = 1;
        for (int i = 0; i < LANES; i++)
            w->lane_tick[i] = 1;
    }
    return true;
}

void races_block_end(const machine *m, block *b)
{
    race_checker *checker = m->races;
    race_block *x = b->races;
    if (!x)
        return;
    for (uint32_t n = 0; x->warp && n < m->block_warps; n++) {
        race_warp *w = &x->warp[n];
        for (int i = 0; i < LANES; i++) {
            for (int v = 0; v < VIEWS; v++)
                view_clear(&checker->clocks, &w->view[i][v]);
            vec_free(&w->copies[i]);
        }
        vec_free(&w->events);
    }
    for (int i = 0; i < MAX_BARRIERS; i++)
        for (int v = 0; v < VIEWS; v++)
            view_clear(&checker->clocks, &x->barrier[i][v]);
    view_clear(&checker->clocks, &x->exited);
    shadow_close(checker, x->memory);
    free(x->shared);
    free(x->warp);
    free(x);
    b->races = NULL;
}

void races_renew(core *c, const block *b, uint64_t address, uint64_t bytes)
{
    race_checker *checker = c->machine->races;
    for (uint64_t at = address; at < address + bytes; at += 4) {
        race_cell *cell = shadow_cell(checker, b, false, at);
        if (!cell)
            return;
        *cell = (race_cell){0};
        place_overwrite(checker, &checker->memory->places, at);
    }
}
