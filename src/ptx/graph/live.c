/* Which registers are live: from the end of each block to its start, repeated
 * until nothing changes. Where a result is not live its operands are not needed
 * either, so chains of instructions whose result nothing uses are dead, too. */
#include "ptx/graph/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define MAX_SET_WORDS                                                                                                  \
    ((size_t)1 << 22) /* of all sets; beyond, all registers that several blocks use count as live everywhere */

typedef struct finder {
    ptx_live *l;        /* that is made */
    const ptx_graph *g; /* of the function */
    ptx_roles roles;    /* what instructions read, write and do */
    uint32_t *first;  /* by register: 1 + the first block that uses it; later, for registers of one block, whether it is
                         live */
    uint32_t block;   /* the block at hand */
    uint64_t *set;    /* what is live at the point at hand */
    uint32_t *writer; /* by register: 1 + the block that last wrote it without a guard */
    bool any, guarded; /* of the instruction at hand: some result is live; it has a guard */
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
    uint32_t *first = &f->first[reg];
    if (*first && *first != f->block + 1)
        f->l->number[reg] = 0; /* several blocks use it; it gets its number later */
    *first = f->block + 1;
}

static void note_read(void *data, uint32_t reg, bool part)
{
    (void)part;
    finder *f = data;
    note_use(f, reg);
    if (f->writer[reg] != f->block + 1)
        f->l->number[reg] = 0; /* the value comes from another block */
}

static void note_write(void *data, uint32_t reg, bool part)
{
    finder *f = data;
    note_use(f, reg);
    if (!f->guarded && !part)
        f->writer[reg] = f->block + 1;
    else if (f->writer[reg] != f->block + 1)
        f->l->number[reg] = 0;
}

static void number_registers(finder *f)
{
    const ptx_graph *g = f->g;
    memset(f->l->number, 0xff, g->fn->registers * sizeof *f->l->number);
    for (uint32_t i = 0; i < g->count; i++) {
        f->block = g->block_of[i];
        f->guarded = g->in[i]->guard >= 0;
        f->roles.reads(f->roles.data, i, note_read, f);
        f->roles.writes(f->roles.data, i, note_write, f);
    }
    for (uint32_t r = 0; r < g->fn->registers; r++)
        if (f->l->number[r] != PTX_NONE) {
            f->l->reg[f->l->bits] = r;
            f->l->number[r] = f->l->bits++;
        }
    f->l->words = f->l->bits / 64 + 1;
    memset(f->first, 0, g->fn->registers * sizeof *f->first);
}

static bool is_live(const finder *f, uint32_t reg)
{
    return f->l->number[reg] == PTX_NONE ? f->first[reg] != 0 : ptx_live_has(f->l, f->set, reg);
}

static void set_live(finder *f, uint32_t reg, bool live)
{
    uint32_t n = f->l->number[reg];
    if (n == PTX_NONE)
        f->first[reg] = live;
    else if (live)
        f->set[n / 64] |= UINT64_C(1) << n % 64;
    else
        f->set[n / 64] &= ~(UINT64_C(1) << n % 64);
}

static void ask_live(void *data, uint32_t reg, bool part)
{
    (void)part;
    finder *f = data;
    f->any = f->any || is_live(f, reg);
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

/* Goes from what is live at the end of the block, in f->set, to what is live at its start. */
static void walk(finder *f, const ptx_graph_block *b)
{
    for (uint32_t i = b->first + b->count; i-- > b->first;) {
        f->any = f->roles.effect(f->roles.data, i);
        if (!f->any)
            f->roles.writes(f->roles.data, i, ask_live, f);
        f->l->dead[i] = !f->any;
        if (!f->any)
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
    ptx_live *l = f->l;
    uint32_t words = l->words;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = g->blocks; b-- > 0;) {
            const ptx_graph_block *x = &g->block[b];
            uint64_t *out = l->out + (size_t)b * l->stride, *in = l->in + (size_t)b * l->stride;
            for (uint32_t k = 0; k < x->edges && l->stride; k++)
                add_set(out, l->in + (size_t)g->edge[x->edge + k] * l->stride, words);
            memcpy(f->set, out, words * sizeof *f->set);
            f->block = b;
            walk(f, x);
            changed = (l->stride && add_set(in, f->set, words)) || changed;
        }
    }
}

gcast_status ptx_live_find(const ptx_graph *g, const ptx_roles *roles, ptx_live *out, gcast_error *err)
{
    size_t registers = (size_t)g->fn->registers + 1;
    *out = (ptx_live){.graph = g};
    finder f = {.l = out, .g = g, .roles = {reads_of_text, writes_of_text, effect_of_text, g}};
    if (roles)
        f.roles = *roles;
    out->number = arena_alloc_array(&out->memory, registers, sizeof *out->number);
    out->reg = arena_alloc_array(&out->memory, registers, sizeof *out->reg);
    out->dead = arena_alloc_array(&out->memory, (size_t)g->count + 1, sizeof *out->dead);
    f.first = calloc(registers, sizeof *f.first);
    f.writer = calloc(registers, sizeof *f.writer);
    bool ok = out->number && out->reg && out->dead && f.first && f.writer;
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
    free(f.first);
    free(f.writer);
    free(f.set);
    if (ok)
        return GCAST_OK;
    ptx_live_free(out);
    return gcast_error_set_memory(err);
}

void ptx_live_free(ptx_live *l)
{
    arena_free(&l->memory);
    *l = (ptx_live){0};
}
