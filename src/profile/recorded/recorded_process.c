#include "profile/recorded/recorded_process.h"

#include <stdlib.h>
#include <string.h>

#include "profile/reading.h"

int64_t recorded_number(const frame *f, size_t field)
{
    int64_t value = frame_field(f, field);
    return value == RECORDED_UNKNOWN || value < 0 ? PROF_UNKNOWN : value;
}

/* Are both times valid? If so, notes the earliest start. */
static bool note_times(recording *r, int64_t start_ns, int64_t end_ns)
{
    if (start_ns <= 0 || end_ns <= 0 || start_ns >= INT64_MAX / 4 || end_ns >= INT64_MAX / 4)
        return false; /* CUPTI writes 0 for unknown times */
    if (!r->any_time || start_ns < r->first_ns)
        r->first_ns = start_ns;
    r->any_time = true;
    return true;
}

/* The text with this number; NULL: there is none. */
static const char *recorded_text(const recording *r, int64_t number)
{
    return number >= 1 && (uint64_t)number <= r->process.texts.count ? r->process.texts.at[number - 1] : NULL;
}

/* Reads X, Y and Z from fields `first` to `first` + 2. False: one is below `min`, or more than CUDA allows. */
static bool read_dims(const frame *f, size_t first, int64_t min, uint32_t to[3])
{
    for (size_t i = 0; i < 3; i++) {
        int64_t n = frame_field(f, first + i);
        if (n < min || n > INT32_MAX)
            return false;
        to[i] = (uint32_t)n;
    }
    return true;
}

static int small_or_unknown(int64_t n)
{
    return n >= 0 && n <= INT32_MAX ? (int)n : PROF_UNKNOWN;
}

static bool add_context(recorded_process *p, recorded_context c)
{
    for (size_t i = p->contexts.count; i-- > 0;)
        if (p->contexts.at[i].context == c.context)
            return true;
    return p->contexts.count >= RECORDED_MAX_CONTEXTS || vec_push(&p->contexts, c);
}

static bool get_op(recording *r, const frame *f, gcast_kind kind, prof_op *op)
{
    *op = prof_op_untold(kind);
    op->start_ns = frame_field(f, OP_START);
    op->end_ns = frame_field(f, OP_END);
    op->correlation = recorded_number(f, OP_CORRELATION);
    op->channel = small_or_unknown(recorded_number(f, OP_CHANNEL));
    op->graph = recorded_number(f, OP_GRAPH);
    op->node = recorded_number(f, OP_NODE);
    prof_stream key = {.device = recorded_number(f, OP_DEVICE),
                       .pid = r->process.pid,
                       .context = recorded_number(f, OP_CONTEXT),
                       .number = recorded_number(f, OP_STREAM)};
    recorded_context c = {.context = key.context, .device = key.device};
    return add_context(&r->process, c) && prof_get_stream(r->trace, &key, &op->stream);
}

static bool keep(recording *r, const prof_op *op)
{
    if (!note_times(r, op->start_ns, op->end_ns))
        return prof_find(r->trace, "{operation} without times: left out", op->name, 1);
    r->op_count += op->end_ns >= op->start_ns; /* the trace leaves out others */
    return vec_push(&r->process.ops, *op);
}

