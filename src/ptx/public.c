/* The public handle of a PTX program (gridcast/ptx.h): the module and its kernels. */
#include "ptx/public.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "ptx/module.h"
#include "ptx/print.h"
#include "ptx/ptx.h"
#include "ptx/reachable.h"
#include "ptx/same.h"

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
    if (out)
        *out = NULL;
    if (!source || !out)
        return argument_missing(err);
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
    if (out)
        *out = NULL;
    if (!p || !out)
        return argument_missing(err);
    text t;
    text_open(&t, NULL, NULL);
    ptx_print(p->module, &t);
    *out = text_take(&t, size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}

bool gcast_ptx_same(const gcast_ptx *a, const gcast_ptx *b)
{
    return a && b && ptx_same(a->module, b->module);
}

int gcast_ptx_sm(const gcast_ptx *p)
{
    return p ? p->module->sm : 0;
}

uint32_t gcast_ptx_kernels(const gcast_ptx *p)
{
    return p ? p->kernels : 0;
}

const char *gcast_ptx_kernel(const gcast_ptx *p, uint32_t index)
{
    return p && index < p->kernels ? p->kernel[index]->name : NULL;
}

uint32_t gcast_ptx_params(const gcast_ptx *p, uint32_t kernel)
{
    return p && kernel < p->kernels ? p->kernel[kernel]->params : 0;
}

static const ptx_var *find_param(const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    return param < gcast_ptx_params(p, kernel) ? &p->kernel[kernel]->param[param] : NULL;
}

uint64_t gcast_ptx_param_bytes(const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    const ptx_var *v = find_param(p, kernel, param);
    return v ? v->bytes : 0;
}

const char *gcast_ptx_param_type(const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    const ptx_var *v = find_param(p, kernel, param);
    if (!v)
        return NULL;
    return v->opaque ? v->opaque : ptx_type_name(v->type);
}

uint64_t gcast_ptx_param_elements(const gcast_ptx *p, uint32_t kernel, uint32_t param)
{
    const ptx_var *v = find_param(p, kernel, param);
    if (!v)
        return 0;
    int size = ptx_type_bytes(v->type);
    return (v->dims || v->width > 1) && size ? v->bytes / (uint64_t)size : 0;
}

gcast_status gcast_ptx_cooperative(const gcast_ptx *p, uint32_t kernel, bool *out, gcast_error *err)
{
    if (!p || !out)
        return argument_missing(err);
    if (kernel >= p->kernels)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there are %u kernels, and none has the number %u", p->kernels,
                               kernel);
    arena memory = {0};
    ptx_reached reached;
    bool ok = ptx_reach(p->module, p->kernel[kernel], &memory, &reached);
    *out = ok && reached.grid;
    arena_free(&memory);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

bool gcast_ptx_variable_bytes(const gcast_ptx *p, const char *name, uint64_t *bytes)
{
    if (!p)
        return false;
    for (uint32_t i = 0; i < p->module->vars; i++) {
        const ptx_var *v = p->module->var[i];
        if ((v->space == PTX_SPACE_global || v->space == PTX_SPACE_const) && strcmp(v->name, name) == 0) {
            *bytes = v->bytes;
            return true;
        }
    }
    return false;
}
