/* The end of a process: what it recorded becomes part of the trace. */
#include <stdlib.h>
#include <string.h>

#include "profile/recorded/state.h"

/* A call of the driver that a call of the runtime made has its number, or one of its own, which operations may name. */
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
        return x->end_ns > y->end_ns ? -1 : 1; /* the one around it first */
    return x->correlation != y->correlation ? (x->correlation < y->correlation ? -1 : 1) : 0;
}

static bool add_alias(aliases *a, alias same)
{
    if (same.inner == same.outer || outer_of(a, same.inner) != same.inner)
        return true;
    return a->list.count < UINT32_MAX - 1 && vec_push(&a->list, same) &&
           index_add(&a->index, hash_of(same.inner), (uint32_t)(a->list.count - 1));
}

/* Calls inside others of their thread become part of these. */
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
            alias same = {.inner = c->correlation, .outer = outer.correlation};
            outer.kind = outer.kind == PROF_CALL_OTHER ? c->kind : outer.kind;
            if (!add_alias(a, same))
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

/* Launches of this process, with the numbers of the calls that they are part of. */
static void settle_launches(recording *r, const aliases *a)
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
            prof_find(r->trace,
                      "{kernel} with a programmatic event: what waits for that is taken as after the end of the kernel",
                      NULL, events)) &&
           (!prioritised ||
            prof_find(r->trace, "{kernel} with a launch priority: that of the stream is taken", NULL, prioritised));
}

static int64_t device_of(const recorded_process *p, int64_t context)
{
    for (size_t i = p->contexts.count; i-- > 0;)
        if (p->contexts.at[i].context == context)
            return p->contexts.at[i].device;
    return PROF_UNKNOWN;
}

/* The stream of these numbers; PROF_NONE where its GPU is not known. */
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

static const recorded_event *numbered(const recorded_process *p, const hash_index *by_record, int64_t record)
{
    for (index_probe i = index_start(by_record, hash_of(record)); index_next(by_record, &i);)
        if (p->records.at[i.value].record == record)
            return &p->records.at[i.value];
    return NULL;
}

/* The record that a wait is for: by its number, or before CUDA 12.8 the last of the event before the wait, as numbers
 * of calls grow. */
static const recorded_event *record_of(const recorded_process *p, const hash_index *by_record,
                                       const recorded_event *wait)
{
    if (wait->event == PROF_UNKNOWN)
        return NULL;
    const recorded_event *found = wait->record == PROF_UNKNOWN ? NULL : numbered(p, by_record, wait->record);
    if (found)
        return found;
    size_t low = 0, high = p->records.count; /* the first that is not before the wait */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_event(&p->records.at[middle], wait) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low && p->records.at[low - 1].event == wait->event ? &p->records.at[low - 1] : NULL;
}

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
        ok = tell_event(r, a, e, NULL) && (e->record == PROF_UNKNOWN || numbered(p, &by_record, e->record) ||
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
        settle_launches(r, &a);
    ok = ok && add_ops(r, &a) && tell_streams(r) && tell_events(r, &a) && recorded_add_ranges(r) &&
         (r->process.has_ended || r->note ||
          prof_find(r->trace,
                    "{process} killed, or ended without handlers: what it did in its last second may be missing", NULL,
                    1));
    vec_free(&a.list);
    index_free(&a.index);
    recorded_process_free(&r->process);
    r->in_process = false;
    return ok;
}
