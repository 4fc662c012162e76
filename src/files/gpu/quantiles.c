/* A list such as [{"one_in": 100, "ns": 18200}, {"max_ns": 84300, "samples": 50000}]: one call in a hundred takes
 * longer than 18.2 microseconds. The last entry closes it, with min_ns too where that is not the usual latency. */
#include "files/gpu/quantiles.h"

#include <stdio.h>
#include <string.h>

#include "model/gpu/latency.h"

typedef struct reader {
    char path[300]; /* of the list */
    gcast_latency *latency;
    gcast_error *err;
} reader;

static gcast_status entry_error(const reader *r, size_t i, const char *key, const char *message)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%zu%s%.64s", r->path, i, *key ? "/" : "", key);
    return gcast_error_set(r->err, GCAST_INPUT, path, "%s", message);
}

/* A whole number that must be there, unless *v is one already. */
static gcast_status read_number(const reader *r, size_t i, json_t *entry, const char *key, int64_t *v)
{
    json_t *value = json_object_get(entry, key);
    if (!value && *v >= 0)
        return GCAST_OK;
    if (!value) {
        char message[64];
        snprintf(message, sizeof message, "%s is missing", key);
        return entry_error(r, i, "", message);
    }
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return entry_error(r, i, key, "must be a whole number that is not negative");
    *v = json_integer_value(value);
    return GCAST_OK;
}

/* Does the object have only these keys, and such as begin with "x-"? */
static gcast_status check_keys(const reader *r, size_t i, json_t *entry, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach(entry, key, value)
    {
        bool found = strncmp(key, "x-", 2) == 0;
        for (size_t k = 0; known[k] && !found; k++)
            found = strcmp(key, known[k]) == 0;
        if (!found)
            return entry_error(r, i, key, "unknown key");
    }
    return GCAST_OK;
}

static gcast_status read_quantile(reader *r, size_t i, json_t *entry)
{
    static const char *const keys[] = {"one_in", "ns", NULL};
    if (i == GCAST_MAX_QUANTILES)
        return entry_error(r, i, "", "the list is too long");
    gcast_quantile *q = &r->latency->quantile[r->latency->count++];
    q->one_in = q->ns = -1;
    gcast_status status = check_keys(r, i, entry, keys);
    if (status == GCAST_OK)
        status = read_number(r, i, entry, "one_in", &q->one_in);
    return status == GCAST_OK ? read_number(r, i, entry, "ns", &q->ns) : status;
}

static gcast_status read_last(reader *r, size_t i, json_t *entry, int64_t usual_ns)
{
    static const char *const keys[] = {"max_ns", "min_ns", "samples", NULL};
    gcast_latency *l = r->latency;
    l->samples = l->max_ns = -1;
    l->min_ns = usual_ns;
    gcast_status status = check_keys(r, i, entry, keys);
    if (status == GCAST_OK)
        status = read_number(r, i, entry, "max_ns", &l->max_ns);
    if (status == GCAST_OK)
        status = read_number(r, i, entry, "min_ns", &l->min_ns);
    if (status == GCAST_OK)
        status = read_number(r, i, entry, "samples", &l->samples);
    if (status == GCAST_OK && l->samples < 1)
        return entry_error(r, i, "samples", "must be from 1 to 1000000000000");
    if (status == GCAST_OK && l->min_ns > usual_ns)
        return entry_error(r, i, "min_ns", "must not be above the usual latency of the GPU");
    if (status == GCAST_OK && l->max_ns < usual_ns)
        return entry_error(r, i, "max_ns", "must not be below the usual latency of the GPU");
    return status;
}

static gcast_status read_list(json_t *object, const char *path, const char *key, int64_t usual_ns,
                              gcast_latency *latency, gcast_error *err)
{
    reader r = {.latency = latency, .err = err};
    json_t *list = json_object_get(object, key), *entry;
    snprintf(r.path, sizeof r.path, "%.200s/%s", path, key);
    if (!list)
        return GCAST_OK;
    size_t i, last = json_array_size(list) - 1;
    if (!json_is_array(list) || !json_array_size(list))
        return gcast_error_set(err, GCAST_INPUT, r.path, "must be a list that ends with max_ns and samples");
    json_array_foreach(list, i, entry)
    {
        if (!json_is_object(entry))
            return entry_error(&r, i, "", "must be an object");
        gcast_status status = i < last ? read_quantile(&r, i, entry) : read_last(&r, i, entry, usual_ns);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}

gcast_status quantiles_read(json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err)
{
    gcast_status status =
        read_list(object, path, "launch_quantiles", gpu->launch_latency_ns, &gpu->launch_quantiles, err);
    if (status == GCAST_OK)
        status = read_list(object, path, "copy_quantiles", gpu->copy_latency_ns, &gpu->copy_quantiles, err);
    return status;
}
