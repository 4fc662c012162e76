#include "smc/divergence.h"

#include <stdlib.h>
#include <string.h>

#include "base/postdominators.h"
#include "ptx/instruction.h"
#include "smc/transformed_kernel.h"

/* Does the block lead to the end? It does if it ends the thread, or is the last one. */
static bool leads_to_end(const ptx_graph *g, uint32_t b)
{
    const ptx_graph_block *x = &g->block[b];
    const ptx_instruction *last = g->in[x->first + x->count - 1];
    return b + 1 == g->blocks || (ptx_is_jump(last) && !ptx_is(last, "bra") && !ptx_is(last, "brx"));
}

static bool find_postdominators(smc_regions *r)
{
    const ptx_graph *g = r->g;
    size_t edges = g->blocks;
    for (uint32_t b = 0; b < g->blocks; b++)
        edges += g->block[b].edges;
    uint32_t *start = calloc((size_t)g->blocks + 2 + edges, sizeof *start), used = 0;
    if (!start)
        return false;
    uint32_t *to = start + g->blocks + 2;
    for (uint32_t b = 0; b < g->blocks; b++) {
        const ptx_graph_block *x = &g->block[b];
        start[b] = used;
        for (uint32_t e = x->edge; e < x->edge + x->edges; e++)
            to[used++] = g->edge[e];
        if (leads_to_end(g, b))
            to[used++] = g->blocks;
    }
    start[g->blocks] = start[g->blocks + 1] = used;
    bool ok = postdominators_find(g->blocks + 1, start, to, g->blocks, r->postdominator);
    free(start);
    return ok;
}

bool smc_regions_open(smc_regions *r, const ptx_graph *g)
{
    *r = (smc_regions){.g = g};
    r->postdominator = calloc((size_t)g->blocks + 1, sizeof *r->postdominator);
    r->seen = calloc((size_t)g->blocks + 1, 1);
    return r->postdominator && r->seen && find_postdominators(r);
}

void smc_regions_close(smc_regions *r)
{
    free(r->postdominator);
    free(r->seen);
    vec_free(&r->todo);
    vec_free(&r->visited);
}

bool smc_regions_mark(smc_regions *r, uint32_t b, uint8_t *in_region)
{
    const ptx_graph *g = r->g;
    bool ok = vec_push(&r->todo, b);
    while (r->todo.count && ok) {
        const ptx_graph_block *x = &g->block[r->todo.at[--r->todo.count]];
        for (uint32_t e = x->edge; e < x->edge + x->edges && ok; e++) {
            uint32_t next = g->edge[e];
            if (next == r->postdominator[b] || r->seen[next])
                continue;
            r->seen[next] = in_region[next] = 1;
            ok = vec_push(&r->todo, next) && vec_push(&r->visited, next);
        }
    }
    for (size_t i = 0; i < r->visited.count; i++)
        r->seen[r->visited.at[i]] = 0;
    r->todo.count = r->visited.count = 0;
    return ok;
}

/* A register varies if it is computed from a value that differs between threads, or if it is written in the region of a
 * branch that varies: some threads may pass there more often than others, or not at all. */

typedef struct analysis {
    const ptx_graph *g;   /* the kernel */
    smc_varying *out;     /* result so far */
    smc_regions regions;  /* regions of branches */
    uint8_t *in_region;   /* by block: it is in the region of a branch that varies */
    bool changed, failed; /* something new was found; memory ran out */
    bool reads_varying;   /* the current instruction reads a register that varies */
} analysis;

static void see_read(void *data, uint32_t reg, bool part)
{
    (void)part;
    analysis *a = data;
    a->reads_varying = a->reads_varying || a->out->reg[reg];
}

static void mark_written(void *data, uint32_t reg, bool part)
{
    (void)part;
    analysis *a = data;
    a->changed = a->changed || !a->out->reg[reg];
    a->out->reg[reg] = 1;
}