static bool take_kernel_frame(recording *r, const frame *f)
{
    prof_op op;
    int64_t launch = frame_field(f, KERNEL_LAUNCH_TYPE);
    const char *name = recorded_text(r, frame_field(f, KERNEL_NAME));
    if (!get_op(r, f, GCAST_KIND_KERNEL, &op))
        return false;
    op.name = name ? name : "?";
    if (!read_dims(f, KERNEL_GRID_X, 1, op.grid) || !read_dims(f, KERNEL_BLOCK_X, 1, op.block))
        return prof_find(r->trace, "{kernel} without a valid grid and block: left out", op.name, 1);
    if (!read_dims(f, KERNEL_CLUSTER_X, 0, op.cluster) || op.cluster[0] * (uint64_t)op.cluster[1] * op.cluster[2] <= 1)
        op.cluster[0] = op.cluster[1] = op.cluster[2] = 0; /* CUPTI writes 0 or 1 for kernels without clusters */
    op.registers = small_or_unknown(recorded_number(f, KERNEL_REGISTERS));
    op.static_smem = recorded_number(f, KERNEL_STATIC_SMEM);
    op.dynamic_smem = recorded_number(f, KERNEL_DYNAMIC_SMEM);
    op.smem_executed = recorded_number(f, KERNEL_SMEM_EXECUTED);
    op.is_cooperative = launch == 1 || launch == 2; /* on one GPU, or on several */
    return keep(r, &op);
}

static bool take_copy_frame(recording *r, const frame *f)
{
    static const char *const names[GCAST_DIRECTIONS + 1] = {"copy to the device", "copy to the host",
                                                            "copy on the device", "copy"};
    enum { PAGEABLE = 1 };
    prof_op op;
    int64_t kind = frame_field(f, COPY_COPY_KIND);
    if (!get_op(r, f, GCAST_KIND_COPY, &op))
        return false;
    op.bytes = recorded_number(f, COPY_BYTES);
    prof_set_copy(&op, kind);
    op.is_pageable = frame_field(f, COPY_SOURCE) == PAGEABLE || frame_field(f, COPY_TARGET) == PAGEABLE;
    op.name = names[op.direction];
    return keep(r, &op);
}

static bool take_memset_frame(recording *r, const frame *f)
{
    prof_op op;
    if (!get_op(r, f, GCAST_KIND_MEMSET, &op))
        return false;
    op.bytes = recorded_number(f, MEMSET_BYTES);
    op.name = "memset";
    return keep(r, &op);
}

bool take_op_frame(recording *r, const frame *f)
{
    return f->kind == RECORDED_KERNEL ? take_kernel_frame(r, f)
           : f->kind == RECORDED_COPY ? take_copy_frame(r, f)
                                      : take_memset_frame(r, f);
}

static bool take_call_frame(recording *r, const frame *f)
{
    const char *name = recorded_text(r, frame_field(f, CALL_NAME));
    prof_call c = {.stream = PROF_NONE,
                   .record = PROF_NONE,
                   .name = name ? name : "?",
                   .start_ns = frame_field(f, CALL_START),
                   .end_ns = frame_field(f, CALL_END),
                   .correlation = recorded_number(f, CALL_CORRELATION),
                   .event = PROF_UNKNOWN,
                   .first_op = PROF_NONE};
    if (!note_times(r, c.start_ns, c.end_ns))
        return prof_find(r->trace, "{call} without times: left out", c.name, 1);
    c.kind = frame_field(f, CALL_RESULT) == 0 ? call_kind_of(c.name) : PROF_CALL_OTHER; /* a failed call did nothing */
    return prof_get_thread(r->trace, r->process.pid, recorded_number(f, CALL_THREAD), &c.thread) &&
           vec_push(&r->process.calls, c);
}

static bool take_event_frame(recording *r, const frame *f)
{
    recorded_event e = {.context = recorded_number(f, EVENT_CONTEXT),
                        .stream = recorded_number(f, EVENT_STREAM),
                        .correlation = recorded_number(f, EVENT_CORRELATION),
                        .event = recorded_number(f, EVENT_EVENT),
                        .record = recorded_number(f, EVENT_RECORD)};
    return vec_push(&r->process.records, e);
}

static bool take_sync_frame(recording *r, const frame *f)
{
    recorded_event e = {.context = recorded_number(f, SYNC_CONTEXT),
                        .stream = recorded_number(f, SYNC_STREAM),
                        .correlation = recorded_number(f, SYNC_CORRELATION),
                        .event = recorded_number(f, SYNC_EVENT),
                        .record = recorded_number(f, SYNC_RECORD)};
    return vec_push(&r->process.syncs, e);
}

