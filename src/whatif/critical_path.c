/* The walk back along the critical path. At an operation of the GPU it follows the operation's waits to one that is
 * needed; at its release it follows the host's calls. */
#include "whatif/critical_path.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/integers.h"
#include "gridcast/explain.h"
#include "gridcast/run.h"
#include "model/workload/workload.h"
#include "simulate/explain/explain.h"
#include "simulate/explain/explanation.h"
#include "simulate/explain/queue_waits.h"
#include "simulate/explain/run_index.h"
#include "simulate/run_ops.h"

/* A host makes a call when its previous call has returned, which may have waited for an operation or another host. */

/* When something happened to an operation. */
typedef struct timed_op {
    int64_t time_ns;
    size_t run_op;
} timed_op;

typedef struct host_order {
    size_t *before; /* by operation: the call that its host made before it; SIZE_MAX: none */
    timed_op *ends; /* ends of operations of the GPU, by time */
    size_t end_count;
    timed_op *barriers; /* calls of barriers, by time */
    size_t barrier_count;
} host_order;

/* What a call or a return waited for. */
typedef struct host_cause {
    size_t run_op;   /* the operation; SIZE_MAX: none, only time that the workload gives */
    int64_t time_ns; /* when the wait was over */
    bool at_call;    /* the wait was for the operation's call, not for its end */
} host_cause;

/* By time, then in the order of the run. */
static int by_time(const void *a, const void *b)
{
    const timed_op *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* Lists ends of operations of the GPU, and calls of barriers. False without memory. */
static bool list_times(host_order *h, const gcast_run *run)
{
    h->ends = malloc((run->op_count + 1) * sizeof *h->ends);
    h->barriers = malloc((run->op_count + 1) * sizeof *h->barriers);
    if (!h->ends || !h->barriers)
        return false;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        gcast_kind kind = run_spec(run, i)->kind;
        if (!r->skipped && gcast_kind_on_gpu(kind))
            h->ends[h->end_count++] = (timed_op){r->end_ns, i};
        if (!r->skipped && kind == GCAST_KIND_BARRIER)
            h->barriers[h->barrier_count++] = (timed_op){r->call_ns, i};
    }
    if (h->end_count)
        qsort(h->ends, h->end_count, sizeof *h->ends, by_time);
    if (h->barrier_count)
        qsort(h->barriers, h->barrier_count, sizeof *h->barriers, by_time);
    return true;
}

/* False without memory. */
static bool host_order_init(host_order *h, const gcast_run *run)
{
    size_t hosts = run->workload->host_count;
    size_t *last = malloc((hosts + 1) * sizeof *last);
    *h = (host_order){.before = malloc((run->op_count + 1) * sizeof *h->before)};
    if (!last || !h->before) {
        free(last);
        return false;
    }
    for (size_t i = 0; i < hosts; i++)
        last[i] = SIZE_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        int host = run_spec(run, i)->host;
        h->before[i] = host == GCAST_NO_HOST ? SIZE_MAX : last[host];
        if (host != GCAST_NO_HOST && !run->ops[i].skipped)
            last[host] = i;
    }
    free(last);
    return list_times(h, run);
}

static void host_order_free(host_order *h)
{
    free(h->before);
    free(h->ends);
    free(h->barriers);
}

/* The first of the list at this time or later. */
static size_t find_time(const timed_op *list, size_t count, int64_t time_ns)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The call whose return the operation's release waited for. */
static host_cause host_cause_of_release(const host_order *h, const gcast_run *run, size_t run_op)
{
    const gcast_run_op *r = &run->ops[run_op];
    size_t before = h->before[run_op];
    if (before == SIZE_MAX || run->ops[before].return_ns + run_spec(run, run_op)->delay_ns != r->release_ns)
        return (host_cause){SIZE_MAX, 0, false};
    return (host_cause){before, run->ops[before].return_ns, false};
}

