#include "smc/spin_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/instruction.h"
#include "smc/divergence.h"

/* A loop waits for a value if the value decides whether it is read again. The value comes from a load that sees other
 * threads' writes, or from an atomic: a flag, a lock, a counter of blocks that have arrived.
 *
 * Two kinds of loops only look like this. An atomic that adds a number other than zero changes the value that it reads,
 * as in a queue of work. A compare-and-swap that compares with its own last result tries again only if another thread
 * was faster, and that thread made progress.
 *
 * Loads without .volatile, .relaxed or .acquire need not see other threads' writes, so no correct program waits for
 * them. Shared memory is private to the block. */

typedef struct search {
    const ptx_graph *g;           /* the function */
    uint32_t *component;          /* by block: its strongly connected component, from 1 */
    uint32_t *low, *index;        /* Tarjan's algorithm, by block; index 0: not visited */
    VEC(uint32_t) stack;          /* blocks without a component yet */
    VEC(uint64_t) todo;           /* stack of the recursion: block, and its next edge << 32 */
    uint32_t visited, components; /* blocks and components so far */
    bool calls_see_others;        /* functions that it calls see other threads' writes */
    uint8_t *tainted;             /* by register: inside the loop it depends on the result that is followed */
    bool memory_tainted;          /* such a value is written to memory in the loop */
    smc_regions regions;          /* regions of branches */
    uint8_t *marked;              /* by block: the region of its branch is marked */
    uint8_t *in_region;           /* by block: a branch that depends on the result decides whether it runs */
    bool reads_tainted;           /* the current instruction reads a tainted register */
    bool changed;                 /* the current pass found something new */
    bool failed;                  /* memory ran out */
} search;

/* Is the block in a loop: in a component of several blocks, or does it lead to itself? */
static bool is_loop(const search *s, uint32_t b)
{
    const ptx_graph_block *x = &s->g->block[b];
    for (uint32_t e = x->edge; e < x->edge + x->edges; e++)
        if (s->component[s->g->edge[e]] == s->component[b])
            return true;
    return false;
}

static void visit(search *s, uint32_t b)
{
    s->index[b] = s->low[b] = ++s->visited;
    s->failed = s->failed || !vec_push(&s->stack, b) || !vec_push(&s->todo, b);
}

static void close_component(search *s, uint32_t root)
{
    uint32_t b;
    s->components++;
    do {
        b = s->stack.at[--s->stack.count];
        s->component[b] = s->components;
    } while (b != root);
}

static void find_components(search *s, uint32_t root)
{
    visit(s, root);
    while (s->todo.count && !s->failed) {
        uint64_t *top = &s->todo.at[s->todo.count - 1];
        uint32_t b = (uint32_t)*top, edge = (uint32_t)(*top >> 32);
        const ptx_graph_block *x = &s->g->block[b];
        if (edge < x->edges) {
            uint32_t to = s->g->edge[x->edge + edge];
            *top += 1ull << 32;
            if (!s->index[to])
                visit(s, to);
            else if (!s->component[to] && s->index[to] < s->low[b])
                s->low[b] = s->index[to];
            continue;
        }
        if (s->low[b] == s->index[b])
            close_component(s, b);
        s->todo.count--;
        if (s->todo.count) {
            uint32_t before = (uint32_t)s->todo.at[s->todo.count - 1];
            if (s->low[b] < s->low[before])
                s->low[before] = s->low[b];
        }
    }
}

static void see_read(void *data, uint32_t reg, bool part)
{
    (void)part;
    search *s = data;
    s->reads_tainted = s->reads_tainted || s->tainted[reg];
}

static void taint(void *data, uint32_t reg, bool part)
{
    (void)part;
    search *s = data;
    s->changed = s->changed || !s->tainted[reg];
    s->tainted[reg] = 1;
}

static bool reads_tainted(search *s, const ptx_instruction *in)
{
    s->reads_tainted = false;
    ptx_each_read(in, see_read, s);
    return s->reads_tainted;
}

/* Does the followed result affect what this instruction writes? */
static bool reaches(search *s, uint32_t i)
{
    const ptx_instruction *in = s->g->in[i];
    return s->in_region[s->g->block_of[i]] || reads_tainted(s, in) || (s->memory_tainted && ptx_is(in, "ld"));
}

