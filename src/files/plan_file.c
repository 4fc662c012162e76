/* Reads and writes plans as gridcast.plan/1, which docs/formats.md describes. A file of a few bytes may stand for many
 * jobs: memory for them is allocated only after the file is known to contain each of them. */
#include "files/plan_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/vec.h"
#include "files/document.h"
#include "gridcast/names.h"
#include "gridcast/read.h"
#include "model/plan/plan.h"

#define SCHEMA "gridcast.plan/1"

/* An entry of a queue: a job, or a run of jobs. Its path is /queues/QUEUE/INDEX. */
typedef struct queue_entry {
    uint32_t first, last; /* jobs, both included */
    uint32_t queue, index;
} queue_entry;

typedef VEC(queue_entry) queue_entries;

static uint32_t read_job(const node *n, uint32_t jobs)
{
    int64_t job = node_int(n, 0, INT64_MAX);
    if (job >= jobs)
        node_fail(n, "there is no job %lld: the grid has 0 to %u", (long long)job, jobs - 1);
    return (uint32_t)job;
}

static queue_entry read_entry(const node *n, uint32_t jobs)
{
    queue_entry entry = {0};
    if (json_is_integer(n->value)) {
        entry.first = entry.last = read_job(n, jobs);
    } else if (json_is_array(n->value) && json_array_size(n->value) == 2) {
        node first = node_item(n, 0), last = node_item(n, 1);
        entry.first = read_job(&first, jobs);
        entry.last = read_job(&last, jobs);
        if (entry.last < entry.first)
            node_fail(n, "from job %u to job %u is not ascending", entry.first, entry.last);
    } else {
        node_fail(n, "must be a job, or [first, last]");
    }
    return entry;
}

/* Adds the entries of a queue to the list; jobs must be below `jobs`. */
static void add_entries(queue_entries *list, const node *queue, uint32_t number, uint32_t jobs)
{
    size_t count = node_count(queue);
    for (size_t i = 0; i < count && queue->doc->status == GCAST_OK; i++) {
        node item = node_item(queue, i);
        queue_entry entry = read_entry(&item, jobs);
        entry.queue = number;
        entry.index = (uint32_t)i;
        if (!vec_push(list, entry))
            node_fail_memory(queue);
    }
}

static int compare_place(const queue_entry *a, const queue_entry *b)
{
    if (a->queue != b->queue)
        return a->queue < b->queue ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static int compare_first(const void *a, const void *b)
{
    const queue_entry *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return compare_place(x, y);
}

static void fail_twice(const node *queues, const queue_entry *a, const queue_entry *b, uint32_t job)
{
    const queue_entry *early = compare_place(a, b) < 0 ? a : b, *late = early == a ? b : a;
    node queue = node_item(queues, late->queue), item = node_item(&queue, late->index);
    char path[128] = "";
    node_path(queues, path, sizeof path);
    node_fail(&item, "job %u is listed twice, first in %s/%u/%u", job, path, early->queue, early->index);
}

/* Checks entries that are sorted by their first jobs. */
static void check_sorted(const queue_entry *sorted, size_t count, const node *queues, uint32_t jobs)
{
    uint32_t next = 0; /* the lowest job that was not seen yet */
    for (size_t i = 0; i < count && queues->doc->status == GCAST_OK && sorted[i].first <= next; i++) {
        if (sorted[i].first < next)
            fail_twice(queues, &sorted[i - 1], &sorted[i], sorted[i].first);
        next = sorted[i].last + 1;
    }
    if (next < jobs)
        node_fail(queues, "job %u is missing", next);
}

/* Sets an error unless the entries contain every job below `jobs` exactly once. */
static void check_entries(const queue_entries *list, const node *queues, uint32_t jobs)
{
    size_t size = list->count * sizeof *list->at;
    queue_entry *sorted = malloc(size + 1);
    if (!sorted) {
        node_fail_memory(queues);
        return;
    }
    if (list->count)
        memcpy(sorted, list->at, size);
    qsort(sorted, list->count, sizeof *sorted, compare_first);
    check_sorted(sorted, list->count, queues, jobs);
    free(sorted);
}

static const char *const mappings[] = {
#define X(id, name, bytes) name,
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

/* The file must have plan->queues queues. */
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
        add_entries(entries, &queue, q, plan->jobs);
    }
    if (root->doc->status == GCAST_OK)
        check_entries(entries, &queues, plan->jobs);
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

/* Reads `workers`: an array by SM, or one number for all SMs with jobs. */
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

/* Reads everything but workers and queues. */
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
        node_fail_memory(n);
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

static gcast_status read_text(const char *bytes, size_t size, const char *file, const uint32_t grid[3],
                              gcast_plan **out, gcast_error *err)
{
    document doc;
    *out = NULL;
    if (document_open(&doc, bytes, size, file, err) == GCAST_OK) {
        node root = document_root(&doc);
        *out = plan_from_node(&root, grid);
    }
    document_close(&doc);
    return doc.status;
}

gcast_status gcast_plan_read(const char *bytes, size_t size, const char *file, gcast_plan **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!bytes || !out)
        return argument_missing(err);
    return read_text(bytes, size, file, NULL, out, err);
}

