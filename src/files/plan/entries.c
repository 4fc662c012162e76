#include "files/plan/entries.h"

#include <stdlib.h>
#include <string.h>

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

void entries_read(queue_entries *list, const node *queue, uint32_t number, uint32_t jobs)
{
    size_t count = node_count(queue);
    for (size_t i = 0; i < count && queue->doc->status == GCAST_OK; i++) {
        node item = node_item(queue, i);
        queue_entry entry = read_entry(&item, jobs);
        entry.queue = number;
        entry.index = (uint32_t)i;
        if (!vec_push(list, entry))
            node_fail_as(queue, gcast_error_set_memory(queue->doc->err));
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
    node_fail(&item, "job %u is there twice: %s/%u/%u has it, too", job, path, early->queue, early->index);
}

/* Looks at entries in the order of their first jobs. */
static void check_sorted(const queue_entry *sorted, size_t count, const node *queues, uint32_t jobs)
{
    uint32_t next = 0; /* the lowest job that is not seen */
    for (size_t i = 0; i < count && queues->doc->status == GCAST_OK && sorted[i].first <= next; i++) {
        if (sorted[i].first < next)
            fail_twice(queues, &sorted[i - 1], &sorted[i], sorted[i].first);
        next = sorted[i].last + 1;
    }
    if (next < jobs)
        node_fail(queues, "job %u is missing", next);
}

void entries_check(const queue_entries *list, const node *queues, uint32_t jobs)
{
    size_t size = list->count * sizeof *list->at;
    queue_entry *sorted = malloc(size + 1);
    if (!sorted) {
        node_fail_as(queues, gcast_error_set_memory(queues->doc->err));
        return;
    }
    if (list->count)
        memcpy(sorted, list->at, size);
    qsort(sorted, list->count, sizeof *sorted, compare_first);
    check_sorted(sorted, list->count, queues, jobs);
    free(sorted);
}
