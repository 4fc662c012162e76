/* A module and a launch become a program: the kernel's parameters as bytes, the
 * module's variables in memory, and the code of all functions that the kernel
 * can reach. */
#include <stdio.h>
#include <string.h>

#include "ptx/graph/reachable.h"
#include "simt/decode/decode.h"
#include "simt/memory/device_heap.h"
#include "simt/memory/memory.h"
#include "simt/run/launch_check.h"

#define WORKSPACE_BYTES 16  /* its size, the barrier of the grid, and room */
#define RESERVED_BYTES 1024 /* of shared memory, as CUDA reserves in a block since Ampere */
#define MOST_VARIABLE ((uint64_t)1 << 30)

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

/* The kernel, the functions that it can come to, and what they need of the system. */
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

static uint64_t align_up(uint64_t x, uint64_t align)
{
    return align ? (x + align - 1) / align * align : x;
}

static uint64_t alignment(const ptx_var *v)
{
    uint64_t natural = (uint64_t)ptx_type_bytes(v->type) * (uint64_t)(v->width > 1 ? v->width : 1);
    return v->align ? v->align : natural ? natural : 1;
}

/* Parameters in the order of the text, each aligned. Buffers must have their addresses. */
static gcast_status lay_parameters(program *p, const ptx_function *f, const gcast_launch *launch, gcast_error *err)
{
    uint64_t size = 0;
    char path[64];
    if (launch->arguments != f->params)
        return gcast_error_set(err, GCAST_INPUT, "/arguments", "kernel %.100s takes %u arguments, not %u", f->name,
                               f->params, launch->arguments);
    for (uint32_t i = 0; i < f->params; i++) {
        uint64_t at = align_up(size, alignment(&f->param[i]));
        if (f->param[i].bytes > MOST_PARAM_BYTES || at + f->param[i].bytes > MOST_PARAM_BYTES)
            return gcast_error_set(err, GCAST_INPUT, "/arguments",
                                   "the parameters have more than the %d bytes that CUDA takes", MOST_PARAM_BYTES);
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
        at = align_up(at, alignment(v));
        if (!place_variable(p, v, at, false, err))
            return GCAST_RESOURCE;
        if (a->buffer >= 0 && (uint32_t)a->buffer >= launch->buffers)
            return gcast_error_set(err, GCAST_INPUT, path, "there is no buffer %d", a->buffer);
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

/* Variables of the module, and those in functions, in the order of the text. */
static gcast_status each_variable(const program *p, gcast_status (*visit)(program *, const ptx_var *, gcast_error *),
                                  gcast_error *err)
{
    const ptx_module *m = p->module;
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < m->vars && status == GCAST_OK; i++)
        status = visit((program *)p, m->var[i], err);
    for (uint32_t f = 0; f < p->functions && status == GCAST_OK; f++) {
        const ptx_function *fn = p->function[f].source;
        for (uint32_t i = 0; i < fn->items && status == GCAST_OK; i++)
            if (fn->item[i].kind == PTX_ITEM_VAR)
                status = visit((program *)p, fn->item[i].var, err);
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
    if (v->bytes > MOST_VARIABLE)
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

/* What the system gives if *number is set, which becomes its number + 1. */
static gcast_status make_system(program *p, const char *name, uint64_t bytes, uint32_t *number, gcast_error *err)
{
    if (!*number)
        return GCAST_OK;
    region *r = &p->region[p->regions++];
    *r = (region){.name = name, .bytes = bytes, .data = arena_alloc(&p->memory, bytes)};
    *number = p->regions;
    return r->data ? GCAST_OK : gcast_error_set_memory(err);
}

/* Buffers first, then variables, then what the system gives. */
static gcast_status map_memory(program *p, const gcast_launch *launch, gcast_error *err)
{
    p->regions = launch->buffers;
    gcast_status status = each_variable(p, count_region, err);
    uint32_t count = p->regions + !!p->heap + !!p->workspace;
    p->region = arena_alloc_array(&p->memory, count ? count : 1, sizeof *p->region);
    if (!p->region)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < launch->buffers; i++)
        p->region[i] = (region){.name = launch->buffer[i].name ? launch->buffer[i].name : "a buffer",
                                .bytes = launch->buffer[i].bytes};
    p->regions = launch->buffers;
    if ((status = each_variable(p, make_region, err)) != GCAST_OK ||
        (status = make_system(p, "the heap", HEAP_BYTES, &p->heap, err)) != GCAST_OK ||
        (status = make_system(p, "the grid's workspace", WORKSPACE_BYTES, &p->workspace, err)) != GCAST_OK ||
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
    uint64_t at = align_up(p->static_shared, alignment(v));
    if (at + v->bytes > 16 << 20)
        return gcast_error_set(err, GCAST_INPUT, NULL, "shared memory of more than 16 MiB");
    p->static_shared = (uint32_t)(at + v->bytes);
    return place_variable(p, v, at, false, err) ? GCAST_OK : GCAST_RESOURCE;
}

/* All of unknown size start where the others end: the dynamic part. */
static gcast_status place_dynamic(program *p, const ptx_var *v, gcast_error *err)
{
    if (v->space != PTX_SPACE_shared || v->bytes)
        return GCAST_OK;
    uint64_t align = alignment(v) > 16 ? alignment(v) : 16;
    return place_variable(p, v, align_up(p->static_shared, align), false, err) ? GCAST_OK : GCAST_RESOURCE;
}

static gcast_status lay_shared(program *p, const gcast_launch *launch, gcast_error *err)
{
    gcast_status status = each_variable(p, place_shared, err);
    if (status == GCAST_OK)
        status = each_variable(p, place_dynamic, err);
    if (status == GCAST_OK && launch->shared_bytes > 16 << 20)
        status = gcast_error_set(err, GCAST_INPUT, "/shared_bytes", "shared memory of more than 16 MiB");
    uint64_t end = p->static_shared;
    for (size_t i = 0; i < p->variables.count; i++) {
        const variable *v = &p->variables.at[i];
        if (v->source->space == PTX_SPACE_shared && !v->source->bytes && v->at > end)
            end = v->at;
    }
    p->shared_bytes = (uint32_t)(launch->shared_bytes ? align_up(end, 16) + launch->shared_bytes : p->static_shared);
    if (p->reserved_shared)
        p->shared_bytes = (uint32_t)align_up(p->shared_bytes, 16) + p->reserved_shared;
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
    const ptx_var *to = named_variable(p, x->symbol);
    uint64_t address = 0;
    bool found = to != NULL;
    if (to) {
        address = find_variable(p, to)->at;
    } else {
        for (uint32_t i = 0; i < p->functions && !found; i++)
            if ((found = strcmp(p->function[i].source->name, x->symbol) == 0))
                address = FUNCTION_BASE + (uint64_t)i * FUNCTION_STEP;
    }
    if (!found && !ptx_find_function(p->module, x->symbol)) /* functions that nothing reaches are at 0 */
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
        status = map_memory(p, launch, err);
    if (status == GCAST_OK)
        status = lay_parameters(p, kernel, launch, err);
    if (status == GCAST_OK)
        status = lay_shared(p, launch, err);
    uint32_t regions = p->regions;
    p->regions = launch->buffers;
    if (status == GCAST_OK)
        status = each_variable(p, initialize, err);
    p->regions = regions;
    return status == GCAST_OK ? decode_code(p, err) : status;
}
