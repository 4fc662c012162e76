/* From live values to a number of registers, as ptxas allocates them. Up to the
 * first level, where an SM still holds its maximum of threads, ptxas uses as
 * many registers as a schedule without waits needs; beyond that it uses the
 * lowest level that holds what must be live. The constants were fitted to ptxas
 * of CUDA 13.0 (tests/data/ptxas/registers.txt). */
#include "simt/registers/registers.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "ptx/graph/live.h"
#include "simt/registers/loop_unroll.h"
#include "simt/registers/needs.h"
#include "simt/registers/schedule.h"
#include "simt/registers/state.h"
#include "simt/registers/steps.h"

#define SM_REGISTERS 65536u /* registers of an SM */
#define MAX_REGISTERS 255u
#define EMPTY_KERNEL_REGISTERS 4u  /* of a kernel that does nothing */
#define MIN_REGISTERS 10u          /* of a kernel that does anything */
#define MIN_LIMIT 24u              /* ptxas ignores limits below this */
#define DEFAULT_BLOCK_THREADS 128u /* what ptxas assumes where no directive gives the threads of a block */
#define UNROLL_FACTOR 4u           /* iterations of a loop that is unrolled */
#define CALL_MIN_REGISTERS 24u     /* of a kernel that calls a function */
#define CALL_EXTRA_REGISTERS 20u   /* beyond what is live across the call */

/* What a function needs, in 32-bit registers. */
typedef struct demand {
    uint32_t text;     /* live at once in the order of the text */
    uint32_t schedule; /* live at once in a schedule without waits */
    uint32_t unrolled; /* live at once in such a schedule, with loops unrolled */
    uint32_t across;   /* live across calls */
    bool calls, wide;  /* it has calls; it has values of 64 bits */
} demand;

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
    register_levels l = {.max = MAX_REGISTERS};
    uint64_t threads = 1, block_threads = DEFAULT_BLOCK_THREADS;
    uint32_t given = 0, blocks = directive(kernel, ".minnctapersm"), max_registers = directive(kernel, ".maxnreg");
    for (int i = 0; i < 3; i++) {
        uint32_t d = kernel->max_threads[i] ? kernel->max_threads[i] : kernel->required_threads[i];
        given |= d;
        threads *= d ? d : 1;
    }
    threads = (uint64_t)round_up((int64_t)threads, 32);
    if (given && threads <= 1024) {
        bool fits = blocks && blocks <= threads_of_sm(sm) / threads; /* ptxas ignores what no SM holds */
        uint32_t wanted = fits ? blocks : 1;
        l.max = min_u32(MAX_REGISTERS, SM_REGISTERS / ((uint32_t)threads * wanted) / 8 * 8);
        if (wanted != blocks)
            block_threads = max_u32((uint32_t)threads, DEFAULT_BLOCK_THREADS);
    }
    if (max_registers)
        l.max = min_u32(l.max, max_u32(max_registers, MIN_LIMIT));
    for (uint32_t n = threads_of_sm(sm) / (uint32_t)block_threads; n > 0 && l.levels < 64; n--) {
        uint32_t level = min_u32(min_u32(MAX_REGISTERS, SM_REGISTERS / (n * (uint32_t)block_threads) / 8 * 8), l.max);
        if (!l.levels || level > l.level[l.levels - 1])
            l.level[l.levels++] = level;
    }
    if (!l.levels) /* no SM holds such blocks */
        l.level[l.levels++] = l.max;
    return l;
}

static void find_kinds(const register_steps *s, demand *d)
{
    for (size_t i = 0; i < s->steps.count; i++) {
        const step *x = &s->steps.at[i];
        d->calls = d->calls || x->call;
        for (uint32_t k = x->reads; k < x->reads + x->writes; k++)
            d->wide = d->wide || s->words.at[s->operand.at[x->first + k]] > 1;
    }
}

static bool analyse_block(const ptx_live *live, register_view *v, uint32_t *number, register_steps s[2], demand *d)
{
    uint32_t across = 0, ignored, first = *number;
    if (!registers_steps(live, v, number, &s[0]))
        return false;
    uint32_t *order = malloc((s[0].steps.count + 1) * UNROLL_FACTOR * sizeof *order);
    bool ok = order && registers_schedule(&s[0], order);
    uint32_t written = ok ? registers_peak(&s[0], NULL, &across) : UINT32_MAX;
    uint32_t schedule = ok ? registers_peak(&s[0], order, &ignored) : UINT32_MAX, unrolled = schedule;
    if (ok && registers_unrolls(v->graph, first, &s[0])) {
        ok = registers_unroll(&s[0], UNROLL_FACTOR, &s[1]) && registers_schedule(&s[1], order);
        unrolled = ok ? registers_peak(&s[1], order, &ignored) : UINT32_MAX;
    }
    free(order);
    find_kinds(&s[0], d);
    d->text = max_u32(d->text, written);
    d->schedule = max_u32(d->schedule, schedule);
    d->unrolled = max_u32(d->unrolled, unrolled);
    d->across = max_u32(d->across, across);
    return ok && written != UINT32_MAX && schedule != UINT32_MAX && unrolled != UINT32_MAX;
}

/* *beyond: the function is too large to analyse, so it needs all registers. */
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
            ok = analyse_block(&live, &v, &b, s, d);
    registers_steps_free(&s[0]);
    registers_steps_free(&s[1]);
    registers_view_free(&v);
    ptx_live_free(&live);
    ptx_graph_free(&g);
    return ok ? status : gcast_error_set_memory(err);
}

/* Registers of 64-bit values are aligned pairs, which costs more registers where there are any. */
static uint32_t number_of(const demand *d, const register_levels *l, int sm)
{
    if (!d->schedule)
        return min_u32(EMPTY_KERNEL_REGISTERS, l->max);
    uint32_t pairs = !d->wide ? 0 : sm >= 90 ? 2 : 1, required = d->text + 4;
    uint32_t preferred = max_u32(MIN_REGISTERS, d->schedule + 4 + pairs);
    if (d->unrolled > d->schedule)
        preferred = max_u32(preferred, min_u32(d->unrolled, 24) + 4);
    if (d->calls) {
        preferred = max_u32(preferred, max_u32(CALL_MIN_REGISTERS, d->across + CALL_EXTRA_REGISTERS));
        required = max_u32(required, d->across + CALL_EXTRA_REGISTERS);
    }
    if (preferred <= l->level[0])
        return min_u32(preferred, l->max);
    uint32_t k = 0;
    while (k + 1 < l->levels && l->level[k] < required)
        k++;
    return l->level[k];
}

uint32_t registers_margin(int sm)
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
        *out = max_u32(*out, beyond ? levels.max : number_of(&d, &levels, sm));
    }
    return GCAST_OK;
}
