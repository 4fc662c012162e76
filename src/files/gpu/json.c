/* gridcast.gpu/1: an object with name, cc and sms, and whatever else is known. Limits that are not given are those of
 * the compute capability, reduced to what an SM has; other numbers that are not given are those of gcast_gpu_create. */
#include "files/gpu/json.h"

#include <stdio.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/api/hint.h"
#include "base/arena.h"
#include "files/gpu/gpc_lists.h"
#include "files/gpu/quantiles.h"
#include "files/gpu/sources.h"
#include "files/gpu/vocabulary.h"
#include "files/json/jansson.h"
#include "gridcast/read.h"
#include "model/gpu/fields.h"

#define SCHEMA "gridcast.gpu/1"

typedef struct reader {
    json_t *object;   /* that is read */
    const char *path; /* of the object */
    gcast_gpu *gpu;   /* what is read so far; NULL: nothing */
    gcast_error *err;
} reader;

static gcast_status field_error(const reader *r, const char *key, const char *message)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", r->path, key);
    return gcast_error_set(r->err, GCAST_INPUT, path, "%s", message);
}

static gcast_status unknown(const reader *r, const char *key)
{
    char message[128];
    snprintf(message, sizeof message, "unknown key %.64s", key);
    return field_error(r, key, message);
}

static gcast_status missing(const reader *r, const char *key)
{
    return gcast_error_set(r->err, GCAST_INPUT, r->path, "%s is missing", key);
}

/* Puts the path of the object before that of an error of the model. */
static gcast_status with_path(const reader *r, gcast_status status)
{
    if (status != GCAST_OK && r->err) {
        char inner[sizeof r->err->path];
        memcpy(inner, r->err->path, sizeof inner);
        snprintf(r->err->path, sizeof r->err->path, "%.100s%.100s", r->path, inner);
    }
    return status;
}

/* A text; NULL and an error where it is none. */
static const char *text_of(const reader *r, const char *key)
{
    json_t *v = json_object_get(r->object, key);
    if (json_is_string(v))
        return json_string_value(v);
    if (v)
        field_error(r, key, "must be a string");
    else
        missing(r, key);
    return NULL;
}

bool gpu_is_key(const char *key)
{
    static const char *const other_keys[] = {
        "schema",           "name",           "title",    "cc",      "register_quarters",
        "placement",        "tie_order",      "reach_ns", "sources", "carveouts",
        "launch_quantiles", "copy_quantiles", "gpcs"};
    bool known = strncmp(key, "x-", 2) == 0 || gpu_field_bit(key) != 0;
    for (size_t i = 0; !known && i < sizeof other_keys / sizeof other_keys[0]; i++)
        known = strcmp(key, other_keys[i]) == 0;
    return known;
}

static gcast_status check_keys(const reader *r)
{
    const char *key;
    json_t *value;
    json_object_foreach(r->object, key, value)
    {
        if (strcmp(key, "x-notes") == 0)
            return field_error(r, key, "x-notes stands at the top of a workload, beside schema");
        if (!gpu_is_key(key))
            return unknown(r, key);
    }
    return GCAST_OK;
}

static gcast_status create(reader *r)
{
    int major, minor;
    const char *name = text_of(r, "name"), *cc = name ? text_of(r, "cc") : NULL;
    if (!cc)
        return GCAST_INPUT;
    if (!gpu_parse_cc(cc, &major, &minor) || !gcast_limits_find(major, minor))
        return hint_add(r->err, GCAST_HINT_CAPABILITY, field_error(r, "cc", GPU_CC_EXPECTED));
    if (!json_object_get(r->object, "sms"))
        return missing(r, "sms");
    gcast_status status = gcast_gpu_create(name, major, minor, 1, &r->gpu, r->err);
    if (status != GCAST_OK)
        return status;
    if (json_object_get(r->object, "title")) {
        const char *title = text_of(r, "title");
        if (!title)
            return GCAST_INPUT;
        return gcast_gpu_keep_text(r->gpu, title, &r->gpu->title, r->err);
    }
    return GCAST_OK;
}

static gcast_status read_numbers(reader *r, gpu_field_bits *given)
{
    for (size_t i = 0; i < gpu_field_count; i++) {
        const gpu_field *f = &gpu_fields[i];
        json_t *v = json_object_get(r->object, f->key);
        if (!v)
            continue;
        if (!json_is_integer(v))
            return field_error(r, f->key, "must be a whole number");
        if (!gpu_field_set(r->gpu, f, json_integer_value(v))) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", r->path, f->key);
            return gpu_field_range_error(f, path, json_integer_value(v), r->err);
        }
        *given |= (gpu_field_bits)1 << i;
    }
    return GCAST_OK;
}

