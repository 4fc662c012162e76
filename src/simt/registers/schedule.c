/* List scheduling: at each cycle the step goes that the longest chain of
 * latencies hangs on, of those whose operands are there. Registers are no
 * object, so what is live at once shows how many ptxas would like to have. */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "simt/registers/registers.h"

#define SPACES 8

static const uint32_t latency[] = {[STEP_PLAIN] = 5, [STEP_DOUBLE] = 8, [STEP_FUNCTION] = 18, [STEP_SPECIAL] = 20,
                                   [STEP_NEAR] = 25, [STEP_FAR] = 200,  [STEP_STORE] = 1};

/* An entry of a list: a step, and 1 + the entry after it. */
typedef struct link {
    uint32_t step, next;
} link;

typedef struct graph {
    const register_steps *s;
    uint32_t *written; /* by register: 1 + the step that wrote it last */
    uint32_t *readers; /* by register: list of those that read it since */
    uint32_t *after;   /* by step: list of those that wait for it */
    uint32_t *waits;   /* by step: for how many */
    uint64_t *chain;   /* by step: latencies from its start to the end */
    uint64_t *ready;   /* by step: when what it waits for is there */
    VEC(link) links;
    uint32_t fence, store[SPACES], loads[SPACES]; /* 1 + the last; lists of loads since the last store */
    bool failed;
} graph;

static void add(graph *g, uint32_t *list, uint32_t x)
{
    link l = {x, *list};
    if (vec_push(&g->links, l))
        *list = (uint32_t)g->links.count;
    else
        g->failed = true;
}

static void wait_for(graph *g, uint32_t x, uint32_t before)
{
    if (x == before)
        return;
    add(g, &g->after[before], x);
    g->waits[x]++;
}

static void wait_for_list(graph *g, uint32_t x, uint32_t *list)
{
    for (uint32_t at = *list; at && !g->failed; at = g->links.at[at - 1].next)
        wait_for(g, x, g->links.at[at - 1].step);
    *list = 0;
}

static void link_registers(graph *g, uint32_t i)
{
    const step *x = &g->s->steps.at[i];
    const uint32_t *reg = g->s->operand.at + x->first;
    for (uint32_t k = 0; k < x->reads + x->writes; k++)
        if (g->written[reg[k]])
            wait_for(g, i, g->written[reg[k]] - 1);
    for (uint32_t k = 0; k < x->reads; k++)
        add(g, &g->readers[reg[k]], i);
    for (uint32_t k = x->reads; k < x->reads + x->writes; k++) {
        wait_for_list(g, i, &g->readers[reg[k]]);
        g->written[reg[k]] = i + 1;
    }
}

/* Loads wait for stores to their space before them, stores for both, and a fence is between all. */
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
            add(g, &g->loads[x->space], i);
        }
    }
}

static void find_chains(graph *g)
{
    for (uint32_t i = (uint32_t)g->s->steps.count; i-- > 0;) {
        uint64_t longest = 0;
        for (uint32_t at = g->after[i]; at; at = g->links.at[at - 1].next) {
            uint64_t c = g->chain[g->links.at[at - 1].step];
            longest = c > longest ? c : longest;
        }
        g->chain[i] = latency[g->s->steps.at[i].kind] + longest;
    }
}

/* Equal ones go in the order of the text. */
static bool push(heap *h, uint64_t key, uint32_t i)
{
    return heap_push(h, (heap_item){(int64_t)(key << 24 | (i & 0xffffff)), 0, i});
}

static void run(graph *g, uint32_t *order)
{
    const uint64_t far = UINT64_C(1) << 38; /* beyond all chains */
    heap waiting = {0}, ready = {0};
    uint32_t done = 0;
    for (uint32_t i = 0; i < g->s->steps.count; i++)
        if (!g->waits[i])
            g->failed = !push(&ready, far - g->chain[i], i) || g->failed;
    for (uint64_t now = 0; (heap_count(&waiting) || heap_count(&ready)) && !g->failed; now++) {
        if (!heap_count(&ready) && g->ready[heap_top(&waiting)->id] > now)
            now = g->ready[heap_top(&waiting)->id];
        while (heap_count(&waiting) && g->ready[heap_top(&waiting)->id] <= now) {
            uint32_t i = heap_pop(&waiting).id;
            g->failed = !push(&ready, far - g->chain[i], i) || g->failed;
        }
        uint32_t x = heap_pop(&ready).id;
        order[done++] = x;
        for (uint32_t at = g->after[x]; at; at = g->links.at[at - 1].next) {
            uint32_t next = g->links.at[at - 1].step;
            uint64_t there = now + latency[g->s->steps.at[x].kind];
            g->ready[next] = there > g->ready[next] ? there : g->ready[next];
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
    g.written = calloc(2 * registers + 2 * steps, sizeof *g.written);
    g.chain = calloc(2 * steps, sizeof *g.chain);
    g.failed = !g.written || !g.chain || steps >= 1 << 24;
    if (!g.failed) {
        g.readers = g.written + registers;
        g.after = g.readers + registers;
        g.waits = g.after + steps;
        g.ready = g.chain + steps;
        for (uint32_t i = 0; i < s->steps.count && !g.failed; i++) {
            link_registers(&g, i);
            link_memory(&g, i);
        }
    }
    if (!g.failed) {
        find_chains(&g);
        run(&g, order);
    }
    vec_free(&g.links);
    free(g.written);
    free(g.chain);
    return !g.failed;
}

/* Backwards from what is live behind. */
uint32_t registers_peak(const register_steps *s, const uint32_t *order, uint32_t *across)
{
    const uint8_t *words = s->words.at;
    uint8_t *live = calloc(s->name.count + 1, 1);
    uint32_t now = s->through, most;
    *across = 0;
    if (!live)
        return UINT32_MAX;
    for (size_t i = 0; i < s->out.count; i++) {
        live[s->out.at[i]] = 1;
        now += words[s->out.at[i]];
    }
    most = now;
    for (size_t i = s->steps.count; i-- > 0;) {
        const step *x = &s->steps.at[order ? order[i] : i];
        const uint32_t *reg = s->operand.at + x->first;
        uint32_t fresh = 0, ended = 0;
        for (uint32_t k = x->reads; k < x->reads + x->writes; k++)
            fresh += live[reg[k]] ? 0 : words[reg[k]];
        most = now + fresh > most ? now + fresh : most;
        for (uint32_t k = x->reads; k < x->reads + x->writes && !x->guarded; k++)
            if (live[reg[k]]) {
                ended += words[reg[k]];
                live[reg[k]] = 0;
            }
        now -= ended;
        if (x->call && now > *across)
            *across = now;
        for (uint32_t k = 0; k < x->reads; k++)
            if (!live[reg[k]]) {
                now += words[reg[k]];
                live[reg[k]] = 1;
            }
        uint32_t here = now + (x->extra ? x->extra + ended : 0);
        most = here > most ? here : most;
    }
    free(live);
    return most;
}
