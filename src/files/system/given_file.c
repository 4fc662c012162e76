#include "files/system/given_file.h"

#include <stdlib.h>
#include <string.h>

#include "files/system/given_values.h"
#include "files/workload/json_kernel.h"
#include "gridcast/read.h"

#define SCHEMA "gridcast.amalthea/1"

static void read_shape(const node *n, sys_given_kernel *k)
{
    static const char *const keys[] = {"grid", "block", "registers", "shared", "ticks", "priority", NULL};
    static const char *const ticks[] = {"kernel", "block", NULL}; /* in the order of sys_ticks */
    node shared = node_key(n, "shared");
    node_known(n, keys);
    native_dimensions(n, "grid", INT64_MAX, "blocks: there must be fewer than 2^63", k->grid);
    native_dimensions(n, "block", INT32_MAX, "threads: there must be fewer than 2^31", k->block);
    k->registers = (int)get_int_or(n, "registers", 0, INT32_MAX, -1);
    k->shared_bytes = shared.value ? given_size(&shared) : 0;
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
    sys_given_kernel *k = given_array(r, &n, json_object_size(n.value), sizeof *k);
    if (!k)
        return;
    r->g->kernels = k;
    json_object_foreach(n.value, key, value)
    {
        node entry = node_key(&n, key);
        *k = (sys_given_kernel){.runnable = given_keep(r, &n, key), .grid = {1, 1, 1}, .block = {1, 1, 1}};
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

/* Times of a kind of processing unit: one range for both, or each by name. */
static void read_access(const node *n, sys_given_access *a)
{
    static const char *const keys[] = {"read", "write", NULL};
    if (!json_is_object(n->value)) {
        a->read = a->write = given_range(n);
        return;
    }
    node_known(n, keys);
    node read = node_key(n, "read"), write = node_key(n, "write");
    if (!read.value || !write.value) {
        node_fail(n, "%s is missing", read.value ? "write" : "read");
        return;
    }
    a->read = given_range(&read);
    a->write = given_range(&write);
}

static void read_accesses(given_reader *r, const node *memory)
{
    const char *key;
    json_t *value;
    node n = node_key(memory, "access");
    if (!n.value || !node_is_object(&n))
        return;
    sys_given_access *a = given_array(r, &n, json_object_size(n.value), sizeof *a);
    if (!a)
        return;
    r->g->accesses = a;
    json_object_foreach(n.value, key, value)
    {
        node entry = node_key(&n, key);
        a->kind = given_keep(r, &n, key);
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
    t->core = core.value ? given_keep(r, &core, get_name(n, "core")) : NULL;
    t->has_priority = priority.value;
    t->priority = priority.value ? node_int(&priority, INT32_MIN, INT32_MAX) : 0;
    t->has_busy = wait.value;
    t->busy = wait.value && node_choice(&wait, waits) == 0;
    t->deadline_ns = deadline.value ? given_time(&deadline) : -1;
    if (extra.value)
        t->extra = given_range(&extra);
}

static void read_tasks(given_reader *r, const node *root)
{
    const char *key;
    json_t *value;
    node n = node_key(root, "tasks");
    if (!n.value || !node_is_object(&n))
        return;
    sys_given_task *t = given_array(r, &n, json_object_size(n.value), sizeof *t);
    if (!t)
        return;
    r->g->tasks = t;
    json_object_foreach(n.value, key, value)
    {
        node entry = node_key(&n, key);
        t->name = given_keep(r, &n, key);
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
    c->name = given_keep(r, n, get_name(n, "name"));
    c->reaction_ns = reaction.value ? given_time(&reaction) : 0;
    c->age_ns = age.value ? given_time(&age) : 0;
    if (r->doc.status == GCAST_OK && count < 1)
        node_fail(&tasks, "must name at least one task");
    const char **names = r->doc.status == GCAST_OK ? given_array(r, &tasks, count, sizeof *names) : NULL;
    for (size_t i = 0; names && i < count; i++) {
        node name = node_item(&tasks, i);
        names[i] = given_keep(r, &name, node_text(&name));
    }
    c->tasks = names;
    c->task_count = count;
}

static void read_chains(given_reader *r, const node *root)
{
    node n = node_key(root, "chains");
    size_t count = n.value ? node_count(&n) : 0;
    sys_given_chain *c = count ? given_array(r, &n, count, sizeof *c) : NULL;
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
        r->g->switch_ns = given_time(&change);
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
    r->g->tick_ps = tick.value ? given_tick(&tick) : 0;
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
        r.g->file = given_keep(&r, &root, file);
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
