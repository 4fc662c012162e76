/* make_select: chooses the calls and operations that become the workload: those of one GPU, in the requested part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "profile/make/making.h"
#include "profile/trace.h"

/* The requested part: calls of one thread, or of all, that begin in an interval. */
typedef struct part {
    int64_t from_ns, to_ns;
    uint32_t thread; /* PROF_NONE: all */
} part;

static gcast_status choose_device(making *m)
{
    int64_t devices[64];
    size_t count = prof_devices(m->t, devices, 64);
    if (!count)
        return gcast_error_set(m->err, GCAST_INPUT, NULL, "%.200s: the profile has no kernel, copy or memset of a GPU",
                               m->t->source);
    if (m->device == PROF_UNKNOWN && count > 1)
        return gcast_error_set(m->err, GCAST_INPUT, NULL, "the profile has %zu GPUs: name one of them", count);
    if (m->device == PROF_UNKNOWN)
        m->device = devices[0];
    return GCAST_OK;
}

static bool is_step(const prof_range *r, int64_t step)
{
    char *end;
    if (r->kind != PROF_RANGE_STEP)
        return false;
    long long number = strtoll(r->name + strlen("ProfilerStep#"), &end, 10);
    return !*end && number == step;
}

/* Says why the step is not there: which ones are, or the first range of another kind. */
static gcast_status step_missing(making *m)
{
    const char *first = NULL, *last = NULL, *other = NULL;
    long long step = (long long)m->options->step;
    for (size_t i = 0; i < m->t->range_count; i++) {
        const prof_range *r = &m->t->ranges[i];
        bool is_one = r->kind == PROF_RANGE_STEP;
        first = is_one && !first ? r->name : first;
        last = is_one ? r->name : last;
        other = !is_one && !other ? r->name : other;
    }
    if (first)
        return gcast_error_set(m->err, GCAST_INPUT, NULL, "the profile has no ProfilerStep#%lld, but %.40s to %.40s",
                               step, first, last);
    if (other)
        return gcast_error_set(m->err, GCAST_INPUT, NULL,
                               "the profile has no steps of PyTorch's profiler, but ranges such as %.100s (--nvtx)",
                               other);
    return gcast_error_set(m->err, GCAST_INPUT, NULL, "the profile has no steps of PyTorch's profiler");
}

static gcast_status find_range(making *m, part *p)
{
    const prof_make_options *o = m->options;
    uint64_t seen = 0;
    for (size_t i = 0; i < m->t->range_count; i++) {
        const prof_range *r = &m->t->ranges[i];
        bool fits = o->range ? strcmp(r->name, o->range) == 0 : is_step(r, o->step);
        if (!fits || ++seen < (o->range ? o->range_number : 1))
            continue;
        p->from_ns = r->start_ns > p->from_ns ? r->start_ns : p->from_ns;
        p->to_ns = r->end_ns < p->to_ns ? r->end_ns : p->to_ns;
        p->thread = r->kind == PROF_RANGE_STEP || o->all_threads ? PROF_NONE : r->thread;
        return GCAST_OK;
    }
    if (!o->range)
        return step_missing(m);
    if (seen)
        return gcast_error_set(m->err, GCAST_INPUT, NULL, "the profile has only %llu ranges called %.100s",
                               (unsigned long long)seen, o->range);
    return gcast_error_set(m->err, GCAST_INPUT, NULL, "the profile has no range called %.100s", o->range);
}

static bool is_in(const part *p, const prof_call *c)
{
    return c->start_ns >= p->from_ns && c->start_ns < p->to_ns && (p->thread == PROF_NONE || p->thread == c->thread);
}

static bool on_device(const making *m, uint32_t stream)
{
    return stream != PROF_NONE && m->t->streams[stream].device == m->device;
}

/* Copies within host memory are no work for a GPU. A copy of unknown direction has no known copy engine. */
static bool is_left_out(const prof_op *o)
{
    return o->kind == GCAST_KIND_COPY && o->direction == GCAST_DIRECTIONS;
}

static bool add_op(making *m, uint32_t op, uint32_t item)
{
    const prof_op *o = &m->t->ops[op];
    if (is_left_out(o))
        return findings_add(m->findings,
                            o->is_between_hosts ? "{copy} from host to host: left out"
                                                : "{copy} of unknown direction: left out; nothing waits for it",
                            o->name, 1);
    if (o->is_peer &&
        !findings_add(
            m->findings,
            "{copy} between GPUs, treated as copies on the device: the link and the other GPU are not simulated",
            o->name, 1))
        return false;
    made_op x = {.op = op,
                 .item = item,
                 .stream = o->stream,
                 .span_ns = o->end_ns - o->start_ns,
                 .trigger_at_ns = INT64_MAX,
                 .trigger_ns = GCAST_NEVER};
    return vec_push(&m->ops, x);
}

