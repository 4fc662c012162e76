/* From what is live to a number of registers, as ptxas gives them out. Up to the
 * first level, where an SM still holds all the threads it can, it takes what a
 * schedule without waits would like to have; beyond that it makes do with the
 * next level that what must be live fits into. The constants were fitted to
 * ptxas of CUDA 13.0 (tests/data/ptxas/registers.txt). */
#include "simt/registers/registers.h"

#include <stdlib.h>
#include <string.h>

#define FILE_WORDS 65536u /* registers of an SM */
#define MOST 255u
#define NOTHING 4u       /* of a kernel that does nothing */
#define LEAST 10u        /* of a kernel that does anything */
#define LEAST_LIMIT 24u  /* less than this ptxas does not take for a limit */
#define USUAL_BLOCK 128u /* threads: what ptxas reckons with where nothing is said */
#define ROUNDS 4u        /* of a loop that is unrolled */
#define CALL_LEAST 24u   /* of a kernel that calls a function */
#define CALL_MORE 20u    /* beyond what is live across the call */

/* What a function needs, in words. */
typedef struct demand {
    uint32_t text;     /* live at once in the order of the text */
    uint32_t schedule; /* ... and of a schedule without waits */
    uint32_t unrolled; /* ... with its loops unrolled */
    uint32_t across;   /* live across calls */
    bool calls, wide;  /* has calls; has values of 64 bits */
} demand;

static uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The number after a directive such as ".maxnreg"; 0: it is not there. */
static uint32_t directive(const ptx_function *f, const char *name)
{
    const char *at = f->directives ? strstr(f->directives, name) : NULL;
    return at ? (uint32_t)strtoul(at + strlen(name), NULL, 10) : 0;
}

static uint32_t threads_of_sm(int sm)
{
    return sm == 75 ? 1024 : sm == 86 || sm == 87 || sm == 89 || sm / 10 == 11 || sm / 10 == 12 ? 1536 : 2048;
}

register_levels registers_levels(const ptx_function *kernel, int sm)
{
    register_levels l = {.most = MOST};
    uint64_t threads = 1, usual = USUAL_BLOCK;
    uint32_t given = 0, blocks = directive(kernel, ".minnctapersm"), most = directive(kernel, ".maxnreg");
    for (int i = 0; i < 3; i++) {
        uint32_t d = kernel->max_threads[i] ? kernel->max_threads[i] : kernel->required_threads[i];
        given |= d;
        threads *= d ? d : 1;
    }
    threads = (threads + 31) / 32 * 32;
    if (given && threads <= 1024) {
        uint32_t wanted =
            blocks && blocks <= threads_of_sm(sm) / threads ? blocks : 1; /* what no SM holds is passed over */
        l.most = min(MOST, FILE_WORDS / ((uint32_t)threads * wanted) / 8 * 8);
        if (wanted != blocks)
            usual = max((uint32_t)threads, USUAL_BLOCK);
    }
    if (most)
        l.most = min(l.most, max(most, LEAST_LIMIT));
    for (uint32_t n = threads_of_sm(sm) / (uint32_t)usual; n > 0 && l.levels < 64; n--) {
        uint32_t level = min(min(MOST, FILE_WORDS / (n * (uint32_t)usual) / 8 * 8), l.most);
        if (!l.levels || level > l.level[l.levels - 1])
            l.level[l.levels++] = level;
    }
    if (!l.levels) /* blocks that no SM holds */
        l.level[l.levels++] = l.most;
    return l;
}

static void note_kinds(const register_steps *s, demand *d)
{
    for (size_t i = 0; i < s->steps.count; i++) {
        const step *x = &s->steps.at[i];
        d->calls = d->calls || x->call;
        for (uint32_t k = x->reads; k < x->reads + x->writes; k++)
            d->wide = d->wide || s->words.at[s->operand.at[x->first + k]] > 1;
    }
}

