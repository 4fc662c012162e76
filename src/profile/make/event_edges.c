/* Dependencies by events. The profile may contain more or less of a cudaStreamWaitEvent:
 * - its stream and the record: the stream's next operation depends on the last operation that was called on the
 * record's stream before the record;
 * - its stream only: the record is assumed to be the thread's last one. The stream's next operation depends on the last
 *   operation that the thread called before that record, if it is in another stream and times do not contradict;
 * - neither: if the next operation of a stream started right after an operation of another stream had ended, although
 *   its own stream had been ready for longer, it depends on that operation.
 * The last two cases are guesses, and become findings. */
#include <stdlib.h>

#include "base/integers.h"
#include "profile/make/making.h"

#define MOST_BACK 4096 /* limit of the operations that are looked at for one wait */

/* A dependency of the next operation of a stream. */
typedef struct wait_edge {
    uint32_t before; /* index in ops[] */
    uint32_t next;   /* another one of the same stream: index in waits[]; PROF_NONE: none */
    bool is_open;    /* a guess */
} wait_edge;

/* The state after the calls so far. */
typedef struct edges {
    making *m;
    uint32_t *last_op;   /* by stream of the trace: the last operation called; index in ops[] */
    uint32_t *previous;  /* by ops[]: the operation called before it on its stream */
    uint32_t *thread_op; /* by thread: the last operation that it called; index in ops[] */
    uint32_t *record;    /* by thread: its last record; index in the calls of the trace */
    uint32_t *record_op; /* by thread: the last operation that it called before that record; index in ops[] */
    VEC(wait_edge) waits;
    uint32_t *first; /* by stream: a dependency of its next operation, index in waits[]; PROF_NONE: none */
    bool *open;      /* by stream: its next operation is behind a wait with unknown stream and record */
    bool *outside;   /* by stream: its next operation is behind a wait for an operation outside of the part */
    uint64_t told, open_edges, contradicted, inferred, unresolved, lost;
} edges;

static bool add_after(edges *g, uint32_t op, uint32_t before)
{
    made_after a = {.op = op, .before = before};
    return vec_push(&g->m->afters, a);
}

/* The last operation of the workload that was called on the stream before the record. */
static uint32_t last_before(const edges *g, uint32_t stream, int64_t record_ns)
{
    const making *m = g->m;
    uint32_t op = g->last_op[stream];
    for (int i = 0; i < MOST_BACK && op != PROF_NONE; i++, op = g->previous[op])
        if (m->items.at[m->ops.at[op].item].order_ns < record_ns)
            return op;
    return PROF_NONE;
}

/* The next operation of the stream depends on `before`, too. One that the last operation of a stream implies is not
 * kept, unless only a guess implies it. False without memory. */
static bool add_wait(edges *g, uint32_t stream, uint32_t before, bool is_open)
{
    const made_op *ops = g->m->ops.at;
    for (uint32_t i = g->first[stream]; i != PROF_NONE; i = g->waits.at[i].next) {
        wait_edge *w = &g->waits.at[i];
        if (ops[w->before].stream != ops[before].stream)
            continue;
        if (w->before >= before && (!w->is_open || is_open))
            return true;
        if (before >= w->before && (!is_open || w->is_open)) {
            w->before = before;
            w->is_open = is_open;
            return true;
        }
    }
    wait_edge added = {.before = before, .next = g->first[stream], .is_open = is_open};
    if (!vec_push(&g->waits, added))
        return false;
    g->first[stream] = (uint32_t)g->waits.count - 1;
    return true;
}

static bool wait_told(edges *g, const prof_call *c)
{
    const prof_call *record = &g->m->t->calls[c->record];
    uint32_t before = last_before(g, record->stream, record->start_ns);
    if (before == PROF_NONE || record->stream == c->stream) {
        g->outside[c->stream] |= record->stream != c->stream;
        return true; /* there is nothing to wait for, or the order of the stream implies it */
    }
    return add_wait(g, c->stream, before, false);
}

static bool wait_half_told(edges *g, const prof_call *c)
{
    uint32_t before = g->record[c->thread] == PROF_NONE ? PROF_NONE : g->record_op[c->thread];
    if (before == PROF_NONE || g->m->ops.at[before].stream == c->stream) {
        g->unresolved++;
        return true;
    }
    return add_wait(g, c->stream, before, true);
}

