#include "analyze/residency/residency.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/residency/room.h"
#include "base/vec.h"
#include "model/gpu/level.h"
#include "model/workload/attributes/attributes.h"
#include "model/workload/mask.h"
#include "model/workload/policy.h"
#include "simulate/rules/graph_shape.h"

static const char *const reason_names[] = {
#define X(id, name, text) name,
    RESIDENCY_REASON_TABLE(X)
#undef X
};
static const char *const reason_texts[] = {
#define X(id, name, text) text,
    RESIDENCY_REASON_TABLE(X)
#undef X
};

const char *residency_reason_name(residency_reason r)
{
    return (unsigned)r < RESIDENCY_REASONS ? reason_names[r] : "?";
}

const char *residency_reason_text(residency_reason r)
{
    return (unsigned)r < RESIDENCY_REASONS ? reason_texts[r] : "?";
}

/* A proof while it is made. */
typedef struct proof {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    needs facts;
    room_amounts sm;
    room_kernel *kernels; /* by op */
    uint32_t *waiters;    /* ops whose blocks wait for blocks */
    size_t waiter_count;
    unsigned char *apart; /* by waiter and op: they are never resident or in the EE queue at the same time */
    room_waiter *beside;  /* room for one of each waiter */
    bool carveouts;
    int connections;
    graph_shape shape; /* of graphs: which nodes join connections */
    VEC(residency_risk) risks;
    gcast_error *err;
} proof;

static gcast_status add_risk(proof *p, residency_reason reason, uint32_t kernel, uint32_t waiter, uint32_t between)
{
    residency_risk risk = {reason, kernel, waiter, between};
    return vec_push(&p->risks, risk) ? GCAST_OK : gcast_error_set_memory(p->err);
}

static bool waits_for(const gcast_op *op, size_t other)
{
    for (size_t i = 0; i < op->waits_for_count; i++)
        if (op->waits_for[i] == other)
            return true;
    return false;
}

/* Does it wait for blocks of others than itself? */
static bool waits_for_others(const gcast_op *op, size_t itself)
{
    return op->waits_for_count > (size_t)waits_for(op, itself);
}

/* Cooperative kernels go before all others, whatever the priority of their stream. */
static int level_of(const proof *p, size_t op)
{
    if (p->w->ops[op].cooperative)
        return 0;
    return level_of_priority(p->gpu, p->w->streams[p->w->ops[op].stream].priority);
}

/* How many blocks of waiter k can be resident and wait while h is the head and finds no room (lemma 2). */
static int64_t blocks_beside(const proof *p, size_t k, size_t h)
{
    const gcast_op *op = &p->w->ops[k];
    int64_t all = op->blocks > INT32_MAX ? INT32_MAX : (int64_t)op->blocks;
    if (k == h)
        return op->cooperative ? 0 : all - 1;
    if (waits_for_others(op, k))
        return all;
    return level_of(p, k) <= level_of(p, h) || op->cooperative ? 0 : all - 1;
}

static room_head head_of(const proof *p, size_t h)
{
    const gcast_op *op = &p->w->ops[h];
    int64_t all = op->blocks > INT32_MAX ? INT32_MAX : (int64_t)op->blocks;
    return (room_head){.kernel = &p->kernels[h],
                       .together = op->cooperative ? all : 1,
                       .anywhere = op->cooperative,
                       .sms = mask_sm_count(mask_at(p->w, op->mask), p->gpu->sms)};
}

/* Is there an SM that both kernels may use? */
static bool masks_meet(const proof *p, size_t a, size_t b)
{
    for (int sm = 0; sm < p->gpu->sms; sm++)
        if (mask_has_sm(mask_at(p->w, p->w->ops[a].mask), sm) && mask_has_sm(mask_at(p->w, p->w->ops[b].mask), sm))
            return true;
    return false;
}

