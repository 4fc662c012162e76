/* Reads and writes gridcast.gpu/1: an object with name, cc and sms, and all other known properties. Missing limits are
 * those of the compute capability, reduced to what an SM has; other missing numbers are those of gcast_gpu_create. */
#include "files/gpu_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/integers.h"
#include "base/text.h"
#include "files/gpu_string.h"
#include "files/json_text.h"
#include "gridcast/gpu.h"
#include "gridcast/names.h"
#include "gridcast/read.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"

#define SCHEMA "gridcast.gpu/1"
#define MAX_KEY 64 /* longer than every key of a GPU */

/* The list `gpcs`, while it is read. */
typedef struct gpc_reader {
    char path[512]; /* path of the list */
    int sizes[GCAST_MAX_SMS];
    int list[GCAST_MAX_SMS];
    int gpcs; /* count of sizes[] */
    int sms;  /* count of list[] */
    gcast_error *err;
} gpc_reader;

static gcast_status gpc_error(const gpc_reader *r, size_t gpc, const char *message)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%zu", r->path, gpc);
    return gcast_error_set(r->err, GCAST_INPUT, path, "%s", message);
}

static gcast_status read_gpc(gpc_reader *r, size_t gpc, json_t *sms)
{
    size_t i;
    json_t *v;
    if (!json_is_array(sms) || !json_array_size(sms))
        return gpc_error(r, gpc, "must be a list of SMs");
    json_array_foreach(sms, i, v)
    {
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) >= GCAST_MAX_SMS)
            return gpc_error(r, gpc, "must be a list of numbers of SMs");
        if (r->sms == GCAST_MAX_SMS)
            return gpc_error(r, gpc, "the list is too long");
        r->list[r->sms++] = (int)json_integer_value(v);
    }
    r->sizes[r->gpcs++] = (int)json_array_size(sms);
    return GCAST_OK;
}

/* Reads `gpcs`, the SMs that share a GPC, of a GPU whose numbers have been read. `path` is the path of the object. */
static gcast_status read_gpcs(json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err)
{
    json_t *gpcs = json_object_get(object, "gpcs"), *sms;
    gpc_reader r = {.err = err};
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

/* Measured latencies of calls, in a list such as [{"one_in": 100, "ns": 18200}, {"max_ns": 84300, "samples": 50000}]:
 * one call in a hundred takes longer than 18.2 microseconds. The last entry also has min_ns, if that is not the usual
 * latency. */
typedef struct quantile_reader {
    char path[300]; /* path of the list */
    gcast_latency *latency;
    gcast_error *err;
} quantile_reader;

static gcast_status quantile_error(const quantile_reader *r, size_t i, const char *key, const char *message)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%zu%s%.64s", r->path, i, *key ? "/" : "", key);
    return gcast_error_set(r->err, GCAST_INPUT, path, "%s", message);
}

/* Reads a whole number. It must be present unless *v is set already. */
static gcast_status read_quantile_number(const quantile_reader *r, size_t i, json_t *entry, const char *key, int64_t *v)
{
    json_t *value = json_object_get(entry, key);
    if (!value && *v >= 0)
        return GCAST_OK;
    if (!value) {
        char message[64];
        snprintf(message, sizeof message, "%s is missing", key);
        return quantile_error(r, i, "", message);
    }
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return quantile_error(r, i, key, "must be a whole number that is not negative");
    *v = json_integer_value(value);
    return GCAST_OK;
}

/* Sets an error if the object has other keys than these and those that begin with "x-". */
static gcast_status check_quantile_keys(const quantile_reader *r, size_t i, json_t *entry, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach(entry, key, value)
    {
        bool found = strncmp(key, "x-", 2) == 0;
        for (size_t k = 0; known[k] && !found; k++)
            found = strcmp(key, known[k]) == 0;
        if (!found)
            return quantile_error(r, i, key, "unknown key");
    }
    return GCAST_OK;
}

