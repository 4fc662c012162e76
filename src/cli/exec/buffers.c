#include "cli/exec/buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/integers.h"
#include "cli/args.h"
#include "cli/exec/buffer_fill.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "ptx/public.h"

#define DEFAULT_SHOWN 16    /* elements, if --show gives no number */
#define ELEMENTS_PER_LINE 8 /* of --show */

/* The variable whose name is the first `length` characters; NULL: none. */
static const gcast_variable *find_variable(const exec_launch *e, const char *name, size_t length)
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
        if (!args_is(a, i, "out") || exec_buffer_find(e, value, length) >= 0 || find_variable(e, value, length))
            continue;
        char *name = arena_alloc(&e->memory, length + 1);
        if (!name)
            return say_no_memory();
        memcpy(name, value, length);
        name[length] = '\0';
        if (!gcast_ptx_variable_bytes(p, name, &bytes))
            continue; /* exec_buffers_check prints the error */
        status = add_variable(e, name, bytes);
    }
    e->launch.variables = (uint32_t)e->variables.count;
    e->launch.variable = e->variables.at;
    return status;
}

/* Splits NAME=FILE or NAME,COUNT at the mark: *buffer is the index of NAME, *rest what follows; NULL: there is no
 * mark. */
static gcast_status find_buffer(const exec_launch *e, const char *option, const char *value, char mark, int *buffer,
                                const char **rest)
{
    const char *found = strchr(value, mark);
    size_t length = found ? (size_t)(found - value) : strlen(value);
    *rest = found ? found + 1 : NULL;
    *buffer = exec_buffer_find(e, value, length);
    if (*buffer < 0)
        return say(GCAST_USAGE, "--%s %s: no %s makes a buffer %.*s", option, value, e->file ? "argument" : "--arg",
                   (int)length, value);
    return GCAST_OK;
}

/* Splits the NAME=FILE of --out: the bytes of NAME, a buffer or a variable of the module, and the path. */
static gcast_status find_out(const exec_launch *e, const char *value, const void **data, size_t *bytes,
                             const char **path)
{
    size_t length = strcspn(value, "=");
    const gcast_variable *variable = find_variable(e, value, length);
    int buffer = exec_buffer_find(e, value, length);
    if (buffer < 0 && !variable)
        return say(GCAST_USAGE, "--out %s: no %s makes a buffer %.*s, and the module has no such variable", value,
                   e->file ? "argument" : "--arg", (int)length, value);
    if (!value[length] || !value[length + 1])
        return say(GCAST_USAGE, "--out %s: NAME=FILE", value);
    *data = buffer >= 0 ? e->buffers.at[buffer].data : variable->data;
    *bytes = buffer >= 0 ? e->buffers.at[buffer].bytes : variable->bytes;
    *path = value + length + 1;
    return GCAST_OK;
}

/* How many elements --show prints. */
static gcast_status read_count(const char *value, const char *number, size_t max, size_t *count)
{
    uint64_t v;
    *count = min_size(max, DEFAULT_SHOWN);
    if (!number)
        return GCAST_OK;
    if (!read_digits(&number, &v) || *number || v < 1)
        return say(GCAST_USAGE, "--show %s: the number of elements is 1 or more", value);
    *count = (size_t)min_u64(v, max);
    return GCAST_OK;
}

gcast_status exec_buffers_check(const exec_launch *e, const args *a)
{
    int64_t ulp = 0;
    gcast_status status = args_int(a, "ulp", 0, INT64_MAX, &ulp);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *name = a->given[i].spec->name, *value = a->given[i].value, *rest;
        const void *data;
        int buffer;
        size_t count;
        if (strcmp(name, "show") == 0) {
            status = find_buffer(e, name, value, ',', &buffer, &rest);
            if (status == GCAST_OK)
                status = read_count(value, rest, exec_buffer_count(e, buffer), &count);
        } else if (strcmp(name, "out") == 0) {
            status = find_out(e, value, &data, &count, &rest);
            if (status == GCAST_OK)
                status = output_check(rest, args_has(a, "force"));
        } else if (strcmp(name, "expect") == 0) {
            status = find_buffer(e, name, value, '=', &buffer, &rest);
            if (status == GCAST_OK && (!rest || !*rest))
                status = say(GCAST_USAGE, "--%s %s: NAME=FILE", name, value);
            else if (status == GCAST_OK && access(rest, R_OK) != 0)
                status = say_unreadable(rest, errno);
        }
    }
    if (status == GCAST_OK && args_has(a, "ulp") && !args_has(a, "expect"))
        status = say(GCAST_USAGE, "--ulp needs --expect NAME=FILE");
    return status;
}