static bool take_marker_frame(recording *r, const frame *f)
{
    recorded_marker m = {.flags = frame_field(f, MARKER_FLAGS),
                         .time_ns = frame_field(f, MARKER_TIME),
                         .id = frame_field(f, MARKER_ID),
                         .thread = recorded_number(f, MARKER_THREAD),
                         .name = recorded_text(r, frame_field(f, MARKER_NAME))};
    return m.time_ns <= 0 || m.time_ns >= INT64_MAX / 4 || vec_push(&r->process.markers, m);
}

static bool take_thread_frame(recording *r, const frame *f)
{
    uint32_t thread;
    const char *name = prof_trace_text(r->trace, f->text, strlen(f->text));
    return name && prof_get_thread(r->trace, r->process.pid, recorded_number(f, THREAD_THREAD), &thread) &&
           prof_name_thread(r->trace, thread, name);
}

static bool take_stream_frame(recording *r, const frame *f)
{
    static const prof_stream_kind kinds[] = {PROF_STREAM_UNKNOWN, PROF_STREAM_BLOCKING, PROF_STREAM_NON_BLOCKING,
                                             PROF_STREAM_NULL};
    int64_t flag = frame_field(f, STREAM_FLAG), priority = frame_field(f, STREAM_PRIORITY);
    bool known = priority >= -64 && priority <= 0;
    recorded_stream s = {.context = recorded_number(f, STREAM_CONTEXT),
                         .number = recorded_number(f, STREAM_STREAM),
                         .told = {.kind = flag >= 0 && flag < 4 ? kinds[flag] : PROF_STREAM_UNKNOWN,
                                  .priority_known = known,
                                  .priority = known ? (int)priority : 0}};
    return vec_push(&r->process.streams, s);
}

static bool take_context_frame(recording *r, const frame *f)
{
    recorded_context c = {.context = recorded_number(f, CONTEXT_CONTEXT), .device = recorded_number(f, CONTEXT_DEVICE)};
    recorded_stream null = {
        .context = c.context, .number = recorded_number(f, CONTEXT_NULL_STREAM), .told = {.kind = PROF_STREAM_NULL}};
    if (frame_field(f, CONTEXT_GREEN) > 0 &&
        !prof_find(r->trace, "{green context} with some of the SMs: its kernels use all SMs here", NULL, 1))
        return false;
    return add_context(&r->process, c) && (null.number == PROF_UNKNOWN || vec_push(&r->process.streams, null));
}

static int positive(int64_t n)
{
    return n > 0 && n <= INT32_MAX ? (int)n : 0;
}

static int64_t known_or_0(int64_t n)
{
    return n > 0 ? n : 0;
}

/* Several processes may describe the same GPU: the first description counts. */
static bool take_device_frame(recording *r, const frame *f)
{
    int64_t device = recorded_number(f, DEVICE_DEVICE);
    int warps = positive(frame_field(f, DEVICE_WARPS)), threads = positive(frame_field(f, DEVICE_WARP_THREADS));
    for (size_t i = 0; i < r->devices.count; i++)
        if (r->devices.at[i] == device)
            return true;
    prof_gpu gpu = {.device = device,
                    .name = prof_trace_text(r->trace, f->text, strlen(f->text)),
                    .sms = positive(frame_field(f, DEVICE_SMS)),
                    .cc_major = positive(frame_field(f, DEVICE_CC_MAJOR)),
                    .cc_minor = positive(frame_field(f, DEVICE_CC_MINOR)),
                    .threads_per_sm = warps < 1024 && threads < 1024 ? warps * threads : 0,
                    .blocks_per_sm = positive(frame_field(f, DEVICE_BLOCKS)),
                    .registers_per_sm = known_or_0(frame_field(f, DEVICE_REGISTERS)),
                    .smem_per_sm = known_or_0(frame_field(f, DEVICE_SMEM)),
                    .memory_bytes = known_or_0(frame_field(f, DEVICE_MEMORY))};
    if (!gpu.name)
        return false;
    gpu.name = *gpu.name ? gpu.name : NULL;
    return r->devices.count >= RECORDED_MAX_DEVICES || (vec_push(&r->devices, device) && prof_add_gpu(r->trace, &gpu));
}

