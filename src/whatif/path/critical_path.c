#include "whatif/path/critical_path.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/run_ops.h"
#include "whatif/path/host_path.h"
#include "whatif/path/lone_kernels.h"
#include "whatif/path/op_waits.h"
#include "whatif/path/stream_order.h"

typedef struct walk {
    const gcast_run *run;
    critical_path *path;  /* parts so far, the last first */
    lone_kernels lone;    /* kernels that no other one was beside */
    host_order hosts;     /* calls of each host, one after the other */
    stream_order streams; /* and of each stream */
    run_index index;      /* what explanations look up */
    bool slowly;          /* every operation is explained */
    size_t run_op;        /* where the walk is: this operation ... */
    int64_t t;            /* ... at this time */
    bool failed;          /* there was no memory for a part */
} walk;

static void add_part(walk *k, size_t run_op, wait_label label, gcast_reason reason, int64_t from_ns)
{
    if (from_ns >= k->t)
        return;
    const gcast_run_op *r = &k->run->ops[run_op];
    if (!vec_push(&k->path->parts, ((path_part){run_op, r->op, r->job, label, reason, from_ns, k->t})))
        k->failed = true;
    k->path->by_label[label] += k->t - from_ns;
    k->t = from_ns;
}

/* From `holder` on, which is what the operation here needed: at its end or, where less of it was needed, earlier. */
static void follow(walk *k, const gcast_wait *wait, size_t holder)
{
    add_part(k, k->run_op, wait_label_of_reason(wait->reason), wait->reason, min_i64(k->t, k->run->ops[holder].end_ns));
    k->run_op = holder;
}

/* Is the wait one for an older operation that is needed? Older ones only, so that the walk comes to an end. */
static bool is_followed(const walk *k, const gcast_wait *wait)
{
    if (!wait_label_is_followed(wait->reason) || !wait->holder_count || wait->run_op != k->run_op)
        return false;
    size_t holder = wait->holders[0].run_op;
    return holder < k->run->op_count && k->run_op < k->run->op_count &&
           k->run->ops[holder].launch < k->run->ops[k->run_op].launch && k->run->ops[holder].end_ns > 0;
}

/* Back through the waits of the operation here, to its release or to an operation that it needed: true. */
static bool walk_waits(walk *k, const gcast_explanation *e)
{
    for (size_t i = e->wait_count; i-- > 0;) {
        const gcast_wait *wait = &e->waits[i];
        if (wait->from_ns >= k->t)
            continue;
        if (is_followed(k, wait)) {
            follow(k, wait, wait->holders[0].run_op);
            return true;
        }
        add_part(k, wait->run_op, wait_label_of(wait), wait->reason, wait->from_ns);
    }
    return false;
}

/* Has it nothing that makes a wait hard to see: graphs, programmatic launches, blocks that wait, plans, children? */
static bool is_plain(const walk *k, size_t run_op)
{
    const gcast_op *op = run_op < k->run->op_count ? run_spec(k->run, run_op) : NULL;
    return op && op->graph == GCAST_NO_GRAPH && !op->programmatic && op->wait_ns == GCAST_NEVER && !op->launches &&
           op->policy == GCAST_POLICY_HARDWARE;
}

/* Most operations start at once when they enter their engine's queue, and enter it either when they arrive or when the
 * operation before them in their stream has left: their times say so, and an explanation, which looks at all others,
 * would say the same. False: this one is another. */
static bool walk_quickly(walk *k, bool *followed)
{
    const gcast_run_op *ops = k->run->ops, *r = &ops[k->run_op];
    if (k->slowly || !is_plain(k, k->run_op) || k->t != r->end_ns || r->start_ns != r->enter_ns)
        return false;
    bool is_kernel = run_spec(k->run, k->run_op)->kind == GCAST_KIND_KERNEL;
    size_t before = k->streams.before[k->run_op];
    bool at_once = r->arrive_ns == r->enter_ns;
    bool behind = !at_once && r->head_ns == r->enter_ns && before != SIZE_MAX && is_plain(k, before) &&
                  ops[before].end_ns + k->run->gpu->stream_gap_ns == r->head_ns;
    if ((is_kernel && r->dispatched_ns != r->start_ns && !lone_kernels_has(&k->lone, k->run_op)) ||
        (!at_once && !behind))
        return false;
    add_part(k, k->run_op, WAIT_LABEL_WORK, is_kernel ? GCAST_WHY_RUN : GCAST_WHY_COPY_RUN, r->start_ns);
    *followed = behind;
    if (behind) {
        add_part(k, k->run_op, WAIT_LABEL_DEPENDENCY, GCAST_WHY_GAP, ops[before].end_ns);
        k->run_op = before;
        return true;
    }
    add_part(k, k->run_op, WAIT_LABEL_LAUNCH, GCAST_WHY_LATENCY, r->call_ns);
    add_part(k, k->run_op, WAIT_LABEL_HOST, GCAST_WHY_HOST, r->release_ns);
    return true;
}

/* Back through an operation of the GPU. */
static gcast_status walk_operation(walk *k, bool *followed, gcast_error *err)
{
    gcast_explanation *e = NULL;
    const gcast_run_op *r = &k->run->ops[k->run_op];
    bool lone = lone_kernels_has(&k->lone, k->run_op);
    gcast_status status = op_waits_find(k->run, &k->index, k->run_op, lone, !k->slowly, &e, err);
    if (status != GCAST_OK)
        return status;
    if (lone)
        add_part(k, k->run_op, WAIT_LABEL_WORK, GCAST_WHY_RUN, min_i64(k->t, r->start_ns));
    *followed = walk_waits(k, e);
    gcast_explanation_free(e);
    return GCAST_OK;
}

