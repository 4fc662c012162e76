/* Which kernel of a PTX file a launch means, and whether its parameters take the
 * arguments that were given. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/exec_launch.h"

/* saxpy is also found as _Z5saxpyiPf, which is what C++ makes of it. */
static bool means(const char *kernel, const char *wanted)
{
    char mangled[32];
    size_t length = strlen(wanted);
    int n = snprintf(mangled, sizeof mangled, "_Z%zu", length);
    return strcmp(kernel, wanted) == 0 ||
           (strncmp(kernel, mangled, (size_t)n) == 0 && strncmp(kernel + n, wanted, length) == 0);
}

/* "a, b, c", for messages. */
static char *kernel_names(const gcast_ptx *p)
{
    text t;
    text_open(&t, NULL, NULL);
    for (uint32_t i = 0; i < gcast_ptx_kernels(p); i++) {
        text_str(&t, i ? ", " : "");
        text_str(&t, gcast_ptx_kernel(p, i));
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
    char *names = kernel_names(p);
    gcast_status status = GCAST_USAGE;
    if (wanted && !found)
        say(status, "%s: has no kernel %s, but %s", file, wanted, names ? names : "");
    else
        say(status, "%s: --kernel names one of %s", file, names ? names : "");
    free(names);
    return status;
}

gcast_status exec_launch_fits(exec_launch *e, const gcast_ptx *p, const char *wanted, const char *file)
{
    uint32_t kernel = 0;
    gcast_status status = choose(p, wanted, file, &kernel);
    if (status != GCAST_OK)
        return status;
    const char *name = e->launch.kernel = gcast_ptx_kernel(p, kernel);
    uint32_t params = gcast_ptx_params(p, kernel);
    for (uint32_t i = 0; i < params && i < e->launch.arguments; i++) {
        uint64_t bytes = gcast_ptx_param_bytes(p, kernel, i);
        if (e->launch.argument[i].bytes != bytes)
            return say(GCAST_USAGE, "--arg %s has %zu bytes; parameter %u of %s is .%s with %llu", e->words.at[i],
                       e->launch.argument[i].bytes, i + 1, name, gcast_ptx_param_type(p, kernel, i),
                       (unsigned long long)bytes);
    }
    if (params != e->launch.arguments)
        return say(GCAST_USAGE, "%s has %u parameters, and --arg is given %u times", name, params, e->launch.arguments);
    return GCAST_OK;
}
