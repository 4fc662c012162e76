#include "simt/translate/translate.h"

#include <string.h>

#include "ptx/graph/reachable.h"
#include "simt/decode/state.h"
#include "simt/translate/function.h"
#include "simt/translate/layout.h"

#define RESERVED_BYTES 1024 /* of shared memory, as CUDA reserves in each block since Ampere */

static const ptx_function *choose_kernel(const ptx_module *m, const char *name, gcast_error *err)
{
    const ptx_function *found = NULL;
    for (uint32_t i = 0; i < m->functions; i++) {
        const ptx_function *f = m->function[i];
        if (!f->is_entry || !f->has_body || (name && strcmp(f->name, name) != 0))
            continue;
        if (found) {
            gcast_error_set(err, GCAST_INPUT, "/kernel",
                            "there are several kernels, such as %.100s and %.100s: name one", found->name, f->name);
            return NULL;
        }
        found = f;
    }
    if (!found && name)
        gcast_error_set(err, GCAST_INPUT, "/kernel", "there is no kernel %.100s", name);
    else if (!found)
        gcast_error_set(err, GCAST_INPUT, "/kernel", "there is no kernel");
    return found;
}

/* Finds the kernel, the functions that it can reach, and what they need of the system. */
static gcast_status reach_functions(program *p, const ptx_function *kernel, gcast_error *err)
{
    ptx_reached r;
    if (!ptx_reach(p->module, kernel, &p->memory, &r) ||
        !(p->function = arena_alloc_array(&p->memory, r.functions, sizeof *p->function)))
        return gcast_error_set_memory(err);
    p->functions = r.functions;
    for (uint32_t i = 0; i < r.functions; i++)
        p->function[i].source = r.function[i];
    p->heap = r.heap;
    p->workspace = r.grid;
    p->reserved_shared = r.reserved ? RESERVED_BYTES : 0;
    return GCAST_OK;
}

static gcast_status decode_code(program *p, gcast_error *err)
{
    decoder d = {.program = p, .err = err};
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < p->functions && status == GCAST_OK; i++)
        status = decode_places(&d, &p->function[i]);
    for (uint32_t i = 0; i < p->functions && status == GCAST_OK; i++)
        status = decode_function(&d, &p->function[i]);
    if (status == GCAST_OK) {
        p->ops = (uint32_t)d.ops.count;
        p->op = arena_copy(&p->memory, d.ops.at, d.ops.count * sizeof *d.ops.at);
        if (!p->op)
            status = gcast_error_set_memory(err);
    }
    vec_free(&d.ops);
    vec_free(&d.constants);
    vec_free(&d.constant_bytes);
    index_free(&d.constant_index);
    return status;
}

gcast_status decode_program(program *p, const gcast_launch *launch, gcast_error *err)
{
    if (p->module->address_bits != 64)
        return gcast_error_set(err, GCAST_INPUT, NULL, "only .address_size 64 is supported");
    const ptx_function *kernel = choose_kernel(p->module, launch->kernel, err);
    if (!kernel)
        return GCAST_INPUT;
    gcast_status status = reach_functions(p, kernel, err);
    if (status == GCAST_OK)
        status = layout_memory(p, launch, err);
    return status == GCAST_OK ? decode_code(p, err) : status;
}
