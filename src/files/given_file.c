#include "files/given_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "files/document.h"
#include "files/workload/native_reader.h"
#include "gridcast/read.h"
#include "model/system_given.h"

#define SCHEMA "gridcast.amalthea/1"
#define MAX_TIME_NS INT64_C(86400000000000) /* a day, the limit of a system */
#define MAX_TICK_PS INT64_C(1000000000000)  /* a second */

typedef struct given_reader {
    document doc;
    sys_given *g; /* the result so far */
} given_reader;

/* A time such as "1.5ms", or a whole number of nanoseconds; up to a day. */
static int64_t read_time(const node *n)
{
    int64_t ns = 0;
    if (json_is_string(n->value) && !units_parse_time(node_text(n), &ns))
        node_fail(n, "must be a time such as 20ns, 2.5us or 1ms");
    else if (!json_is_string(n->value))
        ns = node_int(n, 0, MAX_TIME_NS);
    if (ns > MAX_TIME_NS)
        node_fail(n, "must be at most a day");
    return n->doc->status == GCAST_OK ? ns : 0;
}

/* A time, or its minimum and maximum: ["1ms", "2ms"]. */
static sys_range read_range(const node *n)
{
    sys_range r;
    if (!json_is_array(n->value)) {
        r.min_ns = r.max_ns = read_time(n);
        return r;
    }
    node least = node_item(n, 0), most = node_item(n, 1);
    if (json_array_size(n->value) != 2) {
        node_fail(n, "must be a time, or the least and the most");
        return (sys_range){0, 0};
    }
    r.min_ns = read_time(&least);
    r.max_ns = read_time(&most);
    if (r.max_ns < r.min_ns)
        node_fail(n, "the least is larger than the most");
    return n->doc->status == GCAST_OK ? r : (sys_range){0, 0};
}

/* A time such as "500ps" in picoseconds, at least one. */
static int64_t read_tick(const node *n)
{
    int64_t ps = 0;
    if (json_is_string(n->value) && !units_parse_picoseconds(node_text(n), &ps))
        node_fail(n, "must be a time such as 500ps, 1ns or 1ms");
    else if (!json_is_string(n->value))
        ps = node_int(n, 0, MAX_TICK_PS / 1000) * 1000;
    if (ps < 1 || ps > MAX_TICK_PS)
        node_fail(n, "must be from 1ps to 1s");
    return n->doc->status == GCAST_OK ? ps : 0;
}

/* Parses a size. "8K" is 8 KiB, as in a GPU's string. */
static bool parse_size(const char *text, int64_t *bytes)
{
    char number[24];
    size_t length = strlen(text);
    if (!length || text[length - 1] != 'K' || length >= sizeof number)
        return units_parse_size(text, bytes);
    snprintf(number, sizeof number, "%.*s", (int)(length - 1), text);
    return units_parse_size(number, bytes) && checked_mul(*bytes, 1024, bytes);
}

/* A size such as "8KiB" or "8K", or a whole number of bytes. */
static int64_t read_size(const node *n)
{
    int64_t bytes = 0;
    if (!json_is_string(n->value))
        return node_int(n, 0, INT32_MAX);
    if (!parse_size(node_text(n), &bytes))
        node_fail(n, "must be a size such as 512B or 8KiB");
    else if (bytes > INT32_MAX)
        node_fail(n, "must be below 2GiB");
    return n->doc->status == GCAST_OK ? bytes : 0;
}

/* Zeroed memory of the result, for `count` elements; NULL after an error, which the document keeps. */
static void *new_array(given_reader *r, const node *n, size_t count, size_t size)
{
    void *at = arena_alloc_array(&r->g->memory, count ? count : 1, size);
    if (!at)
        node_fail_memory(n);
    return at;
}

/* A copy of text that outlives the document, never NULL. */
static const char *keep_text(given_reader *r, const node *n, const char *text)
{
    const char *copy = arena_strdup(&r->g->memory, text);
    if (!copy)
        node_fail_memory(n);
    return copy ? copy : "";
}