/* False without memory. */
static bool wait(edges *g, const prof_call *c)
{
    const prof_trace *t = g->m->t;
    bool is_told = c->stream != PROF_NONE && c->record != PROF_NONE && t->calls[c->record].stream != PROF_NONE;
    if (c->stream != PROF_NONE && t->streams[c->stream].device != g->m->device)
        return true;
    if (is_told)
        return wait_told(g, c);
    if (g->m->options->events == PROF_EVENTS_TOLD) {
        g->unresolved++;
        return true;
    }
    if (c->stream != PROF_NONE)
        return wait_half_told(g, c);
    g->unresolved++;
    for (size_t i = 0; i < t->stream_count; i++)
        g->open[i] = true;
    return true;
}

/* The operation for whose end `op` may have waited: the last one to end before its start among those that were called
 * before it in other streams. */
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
    return m->options->from_ns != INT64_MIN || m->options->to_ns != INT64_MAX || m->options->range ||
           m->options->step != PROF_UNKNOWN;
}

/* Did an operation outside of the part, in another stream, end between the call and the start of `op`? */
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

/* The time from which on only events could delay the operation. */
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

/* Adds the dependencies of an operation that its stream waited for; *any: there were some. False without memory. */
static bool add_waited(edges *g, uint32_t op, bool *any)
{
    const prof_op *x = trace_op(g->m, op);
    uint32_t stream = g->m->ops.at[op].stream;
    *any = false;
    for (uint32_t i = g->first[stream]; i != PROF_NONE; i = g->waits.at[i].next) {
        const wait_edge *w = &g->waits.at[i];
        *any = true;
        if (w->is_open && trace_op(g->m, w->before)->end_ns > x->start_ns) {
            g->contradicted++;
            continue;
        }
        *(w->is_open ? &g->open_edges : &g->told) += 1;
        if (!add_after(g, op, w->before))
            return false;
    }
    return true;
}

static bool begin_op(edges *g, uint32_t op)
{
    uint32_t stream = g->m->ops.at[op].stream;
    bool has_dependency;
    if (!add_waited(g, op, &has_dependency))
        return false;
    if (!has_dependency && g->open[stream]) {
        uint32_t before = ended_before(g, op, ready_at(g, op));
        has_dependency = before != PROF_NONE;
        g->inferred += has_dependency;
        if (has_dependency && !add_after(g, op, before))
            return false;
    }
    if (!has_dependency && (g->open[stream] || g->outside[stream]))
        g->lost += ended_outside(g, op);
    g->first[stream] = PROF_NONE;
    g->open[stream] = g->outside[stream] = false;
    return true;
}

static bool call_item(edges *g, const made_item *item)
{
    for (uint32_t i = item->first_op; i < item->first_op + item->op_count; i++) {
        bool is_next_node = item->graph && i > item->first_op; /* only the first node waits for events */
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
    return findings_add(f,
                        "{open dependency}: the profile does not say which cudaEventRecord it is; the thread's last "
                        "one is assumed",
                        NULL, g->open_edges) &&
           findings_add(f, "{open dependency} contradicted by times: left out", NULL, g->contradicted) &&
           findings_add(f,
                        g->m->options->events == PROF_EVENTS_TOLD
                            ? "{wait} for an event: the profile does not say which; left out"
                            : "{cudaStreamWaitEvent call}: the trace does not say "
                              "which event. A dependency is added only where the "
                              "timing shows one",
                        NULL, g->unresolved) &&
           findings_add(f,
                        "{dependency} inferred from times: an operation behind such a wait started right after the end "
                        "of one in another stream",
                        NULL, g->inferred) &&
           findings_add(f,
                        "{operation} behind a wait for an event that may be outside of the selected part: without this "
                        "dependency here",
                        NULL, g->lost);
}

/* A wait before the first operation of the part can only wait for operations outside of it. */
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
    bool is_whole = m->options->from_ns == INT64_MIN && !m->options->range &&
                    m->options->step == PROF_UNKNOWN; /* from its beginning on */
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
            if (!next && !is_whole)
                wait_outside(g, c);
            else if (!wait(g, c))
                return false;
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

static void sort_afters(making *m)
{
    if (m->afters.count)
        qsort(m->afters.at, m->afters.count, sizeof *m->afters.at, compare_afters);
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
               .first = all_none(streams),
               .open = calloc(streams + 1, sizeof *g.open),
               .outside = calloc(streams + 1, sizeof *g.outside)};
    bool ok = g.last_op && g.previous && g.thread_op && g.record && g.record_op && g.first && g.open && g.outside &&
              walk(&g) && find_edges(&g);
    sort_afters(m);
    free(g.last_op);
    free(g.previous);
    free(g.thread_op);
    free(g.record);
    free(g.record_op);
    free(g.first);
    vec_free(&g.waits);
    free(g.open);
    free(g.outside);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
