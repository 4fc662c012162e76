/* Errors of a kernel that runs. */
#include "simt/machine/machine.h"

#include <stdarg.h>
#include <stdio.h>

#include "simt/program/program.h"

bool machine_fail(core *c, const warp *w, const op *o, int lane, const char *format, ...)
{
    char message[480], thread[96] = "", place[80] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const uint32_t *n = c->machine->launch->block, *at = w->block->index;
    if (lane >= 0) {
        uint32_t t = w->number * LANES + (uint32_t)lane;
        snprintf(thread, sizeof thread, "thread (%u,%u,%u) of block (%u,%u,%u) ", t % n[0], t / n[0] % n[1],
                 t / n[0] / n[1], at[0], at[1], at[2]);
    }
    if (o && lane >= 0)
        source_place(c->machine->program, o, place, sizeof place);
    c->status = gcast_error_set(c->err, GCAST_INPUT, NULL, "%s%s%s", thread, message, place);
    if (c->err && o) {
        c->err->line = o->line;
        c->err->column = o->column;
    }
    return false;
}
