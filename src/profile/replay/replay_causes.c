/* At which operations errors begin, and why, where the profile shows it. An error of a start that something before the
 * operation has, too, is not its own: what is before it in its stream, what it is after, what its host called before
 * it, and kernels that ended at about the time of its start. */
#include <stdlib.h>

#include "base/vec.h"
#include "profile/replay/replay_steps.h"

#define CALL_NS 10000 /* an operation that starts so soon after its call returned had waited for nothing else */
#define NEAR_NS 10000 /* blocks of a kernel end in this time before its end */
#define MOST_NEAR 8   /* kernels that are looked at for one operation */

/* Kernels by their ends. */
typedef struct ended {
    int64_t end_ns;
    uint32_t op;
} ended;

typedef struct causes {
    replaying *x;
    uint32_t *before;      /* by operation: the one before it in its stream; PROF_NONE: none */
    uint32_t *host_before; /* by operation: what its host called before it; PROF_NONE */
    ended *recorded, *replayed;
    size_t kernel_count;
    VEC(replay_late) late;
} causes;

static int by_end(const void *a, const void *b)
{
    const ended *x = a, *y = b;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

/* How many kernels had ended up to this time. */
static size_t count_ended(const ended *list, size_t count, int64_t ns)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].end_ns <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The kernel that ended last up to this time; PROF_NONE: none had. */
static uint32_t last_ended(const ended *list, size_t count, int64_t ns)
{
    size_t done = count_ended(list, count, ns);
    return done ? list[done - 1].op : PROF_NONE;
}

static void list_kernels(causes *c)
{
    const prof_replay *r = c->x->r;
    for (size_t i = 0; i < r->op_count; i++) {
        if (replay_trace_op(c->x, i)->kind != GCAST_KIND_KERNEL)
            continue;
        c->recorded[c->kernel_count] = (ended){.end_ns = r->ops[i].end_ns, .op = (uint32_t)i};
        c->replayed[c->kernel_count++] = (ended){.end_ns = r->ops[i].replayed_end_ns, .op = (uint32_t)i};
    }
    qsort(c->recorded, c->kernel_count, sizeof *c->recorded, by_end);
    qsort(c->replayed, c->kernel_count, sizeof *c->replayed, by_end);
}

/* Of what was called before on the stream, the one that ended last. Nodes of a graph have only edges. */
static bool list_befores(causes *c)
{
    const gcast_workload *w = c->x->made->recorded;
    const prof_trace *t = c->x->t;
    const prof_replay *r = c->x->r;
    uint32_t *stream_op = malloc((w->stream_count + 1) * sizeof *stream_op);
    uint32_t *thread_op = malloc((t->thread_count + 1) * sizeof *thread_op);
    bool ok = stream_op && thread_op;
    for (size_t i = 0; ok && i < w->stream_count; i++)
        stream_op[i] = PROF_NONE;
    for (size_t i = 0; ok && i < t->thread_count; i++)
        thread_op[i] = PROF_NONE;
    for (size_t i = 0; ok && i < r->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        uint32_t *last = &stream_op[op->stream], call = replay_trace_op(c->x, i)->call;
        bool is_next_node = i && op->graph != GCAST_NO_GRAPH && w->ops[i - 1].graph == op->graph;
        c->before[i] = is_next_node ? PROF_NONE : *last;
        if (*last == PROF_NONE || r->ops[i].end_ns >= r->ops[*last].end_ns)
            *last = (uint32_t)i;
        c->host_before[i] = call == PROF_NONE || is_next_node ? PROF_NONE : thread_op[t->calls[call].thread];
        if (call != PROF_NONE)
            thread_op[t->calls[call].thread] = (uint32_t)i;
    }
    free(stream_op);
    free(thread_op);
    return ok;
}

/* What is left of an error if another operation had it before; the least counts. */
static void take_off(int64_t *own_ns, int64_t error_ns, int64_t had_ns)
{
    if (llabs(error_ns - had_ns) < llabs(*own_ns))
        *own_ns = error_ns - had_ns;
}

/* Kernels that end about when it starts, and had begun before: it may have waited for their blocks. */
static void take_off_near(const causes *c, uint32_t i, bool replayed, int64_t *own_ns)
{
    const replay_op *ops = c->x->r->ops, *op = &ops[i];
    const ended *list = replayed ? c->replayed : c->recorded;
    int64_t start_ns = replayed ? op->replayed_start_ns : op->start_ns;
    size_t done = count_ended(list, c->kernel_count, start_ns);
    for (size_t k = done ? done - 1 : 0; k < c->kernel_count && k < done + MOST_NEAR; k++) {
        const replay_op *other = &ops[list[k].op];
        if (list[k].end_ns > start_ns + NEAR_NS)
            break;
        if ((replayed ? other->replayed_start_ns : other->start_ns) < start_ns)
            take_off(own_ns, op->start_error_ns, other->end_error_ns);
    }
}

/* From the return of its call to its start. */
static int64_t since_call(const causes *c, uint32_t i)
{
    const prof_op *x = replay_trace_op(c->x, i);
    return x->call == PROF_NONE ? INT64_MAX : x->start_ns - c->x->t->calls[x->call].end_ns;
}

