/* Reads scenarios from gridcast.corpus/1, line by line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "files/json_text.h"
#include "files/run_file.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"
#include "model/scenario.h"
#include "model/workload/policy.h"
#include "model/workload/workload.h"

#define CORPUS_SCHEMA "gridcast.corpus/1"

struct gcast_corpus {
    char *text;  /* text of the file */
    size_t size; /* its size */
    size_t next; /* begin of the next scenario, or of blanks before it */
    int line;    /* line of `next`, from 0 */
    char *path;  /* for errors */
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
        return gcast_error_set_memory(err);
    }
    *c = (gcast_corpus){.text = text, .size = size, .path = copy};
    *corpus = c;
    return GCAST_OK;
}

gcast_status gcast_corpus_open(const char *path, gcast_corpus **corpus, gcast_error *err)
{
    if (corpus)
        *corpus = NULL;
    if (!path || !corpus)
        return argument_missing(err);
    char *text;
    size_t size;
    gcast_status status = gcast_file_read(path, &text, &size, err);
    return status == GCAST_OK ? create(text, size, path, corpus, err) : status;
}

gcast_status gcast_corpus_read(const char *text, size_t size, const char *file, gcast_corpus **corpus, gcast_error *err)
{
    if (corpus)
        *corpus = NULL;
    if (!text || !file || !corpus)
        return argument_missing(err);
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

static bool has_gpu_op(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            return true;
    return false;
}

static gcast_workload *read_workload(const node *n)
{
    gcast_workload *w = NULL;
    char *text = n->value ? json_text(n->value) : NULL;
    if (!n->value)
        node_fail(n, "is missing");
    else if (!text)
        node_fail_memory(n);
    else {
        gcast_status status = gcast_workload_read_native(text, strlen(text), n->doc->file, &w, n->doc->err);
        if (status != GCAST_OK)
            node_fail_inside(n, status);
        else if (w->task_count || w->host_count)
            node_fail(n, "a recorded workload has no tasks and no host threads");
        else if (!has_gpu_op(w))
            node_fail(n, "has no operation that runs on a GPU");
        else
            node_fail_inside(n, policy_refuse(w, "a recorded workload has no such kernels", n->doc->err));
    }
    free(text);
    return w;
}

static gcast_scenario *read_scenario(document *d)
{
    static const char *const keys[] = {"schema", "family", "workload", "runs", NULL};
    node root = document_root(d), schema = node_key(&root, "schema"), workload = node_key(&root, "workload"),
         runs = node_key(&root, "runs");
    if (strcmp(node_text(&schema), CORPUS_SCHEMA) != 0)
        node_fail(&schema, "must be \"" CORPUS_SCHEMA "\"");
    node_known(&root, keys);
    const char *family = get_name(&root, "family");
    size_t count = node_count(&runs);
    if (!count)
        node_fail(&runs, "must list a run");
    if (d->status != GCAST_OK)
        return NULL;
    gcast_scenario *s = calloc(1, sizeof *s);
    if (!s) {
        node_fail_memory(&root);
        return NULL;
    }
    s->family = s->memory = strdup(family);
    s->runs = calloc(count + 1, sizeof *s->runs);
    s->workload = read_workload(&workload);
    for (size_t i = 0; i < count && s->runs && s->memory && d->status == GCAST_OK; i++) {
        node n = node_item(&runs, i);
        s->runs[s->run_count] = corpus_run(&n, s->workload);
        s->run_count += s->runs[s->run_count] != NULL;
    }
    if (d->status == GCAST_OK && s->run_count == count)
        return s;
    if (d->status == GCAST_OK)
        node_fail_memory(&root);
    gcast_scenario_free(s);
    return NULL;
}

double gcast_corpus_done(const gcast_corpus *c)
{
    if (!c)
        return 0;
    return c->size ? (double)c->next / (double)c->size : 1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

gcast_status gcast_corpus_next(gcast_corpus *c, gcast_scenario **scenario, gcast_error *err)
{
    if (scenario)
        *scenario = NULL;
    if (!c || !scenario)
        return argument_missing(err);
    gcast_error own;
    err = err ? err : &own;
    while (c->next < c->size && is_blank(c->text[c->next])) {
        c->line += c->text[c->next] == '\n';
        c->next++;
    }
    if (c->next >= c->size)
        return GCAST_OK;
    const char *start = c->text + c->next, *end = memchr(start, '\n', c->size - c->next);
    size_t length = end ? (size_t)(end - start) : c->size - c->next;
    c->next += length;
    document d;
    if (document_open(&d, start, length, c->path, err) == GCAST_OK)
        *scenario = read_scenario(&d);
    else if (d.status == GCAST_INPUT && c->next + 1 < c->size) { /* probably a file in another format */
        size_t used = strlen(err->message);
        snprintf(err->message + used, sizeof err->message - used, "; a corpus has one scenario per line");
    }
    gcast_status status = d.status;
    document_close(&d);
    if (status != GCAST_OK) { /* the document is one line, line c->line of the file */
        err->column = err->line == 1 ? err->column : 1;
        err->line = c->line + 1;
    }
    return status;
}