/* Does the host wait for the GPU in this call? */
static bool is_wait(prof_call_kind kind, item_kind *item)
{
    *item = kind == PROF_CALL_STREAM_SYNC ? ITEM_STREAM_SYNC : kind == PROF_CALL_FREE ? ITEM_FREE : ITEM_DEVICE_SYNC;
    return kind == PROF_CALL_STREAM_SYNC || kind == PROF_CALL_DEVICE_SYNC || kind == PROF_CALL_EVENT_SYNC ||
           kind == PROF_CALL_FREE;
}

/* A call that allocates memory or frees it. */
static bool is_of_memory(prof_call_kind kind)
{
    return kind == PROF_CALL_MALLOC || kind == PROF_CALL_FREE;
}

/* Notes that a tenth or more of the part is calls that allocate and free memory: that is how a program starts. */
static bool note_memory_calls(making *m, const part *p, const bool *launches)
{
    int64_t memory_ns = 0, first_ns = INT64_MAX, last_ns = INT64_MIN;
    uint64_t count = 0;
    char words[300], memory[40], all[40];
    for (size_t i = 0; i < m->t->call_count; i++) {
        const prof_call *c = &m->t->calls[i];
        if (!is_in(p, c) || !launches[c->thread])
            continue;
        first_ns = min_i64(first_ns, c->start_ns);
        last_ns = max_i64(last_ns, c->end_ns);
        count += is_of_memory(c->kind);
        memory_ns += is_of_memory(c->kind) ? c->end_ns - c->start_ns : 0;
    }
    if (!count || memory_ns < (last_ns - first_ns) / 10)
        return true;
    units_format_time(memory_ns, memory, sizeof memory);
    units_format_time(last_ns - first_ns, all, sizeof all);
    snprintf(words, sizeof words,
             "{call} of cudaMalloc, cudaFree and the like, %s of %s: the program allocates memory, as at its start; a "
             "later part may tell more",
             memory, all);
    return findings_add(m->findings, words, NULL, count);
}

/* Finds the threads that launch something on the GPU: waits of other threads do not matter. */
static bool *launching_threads(const making *m, const part *p)
{
    bool *launches = calloc(m->t->thread_count + 1, sizeof *launches);
    for (size_t i = 0; launches && i < m->t->op_count; i++) {
        const prof_op *op = &m->t->ops[i];
        if (on_device(m, op->stream) && op->call != PROF_NONE && is_in(p, &m->t->calls[op->call]))
            launches[m->t->calls[op->call].thread] = true;
    }
    return launches;
}

/* Mallocs before the first launch are not among them: the workload begins with it. */
static bool add_call_items(making *m, const part *p, const bool *launches)
{
    bool launched = false;
    for (size_t i = 0; i < m->t->call_count; i++) {
        const prof_call *c = &m->t->calls[i];
        made_item item = {.call = (uint32_t)i, .thread = c->thread, .stream = c->stream, .order_ns = c->start_ns};
        bool is_ours = false;
        if (!is_in(p, c) || !launches[c->thread])
            continue;
        for (uint32_t op = c->first_op; op != PROF_NONE && !is_ours; op = m->t->ops[op].next_of_call)
            is_ours = on_device(m, m->t->ops[op].stream);
        if (is_ours)
            item.kind = ITEM_OPS;
        else if (c->kind == PROF_CALL_MALLOC && launched)
            item.kind = ITEM_MALLOC;
        else if (c->first_op != PROF_NONE || !is_wait(c->kind, &item.kind) ||
                 (c->stream != PROF_NONE && !on_device(m, c->stream)))
            continue;
        launched = launched || is_ours;
        if (!vec_push(&m->items, item))
            return false;
    }
    return true;
}

/* Operations whose call is missing belong to the part if they start in it. */
static bool add_callless_items(making *m, const part *p, uint64_t *count)
{
    for (size_t i = 0; i < m->t->op_count; i++) {
        const prof_op *op = &m->t->ops[i];
        if (op->call != PROF_NONE || !on_device(m, op->stream) || op->start_ns < p->from_ns || op->start_ns >= p->to_ns)
            continue;
        made_item item = {.kind = ITEM_OPS,
                          .call = PROF_NONE,
                          .thread = PROF_NONE,
                          .stream = PROF_NONE,
                          .first_op = (uint32_t)i, /* index in the trace, until add_ops */
                          .order_ns = op->start_ns};
        ++*count;
        if (!vec_push(&m->items, item))
            return false;
    }
    return true;
}

