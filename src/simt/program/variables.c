#include "simt/program/variables.h"

bool place_variable(program *p, const ptx_var *v, uint64_t at, bool in_frame, gcast_error *err)
{
    variable x = {v, at, in_frame};
    if (!vec_push(&p->variables, x) ||
        !index_add(&p->variable_index, index_hash(&v, sizeof v), (uint32_t)(p->variables.count - 1))) {
        gcast_error_set_memory(err);
        return false;
    }
    return true;
}

const variable *find_variable(const program *p, const ptx_var *v)
{
    for (index_probe i = index_start(&p->variable_index, index_hash(&v, sizeof v)); index_next(&p->variable_index, &i);)
        if (p->variables.at[i.value].source == v)
            return &p->variables.at[i.value];
    return NULL;
}
