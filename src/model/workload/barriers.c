/* Walks through the calls of all hosts without times, as far as barriers let them. Everything else that a host waits
 * for ends by itself, so only barriers can stop a host for ever. A call that is skipped, and with it all later calls of
 * its host, counts as made at its barrier; so the more calls are skipped, the further hosts get. Therefore a host that
 * is stuck when all calls are skipped that may be is always stuck; and if no host is stuck when only those calls are
 * skipped that must be, none ever is. */
#include "model/workload/barriers.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/integers.h"
#include "model/workload/workload.h"

#define NONE UINT32_MAX

static int by_number(const void *a, const void *b)
{
    const gcast_op *x = *(const gcast_op *const *)a, *y = *(const gcast_op *const *)b;
    return x->barrier < y->barrier ? -1 : x->barrier > y->barrier;
}

bool barriers_number(const gcast_workload *w, uint32_t *number, size_t *count)
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
        number[sorted[i] - w->ops] = (uint32_t)*count - 1;
    }
    free(sorted);
    return true;
}

typedef struct barrier_state {
    size_t missing;  /* calls that have not been made */
    uint32_t waiter; /* the last host that waits at it, the head of a list by next_waiter; NONE */
} barrier_state;

typedef struct walk {
    const gcast_workload *w; /* its hosts make calls */
    arena memory;            /* holds the arrays */
    uint32_t *barrier_of;    /* by op: the number of its barrier */
    uint32_t *next_op;       /* by op: the next op of its host; NONE */
    uint32_t *first_op;      /* by host; NONE: it has none */
    uint32_t *current;       /* by host: the op it is at; NONE: it has made all calls */
    uint32_t *next_waiter;   /* by host: another that waits at the same barrier; NONE */
    uint32_t *ready;         /* a stack of hosts that can make calls */
    size_t ready_count;      /* hosts in it */
    barrier_state *barriers; /* by number */
    size_t barrier_count;    /* barriers */
} walk;

static bool prepare(walk *k)
{
    const gcast_workload *w = k->w;
    k->barrier_of = arena_alloc_array(&k->memory, w->op_count + 1, sizeof *k->barrier_of);
    k->next_op = arena_alloc_array(&k->memory, w->op_count + 1, sizeof *k->next_op);
    k->first_op = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->first_op);
    k->current = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->current);
    k->next_waiter = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->next_waiter);
    k->ready = arena_alloc_array(&k->memory, w->host_count + 1, sizeof *k->ready);
    if (!k->barrier_of || !k->next_op || !k->first_op || !k->current || !k->next_waiter || !k->ready ||
        !barriers_number(w, k->barrier_of, &k->barrier_count))
        return false;
    k->barriers = arena_alloc_array(&k->memory, k->barrier_count + 1, sizeof *k->barriers);
    for (size_t h = 0; h < w->host_count; h++)
        k->first_op[h] = NONE;
    for (size_t i = w->op_count; i-- > 0;)
        if (w->ops[i].host != GCAST_NO_HOST) {
            k->next_op[i] = k->first_op[w->ops[i].host];
            k->first_op[w->ops[i].host] = (uint32_t)i;
        }
    return k->barriers;
}

/* A call is made at a barrier, or skipped; the last call lets the hosts that wait there go on. */
static void count_call(walk *k, uint32_t op)
{
    barrier_state *m = &k->barriers[k->barrier_of[op]];
    if (--m->missing)
        return;
    for (uint32_t h = m->waiter; h != NONE; h = k->next_waiter[h]) {
        k->current[h] = k->next_op[k->current[h]];
        k->ready[k->ready_count++] = h;
    }
    m->waiter = NONE;
}

/* Is the op skipped? It must be where its release is too late; with may_skip, every op is that can be skipped. */
static bool is_skipped(const gcast_op *op, bool may_skip)
{
    return op->release_ns >= op->skip_ns || (may_skip && op->skip_ns != GCAST_NEVER);
}

/* Makes calls of a host up to the next barrier where it must wait, or to its end. */
static void advance(walk *k, uint32_t host, bool may_skip)
{
    while (k->current[host] != NONE) {
        uint32_t i = k->current[host];
        const gcast_op *op = &k->w->ops[i];
        if (is_skipped(op, may_skip)) {
            k->current[host] = NONE;
            for (; i != NONE; i = k->next_op[i])
                if (k->w->ops[i].kind == GCAST_KIND_BARRIER)
                    count_call(k, i);
            return;
        }
        if (op->kind == GCAST_KIND_BARRIER) {
            barrier_state *m = &k->barriers[k->barrier_of[i]];
            k->next_waiter[host] = m->waiter;
            m->waiter = host;
            count_call(k, i);
            return;
        }
        k->current[host] = k->next_op[i];
    }
}

/* The first op that never ends; NONE: all do. */
static uint32_t walk_hosts(walk *k, bool may_skip)
{
    const gcast_workload *w = k->w;
    uint32_t stuck = NONE;
    for (size_t b = 0; b < k->barrier_count; b++)
        k->barriers[b] = (barrier_state){.waiter = NONE};
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].kind == GCAST_KIND_BARRIER)
            k->barriers[k->barrier_of[i]].missing += w->ops[i].host != GCAST_NO_HOST;
    for (size_t h = 0; h < w->host_count; h++) {
        k->current[h] = k->first_op[h];
        k->ready[k->ready_count++] = (uint32_t)h;
    }
    while (k->ready_count)
        advance(k, k->ready[--k->ready_count], may_skip);
    for (size_t h = 0; h < w->host_count; h++)
        stuck = min_u32(stuck, k->current[h]);
    for (size_t i = 0; i < w->op_count && i < stuck; i++)
        if (w->ops[i].kind == GCAST_KIND_BARRIER && w->ops[i].host == GCAST_NO_HOST && !is_skipped(&w->ops[i], false) &&
            k->barriers[k->barrier_of[i]].missing)
            stuck = (uint32_t)i;
    return stuck;
}

gcast_status barriers_check(const gcast_workload *w, bool *may_wait, gcast_error *err)
{
    walk k = {.w = w};
    gcast_status status = GCAST_OK;
    *may_wait = false;
    if (!prepare(&k)) {
        status = gcast_error_set_memory(err);
    } else if (walk_hosts(&k, false) != NONE) {
        uint32_t stuck = walk_hosts(&k, true);
        char path[128];
        *may_wait = true;
        if (stuck != NONE) {
            gcast_workload_op_path(w, stuck, path, sizeof path);
            status = gcast_error_set(err, GCAST_INPUT, path, "%s never ends: its host thread waits forever",
                                     w->ops[stuck].label);
        }
    }
    arena_free(&k.memory);
    return status;
}
