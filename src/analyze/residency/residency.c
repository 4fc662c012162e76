/* The proof that no schedule hangs (docs/residency.md): which kernels may hold room for ever (lemma 1), whether each
 * kernel finds room beside them (lemmas 2 and 3), whether anything needs itself (lemma 4), and whether shared
 * connections add such a circle (lemma 5). What the proof finds missing is a risk. */
#include "analyze/residency/residency.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/residency/room.h"
#include "base/integers.h"
#include "base/vec.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "model/workload/policy.h"
#include "model/workload/workload.h"
#include "simulate/graph_shape.h"

/* Lemma 1 finds the holders: kernels whose blocks may hold room for ever. They wait for blocks, or they wait for such a
 * kernel as programmatic kernels or by edges of graphs. */

typedef enum {
    HOLDS_NOTHING, /* its blocks end once they have started */
    HOLDS_OWN,     /* its blocks wait only for blocks of their own kernel */
    HOLDS_OTHERS   /* its blocks may wait for something else, so all of them may be resident */
} holder_kind;

typedef struct holder_finder {
    const gcast_workload *w;
    bool *unending;      /* by op: it may never complete although all of its blocks have started */
    bool *unending_tail; /* by stream: so may the kernel that a further programmatic one would be behind */
} holder_finder;

/* Does it wait for blocks of another kernel? */
static bool waits_for_others(const gcast_op *op, size_t itself)
{
    for (size_t k = 0; k < op->waits_for_count; k++)
        if (op->waits_for[k] != itself)
            return true;
    return false;
}

/* Does it start programmatically, by its stream or by an edge with a port, after a kernel that may never complete? */
static bool is_behind(const holder_finder *f, size_t i)
{
    const gcast_op *op = &f->w->ops[i];
    if (op->programmatic && f->unending_tail[op->stream])
        return true;
    for (size_t k = 0; op->ports && k < op->after_count; k++)
        if (op->ports[k] != GCAST_PORT_FULL && f->unending[op->after[k]])
            return true;
    return false;
}

static holder_kind holder_kind_of(const holder_finder *f, size_t i)
{
    const gcast_op *op = &f->w->ops[i];
    if (op->kind != GCAST_KIND_KERNEL || !attributes_waits(op))
        return HOLDS_NOTHING;
    if (waits_for_others(op, i) || is_behind(f, i))
        return HOLDS_OTHERS;
    return op->waits_for_count ? HOLDS_OWN : HOLDS_NOTHING;
}

/* The kind of each op, for the caller to free. NULL without memory. */
static holder_kind *holders_find(const gcast_workload *w)
{
    holder_kind *kinds = calloc(w->op_count + 1, sizeof *kinds);
    holder_finder f = {w, calloc(w->op_count + 1, sizeof *f.unending),
                       calloc(w->stream_count + 1, sizeof *f.unending_tail)};
    for (size_t i = 0; kinds && f.unending && f.unending_tail && i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        kinds[i] = holder_kind_of(&f, i);
        f.unending[i] = op->kind == GCAST_KIND_KERNEL && (waits_for_others(op, i) || is_behind(&f, i));
        bool is_skipped = op->host == GCAST_NO_HOST && op->skip_ns != GCAST_NEVER; /* then nobody waits for it */
        f.unending_tail[op->stream] =
            (op->graph == GCAST_NO_GRAPH && f.unending[i]) || (is_skipped && f.unending_tail[op->stream]);
    }
    if (!f.unending || !f.unending_tail) {
        free(kinds);
        kinds = NULL;
    }
    free(f.unending);
    free(f.unending_tail);
    return kinds;
}

/* An error that names the first part of the workload that the proof does not cover. */
static gcast_status refuse_uncovered(const gcast_workload *w, gcast_error *err)
{
    gcast_status status = policy_refuse(w, "residency does not cover kernels with plans or launches of kernels", err);
    if (status != GCAST_OK)
        return status;
    if (w->task_count)
        return gcast_error_set(err, GCAST_INPUT, "/tasks", "residency covers operations that run once, not tasks");
    int process = -1; /* the process of all ops so far */
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        int op_process = op->stream < 0 ? process : w->streams[op->stream].process;
        if (process >= 0 && op_process != process)
            return gcast_error_set(err, GCAST_INPUT, NULL,
                                   "several processes share the GPU by time slices, which residency does not cover");
        process = op_process;
        if (op->kind == GCAST_KIND_KERNEL && attributes_cluster(op) > 1)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s has clusters, which residency does not cover",
                                   op->label);
        if (op->stream >= 0 && w->streams[op->stream].id == 0)
            return gcast_error_set(err, GCAST_INPUT, NULL,
                                   "%.100s is in the NULL stream, which residency does not cover", op->label);
    }
    return GCAST_OK;
}

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