static void print_elements(const exec_launch *e, int buffer, size_t count, text *out)
{
    const value_type *t = e->types.at[buffer];
    char value[VALUE_TEXT];
    for (size_t i = 0; i < count; i++) {
        if (i % ELEMENTS_PER_LINE == 0)
            text_printf(out, "%s%s[%zu]", i ? "\n" : "", e->buffers.at[buffer].name, i);
        value_print(t, value_load(t, e->buffers.at[buffer].data, i), value);
        text_printf(out, " %s", value);
    }
    text_char(out, '\n');
}

void exec_buffers_print(const exec_launch *e, const args *a, text *out)
{
    for (size_t i = 0; i < a->given_count; i++) {
        const char *value = a->given[i].value, *rest;
        int buffer;
        size_t count;
        if (args_is(a, i, "show") && find_buffer(e, "show", value, ',', &buffer, &rest) == GCAST_OK &&
            read_count(value, rest, exec_buffer_count(e, buffer), &count) == GCAST_OK)
            print_elements(e, buffer, count, out);
    }
    for (size_t i = 0; i < e->buffers.count && args_has(a, "sum"); i++)
        text_printf(out, "%08lx  %zu bytes  %s\n", crc32_z(0, e->buffers.at[i].data, e->buffers.at[i].bytes),
                    e->buffers.at[i].bytes, e->buffers.at[i].name);
}

gcast_status exec_buffers_write(const exec_launch *e, const args *a)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *path;
        const void *data;
        size_t bytes;
        if (!args_is(a, i, "out"))
            continue;
        status = find_out(e, a->given[i].value, &data, &bytes, &path);
        if (status == GCAST_OK)
            status = output_bytes(path, args_has(a, "force"), data, bytes);
    }
    return status;
}

/* The index of a float among all floats of its type: neighbours differ by one, and both zeros are 0. */
static int64_t float_index(const value_type *t, uint64_t bits)
{
    uint64_t sign = (uint64_t)1 << (8 * t->bytes - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

/* Are two floats at most `ulp` steps apart? */
static bool is_near(const value_type *t, uint64_t a, uint64_t b, uint64_t ulp)
{
    int64_t x = float_index(t, a), y = float_index(t, b);
    if (value_is_nan(t, a) || value_is_nan(t, b))
        return value_is_nan(t, a) && value_is_nan(t, b);
    return (x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x) <= ulp;
}

/* Compares a buffer. Floats may be `ulp` steps apart; -1: all bits must be the same. */
static gcast_status compare(const exec_launch *e, int buffer, const void *expected, const char *path, int64_t ulp)
{
    const value_type *t = e->types.at[buffer];
    const gcast_buffer *b = &e->buffers.at[buffer];
    size_t count = exec_buffer_count(e, buffer), differing = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = value_load(t, b->data, i), y = value_load(t, expected, i);
        if (x == y || (ulp >= 0 && is_near(t, x, y, (uint64_t)ulp)))
            continue;
        if (!differing++)
            first = i;
    }
    if (!differing)
        return GCAST_OK;
    char got[VALUE_TEXT], wanted[VALUE_TEXT];
    value_print(t, value_load(t, b->data, first), got);
    value_print(t, value_load(t, expected, first), wanted);
    return say(GCAST_NO, "%s: %zu of %zu elements differ from %s, first %s[%zu]: %s, expected %s", b->name, differing,
               count, path, b->name, first, got, wanted);
}

gcast_status exec_buffers_compare(const exec_launch *e, const args *a)
{
    gcast_status worst = GCAST_OK;
    int64_t ulp = -1;
    args_int(a, "ulp", 0, INT64_MAX, &ulp);
    for (size_t i = 0; i < a->given_count; i++) {
        const char *path;
        int buffer;
        if (!args_is(a, i, "expect"))
            continue;
        gcast_status status = find_buffer(e, "expect", a->given[i].value, '=', &buffer, &path);
        if (status != GCAST_OK)
            return status;
        size_t bytes = e->buffers.at[buffer].bytes;
        void *expected = malloc(bytes);
        if (!expected)
            return say_no_memory();
        status = exec_read_raw(path, expected, bytes, e->buffers.at[buffer].name);
        if (status == GCAST_OK) /* --ulp is about floats only */
            status = compare(e, buffer, expected, path, e->types.at[buffer]->kind == 'f' ? ulp : -1);
        free(expected);
        worst = status > worst ? status : worst;
    }
    return worst;
}
