/* Why an operation ended when it did. Works on any run with its blocks, from the
 * times of its operations alone: the response time, from release to end, is cut
 * wherever what the operation waits for changes. */
#include "simulate/explain.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"

struct explain {
    gcast_explanation out; /* first, so that an explanation is its handle */
    arena memory;
    VEC(gcast_wait) waits;
    const gcast_run *run;
    size_t me;
    bool failed;
};

const gcast_op *explain_spec(const explain *e, size_t i)
{
    return &e->run->workload->ops[e->run->ops[i].op];
}

static bool same_wait(const gcast_wait *a, const gcast_wait *b)
{
    bool same = a->reason == b->reason && a->resources == b->resources && a->size_bytes == b->size_bytes &&
                a->least_bytes == b->least_bytes && a->holder_count == b->holder_count;
    for (size_t i = 0; same && i < a->holder_count; i++)
        same = a->holders[i].run_op == b->holders[i].run_op && a->holders[i].blocks == b->holders[i].blocks;
    return same;
}

static void add(explain *e, gcast_wait wait)
{
    gcast_wait *last = e->waits.count ? &e->waits.at[e->waits.count - 1] : NULL;
    if (wait.to_ns <= wait.from_ns)
        return;
    if (last && same_wait(last, &wait)) {
        last->to_ns = wait.to_ns;
        return;
    }
    wait.holders = arena_copy(&e->memory, wait.holders, wait.holder_count * sizeof *wait.holders);
    if ((wait.holder_count && !wait.holders) || !vec_push(&e->waits, wait))
        e->failed = true;
}

void explain_add(explain *e, gcast_reason reason, int64_t from, int64_t to, unsigned resources,
                 const gcast_holder *holders, size_t count)
{
    add(e, (gcast_wait){.reason = reason,
                        .from_ns = from,
                        .to_ns = to,
                        .resources = resources,
                        .holders = holders,
                        .holder_count = count});
}

void explain_add_size(explain *e, int64_t from, int64_t to, int64_t size, int64_t least, const gcast_holder *holders,
                      size_t count)
{
    add(e, (gcast_wait){.reason = GCAST_WHY_CARVEOUT,
                        .from_ns = from,
                        .to_ns = to,
                        .size_bytes = size,
                        .least_bytes = least,
                        .holders = holders,
                        .holder_count = count});
}

void explain_add_for(explain *e, gcast_reason reason, int64_t from, int64_t to, size_t holder)
{
    gcast_holder h = {.run_op = holder};
    explain_add(e, reason, from, to, 0, &h, 1);
}

/* Until the operation `holder` is complete, and then until it is gone, but not
 * beyond `to`; returns how far that came. */
static int64_t wait_gone(explain *e, gcast_reason reason, int64_t from, int64_t to, size_t holder)
{
    int64_t end = e->run->ops[holder].end_ns, gone = end + e->run->gpu->stream_gap_ns;
    end = end < to ? end : to;
    gone = gone < to ? gone : to;
    if (end > from) {
        explain_add_for(e, reason, from, end, holder);
        from = end;
    }
    if (gone > from) {
        explain_add_for(e, GCAST_WHY_GAP, from, gone, holder);
        from = gone;
    }
    return from;
}

/* Older operations of a stream that are not gone at `from`, one after the other. */
static int64_t wait_stream(explain *e, gcast_reason reason, int64_t from, int64_t to, int stream)
{
    const gcast_run *run = e->run;
    while (from < to) {
        size_t next = SIZE_MAX;
        for (size_t i = 0; i < run->op_count; i++) {
            const gcast_run_op *r = &run->ops[i];
            const gcast_op *op = explain_spec(e, i);
            if (!r->skipped && gcast_kind_on_gpu(op->kind) && op->stream == stream &&
                r->launch < run->ops[e->me].launch && r->end_ns + run->gpu->stream_gap_ns > from &&
                (next == SIZE_MAX || r->launch < run->ops[next].launch))
                next = i;
        }
        if (next == SIZE_MAX)
            break;
        from = wait_gone(e, reason, from, to, next);
    }
    return from;
}

/* N1: all older operations of blocking streams; the one that ends last stands for them. */
static int64_t wait_blocking(explain *e, int64_t from, int64_t to)
{
    const gcast_run *run = e->run;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = explain_spec(e, i);
        if (r->skipped || !gcast_kind_on_gpu(op->kind) || r->launch >= run->ops[e->me].launch)
            continue;
        const gcast_stream *stream = &run->workload->streams[op->stream];
        if (stream->id != 0 && stream->blocking && (last == SIZE_MAX || r->end_ns > run->ops[last].end_ns))
            last = i;
    }
    return last == SIZE_MAX ? from : wait_gone(e, GCAST_WHY_NULL_FIRST, from, to, last);
}

/* Whoever is the front of my connection, one after the other. */
static void wait_connection(explain *e, int64_t from, int64_t to)
{
    const gcast_run *run = e->run;
    const gcast_run_op *me = &run->ops[e->me];
    while (from < to) {
        size_t front = SIZE_MAX;
        for (size_t i = 0; i < run->op_count; i++) {
            const gcast_run_op *r = &run->ops[i];
            if (!r->skipped && r->connection >= 0 && r->connection == me->connection && r->launch < me->launch &&
                r->enter_ns > from && (front == SIZE_MAX || r->launch < run->ops[front].launch))
                front = i;
        }
        if (front == SIZE_MAX)
            break;
        int64_t end = run->ops[front].enter_ns < to ? run->ops[front].enter_ns : to;
        explain_add_for(e, GCAST_WHY_CONNECTION, from, end, front);
        from = end;
    }
    explain_add(e, GCAST_WHY_TURN, from, to, 0, NULL, 0);
}

