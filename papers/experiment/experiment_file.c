/* Reads experiments from gridcast.experiment/1, which docs/formats.md describes. The ranges of values keep every
 * product of the generator within 128 bits. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/index.h"
#include "files/document.h"
#include "files/gpu_file.h"
#include "gridcast/read.h"
#include "gridcast/version.h"
#include "papers/experiment/experiment.h"
#include "papers/experiment/owned_experiment.h"

#define SCHEMA "gridcast.experiment/1"
#define MAX_TASKS 64
#define MAX_VALUES 1000
#define MAX_SETS 10000000
#define MAX_PERCENT 1000
#define MAX_PERIOD_NS INT64_C(1000000000000)
#define MAX_EXECUTIONS 1000000
#define DAY_MS INT64_C(86400000)

static const char *const generators[] = {
#define X(id, name, text) name,
    GCAST_GENERATOR_TABLE(X)
#undef X
        NULL};

static const char *const priorities[] = {
#define X(id, name, text) name,
    GCAST_PRIORITIES_TABLE(X)
#undef X
        NULL};

static const char *const root_keys[] = {"schema",
                                        "name",
                                        "gpu",
                                        "partition",
                                        "seed",
                                        "generator",
                                        "tasks",
                                        "task_permille",
                                        "utilisation_percent",
                                        "sets",
                                        "periods_ns",
                                        "grid",
                                        "block",
                                        "registers",
                                        "smem",
                                        "deadline_percent",
                                        "jitter_percent",
                                        "duration_min_percent",
                                        "priorities",
                                        "methods",
                                        "executions",
                                        "limits",
                                        NULL};

static gcast_numbers copy_numbers(owned_experiment *o, const node *n, const int64_t *at, size_t count)
{
    int64_t *copy = arena_copy(&o->memory, at, count * sizeof *at);
    if (!copy)
        node_fail_memory(n);
    return (gcast_numbers){copy, copy ? count : 0};
}

/* Reads an array of at least one number, all different. */
static gcast_numbers read_numbers(owned_experiment *o, const node *n, int64_t lo, int64_t hi)
{
    int64_t at[MAX_VALUES];
    size_t count = node_count(n);
    if (n->doc->status == GCAST_OK && (count == 0 || count > MAX_VALUES))
        node_fail(n, "must have from 1 to %d values", MAX_VALUES);
    for (size_t i = 0; i < count && n->doc->status == GCAST_OK; i++) {
        node item = node_item(n, i);
        at[i] = node_int(&item, lo, hi);
        for (size_t k = 0; k < i; k++)
            if (at[k] == at[i])
                node_fail(&item, "%lld is listed twice", (long long)at[i]);
    }
    return n->doc->status == GCAST_OK ? copy_numbers(o, n, at, count) : (gcast_numbers){0};
}

static gcast_numbers numbers_or_zero(owned_experiment *o, const node *root, const char *key, int64_t hi)
{
    static const int64_t zero = 0;
    node n = node_key(root, key);
    return n.value ? read_numbers(o, &n, 0, hi) : copy_numbers(o, root, &zero, 1);
}

/* Reads an array, or {"from": 10, "to": 100, "step": 10}. */
static void read_percents(owned_experiment *o, const node *root)
{
    static const char *const keys[] = {"from", "to", "step", NULL};
    node n = node_key(root, "utilisation_percent");
    if (!json_is_object(n.value)) {
        o->e.percents = read_numbers(o, &n, 1, MAX_PERCENT);
        return;
    }
    node_known(&n, keys);
    int64_t first = get_int(&n, "from", 1, MAX_PERCENT), last = get_int(&n, "to", first, MAX_PERCENT);
    int64_t step = get_int(&n, "step", 1, MAX_PERCENT), at[MAX_PERCENT];
    size_t count = 0;
    for (int64_t p = first; p <= last && n.doc->status == GCAST_OK; p += step)
        at[count++] = p;
    if (n.doc->status == GCAST_OK)
        o->e.percents = copy_numbers(o, &n, at, count);
}