/* The operation that a synchronization or free waited for: called before, and ended when it returned. */
static host_cause waited_operation(const host_order *h, const gcast_run *run, size_t run_op, int stream)
{
    const gcast_run_op *r = &run->ops[run_op];
    size_t i = find_time(h->ends, h->end_count, r->return_ns);
    for (; i < h->end_count && h->ends[i].time_ns == r->return_ns; i++) {
        size_t other = h->ends[i].run_op;
        if (run->ops[other].launch < r->launch && (stream < 0 || run_spec(run, other)->stream == stream))
            return (host_cause){other, r->return_ns, false};
    }
    return (host_cause){SIZE_MAX, 0, false};
}

/* The call of another host that this call of a barrier waited for. */
static host_cause waited_barrier(const host_order *h, const gcast_run *run, size_t run_op)
{
    int64_t return_ns = run->ops[run_op].return_ns;
    size_t i = find_time(h->barriers, h->barrier_count, return_ns);
    for (; i < h->barrier_count && h->barriers[i].time_ns == return_ns; i++) {
        size_t other = h->barriers[i].run_op;
        if (other != run_op && run_spec(run, other)->barrier == run_spec(run, run_op)->barrier)
            return (host_cause){other, return_ns, true};
    }
    return (host_cause){SIZE_MAX, 0, false};
}

/* What a call waited for that did not return at once. */
static host_cause host_cause_of_return(const host_order *h, const gcast_run *run, size_t run_op)
{
    const gcast_op *op = run_spec(run, run_op);
    switch (op->kind) {
    case GCAST_KIND_SYNC:
        return waited_operation(h, run, run_op, op->stream);
    case GCAST_KIND_FREE:
        return waited_operation(h, run, run_op, -1);
    case GCAST_KIND_BARRIER:
        return waited_barrier(h, run, run_op);
    default:
        return (host_cause){SIZE_MAX, 0, false};
    }
}

/* The waits of an operation in a run without blocks: a kernel waits for room until its start, and works from there on.
 * There are no children then, so that hosts called all operations. */
static gcast_status without_blocks(const gcast_run *run, const run_index *index, size_t run_op, bool brief,
                                   gcast_explanation **out, gcast_error *err)
{
    const gcast_run_op *r = &run->ops[run_op];
    bool is_kernel = run_spec(run, run_op)->kind == GCAST_KIND_KERNEL;
    explain *e = calloc(1, sizeof *e);
    if (!e)
        return gcast_error_set_memory(err);
    *e = (explain){.run = run, .index = index, .subject = run_op, .brief = brief};
    e->out = (gcast_explanation){
        .run_op = run_op, .critical_block = -1, .release_ns = r->release_ns, .end_ns = r->end_ns, .memory = e};
    explain_add(e, GCAST_WHY_HOST, r->release_ns, r->call_ns, 0, NULL, 0);
    bool ok = explain_queue(e, run, run_op);
    if (is_kernel)
        explain_add(e, GCAST_WHY_RESOURCES, r->enter_ns, r->start_ns, 0, NULL, 0);
    else
        explain_copy(e, run, run_op);
    explain_add(e, is_kernel ? GCAST_WHY_RUN : GCAST_WHY_COPY_RUN, r->start_ns, r->end_ns, 0, NULL, 0);
    e->out.waits = e->waits.at;
    e->out.wait_count = e->waits.count;
    if (!ok || e->failed) {
        gcast_explanation_free(&e->out);
        return gcast_error_set_memory(err);
    }
    *out = &e->out;
    return GCAST_OK;
}

/* The waits of an operation, as gcast_run_explain finds them. An isolated kernel is explained only up to its start: all
 * that follows is its own work, and explaining that takes time for each block. `brief`: of the waits in a stream only
 * the last is told. To be freed with gcast_explanation_free. */
