/* Which operations wait for which, by events. Three cases, by what the profile tells of a cudaStreamWaitEvent:
 * - stream and record: the stream's next operation is after the last one of the record's stream that was called before
 *   the record;
 * - the stream only: the thread's last record before the wait is taken, and the thread's last operation before that, if
 *   it is in another stream and times do not contradict;
 * - nothing: the first operation of a stream behind such a wait that started right after one of another stream ended,
 *   although its own stream was done long before, is after that one.
 * The last two are open, and told as findings. */
#include <stdlib.h>

#include "base/minmax.h"
#include "profile/make/make_steps.h"

#define READY_NS 2000  /* an operation that is ready for longer than this waits for something */
#define EVENT_NS 10000 /* an event is seen within this time */
#define MOST_BACK 4096 /* operations that are looked at for one wait */

/* What was called so far. */
typedef struct edges {
    making *m;
    uint32_t *last_op;   /* by stream of the trace: the last that was called; index in ops[] */
    uint32_t *previous;  /* by ops[]: the one that was called before it on its stream */
    uint32_t *thread_op; /* by thread: the last that it called; index in ops[] */
    uint32_t *record;    /* by thread: its last record; index in the calls of the trace */
    uint32_t *record_op; /* by thread: what it had called last before that; index in ops[] */
    uint32_t *before;    /* by stream: what its next operation is after; PROF_NONE: nothing */
    bool *before_open;   /* by stream: that is not told */
    bool *open;          /* by stream: behind a wait that tells nothing */
    bool *outside;       /* by stream: behind a wait for what is not in the workload, if for anything */
    uint64_t told, open_edges, contradicted, inferred, unresolved, lost;
} edges;

static bool add_after(edges *g, uint32_t op, uint32_t before)
{
    made_after a = {.op = op, .before = before};
    return vec_push(&g->m->afters, a);
}

/* The last operation that was called on the stream before the record, of those in the workload. */
static uint32_t last_before(const edges *g, uint32_t stream, int64_t record_ns)
{
    const making *m = g->m;
    uint32_t op = g->last_op[stream];
    for (int i = 0; i < MOST_BACK && op != PROF_NONE; i++, op = g->previous[op])
        if (m->items.at[m->ops.at[op].item].order_ns < record_ns)
            return op;
    return PROF_NONE;
}

static void wait_told(edges *g, const prof_call *c)
{
    const prof_call *record = &g->m->t->calls[c->record];
    uint32_t before = last_before(g, record->stream, record->start_ns);
    if (before == PROF_NONE || record->stream == c->stream) {
        g->outside[c->stream] |= record->stream != c->stream;
        return; /* there is nothing to wait for, or the stream's order says it */
    }
    g->before[c->stream] = before;
    g->before_open[c->stream] = false;
}

static void wait_half_told(edges *g, const prof_call *c)
{
    uint32_t before = g->record[c->thread] == PROF_NONE ? PROF_NONE : g->record_op[c->thread];
    if (before == PROF_NONE || g->m->ops.at[before].stream == c->stream) {
        g->unresolved++;
        return;
    }
    g->before[c->stream] = before;
    g->before_open[c->stream] = true;
}

static void wait(edges *g, const prof_call *c)
{
    const prof_trace *t = g->m->t;
    bool is_told = c->stream != PROF_NONE && c->record != PROF_NONE && t->calls[c->record].stream != PROF_NONE;
    if (c->stream != PROF_NONE && t->streams[c->stream].device != g->m->device)
        return;
    if (is_told) {
        wait_told(g, c);
    } else if (g->m->o->events == PROF_EVENTS_TOLD) {
        g->unresolved++;
    } else if (c->stream != PROF_NONE) {
        wait_half_told(g, c);
    } else {
        g->unresolved++;
        for (size_t i = 0; i < t->stream_count; i++)
            g->open[i] = true;
    }
}

/* The operation whose end another one may have waited for: of another stream, called before it, the last to end before
 * its start. */
