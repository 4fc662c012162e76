/* Makes a program: chooses the kernel, finds the functions that it can reach, lays out memory, and decodes. */
#include "simt/program/translate.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "ptx/ptx.h"
#include "ptx/reachable.h"
#include "simt/float/arithmetic.h"
#include "simt/float/float.h"
#include "simt/isa/decoder.h"
#include "simt/memory/device_heap.h"
#include "simt/program/function.h"
#include "simt/program/program.h"

#define WORKSPACE_BYTES 16 /* of a cooperative grid: its size, its barrier, and padding */
#define MAX_VARIABLE_BYTES ((uint64_t)1 << 30)
#define RESERVED_BYTES 1024 /* of shared memory, as CUDA reserves in each block since Ampere */

/* Places the parameters in the order of the text, each aligned, and copies the arguments. Buffers must have their
 * addresses. */
static gcast_status place_parameters(program *p, const ptx_function *f, const gcast_launch *launch, gcast_error *err)
{
    uint64_t size = 0;
    char path[64];
    if (launch->arguments != f->params)
        return gcast_error_set(err, GCAST_INPUT, "/arguments", "kernel %.100s takes %u arguments, not %u", f->name,
                               f->params, launch->arguments);
    for (uint32_t i = 0; i < f->params; i++) {
        uint64_t at = (uint64_t)round_up((int64_t)size, variable_alignment(&f->param[i]));
        if (f->param[i].bytes > MAX_PARAM_BYTES || at + f->param[i].bytes > MAX_PARAM_BYTES)
            return gcast_error_set(err, GCAST_INPUT, "/arguments",
                                   "the parameters have more than the %d bytes that CUDA takes", MAX_PARAM_BYTES);
        size = at + f->param[i].bytes;
    }
    p->param_bytes = (uint32_t)size;
    p->params = arena_alloc(&p->memory, size ? size : 1);
    if (!p->params)
        return gcast_error_set_memory(err);
    uint64_t at = 0;
    for (uint32_t i = 0; i < f->params; i++) {
        const gcast_argument *a = &launch->argument[i];
        const ptx_var *v = &f->param[i];
        snprintf(path, sizeof path, "/arguments/%u", i);
        at = (uint64_t)round_up((int64_t)at, variable_alignment(v));
        if (!place_variable(p, v, at, false, err))
            return GCAST_RESOURCE;
        uint64_t bytes = a->buffer >= 0 ? 8 : a->bytes;
        if (bytes != v->bytes)
            return gcast_error_set(err, GCAST_INPUT, path, "%llu bytes for %.100s, which has %llu",
                                   (unsigned long long)bytes, v->name, (unsigned long long)v->bytes);
        if (a->buffer >= 0)
            memcpy(p->params + at, &p->region[a->buffer].base, 8);
        else if (bytes)
            memcpy(p->params + at, a->value, bytes);
        at += bytes;
    }
    return GCAST_OK;
}

static bool is_mapped(const ptx_var *v)
{
    return v->space == PTX_SPACE_global || v->space == PTX_SPACE_const;
}

/* Calls `visit` for the variables of the module and those in functions, in the order of the text. */
static gcast_status each_variable(program *p, gcast_status (*visit)(program *, const ptx_var *, gcast_error *),
                                  gcast_error *err)
{
    const ptx_module *m = p->module;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < m->vars && status == GCAST_OK; i++)
        status = visit(p, m->var[i], err);
    for (uint32_t f = 0; f < p->functions && status == GCAST_OK; f++) {
        const ptx_function *fn = p->function[f].source;
        for (uint32_t i = 0; i < fn->items && status == GCAST_OK; i++)
            if (fn->item[i].kind == PTX_ITEM_VAR)
                status = visit(p, fn->item[i].var, err);
    }
    return status;
}

static gcast_status count_region(program *p, const ptx_var *v, gcast_error *err)
{
    (void)err;
    p->regions += is_mapped(v);
    return GCAST_OK;
}

