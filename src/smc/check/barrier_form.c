#include "smc/check/barrier_form.h"

#include "ptx/words.h"

bool smc_barrier_of(const ptx_instruction *in, smc_barrier *out)
{
    if ((!ptx_is(in, "bar") && !ptx_is(in, "barrier")) || ptx_has(in, "warp") || ptx_has(in, "cluster"))
        return false;
    bool result = ptx_has(in, "red");
    *out = (smc_barrier){.has_result = result, .is_counted = in->operands > (result ? 3u : 1u)};
    const ptx_operand *number = in->operands > result ? &in->operand[result] : NULL;
    out->has_number = number && number->kind == PTX_OP_INT && number->bits < 16;
    out->number = out->has_number ? (uint32_t)number->bits : 0;
    return true;
}