static uint32_t ended_before(const edges *g, uint32_t op, int64_t ready_ns)
{
    const making *m = g->m;
    const prof_op *x = trace_op(m, op);
    uint32_t best = PROF_NONE;
    size_t first = m->ops.at[op].op > MOST_BACK ? m->ops.at[op].op - MOST_BACK : 0;
    for (size_t i = m->ops.at[op].op; i-- > first;) {
        const prof_op *y = &m->t->ops[i];
        uint32_t k = m->op_of[i];
        if (k == PROF_NONE || k >= op || m->ops.at[k].stream == m->ops.at[op].stream || y->end_ns > x->start_ns ||
            y->end_ns < max_i64(x->start_ns - EVENT_NS, ready_ns + READY_NS))
            continue;
        if (best == PROF_NONE || y->end_ns > trace_op(m, best)->end_ns)
            best = k;
    }
    return best;
}

/* Is only a part of the profile asked for? */
static bool is_part(const making *m)
{
    return m->o->from_ns != INT64_MIN || m->o->to_ns != INT64_MAX || m->o->range || m->o->step != PROF_UNKNOWN;
}

/* Did an operation of another stream that is not in the part run when this one was called, and end before it started?
 */
static bool ended_outside(const edges *g, uint32_t op)
{
    const making *m = g->m;
    const prof_op *x = trace_op(m, op);
    const made_item *item = &m->items.at[m->ops.at[op].item];
    int64_t called_ns = item->call == PROF_NONE ? x->start_ns : m->t->calls[item->call].start_ns;
    size_t first = m->ops.at[op].op > MOST_BACK ? m->ops.at[op].op - MOST_BACK : 0;
    for (size_t i = m->ops.at[op].op; i-- > first && is_part(m);) {
        const prof_op *y = &m->t->ops[i];
        bool is_other = m->op_of[i] == PROF_NONE && y->stream != PROF_NONE && y->stream != x->stream &&
                        m->t->streams[y->stream].device == m->device;
        if (is_other && y->end_ns > called_ns && y->end_ns <= x->start_ns)
            return true;
    }
    return false;
}

/* When nothing but events could hold the operation up any more. */
static int64_t ready_at(const edges *g, uint32_t op)
{
    const making *m = g->m;
    const prof_op *x = trace_op(m, op);
    const made_item *item = &m->items.at[m->ops.at[op].item];
    int64_t ready_ns = item->call == PROF_NONE ? x->start_ns : m->t->calls[item->call].end_ns + m->lag_ns;
    uint32_t last = g->last_op[m->ops.at[op].stream];
    if (last != PROF_NONE)
        ready_ns = max_i64(ready_ns, trace_op(m, last)->end_ns);
    return ready_ns;
}

static bool begin_op(edges *g, uint32_t i)
{
    const prof_op *x = trace_op(g->m, i);
    uint32_t stream = g->m->ops.at[i].stream, before = g->before[stream];
    bool is_contradicted =
        before != PROF_NONE && g->before_open[stream] && trace_op(g->m, before)->end_ns > x->start_ns;
    if (is_contradicted) {
        g->contradicted++;
    } else if (before != PROF_NONE) {
        *(g->before_open[stream] ? &g->open_edges : &g->told) += 1;
        if (!add_after(g, i, before))
            return false;
    } else if (g->open[stream]) {
        before = ended_before(g, i, ready_at(g, i));
        g->inferred += before != PROF_NONE;
        if (before != PROF_NONE && !add_after(g, i, before))
            return false;
    }
    if (before == PROF_NONE && (g->open[stream] || g->outside[stream]))
        g->lost += ended_outside(g, i);
    g->before[stream] = PROF_NONE;
    g->open[stream] = g->outside[stream] = false;
    return true;
}

static bool call_item(edges *g, const made_item *item)
{
    for (uint32_t i = item->first_op; i < item->first_op + item->op_count; i++) {
        bool is_next_node = item->graph && i > item->first_op; /* which waits for no event */
        uint32_t *last = &g->last_op[g->m->ops.at[i].stream];
        if (item->thread != PROF_NONE && !is_next_node && !begin_op(g, i))
            return false;
        g->previous[i] = *last;
        *last = i;
        if (item->thread != PROF_NONE)
            g->thread_op[item->thread] = i;
    }
    return true;
}

