#include "cli/exec/arguments/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "cli/say.h"

/* Reads one part of a mangled C++ name, such as 5saxpy, and returns where it ends; NULL: s is no such part. */
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

/* The names of the kernels that `wanted` names, or with NULL of all, such as "a, b, c". */
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

/* How many kernels `wanted` names (NULL: any); 1: *kernel is its number. */
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

gcast_status exec_kernel_of_file(const gcast_launch_file *f, const gcast_ptx *p, uint32_t *kernel)
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

/* What is wrong with an argument for a parameter of the same size; NULL: nothing. Bits and structures take anything,
 * and integers take each other, but integers and floats do not. PTX has no parameters of half floats: there the type is
 * one of integers. */
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