static void read_gpu(owned_experiment *o, const node *root)
{
    static const char *const keys[] = {"sms", NULL};
    node n = node_key(root, "gpu"), partition = node_key(root, "partition");
    document *doc = root->doc;
    gcast_status status;
    if (n.value)
        o->gpu = gpu_from_node(&n);
    else
        node_fail(root, "gpu is missing");
    if (doc->status == GCAST_OK && partition.value) {
        node_known(&partition, keys);
        int sms = (int)get_int(&partition, "sms", 1, GCAST_MAX_SMS);
        if (doc->status == GCAST_OK && (status = gcast_gpu_partition(o->gpu, sms, doc->err)) != GCAST_OK)
            node_fail_as(&partition, status);
    }
    o->e.gpu = o->gpu;
}

static void read_generator(gcast_experiment *e, const node *root)
{
    static const char *const keys[] = {"min", "max", NULL};
    node n = node_key(root, "generator"), bounds = node_key(root, "task_permille");
    e->generator = (gcast_generator)node_choice(&n, generators);
    e->tasks = (int)get_int(root, "tasks", 1, MAX_TASKS);
    if (bounds.value && e->generator != GCAST_GENERATOR_DRS)
        node_fail(&bounds, "bounds of a task need the generator drs");
    if (e->generator != GCAST_GENERATOR_DRS)
        return;
    if (bounds.value)
        node_known(&bounds, keys);
    e->task_min_permille = get_int_or(&bounds, "min", 0, 10 * MAX_PERCENT, 0);
    e->task_max_permille = get_int_or(&bounds, "max", 1, 10 * MAX_PERCENT, 1000);
}

static void read_methods(gcast_experiment *e, const node *root)
{
    const char *names[GCAST_TESTS + 1] = {0};
    for (int i = 0; i < GCAST_TESTS; i++)
        names[i] = gcast_test_name(i);
    node n = node_key(root, "methods");
    size_t count = node_count(&n);
    if (root->doc->status == GCAST_OK && (count == 0 || count > GCAST_TESTS))
        node_fail(&n, "must have from 1 to %d methods", GCAST_TESTS);
    for (size_t i = 0; i < count && root->doc->status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        int test = node_choice(&item, names);
        for (size_t k = 0; k < i; k++)
            if (e->tests[k] == test)
                node_fail(&item, "%s is listed twice", names[test]);
        e->tests[e->test_count++] = test;
    }
}

/* Does one of its tests prove that no execution of a set misses a deadline? */
static bool has_proof(const gcast_experiment *e)
{
    for (size_t i = 0; i < e->test_count; i++)
        if (experiment_is_proof(e->tests[i]))
            return true;
    return false;
}

static void read_executions(gcast_experiment *e, const node *root)
{
    node n = node_key(root, "executions");
    bool simulates = false;
    for (size_t i = 0; i < e->test_count; i++)
        simulates = simulates || e->tests[i] == GCAST_TEST_SIMULATE;
    e->executions = get_int_or(root, "executions", 1, MAX_EXECUTIONS, 0);
    if (n.value && root->doc->status == GCAST_OK && (!simulates || !has_proof(e)))
        node_fail(&n, "executions need the method simulate beside exact, bound or explore");
}

static void read_limits(gcast_experiment *e, const node *root)
{
    static const char *const keys[] = {"states", "bytes", "ms", NULL};
    node n = node_key(root, "limits");
    if (n.value)
        node_known(&n, keys);
    e->limits = gcast_analyze_options_default();
    e->limits.max_states = (uint64_t)get_int_or(&n, "states", 1, INT64_MAX, 100000);
    e->limits.max_bytes = (uint64_t)get_int_or(&n, "bytes", 1, INT64_MAX, INT64_C(1) << 30);
    e->limits.max_ms = get_int_or(&n, "ms", 1, DAY_MS, DAY_MS);
    e->limits.coarse = true;
}