/* The state of a proof. */
typedef struct proof {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    needs facts;
    room_amounts sm;
    room_kernel *kernels; /* by op */
    holder_kind *kinds;   /* by op: what its blocks may wait for */
    uint32_t *holders;    /* ops whose blocks may hold room for ever */
    size_t holder_count;
    size_t waiter_count; /* kernels that name kernels whose blocks they wait for */
    uint32_t *barriers;  /* calls of barriers that need themselves */
    size_t barrier_count;
    unsigned char *behind; /* by op: it may be in a connection behind the kernel under test */
    unsigned char *apart;  /* by holder and op: never both resident or in the EE queue */
    room_waiter *beside;   /* scratch: one of each holder */
    bool carveouts;
    int connections;
    graph_shape shape; /* which nodes of graphs join connections */
    VEC(residency_risk) risks;
    gcast_error *err;
} proof;

static gcast_status add_risk(proof *p, residency_reason reason, uint32_t kernel, uint32_t waiter, uint32_t between)
{
    residency_risk risk = {reason, kernel, waiter, between};
    return vec_push(&p->risks, risk) ? GCAST_OK : gcast_error_set_memory(p->err);
}

static bool has_risk(const proof *p, residency_reason reason, uint32_t waiter)
{
    for (size_t i = 0; i < p->risks.count; i++)
        if (p->risks.at[i].reason == reason && p->risks.at[i].waiter == waiter)
            return true;
    return false;
}

/* Cooperative kernels have the highest level, whatever the priority of their stream. */
static int level_of(const proof *p, size_t op)
{
    if (p->w->ops[op].cooperative)
        return 0;
    return level_of_priority(p->gpu, p->w->streams[p->w->ops[op].stream].priority);
}

/* How many blocks of kernel k can be resident and wait while h is the head and finds no room (lemma 2). */
static int64_t blocks_beside(const proof *p, size_t k, size_t h)
{
    const gcast_op *op = &p->w->ops[k];
    int64_t all = op->blocks > INT32_MAX ? INT32_MAX : (int64_t)op->blocks;
    if (k == h)
        return op->cooperative ? 0 : all - 1; /* one of its own blocks has not started */
    if (p->kinds[k] == HOLDS_OTHERS)
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
    if (p->w->ops[a].mask == GCAST_ALL_SMS || p->w->ops[a].mask == p->w->ops[b].mask)
        return true;
    for (int sm = 0; sm < p->gpu->sms; sm++)
        if (mask_has_sm(mask_at(p->w, p->w->ops[a].mask), sm) && mask_has_sm(mask_at(p->w, p->w->ops[b].mask), sm))
            return true;
    return false;
}

/* Does h find room beside its own blocks alone? */
static bool fits_alone(const proof *p, size_t h, const room_head *head)
{
    room_waiter own = {&p->kernels[h], p->kinds[h] == HOLDS_NOTHING ? 0 : blocks_beside(p, h, h)};
    return room_is_left(&p->sm, head, &own, 1, p->carveouts);
}

static gcast_status check_room(proof *p, size_t h)
{
    room_head head = head_of(p, h);
    uint32_t largest = (uint32_t)h; /* the holder besides h with the most blocks */
    int64_t most = 0;
    for (size_t i = 0; i < p->holder_count; i++) {
        uint32_t k = p->holders[i];
        bool apart = k != h && (p->apart[i * p->w->op_count + h] || !masks_meet(p, k, h));
        p->beside[i] = (room_waiter){&p->kernels[k], apart ? 0 : blocks_beside(p, k, h)};
        if (k != h && p->beside[i].blocks > most) {
            most = p->beside[i].blocks;
            largest = k;
        }
    }
    if (room_is_left(&p->sm, &head, p->beside, p->holder_count, p->carveouts))
        return GCAST_OK;
    bool by_size = largest == h || !fits_alone(p, h, &head);
    return add_risk(p, by_size ? RESIDENCY_SIZE : RESIDENCY_ROOM, (uint32_t)h, by_size ? (uint32_t)h : largest,
                    RESIDENCY_NONE);
}

