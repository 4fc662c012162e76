/* Which kernel of a PTX file a launch means, and whether its parameters take the
 * arguments that were given. */
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "cli/exec/launch.h"

/* One name of C++'s form, such as 5saxpy: where it ends and the next begins; NULL: it is none. */
static const char *next_name(const char *s, const char **name, size_t *length)
{
    char *end;
    if (*s < '1' || *s > '9')
        return NULL;
    *length = strtoul(s, &end, 10);
    *name = end;
    return strnlen(end, *length) == *length ? end + *length : NULL;
}

/* saxpy is also found as _Z5saxpyiPf, which is what C++ makes of it, and as _ZN4blas5saxpyEiPf of a namespace, which
 * blas::saxpy is too. */
static bool means(const char *kernel, const char *wanted)
{
    const char *at = kernel, *name, *last = NULL;
    char whole[256] = "";
    size_t length, used = 0;
    if (strcmp(kernel, wanted) == 0)
        return true;
    if (strncmp(at, "_Z", 2) != 0)
        return false;
    at += 2;
    bool nested = *at == 'N';
    for (at += nested; (at = next_name(at, &name, &length)); used = strlen(whole)) {
        if (used + length + 3 > sizeof whole)
            return false;
        snprintf(whole + used, sizeof whole - used, "%s%.*s", used ? "::" : "", (int)length, name);
        last = whole + used + (used ? 2 : 0);
        if (!nested)
            break;
    }
    return last && (strcmp(whole, wanted) == 0 || strcmp(last, wanted) == 0);
}

/* "a, b, c", for messages: those that may be meant, or all. */
static char *kernel_names(const gcast_ptx *p, const char *wanted)
{
    text t;
    bool any = false;
    text_open(&t, NULL, NULL);
    for (uint32_t i = 0; i < gcast_ptx_kernels(p); i++) {
        const char *name = gcast_ptx_kernel(p, i);
        if (wanted && !means(name, wanted))
            continue;
        text_str(&t, any ? ", " : "");
        text_str(&t, name);
        any = true;
    }
    return text_take(&t, NULL);
}

static gcast_status choose(const gcast_ptx *p, const char *wanted, const char *file, uint32_t *kernel)
{
    uint32_t count = gcast_ptx_kernels(p), found = 0;
    for (uint32_t i = count; i-- > 0;) {
        const char *name = gcast_ptx_kernel(p, i);
        bool exact = wanted && strcmp(name, wanted) == 0;
        if (wanted && !means(name, wanted))
            continue;
        *kernel = i;
        found++;
        if (exact)
            return GCAST_OK;
    }
    if (found == 1)
        return GCAST_OK;
    if (count == 0)
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

/* Does a parameter of a declared type take what was given, which has as many bytes? Bits and structures take all, and
 * integers each other; but a float is none, nor is an integer a float. Half floats go as integers in PTX, which has no
 * parameters of that type. */
static const char *mismatch(const value_type *declared, const exec_launch *e, uint32_t i)
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
    const char *wrong = mismatch(declared, e, i);
    return wrong ? say(GCAST_USAGE, "--arg %s is %s; parameter %u of %s is .%s", e->words.at[i], wrong, i + 1,
                       gcast_ptx_kernel(p, kernel), type)
                 : GCAST_OK;
}

gcast_status exec_launch_fits(exec_launch *e, const gcast_ptx *p, const char *wanted, const char *file)
{
    uint32_t kernel = 0;
    gcast_status status = choose(p, wanted, file, &kernel);
    if (status != GCAST_OK)
        return status;
    gcast_error err;
    if (gcast_ptx_cooperative(p, kernel, &e->launch.cooperative, &err) != GCAST_OK)
        return say_error(&err);
    const char *name = e->launch.kernel = gcast_ptx_kernel(p, kernel);
    uint32_t params = gcast_ptx_params(p, kernel);
    for (uint32_t i = 0; i < params && i < e->launch.arguments; i++) {
        uint64_t bytes = gcast_ptx_param_bytes(p, kernel, i);
        if (e->launch.argument[i].bytes != bytes)
            return say(GCAST_USAGE, "--arg %s has %zu bytes; parameter %u of %s is .%s with %llu", e->words.at[i],
                       e->launch.argument[i].bytes, i + 1, name, gcast_ptx_param_type(p, kernel, i),
                       (unsigned long long)bytes);
        if ((status = check_kind(e, p, kernel, i)) != GCAST_OK)
            return status;
    }
    if (params != e->launch.arguments)
        return say(GCAST_USAGE, "%s has %u parameter%s, and --arg is given %u time%s", name, params,
                   params == 1 ? "" : "s", e->launch.arguments, e->launch.arguments == 1 ? "" : "s");
    return GCAST_OK;
}