bool take_host_frame(recording *r, const frame *f)
{
    switch (f->kind) {
    case RECORDED_CALL:
        return take_call_frame(r, f);
    case RECORDED_EVENT:
        return take_event_frame(r, f);
    case RECORDED_SYNC:
        return take_sync_frame(r, f);
    case RECORDED_MARKER:
        return take_marker_frame(r, f);
    case RECORDED_THREAD:
        return take_thread_frame(r, f);
    case RECORDED_STREAM:
        return take_stream_frame(r, f);
    case RECORDED_CONTEXT:
        return take_context_frame(r, f);
    default:
        return take_device_frame(r, f);
    }
}

/* The functions below end a process: they add its frames to the trace. */

enum { MARKER_START = 2, MARKER_END = 4 }; /* CUpti_ActivityFlag */

static int by_id(const void *a, const void *b)
{
    const recorded_marker *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->flags != y->flags ? (x->flags < y->flags ? -1 : 1) : 0; /* starts before ends */
}

static bool add_range(recording *r, const recorded_marker *start, const recorded_marker *end)
{
    prof_range range = {.kind = PROF_RANGE_NVTX,
                        .thread = PROF_NONE,
                        .name = start->name,
                        .start_ns = start->time_ns,
                        .end_ns = end->time_ns};
    if (!range.name)
        return true;
    if (start->thread != PROF_UNKNOWN && !prof_get_thread(r->trace, r->process.pid, start->thread, &range.thread))
        return false;
    return prof_add_range(r->trace, &range);
}

/* Adds NVTX ranges: their begins and ends are separate frames. */
static bool add_ranges(recording *r)
{
    recorded_process *p = &r->process;
    uint64_t open = 0;
    if (p->markers.count)
        qsort(p->markers.at, p->markers.count, sizeof *p->markers.at, by_id);
    for (size_t i = 0; i < p->markers.count; i++) {
        const recorded_marker *m = &p->markers.at[i], *next = m + 1;
        if (!(m->flags & MARKER_START))
            continue;
        if (i + 1 == p->markers.count || next->id != m->id || !(next->flags & MARKER_END))
            open++;
        else if (!add_range(r, m, next))
            return false;
    }
    return !open || prof_find(r->trace, "{range} without an end: left out", NULL, open);
}

/* A driver call inside a runtime call may have a correlation of its own, which operations may refer to. */
typedef struct alias {
    int64_t inner, outer; /* correlations */
} alias;

typedef struct aliases {
    VEC(alias) list;
    hash_index index; /* by `inner` */
} aliases;

static uint64_t hash_of(int64_t number)
{
    return index_hash(&number, sizeof number);
}

static int64_t outer_of(const aliases *a, int64_t correlation)
{
    for (index_probe p = index_start(&a->index, hash_of(correlation)); index_next(&a->index, &p);)
        if (a->list.at[p.value].inner == correlation)
            return a->list.at[p.value].outer;
    return correlation;
}

static int by_thread(const void *a, const void *b)
{
    const prof_call *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1; /* the enclosing call first */
    return x->correlation != y->correlation ? (x->correlation < y->correlation ? -1 : 1) : 0;
}

static bool add_alias(aliases *a, alias new)
{
    if (new.inner == new.outer || outer_of(a, new.inner) != new.inner)
        return true;
    return a->list.count < UINT32_MAX - 1 && vec_push(&a->list, new) &&
           index_add(&a->index, hash_of(new.inner), (uint32_t)(a->list.count - 1));
}