/* The part of the error of its start that nothing before it has. */
static int64_t own_error(const causes *c, uint32_t i)
{
    const replay_op *ops = c->x->r->ops;
    const gcast_op *w = &c->x->made->recorded->ops[i];
    int64_t error_ns = ops[i].start_error_ns, own_ns = error_ns;
    if (c->before[i] != PROF_NONE)
        take_off(&own_ns, error_ns, ops[c->before[i]].end_error_ns);
    if (c->host_before[i] != PROF_NONE && since_call(c, i) <= CALL_NS)
        take_off(&own_ns, error_ns, ops[c->host_before[i]].start_error_ns);
    for (size_t k = 0; k < w->after_count; k++)
        take_off(&own_ns, error_ns, ops[w->after[k]].end_error_ns);
    take_off_near(c, i, false, &own_ns);
    take_off_near(c, i, true, &own_ns);
    return own_ns;
}

/* Of what must have ended before it, by stream and edges, the one that ended last. */
static uint32_t last_before(const causes *c, uint32_t i)
{
    const replay_op *ops = c->x->r->ops;
    const gcast_op *w = &c->x->made->recorded->ops[i];
    uint32_t last = c->before[i];
    for (size_t k = 0; k < w->after_count; k++)
        if (last == PROF_NONE || ops[w->after[k]].end_ns > ops[last].end_ns)
            last = w->after[k];
    return last;
}

/* Did it start beside a kernel at whose end it starts in the replay? */
static bool found_room(const causes *c, uint32_t i)
{
    const replay_op *ops = c->x->r->ops, *op = &ops[i];
    size_t first = count_ended(c->replayed, c->kernel_count, op->replayed_start_ns - NEAR_NS);
    for (size_t k = first; k < c->kernel_count && k < first + MOST_NEAR; k++) {
        const replay_op *other = &ops[c->replayed[k].op];
        if (other != op && other->replayed_end_ns <= op->replayed_start_ns + NEAR_NS &&
            other->start_ns <= op->start_ns && other->end_ns - REPLAY_LATE_NS > op->start_ns)
            return true;
    }
    return false;
}

static replay_cause why_early(const causes *c, uint32_t i)
{
    const replay_op *ops = c->x->r->ops, *op = &ops[i];
    uint32_t before = last_before(c, i);
    if (before != PROF_NONE && op->start_ns < ops[before].end_ns)
        return REPLAY_OVERLAP;
    return found_room(c, i) ? REPLAY_ROOM : REPLAY_UNKNOWN;
}

static replay_cause why_late(const causes *c, uint32_t i)
{
    const replay_op *ops = c->x->r->ops, *op = &ops[i];
    uint32_t before = last_before(c, i), other = last_ended(c->recorded, c->kernel_count, op->start_ns);
    int64_t called_ns = since_call(c, i);
    int64_t ended_ns = before == PROF_NONE ? INT64_MAX : op->start_ns - ops[before].end_ns;
    if (called_ns <= CALL_NS && called_ns < ended_ns)
        return REPLAY_HOST;
    if (before != PROF_NONE && replay_trace_op(c->x, before)->kind != GCAST_KIND_KERNEL)
        return REPLAY_COPY;
    bool waited_beside = other != PROF_NONE && other != before && ops[other].end_ns > op->start_ns + op->start_error_ns;
    return waited_beside ? REPLAY_BESIDE : REPLAY_UNKNOWN;
}

static bool add_late(causes *c, uint32_t i)
{
    int64_t held_ns = c->x->made->ops[i].held_ns;
    replay_late held = {.op = i, .cause = REPLAY_HELD, .error_ns = -held_ns};
    if (held_ns > REPLAY_LATE_NS && !vec_push(&c->late, held))
        return false;
    replay_late late = {.op = i, .error_ns = own_error(c, i)};
    c->x->r->ops[i].own_error_ns = late.error_ns;
    if (llabs(late.error_ns) <= REPLAY_LATE_NS)
        return true;
    late.cause = late.error_ns > 0 ? why_early(c, i) : why_late(c, i);
    return vec_push(&c->late, late);
}

bool replay_find_causes(replaying *x)
{
    size_t count = x->r->op_count + 1;
    causes c = {.x = x,
                .before = malloc(count * sizeof *c.before),
                .host_before = malloc(count * sizeof *c.host_before),
                .recorded = malloc(count * sizeof *c.recorded),
                .replayed = malloc(count * sizeof *c.replayed)};
    bool ok = c.before && c.host_before && c.recorded && c.replayed && list_befores(&c);
    if (ok)
        list_kernels(&c);
    for (size_t i = 0; ok && i < x->r->op_count; i++)
        ok = add_late(&c, (uint32_t)i);
    free(c.before);
    free(c.host_before);
    free(c.recorded);
    free(c.replayed);
    if (!ok) {
        vec_free(&c.late);
        return false;
    }
    x->r->late = c.late.at;
    x->r->late_count = c.late.count;
    return true;
}