static gcast_status make_region(program *p, const ptx_var *v, gcast_error *err)
{
    if (!is_mapped(v))
        return GCAST_OK;
    if (v->bytes > MAX_VARIABLE_BYTES)
        return gcast_error_set(err, GCAST_INPUT, NULL, "variable %.100s is larger than 1 GiB", v->name);
    region *r = &p->region[p->regions++];
    *r = (region){.name = v->name, .bytes = v->bytes, .constant = v->space == PTX_SPACE_const};
    r->data = arena_alloc(&p->memory, v->bytes ? v->bytes : 1);
    return r->data ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status place_mapped(program *p, const ptx_var *v, gcast_error *err)
{
    if (is_mapped(v) && !place_variable(p, v, p->region[p->regions++].base, false, err))
        return GCAST_RESOURCE;
    return GCAST_OK;
}

/* Adds a region that the system provides if *number is set; *number becomes 1 + its number. */
static gcast_status make_system_region(program *p, const char *name, uint64_t bytes, uint32_t *number, gcast_error *err)
{
    if (!*number)
        return GCAST_OK;
    region *r = &p->region[p->regions++];
    *r = (region){.name = name, .bytes = bytes, .data = arena_alloc(&p->memory, bytes)};
    *number = p->regions;
    return r->data ? GCAST_OK : gcast_error_set_memory(err);
}

/* Regions are the buffers first, then the variables, then memory of the system. */
static gcast_status layout_regions(program *p, const gcast_launch *launch, gcast_error *err)
{
    p->regions = launch->buffers;
    gcast_status status = each_variable(p, count_region, err);
    if (status != GCAST_OK)
        return status;
    uint32_t count = p->regions + !!p->heap + !!p->workspace;
    p->region = arena_alloc_array(&p->memory, count ? count : 1, sizeof *p->region);
    if (!p->region)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < launch->buffers; i++)
        p->region[i] = (region){.name = launch->buffer[i].name ? launch->buffer[i].name : "a buffer",
                                .bytes = launch->buffer[i].bytes};
    p->regions = launch->buffers;
    if ((status = each_variable(p, make_region, err)) != GCAST_OK ||
        (status = make_system_region(p, "the heap", HEAP_BYTES, &p->heap, err)) != GCAST_OK ||
        (status = make_system_region(p, "the grid's workspace", WORKSPACE_BYTES, &p->workspace, err)) != GCAST_OK ||
        (status = memory_map(p, p->region, count, err)) != GCAST_OK)
        return status;
    p->regions = launch->buffers;
    status = each_variable(p, place_mapped, err);
    p->regions = count;
    return status;
}

static gcast_status place_shared(program *p, const ptx_var *v, gcast_error *err)
{
    if (v->space != PTX_SPACE_shared || v->bytes == 0)
        return GCAST_OK;
    uint64_t at = (uint64_t)round_up(p->static_shared, variable_alignment(v));
    if (at + v->bytes > 16 << 20)
        return gcast_error_set(err, GCAST_INPUT, NULL, "shared memory of more than 16 MiB");
    p->static_shared = (uint32_t)(at + v->bytes);
    return place_variable(p, v, at, false, err) ? GCAST_OK : GCAST_RESOURCE;
}

/* Variables of unknown size are the dynamic shared memory: they all start where the others end. */
static gcast_status place_dynamic(program *p, const ptx_var *v, gcast_error *err)
{
    if (v->space != PTX_SPACE_shared || v->bytes)
        return GCAST_OK;
    uint64_t at = (uint64_t)round_up(p->static_shared, max_u32(variable_alignment(v), 16));
    return place_variable(p, v, at, false, err) ? GCAST_OK : GCAST_RESOURCE;
}

