/* Reads and writes launches as gridcast.launch/1, which docs/formats.md describes. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/compare.h"
#include "base/text.h"
#include "files/document.h"
#include "files/source.h"
#include "gridcast/plan.h"
#include "gridcast/read.h"
#include "model/launch_file.h"
#include "model/workload/workload.h"

#define SCHEMA "gridcast.launch/1"
#define MAX_THREADS 1024
#define MAX_SHARED_BYTES (1 << 20)
#define MAX_REGISTERS 255

typedef struct owned_launch {
    gcast_launch_file launch; /* what the caller gets */
    arena memory;             /* holds its texts and arrays */
} owned_launch;

static const char *keep(owned_launch *o, const node *n, const char *words)
{
    const char *copy = arena_strdup(&o->memory, words);
    if (!copy)
        node_fail_memory(n);
    return copy;
}

/* Memory for the values of an array; NULL: there are none, or there is no memory. */
static void *keep_array(owned_launch *o, const node *n, size_t count, size_t size)
{
    if (n->doc->status != GCAST_OK || count == 0)
        return NULL;
    void *array = arena_alloc_array(&o->memory, count, size);
    if (!array)
        node_fail_memory(n);
    return array;
}

/* Reads a number for x, or an array of one to three. */
static void read_dimensions(const node *n, const uint32_t max[3], uint32_t out[3])
{
    bool is_array = json_is_array(n->value);
    size_t count = is_array ? json_array_size(n->value) : 1;
    out[0] = out[1] = out[2] = 1;
    if (count < 1 || count > 3) {
        node_fail(n, "must be a number or an array of one to three");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        node item = is_array ? node_item(n, i) : *n;
        out[i] = (uint32_t)node_int(&item, 1, max[i]);
    }
}

static void read_shape(gcast_launch_file *l, const node *root)
{
    static const uint32_t max_grid[3] = {INT32_MAX, 65535, 65535}, max_block[3] = {MAX_THREADS, MAX_THREADS, 64};
    node grid = node_key(root, "grid"), block = node_key(root, "block");
    read_dimensions(&grid, max_grid, l->grid);
    read_dimensions(&block, max_block, l->block);
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    if (threads > MAX_THREADS)
        node_fail(&block, "has %llu threads; %d is the most", (unsigned long long)threads, MAX_THREADS);
    l->shared_bytes = (uint32_t)get_int_or(root, "shared", 0, MAX_SHARED_BYTES, 0);
    l->registers = (uint32_t)get_int_or(root, "registers", 1, MAX_REGISTERS, 0);
}

static void read_args(owned_launch *o, const node *root)
{
    node n = node_key(root, "args");
    size_t count = node_count(&n);
    const char **args = keep_array(o, &n, count, sizeof *args);
    for (size_t i = 0; i < count && n.doc->status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        args[i] = keep(o, &item, node_text(&item));
        if (args[i] && !*args[i])
            node_fail(&item, "must not be empty");
    }
    o->launch.args = args;
    o->launch.arg_count = count;
}

static void read_job_ns(owned_launch *o, const node *root)
{
    node n = node_key(root, "job_ns");
    size_t count = n.value ? node_count(&n) : 0;
    int64_t *ns = keep_array(o, &n, count, sizeof *ns);
    for (size_t i = 0; i < count && n.doc->status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        ns[i] = node_int(&item, 1, WORKLOAD_MAX_NS);
    }
    o->launch.job_ns = ns;
    o->launch.job_ns_count = count;
}

/* A key for sorting: workers, SMs, and the index of a time, of which a file has fewer than 2^32. */
static uint64_t time_key(const gcast_launch_time *t, size_t index)
{
    return (uint64_t)t->workers << 45 | (uint64_t)t->sms << 32 | index;
}

/* Sets an error if two times have the same workers and SMs. */
static void check_times(const node *n, const gcast_launch_time *times, size_t count)
{
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    if (!keys) {
        node_fail_memory(n);
        return;
    }
    for (size_t i = 0; i < count; i++)
        keys[i] = time_key(&times[i], i);
    qsort(keys, count, sizeof *keys, compare_u64);
    for (size_t i = 1; i < count; i++)
        if (keys[i] >> 32 == keys[i - 1] >> 32) {
            node item = node_item(n, (uint32_t)keys[i]);
            node_fail(&item, "workers and sms are those of /times/%u", (uint32_t)keys[i - 1]);
        }
    free(keys);
}

static void read_times(owned_launch *o, const node *root)
{
    static const char *const keys[] = {"workers", "sms", "ns", NULL};
    node n = node_key(root, "times");
    size_t count = n.value ? node_count(&n) : 0;
    gcast_launch_time *times = keep_array(o, &n, count, sizeof *times);
    for (size_t i = 0; i < count && n.doc->status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        node_known(&item, keys);
        times[i].workers = (uint32_t)get_int(&item, "workers", 1, GCAST_PLAN_MAX_WORKERS);
        times[i].sms = (uint32_t)get_int(&item, "sms", 1, GCAST_PLAN_MAX_SMS);
        times[i].ns = get_int(&item, "ns", 1, WORKLOAD_MAX_NS);
    }
    if (n.doc->status == GCAST_OK && count)
        check_times(&n, times, count);
    o->launch.times = times;
    o->launch.time_count = count;
}