/* Taints what depends on the result of `source` inside its loop, by registers only, or also by memory and branches. */
static void follow(search *s, const ptx_instruction *source, uint32_t loop, bool by_registers_only)
{
    const ptx_graph *g = s->g;
    memset(s->tainted, 0, g->fn->registers);
    memset(s->in_region, 0, g->blocks);
    memset(s->marked, 0, g->blocks);
    s->memory_tainted = false;
    ptx_each_write(source, taint, s);
    do {
        s->changed = false;
        for (uint32_t i = 0; i < g->count; i++) {
            const ptx_instruction *in = g->in[i];
            uint32_t b = g->block_of[i];
            if (s->component[b] != loop || !reaches(s, i))
                continue;
            ptx_each_write(in, taint, s);
            if (by_registers_only)
                continue;
            if (ptx_is(in, "st")) {
                s->changed = s->changed || !s->memory_tainted;
                s->memory_tainted = true;
            } else if (ptx_is_jump(in) && !s->marked[b]) {
                s->marked[b] = 1;
                s->changed = true;
                s->failed = s->failed || !smc_regions_mark(&s->regions, b, s->in_region);
            }
        }
    } while (s->changed && !s->failed);
}

bool smc_sees_others(const ptx_instruction *in)
{
    if (ptx_has(in, "shared") || ptx_has(in, "shared::cta") || ptx_has(in, "local") || ptx_has(in, "param"))
        return false;
    if (ptx_is(in, "ld"))
        return ptx_has(in, "volatile") || ptx_has(in, "relaxed") || ptx_has(in, "acquire") || ptx_has(in, "mmio");
    if (!ptx_is(in, "atom"))
        return false;
    if (!ptx_has(in, "add") || in->operands < 3)
        return true;
    const ptx_operand *x = &in->operand[2];
    return !((x->kind == PTX_OP_INT || x->kind == PTX_OP_F32 || x->kind == PTX_OP_F64) && x->bits != 0);
}

/* Results of calls are loaded from parameter space. */
static bool may_see_others(const search *s, const ptx_instruction *in)
{
    return smc_sees_others(in) || (s->calls_see_others && ptx_is(in, "ld") && ptx_has(in, "param"));
}

/* Is it a compare-and-swap that compares with its own last result, and writes another value? */
static bool tries_again(const search *s, const ptx_instruction *in)
{
    return ptx_is(in, "atom") && ptx_has(in, "cas") && in->operands > 3 && in->operand[2].kind == PTX_OP_REG &&
           s->tainted[in->operand[2].reg] &&
           !(in->operand[3].kind == PTX_OP_REG && in->operand[3].reg == in->operand[2].reg);
}

gcast_status smc_waits_find(const ptx_graph *g, bool calls_see_others, const ptx_instruction **found, gcast_error *err)
{
    search s = {.g = g, .calls_see_others = calls_see_others};
    uint32_t *memory = calloc(3 * ((size_t)g->blocks + 1), sizeof *memory);
    s.tainted = calloc((size_t)g->fn->registers + 1, 1);
    s.in_region = calloc((size_t)g->blocks + 1, 1);
    s.marked = calloc((size_t)g->blocks + 1, 1);
    *found = NULL;
    s.failed = !smc_regions_open(&s.regions, g) || !memory || !s.tainted || !s.in_region || !s.marked;
    if (!s.failed) {
        s.component = memory;
        s.low = memory + g->blocks + 1;
        s.index = s.low + g->blocks + 1;
        for (uint32_t b = 0; b < g->blocks && !s.failed; b++)
            if (!s.index[b])
                find_components(&s, b);
    }
    for (uint32_t i = 0; i < g->count && !s.failed && !*found; i++) {
        uint32_t b = g->block_of[i];
        if (!g->block[b].reached || !may_see_others(&s, g->in[i]) || !is_loop(&s, b))
            continue;
        follow(&s, g->in[i], s.component[b], true);
        if (tries_again(&s, g->in[i]))
            continue;
        follow(&s, g->in[i], s.component[b], false);
        if (s.in_region[b])
            *found = g->in[i];
    }
    vec_free(&s.stack);
    vec_free(&s.todo);
    free(memory);
    free(s.tainted);
    free(s.in_region);
    free(s.marked);
    smc_regions_close(&s.regions);
    return s.failed ? gcast_error_set_memory(err) : GCAST_OK;
}
