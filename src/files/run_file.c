/* Reads runs from gridcast.run/1: recorded runs of a corpus, and the placement of a kernel's blocks. */
#include "files/run_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "files/document.h"
#include "gridcast/gpu.h"
#include "gridcast/names.h"
#include "model/launch_placement.h"
#include "model/run.h"
#include "model/workload/workload.h"

#define RUN_SCHEMA "gridcast.run/1"
#define MAX_NS (INT64_MAX / 4)

static void check_text(const node *n, const char *key, const char *expected)
{
    if (strcmp(get_text(n, key), expected) != 0) {
        node at = node_key(n, key);
        node_fail(&at, "must be %s, as in the workload", expected);
    }
}

static void read_op(const node *n, const gcast_workload *w, size_t i, gcast_run_op *r)
{
    static const char *const keys[] = {"label",     "kind",    "stream",   "job",      "call_ns",
                                       "arrive_ns", "head_ns", "enter_ns", "start_ns", "dispatched_ns",
                                       "end_ns",    "blocks",  "after",    NULL};
    const gcast_op *op = &w->ops[i];
    node_known(n, keys);
    check_text(n, "label", op->label);
    if (node_key(n, "kind").value)
        check_text(n, "kind", gcast_name(GCAST_NAMES_KIND, op->kind));
    if (get_int_or(n, "job", 0, UINT32_MAX, 0) != 0)
        node_fail(n, "is a job of a task, and a recorded workload has none");
    *r = (gcast_run_op){.op = (uint32_t)i,
                        .engine = -1,
                        .connection = -1,
                        .channel = -1,
                        .arrive_ns = -1,
                        .head_ns = -1,
                        .enter_ns = -1};
    r->call_ns = r->release_ns = r->return_ns = get_int(n, "call_ns", 0, MAX_NS);
    r->start_ns = r->dispatched_ns = get_int(n, "start_ns", -MAX_NS, MAX_NS);
    r->end_ns = get_int(n, "end_ns", -MAX_NS, MAX_NS);
    r->launch = r->entry = i;
    r->block_count = op->kind == GCAST_KIND_KERNEL ? op->blocks : 0;
    if (r->end_ns < r->start_ns)
        node_fail(n, "ends before it starts");
    if (r->call_ns >= op->skip_ns)
        node_fail(n, "is called although its skip_ns has passed");
}

/* Does the operation have a list of its blocks? */
static bool lists_blocks(const node *op, const gcast_run_op *r, const char *label)
{
    node list = node_key(op, "blocks");
    if (!list.value)
        return false;
    if (!r->block_count)
        node_fail(&list, "only kernels have blocks");
    if (node_count(&list) != r->block_count)
        node_fail(&list, "must list the %llu blocks of %s", (unsigned long long)r->block_count, label);
    return true;
}

/* Reads [[SM, start, end], ...] of an operation into blocks. */
static void read_blocks(const node *list, const gcast_run *run, gcast_run_op *r, gcast_block *blocks)
{
    for (size_t i = 0; i < r->block_count && list->doc->status == GCAST_OK; i++) {
        node item = node_item(list, i);
        if (node_count(&item) != 3)
            node_fail(&item, "must be SM, start and end");
        node sm = node_item(&item, 0), start = node_item(&item, 1), end = node_item(&item, 2);
        blocks[i] = (gcast_block){.sm = (uint32_t)node_int(&sm, 0, run->gpu->sms - 1),
                                  .start_ns = node_int(&start, r->start_ns, r->end_ns),
                                  .end_ns = node_int(&end, r->start_ns, r->end_ns)};
        if (blocks[i].end_ns < blocks[i].start_ns)
            node_fail(&item, "ends before it starts");
        r->dispatched_ns = max_i64(r->dispatched_ns, blocks[i].start_ns);
    }
    r->blocks = blocks;
}

static void read_all_blocks(const node *ops, gcast_run *run, gcast_run_op *at, uint64_t total)
{
    gcast_block *blocks = calloc(total + 1, sizeof *blocks);
    if (!blocks) {
        node_fail_memory(ops);
        return;
    }
    run_set_blocks(run, blocks);
    for (size_t i = 0; i < run->op_count && ops->doc->status == GCAST_OK; i++) {
        node n = node_item(ops, i), list = node_key(&n, "blocks");
        if (!list.value)
            continue;
        read_blocks(&list, run, &at[i], blocks);
        blocks += at[i].block_count;
    }
}