/* The operation here was called, and the walk is at its release: who let the host call it then? */
static void walk_host(walk *k)
{
    if (k->run_op >= k->run->op_count) { /* a child: its parent */
        k->run_op = k->run->children[k->run_op - k->run->op_count].parent;
        return;
    }
    host_cause cause = host_cause_of_release(&k->hosts, k->run, k->run_op);
    if (cause.run_op == SIZE_MAX) {
        add_part(k, k->run_op, WAIT_LABEL_HOST, GCAST_WHY_CALL, 0);
        return;
    }
    add_part(k, k->run_op, WAIT_LABEL_HOST, GCAST_WHY_CALL, cause.time_ns);
    k->run_op = cause.run_op;
}

/* The walk is at the return of a call that had to wait for something, or at its call. */
static void walk_call(walk *k)
{
    const gcast_run_op *r = &k->run->ops[k->run_op];
    host_cause cause = {SIZE_MAX, 0, false};
    if (k->t > r->call_ns)
        cause = host_cause_of_return(&k->hosts, k->run, k->run_op);
    if (cause.run_op != SIZE_MAX) {
        k->run_op = cause.run_op;
        if (cause.at_call) { /* a host that came to a barrier: the walk goes on before its call */
            add_part(k, k->run_op, WAIT_LABEL_HOST, GCAST_WHY_HOST, k->run->ops[k->run_op].release_ns);
            walk_host(k);
        }
        return;
    }
    add_part(k, k->run_op, WAIT_LABEL_HOST, GCAST_WHY_HOST_WAIT, r->call_ns);
    add_part(k, k->run_op, WAIT_LABEL_HOST, GCAST_WHY_HOST, r->release_ns);
    walk_host(k);
}

/* Is the walk at a time at which the operation here was on the GPU, and not only called? A call that returns at once
 * leads to what the host did before. */
static bool is_on_gpu(const walk *k)
{
    const gcast_run_op *r = &k->run->ops[k->run_op];
    return k->run_op >= k->run->op_count || (gcast_kind_on_gpu(run_spec(k->run, k->run_op)->kind) && k->t > r->call_ns);
}

static gcast_status walk_back(walk *k, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    size_t steps = 0, max_steps = 8 * (run_total(k->run) + 1); /* each operation is passed at most a few times */
    while (k->t > 0 && status == GCAST_OK && !k->failed) {
        if (steps++ > max_steps)
            return gcast_error_set(err, GCAST_INTERNAL, NULL, "the way back from the end does not come to time 0");
        bool followed = false;
        if (!is_on_gpu(k)) {
            walk_call(k);
            continue;
        }
        if (!walk_quickly(k, &followed))
            status = walk_operation(k, &followed, err);
        if (status == GCAST_OK && !followed && !k->failed)
            walk_host(k);
    }
    return k->failed ? gcast_error_set_memory(err) : status;
}

static void reverse(critical_path *path)
{
    for (size_t i = 0, j = path->parts.count; i + 1 < j; i++) {
        path_part part = path->parts.at[i];
        path->parts.at[i] = path->parts.at[--j];
        path->parts.at[j] = part;
    }
}

static gcast_status find(const gcast_run *run, size_t last, bool slowly, critical_path *path, gcast_error *err)
{
    *path = (critical_path){.end_ns = run->ops[last].end_ns};
    walk k = {.run = run, .path = path, .slowly = slowly, .run_op = last, .t = run->ops[last].end_ns};
    bool ok = lone_kernels_init(&k.lone, run) && host_order_init(&k.hosts, run) && stream_order_init(&k.streams, run) &&
              run_index_init(&k.index, run);
    gcast_status status = ok ? walk_back(&k, err) : gcast_error_set_memory(err);
    lone_kernels_free(&k.lone);
    host_order_free(&k.hosts);
    stream_order_free(&k.streams);
    run_index_free(&k.index);
    reverse(path);
    return status;
}

gcast_status critical_path_find(const gcast_run *run, size_t last, critical_path *path, gcast_error *err)
{
    return find(run, last, false, path, err);
}

gcast_status critical_path_find_slowly(const gcast_run *run, size_t last, critical_path *path, gcast_error *err)
{
    return find(run, last, true, path, err);
}

/* May it start when blocks of others have triggered? Without blocks nobody knows when that was. */
static bool starts_by_triggers(const gcast_op *op)
{
    bool found = op->programmatic;
    for (size_t i = 0; i < op->after_count && op->ports; i++)
        found = found || op->ports[i] == GCAST_PORT_PROGRAMMATIC;
    return found;
}

bool critical_path_exists(const gcast_run *run)
{
    for (size_t i = 0; i < run->workload->op_count && !run->blocks_recorded; i++)
        if (starts_by_triggers(&run->workload->ops[i]))
            return false;
    return !run->hang;
}

void critical_path_free(critical_path *path)
{
    vec_free(&path->parts);
}

size_t critical_path_last(const gcast_run *run)
{
    size_t last = SIZE_MAX;
    bool on_gpu = false;
    for (size_t i = 0; i < run_total(run); i++) {
        bool gpu = gcast_kind_on_gpu(run_spec(run, i)->kind);
        if (run->ops[i].skipped || run->ops[i].end_ns != run->end_ns || (last != SIZE_MAX && (on_gpu || !gpu)))
            continue;
        last = i;
        on_gpu = gpu;
    }
    return last;
}