static gcast_status op_waits_find(const gcast_run *run, const run_index *index, size_t run_op, bool isolated,
                                  bool brief, gcast_explanation **out, gcast_error *err)
{
    if (!run->blocks_recorded)
        return without_blocks(run, index, run_op, brief, out, err);
    return (brief ? explain_briefly : explain_to)(run, index, run_op, isolated ? EXPLAIN_FIRST_START : EXPLAIN_END, out,
                                                  err);
}

/* When an operation was called. */
typedef struct called {
    uint64_t launch;
    size_t run_op;
} called;

static int by_launch(const void *a, const void *b)
{
    const called *x = a, *y = b;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

/* calls[], last[]: scratch memory, by operation and by stream. */
static void link_calls(size_t *before, const gcast_run *run, called *calls, size_t *last)
{
    size_t count = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        before[i] = SIZE_MAX;
        if (!run->ops[i].skipped && gcast_kind_on_gpu(run_spec(run, i)->kind))
            calls[count++] = (called){run->ops[i].launch, i};
    }
    if (count)
        qsort(calls, count, sizeof *calls, by_launch);
    for (size_t i = 0; i < run->workload->stream_count; i++)
        last[i] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        int stream = run_spec(run, calls[i].run_op)->stream;
        before[calls[i].run_op] = last[stream];
        last[stream] = calls[i].run_op;
    }
}

/* By operation: the one called before it in its stream; SIZE_MAX: none, or it is not on the GPU. NULL without
 * memory. */
static size_t *find_stream_order(const gcast_run *run)
{
    called *calls = malloc((run->op_count + 1) * sizeof *calls);
    size_t *last = malloc((run->workload->stream_count + 1) * sizeof *last);
    size_t *before = malloc((run->op_count + 1) * sizeof *before);
    if (calls && last && before) {
        link_calls(before, run, calls, last);
    } else {
        free(before);
        before = NULL;
    }
    free(calls);
    free(last);
    return before;
}

/* Where a kernel is in the execution engine. */

typedef struct span {
    int64_t from_ns, to_ns;
    size_t run_op;
} span;

static int by_start(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

/* Does the kernel do only its own work: without children, waits and workers? */
static bool does_own_work_only(const gcast_op *op)
{
    return op->policy == GCAST_POLICY_HARDWARE && !op->launches && op->wait_ns == GCAST_NEVER && !op->programmatic;
}

/* By operation: is it an isolated kernel, which had the execution engine for itself from its entry to its end? NULL
 * without memory. */
static bool *find_isolated(const gcast_run *run)
{
    size_t total = run_total(run), count = 0;
    bool *isolated = calloc(total + 1, sizeof *isolated);
    span *spans = calloc(total + 1, sizeof *spans);
    if (!isolated || !spans) {
        free(isolated);
        free(spans);
        return NULL;
    }
    for (size_t i = 0; i < total; i++)
        if (!run->ops[i].skipped && run_spec(run, i)->kind == GCAST_KIND_KERNEL)
            spans[count++] = (span){run->ops[i].enter_ns, run->ops[i].end_ns + run->gpu->handover_ns, i};
    if (count)
        qsort(spans, count, sizeof *spans, by_start);
    int64_t busy_until = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        bool before = busy_until > spans[i].from_ns;
        bool behind = i + 1 < count && spans[i + 1].from_ns < spans[i].to_ns;
        isolated[spans[i].run_op] = !before && !behind && does_own_work_only(run_spec(run, spans[i].run_op));
        busy_until = max_i64(busy_until, spans[i].to_ns);
    }
    free(spans);
    return isolated;
}

