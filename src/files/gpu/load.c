/* A GPU by whatever names it: a preset, a line that describes it, or a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gridcast/read.h"

gcast_status gcast_gpu_preset(const char *name, gcast_gpu **gpu, gcast_error *err)
{
    const char *json = gcast_preset_json(name);
    if (!json)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there is no preset %.64s; gridcast gpus lists them", name);
    return gcast_gpu_read_json(json, strlen(json), name, gpu, err);
}

gcast_status gcast_gpu_load(const char *what, gcast_gpu **gpu, gcast_error *err)
{
    if (gcast_preset_json(what))
        return gcast_gpu_preset(what, gpu, err);
    bool file = strcmp(what, "-") == 0 || access(what, F_OK) == 0;
    if (!file && strchr(what, ':') && !strchr(what, '/'))
        return gcast_gpu_read_string(what, gpu, err);
    if (!file)
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "there is no preset and no file %.200s; gridcast gpus lists the presets", what);
    char *text;
    size_t size;
    gcast_status status = gcast_file_read(what, &text, &size, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_gpu_read_json(text, size, what, gpu, err);
    free(text);
    return status;
}
