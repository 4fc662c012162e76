#include "cli/exec/exec_launch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/args.h"
#include "cli/exec/buffer_fill.h"
#include "cli/say.h"
#include "model/launch_file.h"
#include "ptx/public.h"

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

const gcast_limits *exec_limits(const gcast_gpu *gpu, const gcast_ptx *p)
{
    int sm = gcast_ptx_sm(p);
    const gcast_limits *of_target = gcast_limits_find(sm / 10, sm % 10);
    return gpu ? &gpu->limits : of_target ? of_target : gcast_limits_find(9, 0);
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
static gcast_status read_type(const char *word, const given_arg *arg, const value_type **t, size_t *count, bool *array,
                              const char **rest)
{
    size_t length = strcspn(word, "[:");
    const char *end = word + length;
    *rest = end;
    *count = 1;
    *array = *end == '[';
    *t = value_type_find(word, length);
    if (!*t)
        return given_arg_fail(arg, ": %.*s is not a type: u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32 or f64",
                              (int)length, word);
    if (*array) {
        uint64_t v;
        end++;
        if (!read_digits(&end, &v) || v < 1 || *end != ']')
            return given_arg_fail(arg, ": the count in brackets is a number from 1 on");
        *count = (size_t)v;
        end++;
    }
    if (*end != ':')
        return given_arg_fail(arg, ": give a colon and " FILL_WORDS " after it");
    *rest = end + 1;
    return GCAST_OK;
}

/* TYPE:VALUE or TYPE[COUNT]:FILL */
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
        status = given_arg_fail(arg, ": %s is not a %s", *rest ? rest : "nothing", t->name);
    return status == GCAST_OK ? push_argument(e, (gcast_argument){-1, data, bytes}, arg, array ? NULL : t) : status;
}

static bool is_name(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)word[i]) && word[i] != '_')
            return false;
    return length > 0 && length < 64 && !isdigit((unsigned char)*word);
}

