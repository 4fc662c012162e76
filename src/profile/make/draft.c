#include "profile/make/draft.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "profile/make/kernel_residency.h"

#define MAX_LATE_NS INT64_C(86400000000000) /* a day: no workload may have more */
#define MAX_STREAMS 4096                    /* more than a GPU runs well */

typedef struct item_call {
    int64_t call_ns;
    uint32_t item;
} item_call;

static int by_call(const void *a, const void *b)
{
    const item_call *x = a, *y = b;
    if (x->call_ns != y->call_ns)
        return x->call_ns < y->call_ns ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static bool order_items(draft *d)
{
    const making *m = d->m;
    item_call *calls = malloc((m->items.count + 1) * sizeof *calls);
    d->items = malloc((m->items.count + 1) * sizeof *d->items);
    bool ok = calls && d->items;
    for (size_t i = 0; ok && i < m->items.count; i++)
        calls[i] = (item_call){.call_ns = m->items.at[i].call_ns, .item = (uint32_t)i};
    if (ok)
        qsort(calls, m->items.count, sizeof *calls, by_call);
    for (size_t i = 0; ok && i < m->items.count; i++)
        d->items[i] = calls[i].item;
    d->zero_ns = ok ? calls[0].call_ns : 0;
    for (size_t i = 0; i < m->ops.count; i++) /* if clocks differ, a start may precede all calls */
        d->zero_ns = min_i64(d->zero_ns, trace_op(m, i)->start_ns);
    free(calls);
    return ok;
}

/* A unique number for the stream; the NULL stream is 0. */
static int stream_id(const gcast_workload *w, const prof_stream *s, bool *is_null)
{
    int64_t wanted = s->kind == PROF_STREAM_NULL ? 0 : s->number;
    bool is_taken = wanted < 0 || wanted > INT_MAX || (wanted == 0 && s->kind != PROF_STREAM_NULL);
    int free_id = 1;
    for (size_t i = 0; i < w->stream_count; i++) {
        is_taken = is_taken || w->streams[i].id == wanted;
        free_id = max_int(free_id, w->streams[i].id < INT_MAX ? w->streams[i].id + 1 : 1);
    }
    *is_null = !is_taken && wanted == 0;
    return is_taken ? free_id : (int)wanted;
}

/* The index of the stream's process among those on the GPU, from 0. */
static int process_of(const draft *d, uint32_t stream)
{
    const prof_trace *t = d->m->t;
    int next = 0;
    for (size_t i = 0; i < t->stream_count; i++) {
        if (d->streams[i] < 0)
            continue;
        int process = d->w->streams[d->streams[i]].process;
        if (t->streams[i].pid == t->streams[stream].pid)
            return process;
        next = max_int(next, process + 1);
    }
    return next;
}

static gcast_status add_stream(draft *d, uint32_t stream)
{
    const prof_stream *s = &d->m->t->streams[stream];
    bool is_null;
    if (d->w->stream_count >= MAX_STREAMS)
        return gcast_error_set(d->m->err, GCAST_INPUT, NULL, "operations ran in more than %d streams", MAX_STREAMS);
    gcast_stream x = {.id = stream_id(d->w, s, &is_null), .priority = s->priority_known ? s->priority : 0};
    x.blocking = is_null || s->kind == PROF_STREAM_BLOCKING || s->kind == PROF_STREAM_NULL;
    x.blocking_given = s->kind != PROF_STREAM_UNKNOWN;
    x.process = process_of(d, stream);
    return gcast_workload_add_stream(d->w, &x, &d->streams[stream], d->m->err);
}

static gcast_status add_streams(draft *d)
{
    const making *m = d->m;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < m->t->stream_count; i++)
        d->streams[i] = -1;
    for (size_t i = 0; i < m->ops.count && status == GCAST_OK; i++)
        if (d->streams[m->ops.at[i].stream] < 0)
            status = add_stream(d, m->ops.at[i].stream);
    return status;
}

/* The number of connections follows from the hardware queues of kernels. CUDA gives queues to streams in turn: if two
 * streams that were in use at the same time have the same queue, then all queues have been given out, and the program
 * has as many connections as there are queues in the profile. */

