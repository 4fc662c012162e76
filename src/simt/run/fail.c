/* What went wrong while a kernel ran: who did it, and where that is in the PTX
 * and, if the compiler said so, in the source. */
#include <stdio.h>
#include <string.h>

#include "simt/memory/memory.h"

const char *machine_file(const program *p, const op *o)
{
    const ptx_module *m = p->module;
    for (uint32_t i = 0; o->source_line && i < m->files; i++)
        if (m->file[i].index == o->source_file)
            return m->file[i].name;
    return NULL;
}

void machine_place(const program *p, const op *o, char *out, size_t size)
{
    const char *file = machine_file(p, o), *slash = file ? strrchr(file, '/') : NULL;
    *out = '\0';
    if (file)
        snprintf(out, size, " (%.60s:%u)", slash ? slash + 1 : file, o->source_line);
}

bool machine_fail(core *c, const warp *w, const op *o, int lane, const char *format, ...)
{
    char what[480], who[96] = "", place[80] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const uint32_t *n = c->machine->launch->block, *at = w->block->at;
    if (lane >= 0) {
        uint32_t t = w->number * LANES + (uint32_t)lane;
        snprintf(who, sizeof who, "thread (%u,%u,%u) of block (%u,%u,%u) ", t % n[0], t / n[0] % n[1], t / n[0] / n[1],
                 at[0], at[1], at[2]);
    }
    if (o && lane >= 0)
        machine_place(c->machine->program, o, place, sizeof place);
    c->status = gcast_error_set(c->err, GCAST_INPUT, NULL, "%s%s%s", who, what, place);
    if (c->err && o) {
        c->err->line = o->line;
        c->err->column = o->column;
    }
    return false;
}
