/* Names of types, state spaces, special registers and components; functions of a module by name. */
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/letters.h"

static const struct {
    const char *name; /* without the dot */
    int bytes;        /* size */
    char kind;        /* b, u, s, f or p */
} types[PTX_TYPES] = {[PTX_NO_TYPE] = {"", 0, '\0'},
#define X(word, size, letter) [PTX_##word] = {#word, size, letter},
                      PTX_TYPE_TABLE(X)
#undef X
};

static const char *const spaces[] = {[PTX_SPACE_NONE] = "",
#define X(word) [PTX_SPACE_##word] = #word,
                                     PTX_SPACE_TABLE(X)
#undef X
};

const char *ptx_type_name(ptx_type t)
{
    return types[t].name;
}

int ptx_type_bytes(ptx_type t)
{
    return types[t].bytes;
}

char ptx_type_kind(ptx_type t)
{
    return types[t].kind;
}

ptx_type ptx_type_of(const char *word)
{
    for (int t = 1; t < PTX_TYPES; t++)
        if (strcmp(types[t].name, word) == 0)
            return (ptx_type)t;
    return PTX_NO_TYPE;
}

ptx_value ptx_zero(ptx_type t)
{
    bool is_float = types[t].kind == 'f';
    return (ptx_value){.kind = !is_float ? PTX_VALUE_INT : t == PTX_f64 ? PTX_VALUE_F64 : PTX_VALUE_F32};
}

const char *ptx_space_name(ptx_space s)
{
    return spaces[s];
}

ptx_space ptx_space_of(const char *word)
{
    for (size_t s = 1; s < sizeof spaces / sizeof *spaces; s++)
        if (strcmp(spaces[s], word) == 0)
            return (ptx_space)s;
    return PTX_SPACE_NONE;
}

/* The special registers, in the order of strcmp. %envreg0 to %envreg31 and %pm0 to %pm7 are checked apart. */
static const char *const special_registers[] = {
    "%aggr_smem_size",
    "%clock",
    "%clock64",
    "%clock_hi",
    "%cluster_ctaid",
    "%cluster_ctarank",
    "%cluster_nctaid",
    "%cluster_nctarank",
    "%clusterid",
    "%ctaid",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%globaltimer",
    "%globaltimer_hi",
    "%globaltimer_lo",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_ge",
    "%lanemask_gt",
    "%lanemask_le",
    "%lanemask_lt",
    "%nclusterid",
    "%nctaid",
    "%nsmid",
    "%ntid",
    "%nwarpid",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_end",
    "%smid",
    "%tid",
    "%total_smem_size",
    "%warpid",
};

static int by_name(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

/* Is it a number below `limit`, followed by `suffix` or by nothing? */
static bool is_numbered(const char *digits, int limit, const char *suffix)
{
    char *end;
    if (!lex_is_digit(*digits) || (*digits == '0' && lex_is_digit(digits[1])))
        return false;
    long n = strtol(digits, &end, 10);
    return n < limit && (*end == '\0' || strcmp(end, suffix) == 0);
}

bool ptx_is_special(const char *name)
{
    if (strncmp(name, "%envreg", 7) == 0)
        return is_numbered(name + 7, 32, "");
    if (strncmp(name, "%pm", 3) == 0)
        return is_numbered(name + 3, 8, "_64");
    return bsearch(name, special_registers, sizeof special_registers / sizeof *special_registers,
                   sizeof *special_registers, by_name) != NULL;
}

static const char *const components[] = {"", "x", "y", "z", "w", "b0", "b1", "b2", "b3", "h0", "h1"};

uint8_t ptx_component_of(const char *word, size_t size)
{
    static const char colours[] = "rgba";
    const char *colour = size == 1 ? strchr(colours, *word) : NULL;
    if (colour && *colour)
        return (uint8_t)(colour - colours + 1);
    for (size_t i = 1; i < sizeof components / sizeof *components; i++)
        if (strlen(components[i]) == size && memcmp(components[i], word, size) == 0)
            return (uint8_t)i;
    return 0;
}

const char *ptx_component_name(uint8_t component)
{
    return components[component];
}

const ptx_function *ptx_find_function(const ptx_module *m, const char *name)
{
    const ptx_function *found = NULL;
    for (uint32_t i = 0; i < m->functions; i++)
        if (strcmp(m->function[i]->name, name) == 0 && (!found || m->function[i]->has_body))
            found = m->function[i];
    return found;
}