static gcast_status check_room(proof *p, size_t h)
{
    room_head head = head_of(p, h);
    uint32_t largest = RESIDENCY_NONE;
    int64_t most = 0;
    for (size_t i = 0; i < p->waiter_count; i++) {
        uint32_t k = p->waiters[i];
        bool apart = k != h && (p->apart[i * p->w->op_count + h] || !masks_meet(p, k, h));
        p->beside[i] = (room_waiter){&p->kernels[k], apart ? 0 : blocks_beside(p, k, h)};
        if (p->beside[i].blocks > most) {
            most = p->beside[i].blocks;
            largest = k;
        }
    }
    if (room_is_left(&p->sm, &head, p->beside, p->waiter_count, p->carveouts))
        return GCAST_OK;
    return add_risk(p, largest == h ? RESIDENCY_SIZE : RESIDENCY_ROOM, (uint32_t)h,
                    largest == RESIDENCY_NONE ? (uint32_t)h : largest, RESIDENCY_NONE);
}

/* A kernel that is waited for must not start only after the one that waits is complete. */
static gcast_status check_order(proof *p, uint32_t waiter)
{
    const gcast_op *op = &p->w->ops[waiter];
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < op->waits_for_count && status == GCAST_OK; i++) {
        uint32_t x = op->waits_for[i];
        if (x == waiter)
            continue;
        needs_walk(&p->facts, x, NEEDS_ENTERED, true);
        if (needs_marked(&p->facts, waiter, NEEDS_COMPLETE))
            status = add_risk(p, RESIDENCY_ORDER, x, waiter, RESIDENCY_NONE);
    }
    return status;
}

static bool is_called_before(const gcast_workload *w, size_t a, size_t b)
{
    return w->ops[a].host == w->ops[b].host && a < b &&
           (w->ops[a].host != GCAST_NO_HOST || w->ops[a].release_ns <= w->ops[b].release_ns);
}

static bool is_node(const gcast_op *op)
{
    return op->graph != GCAST_NO_GRAPH;
}

/* May it wait in a connection? */
static bool joins(const proof *p, size_t op)
{
    return is_node(&p->w->ops[op]) ? p->shape.nodes[op].joins : p->w->ops[op].kind == GCAST_KIND_KERNEL;
}

/* Where streams share connections: a kernel that is waited for may be behind one that needs the waiter to be complete
 * (lemma 5). */
static gcast_status check_connections(proof *p, uint32_t waiter)
{
    const gcast_op *op = &p->w->ops[waiter];
    needs_walk_back(&p->facts, waiter, NEEDS_COMPLETE);
    for (size_t i = 0; i < op->waits_for_count; i++) {
        uint32_t x = op->waits_for[i];
        for (size_t y = 0; x != waiter && joins(p, x) && y < p->w->op_count; y++) {
            bool one_launch = is_node(&p->w->ops[y]) && p->w->ops[y].graph == p->w->ops[x].graph;
            if (!joins(p, y) || y == x || !needs_marked(&p->facts, y, NEEDS_ENTERED) ||
                (p->w->ops[y].stream == p->w->ops[x].stream && !one_launch) || is_called_before(p->w, x, y))
                continue;
            return add_risk(p, RESIDENCY_CONNECTION, x, waiter, (uint32_t)y);
        }
    }
    return GCAST_OK;
}

/* How many connections keep streams, and chains of graphs that count as streams, apart. */
static size_t connections_needed(const proof *p)
{
    const gcast_workload *w = p->w;
    size_t count = 0;
    for (size_t s = 0; s < w->stream_count; s++)
        for (size_t i = 0; i < w->op_count; i++)
            if (joins(p, i) && w->ops[i].stream == (int)s && !(is_node(&w->ops[i]) && !p->shape.nodes[i].in_first)) {
                count++;
                break;
            }
    for (size_t i = 0; i < w->op_count; i++)
        count += is_node(&w->ops[i]) && joins(p, i) && !p->shape.nodes[i].in_first && !p->shape.nodes[i].joins_behind;
    return count;
}

/* Which ops are never in the queue or resident while blocks of a waiter are. */
static void find_apart(proof *p, size_t i)
{
    size_t ops = p->w->op_count;
    unsigned char *apart = &p->apart[i * ops];
    needs_walk_back(&p->facts, p->waiters[i], NEEDS_COMPLETE);
    for (size_t h = 0; h < ops; h++)
        apart[h] = needs_marked(&p->facts, h, NEEDS_ENTERED);
    needs_walk(&p->facts, p->waiters[i], NEEDS_ENTERED, false);
    for (size_t h = 0; h < ops; h++)
        apart[h] |= needs_marked(&p->facts, h, NEEDS_COMPLETE);
}

