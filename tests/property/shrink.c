/* Smaller workloads that still show a difference, by trying. */
#include "property/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "support/builders.h"

#define NONE SIZE_MAX
#define MAX_LEVELS 4
#define MAX_AFTER 16

/* What the copy lacks. */
typedef struct cut {
    size_t op;         /* this op; NONE */
    size_t items_op;   /* or the items ... */
    int level;         /* ... at this level of its launches ... */
    uint64_t launcher; /* ... of this launcher */
    bool level_below;  /* or all levels below this one */
} cut;

static bool add_stream(gcast_workload *w, const gcast_stream *s)
{
    gcast_error err;
    return support_add_stream(w, *s, &err) >= 0;
}

/* Adds the op as it is, or without what is cut. */
static bool add_op(gcast_workload *w, const gcast_workload *from, size_t index, const cut *c)
{
    gcast_error err;
    gcast_op op = from->ops[index], child[MAX_LEVELS], *parent = &op;
    gcast_launches l[MAX_LEVELS];
    uint32_t *items = NULL;
    for (int level = 0; c->items_op == index && level <= c->level; level++) {
        l[level] = *parent->launches;
        child[level] = *l[level].child;
        parent->launches = &l[level];
        l[level].child = &child[level];
        parent = &child[level];
    }
    gcast_launches *last = c->items_op == index ? &l[c->level] : NULL;
    if (last && c->level_below)
        child[c->level].launches = NULL;
    if (last && !c->level_below && (items = malloc(last->item_count * sizeof *items)) != NULL) {
        memcpy(items, last->items, last->item_count * sizeof *items);
        items[c->launcher] = 0;
        last->items = items;
    }
    uint32_t after[MAX_AFTER]; /* without the op that is cut */
    size_t after_count = 0;
    for (size_t k = 0; k < op.after_count && after_count < MAX_AFTER; k++)
        if (op.after[k] != c->op)
            after[after_count++] = op.after[k] - (op.after[k] > c->op);
    op.after = after;
    op.after_count = after_count;
    bool ok = support_add_op(w, &op, &err) >= 0;
    free(items);
    return ok;
}

static gcast_workload *copy_without(const gcast_workload *from, const cut *c)
{
    gcast_error err;
    gcast_workload *w = support_workload(from->name, &err);
    bool ok = w != NULL;
    for (size_t i = 0; ok && i < from->stream_count; i++)
        ok = add_stream(w, &from->streams[i]);
    for (size_t i = 0; ok && i < from->host_count; i++)
        ok = support_add_host(w, from->hosts[i], &err) >= 0;
    for (size_t i = 0; ok && i < from->mask_count; i++)
        ok = support_add_mask(w, &from->masks[i], &err) >= 0;
    for (size_t i = 0; ok && i < from->once_count; i++)
        ok = i == c->op || add_op(w, from, i, c);
    for (size_t k = 0; ok && k < from->task_count; k++) {
        const gcast_task *t = &from->tasks[k];
        if (t->op_count == 0 || (t->op_count == 1 && t->first_op == c->op))
            continue;
        ok = support_add_task(w, t, &err) >= 0;
        for (size_t i = t->first_op; ok && i < t->first_op + t->op_count; i++)
            ok = i == c->op || add_op(w, from, i, c);
    }
    if (ok) {
        gcast_workload_set_partition(w, from->partition_sms);
        gcast_workload_set_connections(w, from->connections);
        gcast_gpu *gpu = from->gpu ? support_gpu_copy(from->gpu, &err) : NULL;
        if (gpu)
            gcast_workload_set_gpu(w, gpu);
        ok = gcast_workload_check(w, &err) == GCAST_OK;
    }
    if (ok)
        return w;
    gcast_workload_free(w);
    return NULL;
}

/* True: g has the smaller workload now. */
static bool try_cut(generated *g, const cut *c, shrink_test test, void *data)
{
    gcast_workload *w = copy_without(g->workload, c);
    if (!w || !test(data, w)) {
        gcast_workload_free(w);
        return false;
    }
    gcast_workload_free(g->workload);
    g->workload = w;
    return true;
}

static const gcast_launches *level_of(const gcast_op *op, int level)
{
    const gcast_launches *l = op->launches;
    for (; l && level > 0; level--)
        l = l->child->launches;
    return l;
}

static bool cut_level(generated *g, size_t op, int level, shrink_test test, void *data)
{
    bool any = false;
    cut c = {.op = NONE, .items_op = op, .level = level, .level_below = true};
    if (level_of(&g->workload->ops[op], level)->child->launches && try_cut(g, &c, test, data))
        any = true;
    const gcast_launches *l = level_of(&g->workload->ops[op], level);
    for (uint64_t i = 0; l->items && i < l->item_count; i++) {
        c = (cut){.op = NONE, .items_op = op, .level = level, .launcher = i};
        if (l->items[i] && try_cut(g, &c, test, data))
            any = true;
        l = level_of(&g->workload->ops[op], level);
    }
    return any;
}

void shrink(generated *g, shrink_test test, void *data)
{
    bool any;
    do {
        any = false;
        for (size_t i = g->workload->op_count; i-- > 0;)
            any = try_cut(g, &(cut){.op = i, .items_op = NONE}, test, data) || any;
        for (size_t i = 0; i < g->workload->op_count; i++)
            for (int level = 0; level < MAX_LEVELS && level_of(&g->workload->ops[i], level); level++)
                any = cut_level(g, i, level, test, data) || any;
    } while (any);
}
