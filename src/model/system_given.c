#include "model/system_given.h"

sys_given *given_create(void)
{
    arena memory = {0};
    sys_given *g = arena_alloc(&memory, sizeof *g);
    if (!g)
        return NULL;
    g->file = "";
    g->switch_ns = -1;
    g->memory = memory;
    return g;
}

void given_free(sys_given *g)
{
    if (!g)
        return;
    arena memory = g->memory; /* it lives in it */
    arena_free(&memory);
}