static gcast_status layout_shared(program *p, const gcast_launch *launch, gcast_error *err)
{
    gcast_status status = each_variable(p, place_shared, err);
    if (status == GCAST_OK)
        status = each_variable(p, place_dynamic, err);
    if (status == GCAST_OK && launch->shared_bytes > 16 << 20)
        status = gcast_error_set(err, GCAST_INPUT, "/shared_bytes", "shared memory of more than 16 MiB");
    uint64_t end = p->static_shared;
    for (size_t i = 0; i < p->variables.count; i++) {
        const variable *v = &p->variables.at[i];
        if (v->source->space == PTX_SPACE_shared && !v->source->bytes && v->address > end)
            end = v->address;
    }
    p->shared_bytes =
        launch->shared_bytes ? (uint32_t)round_up((int64_t)end, 16) + launch->shared_bytes : p->static_shared;
    if (p->reserved_shared)
        p->shared_bytes = (uint32_t)round_up(p->shared_bytes, 16) + p->reserved_shared;
    return status;
}

static const ptx_var *named_variable(const program *p, const char *name)
{
    for (size_t i = 0; i < p->variables.count; i++)
        if (strcmp(p->variables.at[i].source->name, name) == 0 && !p->variables.at[i].in_frame)
            return p->variables.at[i].source;
    return NULL;
}

/* The bits of one value of an initializer. */
static gcast_status value_bits(const program *p, const ptx_var *v, const ptx_value *x, uint64_t *bits, gcast_error *err)
{
    *bits = x->bits;
    ptx_type t = v->type;
    if (x->kind == PTX_VALUE_F64 && t == PTX_f32)
        *bits = float_convert(FLOAT_f32, FLOAT_f64, x->bits, (float_mode){0});
    else if (x->kind == PTX_VALUE_F32 && t == PTX_f64)
        *bits = float_convert(FLOAT_f64, FLOAT_f32, x->bits, (float_mode){0});
    if (x->kind != PTX_VALUE_SYMBOL)
        return GCAST_OK;
    const ptx_var *target = named_variable(p, x->symbol);
    uint64_t address = 0;
    bool found = target != NULL;
    if (target) {
        address = find_variable(p, target)->address;
    } else {
        for (uint32_t i = 0; i < p->functions && !found; i++)
            if ((found = strcmp(p->function[i].source->name, x->symbol) == 0))
                address = FUNCTION_BASE + (uint64_t)i * FUNCTION_STEP;
    }
    if (!found && !ptx_find_function(p->module, x->symbol)) /* functions that nothing reaches have address 0 */
        return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s is initialized with %.100s, which is not there", v->name,
                               x->symbol);
    *bits = address + x->bits;
    if (x->is_mask && x->mask)
        *bits = (*bits & x->mask) >> __builtin_ctzll(x->mask);
    return GCAST_OK;
}

static gcast_status initialize(program *p, const ptx_var *v, gcast_error *err)
{
    if (!is_mapped(v))
        return GCAST_OK;
    const region *r = &p->region[p->regions++];
    uint64_t size = (uint64_t)ptx_type_bytes(v->type);
    for (uint32_t i = 0; i < v->values; i++) {
        uint64_t bits;
        gcast_status status = value_bits(p, v, &v->value[i], &bits, err);
        if (status != GCAST_OK)
            return status;
        if (size == 0 || size > 8 || (i + 1) * size > r->bytes)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s has more values than room", v->name);
        memcpy(r->data + i * size, &bits, size);
    }
    return GCAST_OK;
}

/* Lays out the memory of the program whose functions are known. */
static gcast_status layout_memory(program *p, const gcast_launch *launch, gcast_error *err)
{
    gcast_status status = layout_regions(p, launch, err);
    if (status == GCAST_OK)
        status = place_parameters(p, p->function[0].source, launch, err);
    if (status == GCAST_OK)
        status = layout_shared(p, launch, err);
    uint32_t regions = p->regions;
    p->regions = launch->buffers;
    if (status == GCAST_OK)
        status = each_variable(p, initialize, err);
    p->regions = regions;
    return status;
}

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