static gcast_status refuse(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    size_t waiters = 0;
    gcast_status status = policy_refuse(w, "residency knows only kernels that the GPU schedules alone", err);
    if (status != GCAST_OK)
        return status;
    if (w->task_count)
        return gcast_error_set(err, GCAST_INPUT, "/tasks", "residency covers ops that run once, not tasks");
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        waiters += op->waits_for_count > 0;
        if (op->kind == GCAST_KIND_KERNEL && attributes_cluster(op) > 1)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s has clusters, which residency does not cover",
                                   op->label);
        if (op->stream >= 0 && w->streams[op->stream].id == 0)
            return gcast_error_set(err, GCAST_INPUT, NULL,
                                   "%.100s is in the NULL stream, which residency does not cover", op->label);
    }
    if (gpu->limits.resident_grids && waiters >= (size_t)gpu->limits.resident_grids)
        return gcast_error_set(err, GCAST_INPUT, NULL, "%zu kernels wait for blocks; the GPU runs %d at a time",
                               waiters, gpu->limits.resident_grids);
    return GCAST_OK;
}

static bool prepare(proof *p)
{
    size_t ops = p->w->op_count;
    p->kernels = calloc(ops + 1, sizeof *p->kernels);
    p->waiters = calloc(ops + 1, sizeof *p->waiters);
    p->beside = calloc(ops + 1, sizeof *p->beside);
    if (!p->kernels || !p->waiters || !p->beside)
        return false;
    p->sm = room_of_sm(p->gpu);
    p->carveouts = carveout_matters(p->gpu, p->w);
    p->connections = p->w->connections >= 0 ? p->w->connections : p->gpu->connections;
    for (size_t i = 0; i < ops; i++) {
        if (p->w->ops[i].kind == GCAST_KIND_KERNEL)
            p->kernels[i] = room_of_kernel(p->gpu, &p->w->ops[i], &p->sm);
        if (p->w->ops[i].waits_for_count)
            p->waiters[p->waiter_count++] = (uint32_t)i;
    }
    p->apart = calloc(p->waiter_count + 1, ops + 1);
    return graph_shape_init(&p->shape, p->w, p->gpu) && p->apart;
}

static gcast_status prove(proof *p)
{
    gcast_status status = GCAST_OK;
    bool shared = p->connections && connections_needed(p) > (size_t)p->connections;
    for (size_t i = 0; i < p->waiter_count; i++)
        find_apart(p, i);
    for (size_t i = 0; i < p->waiter_count && status == GCAST_OK; i++) {
        status = check_order(p, p->waiters[i]);
        if (status == GCAST_OK && shared)
            status = check_connections(p, p->waiters[i]);
    }
    for (size_t h = 0; h < p->w->op_count && p->waiter_count && status == GCAST_OK; h++)
        if (p->w->ops[h].kind == GCAST_KIND_KERNEL)
            status = check_room(p, h);
    return status;
}

gcast_status residency_prove(const gcast_workload *w, const gcast_gpu *gpu, const needs_order *order, residency *out,
                             gcast_error *err)
{
    proof p = {.w = w, .gpu = gpu, .err = err};
    *out = (residency){0};
    gcast_status status = refuse(w, gpu, err);
    if (status == GCAST_OK)
        status = needs_make(&p.facts, w, order, err);
    if (status == GCAST_OK)
        status = prepare(&p) ? prove(&p) : gcast_error_set_memory(err);
    if (status == GCAST_OK && p.risks.count) {
        out->risks = arena_copy(&out->memory, p.risks.at, p.risks.count * sizeof *p.risks.at);
        status = out->risks ? GCAST_OK : gcast_error_set_memory(err);
    }
    out->risk_count = p.risks.count;
    out->waiter_count = p.waiter_count;
    needs_free(&p.facts);
    graph_shape_free(&p.shape);
    free(p.kernels);
    free(p.waiters);
    free(p.apart);
    free(p.beside);
    vec_free(&p.risks);
    return status;
}

void residency_free(residency *r)
{
    arena_free(&r->memory);
    *r = (residency){0};
}