/* A kernel that is waited for must be called, and must be able to start before its waiter is complete (lemma 4). */
static gcast_status check_order(proof *p, uint32_t waiter)
{
    const gcast_op *op = &p->w->ops[waiter];
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < op->waits_for_count && status == GCAST_OK; i++) {
        uint32_t x = op->waits_for[i];
        if (x == waiter)
            continue;
        needs_walk(&p->facts, x, NEEDS_STARTED, NEEDS_ALL);
        if (needs_marked(&p->facts, waiter, NEEDS_COMPLETE))
            status = add_risk(p, RESIDENCY_ORDER, x, waiter, RESIDENCY_NONE);
        for (size_t b = 0; b < p->barrier_count && status == GCAST_OK; b++)
            if (needs_marked(&p->facts, p->barriers[b], NEEDS_RETURNED)) {
                status = add_risk(p, RESIDENCY_BARRIER, x, waiter, RESIDENCY_NONE);
                break;
            }
        if (status == GCAST_OK && needs_may_be_skipped(p->w, x, waiter))
            status = add_risk(p, RESIDENCY_SKIP, x, waiter, RESIDENCY_NONE);
    }
    return status;
}

static bool is_node(const gcast_op *op)
{
    return op->graph != GCAST_NO_GRAPH;
}

/* Does it join a connection? */
static bool joins(const proof *p, size_t op)
{
    return is_node(&p->w->ops[op]) ? p->shape.nodes[op].joins : p->w->ops[op].kind == GCAST_KIND_KERNEL;
}

/* The first waiter for blocks of other kernels whose completion the last walk marked; or RESIDENCY_NONE. */
static uint32_t first_needed_waiter(const proof *p)
{
    for (size_t i = 0; i < p->holder_count; i++)
        if (p->w->ops[p->holders[i]].waits_for_count && p->kinds[p->holders[i]] == HOLDS_OTHERS &&
            needs_marked(&p->facts, p->holders[i], NEEDS_COMPLETE))
            return p->holders[i];
    return RESIDENCY_NONE;
}

/* Is a CONNECTION risk already noted for every kernel that waits for blocks of others? */
static bool all_connection_risks_found(const proof *p)
{
    for (size_t i = 0; i < p->holder_count; i++)
        if (p->w->ops[p->holders[i]].waits_for_count && p->kinds[p->holders[i]] == HOLDS_OTHERS &&
            !has_risk(p, RESIDENCY_CONNECTION, p->holders[i]))
            return false;
    return true;
}

/* Lemma 5, where streams share connections. Of the kernels that wait for ever at the head of a connection, let y be the
 * one called first. In a stuck state y needs the completion of a waiter, and that waiter needs the entry of a kernel z
 * that is in a connection too and was called after y. */
static gcast_status check_connections(proof *p, size_t y)
{
    size_t ops = p->w->op_count;
    needs_walk(&p->facts, y, NEEDS_ENTERED, NEEDS_NO_BLOCKS);
    uint32_t waiter = first_needed_waiter(p);
    if (waiter == RESIDENCY_NONE || has_risk(p, RESIDENCY_CONNECTION, waiter))
        return GCAST_OK;
    needs_walk(&p->facts, 0, 0, NEEDS_PAST_WAIT);
    for (size_t z = 0; z < ops; z++)
        p->behind[z] = z != y && joins(p, z) && needs_marked(&p->facts, z, NEEDS_ENTERED);
    needs_walk(&p->facts, y, NEEDS_CALLED, NEEDS_SURE);
    for (size_t z = 0; z < ops; z++)
        if (p->behind[z] && !needs_marked(&p->facts, z, NEEDS_CALLED))
            return add_risk(p, RESIDENCY_CONNECTION, (uint32_t)z, waiter, (uint32_t)y);
    return GCAST_OK;
}

/* How many connections give each stream one of its own; chains of graphs count as streams. */
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

/* Finds calls of barriers that need themselves: their hosts wait for ever. */
static void find_barriers(proof *p)
{
    for (size_t i = 0; i < p->w->op_count && p->holder_count; i++) {
        if (p->w->ops[i].kind != GCAST_KIND_BARRIER)
            continue;
        needs_walk(&p->facts, i, NEEDS_RETURNED, NEEDS_NO_BLOCKS);
        if (needs_marked(&p->facts, i, NEEDS_RETURNED))
            p->barriers[p->barrier_count++] = (uint32_t)i;
    }
}

/* Finds the ops that are never in the queue or resident while blocks of holder i are. */
static void find_apart(proof *p, size_t i)
{
    size_t ops = p->w->op_count;
    unsigned char *apart = &p->apart[i * ops];
    needs_walk_back(&p->facts, p->holders[i], NEEDS_COMPLETE);
    for (size_t h = 0; h < ops; h++)
        apart[h] = needs_marked(&p->facts, h, NEEDS_ENTERED);
    needs_walk(&p->facts, p->holders[i], NEEDS_ENTERED, NEEDS_SURE);
    for (size_t h = 0; h < ops; h++)
        apart[h] |= needs_marked(&p->facts, h, NEEDS_COMPLETE);
}

