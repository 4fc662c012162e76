/* Which products ptxas makes part of sums: those that only sums use, so that
 * all of these become fma and the product itself is never computed. The sums
 * are in the same run of instructions, without a jump or a call between, unless
 * a factor is a constant or a parameter. A sum of two products absorbs the one
 * with fewer uses, or else the first; sums of products with a single use are
 * decided before others. */
#include "simt/contract/contract.h"

#include <stdlib.h>

#include "ptx/words.h"
#include "simt/contract/state.h"
#include "simt/contract/walk.h"

static void absorb(finder *f, sum *s, int k)
{
    const product *p = &f->products.at[s->operand[k].product];
    contraction *c = &f->out[f->g->item[s->at]], *product_op = &f->out[f->g->item[p->at]];
    bool sub = ptx_is(f->g->in[s->at], "sub");
    s->absorbed = k;
    if (s->operand[1 - k].product != NONE)
        f->products.at[s->operand[1 - k].product].needed = true;
    c->product = f->g->item[p->at] + 1;
    c->operand = (uint8_t)(k + 1);
    c->negate_product = s->operand[k].negative ^ (sub && k == 1);
    c->negate_addend = sub && k == 0;
    product_op->keep = product_op->keep || s->stale[k];
}

/* Decides the sums in the order of the text; for f32 and f64 first those of products with a single use. */
static void decide_sums(finder *f)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < f->sums.count; i++) {
            sum *s = &f->sums.at[i];
            int best = -1;
            for (int k = 0; k < 2 && s->absorbed < 0; k++) {
                const product *p = s->operand[k].product == NONE ? NULL : &f->products.at[s->operand[k].product];
                bool half = p && p->type != PTX_f32 && p->type != PTX_f64;
                if (!p || p->needed || (pass == 0 && (half || p->uses > 1)))
                    continue;
                if (best < 0 || p->uses < f->products.at[s->operand[best].product].uses)
                    best = k;
            }
            if (best >= 0)
                absorb(f, s, best);
        }
}

static void note_absorbed(finder *f)
{
    for (size_t i = 0; i < f->products.count; i++)
        f->out[f->g->item[f->products.at[i].at]].absorbed = f->products.at[i].uses && !f->products.at[i].needed;
}

gcast_status contract_function(const ptx_function *fn, contraction *out, gcast_error *err)
{
    size_t registers = (size_t)fn->registers + 1;
    ptx_graph g;
    ptx_live live = {0};
    finder f = {.g = &g, .live = &live, .out = out};
    gcast_status status = ptx_graph_make(fn, &g, err);
    if (status == GCAST_OK)
        status = ptx_live_find(&g, NULL, &live, err);
    if (status == GCAST_OK) {
        f.current = calloc(registers, sizeof *f.current);
        f.current_chain = calloc(registers, sizeof *f.current_chain);
        f.written = calloc(registers, sizeof *f.written);
        f.always = calloc(registers, sizeof *f.always);
        f.failed = !f.current || !f.current_chain || !f.written || !f.always;
        if (!f.failed)
            contract_walk(&f);
        if (!f.failed) {
            decide_sums(&f);
            note_absorbed(&f);
        }
        if (f.failed)
            status = gcast_error_set_memory(err);
        free(f.current);
        free(f.current_chain);
        free(f.written);
        free(f.always);
        vec_free(&f.held);
        vec_free(&f.products);
        vec_free(&f.sums);
    }
    ptx_live_free(&live);
    ptx_graph_free(&g);
    return status;
}