#define MOST_CONNECTIONS 32 /* CUDA's maximum */

typedef struct stream_use {
    int64_t pid, context;
    int channel;               /* of all its kernels; PROF_UNKNOWN: no kernels, not recorded, or several channels */
    int64_t first_ns, last_ns; /* from the start of its first kernel to the end of its last */
} stream_use;

static void add_use(stream_use *s, const prof_op *op)
{
    if (s->last_ns == INT64_MIN)
        s->channel = op->channel;
    else if (s->channel != op->channel)
        s->channel = PROF_UNKNOWN;
    s->first_ns = min_i64(s->first_ns, op->start_ns);
    s->last_ns = max_i64(s->last_ns, op->end_ns);
}

static int by_channel(const void *a, const void *b)
{
    const stream_use *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    return (x->first_ns > y->first_ns) - (x->first_ns < y->first_ns);
}

/* Were two streams of one channel in use at the same time? */
static bool is_shared(stream_use *uses, size_t count)
{
    qsort(uses, count, sizeof *uses, by_channel);
    for (size_t i = 1; i < count; i++) {
        const stream_use *x = &uses[i - 1], *y = &uses[i];
        bool same = x->pid == y->pid && x->context == y->context && x->channel == y->channel && x->channel >= 0;
        if (same && y->first_ns <= x->last_ns)
            return true;
    }
    return false;
}

/* Sets the number of connections if kernels show it, else -1. */
static gcast_status connections_seen(const making *m, int *connections)
{
    const prof_trace *t = m->t;
    stream_use *uses = malloc((t->stream_count + 1) * sizeof *uses);
    int most = -1;
    if (!uses)
        return gcast_error_set_memory(m->err);
    for (size_t i = 0; i < t->stream_count; i++)
        uses[i] = (stream_use){.pid = t->streams[i].pid,
                               .context = t->streams[i].context,
                               .channel = PROF_UNKNOWN,
                               .first_ns = INT64_MAX,
                               .last_ns = INT64_MIN};
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        if (op->kind != GCAST_KIND_KERNEL || op->graph > 0 || t->streams[op->stream].device != m->device)
            continue;
        add_use(&uses[op->stream], op);
        most = max_int(most, op->channel);
    }
    *connections = is_shared(uses, t->stream_count) && most < MOST_CONNECTIONS ? most + 1 : -1;
    free(uses);
    return GCAST_OK;
}

/* Connections are as given, else as seen in the profile, else the GPU's default. */
static gcast_status set_connections(draft *d)
{
    const making *m = d->m;
    int seen = m->options->connections;
    gcast_status status = seen ? GCAST_OK : connections_seen(m, &seen);
    if (status == GCAST_OK && seen != m->options->gpu->connections)
        gcast_workload_set_connections(d->w, seen);
    return status;
}

gcast_status draft_open(making *m, draft *d)
{
    gcast_gpu *gpu;
    *d = (draft){.m = m,
                 .streams = malloc((m->t->stream_count + 1) * sizeof *d->streams),
                 .place = malloc((m->ops.count + 1) * sizeof *d->place)};
    if (!d->streams || !d->place || !order_items(d))
        return gcast_error_set_memory(m->err);
    uint32_t next = 0;
    for (size_t i = 0; i < m->items.count; i++)
        for (uint32_t k = 0; k < m->items.at[d->items[i]].op_count; k++)
            d->place[m->items.at[d->items[i]].first_op + k] = next++;
    gcast_status status = gcast_workload_create(m->options->name, &d->w, m->err);
    if (status == GCAST_OK)
        status = gcast_gpu_copy(m->options->gpu, &gpu, m->err);
    if (status != GCAST_OK)
        return status;
    gcast_workload_set_gpu(d->w, gpu);
    gcast_workload_set_partition(d->w, m->options->partition_sms);
    status = set_connections(d);
    return status == GCAST_OK ? add_streams(d) : status;
}

gcast_status draft_begin(draft *d, const made_item *item)
{
    d->graph = GCAST_NO_GRAPH;
    return item->graph ? gcast_workload_add_graph(d->w, item->label, &d->graph, d->m->err) : GCAST_OK;
}