static gcast_status read_quantile(quantile_reader *r, size_t i, json_t *entry)
{
    static const char *const keys[] = {"one_in", "ns", NULL};
    if (i == GCAST_MAX_QUANTILES)
        return quantile_error(r, i, "", "the list is too long");
    gcast_quantile *q = &r->latency->quantile[r->latency->count++];
    q->one_in = q->ns = -1;
    gcast_status status = check_quantile_keys(r, i, entry, keys);
    if (status == GCAST_OK)
        status = read_quantile_number(r, i, entry, "one_in", &q->one_in);
    return status == GCAST_OK ? read_quantile_number(r, i, entry, "ns", &q->ns) : status;
}

static gcast_status read_last_quantile(quantile_reader *r, size_t i, json_t *entry, int64_t usual_ns)
{
    static const char *const keys[] = {"max_ns", "min_ns", "samples", NULL};
    gcast_latency *l = r->latency;
    l->samples = l->max_ns = -1;
    l->min_ns = usual_ns;
    gcast_status status = check_quantile_keys(r, i, entry, keys);
    if (status == GCAST_OK)
        status = read_quantile_number(r, i, entry, "max_ns", &l->max_ns);
    if (status == GCAST_OK)
        status = read_quantile_number(r, i, entry, "min_ns", &l->min_ns);
    if (status == GCAST_OK)
        status = read_quantile_number(r, i, entry, "samples", &l->samples);
    if (status == GCAST_OK && l->samples < 1)
        return quantile_error(r, i, "samples", "must be from 1 to 1000000000000");
    if (status == GCAST_OK && l->min_ns > usual_ns)
        return quantile_error(r, i, "min_ns", "must not be above the usual latency of the GPU");
    if (status == GCAST_OK && l->max_ns < usual_ns)
        return quantile_error(r, i, "max_ns", "must not be below the usual latency of the GPU");
    return status;
}

static gcast_status read_quantiles(json_t *object, const char *path, const char *key, int64_t usual_ns,
                                   gcast_latency *latency, gcast_error *err)
{
    quantile_reader r = {.latency = latency, .err = err};
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
            return quantile_error(&r, i, "", "must be an object");
        gcast_status status = i < last ? read_quantile(&r, i, entry) : read_last_quantile(&r, i, entry, usual_ns);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}

/* Reads launch_quantiles and copy_quantiles of a GPU whose numbers have been read. `path` is the path of the object. */
static gcast_status read_latencies(json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err)
{
    gcast_status status =
        read_quantiles(object, path, "launch_quantiles", gpu->launch_latency_ns, &gpu->launch_quantiles, err);
    if (status == GCAST_OK)
        status = read_quantiles(object, path, "copy_quantiles", gpu->copy_latency_ns, &gpu->copy_quantiles, err);
    return status;
}

/* Is it a key of gridcast.gpu/1? */
static bool is_key(const char *key)
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

static gcast_status source_error(const char *path, const char *key, const char *message, gcast_error *err)
{
    char at[512];
    snprintf(at, sizeof at, "%s%s%s", path, *key ? "/" : "", key);
    return gcast_error_set(err, GCAST_INPUT, at, "%s", message);
}

/* Checks the keys in `fields` of a source. An unknown word, such as one with a comma, would leave the intended field
 * without its source. */
static gcast_status check_fields(const char *path, const char *fields, gcast_error *err)
{
    for (const char *at = fields; *(at += strspn(at, " "));) {
        char word[MAX_KEY], message[200];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)min_i64((int64_t)length, MAX_KEY - 1), at);
        snprintf(message, sizeof message, "must be keys of a GPU with spaces between them; %.64s is not one", word);
        if (length >= MAX_KEY || !is_key(word))
            return source_error(path, "fields", message, err);
        at += length;
    }
    return GCAST_OK;
}

/* Reads a text of a source. */
static gcast_status keep_source_text(const json_t *item, const char *path, const char *key, gcast_gpu *gpu,
                                     const char **kept, gcast_error *err)
{
    json_t *v = json_object_get(item, key);
    char message[64];
    snprintf(message, sizeof message, "%s is missing", key);
    if (!json_is_string(v))
        return v ? source_error(path, key, "must be a string", err) : source_error(path, "", message, err);
    return gcast_gpu_keep_text(gpu, json_string_value(v), kept, err);
}

