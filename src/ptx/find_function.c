#include "ptx/find_function.h"

#include <string.h>

const ptx_function *ptx_find_function(const ptx_module *m, const char *name)
{
    const ptx_function *found = NULL;
    for (uint32_t i = 0; i < m->functions; i++)
        if (strcmp(m->function[i]->name, name) == 0 && (!found || m->function[i]->has_body))
            found = m->function[i];
    return found;
}