/* Adds the calls. A call inside another call of its thread becomes part of that call. */
static bool add_calls(recording *r, aliases *a)
{
    recorded_process *p = &r->process;
    prof_call outer = {0};
    bool any = false;
    if (p->calls.count)
        qsort(p->calls.at, p->calls.count, sizeof *p->calls.at, by_thread);
    for (size_t i = 0; i < p->calls.count; i++) {
        const prof_call *c = &p->calls.at[i];
        if (any && c->thread == outer.thread && c->start_ns >= outer.start_ns && c->end_ns <= outer.end_ns) {
            alias inside = {.inner = c->correlation, .outer = outer.correlation};
            outer.kind = outer.kind == PROF_CALL_OTHER ? c->kind : outer.kind;
            if (!add_alias(a, inside))
                return false;
            continue;
        }
        if (any && !prof_add_call(r->trace, &outer))
            return false;
        outer = *c;
        any = true;
    }
    return !any || prof_add_call(r->trace, &outer);
}

static int by_correlation(const void *a, const void *b)
{
    const recorded_launch *x = a, *y = b;
    return x->correlation != y->correlation ? (x->correlation < y->correlation ? -1 : 1) : 0;
}

/* Gives the launches of this process the correlations of the outer calls, and sorts them. */
static void sort_launches(recording *r, const aliases *a)
{
    size_t count = r->launches.count - r->process.first_launch;
    recorded_launch *own = count ? &r->launches.at[r->process.first_launch] : NULL;
    for (size_t i = 0; i < count; i++)
        own[i].correlation = outer_of(a, own[i].correlation);
    if (count)
        qsort(own, count, sizeof *own, by_correlation);
}

static const recorded_launch *find_launch(const recording *r, int64_t correlation)
{
    const recorded_launch key = {.correlation = correlation};
    size_t first = r->process.first_launch, count = r->launches.count - first;
    return count ? bsearch(&key, &r->launches.at[first], count, sizeof key, by_correlation) : NULL;
}

static bool add_ops(recording *r, const aliases *a)
{
    uint64_t events = 0, prioritised = 0;
    for (size_t i = 0; i < r->process.ops.count; i++) {
        prof_op op = r->process.ops.at[i];
        op.correlation = outer_of(a, op.correlation);
        const recorded_launch *l = op.kind == GCAST_KIND_KERNEL ? find_launch(r, op.correlation) : NULL;
        if (l) {
            op.is_cooperative = op.is_cooperative || l->is_cooperative;
            op.is_programmatic = l->is_programmatic;
            if (!op.cluster[0] && l->cluster[0])
                memcpy(op.cluster, l->cluster, sizeof op.cluster);
            events += l->has_event;
            prioritised += l->has_priority;
        }
        if (!prof_add_op(r->trace, &op))
            return false;
    }
    return (!events ||
            prof_find(
                r->trace,
                "{kernel} with a programmatic event: operations that wait for it wait for the end of the kernel here",
                NULL, events)) &&
           (!prioritised || prof_find(r->trace, "{kernel} with a launch priority: the priority of the stream is used",
                                      NULL, prioritised));
}

static int64_t device_of(const recorded_process *p, int64_t context)
{
    for (size_t i = p->contexts.count; i-- > 0;)
        if (p->contexts.at[i].context == context)
            return p->contexts.at[i].device;
    return PROF_UNKNOWN;
}

/* Finds or adds the stream with these numbers; *stream is PROF_NONE if its GPU is unknown. */
static bool get_stream(recording *r, int64_t context, int64_t number, uint32_t *stream)
{
    prof_stream key = {
        .device = device_of(&r->process, context), .pid = r->process.pid, .context = context, .number = number};
    *stream = PROF_NONE;
    if (key.device == PROF_UNKNOWN || number == PROF_UNKNOWN)
        return true;
    return prof_get_stream(r->trace, &key, stream);
}