static void read_ops(const node *ops, gcast_run *run)
{
    const gcast_workload *w = run->workload;
    gcast_run_op *at = calloc(w->op_count + 1, sizeof *at);
    size_t kernels = 0, listed = 0;
    uint64_t total = 0;
    if (!at) {
        node_fail_memory(ops);
        return;
    }
    run_set_ops(run, at, w->op_count);
    for (size_t i = 0; i < w->op_count && ops->doc->status == GCAST_OK; i++) {
        node n = node_item(ops, i);
        read_op(&n, w, i, &at[i]);
        kernels += w->ops[i].kind == GCAST_KIND_KERNEL;
        if (lists_blocks(&n, &at[i], w->ops[i].label)) {
            listed += w->ops[i].kind == GCAST_KIND_KERNEL;
            total += at[i].block_count; /* not more than the file has */
        }
        run->end_ns = max_i64(run->end_ns, at[i].end_ns);
    }
    if (listed && listed < kernels)
        node_fail(ops, "must have the blocks of all kernels or of none");
    if (listed == kernels && ops->doc->status == GCAST_OK)
        read_all_blocks(ops, run, at, total);
}

/* A copy of the workload's GPU with the partition of the run; NULL: the run is of another GPU, or no memory. */
static gcast_gpu *read_gpu(const node *n, const gcast_workload *w)
{
    const char *name = get_text(n, "gpu");
    int sms = (int)get_int(n, "sms", 1, GCAST_MAX_SMS);
    if (!w->gpu) {
        node_fail(n, "the workload names no GPU");
        return NULL;
    }
    if (strcmp(name, w->gpu->name) != 0)
        check_text(n, "gpu", w->gpu->title);
    int expected = w->partition_sms ? w->partition_sms : w->gpu->sms;
    if (sms != expected) {
        node at = node_key(n, "sms");
        node_fail(&at, "must be %d, as in the workload", expected);
    }
    gcast_gpu *gpu = NULL;
    if (n->doc->status == GCAST_OK && gcast_gpu_copy(w->gpu, &gpu, n->doc->err) == GCAST_OK &&
        gcast_gpu_partition(gpu, sms, n->doc->err) != GCAST_OK)
        node_fail_as(n, GCAST_INPUT);
    return gpu;
}

/* Reads the interval on the host's clock that contains the GPU's zero; without the key, both ends stay 0. */
static void read_gpu_zero(const node *n, gcast_run *run)
{
    node zero = node_key(n, "gpu_zero_on_host_ns");
    if (!zero.value)
        return;
    if (node_count(&zero) != 2) {
        node_fail(&zero, "must be two times");
        return;
    }
    node lo = node_item(&zero, 0), hi = node_item(&zero, 1);
    run->gpu_zero_lo_ns = node_int(&lo, -WORKLOAD_MAX_NS, WORKLOAD_MAX_NS);
    run->gpu_zero_hi_ns = node_int(&hi, run->gpu_zero_lo_ns, WORKLOAD_MAX_NS);
}

gcast_run *corpus_run(const node *n, const gcast_workload *w)
{
    static const char *const keys[] = {
        "schema", "source",         "gpu",         "sms",   "workload", "gpu_zero_on_host_ns",
        "end_ns", "first_start_ns", "makespan_ns", "notes", "ops",      NULL};
    node schema = node_key(n, "schema"), source = node_key(n, "source"), ops = node_key(n, "ops");
    if (strcmp(node_text(&schema), RUN_SCHEMA) != 0)
        node_fail(&schema, "must be \"" RUN_SCHEMA "\"");
    bool recorded = strcmp(node_text(&source), "recorded") == 0;
    if (!recorded && strcmp(node_text(&source), "measured") != 0)
        node_fail(&source, "must be \"measured\" or \"recorded\"");
    node_known(n, keys);
    if (node_count(&ops) != w->op_count)
        node_fail(&ops, "must list the %zu operations of the workload", w->op_count);
    gcast_gpu *gpu = read_gpu(n, w);
    gcast_run *run = n->doc->status == GCAST_OK && gpu ? run_create(recorded ? "recorded" : "measured", w, gpu) : NULL;
    if (!run) {
        gcast_gpu_free(gpu);
        return NULL;
    }
    read_gpu_zero(n, run);
    read_ops(&ops, run);
    if (n->doc->status == GCAST_OK)
        return run;
    gcast_run_free(run);
    return NULL;
}

/* gcast_placement_read reads where the blocks of a kernel ran, and in which order they started. */

typedef struct block_start {
    int64_t start_ns;
    uint32_t number; /* number of the block in the grid */
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

/* The index of the operation with this name; without a name, of the only operation with so many blocks. */
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
static void read_block_starts(const node *list, uint32_t sms, block_start *starts, uint64_t blocks, uint32_t *block_sm)
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
    if (strcmp(node_text(&schema), RUN_SCHEMA) != 0)
        node_fail(&schema, "must be \"" RUN_SCHEMA "\"");
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
    block_start *starts = malloc((blocks + 1) * sizeof *starts); /* not more than the file has */
    if (!starts) {
        node_fail_memory(&list);
        return;
    }
    read_block_starts(&list, *sms, starts, blocks, block_sm);
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
