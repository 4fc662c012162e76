#include "files/gpu/sources.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/minmax.h"
#include "files/gpu/json.h"

#define MAX_KEY 64 /* no key of a GPU is as long */

static gcast_status fail(const char *path, const char *key, const char *message, gcast_error *err)
{
    char at[512];
    snprintf(at, sizeof at, "%s%s%s", path, *key ? "/" : "", key);
    return gcast_error_set(err, GCAST_INPUT, at, "%s", message);
}

/* A word that is no key, such as one with a comma, would leave the field that is meant without its source. */
static gcast_status check_fields(const char *path, const char *fields, gcast_error *err)
{
    for (const char *at = fields; *(at += strspn(at, " "));) {
        char word[MAX_KEY], message[200];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)min_i64((int64_t)length, MAX_KEY - 1), at);
        snprintf(message, sizeof message, "must be keys of a GPU with spaces between them; %.64s is none", word);
        if (length >= MAX_KEY || !gpu_is_key(word))
            return fail(path, "fields", message, err);
        at += length;
    }
    return GCAST_OK;
}

/* Keeps a text of a source. */
static gcast_status keep(const json_t *item, const char *path, const char *key, gcast_gpu *gpu, const char **kept,
                         gcast_error *err)
{
    json_t *v = json_object_get(item, key);
    char message[64];
    snprintf(message, sizeof message, "%s is missing", key);
    if (!json_is_string(v))
        return v ? fail(path, key, "must be a string", err) : fail(path, "", message, err);
    return gcast_gpu_keep_text(gpu, json_string_value(v), kept, err);
}

static gcast_status read_source(json_t *item, const char *path, gcast_gpu *gpu, gcast_source *source, gcast_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(item))
        return fail(path, "", "must be an object with fields and text", err);
    json_object_foreach(item, key, value)
    {
        char message[128];
        snprintf(message, sizeof message, "unknown key %.64s", key);
        if (strcmp(key, "fields") != 0 && strcmp(key, "text") != 0 && strncmp(key, "x-", 2) != 0)
            return fail(path, key, message, err);
    }
    gcast_status status = keep(item, path, "fields", gpu, &source->fields, err);
    if (status == GCAST_OK)
        status = check_fields(path, source->fields, err);
    return status == GCAST_OK ? keep(item, path, "text", gpu, &source->text, err) : status;
}

gcast_status sources_read(const json_t *object, const char *path, gcast_gpu *gpu, gcast_error *err)
{
    json_t *list = json_object_get(object, "sources"), *item;
    if (!list)
        return GCAST_OK;
    if (!json_is_array(list))
        return fail(path, "sources", "must be a list", err);
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