static bool tell_streams(recording *r)
{
    for (size_t i = 0; i < r->process.streams.count; i++) {
        const recorded_stream *s = &r->process.streams.at[i];
        uint32_t stream;
        if (!get_stream(r, s->context, s->number, &stream))
            return false;
        if (stream != PROF_NONE)
            prof_tell_stream(r->trace, stream, &s->told);
    }
    return true;
}

static int by_event(const void *a, const void *b)
{
    const recorded_event *x = a, *y = b;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return x->correlation != y->correlation ? (x->correlation < y->correlation ? -1 : 1) : 0;
}

static const recorded_event *find_record(const recorded_process *p, const hash_index *by_record, int64_t record)
{
    for (index_probe i = index_start(by_record, hash_of(record)); index_next(by_record, &i);)
        if (p->records.at[i.value].record == record)
            return &p->records.at[i.value];
    return NULL;
}

/* The record for which a wait waits: by its number, or before CUDA 12.8 the event's last record before the wait, as
 * correlations grow. */
static const recorded_event *record_of(const recorded_process *p, const hash_index *by_record,
                                       const recorded_event *wait)
{
    if (wait->event == PROF_UNKNOWN)
        return NULL;
    const recorded_event *found = wait->record == PROF_UNKNOWN ? NULL : find_record(p, by_record, wait->record);
    if (found)
        return found;
    size_t low = 0, high = p->records.count; /* finds the first record that is not before the wait */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_event(&p->records.at[middle], wait) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low && p->records.at[low - 1].event == wait->event ? &p->records.at[low - 1] : NULL;
}

/* Adds a record of an event, or a wait for `record`. */
static bool tell_event(recording *r, const aliases *a, const recorded_event *e, const recorded_event *record)
{
    prof_call_told told = {.pid = r->process.pid,
                           .correlation = outer_of(a, e->correlation),
                           .event = e->event,
                           .record_correlation = record ? outer_of(a, record->correlation) : PROF_UNKNOWN,
                           .record_stream = PROF_NONE};
    return get_stream(r, e->context, e->stream, &told.stream) &&
           (!record || get_stream(r, record->context, record->stream, &told.record_stream)) &&
           prof_tell_call(r->trace, &told);
}

static bool tell_events(recording *r, const aliases *a)
{
    recorded_process *p = &r->process;
    hash_index by_record = {0};
    bool ok = p->records.count < UINT32_MAX;
    if (p->records.count)
        qsort(p->records.at, p->records.count, sizeof *p->records.at, by_event);
    for (size_t i = 0; i < p->records.count && ok; i++) {
        const recorded_event *e = &p->records.at[i];
        ok = tell_event(r, a, e, NULL) && (e->record == PROF_UNKNOWN || find_record(p, &by_record, e->record) ||
                                           index_add(&by_record, hash_of(e->record), (uint32_t)i));
    }
    for (size_t i = 0; i < p->syncs.count && ok; i++)
        ok = tell_event(r, a, &p->syncs.at[i], record_of(p, &by_record, &p->syncs.at[i]));
    index_free(&by_record);
    return ok;
}

bool recorded_process_end(recording *r)
{
    aliases a = {0};
    if (!r->in_process)
        return true;
    bool ok = add_calls(r, &a);
    if (ok)
        sort_launches(r, &a);
    ok =
        ok && add_ops(r, &a) && tell_streams(r) && tell_events(r, &a) && add_ranges(r) &&
        (r->process.has_ended || r->note ||
         prof_find(r->trace,
                   "{process} killed, or ended without exit handlers: the operations of its last second may be missing",
                   NULL, 1));
    vec_free(&a.list);
    index_free(&a.index);
    recorded_process_free(&r->process);
    r->in_process = false;
    return ok;
}
