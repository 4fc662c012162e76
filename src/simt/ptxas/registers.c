/* Estimates registers: a schedule without waits, the values that are live in it, loops that ptxas unrolls, and how
 * ptxas allocates registers. */
#include "simt/ptxas/registers.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/integers.h"
#include "ptx/instruction.h"
#include "ptx/live.h"
#include "simt/ptxas/register_steps.h"

/* List scheduling starts in each cycle, of the steps whose operands are ready, the one with the longest chain of
 * latencies. The number of registers is not limited, so the values that are live at once show how many registers ptxas
 * prefers. */

#define SPACES 8

static const uint32_t latency[] = {[STEP_PLAIN] = 5, [STEP_DOUBLE] = 8, [STEP_FUNCTION] = 18, [STEP_SPECIAL] = 20,
                                   [STEP_NEAR] = 25, [STEP_FAR] = 200,  [STEP_STORE] = 1};

/* An entry of a list. */
typedef struct link {
    uint32_t step;
    struct link *next; /* the entry after it; NULL: none */
} link;

typedef struct graph {
    const register_steps *s;
    uint32_t *written;      /* by register: 1 + the step that wrote it last */
    link **readers;         /* by register: list of the steps that have read it since */
    link **successors;      /* by step: list of the steps that wait for it */
    uint32_t *waits;        /* by step: number of dependencies that have not been scheduled */
    uint64_t *chain;        /* by step: latencies from its start to the end of the block */
    uint64_t *ready;        /* by step: when all its dependencies are complete */
    arena memory;           /* owns the entries of all lists */
    uint32_t fence;         /* 1 + the last fence */
    uint32_t store[SPACES]; /* by space: 1 + the last store */
    link *loads[SPACES];    /* by space: list of the loads since */
    bool failed;            /* memory ran out */
} graph;

static void add_to_list(graph *g, link **list, uint32_t x)
{
    link *l = arena_alloc(&g->memory, sizeof *l);
    if (!l) {
        g->failed = true;
        return;
    }
    *l = (link){x, *list};
    *list = l;
}

static void wait_for(graph *g, uint32_t x, uint32_t before)
{
    if (x == before)
        return;
    add_to_list(g, &g->successors[before], x);
    g->waits[x]++;
}

static void wait_for_list(graph *g, uint32_t x, link **list)
{
    for (const link *l = *list; l && !g->failed; l = l->next)
        wait_for(g, x, l->step);
    *list = NULL;
}

static void link_registers(graph *g, uint32_t i)
{
    const step *x = &g->s->steps.at[i];
    const uint32_t *reg = step_registers(g->s, x);
    for (uint32_t k = 0; k < x->reads + x->writes; k++)
        if (g->written[reg[k]])
            wait_for(g, i, g->written[reg[k]] - 1);
    for (uint32_t k = 0; k < x->reads; k++)
        add_to_list(g, &g->readers[reg[k]], i);
    for (uint32_t k = x->reads; k < x->reads + x->writes; k++) {
        wait_for_list(g, i, &g->readers[reg[k]]);
        g->written[reg[k]] = i + 1;
    }
}

/* A load waits for earlier stores to its space, a store for earlier loads and stores, a fence for all accesses, and
 * every access for an earlier fence. */
static void link_memory(graph *g, uint32_t i)
{
    const step *x = &g->s->steps.at[i];
    if (x->memory == STEP_REGISTERS)
        return;
    if (g->fence)
        wait_for(g, i, g->fence - 1);
    if (x->memory == STEP_FENCE) {
        for (uint32_t k = g->fence; k < i; k++)
            if (g->s->steps.at[k].memory != STEP_REGISTERS)
                wait_for(g, i, k);
        g->fence = i + 1;
    } else if (x->space != PTX_SPACE_const) {
        if (g->store[x->space])
            wait_for(g, i, g->store[x->space] - 1);
        if (x->memory == STEP_WRITE) {
            wait_for_list(g, i, &g->loads[x->space]);
            g->store[x->space] = i + 1;
        } else {
            add_to_list(g, &g->loads[x->space], i);
        }
    }
}

