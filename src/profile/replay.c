#include "profile/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/index.h"
#include "base/integers.h"
#include "base/vec.h"

/* A comparison in progress. */
typedef struct replaying {
    const prof_trace *t;
    const prof_made *made;
    prof_replay *r;
} replaying;

/* The operation of the trace behind operation i. */
static const prof_op *traced_op(const replaying *x, size_t i)
{
    return &x->t->ops[x->made->ops[i].op];
}

const char *replay_cause_name(replay_cause cause)
{
    static const char *const names[] = {
#define X(id, name, text) name,
        REPLAY_CAUSE_TABLE(X)
#undef X
    };
    return cause < REPLAY_CAUSES ? names[cause] : "";
}

const char *replay_cause_text(replay_cause cause)
{
    static const char *const texts[] = {
#define X(id, name, text) text,
        REPLAY_CAUSE_TABLE(X)
#undef X
    };
    return cause < REPLAY_CAUSES ? texts[cause] : "";
}

void prof_replay_free(prof_replay *r)
{
    free(r->ops);
    free(r->names);
    free(r->late);
    *r = (prof_replay){0};
}

/* Indexes the operations of the simulation by label. */
static bool index_labels(const gcast_run *run, hash_index *index)
{
    bool ok = run->op_count < UINT32_MAX;
    for (size_t i = 0; ok && i < run->op_count; i++)
        ok = index_add(index, index_hash_text(run->workload->ops[run->ops[i].op].label), (uint32_t)i);
    return ok;
}

static const gcast_run_op *find_label(const gcast_run *run, const hash_index *index, const char *label)
{
    for (index_probe p = index_start(index, index_hash_text(label)); index_next(index, &p);)
        if (strcmp(run->workload->ops[run->ops[p.value].op].label, label) == 0)
            return &run->ops[p.value];
    return NULL;
}

/* Pairs each recorded operation with its simulated one, each in the times of its own clock. */
static gcast_status pair(replaying *x, const gcast_run *simulated, const hash_index *index, gcast_error *err)
{
    const gcast_run *recorded = x->made->run;
    for (size_t i = 0; i < recorded->op_count; i++) {
        const char *label = recorded->workload->ops[recorded->ops[i].op].label;
        const gcast_run_op *other = find_label(simulated, index, label);
        if (!other || other->skipped || other->start_ns < 0 || other->end_ns < 0)
            return gcast_error_set(err, GCAST_INPUT, NULL, "%.100s does not end in the replay%s", label,
                                   simulated->hang ? ", which hangs" : "");
        x->r->ops[i] = (replay_op){.label = label,
                                   .start_ns = recorded->ops[i].start_ns,
                                   .end_ns = recorded->ops[i].end_ns,
                                   .replayed_start_ns = other->start_ns,
                                   .replayed_end_ns = other->end_ns};
    }
    return GCAST_OK;
}

static void count_from_starts(prof_replay *r)
{
    int64_t zero_ns = INT64_MAX, replayed_zero_ns = INT64_MAX;
    for (size_t i = 0; i < r->op_count; i++) {
        zero_ns = min_i64(zero_ns, r->ops[i].start_ns);
        replayed_zero_ns = min_i64(replayed_zero_ns, r->ops[i].replayed_start_ns);
    }
    for (size_t i = 0; i < r->op_count; i++) {
        replay_op *op = &r->ops[i];
        op->start_ns -= zero_ns;
        op->end_ns -= zero_ns;
        op->replayed_start_ns -= replayed_zero_ns;
        op->replayed_end_ns -= replayed_zero_ns;
        op->start_error_ns = op->replayed_start_ns - op->start_ns;
        op->end_error_ns = op->replayed_end_ns - op->end_ns;
        op->duration_error_ns = op->end_error_ns - op->start_error_ns;
        r->recorded_ns = max_i64(r->recorded_ns, op->end_ns);
        r->replayed_ns = max_i64(r->replayed_ns, op->replayed_end_ns);
    }
}

/* This part finds the operations at which errors begin, and why, where the profile shows it. An operation inherits an
 * error from its predecessor in the stream, from its dependencies, from the call before it on its host, and from
 * kernels that ended at about the time of its start; the rest is its own. */

#define CALL_NS 10000 /* an operation that starts so soon after the return of its call waited for nothing else */
#define NEAR_NS 10000 /* a kernel's blocks end within this time before its end */
#define MOST_NEAR 8   /* limit of the kernels that are looked at for one operation */

