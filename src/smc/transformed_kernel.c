#include "smc/transformed_kernel.h"

#include <stdarg.h>
#include <stdio.h>

#include "ptx/instruction.h"

gcast_status smc_refuse(const smc_kernel *k, ptx_place at, gcast_error *err, const char *format, ...)
{
    char reason[400];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    gcast_error_set(err, GCAST_INPUT, NULL, "%.200s cannot be made SM-centric: %.280s", k->fn->name, reason);
    if (err) {
        err->line = at.line;
        err->column = at.column;
    }
    return GCAST_INPUT;
}

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