/* Sets how the kernel was launched, and when its blocks trigger and wait: within the shortest block. */
static void set_launch(const making *m, const made_op *x, const prof_op *op, gcast_op *out)
{
    int64_t shortest_ns = x->block_ns ? x->block_ns[0] : x->min_ns;
    for (uint64_t b = 1; x->block_ns && b < (uint64_t)op->grid[0] * op->grid[1] * op->grid[2]; b++)
        shortest_ns = min_i64(shortest_ns, x->block_ns[b]);
    if (cluster_fits(m->options->gpu, op))
        for (int i = 0; i < 3; i++)
            out->cluster[i] = op->cluster[i] ? op->cluster[i] : 1;
    out->cooperative = cooperative_fits(m->options->gpu, op);
    out->programmatic = x->programmatic;
    if (x->trigger_ns != GCAST_NEVER)
        out->trigger_ns = min_i64(x->trigger_ns, shortest_ns);
    if (x->waits)
        out->wait_ns = min_i64(x->wait_ns, shortest_ns);
}

gcast_op draft_op(const draft *d, size_t i)
{
    const making *m = d->m;
    const made_op *x = &m->ops.at[i];
    const prof_op *op = trace_op(m, i);
    gcast_op out = gcast_op_default(op->kind);
    bool fits;
    out.label = x->label;
    out.stream = d->streams[x->stream];
    out.graph = d->graph;
    out.min_ns = x->min_ns;
    out.max_ns = x->max_ns;
    out.extra_latency_ns = min_i64(m->items.at[x->item].late_ns, MAX_LATE_NS);
    if (op->kind == GCAST_KIND_KERNEL) {
        memcpy(out.grid, op->grid, sizeof out.grid);
        memcpy(out.block, op->block, sizeof out.block);
        out.shape = block_shape_of(op);
        out.block_ns = x->block_ns;
        out.carveout = carveout_for(&m->options->gpu->limits, op, &fits);
        out.carveout_given = true;
        set_launch(m, x, op, &out);
    } else {
        out.bytes = max_i64(op->bytes, op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET ? 0 : -1);
        out.direction = op->kind == GCAST_KIND_COPY ? op->direction : out.direction;
    }
    return out;
}

gcast_status draft_add(draft *d, size_t i, gcast_op *op)
{
    const making *m = d->m;
    const made_op *x = &m->ops.at[i];
    uint32_t *after = x->after_count ? malloc(x->after_count * sizeof *after) : NULL;
    gcast_port *ports = x->after_count ? malloc(x->after_count * sizeof *ports) : NULL;
    gcast_status status = x->after_count && (!after || !ports) ? gcast_error_set_memory(m->err) : GCAST_OK;
    bool any_port = false;
    op->after_count = 0;
    for (uint32_t k = 0; k < x->after_count && status == GCAST_OK; k++) {
        const made_after *a = &m->afters.at[x->first_after + k];
        if (d->place[a->before] >= d->place[i]) /* an operation cannot depend on a later call */
            continue;
        any_port = any_port || a->port != GCAST_PORT_FULL;
        ports[op->after_count] = a->port;
        after[op->after_count++] = d->place[a->before];
    }
    op->after = after;
    op->ports = any_port ? ports : NULL;
    if (status == GCAST_OK)
        status = gcast_workload_add_op(d->w, op, NULL, m->err);
    free(after);
    free(ports);
    return status;
}

gcast_status draft_close(draft *d, gcast_status status, gcast_workload **w)
{
    if (status == GCAST_OK)
        status = gcast_workload_check(d->w, d->m->err);
    free(d->streams);
    free(d->items);
    free(d->place);
    *w = NULL;
    if (status != GCAST_OK)
        gcast_workload_free(d->w);
    else
        *w = d->w;
    return status;
}

/* Handling events costs a host time: pauses in which it recorded an event or made a stream wait for one are longer than
 * other pauses. The difference to the median of those others is what the program would save with one stream. */

#define LEAST_PAUSES 3 /* a median of fewer pauses says nothing */

/* Limit of the difference. Event calls take microseconds; a longer pause has another reason, such as a library that is
 * loaded or that tries its kernels. */
