#include "simt/run/module_variables.h"

#include <string.h>

/* Its region; NULL: there is none. Buffers of the launch come first. */
static region *find(const program *p, const gcast_launch *l, const char *name)
{
    for (uint32_t i = l->buffers; i < p->regions; i++)
        if (strcmp(p->region[i].name, name) == 0)
            return &p->region[i];
    return NULL;
}

gcast_status module_variables_in(program *p, const gcast_launch *l, gcast_error *err)
{
    for (uint32_t i = 0; i < l->variables; i++) {
        const gcast_variable *b = &l->variable[i];
        region *r = find(p, l, b->name);
        if (!r)
            return gcast_error_set(err, GCAST_INPUT, "/variable", "the module has no variable %.100s", b->name);
        if (r->bytes != b->bytes)
            return gcast_error_set(err, GCAST_INPUT, "/variable", "variable %.100s has %llu bytes, not %zu", b->name,
                                   (unsigned long long)r->bytes, b->bytes);
        if (b->is_set && b->bytes)
            memcpy(r->data, b->data, b->bytes);
    }
    return GCAST_OK;
}

void module_variables_out(const program *p, gcast_launch *l)
{
    for (uint32_t i = 0; i < l->variables; i++)
        if (l->variable[i].bytes)
            memcpy(l->variable[i].data, find(p, l, l->variable[i].name)->data, l->variable[i].bytes);
}
