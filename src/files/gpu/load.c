/* gcast_gpu_load: a GPU by the name of a preset, a line that describes it, or the path of a file. */
#include "files/gpu/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/api/argument_missing.h"
#include "files/gpu/json.h"
#include "gridcast/read.h"

gcast_status gcast_gpu_preset(const char *name, gcast_gpu **gpu, gcast_error *err)
{
    if (gpu)
        *gpu = NULL;
    if (!name || !gpu)
        return argument_missing(err);
    const char *json = gcast_preset_json(name);
    if (!json)
        return gcast_error_set(err, GCAST_INPUT, NULL, "there is no preset %.64s; gridcast gpus lists them", name);
    return gcast_gpu_read_json(json, strlen(json), name, gpu, err);
}

gcast_status gcast_gpu_load(const char *name, gcast_gpu **gpu, gcast_error *err)
{
    if (gpu)
        *gpu = NULL;
    if (!name || !gpu)
        return argument_missing(err);
    if (gcast_preset_json(name))
        return gcast_gpu_preset(name, gpu, err);
    bool file = strcmp(name, "-") == 0 || access(name, F_OK) == 0;
    if (!file && strchr(name, ':') && !strchr(name, '/'))
        return gcast_gpu_read_string(name, gpu, err);
    if (!file)
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "there is no preset and no file %.200s; gridcast gpus lists the presets", name);
    char *text;
    size_t size;
    gcast_status status = gcast_file_read(name, &text, &size, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_gpu_read_json(text, size, name, gpu, err);
    free(text);
    return status;
}

gcast_gpu *gpu_from_node(const node *n)
{
    gcast_gpu *gpu = NULL;
    gcast_status status = GCAST_OK;
    if (json_is_string(n->value))
        status = gcast_gpu_preset(json_string_value(n->value), &gpu, n->doc->err);
    else if (json_is_object(n->value))
        status = gpu_from_json(n->value, "/gpu", &gpu, n->doc->err);
    else
        node_fail(n, "must be the name of a GPU or an object");
    if (status != GCAST_OK)
        node_fail_as(n, status);
    return status == GCAST_OK ? gpu : NULL;
}
