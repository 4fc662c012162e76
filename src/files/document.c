#include "files/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "files/json_text.h"
#include "model/workload/workload.h"

static bool is_blank(const char *text, size_t size)
{
    while (size && strchr(" \t\r\n", text[size - 1]) && text[size - 1])
        size--;
    return size == 0;
}

gcast_status document_open(document *d, const char *text, size_t size, const char *file, gcast_error *err)
{
    *d = (document){.file = file, .err = err};
    node root = document_root(d);
    if (is_blank(text, size))
        return node_fail(&root, "the file is empty");
    d->status = json_parse(text, size, &d->root, err);
    if (d->status != GCAST_OK) {
        if (err)
            snprintf(err->file, sizeof err->file, "%s", file);
        return d->status;
    }
    root = document_root(d);
    if (!json_is_object(d->root))
        return node_fail(&root, "must be a JSON object");
    return GCAST_OK;
}

void document_close(document *d)
{
    json_decref(d->root);
    d->root = NULL;
}

node document_root(document *d)
{
    return (node){.doc = d, .value = d->root};
}

size_t node_path(const node *n, char *out, size_t size)
{
    if (!n->up)
        return 0;
    size_t used = node_path(n->up, out, size);
    int more =
        n->key ? snprintf(out + used, size - used, "/%s", n->key) : snprintf(out + used, size - used, "/%zu", n->index);
    used += more > 0 ? (size_t)more : 0;
    return used < size ? used : size - 1;
}

gcast_status node_fail(const node *n, const char *format, ...)
{
    document *d = n->doc;
    if (d->status != GCAST_OK)
        return d->status;
    char path[256] = "", message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    node_path(n, path, sizeof path);
    d->status = gcast_error_set(d->err, GCAST_INPUT, path, "%s", message);
    if (d->err)
        snprintf(d->err->file, sizeof d->err->file, "%s", d->file);
    return d->status;
}

gcast_status node_fail_as(const node *n, gcast_status status)
{
    document *d = n->doc;
    if (d->status != GCAST_OK)
        return d->status;
    d->status = status;
    if (d->err && status == GCAST_INPUT) {
        if (!d->err->path[0])
            node_path(n, d->err->path, sizeof d->err->path);
        snprintf(d->err->file, sizeof d->err->file, "%s", d->file);
    }
    return status;
}

gcast_status node_fail_inside(const node *n, gcast_status status)
{
    gcast_error *err = n->doc->err;
    if (n->doc->status == GCAST_OK && err && status == GCAST_INPUT) {
        char path[sizeof err->path] = "";
        size_t length = node_path(n, path, sizeof path);
        snprintf(path + length, sizeof path - length, "%s", err->path);
        memcpy(err->path, path, sizeof path);
    }
    return node_fail_as(n, status);
}

void node_fail_memory(const node *n)
{
    node_fail_as(n, gcast_error_set_memory(n->doc->err));
}

node node_key(const node *object, const char *key)
{
    json_t *value = json_object_get(object->value, key);
    return (node){.doc = object->doc, .value = value, .up = object, .key = key};
}

node node_item(const node *array, size_t i)
{
    json_t *value = json_array_get(array->value, i);
    return (node){.doc = array->doc, .value = value, .up = array, .index = i};
}

/* Sets an error if the value is missing, or not of the right type, whose name is `type`. */
static bool check_type(const node *n, bool right, const char *type)
{
    if (!n->value && n->up && n->key)
        node_fail(n->up, "%s is missing", n->key);
    else if (!right)
        node_fail(n, "must be %s", type);
    return n->value && right;
}

bool node_is_object(const node *n)
{
    return check_type(n, json_is_object(n->value), "an object");
}

size_t node_count(const node *n)
{
    return check_type(n, json_is_array(n->value), "an array") ? json_array_size(n->value) : 0;
}

