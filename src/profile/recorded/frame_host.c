/* Frames of hosts: calls, events, waits, ranges, threads; and of what is there: GPUs, contexts, streams. */
#include <string.h>

#include "profile/call_names.h"
#include "profile/recorded/state.h"

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
    if (!recorded_times(r, c.start_ns, c.end_ns))
        return prof_find(r->trace, "{call} without times, left out", c.name, 1);
    c.kind = frame_field(f, CALL_RESULT) == 0 ? call_kind_of(c.name) : PROF_CALL_OTHER; /* what failed did nothing */
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
        !prof_find(r->trace, "{green context} with some of the SMs: its kernels are taken as if they had all", NULL, 1))
        return false;
    return recorded_add_context(&r->process, c) && (null.number == PROF_UNKNOWN || vec_push(&r->process.streams, null));
}

static int positive(int64_t n)
{
    return n > 0 && n <= INT32_MAX ? (int)n : 0;
}

static int64_t known_or_0(int64_t n)
{
    return n > 0 ? n : 0;
}

/* Processes tell of the same GPUs. */
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
