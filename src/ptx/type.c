/* Names of types and state spaces. */
#include "ptx/type.h"

#include <string.h>

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