int64_t node_int(const node *n, int64_t lo, int64_t hi)
{
    int64_t v = json_integer_value(n->value);
    bool is_whole = json_is_integer(n->value);
    if (n->doc->examiner && json_is_real(n->value)) {
        double x = json_real_value(n->value);
        is_whole = fabs(x) <= 9007199254740992.0 && x == floor(x);
        v = is_whole ? (int64_t)x : 0;
    }
    if (!check_type(n, is_whole, "a whole number"))
        return lo;
    if (v >= lo && v <= hi)
        return v;
    if (lo == 0 && v < 0)
        node_fail(n, "must not be negative");
    else
        node_fail(n, "must be from %lld to %lld", (long long)lo, (long long)hi);
    return lo;
}

const char *node_text(const node *n)
{
    return check_type(n, json_is_string(n->value), "a string") ? json_string_value(n->value) : "";
}

bool node_bool(const node *n)
{
    return check_type(n, json_is_boolean(n->value), "true or false") && json_is_true(n->value);
}

int node_choice(const node *n, const char *const *names)
{
    const char *text = node_text(n);
    char list[200] = "";
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
        const char *separator = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        int length = snprintf(list + used, sizeof list - used, "%s%s", separator, names[i]);
        used = used + (size_t)length < sizeof list ? used + (size_t)length : sizeof list - 1;
    }
    node_fail(n, "must be %s", list);
    return 0;
}

static bool is_listed(const char *const *keys, const char *key)
{
    for (; *keys; keys++)
        if (strcmp(*keys, key) == 0)
            return true;
    return false;
}

bool node_misplaced_notes(const node *object, const char *key)
{
    if (strcmp(key, "x-notes") != 0 || object->value == document_root(object->doc).value)
        return false;
    node n = node_key(object, key);
    node_fail(&n, "x-notes must be at the top of a file, beside schema");
    return true;
}

void node_known(const node *object, const char *const *keys)
{
    const char *key;
    json_t *value;
    if (!node_is_object(object))
        return;
    json_object_foreach(object->value, key, value)
    {
        if (node_misplaced_notes(object, key))
            return;
        if (strncmp(key, "x-", 2) == 0 || (object->doc->examiner && strncmp(key, "comment", 7) == 0) ||
            is_listed(keys, key))
            continue;
        node n = node_key(object, key);
        node_fail(&n, "unknown key %s", key);
        return;
    }
}

int64_t get_int(const node *object, const char *key, int64_t lo, int64_t hi)
{
    node n = node_key(object, key);
    return node_int(&n, lo, hi);
}

int64_t get_int_or(const node *object, const char *key, int64_t lo, int64_t hi, int64_t missing)
{
    node n = node_key(object, key);
    return n.value ? node_int(&n, lo, hi) : missing;
}

const char *get_text(const node *object, const char *key)
{
    node n = node_key(object, key);
    return node_text(&n);
}

const char *get_text_or(const node *object, const char *key, const char *missing)
{
    node n = node_key(object, key);
    return n.value ? node_text(&n) : missing;
}

const char *get_name(const node *object, const char *key)
{
    node n = node_key(object, key);
    const char *text = node_text(&n);
    if (!*text)
        node_fail(&n, "must not be empty");
    return text;
}

bool get_bool_or(const node *object, const char *key, bool missing)
{
    node n = node_key(object, key);
    return n.value ? node_bool(&n) : missing;
}

int64_t get_seconds_or(const node *object, const char *key, int64_t missing)
{
    node n = node_key(object, key);
    if (!n.value)
        return missing;
    double s = json_number_value(n.value);
    if (!json_is_number(n.value))
        node_fail(&n, "must be a number of seconds");
    else if (s < 0)
        node_fail(&n, "must not be negative");
    else if (s * 1e9 >= (double)WORKLOAD_MAX_NS)
        node_fail(&n, "more seconds than 2^61 nanoseconds");
    else
        return llround(s * 1e9);
    return missing;
}