/* NAME=TYPE[COUNT]:FILL */
static gcast_status add_buffer(exec_launch *e, const given_arg *arg, size_t length)
{
    const value_type *t;
    const char *rest;
    size_t count;
    bool array;
    if (!is_name(arg->words, length))
        return given_arg_fail(arg, ": a buffer's name is letters, digits and _, and no digit first");
    if (exec_buffer_find(e, arg->words, length) >= 0)
        return given_arg_fail(arg, ": a buffer has this name; NAME alone passes it again");
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

static gcast_status add_by_form(exec_launch *e, const given_arg *arg)
{
    const char *words = arg->words;
    size_t length = strcspn(words, "=:");
    if (words[length] == '=')
        return add_buffer(e, arg, length);
    if (words[length] == ':')
        return add_value(e, arg);
    int buffer = exec_buffer_find(e, words, length);
    if (buffer < 0)
        return given_arg_fail(arg, ": no earlier buffer has this name; values are TYPE:VALUE");
    return push_argument(e, (gcast_argument){buffer, NULL, ADDRESS_BYTES}, arg, NULL);
}

/* Adds an argument, and fills its buffer. */
static gcast_status add_argument(exec_launch *e, const given_arg *arg)
{
    gcast_status status = add_by_form(e, arg);
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
            status = add_argument(e, &(given_arg){.words = a->given[i].value});
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

/* Reads one part of a mangled C++ name, such as 5saxpy. Returns its end; NULL: there is no such part. */
static const char *next_name(const char *s, const char **name, size_t *length)
{
    char *end;
    if (*s < '1' || *s > '9')
        return NULL;
    *length = strtoul(s, &end, 10);
    *name = end;
    return strnlen(end, *length) == *length ? end + *length : NULL;
}

/* Does `wanted` name the kernel? Mangled C++ names are also found by what was written: _Z5saxpyiPf by saxpy, and
 * _ZN4blas5saxpyEiPf by saxpy or blas::saxpy. */
static bool is_named(const char *kernel, const char *wanted)
{
    const char *at = kernel, *name, *last = NULL;
    char qualified[256] = "";
    size_t length, used = 0;
    if (strcmp(kernel, wanted) == 0)
        return true;
    if (strncmp(at, "_Z", 2) != 0)
        return false;
    at += 2;
    bool nested = *at == 'N';
    for (at += nested; (at = next_name(at, &name, &length)); used = strlen(qualified)) {
        if (used + length + 3 > sizeof qualified)
            return false;
        snprintf(qualified + used, sizeof qualified - used, "%s%.*s", used ? "::" : "", (int)length, name);
        last = qualified + used + (used ? 2 : 0);
        if (!nested)
            break;
    }
    return last && (strcmp(qualified, wanted) == 0 || strcmp(last, wanted) == 0);
}

/* The kernels that `wanted` names (NULL: all), as "a, b, c". */
static char *kernel_names(const gcast_ptx *p, const char *wanted)
{
    text t;
    bool is_continued = false;
    text_open(&t, NULL, NULL);
    for (uint32_t i = 0; i < gcast_ptx_kernels(p); i++) {
        const char *name = gcast_ptx_kernel(p, i);
        if (wanted && !is_named(name, wanted))
            continue;
        text_str(&t, is_continued ? ", " : "");
        text_str(&t, name);
        is_continued = true;
    }
    return text_take(&t, NULL);
}

/* How many kernels `wanted` names (NULL: all). If it is one, *kernel is its number. */
static uint32_t count_named(const gcast_ptx *p, const char *wanted, uint32_t *kernel)
{
    uint32_t found = 0;
    for (uint32_t i = gcast_ptx_kernels(p); i-- > 0;) {
        const char *name = gcast_ptx_kernel(p, i);
        if (wanted && !is_named(name, wanted))
            continue;
        *kernel = i;
        found++;
        if (wanted && strcmp(name, wanted) == 0)
            return 1;
    }
    return found;
}

gcast_status exec_kernel_find(const gcast_ptx *p, const char *wanted, const char *file, uint32_t *kernel)
{
    uint32_t found = count_named(p, wanted, kernel);
    if (found == 1)
        return GCAST_OK;
    if (gcast_ptx_kernels(p) == 0)
        return say(GCAST_INPUT, "%s: has no kernel", file);
    char *names = kernel_names(p, found ? wanted : NULL);
    gcast_status status = GCAST_USAGE;
    if (wanted && !found)
        say(status, "%s: has no kernel %s, but %s", file, wanted, names ? names : "");
    else
        say(status, "%s: --kernel names one of %s", file, names ? names : "");
    free(names);
    return status;
}

/* The number of the kernel that a launch file names; `p` is its PTX. Errors are printed. */
static gcast_status find_kernel_of_file(const gcast_launch_file *f, const gcast_ptx *p, uint32_t *kernel)
{
    uint32_t found = count_named(p, f->kernel, kernel);
    if (found == 1)
        return GCAST_OK;
    if (gcast_ptx_kernels(p) == 0)
        return say(GCAST_INPUT, "%s: has no kernel", f->ptx);
    char *names = kernel_names(p, found ? f->kernel : NULL);
    gcast_status status = GCAST_INPUT;
    if (f->kernel && !found)
        launch_file_fail(f->file, "/kernel", "%s has no kernel %s, but %s", f->ptx, f->kernel, names ? names : "");
    else
        launch_file_fail(f->file, "/kernel", "must name one of %s's %s", f->ptx, names ? names : "");
    free(names);
    return status;
}

/* What is wrong with an argument for a parameter of the same size; NULL: nothing. Bits and structures fit everything,
 * and integers fit each other, but integers and floats do not. PTX declares parameters of half floats as integers. */
static const char *type_mismatch(const value_type *declared, const exec_launch *e, uint32_t i)
{
    const value_type *given = e->values.at[i];
    bool is_float = declared->kind == 'f';
    if (e->launch.argument[i].buffer >= 0)
        return is_float ? "an address" : NULL;
    if (!given || given->kind == 'b' || declared->bytes == 2 || is_float == (given->kind == 'f'))
        return NULL;
    return is_float ? "a whole number (b32 or b64 would be bits)" : "a float";
}

static gcast_status check_kind(const exec_launch *e, const gcast_ptx *p, uint32_t kernel, uint32_t i)
{
    const char *type = gcast_ptx_param_type(p, kernel, i);
    const value_type *declared = value_type_find(type, strlen(type));
    if (!declared || declared->kind == 'b' || gcast_ptx_param_elements(p, kernel, i))
        return GCAST_OK;
    const char *wrong = type_mismatch(declared, e, i);
    return wrong ? given_arg_fail(&e->given.at[i], " is %s; parameter %u of %s is .%s", wrong, i + 1,
                                  gcast_ptx_kernel(p, kernel), type)
                 : GCAST_OK;
}

static gcast_status fail_count(const exec_launch *e, const char *kernel, uint32_t params)
{
    uint32_t given = e->launch.arguments;
    if (e->file)
        return launch_file_fail(e->file, "/args", "%s has %u parameter%s, and there %s %u arg%s", kernel, params,
                                params == 1 ? "" : "s", given == 1 ? "is" : "are", given, given == 1 ? "" : "s");
    return say(GCAST_USAGE, "%s has %u parameter%s, and --arg is given %u time%s", kernel, params,
               params == 1 ? "" : "s", given, given == 1 ? "" : "s");
}

gcast_status exec_launch_bind(exec_launch *e, const gcast_ptx *p, uint32_t kernel)
{
    gcast_status status;
    gcast_error err;
    if (gcast_ptx_cooperative(p, kernel, &e->launch.cooperative, &err) != GCAST_OK)
        return say_error(&err);
    const char *name = e->launch.kernel = gcast_ptx_kernel(p, kernel);
    uint32_t params = gcast_ptx_params(p, kernel);
    for (uint32_t i = 0; i < params && i < e->launch.arguments; i++) {
        uint64_t bytes = gcast_ptx_param_bytes(p, kernel, i);
        if (e->launch.argument[i].bytes != bytes)
            return given_arg_fail(&e->given.at[i], " has %zu bytes; parameter %u of %s is .%s with %llu",
                                  e->launch.argument[i].bytes, i + 1, name, gcast_ptx_param_type(p, kernel, i),
                                  (unsigned long long)bytes);
        if ((status = check_kind(e, p, kernel, i)) != GCAST_OK)
            return status;
    }
    return params == e->launch.arguments ? GCAST_OK : fail_count(e, name, params);
}

gcast_status exec_launch_of_file(const gcast_launch_file *f, const gcast_ptx *ptx, exec_launch *out)
{
    uint32_t kernel = 0;
    *out = (exec_launch){.file = f->file};
    memcpy(out->launch.grid, f->grid, sizeof f->grid);
    memcpy(out->launch.block, f->block, sizeof f->block);
    out->launch.shared_bytes = f->shared_bytes;
    gcast_status status = find_kernel_of_file(f, ptx, &kernel);
    for (size_t i = 0; i < f->arg_count && status == GCAST_OK; i++)
        status = add_argument(out, &(given_arg){f->args[i], f->file, i});
    return status == GCAST_OK ? exec_launch_bind(out, ptx, kernel) : status;
}
