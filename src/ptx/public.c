/* The public handle of a PTX program (gridcast/ptx.h): the module and its kernels. */
#include "ptx/public.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/grammar/module.h"
#include "ptx/graph/reachable.h"
#include "ptx/print/print.h"
#include "ptx/same.h"
#include "ptx/type.h"

/* Fails for files that nvcc makes beside PTX, which are known by their first bytes. */
static gcast_status check_kind(const char *source, size_t size, gcast_error *err)
{
    const char *kind = NULL;
    if (size >= 4 && memcmp(source, "\177ELF", 4) == 0)
        kind = "a cubin or a program";
    if (size >= 4 && memcmp(source, "\x50\xed\x55\xba", 4) == 0)
        kind = "a fatbin";
    if (!kind)
        return GCAST_OK;
    gcast_error_set(err, GCAST_INPUT, NULL, "this is %s, not PTX; cuobjdump -ptx shows what PTX it has", kind);
    if (err)
        err->line = err->column = 1;
    return GCAST_INPUT;
}

gcast_status gcast_ptx_parse(const char *source, size_t size, const char *name, gcast_ptx **out, gcast_error *err)
{
    *out = NULL;
    gcast_ptx *p = calloc(1, sizeof *p);
    if (!p)
        return gcast_error_set_memory(err);
    gcast_status status = check_kind(source, size, err);
    if (status == GCAST_OK)
        status = ptx_parse(source, size, &p->module, err);
    if (status == GCAST_OK) {
        p->kernel = arena_alloc_array(&p->module->memory, p->module->functions, sizeof *p->kernel);
        if (!p->kernel)
            status = gcast_error_set_memory(err);
    }
    if (status != GCAST_OK) {
        if (err && name)
            snprintf(err->file, sizeof err->file, "%s", name);
        gcast_ptx_free(p);
        return status;
    }
    for (uint32_t i = 0; i < p->module->functions; i++)
        if (p->module->function[i]->is_entry && p->module->function[i]->has_body)
            p->kernel[p->kernels++] = p->module->function[i];
    *out = p;
    return GCAST_OK;
}

void gcast_ptx_free(gcast_ptx *p)
{
    if (!p)
        return;
    ptx_free(p->module);
    free(p);
}

gcast_status gcast_ptx_print(const gcast_ptx *p, char **out, size_t *size, gcast_error *err)
{
    text t;
    text_open(&t, NULL, NULL);
    ptx_print(p->module, &t);
    *out = text_take(&t, size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}

bool gcast_ptx_same(const gcast_ptx *a, const gcast_ptx *b)
{
    return ptx_same(a->module, b->module);
}

int gcast_ptx_sm(const gcast_ptx *p)
{
    return p->module->sm;
}

uint32_t gcast_ptx_kernels(const gcast_ptx *p)
{
    return p->kernels;
}

const char *gcast_ptx_kernel(const gcast_ptx *p, uint32_t index)
{
    return p->kernel[index]->name;
}

uint32_t gcast_ptx_params(const gcast_ptx *p, uint32_t kernel)
{
    return p->kernel[kernel]->params;
}

uint64_t gcast_ptx_param_bytes(const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    return p->kernel[kernel]->param[param].bytes;
}

const char *gcast_ptx_param_type(const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    const ptx_var *v = &p->kernel[kernel]->param[param];
    return v->opaque ? v->opaque : ptx_type_name(v->type);
}

uint64_t gcast_ptx_param_elements(const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    const ptx_var *v = &p->kernel[kernel]->param[param];
    int size = ptx_type_bytes(v->type);
    return (v->dims || v->width > 1) && size ? v->bytes / (uint64_t)size : 0;
}

gcast_status gcast_ptx_cooperative(const gcast_ptx *p, uint32_t kernel, bool *out, gcast_error *err)
{
    arena memory = {0};
    ptx_reached reached;
    bool ok = ptx_reach(p->module, p->kernel[kernel], &memory, &reached);
    *out = ok && reached.grid;
    arena_free(&memory);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

bool gcast_ptx_variable_bytes(const gcast_ptx *p, const char *name, uint64_t *bytes)
{
    for (uint32_t i = 0; i < p->module->vars; i++) {
        const ptx_var *v = p->module->var[i];
        if ((v->space == PTX_SPACE_global || v->space == PTX_SPACE_const) && strcmp(v->name, name) == 0) {
            *bytes = v->bytes;
            return true;
        }
    }
    return false;
}