static void read_shape(const node *n, sys_given_kernel *k)
{
    static const char *const keys[] = {"grid", "block", "registers", "shared", "ticks", "priority", NULL};
    static const char *const ticks[] = {"kernel", "block", NULL}; /* in the order of sys_ticks */
    node shared = node_key(n, "shared");
    node_known(n, keys);
    native_dimensions(n, "grid", INT64_MAX, "blocks: there must be fewer than 2^63", k->grid);
    native_dimensions(n, "block", INT32_MAX, "threads: there must be fewer than 2^31", k->block);
    k->registers = (int)get_int_or(n, "registers", 0, INT32_MAX, -1);
    k->shared_bytes = shared.value ? read_size(&shared) : 0;
    k->ticks = (sys_ticks)native_choice(n, "ticks", ticks, SYS_TICKS_OF_KERNEL);
    k->has_priority = node_key(n, "priority").value;
    k->priority = (int)get_int_or(n, "priority", -1000, 1000, 0);
}

static void read_kernels(given_reader *r, const node *root)
{
    static const char *const words[] = {"fill", NULL};
    const char *key;
    json_t *value;
    node n = node_key(root, "kernels");
    if (!n.value || !node_is_object(&n))
        return;
    sys_given_kernel *k = new_array(r, &n, json_object_size(n.value), sizeof *k);
    if (!k)
        return;
    r->g->kernels = k;
    json_object_foreach(n.value, key, value)
    {
        node entry = node_key(&n, key);
        *k = (sys_given_kernel){.runnable = keep_text(r, &n, key), .grid = {1, 1, 1}, .block = {1, 1, 1}};
        k->registers = -1;
        k->fills = json_is_string(value);
        if (k->fills)
            node_choice(&entry, words);
        else
            read_shape(&entry, k);
        k++;
    }
    r->g->kernel_count = json_object_size(n.value);
}

/* Access times of a kind of processing unit: one range for reads and writes, or one each. */
static void read_access(const node *n, sys_given_access *a)
{
    static const char *const keys[] = {"read", "write", NULL};
    if (!json_is_object(n->value)) {
        a->read = a->write = read_range(n);
        return;
    }
    node_known(n, keys);
    node read = node_key(n, "read"), write = node_key(n, "write");
    if (!read.value || !write.value) {
        node_fail(n, "%s is missing", read.value ? "write" : "read");
        return;
    }
    a->read = read_range(&read);
    a->write = read_range(&write);
}

static void read_accesses(given_reader *r, const node *memory)
{
    const char *key;
    json_t *value;
    node n = node_key(memory, "access");
    if (!n.value || !node_is_object(&n))
        return;
    sys_given_access *a = new_array(r, &n, json_object_size(n.value), sizeof *a);
    if (!a)
        return;
    r->g->accesses = a;
    json_object_foreach(n.value, key, value)
    {
        node entry = node_key(&n, key);
        a->kind = keep_text(r, &n, key);
        read_access(&entry, a++);
    }
    r->g->access_count = json_object_size(n.value);
}

static void read_memory(given_reader *r, const node *root)
{
    static const char *const keys[] = {"line", "lines", "access", NULL};
    static const char *const lines[] = {"ceil", "floor+1", NULL};
    node n = node_key(root, "memory");
    if (!n.value)
        return;
    node_known(&n, keys);
    r->g->line_bytes = get_int_or(&n, "line", 1, 1 << 20, 0);
    r->g->lines_plus_one = native_choice(&n, "lines", lines, 0) == 1;
    read_accesses(r, &n);
}

static void read_task(given_reader *r, const node *n, sys_given_task *t)
{
    static const char *const keys[] = {"core", "priority", "wait", "deadline", "extra", NULL};
    static const char *const waits[] = {"busy", "suspend", NULL};
    node core = node_key(n, "core"), priority = node_key(n, "priority"), wait = node_key(n, "wait");
    node deadline = node_key(n, "deadline"), extra = node_key(n, "extra");
    node_known(n, keys);
    t->core = core.value ? keep_text(r, &core, get_name(n, "core")) : NULL;
    t->has_priority = priority.value;
    t->priority = priority.value ? node_int(&priority, INT32_MIN, INT32_MAX) : 0;
    t->has_busy = wait.value;
    t->busy = wait.value && node_choice(&wait, waits) == 0;
    t->deadline_ns = deadline.value ? read_time(&deadline) : -1;
    if (extra.value)
        t->extra = read_range(&extra);
}

