#include "files/gpu/gpc_lists.h"

#include <stdio.h>

/* GPCs while they are read. */
typedef struct reader {
    char path[512]; /* of the list */
    int sizes[GCAST_MAX_SMS];
    int list[GCAST_MAX_SMS];
    int gpcs; /* of sizes[] */
    int sms;  /* of list[] */
    gcast_error *err;
} reader;

static gcast_status entry_error(const reader *r, size_t gpc, const char *message)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%zu", r->path, gpc);
    return gcast_error_set(r->err, GCAST_INPUT, path, "%s", message);
}

static gcast_status read_gpc(reader *r, size_t gpc, json_t *sms)
{
    size_t i;
    json_t *v;
    if (!json_is_array(sms) || !json_array_size(sms))
        return entry_error(r, gpc, "must be a list of SMs");
    json_array_foreach(sms, i, v)
    {
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) >= GCAST_MAX_SMS)
            return entry_error(r, gpc, "must be a list of numbers of SMs");
        if (r->sms == GCAST_MAX_SMS)
            return entry_error(r, gpc, "the list is too long");
        r->list[r->sms++] = (int)json_integer_value(v);
    }
    r->sizes[r->gpcs++] = (int)json_array_size(sms);
    return GCAST_OK;
}

gcast_status gpc_lists_read(json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err)
{
    json_t *gpcs = json_object_get(object, "gpcs"), *sms;
    reader r = {.err = err};
    size_t i;
    snprintf(r.path, sizeof r.path, "%.200s/gpcs", path);
    if (!gpcs)
        return GCAST_OK;
    if (!json_is_array(gpcs) || !json_array_size(gpcs))
        return gcast_error_set(err, GCAST_INPUT, r.path, "must be a list with a list of SMs for each GPC");
    json_array_foreach(gpcs, i, sms)
    {
        gcast_status status = read_gpc(&r, i, sms);
        if (status != GCAST_OK)
            return status;
    }
    if (r.sms != gpu->sms)
        return gcast_error_set(err, GCAST_INPUT, r.path, "lists %d SMs, the GPU has %d", r.sms, gpu->sms);
    gcast_status status = gcast_gpu_set_gpcs(gpu, r.sizes, r.gpcs, r.list, err);
    if (status == GCAST_INPUT && err)
        snprintf(err->path, sizeof err->path, "%.150s", r.path);
    return status;
}