static void read_names(owned_launch *o, const node *root)
{
    gcast_launch_file *l = &o->launch;
    node ptx_node = node_key(root, "ptx");
    const char *given_ptx = get_name(root, "ptx"), *slash = strrchr(given_ptx, '/');
    const char *name = slash && slash[1] ? slash + 1 : given_ptx;
    if (strcmp(given_ptx, "-") == 0)
        node_fail(&ptx_node, "must be the path of a file");
    char *ptx = path_beside(root->doc->file, given_ptx);
    if (ptx)
        l->ptx = keep(o, root, ptx);
    else
        node_fail_memory(root);
    free(ptx);
    if (node_key(root, "kernel").value)
        name = l->kernel = keep(o, root, get_name(root, "kernel"));
    if (node_key(root, "name").value)
        name = get_name(root, "name");
    if (name)
        l->name = keep(o, root, name);
    l->file = keep(o, root, root->doc->file);
}

static void read_root(owned_launch *o, document *doc)
{
    static const char *const keys[] = {"schema", "name",      "ptx",  "kernel", "grid",  "block",
                                       "shared", "registers", "args", "job_ns", "times", NULL};
    node root = document_root(doc), schema = node_key(&root, "schema");
    if (strcmp(node_text(&schema), SCHEMA) != 0)
        node_fail(&schema, "must be \"" SCHEMA "\"");
    node_known(&root, keys);
    if (doc->status != GCAST_OK)
        return;
    read_names(o, &root);
    read_shape(&o->launch, &root);
    read_args(o, &root);
    read_job_ns(o, &root);
    read_times(o, &root);
}

gcast_status gcast_launch_file_read(const char *bytes, size_t size, const char *file, gcast_launch_file **out,
                                    gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!bytes || !file || !out)
        return argument_missing(err);
    document doc;
    owned_launch *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->launch.memory = o;
    gcast_status status = document_open(&doc, bytes, size, file, err);
    if (status == GCAST_OK) {
        read_root(o, &doc);
        status = doc.status;
    }
    document_close(&doc);
    if (status == GCAST_OK)
        *out = &o->launch;
    else
        gcast_launch_file_free(&o->launch);
    return status;
}

gcast_status gcast_launch_file_load(const char *path, gcast_launch_file **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!path || !out)
        return argument_missing(err);
    char *bytes;
    size_t size;
    gcast_status status = gcast_file_read(path, &bytes, &size, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_launch_file_read(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, out, err);
    free(bytes);
    return status;
}

void gcast_launch_file_free(gcast_launch_file *launch)
{
    if (!launch)
        return;
    owned_launch *o = launch->memory;
    arena_free(&o->memory);
    free(o);
}

static void write_dimensions(text *t, const char *key, const uint32_t d[3])
{
    text_printf(t, ",\n  \"%s\": [%u, %u, %u]", key, d[0], d[1], d[2]);
}

static void write_args(text *t, const gcast_launch_file *l)
{
    text_str(t, ",\n  \"args\": [");
    for (size_t i = 0; i < l->arg_count; i++) {
        text_str(t, i ? ",\n    " : "\n    ");
        text_json(t, l->args[i]);
    }
    text_str(t, l->arg_count ? "\n  ]" : "]");
}

static void write_job_ns(text *t, const gcast_launch_file *l)
{
    if (!l->job_ns_count)
        return;
    text_str(t, ",\n  \"job_ns\": [");
    for (size_t i = 0; i < l->job_ns_count; i++) {
        text_str(t, i ? ", " : "");
        text_int(t, l->job_ns[i]);
    }
    text_char(t, ']');
}

static void write_times(text *t, const gcast_launch_file *l)
{
    if (!l->time_count)
        return;
    text_str(t, ",\n  \"times\": [");
    for (size_t i = 0; i < l->time_count; i++) {
        const gcast_launch_time *time = &l->times[i];
        text_printf(t, "%s\n    {\"workers\": %u, \"sms\": %u, \"ns\": %lld}", i ? "," : "", time->workers, time->sms,
                    (long long)time->ns);
    }
    text_str(t, "\n  ]");
}

static void write_name(text *t, const char *key, const char *name)
{
    if (!name)
        return;
    text_printf(t, ",\n  \"%s\": ", key);
    text_json(t, name);
}

static bool has_all_arrays(const gcast_launch_file *l)
{
    if ((l->arg_count && !l->args) || (l->job_ns_count && !l->job_ns) || (l->time_count && !l->times))
        return false;
    for (size_t i = 0; i < l->arg_count; i++)
        if (!l->args[i])
            return false;
    return true;
}

gcast_status gcast_launch_file_write(const gcast_launch_file *launch, char **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!launch || !out || !has_all_arrays(launch))
        return argument_missing(err);
    text t;
    size_t size;
    text_open(&t, NULL, NULL);
    text_str(&t, "{\n  \"schema\": \"gridcast.launch/1\"");
    write_name(&t, "name", launch->name);
    write_name(&t, "ptx", launch->ptx);
    write_name(&t, "kernel", launch->kernel);
    write_dimensions(&t, "grid", launch->grid);
    write_dimensions(&t, "block", launch->block);
    if (launch->shared_bytes)
        text_printf(&t, ",\n  \"shared\": %u", launch->shared_bytes);
    if (launch->registers)
        text_printf(&t, ",\n  \"registers\": %u", launch->registers);
    write_args(&t, launch);
    write_job_ns(&t, launch);
    write_times(&t, launch);
    text_str(&t, "\n}\n");
    *out = text_take(&t, &size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}
