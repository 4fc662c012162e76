/* Places of variables, places in the source, the address space, and types of a program. */
#include "simt/program/program.h"

#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"

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

const char *source_file_of(const program *p, const op *o)
{
    const ptx_module *m = p->module;
    for (uint32_t i = 0; o->source_line && i < m->files; i++)
        if (m->file[i].index == o->source_file)
            return m->file[i].name;
    return NULL;
}

void source_place(const program *p, const op *o, char *out, size_t size)
{
    const char *file = source_file_of(p, o), *slash = file ? strrchr(file, '/') : NULL;
    *out = '\0';
    if (file)
        snprintf(out, size, " (%.60s:%u)", slash ? slash + 1 : file, o->source_line);
}

#define MAX_SECTIONS (1u << 24)

/* The low 32 bits of addresses differ, too, as on a GPU, where regions are a MiB or more apart. */
gcast_status memory_map(program *p, region *r, uint32_t count, gcast_error *err)
{
    uint64_t section = 1, low = 0;
    for (uint32_t i = 0; i < count; i++) {
        r[i].base = (section << MEMORY_SECTION) + (low & UINT32_MAX);
        low += (r[i].bytes / NULL_PAGE_BYTES + 2) * NULL_PAGE_BYTES;
        section = ((r[i].base + r[i].bytes + MIN_REGION_DISTANCE) >> MEMORY_SECTION) + 1;
        if (r[i].bytes > (uint64_t)1 << 48 || section > MAX_SECTIONS)
            return gcast_error_set(err, GCAST_INPUT, NULL, "the buffers are larger than the memory of any GPU");
    }
    p->sections = (uint32_t)section;
    p->section = arena_alloc_array(&p->memory, section, sizeof *p->section);
    if (!p->section)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t k = r[i].base >> MEMORY_SECTION; k <= (r[i].base + r[i].bytes) >> MEMORY_SECTION; k++)
            p->section[k] = i + 1;
    p->region = r;
    p->regions = count;
    return GCAST_OK;
}

char shape_of(ptx_type t)
{
    if (t == PTX_pred)
        return 'p';
    int bytes = ptx_type_bytes(t);
    return bytes == 8 ? 'x' : bytes <= 2 ? 'h' : 'w';
}

float_type float_type_of(ptx_type t)
{
    static const struct {
        ptx_type ptx;
        float_type type;
    } types[] = {
        {PTX_u8, FLOAT_u8},     {PTX_u16, FLOAT_u16},     {PTX_u32, FLOAT_u32}, {PTX_u64, FLOAT_u64},
        {PTX_s8, FLOAT_s8},     {PTX_s16, FLOAT_s16},     {PTX_s32, FLOAT_s32}, {PTX_s64, FLOAT_s64},
        {PTX_f16, FLOAT_f16},   {PTX_bf16, FLOAT_bf16},   {PTX_f32, FLOAT_f32}, {PTX_f64, FLOAT_f64},
        {PTX_f16x2, FLOAT_f16}, {PTX_bf16x2, FLOAT_bf16},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].ptx == t)
            return types[i].type;
    return FLOAT_TYPES;
}

uint32_t variable_alignment(const ptx_var *v)
{
    uint32_t natural = (uint32_t)ptx_type_bytes(v->type) * (uint32_t)(v->width > 1 ? v->width : 1);
    return v->align ? v->align : natural ? natural : 1;
}