static void find_chains(graph *g)
{
    for (uint32_t i = (uint32_t)g->s->steps.count; i-- > 0;) {
        uint64_t longest = 0;
        for (const link *l = g->successors[i]; l; l = l->next)
            longest = max_u64(longest, g->chain[l->step]);
        g->chain[i] = latency[g->s->steps.at[i].kind] + longest;
    }
}

/* Steps with equal keys stay in the order of the text. */
static bool push(heap *h, uint64_t key, uint32_t i)
{
    return heap_push(h, (heap_item){(int64_t)(key << 24 | (i & 0xffffff)), 0, i});
}

static void order_steps(graph *g, uint32_t *order)
{
    const uint64_t max_chain = UINT64_C(1) << 38; /* more than any chain */
    heap waiting = {0}, ready = {0};
    uint32_t done = 0;
    for (uint32_t i = 0; i < g->s->steps.count; i++)
        if (!g->waits[i])
            g->failed = !push(&ready, max_chain - g->chain[i], i) || g->failed;
    for (uint64_t now = 0; (heap_count(&waiting) || heap_count(&ready)) && !g->failed; now++) {
        if (!heap_count(&ready) && g->ready[heap_top(&waiting)->id] > now)
            now = g->ready[heap_top(&waiting)->id];
        while (heap_count(&waiting) && g->ready[heap_top(&waiting)->id] <= now) {
            uint32_t i = heap_pop(&waiting).id;
            g->failed = !push(&ready, max_chain - g->chain[i], i) || g->failed;
        }
        uint32_t x = heap_pop(&ready).id;
        order[done++] = x;
        for (const link *l = g->successors[x]; l; l = l->next) {
            uint32_t next = l->step;
            uint64_t end = now + latency[g->s->steps.at[x].kind];
            g->ready[next] = max_u64(g->ready[next], end);
            if (--g->waits[next] == 0)
                g->failed = !push(&waiting, g->ready[next], next) || g->failed;
        }
    }
    vec_free(&waiting.items);
    vec_free(&ready.items);
}

/* Finds an order in which no step waits unless all must. order[] has room for all steps. False without memory. */
static bool schedule_steps(const register_steps *s, uint32_t *order)
{
    size_t registers = s->name.count + 1, steps = s->steps.count + 1;
    graph g = {.s = s};
    g.written = calloc(registers + steps, sizeof *g.written);
    g.readers = calloc(registers + steps, sizeof *g.readers);
    g.chain = calloc(2 * steps, sizeof *g.chain);
    g.failed = !g.written || !g.readers || !g.chain || steps >= 1 << 24;
    if (!g.failed) {
        g.waits = g.written + registers;
        g.successors = g.readers + registers;
        g.ready = g.chain + steps;
        for (uint32_t i = 0; i < s->steps.count && !g.failed; i++) {
            link_registers(&g, i);
            link_memory(&g, i);
        }
    }
    if (!g.failed) {
        find_chains(&g);
        order_steps(&g, order);
    }
    arena_free(&g.memory);
    free(g.written);
    free(g.readers);
    free(g.chain);
    return !g.failed;
}

/* The maximum of 32-bit registers that are live at once, and, in *across, across calls. order NULL: as in the text.
 * UINT32_MAX without memory. Goes backwards from the registers that are live at the end. */
static uint32_t live_peak(const register_steps *s, const uint32_t *order, uint32_t *across)
{
    const uint8_t *words = s->words.at;
    uint8_t *live = calloc(s->name.count + 1, 1);
    uint32_t live_words = s->live_through, max;
    *across = 0;
    if (!live)
        return UINT32_MAX;
    for (size_t i = 0; i < s->out.count; i++) {
        live[s->out.at[i]] = 1;
        live_words += words[s->out.at[i]];
    }
    max = live_words;
    for (size_t i = s->steps.count; i-- > 0;) {
        const step *x = &s->steps.at[order ? order[i] : i];
        const uint32_t *reg = step_registers(s, x);
        uint32_t added = 0, ended = 0;
        for (uint32_t k = x->reads; k < x->reads + x->writes; k++)
            added += live[reg[k]] ? 0 : words[reg[k]];
        max = max_u32(max, live_words + added);
        for (uint32_t k = x->reads; k < x->reads + x->writes && !x->guarded; k++)
            if (live[reg[k]]) {
                ended += words[reg[k]];
                live[reg[k]] = 0;
            }
        live_words -= ended;
        if (x->call)
            *across = max_u32(*across, live_words);
        for (uint32_t k = 0; k < x->reads; k++)
            if (!live[reg[k]]) {
                live_words += words[reg[k]];
                live[reg[k]] = 1;
            }
        max = max_u32(max, live_words + (x->call_registers ? x->call_registers + ended : 0));
    }
    free(live);
    return max;
}