gcast_status plan_load_for(const char *path, const uint32_t grid[3], gcast_plan **out, gcast_error *err)
{
    char *bytes;
    size_t size;
    *out = NULL;
    gcast_status status = gcast_file_read(path, &bytes, &size, err);
    if (status != GCAST_OK)
        return status;
    status = read_text(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, grid, out, err);
    free(bytes);
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

/* gcast_plan_write writes a text from which the same plan can be read. */

/* The separators between the parts of a plan. */
typedef struct plan_layout {
    const char *first_key, *next_key;     /* before a key */
    const char *first_queue, *next_queue; /* before a queue */
    const char *end;                      /* after the last queue */
} plan_layout;

static const plan_layout on_lines = {"\n  ", ",\n  ", "\n    ", ",\n    ", "\n  ]\n}"};
static const plan_layout on_one_line = {"", ", ", "", ", ", "]}"};

/* The number of workers, if all SMs with jobs have the same and other SMs have none; else 0. */
static uint32_t common_workers(const gcast_plan *p)
{
    uint32_t common = 0;
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        bool has_jobs = p->first[sm + 1] > p->first[sm];
        if (has_jobs != (p->workers[sm] > 0) || (has_jobs && common && p->workers[sm] != common))
            return 0;
        common = has_jobs ? p->workers[sm] : common;
    }
    return common;
}

static void write_workers(text *t, const gcast_plan *p)
{
    uint32_t common = common_workers(p);
    text_str(t, "\"workers\": ");
    if (common) {
        text_uint(t, common);
        return;
    }
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        text_str(t, sm ? ", " : "[");
        text_uint(t, p->workers[sm]);
    }
    text_char(t, ']');
}

static void write_queue(text *t, const gcast_plan *p, uint32_t queue)
{
    text_char(t, '[');
    for (uint32_t i = p->first[queue], last; i < p->first[queue + 1]; i = last + 1) {
        for (last = i; last + 1 < p->first[queue + 1] && p->job[last + 1] == p->job[last] + 1;)
            last++;
        text_str(t, i > p->first[queue] ? ", " : "");
        text_str(t, last > i ? "[" : "");
        text_uint(t, p->job[i]);
        if (last > i) {
            text_str(t, ", ");
            text_uint(t, p->job[last]);
            text_char(t, ']');
        }
    }
    text_char(t, ']');
}

static void write_plan(text *t, const gcast_plan *p, const plan_layout *layout)
{
    text_printf(t, "{%s\"schema\": \"gridcast.plan/1\"", layout->first_key);
    text_printf(t, "%s\"grid\": [%u, %u, %u]", layout->next_key, p->grid[0], p->grid[1], p->grid[2]);
    text_printf(t, "%s\"sms\": %u", layout->next_key, p->sms);
    text_printf(t, "%s\"mapping\": \"%s\"", layout->next_key, gcast_name(GCAST_NAMES_MAPPING, p->mapping));
    text_printf(t, "%s\"steal\": %s", layout->next_key, p->steal ? "true" : "false");
    if (p->mapping != GCAST_MAPPING_PERSISTENT) {
        text_str(t, layout->next_key);
        write_workers(t, p);
    }
    text_printf(t, "%s\"queues\": [", layout->next_key);
    for (uint32_t q = 0; q < p->queues; q++) {
        text_str(t, q ? layout->next_queue : layout->first_queue);
        write_queue(t, p, q);
    }
    text_str(t, layout->end);
}

void plan_write_inline(text *t, const gcast_plan *plan)
{
    write_plan(t, plan, &on_one_line);
}

gcast_status gcast_plan_write(const gcast_plan *plan, char **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!plan || !out)
        return argument_missing(err);
    text t;
    size_t size;
    gcast_status status = gcast_plan_check(plan, err);
    if (status != GCAST_OK)
        return status;
    text_open(&t, NULL, NULL);
    write_plan(&t, plan, &on_lines);
    text_char(&t, '\n');
    *out = text_take(&t, &size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}