static gcast_status read_source(json_t *item, const char *path, gcast_gpu *gpu, gcast_source *source, gcast_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(item))
        return source_error(path, "", "must be an object with fields and text", err);
    json_object_foreach(item, key, value)
    {
        char message[128];
        snprintf(message, sizeof message, "unknown key %.64s", key);
        if (strcmp(key, "fields") != 0 && strcmp(key, "text") != 0 && strncmp(key, "x-", 2) != 0)
            return source_error(path, key, message, err);
    }
    gcast_status status = keep_source_text(item, path, "fields", gpu, &source->fields, err);
    if (status == GCAST_OK)
        status = check_fields(path, source->fields, err);
    return status == GCAST_OK ? keep_source_text(item, path, "text", gpu, &source->text, err) : status;
}

/* Reads `sources`, the origin of numbers of the GPU. `path` is the path of the object. */
static gcast_status read_sources(const json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err)
{
    json_t *list = json_object_get(object, "sources"), *item;
    if (!list)
        return GCAST_OK;
    if (!json_is_array(list))
        return source_error(path, "sources", "must be a list", err);
    gcast_source *sources = arena_alloc_array(gpu->memory, json_array_size(list), sizeof *sources);
    if (!sources)
        return gcast_error_set_memory(err);
    size_t i;
    json_array_foreach(list, i, item)
    {
        char at[300];
        snprintf(at, sizeof at, "%.250s/sources/%zu", path, i);
        gcast_status status = read_source(item, at, gpu, &sources[i], err);
        if (status != GCAST_OK)
            return status;
    }
    gpu->sources = sources;
    gpu->source_count = json_array_size(list);
    return GCAST_OK;
}