typedef struct walk {
    const gcast_run *run;
    critical_path *path;   /* parts so far, the last first */
    bool *isolated;        /* by operation: find_isolated */
    host_order hosts;      /* the order of hosts' calls */
    size_t *stream_before; /* by operation: find_stream_order */
    run_index index;       /* for explanations */
    bool slowly;           /* without shortcuts */
    size_t run_op;         /* the operation that the walk has reached */
    int64_t t;             /* the time that it has reached */
    bool failed;           /* there was no memory for a part */
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

/* The walk goes on at `holder`, which the operation here waited for: at its end or, where it waited for less,
 * earlier. */
static void follow(walk *k, const gcast_wait *wait, size_t holder)
{
    add_part(k, k->run_op, wait_label_of_reason(wait->reason), wait->reason, min_i64(k->t, k->run->ops[holder].end_ns));
    k->run_op = holder;
}

/* Does the walk follow this wait? Only to older operations, so that it comes to an end. */
static bool is_followed(const walk *k, const gcast_wait *wait)
{
    if (!wait_label_is_followed(wait->reason) || !wait->holder_count || wait->run_op != k->run_op)
        return false;
    size_t holder = wait->holders[0].run_op;
    return holder < k->run->op_count && k->run_op < k->run->op_count &&
           k->run->ops[holder].launch < k->run->ops[k->run_op].launch && k->run->ops[holder].end_ns > 0;
}

/* Walks back through the waits of the operation here: to an operation that it needed, or else, and then false, to its
 * release. */
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

/* Is the operation free of all that makes waits hard to see: graphs, programmatic launches, blocks that wait, plans,
 * children? */
static bool is_plain(const walk *k, size_t run_op)
{
    const gcast_op *op = run_op < k->run->op_count ? run_spec(k->run, run_op) : NULL;
    return op && op->graph == GCAST_NO_GRAPH && !op->programmatic && op->wait_ns == GCAST_NEVER && !op->launches &&
           op->policy == GCAST_POLICY_HARDWARE;
}

/* A shortcut without an explanation. Most operations start when they enter their engine's queue, and enter it when they
 * arrive or when the previous operation of their stream has left; their times show that. False: not so here. */
static bool walk_quickly(walk *k, bool *followed)
{
    const gcast_run_op *ops = k->run->ops, *r = &ops[k->run_op];
    if (k->slowly || !is_plain(k, k->run_op) || k->t != r->end_ns || r->start_ns != r->enter_ns)
        return false;
    bool is_kernel = run_spec(k->run, k->run_op)->kind == GCAST_KIND_KERNEL;
    size_t before = k->stream_before[k->run_op];
    bool at_once = r->arrive_ns == r->enter_ns;
    bool behind = !at_once && r->head_ns == r->enter_ns && before != SIZE_MAX && is_plain(k, before) &&
                  ops[before].end_ns + k->run->gpu->stream_gap_ns == r->head_ns;
    if ((is_kernel && r->dispatched_ns != r->start_ns && !k->isolated[k->run_op]) || (!at_once && !behind))
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

/* Walks back through an operation of the GPU. */
static gcast_status walk_operation(walk *k, bool *followed, gcast_error *err)
{
    gcast_explanation *e = NULL;
    const gcast_run_op *r = &k->run->ops[k->run_op];
    bool isolated = k->isolated[k->run_op];
    gcast_status status = op_waits_find(k->run, &k->index, k->run_op, isolated, !k->slowly, &e, err);
    if (status != GCAST_OK)
        return status;
    if (isolated)
        add_part(k, k->run_op, WAIT_LABEL_WORK, GCAST_WHY_RUN, min_i64(k->t, r->start_ns));
    *followed = walk_waits(k, e);
    gcast_explanation_free(e);
    return GCAST_OK;
}

/* The walk is at the release of the operation here, and goes on at what let the host call it then. */
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

/* Had the operation here reached the GPU at the walk's time? A call that returns at once leads to what the host did
 * before. */
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
    bool ok = (k.isolated = find_isolated(run)) && host_order_init(&k.hosts, run) &&
              (k.stream_before = find_stream_order(run)) && run_index_init(&k.index, run);
    gcast_status status = ok ? walk_back(&k, err) : gcast_error_set_memory(err);
    free(k.isolated);
    host_order_free(&k.hosts);
    free(k.stream_before);
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

/* May the op start when blocks of others have triggered? That time is unknown without blocks. */
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
