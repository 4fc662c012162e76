#include "cli/measure/cudadevrt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"

/* The library of the toolkit in `home`, in `buffer`; NULL: there is none. */
static const char *in_toolkit(const char *home, char *buffer, size_t size)
{
    static const char *const folders[] = {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
                                          "targets/aarch64-linux/lib"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        int length = snprintf(buffer, size, "%s/%s/libcudadevrt.a", home, folders[i]);
        if (length > 0 && (size_t)length < size && access(buffer, R_OK) == 0)
            return buffer;
    }
    return NULL;
}

gcast_status cudadevrt_path(const args *a, char *buffer, size_t size, const char **path)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    *path = args_value(a, "cudadevrt");
    if (*path && access(*path, R_OK) != 0)
        return say(GCAST_INPUT, "%s: %s", *path, strerror(errno));
    for (size_t i = 0; i < sizeof variables / sizeof variables[0] && !*path; i++) {
        const char *home = getenv(variables[i]);
        if (home && *home)
            *path = in_toolkit(home, buffer, size);
    }
    return GCAST_OK;
}
