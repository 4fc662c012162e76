/* gridcast.corpus/1, line by line. A line's runs list the same operations as its
 * workload, in its order; blocks are [SM, start, end]. */
#include "gridcast/corpus.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/read.h"
#include "model/run.h"
#include "read/json_object.h"

#define CORPUS_SCHEMA "gridcast.corpus/1"
#define RUN_SCHEMA "gridcast.run/1"
#define MAX_NS (INT64_MAX / 4)

struct gcast_corpus {
    char *text;
    size_t size, at;
    int line;
    char *path;
};

/* Takes over the text. */
static gcast_status create(char *text, size_t size, const char *path, gcast_corpus **corpus, gcast_error *err)
{
    gcast_corpus *c = calloc(1, sizeof *c);
    char *copy = strdup(path);
    if (!c || !copy || !text) {
        free(c);
        free(copy);
        free(text);
        return gcast_fail_memory(err);
    }
    *c = (gcast_corpus){.text = text, .size = size, .path = copy};
    *corpus = c;
    return GCAST_OK;
}

gcast_status gcast_corpus_open(const char *path, gcast_corpus **corpus, gcast_error *err)
{
    char *text;
    size_t size;
    gcast_status status = gcast_read_file(path, &text, &size, err);
    return status == GCAST_OK ? create(text, size, path, corpus, err) : status;
}

gcast_status gcast_corpus_read(const char *text, size_t size, const char *file, gcast_corpus **corpus, gcast_error *err)
{
    char *copy = malloc(size + 1);
    if (copy && size)
        memcpy(copy, text, size);
    return create(copy, size, file, corpus, err);
}

void gcast_corpus_close(gcast_corpus *c)
{
    if (!c)
        return;
    free(c->text);
    free(c->path);
    free(c);
}

void gcast_scenario_free(gcast_scenario *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->run_count; i++)
        gcast_run_free(s->runs[i]);
    free(s->runs);
    gcast_workload_free(s->workload);
    free(s->memory);
    free(s);
}

/* [[SM, start, end], ...] of one operation into blocks. */
static void read_blocks(const node *n, const gcast_op *op, gcast_run_op *r, gcast_block *blocks)
{
    size_t count = node_count(n);
    if (count != op->blocks) {
        node_fail(n, "must list the %llu blocks of %s", (unsigned long long)op->blocks, op->label);
        return;
    }
    for (size_t i = 0; i < count && n->doc->status == GCAST_OK; i++) {
        node item = node_item(n, i);
        if (node_count(&item) != 3)
            node_fail(&item, "must be SM, start and end");
        node sm = node_item(&item, 0), start = node_item(&item, 1), end = node_item(&item, 2);
        blocks[i] = (gcast_block){.sm = (uint32_t)node_int(&sm, 0, GCAST_MAX_SMS - 1),
                                  .start_ns = node_int(&start, -MAX_NS, MAX_NS),
                                  .end_ns = node_int(&end, -MAX_NS, MAX_NS)};
        if (blocks[i].start_ns > r->dispatched_ns)
            r->dispatched_ns = blocks[i].start_ns;
    }
    r->blocks = blocks;
}

static void read_op(const node *n, const gcast_workload *w, size_t i, gcast_run_op *r)
{
    const char *label = get_text(n, "label");
    *r = (gcast_run_op){.op = (uint32_t)i,
                        .engine = -1,
                        .connection = -1,
                        .channel = -1,
                        .arrive_ns = -1,
                        .head_ns = -1,
                        .enter_ns = -1};
    if (n->doc->status == GCAST_OK && strcmp(label, w->ops[i].label) != 0)
        node_fail(n, "must be %s, as in the workload", w->ops[i].label);
    r->call_ns = r->release_ns = r->return_ns = get_int(n, "call_ns", -MAX_NS, MAX_NS);
    r->start_ns = r->dispatched_ns = get_int(n, "start_ns", -MAX_NS, MAX_NS);
    r->end_ns = get_int(n, "end_ns", -MAX_NS, MAX_NS);
    r->launch = r->entry = i;
    r->block_count = w->ops[i].kind == GCAST_KIND_KERNEL ? w->ops[i].blocks : 0;
    if (r->end_ns < r->start_ns)
        node_fail(n, "ends before it starts");
}

static uint64_t count_blocks(const gcast_workload *w)
{
    uint64_t total = 0;
    for (size_t i = 0; i < w->op_count; i++)
        total += w->ops[i].kind == GCAST_KIND_KERNEL && w->ops[i].blocks < UINT32_MAX ? w->ops[i].blocks : 0;
    return total;
}