static void read_tasks(given_reader *r, const node *root)
{
    const char *key;
    json_t *value;
    node n = node_key(root, "tasks");
    if (!n.value || !node_is_object(&n))
        return;
    sys_given_task *t = new_array(r, &n, json_object_size(n.value), sizeof *t);
    if (!t)
        return;
    r->g->tasks = t;
    json_object_foreach(n.value, key, value)
    {
        node entry = node_key(&n, key);
        t->name = keep_text(r, &n, key);
        read_task(r, &entry, t++);
    }
    r->g->task_count = json_object_size(n.value);
}

static void read_chain(given_reader *r, const node *n, sys_given_chain *c)
{
    static const char *const keys[] = {"name", "tasks", "reaction", "age", NULL};
    node_known(n, keys);
    node tasks = node_key(n, "tasks"), reaction = node_key(n, "reaction"), age = node_key(n, "age");
    size_t count = node_count(&tasks);
    c->name = keep_text(r, n, get_name(n, "name"));
    c->reaction_ns = reaction.value ? read_time(&reaction) : 0;
    c->age_ns = age.value ? read_time(&age) : 0;
    if (r->doc.status == GCAST_OK && count < 1)
        node_fail(&tasks, "must name at least one task");
    const char **names = r->doc.status == GCAST_OK ? new_array(r, &tasks, count, sizeof *names) : NULL;
    for (size_t i = 0; names && i < count; i++) {
        node name = node_item(&tasks, i);
        names[i] = keep_text(r, &name, node_text(&name));
    }
    c->tasks = names;
    c->task_count = count;
}

static void read_chains(given_reader *r, const node *root)
{
    node n = node_key(root, "chains");
    size_t count = n.value ? node_count(&n) : 0;
    sys_given_chain *c = count ? new_array(r, &n, count, sizeof *c) : NULL;
    for (size_t i = 0; c && i < count && r->doc.status == GCAST_OK; i++) {
        node entry = node_item(&n, i);
        read_chain(r, &entry, &c[i]);
    }
    r->g->chains = c;
    r->g->chain_count = c ? count : 0;
}

static void read_gpu(given_reader *r, const node *root)
{
    static const char *const keys[] = {"sharing", "switch", NULL};
    static const char *const sharings[] = {"streams", "slices", NULL}; /* in the order of sys_sharing */
    node n = node_key(root, "gpu");
    if (!n.value)
        return;
    node_known(&n, keys);
    node sharing = node_key(&n, "sharing"), change = node_key(&n, "switch");
    r->g->has_sharing = sharing.value;
    r->g->sharing = (sys_sharing)native_choice(&n, "sharing", sharings, SYS_ONE_CONTEXT);
    if (change.value)
        r->g->switch_ns = read_time(&change);
}

static void read_root(given_reader *r)
{
    static const char *const keys[] = {"schema", "kernels",    "memory", "tasks", "chains",
                                       "gpu",    "priorities", "tick",   NULL};
    static const char *const priorities[] = {"model", "rate-monotonic", NULL};
    node root = document_root(&r->doc), schema = node_key(&root, "schema"), tick = node_key(&root, "tick");
    if (strcmp(node_text(&schema), SCHEMA) != 0)
        node_fail(&schema, "must be \"" SCHEMA "\"");
    node_known(&root, keys);
    read_kernels(r, &root);
    read_memory(r, &root);
    read_tasks(r, &root);
    read_chains(r, &root);
    read_gpu(r, &root);
    r->g->rate_monotonic = native_choice(&root, "priorities", priorities, 0) == 1;
    r->g->tick_ps = tick.value ? read_tick(&tick) : 0;
}

gcast_status given_read(const char *text, size_t size, const char *file, sys_given **g, gcast_error *err)
{
    gcast_error own;
    given_reader r = {.g = given_create()};
    *g = NULL;
    if (!r.g)
        return gcast_error_set_memory(err);
    if (document_open(&r.doc, text, size, file, err ? err : &own) == GCAST_OK) {
        node root = document_root(&r.doc);
        r.g->file = keep_text(&r, &root, file);
        read_root(&r);
    }
    document_close(&r.doc);
    if (r.doc.status == GCAST_OK)
        *g = r.g;
    else
        given_free(r.g);
    return r.doc.status;
}

gcast_status given_load(const char *path, sys_given **g, gcast_error *err)
{
    char *text;
    size_t size;
    *g = NULL;
    gcast_status status = gcast_file_read(path, &text, &size, err);
    if (status != GCAST_OK)
        return status;
    status = given_read(text, size, path, g, err);
    free(text);
    return status;
}