#define MAX_UNROLLED_STEPS 150 /* of a loop that ptxas unrolls */

/* The steps of this many iterations of an unrolled loop; false without memory. Each iteration writes new registers and
 * reads those of the iteration before; the last one writes the registers that are live after the loop. */
static bool unroll(const register_steps *s, uint32_t times, register_steps *out)
{
    const uint32_t registers = (uint32_t)s->name.count;
    uint32_t *current = calloc((size_t)registers + 1, sizeof *current);
    uint8_t *is_out = calloc((size_t)registers + 1, 1);
    bool ok = current && is_out;
    registers_steps_clear(out);
    out->live_through = s->live_through;
    for (uint32_t r = 0; r < registers && ok; r++)
        current[r] = r;
    for (size_t i = 0; i < s->out.count && ok; i++) {
        is_out[s->out.at[i]] = 1;
        ok = vec_push(&out->out, s->out.at[i]);
    }
    for (uint32_t t = 0; t <= times && ok; t++)
        for (uint32_t r = 0; r < registers && ok; r++)
            ok = vec_push(&out->name, s->name.at[r]) && vec_push(&out->words, s->words.at[r]);
    for (uint32_t t = 0; t < times && ok; t++)
        for (size_t i = 0; i < s->steps.count && ok; i++) {
            step x = s->steps.at[i];
            const uint32_t *reg = step_registers(s, &x);
            x.first = (uint32_t)out->operand.count;
            x.call_registers = 0;
            for (uint32_t k = 0; k < x.reads + x.writes && ok; k++) {
                uint32_t r = reg[k];
                if (k >= x.reads)
                    current[r] = t == times - 1 && is_out[r] ? r : r + (t + 1) * registers;
                ok = vec_push(&out->operand, current[r]);
            }
            ok = ok && vec_push(&out->steps, x);
        }
    free(current);
    free(is_out);
    return ok;
}

/* The instruction of a block that last writes a register; NULL: none. */
static const ptx_instruction *last_write(const ptx_graph *g, uint32_t number, uint32_t reg)
{
    const ptx_graph_block *b = &g->block[number];
    for (uint32_t i = b->first + b->count; i-- > b->first;) {
        const ptx_instruction *in = g->in[i];
        if (in->operands && in->operand[0].kind == PTX_OP_REG && in->operand[0].reg == reg && !ptx_is_jump(in))
            return in;
    }
    return NULL;
}

static bool counts_by_constant(const ptx_graph *g, uint32_t number, uint32_t reg)
{
    for (int moves = 0; moves < 4; moves++) {
        const ptx_instruction *in = last_write(g, number, reg);
        if (in && ptx_is(in, "mov") && in->operand[1].kind == PTX_OP_REG)
            reg = in->operand[1].reg;
        else
            return in && (ptx_is(in, "add") || ptx_is(in, "sub")) && in->operands == 3 &&
                   in->operand[2].kind == PTX_OP_INT;
    }
    return false;
}

