/* Without times: hosts make their calls as far as barriers let them. Everything else that a
 * host waits for ends by itself, so that a host which gets no further never does. A call that
 * is skipped, with all that follow it, holds no barrier up; the more are skipped the further
 * hosts get. So whoever waits where everything is skipped that may be waits for ever, and where
 * nobody waits with as few skipped as can be, nobody ever does. */
#include "model/workload/barriers.h"

#include <stdlib.h>

#include "base/arena.h"

#define NONE UINT32_MAX

static int by_number(const void *a, const void *b)
{
    const gcast_op *x = *(const gcast_op *const *)a, *y = *(const gcast_op *const *)b;
    return x->barrier < y->barrier ? -1 : x->barrier > y->barrier;
}

bool barriers_number(const gcast_workload *w, uint32_t *of, size_t *count)
{
    size_t n = 0;
    const gcast_op **sorted = malloc((w->op_count + 1) * sizeof(gcast_op *));
    *count = 0;
    if (!sorted)
        return false;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_BARRIER)
            sorted[n++] = &w->ops[i];
    qsort(sorted, n, sizeof(gcast_op *), by_number);
    for (size_t i = 0; i < n; i++) {
        *count += i == 0 || sorted[i]->barrier != sorted[i - 1]->barrier;
        of[sorted[i] - w->ops] = (uint32_t)*count - 1;
    }
    free(sorted);
    return true;
}

typedef struct meeting {
    size_t missing;  /* calls that have not been made */
    uint32_t waiter; /* the last host that came, and so on by `behind`; NONE */
} meeting;

typedef struct walk {
    const gcast_workload *w;
    arena memory;
    uint32_t *of;          /* barrier of an op */
    uint32_t *next;        /* op of the same host; NONE */
    uint32_t *first, *now; /* by host: its ops, and the one it is at; NONE: it is through */
    uint32_t *behind;      /* by host: who waits at the same barrier */
    uint32_t *going;       /* hosts that may go on */
    size_t going_count;
    meeting *barriers;
    size_t barrier_count;
} walk;

static bool set_up(walk *k)
{
    const gcast_workload *w = k->w;
    k->of = arena_alloc_array(&k->memory, w->op_count + 1, sizeof *k->of);
    k->next = arena_alloc_array(&k->memory, w->op_count + 1, sizeof *k->next);
    k->first = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->first);
    k->now = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->now);
    k->behind = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->behind);
    k->going = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->going);
    if (!k->of || !k->next || !k->first || !k->now || !k->behind || !k->going ||
        !barriers_number(w, k->of, &k->barrier_count))
        return false;
    k->barriers = arena_alloc_array(&k->memory, k->barrier_count + 1, sizeof *k->barriers);
    for (size_t h = 0; h < w->host_count; h++)
        k->first[h] = NONE;
    for (size_t i = w->op_count; i-- > 0;)
        if (w->ops[i].host != GCAST_NO_HOST) {
            k->next[i] = k->first[w->ops[i].host];
            k->first[w->ops[i].host] = (uint32_t)i;
        }
    return k->barriers;
}

static void called(walk *k, uint32_t op)
{
    meeting *m = &k->barriers[k->of[op]];
    if (--m->missing)
        return;
    for (uint32_t h = m->waiter; h != NONE; h = k->behind[h]) {
        k->now[h] = k->next[k->now[h]];
        k->going[k->going_count++] = h;
    }
    m->waiter = NONE;
}

/* Is the op skipped: surely, or, where all are that may be, perhaps? */
static bool skips(const gcast_op *op, bool all)
{
    return op->release_ns >= op->skip_ns || (all && op->skip_ns != GCAST_NEVER);
}

/* From where the host is to the barrier that holds it, or its end. */
static void go_on(walk *k, uint32_t host, bool all)
{
    while (k->now[host] != NONE) {
        uint32_t i = k->now[host];
        const gcast_op *op = &k->w->ops[i];
        if (skips(op, all)) {
            k->now[host] = NONE;
            for (; i != NONE; i = k->next[i])
                if (k->w->ops[i].kind == GCAST_KIND_BARRIER)
                    called(k, i);
            return;
        }
        if (op->kind == GCAST_KIND_BARRIER) {
            meeting *m = &k->barriers[k->of[i]];
            k->behind[host] = m->waiter;
            m->waiter = host;
            called(k, i);
            return;
        }
        k->now[host] = k->next[i];
    }
}

/* The first op that never ends; NONE. */
static uint32_t walk_hosts(walk *k, bool all)
{
    const gcast_workload *w = k->w;
    uint32_t stuck = NONE;
    for (size_t b = 0; b < k->barrier_count; b++)
        k->barriers[b] = (meeting){.waiter = NONE};
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_BARRIER)
            k->barriers[k->of[i]].missing += w->ops[i].host != GCAST_NO_HOST;
    for (size_t h = 0; h < w->host_count; h++) {
        k->now[h] = k->first[h];
        k->going[k->going_count++] = (uint32_t)h;
    }
    while (k->going_count)
        go_on(k, k->going[--k->going_count], all);
    for (size_t h = 0; h < w->host_count; h++)
        stuck = k->now[h] < stuck ? k->now[h] : stuck;
    for (size_t i = 0; i < w->op_count && i < stuck; i++)
        if (w->ops[i].kind == GCAST_KIND_BARRIER && w->ops[i].host == GCAST_NO_HOST && !skips(&w->ops[i], false) &&
            k->barriers[k->of[i]].missing)
            stuck = (uint32_t)i;
    return stuck;
}

gcast_status barriers_check(const gcast_workload *w, bool *may_wait, gcast_error *err)
{
    walk k = {.w = w};
    gcast_status status = GCAST_OK;
    *may_wait = false;
    if (!set_up(&k)) {
        status = gcast_error_set_memory(err);
    } else if (walk_hosts(&k, false) != NONE) {
        uint32_t stuck = walk_hosts(&k, true);
        char path[128];
        *may_wait = true;
        if (stuck != NONE) {
            gcast_workload_op_path(w, stuck, path, sizeof path);
            status = gcast_error_set(err, GCAST_INPUT, path,
                                     "%s never ends: its host thread waits for something that never comes",
                                     w->ops[stuck].label);
        }
    }
    arena_free(&k.memory);
    return status;
}
