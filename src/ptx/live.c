/* Which registers are live: from the end of each block to its start, repeated until nothing changes. An instruction
 * without an effect whose results are not live does not need its operands either, so whole chains of them are dead. */
#include "ptx/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Words of all sets; more than these, and all blocks share one set (see ptx_live.stride). */
#define MAX_SET_WORDS ((size_t)1 << 22)

typedef struct finder {
    ptx_live *result;
    const ptx_graph *g; /* of the function */
    ptx_roles roles;    /* what instructions read, write and do */
    uint32_t *user;     /* by register: 1 + the last block that was seen to use it */
    bool *live;         /* by register that only one block uses: it is live at the current point */
    uint64_t *set;      /* other registers that are live at the current point */
    uint32_t block;     /* the current block */
    uint32_t *writer;   /* by register: 1 + the block that last wrote it without a guard */
    bool needed;        /* of the current instruction: it has an effect, or a result is live */
    bool guarded;       /* of the current instruction */
} finder;

static void reads_of_text(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data)
{
    ptx_each_read(((const ptx_graph *)data)->in[instruction], visit, visit_data);
}

static void writes_of_text(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data)
{
    ptx_each_write(((const ptx_graph *)data)->in[instruction], visit, visit_data);
}

static bool effect_of_text(const void *data, uint32_t instruction)
{
    return ptx_has_effect(((const ptx_graph *)data)->in[instruction]);
}

static void note_use(finder *f, uint32_t reg)
{
    uint32_t *user = &f->user[reg];
    if (*user && *user != f->block + 1)
        f->result->number[reg] = 0; /* several blocks use it; it gets its number later */
    *user = f->block + 1;
}

static void note_read(void *data, uint32_t reg, bool part)
{
    (void)part;
    finder *f = data;
    note_use(f, reg);
    if (f->writer[reg] != f->block + 1)
        f->result->number[reg] = 0; /* the value comes from another block */
}

static void note_write(void *data, uint32_t reg, bool part)
{
    finder *f = data;
    note_use(f, reg);
    if (!f->guarded && !part)
        f->writer[reg] = f->block + 1;
    else if (f->writer[reg] != f->block + 1)
        f->result->number[reg] = 0;
}

static void number_registers(finder *f)
{
    const ptx_graph *g = f->g;
    memset(f->result->number, 0xff, g->fn->registers * sizeof *f->result->number);
    for (uint32_t i = 0; i < g->count; i++) {
        f->block = g->block_of[i];
        f->guarded = g->in[i]->guard >= 0;
        f->roles.reads(f->roles.data, i, note_read, f);
        f->roles.writes(f->roles.data, i, note_write, f);
    }
    for (uint32_t r = 0; r < g->fn->registers; r++)
        if (f->result->number[r] != PTX_NONE) {
            f->result->reg[f->result->bits] = r;
            f->result->number[r] = f->result->bits++;
        }
    f->result->words = f->result->bits / 64 + 1;
}

static bool is_live(const finder *f, uint32_t reg)
{
    return f->result->number[reg] == PTX_NONE ? f->live[reg] : ptx_live_has(f->result, f->set, reg);
}

static void set_live(finder *f, uint32_t reg, bool live)
{
    uint32_t n = f->result->number[reg];
    if (n == PTX_NONE)
        f->live[reg] = live;
    else if (live)
        f->set[n / 64] |= UINT64_C(1) << n % 64;
    else
        f->set[n / 64] &= ~(UINT64_C(1) << n % 64);
}

static void ask_live(void *data, uint32_t reg, bool part)
{
    (void)part;
    finder *f = data;
    f->needed = f->needed || is_live(f, reg);
}

static void end_live(void *data, uint32_t reg, bool part)
{
    if (!((finder *)data)->guarded && !part)
        set_live(data, reg, false);
}

static void begin_live(void *data, uint32_t reg, bool part)
{
    (void)part;
    set_live(data, reg, true);
}

/* f->set has the registers that are live at the end of the block, and then those that are live at its start. */
static void walk(finder *f, const ptx_graph_block *b)
{
    for (uint32_t i = b->first + b->count; i-- > b->first;) {
        f->needed = f->roles.effect(f->roles.data, i);
        if (!f->needed)
            f->roles.writes(f->roles.data, i, ask_live, f);
        f->result->dead[i] = !f->needed;
        if (!f->needed)
            continue;
        f->guarded = f->g->in[i]->guard >= 0;
        f->roles.writes(f->roles.data, i, end_live, f);
        f->roles.reads(f->roles.data, i, begin_live, f);
    }
}

static bool add_set(uint64_t *set, const uint64_t *added, uint32_t words)
{
    bool grown = false;
    for (uint32_t i = 0; i < words; i++) {
        grown = grown || (added[i] & ~set[i]);
        set[i] |= added[i];
    }
    return grown;
}

static void solve(finder *f)
{
    const ptx_graph *g = f->g;
    ptx_live *result = f->result;
    uint32_t words = result->words;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = g->blocks; b-- > 0;) {
            const ptx_graph_block *x = &g->block[b];
            uint64_t *out = result->out + (size_t)b * result->stride, *in = result->in + (size_t)b * result->stride;
            for (uint32_t k = 0; k < x->edges && result->stride; k++)
                add_set(out, result->in + (size_t)g->edge[x->edge + k] * result->stride, words);
            memcpy(f->set, out, words * sizeof *f->set);
            f->block = b;
            walk(f, x);
            changed = (result->stride && add_set(in, f->set, words)) || changed;
        }
    }
}

gcast_status ptx_live_find(const ptx_graph *g, const ptx_roles *roles, ptx_live *out, gcast_error *err)
{
    size_t registers = (size_t)g->fn->registers + 1;
    *out = (ptx_live){.graph = g};
    finder f = {.result = out, .g = g, .roles = {reads_of_text, writes_of_text, effect_of_text, g}};
    if (roles)
        f.roles = *roles;
    out->number = arena_alloc_array(&out->memory, registers, sizeof *out->number);
    out->reg = arena_alloc_array(&out->memory, registers, sizeof *out->reg);
    out->dead = arena_alloc_array(&out->memory, (size_t)g->count + 1, sizeof *out->dead);
    f.user = calloc(registers, sizeof *f.user);
    f.live = calloc(registers, sizeof *f.live);
    f.writer = calloc(registers, sizeof *f.writer);
    bool ok = out->number && out->reg && out->dead && f.user && f.live && f.writer;
    if (ok) {
        number_registers(&f);
        size_t all = (size_t)out->words * (g->blocks + 1);
        out->stride = all <= MAX_SET_WORDS ? out->words : 0;
        all = out->stride ? all : out->words;
        out->in = arena_alloc_array(&out->memory, all, sizeof *out->in);
        out->out = arena_alloc_array(&out->memory, all, sizeof *out->out);
        f.set = calloc(out->words, sizeof *f.set);
        ok = out->in && out->out && f.set;
    }
    if (ok && !out->stride) {
        memset(out->in, 0xff, out->words * sizeof *out->in);
        memset(out->out, 0xff, out->words * sizeof *out->out);
    }
    if (ok)
        solve(&f);
    free(f.user);
    free(f.live);
    free(f.writer);
    free(f.set);
    if (ok)
        return GCAST_OK;
    ptx_live_free(out);
    return gcast_error_set_memory(err);
}

void ptx_live_free(ptx_live *result)
{
    arena_free(&result->memory);
    *result = (ptx_live){0};
}