/* Kernels by their ends. */
typedef struct ended {
    int64_t end_ns;
    uint32_t op;
} ended;

typedef struct causes {
    replaying *x;
    uint32_t *before;      /* by operation: its predecessor in the stream; PROF_NONE: none */
    uint32_t *host_before; /* by operation: the operation that its host called before it; PROF_NONE: none */
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

/* How many kernels had ended by this time. */
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

/* The kernel that ended last by this time; PROF_NONE: none had. */
static uint32_t last_ended(const ended *list, size_t count, int64_t ns)
{
    size_t done = count_ended(list, count, ns);
    return done ? list[done - 1].op : PROF_NONE;
}

static void list_kernels(causes *c)
{
    const prof_replay *r = c->x->r;
    for (size_t i = 0; i < r->op_count; i++) {
        if (traced_op(c->x, i)->kind != GCAST_KIND_KERNEL)
            continue;
        c->recorded[c->kernel_count] = (ended){.end_ns = r->ops[i].end_ns, .op = (uint32_t)i};
        c->replayed[c->kernel_count++] = (ended){.end_ns = r->ops[i].replayed_end_ns, .op = (uint32_t)i};
    }
    qsort(c->recorded, c->kernel_count, sizeof *c->recorded, by_end);
    qsort(c->replayed, c->kernel_count, sizeof *c->replayed, by_end);
}

/* Fills `before` and host_before. The predecessor in a stream is the operation that ended last among those called
 * earlier. Nodes of a graph behind the first have only edges. */
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
        uint32_t *last = &stream_op[op->stream], call = traced_op(c->x, i)->call;
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

/* Takes an inherited error off, if that leaves a smaller own error. */
static void take_off(int64_t *own_ns, int64_t error_ns, int64_t inherited_ns)
{
    if (llabs(error_ns - inherited_ns) < llabs(*own_ns))
        *own_ns = error_ns - inherited_ns;
}

/* The operation may have waited for blocks of kernels that end at about the time of its start. */
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

/* The time from the return of its call to its start. */
static int64_t since_call(const causes *c, uint32_t i)
{
    const prof_op *x = traced_op(c->x, i);
    return x->call == PROF_NONE ? INT64_MAX : x->start_ns - c->x->t->calls[x->call].end_ns;
}

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

/* The last to end of its predecessor in the stream and its dependencies. */
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

/* Did it start beside a kernel that it waits for in the replay? */
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
    if (before != PROF_NONE && traced_op(c->x, before)->kind != GCAST_KIND_KERNEL)
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

/* False without memory. */
static bool find_causes(replaying *x)
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

/* This part sums up errors by name, and finds kernels that slow each other down: beside others they took longer than
 * in the simulation, where kernels share SMs and nothing else. */

typedef struct named_op {
    gcast_kind kind;
    uintptr_t name; /* of a kernel: the address of its name; of a copy: its direction */
    uint32_t op;
} named_op;

static int by_name(const void *a, const void *b)
{
    const named_op *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static int by_time(const void *a, const void *b)
{
    const replay_name *x = a, *y = b;
    if (x->recorded_ns != y->recorded_ns)
        return x->recorded_ns > y->recorded_ns ? -1 : 1;
    return strcmp(x->label, y->label);
}

static int64_t error_of(const replay_op *op, int which)
{
    return which == 0 ? op->duration_error_ns : which == 1 ? op->start_error_ns : op->end_error_ns;
}

static replay_error sum_up(const prof_replay *r, const named_op *list, size_t count, int which, int64_t *scratch)
{
    replay_error e = {0};
    for (size_t i = 0; i < count; i++) {
        int64_t ns = error_of(&r->ops[list[i].op], which);
        scratch[i] = llabs(ns);
        if (llabs(ns) > llabs(e.largest_ns))
            e.largest_ns = ns;
    }
    qsort(scratch, count, sizeof *scratch, compare_i64);
    e.median_ns = scratch[count / 2];
    return e;
}

static replay_quantiles quantiles_of(const prof_replay *r, int which, int64_t *scratch)
{
    size_t count = r->op_count;
    if (!count)
        return (replay_quantiles){0};
    for (size_t i = 0; i < count; i++)
        scratch[i] = llabs(error_of(&r->ops[i], which));
    qsort(scratch, count, sizeof *scratch, compare_i64);
    return (replay_quantiles){scratch[count / 2], scratch[count - 1 - count / 10]};
}

/* How much longer it took than replayed; 0: not long enough to count. If it found room earlier than in the replay, the
 * time before its replayed start does not count. */
static int64_t slowed_by(const replay_op *op)
{
    int64_t replayed_ns = op->replayed_end_ns - op->replayed_start_ns;
    int64_t took_ns = op->end_ns - op->start_ns - (op->own_error_ns > 0 ? op->own_error_ns : 0);
    bool is_slowed = took_ns - replayed_ns >= REPLAY_SLOW_NS && took_ns / REPLAY_SLOW_PERCENT > replayed_ns / 100;
    return is_slowed ? took_ns - replayed_ns : 0;
}

static void count_slowed(replaying *x, replay_name *n, uint32_t i)
{
    const prof_made_op *made = &x->made->ops[i];
    int64_t by_ns = slowed_by(&x->r->ops[i]);
    if (traced_op(x, i)->kind != GCAST_KIND_KERNEL || !made->beside)
        return;
    x->r->beside++;
    x->r->never_alone += made->alone_ns == INT64_MAX;
    if (made->alone_ns == INT64_MAX || !by_ns)
        return;
    n->slowed++;
    n->slowed_ns += by_ns;
    x->r->slowed++;
    x->r->slowed_ns += by_ns;
}

static void add_name(replaying *x, const named_op *list, size_t count, int64_t *scratch)
{
    prof_replay *r = x->r;
    replay_name n = {.label = r->ops[list[0].op].label,
                     .launches = count,
                     .duration = sum_up(r, list, count, 0, scratch),
                     .start = sum_up(r, list, count, 1, scratch),
                     .end = sum_up(r, list, count, 2, scratch)};
    for (size_t i = 0; i < count; i++) {
        n.recorded_ns += r->ops[list[i].op].end_ns - r->ops[list[i].op].start_ns;
        count_slowed(x, &n, list[i].op);
    }
    r->names[r->name_count++] = n;
}

/* False without memory. */
static bool find_names(replaying *x)
{
    prof_replay *r = x->r;
    named_op *list = malloc((r->op_count + 1) * sizeof *list);
    int64_t *scratch = malloc((r->op_count + 1) * sizeof *scratch);
    r->names = calloc(r->op_count + 1, sizeof *r->names);
    bool ok = list && scratch && r->names;
    for (size_t i = 0; ok && i < r->op_count; i++) {
        const prof_op *op = traced_op(x, i);
        list[i] = (named_op){.kind = op->kind, .op = (uint32_t)i};
        list[i].name = op->kind == GCAST_KIND_KERNEL ? (uintptr_t)op->name
                       : op->kind == GCAST_KIND_COPY ? (uintptr_t)op->direction
                                                     : 0;
    }
    if (ok && r->op_count)
        qsort(list, r->op_count, sizeof *list, by_name);
    for (size_t first = 0, end; ok && first < r->op_count; first = end) {
        for (end = first;
             end < r->op_count && list[end].kind == list[first].kind && list[end].name == list[first].name;)
            end++;
        add_name(x, &list[first], end - first, scratch);
    }
    if (ok) {
        r->duration = quantiles_of(r, 0, scratch);
        r->start = quantiles_of(r, 1, scratch);
    }
    if (ok && r->name_count)
        qsort(r->names, r->name_count, sizeof *r->names, by_time);
    free(list);
    free(scratch);
    return ok;
}

gcast_status prof_replay_compare(const prof_trace *t, const prof_made *made, const gcast_run *simulated, prof_replay *r,
                                 gcast_error *err)
{
    replaying x = {.t = t, .made = made, .r = r};
    hash_index index = {0};
    *r = (prof_replay){.op_count = made->run->op_count, .ops = calloc(made->run->op_count + 1, sizeof *r->ops)};
    gcast_status status =
        r->ops && index_labels(simulated, &index) ? pair(&x, simulated, &index, err) : gcast_error_set_memory(err);
    index_free(&index);
    if (status == GCAST_OK) {
        count_from_starts(r);
        if (!find_causes(&x) || !find_names(&x))
            status = gcast_error_set_memory(err);
    }
    if (status != GCAST_OK)
        prof_replay_free(r);
    return status;
}
