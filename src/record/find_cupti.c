#define _GNU_SOURCE /* dl_iterate_phdr */
#include "record/find_cupti.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FOLDERS 64
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const names[] = {"libcupti.so.13",   "libcupti.so.12",   "libcupti.so.11.8", "libcupti.so.11.7",
                                    "libcupti.so.11.6", "libcupti.so.11.5", "libcupti.so.11.4", "libcupti.so.11.3",
                                    "libcupti.so.11.2", "libcupti.so.11.1", "libcupti.so.11.0", "libcupti.so"};

static bool try_names(const char *folder, bool loaded, try_cupti *try, void *data)
{
    char path[4096];
    for (size_t i = 0; i < COUNT(names); i++) {
        int n = snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", names[i]);
        if (n > 0 && (size_t)n < sizeof path && try(data, path, loaded))
            return true;
    }
    return false;
}

/* Folders of libraries that come with a CUPTI. */
typedef struct folders {
    char *at[MAX_FOLDERS];
    size_t count;
} folders;

static bool is_of_cuda(const char *name)
{
    static const char *const starts[] = {"libcudart.", "libcublas.", "libcudnn.", "libnvrtc.", "libtorch_", "libc10_"};
    for (size_t i = 0; i < COUNT(starts); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static int note_folder(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    folders *f = data;
    const char *slash = strrchr(info->dlpi_name, '/');
    if (!slash || !is_of_cuda(slash + 1) || f->count == MAX_FOLDERS)
        return 0;
    char *folder = strndup(info->dlpi_name, (size_t)(slash - info->dlpi_name));
    for (size_t i = 0; folder && i < f->count; i++)
        if (strcmp(f->at[i], folder) == 0) {
            free(folder);
            folder = NULL;
        }
    if (folder)
        f->at[f->count++] = folder;
    return 0;
}

/* Packages of Python: nvidia/cuda_cupti/lib beside nvidia/cuda_runtime/lib and torch/lib, nvidia/cu13/lib; a toolkit:
 * extras/CUPTI/lib64 beside lib64. */
static bool try_beside(const char *folder, try_cupti *try, void *data)
{
    static const char *const places[] = {"", "/../../cuda_cupti/lib", "/../../nvidia/cuda_cupti/lib",
                                         "/../../nvidia/cu13/lib", "/../extras/CUPTI/lib64"};
    char path[4096];
    for (size_t i = 0; i < COUNT(places); i++) {
        int n = snprintf(path, sizeof path, "%s%s", folder, places[i]);
        if (n > 0 && (size_t)n < sizeof path && try_names(path, false, try, data))
            return true;
    }
    return false;
}

static bool try_loaded_folders(try_cupti *try, void *data)
{
    folders f = {0};
    bool found = false;
    dl_iterate_phdr(note_folder, &f);
    for (size_t i = 0; i < f.count; i++) {
        found = found || try_beside(f.at[i], try, data);
        free(f.at[i]);
    }
    return found;
}

static bool try_toolkit(const char *toolkit, try_cupti *try, void *data)
{
    static const char *const places[] = {"/extras/CUPTI/lib64", "/lib64", "/lib"};
    char path[4096];
    for (size_t i = 0; toolkit && *toolkit && i < COUNT(places); i++) {
        int n = snprintf(path, sizeof path, "%s%s", toolkit, places[i]);
        if (n > 0 && (size_t)n < sizeof path && try_names(path, false, try, data))
            return true;
    }
    return false;
}

bool find_cupti(const char *named, try_cupti *try, void *data)
{
    static const char *const toolkits[] = {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-12", "/opt/cuda"};
    if (named && *named)
        return try(data, named, false);
    if (try_names("", true, try, data) || try_names("", false, try, data) || try_loaded_folders(try, data) ||
        try_toolkit(getenv("CUDA_HOME"), try, data) || try_toolkit(getenv("CUDA_PATH"), try, data))
        return true;
    for (size_t i = 0; i < COUNT(toolkits); i++)
        if (try_toolkit(toolkits[i], try, data))
            return true;
    return false;
}