/* Does the operand contain a special register that differs between threads? */
static bool has_varying_special(const ptx_operand *x)
{
    static const char *const uniform[] = {"%ntid", "%ctaid", "%nctaid", "%dynamic_smem_size"};
    if (x->kind == PTX_OP_SPECIAL) {
        for (size_t i = 0; i < sizeof uniform / sizeof *uniform; i++)
            if (strcmp(x->name, uniform[i]) == 0)
                return false;
        return true;
    }
    for (uint32_t i = 0; i < x->items; i++)
        if (has_varying_special(&x->item[i]))
            return true;
    return false;
}

/* Does it load a parameter of the kernel, or from constant memory? */
static bool loads_constant(const ptx_function *fn, const ptx_instruction *in)
{
    if (!ptx_is(in, "ld") || in->operands < 2)
        return false;
    if (ptx_has(in, "const"))
        return true;
    const ptx_operand *x = &in->operand[1];
    const ptx_var *v = x->kind == PTX_OP_ADDRESS && x->items ? x->item[0].var : NULL;
    return ptx_has(in, "param") && v && v >= fn->param && v < fn->param + fn->params;
}

/* Does its result depend on its operands alone, and do these have no special registers that differ? */
static bool is_computed(const ptx_function *fn, const ptx_instruction *in)
{
    static const char *const pure[] = {
        "mov",  "add",   "sub",  "mul",  "mad", "mad24", "mul24", "div", "rem", "abs",  "neg",   "min", "max",  "popc",
        "clz",  "bfind", "brev", "bfe",  "bfi", "and",   "or",    "xor", "not", "cnot", "lop3",  "shl", "shr",  "shf",
        "setp", "set",   "selp", "slct", "cvt", "cvta",  "prmt",  "fma", "rcp", "sqrt", "rsqrt", "sad", "testp"};
    for (uint32_t i = 0; i < in->operands; i++)
        if (has_varying_special(&in->operand[i]))
            return false;
    return PTX_IS_ANY(in, pure) || loads_constant(fn, in);
}

static void look_at_block(analysis *a, uint32_t b)
{
    const ptx_graph_block *x = &a->g->block[b];
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const ptx_instruction *in = a->g->in[i];
        smc_barrier barrier;
        a->reads_varying = false;
        ptx_each_read(in, see_read, a);
        bool is_vote = smc_barrier_of(in, &barrier) && barrier.has_result && !barrier.is_counted;
        if (a->in_region[b] || (!is_vote && (a->reads_varying || !is_computed(a->g->fn, in))))
            ptx_each_write(in, mark_written, a);
    }
    const ptx_instruction *last = a->g->in[x->first + x->count - 1];
    if (!ptx_is_jump(last) || (last->guard < 0 && !ptx_is(last, "brx")) || a->out->branch[b])
        return;
    a->reads_varying = false;
    ptx_each_read(last, see_read, a);
    if (a->reads_varying) {
        a->out->branch[b] = 1;
        a->changed = true;
        a->failed = a->failed || !smc_regions_mark(&a->regions, b, a->in_region);
    }
}

gcast_status smc_varying_find(const ptx_graph *g, arena *memory, smc_varying *out, gcast_error *err)
{
    analysis a = {.g = g, .out = out};
    out->reg = arena_alloc_array(memory, (size_t)g->fn->registers + 1, 1);
    out->branch = arena_alloc_array(memory, (size_t)g->blocks + 1, 1);
    a.in_region = arena_alloc_array(memory, (size_t)g->blocks + 1, 1);
    a.failed = !out->reg || !out->branch || !a.in_region || !smc_regions_open(&a.regions, g);
    for (a.changed = true; a.changed && !a.failed;) {
        a.changed = false;
        for (uint32_t b = 0; b < g->blocks && !a.failed; b++)
            if (g->block[b].reached)
                look_at_block(&a, b);
    }
    smc_regions_close(&a.regions);
    return a.failed ? gcast_error_set_memory(err) : GCAST_OK;
}