typedef struct reader {
    json_t *object;
    const char *path; /* path of the object */
    gcast_gpu *gpu;   /* the GPU so far; NULL: not created yet */
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

/* Puts the path of the object in front of the path of an error of the model. */
static gcast_status with_path(const reader *r, gcast_status status)
{
    if (status != GCAST_OK && r->err) {
        char inner[sizeof r->err->path];
        memcpy(inner, r->err->path, sizeof inner);
        snprintf(r->err->path, sizeof r->err->path, "%.100s%.100s", r->path, inner);
    }
    return status;
}

/* A text that must be present; NULL after an error. */
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

static gcast_status check_keys(const reader *r)
{
    const char *key;
    json_t *value;
    json_object_foreach(r->object, key, value)
    {
        if (strcmp(key, "x-notes") == 0)
            return field_error(r, key, "x-notes must be at the top of a workload, beside schema");
        if (!is_key(key))
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
    if (!json_is_string(v) || !gpu_name_tie_order(r->gpu, json_string_value(v)))
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
    if (placement && (!json_is_string(placement) || !gpu_name_placement(r->gpu, json_string_value(placement))))
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
        status = read_latencies(object, path, r.gpu, err);
    if (status == GCAST_OK)
        status = read_gpcs(object, path, r.gpu, err);
    if (status == GCAST_OK)
        status = read_sources(object, path, r.gpu, err);
    if (status == GCAST_OK)
        status = with_path(&r, gcast_gpu_check(r.gpu, err));
    if (status != GCAST_OK) {
        gcast_gpu_free(r.gpu);
        return status;
    }
    *gpu = r.gpu;
    return GCAST_OK;
}

gcast_status gcast_gpu_read_json(const char *bytes, size_t size, const char *file, gcast_gpu **gpu, gcast_error *err)
{
    if (gpu)
        *gpu = NULL;
    if (!bytes || !gpu)
        return argument_missing(err);
    json_t *root;
    gcast_status status = json_parse(bytes, size, &root, err);
    if (status == GCAST_OK && json_is_object(root) && !json_object_get(root, "schema"))
        status = gcast_error_set(err, GCAST_INPUT, NULL, "schema is missing; must be " SCHEMA);
    else if (status == GCAST_OK)
        status = gpu_from_json(root, "", gpu, err);
    if (status != GCAST_OK && err)
        snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    json_decref(root);
    return status;
}

/* gcast_gpu_write_json writes every number. Reading the text gives the same GPU. */

static void write_text(text *t, const char *key, const char *value)
{
    text_printf(t, ",\n  \"%s\": ", key);
    text_json(t, value);
}

static void write_list(text *t, const char *key, const int *list, int n)
{
    text_printf(t, ",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        text_str(t, i ? ", " : "");
        text_int(t, list[i]);
    }
    text_char(t, ']');
}

static void write_gpcs(text *t, const gcast_gpu *gpu)
{
    const int *sm = gpu->gpc_sms;
    text_str(t, ",\n  \"gpcs\": [");
    for (int g = 0; g < gpu->gpc_count; g++) {
        text_str(t, g ? "], [" : "[");
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            text_printf(t, "%s%d", i ? ", " : "", *sm++);
    }
    text_str(t, "]]");
}

static void write_latency(text *t, const char *key, const gcast_latency *l)
{
    if (!l->samples)
        return;
    text_printf(t, ",\n  \"%s\": [", key);
    for (int i = 0; i < l->count; i++)
        text_printf(t, "{\"one_in\": %lld, \"ns\": %lld}, ", (long long)l->quantile[i].one_in,
                    (long long)l->quantile[i].ns);
    text_printf(t, "{\"min_ns\": %lld, \"max_ns\": %lld, \"samples\": %lld}]", (long long)l->min_ns,
                (long long)l->max_ns, (long long)l->samples);
}

static void write_sources(text *t, const gcast_gpu *gpu)
{
    text_str(t, ",\n  \"sources\": [");
    for (size_t i = 0; i < gpu->source_count; i++) {
        text_str(t, i ? ",\n    {\"fields\": " : "\n    {\"fields\": ");
        text_json(t, gpu->sources[i].fields);
        text_str(t, ", \"text\": ");
        text_json(t, gpu->sources[i].text);
        text_char(t, '}');
    }
    text_str(t, gpu->source_count ? "\n  ]" : "]");
}

gcast_status gcast_gpu_write_json(const gcast_gpu *gpu, char **out, size_t *size, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!gpu || !out)
        return argument_missing(err);
    gcast_status status = gcast_gpu_check(gpu, err);
    if (status != GCAST_OK)
        return status;
    text t;
    text_open(&t, NULL, NULL);
    text_str(&t, "{\n  \"schema\": \"gridcast.gpu/1\"");
    write_text(&t, "name", gpu->name);
    write_text(&t, "title", gpu->title);
    text_printf(&t, ",\n  \"cc\": \"%d.%d\"", gpu->limits.cc_major, gpu->limits.cc_minor);
    for (size_t i = 0; i < gpu_field_count; i++)
        text_printf(&t, ",\n  \"%s\": %lld", gpu_fields[i].key, (long long)gpu_field_get(gpu, &gpu_fields[i]));
    write_list(&t, "carveouts", gpu->limits.carveout, gpu->limits.carveouts);
    text_printf(&t, ",\n  \"register_quarters\": %s", gpu->register_quarters ? "true" : "false");
    write_text(&t, "placement", gcast_name(GCAST_NAMES_PLACEMENT, gpu->placement));
    if (gpu->tie_list)
        write_list(&t, "tie_order", gpu->tie_list, gpu->sms);
    else
        write_text(&t, "tie_order", gcast_name(GCAST_NAMES_TIE_ORDER, gpu->tie_order));
    if (gpu->reach_ns)
        write_list(&t, "reach_ns", gpu->reach_ns, gpu->sms);
    if (gpu->gpc_count)
        write_gpcs(&t, gpu);
    write_latency(&t, "launch_quantiles", &gpu->launch_quantiles);
    write_latency(&t, "copy_quantiles", &gpu->copy_quantiles);
    write_sources(&t, gpu);
    text_str(&t, "\n}\n");
    *out = text_take(&t, size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}

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

/* `name` is the name of a preset, a line that describes a GPU, or the path of a file. */
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
    char *bytes;
    size_t size;
    gcast_status status = gcast_file_read(name, &bytes, &size, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_gpu_read_json(bytes, size, name, gpu, err);
    free(bytes);
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
