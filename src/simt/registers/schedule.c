/* List scheduling: in each cycle, of the steps whose operands are ready, the
 * one goes that starts the longest chain of latencies. The number of registers
 * is not limited, so what is live at once shows how many ptxas would like to
 * have. */
#include "simt/registers/schedule.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/minmax.h"

#define SPACES 8

static const uint32_t latency[] = {[STEP_PLAIN] = 5, [STEP_DOUBLE] = 8, [STEP_FUNCTION] = 18, [STEP_SPECIAL] = 20,
                                   [STEP_NEAR] = 25, [STEP_FAR] = 200,  [STEP_STORE] = 1};

/* An entry of a list. */
typedef struct link {
    uint32_t step;     /* its step */
    struct link *next; /* the entry after it; NULL: none */
} link;

typedef struct graph {
    const register_steps *s; /* the steps */
    uint32_t *written;       /* by register: 1 + the step that wrote it last */
    link **readers;          /* by register: list of the steps that have read it since */
    link **successors;       /* by step: list of the steps that wait for it */
    uint32_t *waits;         /* by step: how many steps it waits for */
    uint64_t *chain;         /* by step: latencies from its start to the end of the block */
    uint64_t *ready;         /* by step: when all that it waits for is complete */
    arena memory;            /* of the entries of all lists */
    uint32_t fence;          /* 1 + the last fence */
    uint32_t store[SPACES];  /* by space: 1 + the last store */
    link *loads[SPACES];     /* by space: list of the loads since */
    bool failed;             /* memory ran out */
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

/* Loads wait for earlier stores to their space, stores for earlier loads and stores, and a fence for all; all wait for
 * a fence. */
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

bool registers_schedule(const register_steps *s, uint32_t *order)
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

/* Goes backwards from what is live at the end. */
uint32_t registers_peak(const register_steps *s, const uint32_t *order, uint32_t *across)
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