/* Reads the *n integers of an array into list[]. */
static gcast_status read_list(const reader *r, const char *key, json_t *array, int max, int *list, int *n)
{
    *n = 0;
    size_t i;
    json_t *v;
    json_array_foreach(array, i, v)
    {
        char item[64];
        snprintf(item, sizeof item, "%s/%zu", key, i);
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > INT32_MAX)
            return field_error(r, item, "must be a whole number from 0 to 2147483647");
        if (*n == max)
            return field_error(r, item, "the list is too long");
        list[(*n)++] = (int)json_integer_value(v);
    }
    return GCAST_OK;
}

static gcast_status read_carveouts(reader *r)
{
    json_t *v = json_object_get(r->object, "carveouts");
    if (!v)
        return GCAST_OK;
    if (!json_is_array(v))
        return field_error(r, "carveouts", "must be a list of sizes");
    gcast_limits *l = &r->gpu->limits;
    return read_list(r, "carveouts", v, GCAST_MAX_CARVEOUTS, l->carveout, &l->carveouts);
}

static gcast_status read_tie_order(reader *r)
{
    json_t *v = json_object_get(r->object, "tie_order");
    if (!v)
        return GCAST_OK;
    if (json_is_array(v)) {
        int list[GCAST_MAX_SMS], n;
        gcast_status status = read_list(r, "tie_order", v, GCAST_MAX_SMS, list, &n);
        return status ? status : with_path(r, gcast_gpu_set_tie_list(r->gpu, list, n, r->err));
    }
    if (!json_is_string(v) || !gcast_tie_order_find(json_string_value(v), &r->gpu->tie_order) ||
        r->gpu->tie_order == GCAST_TIES_LIST)
        return field_error(r, "tie_order", GPU_TIES_EXPECTED);
    return GCAST_OK;
}

static gcast_status read_reach(reader *r)
{
    json_t *v = json_object_get(r->object, "reach_ns");
    int list[GCAST_MAX_SMS], n;
    if (!v)
        return GCAST_OK;
    if (!json_is_array(v))
        return field_error(r, "reach_ns", "must be a list of times, one per SM");
    gcast_status status = read_list(r, "reach_ns", v, GCAST_MAX_SMS, list, &n);
    return status ? status : with_path(r, gcast_gpu_set_reach(r->gpu, list, n, r->err));
}

static gcast_status read_choices(reader *r)
{
    json_t *quarters = json_object_get(r->object, "register_quarters");
    if (quarters && !json_is_boolean(quarters))
        return field_error(r, "register_quarters", "must be true or false");
    r->gpu->register_quarters = quarters ? json_is_true(quarters) : gpu_default_quarters(&r->gpu->limits);
    json_t *placement = json_object_get(r->object, "placement");
    if (placement &&
        (!json_is_string(placement) || !gcast_placement_find(json_string_value(placement), &r->gpu->placement)))
        return field_error(r, "placement", GPU_PLACEMENT_EXPECTED);
    gcast_status status = read_tie_order(r);
    return status ? status : read_reach(r);
}

gcast_status gpu_from_json(json_t *object, const char *path, gcast_gpu **gpu, gcast_error *err)
{
    reader r = {object, path, NULL, err};
    gpu_field_bits given = 0;
    if (!json_is_object(object))
        return gcast_error_set(err, GCAST_INPUT, path, "a GPU must be an object");
    json_t *schema = json_object_get(object, "schema");
    if (schema && (!json_is_string(schema) || strcmp(json_string_value(schema), SCHEMA) != 0))
        return field_error(&r, "schema", "must be " SCHEMA);
    gcast_status status = check_keys(&r);
    if (status == GCAST_OK)
        status = create(&r);
    if (status == GCAST_OK)
        status = read_numbers(&r, &given);
    if (status == GCAST_OK)
        status = read_carveouts(&r);
    if (status == GCAST_OK) {
        gpu_limits_complete(&r.gpu->limits, given, json_object_get(object, "carveouts") != NULL);
        status = read_choices(&r);
    }
    if (status == GCAST_OK)
        status = quantiles_read(object, path, r.gpu, err);
    if (status == GCAST_OK)
        status = gpc_lists_read(object, path, r.gpu, err);
    if (status == GCAST_OK)
        status = sources_read(object, path, r.gpu, err);
    if (status == GCAST_OK)
        status = with_path(&r, gcast_gpu_check(r.gpu, err));
    if (status != GCAST_OK) {
        gcast_gpu_free(r.gpu);
        return status;
    }
    *gpu = r.gpu;
    return GCAST_OK;
}

gcast_status gcast_gpu_read_json(const char *text, size_t size, const char *file, gcast_gpu **gpu, gcast_error *err)
{
    if (gpu)
        *gpu = NULL;
    if (!text || !gpu)
        return argument_missing(err);
    json_t *root;
    gcast_status status = json_parse(text, size, &root, err);
    if (status == GCAST_OK && json_is_object(root) && !json_object_get(root, "schema"))
        status = gcast_error_set(err, GCAST_INPUT, NULL, "schema is missing; must be " SCHEMA);
    else if (status == GCAST_OK)
        status = gpu_from_json(root, "", gpu, err);
    if (status != GCAST_OK && err)
        snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    json_decref(root);
    return status;
}
