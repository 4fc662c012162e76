#include "cli/exec/arguments/module_outputs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/say.h"

const gcast_variable *exec_variable_find(const exec_launch *e, const char *name, size_t length)
{
    for (size_t i = 0; i < e->variables.count; i++)
        if (strlen(e->variables.at[i].name) == length && memcmp(e->variables.at[i].name, name, length) == 0)
            return &e->variables.at[i];
    return NULL;
}

static gcast_status add_variable(exec_launch *e, const char *name, uint64_t bytes)
{
    gcast_variable v = {.name = name, .data = calloc(bytes + 1, 1), .bytes = bytes};
    if (v.data && vec_push(&e->variables, v))
        return GCAST_OK;
    free(v.data);
    return say_no_memory();
}

gcast_status exec_variables_bind(exec_launch *e, const gcast_ptx *p, const args *a)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *value = a->given[i].value;
        uint64_t bytes;
        size_t length = value ? strcspn(value, "=") : 0;
        if (!args_is(a, i, "out") || exec_buffer_find(e, value, length) >= 0 || exec_variable_find(e, value, length))
            continue;
        char *name = arena_alloc(&e->memory, length + 1);
        if (!name)
            return say_no_memory();
        memcpy(name, value, length);
        name[length] = '\0';
        if (!gcast_ptx_variable_bytes(p, name, &bytes))
            continue; /* exec_buffers_check says so */
        status = add_variable(e, name, bytes);
    }
    e->launch.variables = (uint32_t)e->variables.count;
    e->launch.variable = e->variables.at;
    return status;
}
