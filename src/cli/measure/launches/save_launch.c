#include "cli/measure/launches/save_launch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/output.h"
#include "cli/say.h"

gcast_status save_launch_check(const args *a)
{
    const char *path = args_value(a, "save-launch");
    if (!path)
        return GCAST_OK;
    for (size_t i = 0; i < a->given_count; i++) {
        const char *other = a->given[i].value;
        if (args_is(a, i, "output") && !output_is_standard(other) && !output_is_standard(path) &&
            atomic_file_same(other, path))
            return say(GCAST_USAGE, "--save-launch %s: is the file of -o", path);
    }
    return output_check(path, args_has(a, "force"));
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Are two files in one folder? False also where that cannot be told. */
static bool is_same_folder(const char *file_a, const char *file_b)
{
    const char *file[] = {file_a, file_b};
    struct stat folder[2];
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        size_t length = folder_length(file[i]);
        if (length >= sizeof path)
            return false;
        memcpy(path, length ? file[i] : ".", length ? length : 1);
        path[length ? length : 1] = '\0';
        if (stat(path, &folder[i]) != 0)
            return false;
    }
    return folder[0].st_dev == folder[1].st_dev && folder[0].st_ino == folder[1].st_ino;
}

/* Does the argument name a file, from the folder of the launch file? */
static bool names_a_file(const char *arg)
{
    const char *at = strstr(arg, ":file:");
    return at && at[strlen(":file:")] != '/';
}

/* The path as the launch file gave it: without the folder of that file, which its reader put before it. */
static const char *path_as_given(const gcast_launch_file *launch)
{
    size_t folder = folder_length(launch->file);
    return strncmp(launch->ptx, launch->file, folder) == 0 ? launch->ptx + folder : launch->ptx;
}

/* A path that holds in any folder. Errors are printed. */
static gcast_status make_absolute(const char *path, char out[PATH_MAX])
{
    size_t length = 0;
    *out = '\0';
    if (path[0] != '/' && !getcwd(out, PATH_MAX - 1))
        return say(GCAST_RESOURCE, "the current folder: %s", strerror(errno));
    length = strlen(out);
    if (length && out[length - 1] != '/')
        out[length++] = '/';
    if (length + strlen(path) >= PATH_MAX)
        return say_unreadable(path, ENAMETOOLONG);
    memcpy(out + length, path, strlen(path) + 1);
    return GCAST_OK;
}

gcast_status save_launch_check_args(const args *a, const gcast_launch_file *launch)
{
    const char *path = args_value(a, "save-launch");
    for (size_t i = 0; path && i < launch->arg_count; i++)
        if (names_a_file(launch->args[i]) && !is_same_folder(path, launch->file))
            return say(GCAST_USAGE, "--save-launch %s: %s is from the folder of %s: save the launch there", path,
                       launch->args[i], launch->file);
    return GCAST_OK;
}

gcast_status save_launch(const args *a, const gcast_launch_file *launch, const gcast_launch_time *times,
                         size_t time_count, const int64_t *job_ns, size_t job_count)
{
    const char *path = args_value(a, "save-launch");
    char absolute[PATH_MAX], *json;
    gcast_launch_file saved = *launch;
    gcast_error err;
    bool is_beside = is_same_folder(path, launch->file);
    gcast_status status = is_beside ? GCAST_OK : make_absolute(launch->ptx, absolute);
    if (status != GCAST_OK)
        return status;
    saved.ptx = is_beside ? path_as_given(launch) : absolute;
    saved.times = times;
    saved.time_count = time_count;
    saved.job_ns = job_ns;
    saved.job_ns_count = job_count;
    if (gcast_launch_file_write(&saved, &json, &err) != GCAST_OK)
        return say_error(&err);
    status = output_bytes(path, args_has(a, "force"), json, strlen(json));
    free(json);
    return status;
}
