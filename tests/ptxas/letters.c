#include "ptxas/letters.h"

#include <stdlib.h>

#include "ptx/instruction.h"
#include "simt/ptxas/contract.h"
#include "support/support.h"

/* The instruction of item i, if it is a sum or a product that ptxas may make part of one. */
static const ptx_instruction *counted(const ptx_function *fn, uint32_t i, bool *product)
{
    const ptx_instruction *in = fn->item[i].kind == PTX_ITEM_INSTRUCTION ? fn->item[i].instruction : NULL;
    if (!in || (!contract_is_sum(in) && !(contract_is_product(in) && ptx_is(in, "mul"))))
        return NULL;
    *product = contract_is_product(in);
    return in;
}

void letters_predicted(const ptx_function *fn, char out[MOST_LETTERS])
{
    gcast_error err;
    contraction *c = calloc((size_t)fn->items + 1, sizeof *c);
    size_t n = 0;
    bool product;
    assert_non_null(c);
    assert_ok(contract_function(fn, c, &err), &err);
    for (uint32_t i = 0; i < fn->items && n + 1 < MOST_LETTERS; i++)
        if (counted(fn, i, &product))
            out[n++] = product ? (c[i].absorbed ? '-' : 'm') : c[i].product ? 'F' : 'A';
    out[n] = '\0';
    free(c);
}

void letters_recorded(const ptx_function *fn, const cubin_line *line, size_t lines, char out[MOST_LETTERS])
{
    size_t n = 0;
    bool product;
    for (uint32_t i = 0; i < fn->items && n + 1 < MOST_LETTERS; i++) {
        const ptx_instruction *in = counted(fn, i, &product);
        if (!in)
            continue;
        cubin_line at = (size_t)in->at.line <= lines ? line[in->at.line] : (cubin_line){0};
        if (product)
            out[n++] = at.products || at.fused ? 'm' : '-';
        else
            out[n++] = at.fused && at.sums ? 'M' : at.fused ? 'F' : at.sums ? 'A' : 'x';
    }
    out[n] = '\0';
}
