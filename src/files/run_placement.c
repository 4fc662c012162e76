/* gcast_placement_read: where the blocks of a kernel ran, from a gridcast.run/1 with its blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "files/json/object.h"
#include "gridcast/gpu.h"
#include "gridcast/placement.h"

#define SCHEMA "gridcast.run/1"
#define MAX_NS (INT64_MAX / 4)

/* A block and when it started. */
typedef struct block_start {
    int64_t start_ns; /* on the clock of the run */
    uint32_t number;  /* in the grid */
} block_start;

static int by_start(const void *a, const void *b)
{
    const block_start *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Is the operation called `name`: LABEL, or LABEL#JOB? */
static bool is_named(const node *op, const char *name)
{
    const char *label = get_text(op, "label");
    size_t length = strlen(label);
    char job[24];
    snprintf(job, sizeof job, "#%lld", (long long)get_int_or(op, "job", 0, UINT32_MAX, 0));
    return strncmp(label, name, length) == 0 && (!name[length] || strcmp(name + length, job) == 0);
}

/* The index of the operation that is meant. Without a name it is the only one with so many blocks. */
static size_t find_operation(const node *ops, const char *name, uint64_t blocks)
{
    size_t count = node_count(ops), found = count, matches = 0, listed = 0;
    for (size_t i = 0; i < count && ops->doc->status == GCAST_OK; i++) {
        node op = node_item(ops, i), list = node_key(&op, "blocks");
        if (!node_is_object(&op) || (name ? !is_named(&op, name) : !list.value))
            continue;
        listed++;
        if (!name && node_count(&list) != blocks)
            continue;
        if (!matches++)
            found = i;
    }
    if (name && !matches)
        node_fail(ops, "no operation is called %.100s", name);
    else if (!listed)
        node_fail(ops, "no operation has its blocks: gridcast simulate --json --blocks lists them");
    else if (!matches)
        node_fail(ops, "no kernel has %llu blocks, as the launch does", (unsigned long long)blocks);
    else if (!name && matches > 1)
        node_fail(ops, "%zu operations have %llu blocks: FILE#LABEL says which is meant", matches,
                  (unsigned long long)blocks);
    return found;
}

/* Reads [[SM, start, end], ...]. */
static void read_blocks(const node *list, uint32_t sms, block_start *starts, uint64_t blocks, uint32_t *block_sm)
{
    for (size_t i = 0; i < blocks && list->doc->status == GCAST_OK; i++) {
        node item = node_item(list, i);
        if (node_count(&item) != 3)
            node_fail(&item, "must be SM, start and end");
        node sm = node_item(&item, 0), start = node_item(&item, 1);
        block_sm[i] = (uint32_t)node_int(&sm, 0, (int64_t)sms - 1);
        starts[i] = (block_start){node_int(&start, -MAX_NS, MAX_NS), (uint32_t)i};
    }
}

static void read_placement(document *d, const char *kernel, uint64_t blocks, uint32_t *sms, uint32_t *block_sm,
                           uint32_t *block_order)
{
    node root = document_root(d), schema = node_key(&root, "schema"), ops = node_key(&root, "ops");
    if (strcmp(node_text(&schema), SCHEMA) != 0)
        node_fail(&schema, "must be \"" SCHEMA "\"");
    *sms = (uint32_t)get_int(&root, "sms", 1, GCAST_MAX_SMS);
    size_t found = find_operation(&ops, kernel, blocks);
    if (d->status != GCAST_OK)
        return;
    node op = node_item(&ops, found), list = node_key(&op, "blocks");
    if (!list.value)
        node_fail(&op, "has no list of blocks: gridcast simulate --json --blocks lists those of kernels");
    else if (node_count(&list) != blocks)
        node_fail(&list, "%s has %zu blocks, and the launch has %llu", get_text(&op, "label"), node_count(&list),
                  (unsigned long long)blocks);
    if (d->status != GCAST_OK)
        return;
    block_start *starts = malloc((blocks + 1) * sizeof *starts); /* no more than the file holds */
    if (!starts) {
        node_fail_as(&list, gcast_error_set_memory(d->err));
        return;
    }
    read_blocks(&list, *sms, starts, blocks, block_sm);
    if (d->status == GCAST_OK && blocks)
        qsort(starts, blocks, sizeof *starts, by_start);
    for (uint64_t i = 0; i < blocks && d->status == GCAST_OK; i++)
        block_order[i] = starts[i].number;
    free(starts);
}

gcast_status gcast_placement_read(const char *text, size_t size, const char *file, const char *kernel, uint64_t blocks,
                                  uint32_t *sms, uint32_t *block_sm, uint32_t *block_order, gcast_error *err)
{
    if (!text || !sms || !block_sm || !block_order)
        return argument_missing(err);
    gcast_error own;
    document d;
    err = err ? err : &own;
    if (document_open(&d, text, size, file, err) == GCAST_OK)
        read_placement(&d, kernel, blocks, sms, block_sm, block_order);
    gcast_status status = d.status;
    document_close(&d);
    return status;
}