static int by_order(const void *a, const void *b)
{
    const made_item *x = a, *y = b;
    if (x->order_ns != y->order_ns)
        return x->order_ns < y->order_ns ? -1 : 1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return x->first_op != y->first_op ? (x->first_op < y->first_op ? -1 : 1) : 0;
}

/* Drops items whose operations were all left out. */
static void drop_empty(making *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->items.count; i++) {
        const made_item *item = &m->items.at[i];
        if (item->kind == ITEM_OPS && !item->op_count)
            continue;
        for (uint32_t k = 0; k < item->op_count; k++)
            m->ops.at[item->first_op + k].item = (uint32_t)count;
        m->items.at[count++] = *item;
    }
    m->items.count = count;
}

static bool add_ops(making *m)
{
    for (size_t i = 0; i < m->items.count; i++) {
        made_item *item = &m->items.at[i];
        uint32_t callless_op = item->first_op;
        item->first_op = (uint32_t)m->ops.count;
        if (item->kind != ITEM_OPS)
            continue;
        if (item->call == PROF_NONE && !add_op(m, callless_op, (uint32_t)i))
            return false;
        uint32_t op = item->call == PROF_NONE ? PROF_NONE : m->t->calls[item->call].first_op;
        for (; op != PROF_NONE; op = m->t->ops[op].next_of_call)
            if (on_device(m, m->t->ops[op].stream) && !add_op(m, op, (uint32_t)i))
                return false;
        item->op_count = (uint32_t)m->ops.count - item->first_op;
    }
    drop_empty(m);
    m->op_of = malloc((m->t->op_count + 1) * sizeof *m->op_of);
    if (!m->op_of)
        return false;
    memset(m->op_of, 0xff, (m->t->op_count + 1) * sizeof *m->op_of);
    for (size_t i = 0; i < m->ops.count; i++)
        m->op_of[m->ops.at[i].op] = (uint32_t)i;
    return true;
}

/* When the first operation of the part was called; without a call, when it started. */
static int64_t first_call_ns(const making *m)
{
    int64_t first_ns = INT64_MAX;
    for (size_t i = 0; i < m->ops.count; i++) {
        const made_item *item = &m->items.at[m->ops.at[i].item];
        int64_t start_ns = trace_op(m, i)->start_ns;
        int64_t call_ns = item->call == PROF_NONE ? start_ns : m->t->calls[item->call].start_ns;
        first_ns = min_i64(first_ns, min_i64(call_ns, start_ns));
    }
    return first_ns;
}

/* Counts other operations that ran on the GPU during the part, from its first call on: they may have delayed it. */
static uint64_t count_outside(const making *m)
{
    int64_t first_ns = first_call_ns(m), last_ns = INT64_MIN;
    uint64_t count = 0;
    for (size_t i = 0; i < m->ops.count; i++)
        last_ns = max_i64(last_ns, trace_op(m, i)->end_ns);
    for (size_t i = 0; i < m->t->op_count; i++) {
        const prof_op *op = &m->t->ops[i];
        count += on_device(m, op->stream) && m->op_of[i] == PROF_NONE && !is_left_out(op) && op->end_ns > first_ns &&
                 op->start_ns < last_ns;
    }
    return count;
}

static bool find_gaps(making *m, uint64_t callless)
{
    return findings_add(m->findings,
                        "{operation} without a recorded call: each starts at its recorded time or later, whatever a "
                        "what-if changes before it",
                        NULL, callless) &&
           findings_add(m->findings,
                        "{operation} that ran at the same time, but outside of the selected part: left out", NULL,
                        count_outside(m));
}

gcast_status make_select(making *m)
{
    part p = {.from_ns = m->options->from_ns, .to_ns = m->options->to_ns, .thread = PROF_NONE};
    uint64_t callless = 0;
    gcast_status status = choose_device(m);
    if (status == GCAST_OK && (m->options->range || m->options->step != PROF_UNKNOWN))
        status = find_range(m, &p);
    if (status != GCAST_OK)
        return status;
    bool *launches = launching_threads(m, &p);
    bool ok = launches && note_memory_calls(m, &p, launches) && add_call_items(m, &p, launches) &&
              (p.thread != PROF_NONE || add_callless_items(m, &p, &callless));
    free(launches);
    if (ok && m->items.count)
        qsort(m->items.at, m->items.count, sizeof *m->items.at, by_order);
    if (!ok || !add_ops(m) || !find_gaps(m, callless))
        return gcast_error_set_memory(m->err);
    if (!m->ops.count)
        return gcast_error_set(m->err, GCAST_INPUT, NULL,
                               "nothing was launched on GPU %lld in the selected part of the profile",
                               (long long)m->device);
    return GCAST_OK;
}