static void read_task(owned_experiment *o, const node *root)
{
    static const char *const keys[] = {"min", "max", NULL};
    gcast_experiment *e = &o->e;
    node periods = node_key(root, "periods_ns"), block = node_key(root, "block"), grid = node_key(root, "grid");
    node rule = node_key(root, "priorities");
    e->periods = read_numbers(o, &periods, 1, MAX_PERIOD_NS);
    e->threads = read_numbers(o, &block, 1, 1024);
    e->registers = numbers_or_zero(o, root, "registers", 255);
    e->smem = numbers_or_zero(o, root, "smem", 1 << 24);
    node_known(&grid, keys);
    e->grid_min = get_int(&grid, "min", 1, 1000000);
    e->grid_max = get_int(&grid, "max", e->grid_min, 1000000);
    e->deadline_percent = (int)get_int_or(root, "deadline_percent", 1, 1000, 100);
    e->jitter_percent = (int)get_int_or(root, "jitter_percent", 0, 100, 0);
    e->duration_min_percent = (int)get_int_or(root, "duration_min_percent", 1, 100, 100);
    if (rule.value)
        e->priorities = (gcast_priorities)node_choice(&rule, priorities);
}

static void read_root(owned_experiment *o, document *doc)
{
    node root = document_root(doc), schema = node_key(&root, "schema");
    gcast_experiment *e = &o->e;
    if (strcmp(node_text(&schema), SCHEMA) != 0)
        node_fail(&schema, "must be \"" SCHEMA "\"");
    node_known(&root, root_keys);
    if (doc->status != GCAST_OK)
        return;
    e->name = arena_strdup(&o->memory, get_text_or(&root, "name", ""));
    if (!e->name)
        node_fail_memory(&root);
    read_gpu(o, &root);
    e->seed = get_int_or(&root, "seed", 0, INT64_MAX, 0);
    read_percents(o, &root);
    e->sets = get_int(&root, "sets", 1, MAX_SETS);
    read_generator(e, &root);
    read_task(o, &root);
    read_methods(e, &root);
    read_executions(e, &root);
    read_limits(e, &root);
    if (doc->status == GCAST_OK)
        node_fail_as(&root, experiment_check(e, doc->err));
}

/* Hashes the text, the complete GPU (as a preset may change), and the version. */
static gcast_status set_hash(owned_experiment *o, const char *text, size_t size, gcast_error *err)
{
    char *gpu;
    size_t gpu_size;
    gcast_status status = gcast_gpu_write_json(o->gpu, &gpu, &gpu_size, err);
    if (status != GCAST_OK)
        return status;
    uint64_t parts[] = {index_hash(text, size), index_hash(gpu, gpu_size), index_hash_text(gcast_version())};
    o->e.hash = (parts[0] * 0x9e3779b97f4a7c15u ^ parts[1]) * 0x9e3779b97f4a7c15u ^ parts[2];
    free(gpu);
    return GCAST_OK;
}

gcast_status gcast_experiment_read(const char *text, size_t size, const char *file, gcast_experiment **e,
                                   gcast_error *err)
{
    if (e)
        *e = NULL;
    if (!text || !e)
        return argument_missing(err);
    gcast_error own;
    document doc;
    err = err ? err : &own;
    owned_experiment *o = calloc(1, sizeof *o);
    if (!o)
        return gcast_error_set_memory(err);
    o->e.memory = o;
    gcast_status status = document_open(&doc, text, size, file, err);
    if (status == GCAST_OK) {
        read_root(o, &doc);
        status = doc.status;
    }
    document_close(&doc);
    if (status == GCAST_OK)
        status = set_hash(o, text, size, err);
    if (status == GCAST_OK)
        *e = &o->e;
    else
        gcast_experiment_free(&o->e);
    return status;
}

gcast_status gcast_experiment_load(const char *path, gcast_experiment **e, gcast_error *err)
{
    if (e)
        *e = NULL;
    if (!path || !e)
        return argument_missing(err);
    char *text;
    size_t size;
    gcast_status status = gcast_file_read(path, &text, &size, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_experiment_read(text, size, strcmp(path, "-") == 0 ? "standard input" : path, e, err);
    free(text);
    return status;
}