static int null_stream(const gcast_workload *w)
{
    for (size_t i = 0; i < w->stream_count; i++)
        if (w->streams[i].id == 0)
            return (int)i;
    return -1;
}

/* From the call to the entry into the engine's queue. */
static void explain_queue(explain *e)
{
    const gcast_run_op *me = &e->run->ops[e->me];
    int mine = explain_spec(e, e->me)->stream;
    const gcast_stream *stream = &e->run->workload->streams[mine];
    explain_add(e, GCAST_WHY_LATENCY, me->call_ns, me->arrive_ns, 0, NULL, 0);
    int64_t t = wait_stream(e, GCAST_WHY_STREAM, me->arrive_ns, me->head_ns, mine);
    if (stream->id == 0)
        t = wait_blocking(e, t, me->enter_ns);
    else if (stream->blocking)
        t = wait_stream(e, GCAST_WHY_NULL_BEFORE, t, me->enter_ns, null_stream(e->run->workload));
    wait_connection(e, t, me->enter_ns);
}

/* The copy that the engine is busy with at t, or takes next; SIZE_MAX: none but me. */
static size_t copy_at(const explain *e, int64_t t)
{
    const gcast_run *run = e->run;
    const gcast_run_op *me = &run->ops[e->me];
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (r->skipped || r->engine != me->engine || i == e->me || r->start_ns >= me->start_ns)
            continue;
        if (r->end_ns + run->gpu->copy_gap_ns > t && (next == SIZE_MAX || r->start_ns < run->ops[next].start_ns))
            next = i;
    }
    return next;
}

static void explain_copy(explain *e)
{
    const gcast_run_op *me = &e->run->ops[e->me];
    int64_t t = me->enter_ns;
    for (size_t at; t < me->start_ns && (at = copy_at(e, t)) != SIZE_MAX;) {
        int64_t free_at = e->run->ops[at].end_ns + e->run->gpu->copy_gap_ns;
        explain_add_for(e, GCAST_WHY_COPY_FIFO, t, free_at, at);
        t = free_at;
    }
    explain_add(e, GCAST_WHY_COPY_BESIDE, t, me->start_ns, 0, NULL, 0);
    explain_add(e, GCAST_WHY_COPY_RUN, me->start_ns, me->end_ns, 0, NULL, 0);
}

static void explain_host_op(explain *e)
{
    const gcast_run_op *me = &e->run->ops[e->me];
    explain_add(e, GCAST_WHY_HOST_WAIT, me->call_ns, me->end_ns, 0, NULL, 0);
}

/* The waits must cover the response without holes: anything else is a defect here. */
static gcast_status adds_up(const explain *e, gcast_error *err)
{
    const gcast_run_op *me = &e->run->ops[e->me];
    int64_t t = me->release_ns;
    for (size_t i = 0; i < e->waits.count; i++) {
        if (e->waits.at[i].from_ns != t)
            break;
        t = e->waits.at[i].to_ns;
    }
    return t == me->end_ns ? GCAST_OK
                           : gcast_fail(err, GCAST_INTERNAL, NULL, "the waits of %s do not add up to its response time",
                                        explain_spec(e, e->me)->label);
}

gcast_status gcast_explain(const gcast_run *run, size_t i, gcast_explanation **out, gcast_error *err)
{
    if (!run->blocks_recorded)
        return gcast_fail(err, GCAST_USAGE, NULL, "to explain a run its blocks must be recorded");
    if (i >= run->op_count || run->ops[i].skipped)
        return gcast_fail(err, GCAST_INPUT, NULL, "the operation was never called");
    explain *e = calloc(1, sizeof *e);
    if (!e)
        return gcast_fail_memory(err);
    *e = (explain){.run = run, .me = i, .out = {.run_op = i, .critical_block = -1, .memory = e}};
    const gcast_run_op *me = &run->ops[i];
    gcast_kind kind = explain_spec(e, i)->kind;
    explain_add(e, GCAST_WHY_HOST, me->release_ns, me->call_ns, 0, NULL, 0);
    if (!gcast_kind_on_gpu(kind)) {
        explain_host_op(e);
    } else {
        explain_queue(e);
        if (kind == GCAST_KIND_KERNEL)
            e->failed = !explain_blocks(e, run, i, &e->out.critical_block) || e->failed;
        else
            explain_copy(e);
    }
    gcast_status status = e->failed ? gcast_fail_memory(err) : adds_up(e, err);
    e->out.waits = e->waits.at;
    e->out.wait_count = e->waits.count;
    if (status != GCAST_OK)
        gcast_explanation_free(&e->out);
    else
        *out = &e->out;
    return status;
}

void gcast_explanation_free(gcast_explanation *x)
{
    if (!x)
        return;
    explain *e = x->memory;
    vec_free(&e->waits);
    arena_free(&e->memory);
    free(e);
}

static const struct {
    const char *rule, *text;
} reasons[] = {
#define X(id, rule, text) {rule, text},
    GCAST_REASON_TABLE(X)
#undef X
};

const char *gcast_reason_rule(gcast_reason r)
{
    return (unsigned)r < GCAST_REASONS ? reasons[r].rule : "?";
}

const char *gcast_reason_text(gcast_reason r)
{
    return (unsigned)r < GCAST_REASONS ? reasons[r].text : "?";
}
