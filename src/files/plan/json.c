/* gcast_plan_load and _read: a plan from gridcast.plan/1, which docs/formats.md describes. A file of a few bytes may
 * stand for many jobs, so that memory for them is taken only when the file is known to have each. */
#include "files/plan/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "files/plan/entries.h"
#include "gridcast/read.h"
#include "model/plan/plan.h"

#define SCHEMA "gridcast.plan/1"

static const char *const mappings[] = {
#define X(id, name, text) name,
    GCAST_MAPPING_TABLE(X)
#undef X
        NULL};

static const char *const root_keys[] = {"schema", "grid", "sms", "mapping", "steal", "workers", "queues", NULL};

static void read_grid(const node *n, uint32_t grid[3])
{
    grid[0] = grid[1] = grid[2] = 1;
    if (!json_is_array(n->value)) {
        grid[0] = (uint32_t)node_int(n, 1, GCAST_PLAN_MAX_JOBS);
        return;
    }
    size_t count = node_count(n);
    if (count < 1 || count > 3)
        node_fail(n, "must have from 1 to 3 numbers");
    for (size_t i = 0; i < count && n->doc->status == GCAST_OK; i++) {
        node item = node_item(n, i);
        grid[i] = (uint32_t)node_int(&item, 1, GCAST_PLAN_MAX_JOBS);
    }
    if (n->doc->status == GCAST_OK && plan_job_count(grid) == 0)
        node_fail(n, "must have at most %d jobs", GCAST_PLAN_MAX_JOBS);
}

/* How many queues the file must have is in plan->queues. */
static void read_queues(const node *root, const gcast_plan *plan, queue_entries *entries)
{
    node queues = node_key(root, "queues");
    size_t count = node_count(&queues);
    if (root->doc->status != GCAST_OK)
        return;
    if (count > plan->queues) {
        node extra = node_item(&queues, plan->queues);
        if (plan->mapping == GCAST_MAPPING_PERSISTENT)
            node_fail(&extra, "the mapping persistent has one queue");
        else
            node_fail(&extra, "there is no SM %u: the GPU has 0 to %u", plan->sms, plan->sms - 1);
    } else if (count < plan->queues) {
        node_fail(&queues, "must have %u queues, not %zu", plan->queues, count);
    }
    for (uint32_t q = 0; q < plan->queues && root->doc->status == GCAST_OK; q++) {
        node queue = node_item(&queues, q);
        entries_read(entries, &queue, q, plan->jobs);
    }
    if (root->doc->status == GCAST_OK)
        entries_check(entries, &queues, plan->jobs);
}

static void fill_queues(gcast_plan *p, const queue_entries *entries)
{
    uint32_t filled = 0;
    for (size_t i = 0; i < entries->count; i++) {
        queue_entry entry = entries->at[i];
        for (uint32_t j = entry.first; j <= entry.last; j++)
            p->job[filled++] = j;
        p->first[entry.queue + 1] = filled;
    }
    for (uint32_t q = 0; q < p->queues; q++)
        if (p->first[q + 1] < p->first[q]) /* an empty queue */
            p->first[q + 1] = p->first[q];
}

/* An array by SM, or one number for all SMs with jobs. */
static void read_workers(const node *root, gcast_plan *p)
{
    node n = node_key(root, "workers");
    if (p->mapping == GCAST_MAPPING_PERSISTENT) {
        if (n.value)
            node_fail(&n, "the mapping persistent has no workers per SM");
        return;
    }
    if (!json_is_array(n.value)) {
        uint32_t workers = (uint32_t)node_int(&n, 1, GCAST_PLAN_MAX_WORKERS);
        for (uint32_t sm = 0; sm < p->sms; sm++)
            p->workers[sm] = p->first[sm + 1] > p->first[sm] ? workers : 0;
        return;
    }
    if (node_count(&n) != p->sms)
        node_fail(&n, "must have a number for each of the %u SMs, not %zu", p->sms, node_count(&n));
    for (uint32_t sm = 0; sm < p->sms && root->doc->status == GCAST_OK; sm++) {
        node item = node_item(&n, sm);
        p->workers[sm] = (uint32_t)node_int(&item, 0, GCAST_PLAN_MAX_WORKERS);
    }
}

/* What a plan is before its queues. */
static gcast_plan read_head(const node *root)
{
    gcast_plan head = {0};
    node schema = node_key(root, "schema"), grid = node_key(root, "grid"), mapping = node_key(root, "mapping");
    if (strcmp(node_text(&schema), SCHEMA) != 0)
        node_fail(&schema, "must be \"" SCHEMA "\"");
    node_known(root, root_keys);
    read_grid(&grid, head.grid);
    head.sms = (uint32_t)get_int(root, "sms", 1, GCAST_PLAN_MAX_SMS);
    head.mapping = (gcast_mapping)node_choice(&mapping, mappings);
    head.steal = get_bool_or(root, "steal", false);
    head.jobs = plan_job_count(head.grid);
    head.queues = head.mapping == GCAST_MAPPING_PERSISTENT ? 1 : head.sms;
    return head;
}

static void check_grid(const node *n, const gcast_plan *head, const uint32_t grid[3])
{
    node at = node_key(n, "grid");
    if (n->doc->status == GCAST_OK && memcmp(head->grid, grid, sizeof head->grid) != 0)
        node_fail(&at, "the plan is for a grid of %u x %u x %u, the kernel has %u x %u x %u", head->grid[0],
                  head->grid[1], head->grid[2], grid[0], grid[1], grid[2]);
}

gcast_plan *plan_from_node(const node *n, const uint32_t grid[3])
{
    document *doc = n->doc;
    gcast_plan *plan = NULL, head = read_head(n);
    queue_entries entries = {0};
    if (grid)
        check_grid(n, &head, grid);
    read_queues(n, &head, &entries);
    if (doc->status == GCAST_OK && !(plan = plan_new(head.mapping, head.grid, head.sms)))
        node_fail_as(n, gcast_error_set_memory(doc->err));
    if (plan) {
        plan->steal = head.steal;
        fill_queues(plan, &entries);
        read_workers(n, plan);
        if (doc->status == GCAST_OK)
            node_fail_inside(n, gcast_plan_check(plan, doc->err));
    }
    vec_free(&entries);
    if (doc->status == GCAST_OK)
        return plan;
    gcast_plan_free(plan);
    return NULL;
}

static gcast_status read_text(const char *text, size_t size, const char *file, const uint32_t grid[3], gcast_plan **out,
                              gcast_error *err)
{
    document doc;
    *out = NULL;
    if (document_open(&doc, text, size, file, err) == GCAST_OK) {
        node root = document_root(&doc);
        *out = plan_from_node(&root, grid);
    }
    document_close(&doc);
    return doc.status;
}

gcast_status gcast_plan_read(const char *text, size_t size, const char *file, gcast_plan **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!text || !out)
        return argument_missing(err);
    return read_text(text, size, file, NULL, out, err);
}

gcast_status plan_load_for(const char *path, const uint32_t grid[3], gcast_plan **out, gcast_error *err)
{
    char *text;
    size_t size;
    *out = NULL;
    gcast_status status = gcast_file_read(path, &text, &size, err);
    if (status != GCAST_OK)
        return status;
    status = read_text(text, size, strcmp(path, "-") == 0 ? "standard input" : path, grid, out, err);
    free(text);
    return status;
}

gcast_status gcast_plan_load(const char *path, gcast_plan **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!path || !out)
        return argument_missing(err);
    return plan_load_for(path, NULL, out, err);
}
