/* Programmatic dependent launch: kernels that started before their predecessor in the stream, or graph, had ended. The
 * profile has the starts and ends of both. The predecessor had triggered the GPU's programmatic gap before the
 * successor started. If the successor ended last, its blocks may have waited for the end of the predecessor. Their work
 * after the wait lasts from that end, plus the GPU's gap for such waits, to their own end; their work before the wait
 * is unknown. */
#include <stdlib.h>

#include "base/integers.h"
#include "model/gpu.h"
#include "model/workload/attributes.h"
#include "profile/make/making.h"

#define OVERLAP_NS 100   /* precision of a profiler's starts and ends */
#define WHOLE_US_NS 2000 /* the same if times are whole microseconds */

typedef struct programmatic_counts {
    uint64_t inferred, impossible, unlike, waits;
    const char *name;
} programmatic_counts;

/* The shortest overlap that cannot come from rounding. */
static int64_t least_overlap(const making *m)
{
    for (size_t i = 0; i < m->ops.count; i++)
        if (trace_op(m, i)->start_ns % 1000 || trace_op(m, i)->end_ns % 1000)
            return OVERLAP_NS;
    return WHOLE_US_NS;
}

/* The operation's end in the model, if all goes as recorded. */
static int64_t end_of(const making *m, uint32_t i)
{
    const made_op *x = &m->ops.at[i];
    return (x->waits ? x->resume_ns : trace_op(m, i)->start_ns) + x->span_ns;
}

/* Sets the trigger of `first`, gap_ns before the start of `op`, and the wait of `op`. */
static void overlap(making *m, uint32_t first, uint32_t op, int64_t gap_ns, programmatic_counts *c)
{
    made_op *x = &m->ops.at[op], *y = &m->ops.at[first];
    int64_t start_ns = trace_op(m, op)->start_ns, end_ns = end_of(m, op), first_end_ns = end_of(m, first);
    if (trace_op(m, first)->end_ns <= start_ns)
        return;
    int64_t beside_ns = max_i64(min_i64(first_end_ns, end_ns) - start_ns, 0);
    int64_t ready_ns = first_end_ns + programmatic_wait_of(recorded_gpu(m));
    y->trigger_at_ns = min_i64(y->trigger_at_ns, start_ns - gap_ns);
    y->early_ns += beside_ns;
    x->early_ns += beside_ns;
    if (ready_ns >= end_ns)
        return; /* `op` did not wait */
    c->waits += !x->waits;
    x->resume_ns = x->waits ? max_i64(x->resume_ns, ready_ns) : ready_ns;
    x->span_ns = end_ns - x->resume_ns;
    x->waits = true;
}

/* Looks at a kernel outside of graphs. `first` is its predecessor in the stream if that is one, too; else PROF_NONE. */
static void look_at(making *m, uint32_t first, uint32_t op, int64_t least_ns, programmatic_counts *c)
{
    const prof_op *x = trace_op(m, op), *y = first == PROF_NONE ? NULL : trace_op(m, first);
    bool is_early = y && y->end_ns - x->start_ns >= least_ns;
    bool possible = recorded_gpu(m)->limits.cc_major >= ATTRIBUTES_PROGRAMMATIC_CC &&
                    m->options->gpu->limits.cc_major >= ATTRIBUTES_PROGRAMMATIC_CC;
    if (possible && (x->is_programmatic || (is_early && y->start_ns <= x->start_ns))) {
        m->ops.at[op].programmatic = true;
        c->inferred += !x->is_programmatic;
        if (is_early)
            overlap(m, first, op, programmatic_gap_of(recorded_gpu(m)), c);
        return;
    }
    c->unlike += x->is_programmatic;
    c->impossible += is_early;
    c->name = is_early && !c->name ? x->name : c->name;
}

static bool look_at_streams(making *m, programmatic_counts *c)
{
    uint32_t *last = malloc((m->t->stream_count + 1) * sizeof *last);
    int64_t least_ns = least_overlap(m);
    for (size_t i = 0; last && i < m->t->stream_count; i++)
        last[i] = PROF_NONE;
    for (size_t k = 0; last && k < m->t->op_count; k++) { /* in the order of starts, as some calls are missing */
        uint32_t i = m->op_of[k];
        if (i == PROF_NONE)
            continue;
        uint32_t *before = &last[m->ops.at[i].stream];
        bool is_kernel = trace_op(m, i)->kind == GCAST_KIND_KERNEL && !m->items.at[m->ops.at[i].item].graph;
        if (is_kernel)
            look_at(m, *before, i, least_ns, c);
        *before = is_kernel ? i : PROF_NONE;
    }
    free(last);
    return last != NULL;
}

static void look_at_graphs(making *m, programmatic_counts *c)
{
    const gcast_gpu *gpu = recorded_gpu(m);
    int64_t gap_ns = gpu->graph_gap_ns ? gpu->graph_gap_ns : gpu->stream_gap_ns;
    gap_ns = gpu->graph_trigger_gap_ns ? gpu->graph_trigger_gap_ns : gap_ns;
    for (size_t i = 0; i < m->afters.count; i++)
        if (m->afters.at[i].port == GCAST_PORT_PROGRAMMATIC)
            overlap(m, m->afters.at[i].before, m->afters.at[i].op, gap_ns, c);
}

gcast_status make_programmatic(making *m)
{
    programmatic_counts c = {0};
    prof_findings *f = m->findings;
    bool ok = look_at_streams(m, &c);
    look_at_graphs(m, &c);
    ok = ok &&
         findings_add(f,
                      "{kernel} that started before its predecessor in the stream had ended; the profile does not say "
                      "why: a programmatic launch is assumed",
                      NULL, c.inferred) &&
         findings_add(f,
                      "{kernel} that started before its predecessor in the stream had ended, which this GPU cannot do: "
                      "it starts later here",
                      c.name, c.impossible) &&
         findings_add(f,
                      "{kernel} launched as programmatic, which this GPU does not support: a normal launch is assumed",
                      NULL, c.unlike) &&
         findings_add(f,
                      "{kernel} with blocks that may have waited for the kernel before: the profile does not show "
                      "their work before this wait; the least possible is assumed",
                      NULL, c.waits);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}

/* The time from a block's start to its trigger. Blocks of the last wave trigger last. Time in which a block waited does
 * not count. */
static int64_t trigger_of(const making *m, size_t i)
{
    const made_op *x = &m->ops.at[i];
    int64_t wave_ns = x->max_ns + recorded_gpu(m)->handover_ns;
    int64_t start_ns = x->waits && x->waves > 1 ? x->resume_ns : trace_op(m, i)->start_ns;
    int64_t since_ns = x->trigger_at_ns - start_ns;
    if (x->waves > 1)
        return x->waves - 1 > since_ns / max_i64(wave_ns, 1) ? 0 : max_i64(since_ns - (x->waves - 1) * wave_ns, 0);
    if (x->waits && since_ns > x->wait_ns)
        since_ns = x->wait_ns + max_i64(x->trigger_at_ns - x->resume_ns, 0);
    return max_i64(since_ns, 0);
}

gcast_status make_triggers(making *m)
{
    for (size_t i = 0; i < m->ops.count; i++)
        if (m->ops.at[i].trigger_at_ns != INT64_MAX)
            m->ops.at[i].trigger_ns = trigger_of(m, i);
    return GCAST_OK;
}
