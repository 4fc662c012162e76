#include "model/workload/dependencies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridcast/names.h"
#include "gridcast/workload.h"
#include "model/workload/workload.h"

/* Ops wait for themselves if their dependencies and the order of their streams form a circle. A depth-first walk over
 * all ops goes from each to the ops that it is after, and to the one in front of it in its stream. An op that is met
 * again while it is on the way of the walk is on a circle. */

#define NONE UINT32_MAX

/* Is the order of the calls of both ops known, as they are of one job and of one host, or both without a host? */
static bool of_one_caller(const gcast_op *a, const gcast_op *b)
{
    return a->task == b->task && a->host == b->host;
}

/* Is b surely called after a, if both are of one job? */
static bool is_called_later(const gcast_op *a, size_t a_index, const gcast_op *b, size_t b_index)
{
    if (!of_one_caller(a, b))
        return false;
    if (a->host == GCAST_NO_HOST && a->release_ns != b->release_ns)
        return b->release_ns > a->release_ns;
    return b_index > a_index;
}

/* An op on the way of the walk. */
typedef struct step {
    uint32_t op;   /* where the walk is */
    uint32_t next; /* which of its edges is the next: of `after`, then the one in front of it in its stream */
} step;

enum { NEW, OPEN, DONE };

typedef struct walk {
    const gcast_workload *w;  /* its ops wait for each other */
    const gcast_op **by_call; /* ops on the GPU, by caller, then in the order of their calls */
    uint32_t *in_front;       /* by op: the one called before it by the same caller in its stream; NONE */
    uint32_t *last;           /* by stream: the last op of it so far in by_call */
    unsigned char *mark;      /* by op: NEW, OPEN or DONE */
    step *way;                /* from the op where the walk began to the current one */
    size_t length;            /* of the way */
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

/* The op that edge number `edge` of op leads to; NONE: there is no such edge. */
static uint32_t edge_of(const walk *k, uint32_t op, uint32_t edge)
{
    const gcast_op *spec = &k->w->ops[op];
    if (edge < spec->after_count)
        return spec->after[edge];
    return edge == spec->after_count ? k->in_front[op] : NONE;
}

/* The error describes the circle that begins at place `first` of the way. */
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
        int n = by_after ? snprintf(text + length, sizeof text - length, "%s%.60s depends on %.60s",
                                    i > first ? ", " : "", spec->label, k->w->ops[next].label)
                         : snprintf(text + length, sizeof text - length, "%s%.60s is behind %.60s in stream %d",
                                    i > first ? ", " : "", spec->label, k->w->ops[next].label,
                                    k->w->streams[spec->stream].id);
        length += n > 0 ? (size_t)n : 0;
    }
    gcast_workload_op_path(k->w, k->way[from].op, path, sizeof path);
    snprintf(place, sizeof place, "%s/after/%u", path, k->way[from].next - 1);
    return gcast_error_set(err, GCAST_INPUT, place, "operations wait for each other forever: %s", text);
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

/* GCAST_INPUT names a circle: ops each of which is after the next one, or behind it in its stream. */
static gcast_status circles_check(const gcast_workload *w, gcast_error *err)
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

#define PATH_SIZE sizeof((gcast_error *)NULL)->path

bool dependencies_exist(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].after_count)
            return true;
    return false;
}

bool dependencies_name(const gcast_op *op, size_t named)
{
    for (size_t k = 0; k < op->after_count; k++)
        if (op->after[k] == named)
            return true;
    return false;
}

static void after_path(const gcast_workload *w, size_t op, size_t k, char path[PATH_SIZE])
{
    gcast_workload_op_path(w, op, path, PATH_SIZE);
    size_t length = strlen(path);
    snprintf(path + length, PATH_SIZE - length, "/after/%zu", k);
}

#define fail_at(...) (after_path(w, i, k, path), gcast_error_set(err, GCAST_INPUT, path, __VA_ARGS__))

/* Can op i be after its k-th dependency? `named_by`: by op, 1 more than the op that named it last. */
static gcast_status check_named(const gcast_workload *w, size_t i, size_t k, size_t *named_by, gcast_error *err)
{
    char path[PATH_SIZE];
    const gcast_op *op = &w->ops[i];
    size_t n = op->after[k];
    if (!gcast_kind_on_gpu(op->kind))
        return fail_at("a %s does not run on the GPU, so it cannot depend on operations",
                       gcast_name(GCAST_NAMES_KIND, op->kind));
    if (n >= w->op_count)
        return fail_at("there is no op %zu", n);
    const gcast_op *named = &w->ops[n];
    if (n == i)
        return fail_at("%.100s cannot depend on itself", op->label);
    if (named->task != op->task)
        return fail_at("%.100s %s: an operation can only depend on operations of its own job", named->label,
                       named->task == GCAST_ONCE ? "runs once"
                       : op->task == GCAST_ONCE  ? "is of a task"
                                                 : "is of another task");
    if (!gcast_kind_on_gpu(named->kind))
        return fail_at("%.100s is a %s and does not run on the GPU", named->label,
                       gcast_name(GCAST_NAMES_KIND, named->kind));
    if (named_by[n] == i + 1)
        return fail_at("%.100s is listed twice", named->label);
    named_by[n] = i + 1;
    return GCAST_OK;
}

static gcast_status check_all_named(const gcast_workload *w, gcast_error *err)
{
    size_t *named_by = calloc(w->op_count + 1, sizeof *named_by);
    gcast_status status = named_by ? GCAST_OK : gcast_error_set_memory(err);
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].after_count && status == GCAST_OK; k++)
            status = check_named(w, i, k, named_by, err);
    free(named_by);
    return status;
}

/* An event that is recorded after a stream was told to wait for it would not be waited for. */
static gcast_status check_call_order(const gcast_workload *w, size_t i, size_t k, gcast_error *err)
{
    char path[PATH_SIZE];
    const gcast_op *op = &w->ops[i], *named = &w->ops[op->after[k]];
    if (is_called_later(op, i, named, op->after[k]))
        return fail_at("%.100s is called after %.100s, so the second would not wait for the first: list the first "
                       "before it, and release it no later",
                       named->label, op->label);
    return GCAST_OK;
}

gcast_status dependencies_check(const gcast_workload *w, gcast_error *err)
{
    if (!dependencies_exist(w))
        return GCAST_OK;
    gcast_status status = check_all_named(w, err);
    if (status == GCAST_OK)
        status = circles_check(w, err);
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].after_count && status == GCAST_OK; k++)
            status = check_call_order(w, i, k, err);
    return status;
}

gcast_status dependencies_refuse(const gcast_workload *w, const char *refusal, gcast_error *err)
{
    char path[PATH_SIZE];
    const size_t k = 0;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].after_count)
            return fail_at("%.100s depends on %.100s: %s", w->ops[i].label, w->ops[w->ops[i].after[0]].label, refusal);
    return GCAST_OK;
}