static bool look_at_block(const ptx_live *live, register_view *v, uint32_t *number, register_steps s[2], demand *d)
{
    uint32_t across = 0, none, first = *number;
    if (!registers_steps(live, v, number, &s[0]))
        return false;
    uint32_t *order = malloc((s[0].steps.count + 1) * ROUNDS * sizeof *order);
    bool ok = order && registers_schedule(&s[0], order);
    uint32_t written = ok ? registers_peak(&s[0], NULL, &across) : UINT32_MAX;
    uint32_t schedule = ok ? registers_peak(&s[0], order, &none) : UINT32_MAX, unrolled = schedule;
    if (ok && registers_unrolls(v->graph, first, &s[0])) {
        ok = registers_unroll(&s[0], ROUNDS, &s[1]) && registers_schedule(&s[1], order);
        unrolled = ok ? registers_peak(&s[1], order, &none) : UINT32_MAX;
    }
    free(order);
    note_kinds(&s[0], d);
    d->text = max(d->text, written);
    d->schedule = max(d->schedule, schedule);
    d->unrolled = max(d->unrolled, unrolled);
    d->across = max(d->across, across);
    return ok && written != UINT32_MAX && schedule != UINT32_MAX && unrolled != UINT32_MAX;
}

/* *beyond: there is too much of the function to tell, and more than registers. */
static gcast_status find_demand(const ptx_function *fn, demand *d, bool *beyond, gcast_error *err)
{
    ptx_graph g;
    ptx_live live = {0};
    register_view v = {0};
    register_steps s[2] = {0};
    *d = (demand){0};
    gcast_status status = ptx_graph_make(fn, &g, err);
    if (status != GCAST_OK)
        return status;
    bool ok = registers_view_make(&v, &g);
    if (ok) {
        ptx_roles roles = registers_roles(&v);
        status = ptx_live_find(&g, &roles, &live, err);
    }
    *beyond = ok && status == GCAST_OK && !live.stride;
    for (uint32_t b = 0; b < g.blocks && ok && status == GCAST_OK && !*beyond; b++)
        if (g.block[b].reached)
            ok = look_at_block(&live, &v, &b, s, d);
    registers_steps_free(&s[0]);
    registers_steps_free(&s[1]);
    registers_view_free(&v);
    ptx_live_free(&live);
    ptx_graph_free(&g);
    return ok ? status : gcast_error_set_memory(err);
}

/* Pairs are aligned, which costs more where there are any. */
static uint32_t number_of(const demand *d, const register_levels *l, int sm)
{
    if (!d->schedule)
        return min(NOTHING, l->most);
    uint32_t like = max(LEAST, d->schedule + (!d->wide ? 4 : sm >= 90 ? 6 : 5)), must = d->text + 4;
    if (d->unrolled > d->schedule)
        like = max(like, min(d->unrolled, 24) + 4);
    if (d->calls) {
        like = max(like, max(CALL_LEAST, d->across + CALL_MORE));
        must = max(must, d->across + CALL_MORE);
    }
    if (like <= l->level[0])
        return min(like, l->most);
    uint32_t k = 0;
    while (k + 1 < l->levels && l->level[k] < must)
        k++;
    return l->level[k];
}

uint32_t registers_within(int sm)
{
    return sm == 75 ? 16 : threads_of_sm(sm) == 1536 && sm < 90 ? 10 : 8;
}

gcast_status registers_estimate(const program *p, int sm, uint32_t *out, gcast_error *err)
{
    register_levels levels = registers_levels(p->function[0].source, sm);
    *out = 0;
    for (uint32_t i = 0; i < p->functions; i++) {
        demand d;
        bool beyond;
        gcast_status status = find_demand(p->function[i].source, &d, &beyond, err);
        if (status != GCAST_OK)
            return status;
        *out = max(*out, beyond ? levels.most : number_of(&d, &levels, sm));
    }
    return GCAST_OK;
}