#define MOST_EVENT_NS 1000000

typedef struct pause {
    uint32_t thread;
    int64_t ns;
} pause;

static int by_thread(const void *a, const void *b)
{
    const pause *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Sets has_events of the items: did the thread handle events since its previous item? */
static bool find_events(making *m)
{
    const prof_trace *t = m->t;
    uint32_t *item_of = malloc((t->call_count + 1) * sizeof *item_of);
    bool *handles = calloc(t->thread_count + 1, sizeof *handles);
    for (size_t i = 0; item_of && handles && i < t->call_count; i++)
        item_of[i] = PROF_NONE;
    for (uint32_t i = 0; item_of && handles && i < m->items.count; i++)
        if (m->items.at[i].call != PROF_NONE)
            item_of[m->items.at[i].call] = i;
    for (size_t i = 0; item_of && handles && i < t->call_count; i++) {
        const prof_call *c = &t->calls[i];
        bool is_event = c->kind == PROF_CALL_EVENT_RECORD || c->kind == PROF_CALL_STREAM_WAIT;
        if (item_of[i] != PROF_NONE)
            m->items.at[item_of[i]].has_events = handles[c->thread];
        handles[c->thread] = item_of[i] == PROF_NONE && (handles[c->thread] || is_event);
    }
    bool ok = item_of && handles;
    free(item_of);
    free(handles);
    return ok;
}

/* Fills pauses[]: the pause before each item; -1: it is the first of its thread. */
static void find_pauses(const draft *d, int64_t *pauses, int64_t *returned_ns)
{
    making *m = d->m;
    for (size_t i = 0; i < m->t->thread_count; i++)
        returned_ns[i] = INT64_MIN;
    for (size_t i = 0; i < m->items.count; i++) {
        const made_item *item = &m->items.at[d->items[i]];
        pauses[d->items[i]] = -1;
        if (item->thread == PROF_NONE)
            continue;
        if (returned_ns[item->thread] != INT64_MIN)
            pauses[d->items[i]] = max_i64(item->call_ns - returned_ns[item->thread], 0);
        returned_ns[item->thread] = item->return_ns;
    }
}

/* Fills usual_ns[]: each thread's median pause before operations without events; INT64_MAX: there are too few. */
static bool find_usual(const making *m, const int64_t *pauses, int64_t *usual_ns)
{
    VEC(pause) plain = {0};
    bool ok = true;
    for (size_t i = 0; i < m->t->thread_count; i++)
        usual_ns[i] = INT64_MAX;
    for (size_t i = 0; ok && i < m->items.count; i++) {
        const made_item *item = &m->items.at[i];
        if (item->kind == ITEM_OPS && !item->has_events && pauses[i] >= 0)
            ok = vec_push(&plain, ((pause){item->thread, pauses[i]}));
    }
    if (ok && plain.count)
        qsort(plain.at, plain.count, sizeof *plain.at, by_thread);
    for (size_t first = 0, end; ok && first < plain.count; first = end) {
        for (end = first; end < plain.count && plain.at[end].thread == plain.at[first].thread; end++)
            ;
        if (end - first >= LEAST_PAUSES)
            usual_ns[plain.at[first].thread] = plain.at[first + (end - first) / 2].ns;
    }
    vec_free(&plain);
    return ok;
}

gcast_status event_pauses(draft *d)
{
    making *m = d->m;
    int64_t *pauses = malloc((m->items.count + 1) * sizeof *pauses);
    int64_t *by_threads = malloc((m->t->thread_count + 1) * sizeof *by_threads);
    bool ok = pauses && by_threads && find_events(m);
    if (ok) {
        find_pauses(d, pauses, by_threads);
        ok = find_usual(m, pauses, by_threads);
    }
    for (size_t i = 0; ok && i < m->items.count; i++) {
        made_item *item = &m->items.at[i];
        bool counts = item->kind == ITEM_OPS && item->has_events && pauses[i] >= 0;
        item->event_pause_ns = counts ? min_i64(max_i64(pauses[i] - by_threads[item->thread], 0), MOST_EVENT_NS) : 0;
    }
    free(pauses);
    free(by_threads);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
