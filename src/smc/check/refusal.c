#include "smc/check/refusal.h"

#include <stdarg.h>
#include <stdio.h>

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