static bool prepare(proof *p)
{
    size_t ops = p->w->op_count;
    p->kernels = calloc(ops + 1, sizeof *p->kernels);
    p->holders = calloc(ops + 1, sizeof *p->holders);
    p->beside = calloc(ops + 1, sizeof *p->beside);
    p->barriers = calloc(ops + 1, sizeof *p->barriers);
    p->behind = calloc(ops + 1, 1);
    p->kinds = holders_find(p->w);
    if (!p->kernels || !p->holders || !p->beside || !p->barriers || !p->behind || !p->kinds)
        return false;
    p->sm = room_of_sm(p->gpu);
    p->carveouts = carveout_matters(p->gpu, p->w);
    p->connections = connections_in_force(p->w, p->gpu);
    for (size_t i = 0; i < ops; i++) {
        if (p->w->ops[i].kind == GCAST_KIND_KERNEL)
            p->kernels[i] = room_of_kernel(p->gpu, &p->w->ops[i], &p->sm);
        if (p->kinds[i] != HOLDS_NOTHING)
            p->holders[p->holder_count++] = (uint32_t)i;
        p->waiter_count += p->w->ops[i].waits_for_count > 0;
    }
    room_mix_sizes(p->kernels, ops);
    p->apart = calloc(p->holder_count + 1, ops + 1);
    return graph_shape_init(&p->shape, p->w, p->gpu) && p->apart;
}

/* How many kernels of a stream can hold room at once: overlapping programmatic ones, or the nodes of one launch. */
static size_t stream_holders(const proof *p, int stream)
{
    size_t kernels = 0, nodes = 0, most = 0, at_once = 1;
    int launch = GCAST_NO_GRAPH;
    for (size_t i = 0; i < p->w->op_count; i++) {
        const gcast_op *op = &p->w->ops[i];
        if (op->kind != GCAST_KIND_KERNEL || op->stream != stream)
            continue;
        if (op->programmatic)
            at_once = (size_t)programmatic_depth_of(p->gpu);
        if (p->kinds[i] == HOLDS_NOTHING)
            continue;
        kernels += !is_node(op);
        nodes = is_node(op) ? (op->graph == launch ? nodes : 0) + 1 : nodes;
        launch = is_node(op) ? op->graph : launch;
        most = max_size(most, nodes);
    }
    return max_size(min_size(kernels, at_once), most);
}

/* The limit of resident kernels blocks none for ever while fewer kernels than that can hold room (lemma 2). */
static gcast_status check_grids(proof *p)
{
    int limit = p->gpu->limits.resident_grids;
    size_t holders = p->holder_count;
    if (limit && holders >= (size_t)limit) {
        holders = 0;
        for (size_t s = 0; s < p->w->stream_count; s++)
            holders += stream_holders(p, (int)s);
    }
    if (!limit || holders < (size_t)limit)
        return GCAST_OK;
    return gcast_error_set(p->err, GCAST_INPUT, NULL,
                           "%zu kernels may wait for blocks at a time, but the GPU runs %d at a time", holders, limit);
}

static gcast_status prove(proof *p)
{
    gcast_status status = check_grids(p);
    bool shared = p->connections && p->holder_count && connections_needed(p) > (size_t)p->connections;
    for (size_t i = 0; i < p->holder_count; i++)
        find_apart(p, i);
    find_barriers(p);
    for (size_t i = 0; i < p->holder_count && status == GCAST_OK; i++)
        status = check_order(p, p->holders[i]);
    for (size_t y = 0; shared && y < p->w->op_count && status == GCAST_OK; y++)
        if (joins(p, y) && !all_connection_risks_found(p))
            status = check_connections(p, y);
    for (size_t h = 0; h < p->w->op_count && p->holder_count && status == GCAST_OK; h++)
        if (p->w->ops[h].kind == GCAST_KIND_KERNEL)
            status = check_room(p, h);
    return status;
}

gcast_status residency_prove(const gcast_workload *w, const gcast_gpu *gpu, const needs_assumed *assumed,
                             residency *out, gcast_error *err)
{
    proof p = {.w = w, .gpu = gpu, .err = err};
    *out = (residency){0};
    gcast_status status = refuse_uncovered(w, err);
    if (status == GCAST_OK)
        status = needs_make(&p.facts, w, assumed, err);
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
    free(p.holders);
    free(p.kinds);
    free(p.apart);
    free(p.barriers);
    free(p.behind);
    free(p.beside);
    vec_free(&p.risks);
    return status;
}

void residency_free(residency *r)
{
    arena_free(&r->memory);
    *r = (residency){0};
}
