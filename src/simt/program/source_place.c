#include "simt/program/source_place.h"

#include <stdio.h>
#include <string.h>

const char *source_file_of(const program *p, const op *o)
{
    const ptx_module *m = p->module;
    for (uint32_t i = 0; o->source_line && i < m->files; i++)
        if (m->file[i].index == o->source_file)
            return m->file[i].name;
    return NULL;
}

void source_place(const program *p, const op *o, char *out, size_t size)
{
    const char *file = source_file_of(p, o), *slash = file ? strrchr(file, '/') : NULL;
    *out = '\0';
    if (file)
        snprintf(out, size, " (%.60s:%u)", slash ? slash + 1 : file, o->source_line);
}
