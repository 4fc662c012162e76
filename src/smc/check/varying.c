/* A register varies if it is computed from what differs between threads, or anywhere between a branch that varies and
 * the place where all its paths have met again: there some threads may have passed more often, or not at all. */
#include "smc/check/varying.h"

#include <string.h>

#include "ptx/graph/roles.h"
#include "ptx/words.h"
#include "smc/check/barrier_form.h"
#include "smc/check/regions.h"

typedef struct analysis {
    const ptx_graph *g;   /* the kernel */
    smc_varying *out;     /* found so far */
    smc_regions regions;  /* of branches */
    uint8_t *in_region;   /* by block: between a branch that varies and where its paths meet */
    bool changed, failed; /* something new was found; memory ran out */
    bool reads_varying;   /* of the instruction at hand: a register that it reads varies */
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

/* Is there a special register in it that differs between threads? */
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

/* A load from a parameter of the kernel, or from constant memory. */
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

/* Is its result a function of its operands alone? */
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