/* Is the block a loop that counts by a constant, without calls and fences, so that ptxas unrolls it? */
static bool is_unrolled(const ptx_graph *g, uint32_t number, const register_steps *s)
{
    const ptx_graph_block *b = &g->block[number];
    const ptx_instruction *end = g->in[b->first + b->count - 1];
    bool loop = false;
    for (uint32_t k = 0; k < b->edges; k++)
        loop = loop || g->edge[b->edge + k] == number;
    if (!loop || s->steps.count >= MAX_UNROLLED_STEPS || !ptx_is(end, "bra") || end->guard < 0)
        return false;
    bool loads = false;
    for (size_t i = 0; i < s->steps.count; i++) {
        if (s->steps.at[i].memory == STEP_FENCE || s->steps.at[i].call_registers > 2)
            return false;
        loads = loads || s->steps.at[i].memory == STEP_LOAD;
    }
    if (!loads) /* then iterations depend on each other */
        return false;
    const ptx_instruction *test = last_write(g, number, (uint32_t)end->guard);
    for (uint32_t k = 1; test && ptx_is(test, "setp") && k < test->operands; k++)
        if (test->operand[k].kind == PTX_OP_REG && counts_by_constant(g, number, test->operand[k].reg))
            return true;
    return false;
}

/* ptxas derives the number of registers from live values. Up to the first level, where an SM still holds its maximum of
 * threads, it uses as many registers as a schedule without waits needs; beyond that it uses the lowest level that holds
 * the values that must be live. The constants were fitted to ptxas of CUDA 13.0 (tests/data/ptxas/registers.txt). */

#define SM_REGISTERS 65536u /* registers of an SM */
#define MAX_REGISTERS 255u
#define EMPTY_KERNEL_REGISTERS 4u  /* of a kernel that does nothing */
#define MIN_REGISTERS 10u          /* of a kernel that does anything */
#define MIN_LIMIT 24u              /* ptxas ignores limits below this */
#define DEFAULT_BLOCK_THREADS 128u /* what ptxas assumes where no directive gives the threads of a block */
#define UNROLL_FACTOR 4u           /* iterations of a loop that is unrolled */
#define CALL_MIN_REGISTERS 24u     /* of a kernel that calls a function */
#define CALL_EXTRA_REGISTERS 20u   /* beyond the values that are live across the call */

/* Limits of ptxas. */
typedef struct register_levels {
    uint32_t max;       /* registers per thread */
    uint32_t level[64]; /* numbers of registers up to which the occupancy stays the same, rising */
    uint32_t levels;
} register_levels;

/* The 32-bit registers that a function needs. */
typedef struct demand {
    uint32_t text;     /* live at once in the order of the text */
    uint32_t schedule; /* live at once in a schedule without waits */
    uint32_t unrolled; /* live at once in such a schedule, with loops unrolled */
    uint32_t across;   /* live across calls */
    bool calls, wide;  /* it has calls; it has values of 64 bits */
} demand;

/* The number after a directive such as ".maxnreg"; 0: the function does not have it. */
static uint32_t directive(const ptx_function *f, const char *name)
{
    const char *at = f->directives ? strstr(f->directives, name) : NULL;
    return at ? (uint32_t)strtoul(at + strlen(name), NULL, 10) : 0;
}

static uint32_t threads_of_sm(int sm)
{
    return sm == 75 ? 1024 : sm == 86 || sm == 87 || sm == 89 || sm / 10 == 11 || sm / 10 == 12 ? 1536 : 2048;
}

static register_levels levels_of(const ptx_function *kernel, int sm)
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
        bool fits = blocks && blocks <= threads_of_sm(sm) / threads; /* ptxas ignores more blocks than an SM holds */
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
    uint32_t across = 0, unused, first = *number;
    if (!registers_steps(live, v, number, &s[0]))
        return false;
    uint32_t *order = malloc((s[0].steps.count + 1) * UNROLL_FACTOR * sizeof *order);
    bool ok = order && schedule_steps(&s[0], order);
    uint32_t written = ok ? live_peak(&s[0], NULL, &across) : UINT32_MAX;
    uint32_t schedule = ok ? live_peak(&s[0], order, &unused) : UINT32_MAX, unrolled = schedule;
    if (ok && is_unrolled(v->graph, first, &s[0])) {
        ok = unroll(&s[0], UNROLL_FACTOR, &s[1]) && schedule_steps(&s[1], order);
        unrolled = ok ? live_peak(&s[1], order, &unused) : UINT32_MAX;
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
    register_levels levels = levels_of(p->function[0].source, sm);
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