/* The operations of a run, with blocks where all kernels have them. */
static void read_ops(const node *ops, gcast_run *run)
{
    const gcast_workload *w = run->workload;
    gcast_run_op *at = calloc(w->op_count + 1, sizeof *at);
    bool recorded = true;
    if (!at) {
        node_fail_as(ops, gcast_fail_memory(ops->doc->err));
        return;
    }
    run_set_ops(run, at, w->op_count);
    for (size_t i = 0; i < w->op_count; i++) {
        node n = node_item(ops, i);
        read_op(&n, w, i, &at[i]);
        recorded = recorded && (w->ops[i].kind != GCAST_KIND_KERNEL || node_key(&n, "blocks").value);
        run->end_ns = at[i].end_ns > run->end_ns ? at[i].end_ns : run->end_ns;
    }
    gcast_block *blocks = recorded && ops->doc->status == GCAST_OK ? calloc(count_blocks(w) + 1, sizeof *blocks) : NULL;
    if (!blocks)
        return;
    run_set_blocks(run, blocks);
    for (size_t i = 0; i < w->op_count && ops->doc->status == GCAST_OK; i++) {
        node n = node_item(ops, i), list = node_key(&n, "blocks");
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        read_blocks(&list, &w->ops[i], &at[i], blocks);
        blocks += w->ops[i].blocks;
    }
}

static gcast_run *read_run(const node *n, const gcast_workload *w)
{
    node schema = node_key(n, "schema"), ops = node_key(n, "ops");
    if (strcmp(node_text(&schema), RUN_SCHEMA) != 0)
        node_fail(&schema, "must be \"" RUN_SCHEMA "\"");
    if (node_count(&ops) != w->op_count)
        node_fail(&ops, "must list the %zu operations of the workload", w->op_count);
    int sms = (int)get_int(n, "sms", 1, GCAST_MAX_SMS);
    if (n->doc->status != GCAST_OK)
        return NULL;
    gcast_gpu *gpu = w->gpu ? gcast_gpu_copy(w->gpu, n->doc->err) : NULL;
    if (!w->gpu)
        node_fail(n, "the workload names no GPU");
    else if (!gpu || gcast_gpu_partition(gpu, sms, n->doc->err) != GCAST_OK)
        node_fail_as(n, GCAST_INPUT);
    gcast_run *run = n->doc->status == GCAST_OK ? run_create("measured", w, gpu) : NULL;
    if (!run) {
        gcast_gpu_free(gpu);
        return NULL;
    }
    read_ops(&ops, run);
    if (n->doc->status == GCAST_OK)
        return run;
    gcast_run_free(run);
    return NULL;
}

static gcast_workload *read_workload(const node *n)
{
    gcast_workload *w = NULL;
    char *text = n->value ? json_dumps(n->value, JSON_COMPACT) : NULL;
    if (!n->value)
        node_fail(n, "is missing");
    else if (!text)
        node_fail_as(n, gcast_fail_memory(n->doc->err));
    else {
        gcast_status status = gcast_workload_read_native(text, strlen(text), n->doc->file, &w, n->doc->err);
        if (status != GCAST_OK) {
            gcast_error *err = n->doc->err;
            char inner[sizeof err->path];
            memcpy(inner, err->path, sizeof inner);
            snprintf(err->path, sizeof err->path, "/workload%.240s", inner);
            node_fail_as(n, status);
        } else if (w->task_count || w->host_count)
            node_fail(n, "a recorded workload has no tasks and no host threads");
    }
    free(text);
    return w;
}

static gcast_scenario *read_scenario(document *d)
{
    node root = document_root(d), schema = node_key(&root, "schema"), workload = node_key(&root, "workload"),
         runs = node_key(&root, "runs");
    if (strcmp(node_text(&schema), CORPUS_SCHEMA) != 0)
        node_fail(&schema, "must be \"" CORPUS_SCHEMA "\"");
    const char *family = get_name(&root, "family");
    size_t count = node_count(&runs);
    gcast_scenario *s = d->status == GCAST_OK ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return NULL;
    s->family = s->memory = strdup(family);
    s->runs = calloc(count + 1, sizeof *s->runs);
    s->workload = read_workload(&workload);
    for (size_t i = 0; i < count && s->runs && s->memory && d->status == GCAST_OK; i++) {
        node n = node_item(&runs, i);
        s->runs[s->run_count] = read_run(&n, s->workload);
        s->run_count += s->runs[s->run_count] != NULL;
    }
    if (d->status == GCAST_OK && s->run_count == count)
        return s;
    if (d->status == GCAST_OK)
        node_fail_as(&root, gcast_fail_memory(d->err));
    gcast_scenario_free(s);
    return NULL;
}

gcast_status gcast_corpus_next(gcast_corpus *c, gcast_scenario **scenario, gcast_error *err)
{
    gcast_error own;
    err = err ? err : &own;
    *scenario = NULL;
    while (c->at < c->size && (c->text[c->at] == '\n' || c->text[c->at] == '\r')) {
        c->line += c->text[c->at] == '\n';
        c->at++;
    }
    if (c->at >= c->size)
        return GCAST_OK;
    const char *start = c->text + c->at, *end = memchr(start, '\n', c->size - c->at);
    size_t length = end ? (size_t)(end - start) : c->size - c->at;
    c->at += length;
    document d;
    if (document_open(&d, start, length, c->path, err) == GCAST_OK)
        *scenario = read_scenario(&d);
    gcast_status status = d.status;
    document_close(&d);
    if (status != GCAST_OK) { /* a line of the file is line 1 of the document */
        err->column = err->line == 1 ? err->column : 1;
        err->line = c->line + 1;
    }
    return status;
}
