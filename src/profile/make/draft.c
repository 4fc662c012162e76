#include "profile/make/draft.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "profile/make/times/launch_kind.h"
#include "profile/make/times/span_residency.h"

#define MAX_LATE_NS INT64_C(86400000000000) /* a day: no workload may have more */
#define MAX_STREAMS 4096                    /* more than a GPU runs well */

/* Sorts items by call; of equal calls as they are. */
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
    for (size_t i = 0; i < m->ops.count; i++) /* clocks that differ: a start before all calls */
        d->zero_ns = min_i64(d->zero_ns, trace_op(m, i)->start_ns);
    free(calls);
    return ok;
}

/* A number for the stream that no other has; the NULL stream is 0. */
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

/* Which of the processes on the GPU it is, from 0. */
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

/* As given; else as seen; else the GPU's, which a note says where it may matter. */
static gcast_status set_connections(draft *d)
{
    const making *m = d->m;
    int seen = m->o->connections;
    gcast_status status = seen ? GCAST_OK : connections_seen(m, &seen);
    if (status == GCAST_OK && seen != m->o->gpu->connections)
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
    gcast_status status = gcast_workload_create(m->o->name, &d->w, m->err);
    if (status == GCAST_OK)
        status = gcast_gpu_copy(m->o->gpu, &gpu, m->err);
    if (status != GCAST_OK)
        return status;
    gcast_workload_set_gpu(d->w, gpu);
    gcast_workload_set_partition(d->w, m->o->partition_sms);
    status = set_connections(d);
    return status == GCAST_OK ? add_streams(d) : status;
}

gcast_status draft_begin(draft *d, const made_item *item)
{
    d->graph = GCAST_NO_GRAPH;
    return item->graph ? gcast_workload_add_graph(d->w, item->label, &d->graph, d->m->err) : GCAST_OK;
}

/* How the kernel was launched, and when its blocks trigger and wait: within the shortest of them. */
static void set_launch(const making *m, const made_op *x, const prof_op *op, gcast_op *out)
{
    int64_t shortest_ns = x->block_ns ? x->block_ns[0] : x->min_ns;
    for (uint64_t b = 1; x->block_ns && b < (uint64_t)op->grid[0] * op->grid[1] * op->grid[2]; b++)
        shortest_ns = min_i64(shortest_ns, x->block_ns[b]);
    if (cluster_fits(m->o->gpu, op))
        for (int i = 0; i < 3; i++)
            out->cluster[i] = op->cluster[i] ? op->cluster[i] : 1;
    out->cooperative = cooperative_fits(m->o->gpu, op);
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
        out.carveout = carveout_for(&m->o->gpu->limits, op, &fits);
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
        if (d->place[a->before] >= d->place[i]) /* one that is called later is not waited for */
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
