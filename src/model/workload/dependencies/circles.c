/* A walk, depth first, over all ops: from each to those that it is after, and to the one that is in front of it in its
 * stream. An op that is met again while the walk is behind it is on a circle. */
#include "model/workload/dependencies/circles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Ops whose calls have an order that is known: of one job, of one host, or without a host. */
static bool of_one_caller(const gcast_op *a, const gcast_op *b)
{
    return a->task == b->task && a->host == b->host;
}

bool circles_called_later(const gcast_op *a, size_t a_index, const gcast_op *b, size_t b_index)
{
    if (!of_one_caller(a, b))
        return false;
    if (a->host == GCAST_NO_HOST && a->release_ns != b->release_ns)
        return b->release_ns > a->release_ns;
    return b_index > a_index;
}

/* An op on the way of the walk. */
typedef struct step {
    uint32_t op;   /* that the walk is at */
    uint32_t next; /* which of its edges is the next: of `after`, then the one in front of it in its stream */
} step;

enum { NEW, OPEN, DONE };

typedef struct walk {
    const gcast_workload *w;  /* whose ops wait for each other */
    const gcast_op **by_call; /* ops on the GPU, by caller, then in the order of their calls */
    uint32_t *in_front;       /* by op: the one called before it by the same caller in its stream; NONE */
    uint32_t *last;           /* by stream: the last op that by_call has there of the caller */
    unsigned char *mark;      /* by op: NEW, OPEN or DONE */
    step *way;                /* from the op where the walk began to where it is */
    size_t length;            /* of way */
} walk;

static int by_caller_and_call(const void *a, const void *b)
{
    const gcast_op *x = *(const gcast_op *const *)a, *y = *(const gcast_op *const *)b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->host == GCAST_NO_HOST && x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void find_in_front(walk *k)
{
    const gcast_workload *w = k->w;
    size_t n = 0;
    for (size_t i = 0; i < w->op_count; i++) {
        k->in_front[i] = NONE;
        if (gcast_kind_on_gpu(w->ops[i].kind))
            k->by_call[n++] = &w->ops[i];
    }
    for (size_t i = 0; i < w->stream_count; i++)
        k->last[i] = NONE;
    qsort(k->by_call, n, sizeof *k->by_call, by_caller_and_call);
    for (size_t i = 0; i < n; i++) {
        uint32_t op = (uint32_t)(k->by_call[i] - w->ops), *last = &k->last[k->by_call[i]->stream];
        if (*last != NONE && of_one_caller(&w->ops[*last], k->by_call[i]))
            k->in_front[op] = *last;
        *last = op;
    }
}

/* The op that edge number `edge` of op leads to; NONE: it has no more. */
static uint32_t edge_of(const walk *k, uint32_t op, uint32_t edge)
{
    const gcast_op *spec = &k->w->ops[op];
    if (edge < spec->after_count)
        return spec->after[edge];
    return edge == spec->after_count ? k->in_front[op] : NONE;
}

/* The circle that begins at place `first` of the way, in words. */
static gcast_status circle_error(const walk *k, size_t first, gcast_error *err)
{
    char text[400] = "", path[128], place[160];
    size_t length = 0, from = first;
    for (size_t i = first; i < k->length && length < sizeof text - 1; i++) {
        uint32_t op = k->way[i].op, next = i + 1 < k->length ? k->way[i + 1].op : k->way[first].op;
        const gcast_op *spec = &k->w->ops[op];
        bool by_after = k->way[i].next - 1 < spec->after_count;
        if (by_after)
            from = i;
        int n = by_after ? snprintf(text + length, sizeof text - length, "%s%.60s is after %.60s",
                                    i > first ? ", " : "", spec->label, k->w->ops[next].label)
                         : snprintf(text + length, sizeof text - length, "%s%.60s is behind %.60s in stream %d",
                                    i > first ? ", " : "", spec->label, k->w->ops[next].label,
                                    k->w->streams[spec->stream].id);
        length += n > 0 ? (size_t)n : 0;
    }
    gcast_workload_op_path(k->w, k->way[from].op, path, sizeof path);
    snprintf(place, sizeof place, "%s/after/%u", path, k->way[from].next - 1);
    return gcast_error_set(err, GCAST_INPUT, place, "ops wait for each other for ever: %s", text);
}

/* Where op is on the way. */
static size_t place_of(const walk *k, uint32_t op)
{
    size_t i = k->length;
    while (k->way[--i].op != op)
        continue;
    return i;
}

static gcast_status walk_from(walk *k, uint32_t op, gcast_error *err)
{
    k->length = 0;
    k->way[k->length++] = (step){op, 0};
    k->mark[op] = OPEN;
    while (k->length) {
        step *at = &k->way[k->length - 1];
        uint32_t next = edge_of(k, at->op, at->next++);
        if (next == NONE) {
            k->mark[at->op] = DONE;
            k->length--;
        } else if (k->mark[next] == OPEN) {
            return circle_error(k, place_of(k, next), err);
        } else if (k->mark[next] == NEW) {
            k->mark[next] = OPEN;
            k->way[k->length++] = (step){next, 0};
        }
    }
    return GCAST_OK;
}

gcast_status circles_check(const gcast_workload *w, gcast_error *err)
{
    walk k = {.w = w};
    gcast_status status = GCAST_OK;
    k.by_call = malloc((w->op_count + 1) * sizeof *k.by_call);
    k.in_front = malloc((w->op_count + 1) * sizeof *k.in_front);
    k.last = malloc((w->stream_count + 1) * sizeof *k.last);
    k.mark = calloc(w->op_count + 1, sizeof *k.mark);
    k.way = malloc((w->op_count + 1) * sizeof *k.way);
    if (!k.by_call || !k.in_front || !k.last || !k.mark || !k.way)
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK)
        find_in_front(&k);
    for (size_t i = 0; i < w->op_count && status == GCAST_OK; i++)
        if (k.mark[i] == NEW)
            status = walk_from(&k, (uint32_t)i, err);
    free(k.by_call);
    free(k.in_front);
    free(k.last);
    free(k.mark);
    free(k.way);
    return status;
}
