#include "cli/exec/arguments/launch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/digits.h"
#include "cli/exec/arguments/fill.h"
#include "cli/say.h"

#define MAX_BYTES ((uint64_t)4 << 30) /* of all buffers */
#define MAX_VALUE_BYTES 32764         /* of an argument passed by value; older versions of PTX allow fewer */
#define MAX_THREADS 1024
#define MAX_SHARED_BYTES (1 << 20)
#define ADDRESS_BYTES 8

int exec_buffer_find(const exec_launch *e, const char *name, size_t length)
{
    for (size_t i = 0; i < e->buffers.count; i++)
        if (strlen(e->buffers.at[i].name) == length && memcmp(e->buffers.at[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

static gcast_status read_shape(gcast_launch *l, const args *a)
{
    static const uint32_t max_grid[3] = {INT32_MAX, 65535, 65535}, max_block[3] = {MAX_THREADS, MAX_THREADS, 64};
    int64_t shared = 0;
    gcast_status status = args_dims(a, "grid", max_grid, l->grid);
    if (status == GCAST_OK)
        status = args_dims(a, "block", max_block, l->block);
    if (status == GCAST_OK)
        status = args_int(a, "shared", 0, MAX_SHARED_BYTES, &shared);
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    if (status == GCAST_OK && threads > MAX_THREADS)
        status = say(GCAST_USAGE, "--block has %llu threads; %d is the most", (unsigned long long)threads, MAX_THREADS);
    l->shared_bytes = (uint32_t)shared;
    return status;
}

static gcast_status push_argument(exec_launch *e, gcast_argument argument, const given_arg *arg,
                                  const value_type *value)
{
    bool ok = vec_push(&e->arguments, argument) && vec_push(&e->given, *arg) && vec_push(&e->values, value);
    return ok ? GCAST_OK : say_no_memory();
}

/* Reads TYPE: or TYPE[COUNT]:; *rest is what follows. */
static gcast_status read_type(const char *text, const given_arg *arg, const value_type **t, size_t *count, bool *array,
                              const char **rest)
{
    size_t length = strcspn(text, "[:");
    const char *end = text + length;
    *rest = end;
    *count = 1;
    *array = *end == '[';
    *t = value_type_find(text, length);
    if (!*t)
        return given_arg_fail(arg, ": %.*s is no type: u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32 or f64",
                              (int)length, text);
    if (*array) {
        uint64_t v;
        end++;
        if (!read_digits(&end, &v) || v < 1 || *end != ']')
            return given_arg_fail(arg, ": the count in brackets is a number from 1 on");
        *count = (size_t)v;
        end++;
    }
    if (*end != ':')
        return given_arg_fail(arg, ": a colon and " FILL_WORDS " are missing");
    *rest = end + 1;
    return GCAST_OK;
}

static gcast_status add_value(exec_launch *e, const given_arg *arg)
{
    const value_type *t;
    const char *rest;
    size_t count;
    bool array;
    gcast_status status = read_type(arg->words, arg, &t, &count, &array, &rest);
    if (status != GCAST_OK)
        return status;
    if (count > MAX_VALUE_BYTES / (size_t)t->bytes)
        return given_arg_fail(arg, ": more than the %d bytes that a kernel's parameters have; NAME=%s is a buffer",
                              MAX_VALUE_BYTES, arg->words);
    size_t bytes = count * (size_t)t->bytes;
    void *data = arena_alloc(&e->memory, bytes);
    uint64_t bits;
    if (!data)
        return say_no_memory();
    if (array)
        status = exec_fill(t, rest, data, count, arg);
    else if (value_parse(t, rest, &bits))
        value_store(t, data, 0, bits);
    else
        status = given_arg_fail(arg, ": %s is no %s", *rest ? rest : "nothing", t->name);
    return status == GCAST_OK ? push_argument(e, (gcast_argument){-1, data, bytes}, arg, array ? NULL : t) : status;
}

static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return length > 0 && length < 64 && !isdigit((unsigned char)*text);
}

static gcast_status add_buffer(exec_launch *e, const given_arg *arg, size_t length)
{
    const value_type *t;
    const char *rest;
    size_t count;
    bool array;
    if (!is_name(arg->words, length))
        return given_arg_fail(arg, ": a buffer's name is letters, digits and _, and no digit first");
    if (exec_buffer_find(e, arg->words, length) >= 0)
        return given_arg_fail(arg, ": there is a buffer of this name; it alone passes it again");
    gcast_status status = read_type(arg->words + length + 1, arg, &t, &count, &array, &rest);
    if (status != GCAST_OK)
        return status;
    if (!array)
        return given_arg_fail(arg, ": a buffer is TYPE[COUNT]");
    if (count > (MAX_BYTES - e->total_bytes) / (size_t)t->bytes)
        return given_arg_fail(arg, ": all buffers together have at most 4 GiB");
    char *name = arena_alloc(&e->memory, length + 1);
    gcast_buffer buffer = {name, malloc(count * (size_t)t->bytes), count * (size_t)t->bytes};
    if (!name || !buffer.data || !vec_push(&e->types, t) || !vec_push(&e->buffers, buffer)) {
        free(buffer.data);
        return say(GCAST_RESOURCE, "not enough memory for %s", arg->words);
    }
    memcpy(name, arg->words, length);
    e->total_bytes += buffer.bytes;
    status = exec_fill(t, rest, buffer.data, count, arg);
    return status == GCAST_OK
               ? push_argument(e, (gcast_argument){(int)e->buffers.count - 1, NULL, ADDRESS_BYTES}, arg, NULL)
               : status;
}

static gcast_status add_any(exec_launch *e, const given_arg *arg)
{
    const char *words = arg->words;
    size_t length = strcspn(words, "=:");
    if (words[length] == '=')
        return add_buffer(e, arg, length);
    if (words[length] == ':')
        return add_value(e, arg);
    int buffer = exec_buffer_find(e, words, length);
    if (buffer < 0)
        return given_arg_fail(arg, ": no buffer before it has this name; values are TYPE:VALUE");
    return push_argument(e, (gcast_argument){buffer, NULL, ADDRESS_BYTES}, arg, NULL);
}

gcast_status exec_argument_add(exec_launch *e, const given_arg *arg)
{
    gcast_status status = add_any(e, arg);
    e->launch.buffers = (uint32_t)e->buffers.count;
    e->launch.buffer = e->buffers.at;
    e->launch.arguments = (uint32_t)e->arguments.count;
    e->launch.argument = e->arguments.at;
    return status;
}

gcast_status exec_launch_read(exec_launch *e, const args *a)
{
    gcast_status status = read_shape(&e->launch, a);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "arg"))
            status = exec_argument_add(e, &(given_arg){.words = a->given[i].value});
    return status;
}

void exec_launch_free(exec_launch *e)
{
    for (size_t i = 0; i < e->buffers.count; i++)
        free(e->buffers.at[i].data);
    for (size_t i = 0; i < e->variables.count; i++)
        free(e->variables.at[i].data);
    vec_free(&e->buffers);
    vec_free(&e->variables);
    vec_free(&e->types);
    vec_free(&e->arguments);
    vec_free(&e->given);
    vec_free(&e->values);
    arena_free(&e->memory);
}