static bool find_edges(edges *g)
{
    prof_findings *f = g->m->findings;
    return findings_add(f, "{open dependency}: the event's record is not told, and the thread's last one is taken",
                        NULL, g->open_edges) &&
           findings_add(f, "{open dependency} contradicted by times, left out", NULL, g->contradicted) &&
           findings_add(f,
                        g->m->o->events == PROF_EVENTS_TOLD ? "{wait} for an event that is not told, left out"
                                                            : "{cudaStreamWaitEvent call}: the trace does not say "
                                                              "which event. A dependency is added only where the "
                                                              "timing shows one",
                        NULL, g->unresolved) &&
           findings_add(f,
                        "{dependency} inferred from times: an operation behind such a wait started right after another "
                        "stream's ended",
                        NULL, g->inferred) &&
           findings_add(f,
                        "{operation} behind a wait for an event may have waited for one outside of the part: it has no "
                        "dependency here",
                        NULL, g->lost);
}

/* A wait before the first operation of the part can only be for what is outside. */
static void wait_outside(edges *g, const prof_call *c)
{
    const prof_trace *t = g->m->t;
    for (size_t i = 0; i < t->stream_count; i++)
        g->outside[i] |= c->stream == PROF_NONE || c->stream == i;
}

/* Goes over calls and items together, in the order of calls. */
static bool walk(edges *g)
{
    making *m = g->m;
    size_t next = 0;
    bool is_whole =
        m->o->from_ns == INT64_MIN && !m->o->range && m->o->step == PROF_UNKNOWN; /* from its beginning on */
    for (size_t i = 0; i < m->t->call_count; i++) {
        const prof_call *c = &m->t->calls[i];
        for (; next < m->items.count && m->items.at[next].order_ns <= c->start_ns; next++)
            if (m->items.at[next].call > i && m->items.at[next].call != PROF_NONE)
                break;
            else if (!call_item(g, &m->items.at[next]))
                return false;
        if (c->kind == PROF_CALL_EVENT_RECORD) {
            g->record[c->thread] = (uint32_t)i;
            g->record_op[c->thread] = g->thread_op[c->thread];
        } else if (c->kind == PROF_CALL_STREAM_WAIT && next < m->items.count) {
            next || is_whole ? wait(g, c) : wait_outside(g, c);
        }
    }
    for (; next < m->items.count; next++)
        if (!call_item(g, &m->items.at[next]))
            return false;
    return true;
}

static uint32_t *all_none(size_t count)
{
    uint32_t *list = malloc((count + 1) * sizeof *list);
    for (size_t i = 0; list && i <= count; i++)
        list[i] = PROF_NONE;
    return list;
}

static int by_op(const void *a, const void *b)
{
    const made_after *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

static void sort_afters(making *m)
{
    if (m->afters.count)
        qsort(m->afters.at, m->afters.count, sizeof *m->afters.at, by_op);
    for (size_t i = 0; i < m->afters.count; i++) {
        made_op *op = &m->ops.at[m->afters.at[i].op];
        op->first_after = op->after_count ? op->first_after : (uint32_t)i;
        op->after_count++;
    }
}

gcast_status make_event_edges(making *m)
{
    size_t streams = m->t->stream_count, threads = m->t->thread_count;
    edges g = {.m = m,
               .last_op = all_none(streams),
               .previous = all_none(m->ops.count),
               .thread_op = all_none(threads),
               .record = all_none(threads),
               .record_op = all_none(threads),
               .before = all_none(streams),
               .before_open = calloc(streams + 1, sizeof *g.before_open),
               .open = calloc(streams + 1, sizeof *g.open),
               .outside = calloc(streams + 1, sizeof *g.outside)};
    bool ok = g.last_op && g.previous && g.thread_op && g.record && g.record_op && g.before && g.before_open &&
              g.open && g.outside && walk(&g) && find_edges(&g);
    sort_afters(m);
    free(g.last_op);
    free(g.previous);
    free(g.thread_op);
    free(g.record);
    free(g.record_op);
    free(g.before);
    free(g.before_open);
    free(g.open);
    free(g.outside);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
