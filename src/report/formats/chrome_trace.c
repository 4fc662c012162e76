#include "report/formats/chrome_trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/units.h"
#include "base/vec.h"
#include "gridcast/names.h"
#include "model/run_op.h"
#include "report/formats/chrome_events.h"
#include "report/phrases.h"
#include "report/run/deadlines.h"
#include "report/run/hung_run.h"
#include "report/run/packing.h"
#include "report/run/sm_index.h"
#include "report/run/waits.h"
#include "report/view.h"

#define CHROME_NO_BLOCK UINT64_MAX

/* The launch of a child. */
typedef struct chrome_launch {
    uint32_t parent; /* operation of the run that launched it */
    uint32_t block;  /* of the parent */
    uint32_t op;     /* the child, as an operation of the run */
} chrome_launch;

typedef struct chrome {
    const gcast_run *run;        /* what is written */
    view shown;                  /* the part of it that is written */
    chrome_events events;        /* the output */
    char **head;                 /* by op of the workload, also by child: chrome_head of its slices */
    uint64_t *first_block;       /* by operation of the run: its earliest block shown, which its arrow points to, or
                                    CHROME_NO_BLOCK */
    int64_t *first_start;        /* by operation of the run: when that block starts */
    waits waits;                 /* what operations waited for */
    VEC(chrome_launch) launches; /* of children, that have arrows: by parent, by block, by child */
} chrome;

/* Processes of the trace: SMs from 1, then these. */
enum { CHROME_CALLS = 1, CHROME_DEADLINES, CHROME_STREAMS, CHROME_ENGINES, CHROME_CHILDREN };

static int chrome_pid(const chrome *c, int process)
{
    return c->run->gpu->sms + process;
}

/* Writes the slice of operation i. */
static void chrome_op(chrome *c, size_t i, chrome_track at, int64_t start, int64_t end)
{
    const gcast_run_op *o = &c->run->ops[i];
    const gcast_op *op = run_op(c->run, i);
    chrome_slice(&c->events, c->head[o->op], at, start, end);
    text_str(c->events.out, "\"kind\": \"");
    text_str(c->events.out, gcast_name(GCAST_NAMES_KIND, op->kind));
    text_str(c->events.out, "\", \"job\": ");
    text_uint(c->events.out, o->job);
    if (op->kind == GCAST_KIND_KERNEL) {
        text_str(c->events.out, ", \"blocks\": ");
        text_uint(c->events.out, o->block_count);
    } else if (op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET) {
        text_str(c->events.out, ", \"bytes\": ");
        text_int(c->events.out, op->bytes);
    }
    if (never_ends(c->run, i))
        text_str(c->events.out, ", \"never_ends\": true");
    chrome_slice_end(&c->events);
}

/* Writes one end of the arrow from the call of an operation (`at_call`) to its first block, or to its slice where no
 * block is shown; nothing unless both ends are in view. */
static void chrome_arrow(chrome *c, size_t i, bool at_call, chrome_track at, int64_t ns)
{
    const gcast_run_op *o = &c->run->ops[i];
    int64_t returned = run_op(c->run, i)->host >= 0 && o->return_ns > o->call_ns ? o->return_ns : o->call_ns + 1;
    bool both_shown = run_op_ran(c->run, i) && o->call_ns >= 0 && o->call_ns <= o->start_ns &&
                      view_holds(&c->shown, o->call_ns, returned) && view_holds(&c->shown, o->start_ns, o->end_ns);
    if (both_shown)
        chrome_flow(&c->events, at_call, (uint64_t)i + 1, at, ns);
}

/* chrome_calls writes host calls: a thread per host thread, and a thread "releases" for operations that no host calls.
 * A call takes no time in the model, so that several may be made at one time: these are one slice of 1 ns, from which
 * arrows start. Calls that wait are slices around it. */

#define MAX_LABELS 100 /* listed for calls that are made at one time */

typedef struct host_call {
    int64_t start, end; /* from the call to its return, at least 1 ns */
    uint32_t op;        /* index in the operations of the run */
    uint32_t row;       /* its host thread + 1; 0: no host calls it */
} host_call;

typedef VEC(host_call) call_list;

/* By row, then by time; of calls at one time, those that wait come first. */
static int by_row_and_time(const void *a, const void *b)
{
    const host_call *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static bool collect_calls(const chrome *c, call_list *calls)
{
    for (size_t i = 0; i < c->run->op_count; i++) {
        const gcast_run_op *o = &c->run->ops[i];
        if (o->call_ns < 0 || o->skipped)
            continue;
        host_call k = {o->call_ns, o->call_ns + 1, (uint32_t)i, (uint32_t)(run_op(c->run, i)->host + 1)};
        if (k.row && o->return_ns > k.end)
            k.end = o->return_ns;
        if (view_holds(&c->shown, k.start, k.end) && !vec_push(calls, k))
            return false;
    }
    if (calls->count)
        qsort(calls->at, calls->count, sizeof *calls->at, by_row_and_time);
    /* a host thread makes no call before the one before it has returned */
    int64_t next_call = INT64_MAX;
    for (size_t i = calls->count; i-- > 0;) {
        host_call *k = &calls->at[i], *next = i + 1 < calls->count && k[1].row == k->row ? k + 1 : NULL;
        next_call = !next ? INT64_MAX : next->start > k->start ? next->start : next_call;
        k->end = min_i64(k->end, next_call);
    }
    return true;
}

/* Several calls at one time, as one slice. */
static bool write_together(chrome *c, const host_call *calls, size_t count, chrome_track at)
{
    char name[48];
    snprintf(name, sizeof name, "%zu calls", count);
    char *head = chrome_head(name, "calls");
    if (!head)
        return false;
    chrome_slice(&c->events, head, at, calls[0].start, calls[0].end);
    free(head);
    text_str(c->events.out, "\"calls\": ");
    text_uint(c->events.out, count);
    text_str(c->events.out, ", \"labels\": [");
    for (size_t i = 0; i < count && i < MAX_LABELS; i++) {
        text_str(c->events.out, i ? ", " : "");
        chrome_label(&c->events, run_op(c->run, calls[i].op)->label);
    }
    text_char(c->events.out, ']');
    if (count > MAX_LABELS) {
        text_str(c->events.out, ", \"not_named\": ");
        text_uint(c->events.out, count - MAX_LABELS);
    }
    chrome_slice_end(&c->events);
    return true;
}

static bool write_call_row(chrome *c, const host_call *calls, size_t count, chrome_track at)
{
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && calls[i + n].start == calls[i].start && calls[i + n].end == calls[i].end;)
            n++;
        if (n == 1)
            chrome_op(c, calls[i].op, at, calls[i].start, calls[i].end);
        else if (!write_together(c, &calls[i], n, at))
            return false;
        for (size_t k = i; k < i + n; k++)
            chrome_arrow(c, calls[k].op, true, at, calls[k].start);
    }
    return true;
}

/* False without memory. */
static bool chrome_calls(chrome *c)
{
    call_list calls = {0};
    chrome_track at = {chrome_pid(c, CHROME_CALLS), 1};
    bool ok = collect_calls(c, &calls);
    if (ok && calls.count)
        chrome_process(&c->events, at.pid, "Host calls", CHROME_CALLS);
    for (size_t i = 0, n; ok && i < calls.count; i += n, at.tid++) {
        char title[128];
        for (n = 1; i + n < calls.count && calls.at[i + n].row == calls.at[i].row;)
            n++;
        snprintf(title, sizeof title, "%.100s",
                 calls.at[i].row ? c->run->workload->hosts[calls.at[i].row - 1] : "releases");
        chrome_thread(&c->events, at, title);
        ok = write_call_row(c, &calls.at[i], n, at);
    }
    vec_free(&calls);
    return ok;
}

/* chrome_deadlines writes a thread per task with a slice from the release of each job to its deadline, and a thread
 * with a slice from each deadline that is missed to the end of its job. */

#define MAX_LANES 16 /* of a task: jobs overlap where deadlines are later than the next releases */

static void write_arguments(chrome *c, const deadline *d)
{
    text *out = c->events.out;
    text_str(out, "\"job\": ");
    text_uint(out, d->job);
    text_str(out, ", \"deadline_us\": ");
    text_milli(out, d->deadline_ns);
    if (d->end >= 0) {
        text_str(out, ", \"end_us\": ");
        text_milli(out, d->end);
        text_str(out, ", \"response_us\": ");
        text_milli(out, d->end - d->release);
    }
    text_str(out, deadline_never_ends(d) ? ", \"never_ends\": true"
                  : d->end < 0           ? "" /* not known */
                  : deadline_missed(d)   ? ", \"missed\": true"
                                         : ", \"missed\": false");
}

static bool write_job(chrome *c, const deadline *d, chrome_track at)
{
    char name[160], job[128];
    deadline_name(d, job, sizeof job);
    snprintf(name, sizeof name,
             deadline_missed(d)       ? "MISSED %s"
             : deadline_never_ends(d) ? "NEVER ENDS %s"
                                      : "%s",
             job);
    char *head = chrome_head(name, "deadline");
    if (!head)
        return false;
    chrome_slice(&c->events, head, at, d->release, d->deadline_ns);
    free(head);
    write_arguments(c, d);
    chrome_slice_end(&c->events);
    return true;
}

/* From the deadline to the end of a job that missed it. */
static bool write_lateness(chrome *c, const deadline *d, chrome_track at)
{
    char name[200], job[128], lateness[40];
    deadline_name(d, job, sizeof job);
    units_format_time(d->end - d->deadline_ns, lateness, sizeof lateness);
    snprintf(name, sizeof name, "%s late by %s", job, lateness);
    char *head = chrome_head(name, "deadline");
    if (!head)
        return false;
    chrome_slice(&c->events, head, at, d->deadline_ns, d->end);
    free(head);
    write_arguments(c, d);
    chrome_slice_end(&c->events);
    return true;
}

/* Writes slices of jobs by time, in as many threads as jobs overlap; span.block is the job's index in `all`. */
static bool write_lanes(chrome *c, const deadline *all, span_list *spans, const char *name, chrome_track *at,
                        bool (*write)(chrome *, const deadline *, chrome_track))
{
    uint32_t lanes;
    char title[160];
    qsort(spans->at, spans->count, sizeof *spans->at, span_order);
    bool ok = lanes_colour(spans->at, spans->count, &lanes);
    for (uint32_t lane = 0; ok && lane < lanes && lane < MAX_LANES; lane++) {
        int used = snprintf(title, sizeof title, lane ? "%.100s (%u)" : "%.100s", name, lane + 1);
        if (lane + 1 == MAX_LANES && lanes > MAX_LANES)
            snprintf(title + used, sizeof title - (size_t)used, ", others not shown");
        chrome_thread(&c->events, (chrome_track){at->pid, at->tid + lane}, title);
    }
    for (size_t i = 0; ok && i < spans->count; i++)
        if (spans->at[i].place < MAX_LANES)
            ok = write(c, &all[spans->at[i].block], (chrome_track){at->pid, at->tid + spans->at[i].place});
    at->tid += ok ? min_u32(lanes, MAX_LANES) : 0;
    return ok;
}

static bool write_missed(chrome *c, const deadline_list *all, span_list *spans, chrome_track at)
{
    bool ok = true;
    spans->count = 0;
    for (size_t i = 0; ok && i < all->count; i++) {
        const deadline *d = &all->at[i];
        if (deadline_missed(d) && view_holds(&c->shown, d->deadline_ns, d->end))
            ok = vec_push(spans, ((span){.start = d->deadline_ns, .end = d->end, .block = i}));
    }
    return ok && (!spans->count || write_lanes(c, all->at, spans, "missed deadlines", &at, write_lateness));
}

/* False without memory. */
static bool chrome_deadlines(chrome *c)
{
    deadline_list all = {0};
    span_list spans = {0};
    chrome_track at = {chrome_pid(c, CHROME_DEADLINES), 1};
    bool ok = deadlines_find(c->run, &all), has_process = false;
    for (size_t i = 0, n; ok && i < all.count; i += n) {
        spans.count = 0;
        for (n = 0; ok && i + n < all.count && all.at[i + n].task == all.at[i].task; n++) {
            const deadline *d = &all.at[i + n];
            if (view_holds(&c->shown, d->release, d->deadline_ns))
                ok = vec_push(&spans, ((span){.start = d->release, .end = d->deadline_ns, .block = i + n}));
        }
        if (!ok || !spans.count)
            continue;
        if (!has_process)
            chrome_process(&c->events, at.pid, "Deadlines", CHROME_DEADLINES);
        has_process = true;
        ok = write_lanes(c, all.at, &spans, c->run->workload->tasks[all.at[i].task].name, &at, write_job);
    }
    ok = ok && (!has_process || write_missed(c, &all, &spans, at));
    vec_free(&spans);
    vec_free(&all);
    return ok;
}

/* write_process writes the operations of streams or of copy engines as slices, with a thread per stream or engine, and
 * more threads only where slices of one overlap. In a stream, a slice before the operation shows what it waited for
 * since its call, or since the operation before it ended. */

static void wait_name(const chrome *c, size_t i, char *out, size_t size)
{
    const gcast_op *op = run_op(c->run, i);
    if (op->task >= 0)
        snprintf(out, size, "waiting: %.200s#%u", op->label, c->run->ops[i].job);
    else
        snprintf(out, size, "waiting: %.200s", op->label);
}

/* Writes a slice from wait_ns to the start of operation i, and inside it a slice for each reason that it waited for. */
static bool write_wait(chrome *c, size_t i, int64_t wait_ns, chrome_track at)
{
    wait_part parts[WAIT_PARTS];
    size_t count = waits_of(&c->waits, i, wait_ns, parts);
    int64_t start = c->run->ops[i].start_ns;
    char name[256];
    if (!count || !view_holds(&c->shown, wait_ns, start))
        return true;
    wait_name(c, i, name, sizeof name);
    char *head = chrome_head(name, "wait");
    if (!head)
        return false;
    chrome_slice(&c->events, head, at, wait_ns, start);
    free(head);
    text_str(c->events.out, "\"called_us\": ");
    text_milli(c->events.out, c->run->ops[i].call_ns);
    text_str(c->events.out, ", \"waited_us\": ");
    text_milli(c->events.out, start - c->run->ops[i].call_ns);
    chrome_slice_end(&c->events);
    for (size_t k = 0; k < count; k++) {
        head = chrome_head(phrase_word(parts[k].rule), "wait");
        if (!head)
            return false;
        chrome_slice(&c->events, head, at, parts[k].start_ns, parts[k].end_ns);
        free(head);
        text_str(c->events.out, "\"why\": ");
        text_json(c->events.out, parts[k].why);
        if (parts[k].holder != WAIT_NO_HOLDER) {
            text_str(c->events.out, ", \"behind\": ");
            chrome_label(&c->events, run_op(c->run, parts[k].holder)->label);
        }
        chrome_slice_end(&c->events);
    }
    return true;
}

/* Writes the time in which a kernel has no block left and waits for its children, inside its slice. */
static void write_wait_for_children(chrome *c, size_t i, chrome_track at)
{
    int64_t start_ns = run_blocks_end_ns(c->run, i), end_ns = c->run->ops[i].end_ns;
    if (start_ns >= end_ns || !view_holds(&c->shown, start_ns, end_ns))
        return;
    chrome_slice(&c->events, "\"name\": \"waiting for children\", \"cat\": \"wait\"", at, start_ns, end_ns);
    chrome_slice_end(&c->events);
}

/* By stream or engine, which is in span.block here. */
static int by_row(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return span_order(a, b);
}

/* Which stream or engine operation i belongs to; -1: none. */
typedef int (*row_fn)(const gcast_run *run, size_t i);

static int stream_row(const gcast_run *run, size_t i)
{
    return run_op_ran(run, i) ? run_op(run, i)->stream : -1;
}

static int engine_row(const gcast_run *run, size_t i)
{
    return run_op_ran(run, i) && run_op(run, i)->kind != GCAST_KIND_KERNEL ? run->ops[i].engine : -1;
}

static bool collect_spans(const chrome *c, row_fn row_of, span_list *spans)
{
    for (size_t i = 0; i < c->run->op_count; i++) {
        const gcast_run_op *o = &c->run->ops[i];
        int row = row_of(c->run, i);
        if (row >= 0 &&
            !vec_push(spans,
                      ((span){.start = o->start_ns, .end = o->end_ns, .op = (uint32_t)i, .block = (uint64_t)row})))
            return false;
    }
    if (spans->count)
        qsort(spans->at, spans->count, sizeof *spans->at, by_row);
    return true;
}

static void stream_title(const chrome *c, int row, char *out, size_t size)
{
    const gcast_stream *s = &c->run->workload->streams[row];
    int used = snprintf(out, size, s->id ? "stream %d" : "NULL stream", s->id);
    if (s->priority)
        snprintf(out + used, size - (size_t)used, ", priority %d", s->priority);
}

static void engine_title(const chrome *c, int row, char *out, size_t size)
{
    (void)c;
    snprintf(out, size, "copy engine %d", row);
}

/* The slices of one row. Its lanes are the threads from `first` on. */
static bool write_span_row(chrome *c, const span *spans, size_t count, chrome_track first, bool with_waits)
{
    int64_t *lane_end = NULL; /* when the last slice of a lane ends */
    size_t lanes = 0;
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        lanes = max_size(lanes, spans[i].place + (size_t)1);
    lane_end = calloc(lanes + 1, sizeof *lane_end);
    for (size_t i = 0; lane_end && ok && i < count; i++) {
        const span *s = &spans[i];
        int64_t call = c->run->ops[s->op].call_ns, *end = &lane_end[s->place];
        chrome_track at = {first.pid, first.tid + s->place};
        if (with_waits)
            ok = write_wait(c, s->op, max_i64(call, *end), at);
        *end = s->end > s->start ? s->end : s->start + 1;
        if (!view_holds(&c->shown, s->start, s->end))
            continue;
        chrome_op(c, s->op, at, s->start, s->end);
        if (run_op(c->run, s->op)->launches && c->run->ops[s->op].blocks)
            write_wait_for_children(c, s->op, at);
        if (with_waits && c->first_block[s->op] == CHROME_NO_BLOCK)
            chrome_arrow(c, s->op, false, at, s->start);
    }
    ok = ok && lane_end;
    free(lane_end);
    return ok;
}

static bool row_is_shown(const chrome *c, const span *spans, size_t count, bool with_waits)
{
    for (size_t i = 0; i < count; i++) {
        const gcast_run_op *o = &c->run->ops[spans[i].op];
        bool waited = with_waits && c->waits.known && o->call_ns < o->start_ns;
        if (view_holds(&c->shown, waited ? o->call_ns : o->start_ns, o->end_ns))
            return true;
    }
    return false;
}

/* False without memory. */
static bool write_process(chrome *c, int process, const char *name, row_fn row_of,
                          void (*title_of)(const chrome *, int, char *, size_t))
{
    chrome_track at = {chrome_pid(c, process), 1};
    span_list spans = {0};
    bool ok = collect_spans(c, row_of, &spans), has_process = false, with_waits = process == CHROME_STREAMS;
    for (size_t i = 0, n; ok && i < spans.count; i += n) {
        uint32_t lanes;
        char title[128], numbered[160];
        for (n = 1; i + n < spans.count && spans.at[i + n].block == spans.at[i].block;)
            n++;
        ok = lanes_colour(&spans.at[i], n, &lanes);
        if (!ok || !row_is_shown(c, &spans.at[i], n, with_waits))
            continue;
        if (!has_process)
            chrome_process(&c->events, at.pid, name, process);
        has_process = true;
        title_of(c, (int)spans.at[i].block, title, sizeof title);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            snprintf(numbered, sizeof numbered, lane ? "%s (%u)" : "%s", title, lane + 1);
            chrome_thread(&c->events, (chrome_track){at.pid, at.tid + lane}, numbered);
        }
        ok = write_span_row(c, &spans.at[i], n, at, with_waits);
        at.tid += lanes;
    }
    vec_free(&spans);
    return ok;
}

/* chrome_sms writes a process per SM: its blocks, in lanes in which no two overlap, and the threads in use. */

#define MAX_LAUNCH_ARROWS 20000 /* with more children, none has an arrow */

/* A change of the threads in use. */
typedef struct change {
    int64_t ns;      /* when */
    int64_t threads; /* by how many more; below 0: fewer */
} change;

typedef VEC(change) change_list;

static int by_time(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static bool write_thread_counter(chrome *c, int pid, const span_list *spans, change_list *changes)
{
    changes->count = 0;
    if (!vec_reserve(changes, 2 * spans->count))
        return false;
    for (size_t i = 0; i < spans->count; i++) {
        int64_t threads = run_op(c->run, spans->at[i].op)->shape.threads;
        changes->at[changes->count++] = (change){spans->at[i].start, threads};
        changes->at[changes->count++] = (change){spans->at[i].end, -threads};
    }
    if (changes->count)
        qsort(changes->at, changes->count, sizeof *changes->at, by_time);
    int64_t in_use = 0;
    for (size_t i = 0; i < changes->count; i++) {
        in_use += changes->at[i].threads;
        if (i + 1 == changes->count || changes->at[i + 1].ns != changes->at[i].ns)
            chrome_counter(&c->events, pid, "threads", changes->at[i].ns, in_use);
    }
    return true;
}

/* Writes which child operation i is and who launched it, or that it is the rest of a block. */
static void write_origin(chrome *c, size_t i)
{
    const gcast_child *child = run_child(c->run, i);
    size_t parent = child->parent;
    text *out = c->events.out;
    if (child->is_rest) {
        text_str(out, ", \"rest\": true");
        i = parent;
    }
    if (i < c->run->op_count)
        return;
    child = run_child(c->run, i);
    text_str(out, ", \"child\": ");
    text_uint(out, c->run->ops[i].job);
    text_str(out, ", \"items\": ");
    text_uint(out, child->items);
    text_str(out, ", \"parent\": ");
    chrome_label(&c->events, run_op(c->run, child->parent)->label);
    if (child->parent >= c->run->op_count) {
        text_str(out, ", \"parent_child\": ");
        text_uint(out, c->run->ops[child->parent].job);
    }
    text_str(out, ", \"parent_block\": ");
    text_uint(out, child->parent_block);
}

static int by_parent_block(const void *a, const void *b)
{
    const chrome_launch *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Finds the launches of which both ends are shown: the block that launches, and the first block of the child. */
static bool collect_launches(chrome *c)
{
    const gcast_run *run = c->run;
    const view *v = &c->shown;
    if (!run->blocks_recorded || run->child_count > MAX_LAUNCH_ARROWS)
        return true;
    for (size_t i = run->op_count; i < run_total(run); i++) {
        const gcast_child *child = run_child(run, i);
        if (child->is_rest || c->first_block[i] == CHROME_NO_BLOCK)
            continue;
        const gcast_block *b = &run->ops[child->parent].blocks[child->parent_block];
        if (view_holds_block(v, b) &&
            !vec_push(&c->launches, ((chrome_launch){child->parent, child->parent_block, (uint32_t)i})))
            return false;
    }
    if (c->launches.count)
        qsort(c->launches.at, c->launches.count, sizeof *c->launches.at, by_parent_block);
    return true;
}

/* The index of the first launch that is not before `wanted` by parent, block and child. */
static size_t find_launch(const chrome *c, chrome_launch wanted)
{
    size_t lo = 0, hi = c->launches.count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (by_parent_block(&c->launches.at[mid], &wanted) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Writes the arrows from a block to the children that it launched and, where it is the first block of a child, the
 * arrow to it. */
static void write_launch_arrows(chrome *c, const span *s, chrome_track at)
{
    const gcast_child *child = run_child(c->run, s->op);
    if (c->launches.count == 0 || run_is_rest(c->run, s->op))
        return;
    for (size_t k = find_launch(c, (chrome_launch){s->op, (uint32_t)s->block, 0});
         k < c->launches.count && c->launches.at[k].parent == s->op && c->launches.at[k].block == s->block; k++) {
        uint32_t launched = c->launches.at[k].op;
        chrome_flow(&c->events, true, (uint64_t)launched + 1, at, c->run->ops[launched].call_ns);
    }
    if (!child || c->first_block[s->op] != s->block)
        return;
    size_t own = find_launch(c, (chrome_launch){child->parent, child->parent_block, s->op});
    if (own < c->launches.count && c->launches.at[own].op == s->op)
        chrome_flow(&c->events, false, (uint64_t)s->op + 1, at, s->start);
}

static void write_block(chrome *c, int pid, const span *s)
{
    const gcast_run_op *o = &c->run->ops[s->op];
    const gcast_op *op = run_op(c->run, s->op);
    chrome_track at = {pid, s->place + 1};
    text *out = c->events.out;
    chrome_slice(&c->events, c->head[o->op], at, s->start, s->end);
    text_str(out, "\"block\": ");
    text_uint(out, s->block);
    if (s->op >= c->run->op_count)
        write_origin(c, s->op);
    else if (op->task >= 0) {
        text_str(out, ", \"job\": ");
        text_uint(out, o->job);
    }
    if (op->stream >= 0 && s->op < c->run->op_count) {
        text_str(out, ", \"stream\": ");
        text_int(out, c->run->workload->streams[op->stream].id);
    }
    text_str(out, ", \"threads\": ");
    text_int(out, op->shape.threads);
    text_str(out, ", \"registers\": ");
    text_int(out, op->shape.registers);
    text_str(out, ", \"smem\": ");
    text_int(out, op->shape.static_smem + op->shape.dynamic_smem);
    if (never_ends(c->run, s->op) && s->end == c->run->hang->time_ns)
        text_str(out, ", \"never_ends\": true");
    chrome_slice_end(&c->events);
    if (s->op < c->run->op_count && c->first_block[s->op] == s->block)
        chrome_arrow(c, s->op, false, at, s->start);
    write_launch_arrows(c, s, at);
}

/* Finds the earliest block shown of each operation; of several, the one with the lowest number. */
static void find_first_blocks(chrome *c, const sm_index *index)
{
    size_t count = index->first[c->shown.last_sm - c->shown.first_sm + 1];
    for (size_t i = 0; i < count; i++) {
        sm_entry e = index->entries[i];
        shown_blocks blocks = shown_blocks_of(&c->run->ops[e.op]);
        int64_t start = blocks.at[e.at].start_ns, *earliest = &c->first_start[e.op];
        uint64_t block = shown_block_index(&blocks, e.at), *first = &c->first_block[e.op];
        if (*first != CHROME_NO_BLOCK && (start > *earliest || (start == *earliest && block > *first)))
            continue;
        *first = block;
        *earliest = start;
    }
}

static gcast_status chrome_sms(chrome *c, gcast_error *err)
{
    sm_index index;
    span_list spans = {0};
    change_list changes = {0};
    gcast_status status = sm_index_create(&index, c->run, &c->shown, err);
    if (status)
        return status;
    int digits = snprintf(NULL, 0, "%d", c->run->gpu->sms - 1);
    find_first_blocks(c, &index);
    if (!collect_launches(c))
        status = gcast_error_set_memory(err);
    for (int sm = c->shown.first_sm; !status && sm <= c->shown.last_sm; sm++) {
        char name[32];
        uint32_t lanes;
        int pid = sm + 1;
        if (!sm_index_spans(&index, sm, &spans) || !lanes_colour(spans.at, spans.count, &lanes)) {
            status = gcast_error_set_memory(err);
            break;
        }
        snprintf(name, sizeof name, "SM %0*d", digits, sm);
        chrome_process(&c->events, pid, name, CHROME_ENGINES + 1 + sm);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            snprintf(name, sizeof name, "lane %u", lane + 1);
            chrome_thread(&c->events, (chrome_track){pid, lane + 1}, name);
        }
        for (size_t i = 0; i < spans.count; i++)
            write_block(c, pid, &spans.at[i]);
        if (!write_thread_counter(c, pid, &spans, &changes))
            status = gcast_error_set_memory(err);
    }
    vec_free(&spans);
    vec_free(&changes);
    sm_index_free(&index);
    return status;
}

static bool prepare(chrome *c)
{
    const gcast_workload *w = c->run->workload;
    size_t kernels = w->op_count + w->child_count, total = run_total(c->run);
    c->head = calloc(kernels + 1, sizeof *c->head);
    c->first_block = malloc((total + 1) * sizeof *c->first_block);
    c->first_start = malloc((total + 1) * sizeof *c->first_start);
    bool ok = waits_make(&c->waits, c->run) && c->head && c->first_block && c->first_start;
    for (size_t i = 0; ok && i < kernels; i++) {
        char stream[32] = "host";
        if (w->ops[i].stream >= 0)
            snprintf(stream, sizeof stream, "stream %d", w->streams[w->ops[i].stream].id);
        c->head[i] = chrome_head(w->ops[i].label, i < w->op_count ? stream : "child");
        ok = c->head[i] != NULL;
    }
    for (size_t i = 0; ok && i < total; i++)
        c->first_block[i] = CHROME_NO_BLOCK;
    return ok;
}

static void release(chrome *c)
{
    for (size_t i = 0; c->head && i < c->run->workload->op_count + c->run->workload->child_count; i++)
        free(c->head[i]);
    free(c->head);
    waits_free(&c->waits);
    free(c->first_block);
    free(c->first_start);
    vec_free(&c->launches);
}

/* Writes counters of children over time: the means of the bins of the run's series. */
static void write_child_counters(chrome *c)
{
    static const gcast_series shown[] = {GCAST_SERIES_OVERHEAD,    GCAST_SERIES_STREAM, GCAST_SERIES_POOL_WAIT,
                                         GCAST_SERIES_POOL,        GCAST_SERIES_QUEUED, GCAST_SERIES_CHILD_KERNELS,
                                         GCAST_SERIES_CHILD_BLOCKS};
    const gcast_launch_series *series = c->run->series;
    int pid = chrome_pid(c, CHROME_CHILDREN);
    chrome_process(&c->events, pid, "Children", CHROME_ENGINES + 1 + c->run->gpu->sms); /* below the SMs */
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        const double *sum = series->sum[shown[k]];
        int64_t last = 0;
        for (uint32_t i = 0; i <= series->count && i <= GCAST_SERIES_BINS; i++) {
            int64_t start = series->bin_ns * i;
            int64_t mean = i < series->count ? (int64_t)(sum[i] * 1000 / (double)series->bin_ns + 0.5) : 0;
            if (mean == last || !view_holds(&c->shown, start, start + series->bin_ns))
                continue;
            chrome_counter_milli(&c->events, pid, gcast_name(GCAST_NAMES_SERIES, shown[k]), start, mean);
            last = mean;
        }
    }
}

gcast_status chrome_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    chrome c = {.run = run};
    gcast_status status = view_make(&c.shown, run, options, err);
    if (status)
        return status;
    if (!prepare(&c)) {
        release(&c);
        return gcast_error_set_memory(err);
    }
    chrome_open(&c.events, out);
    if (c.shown.blocks)
        status = chrome_sms(&c, err);
    if (!status && !(chrome_calls(&c) && chrome_deadlines(&c) &&
                     write_process(&c, CHROME_STREAMS, "Streams", stream_row, stream_title) &&
                     write_process(&c, CHROME_ENGINES, "Copy engines", engine_row, engine_title)))
        status = gcast_error_set_memory(err);
    if (!status && run->hang && run->hang->time_ns >= c.shown.start_ns && run->hang->time_ns <= c.shown.end_ns)
        chrome_moment(&c.events, "the run hangs: nothing happens after that",
                      (chrome_track){chrome_pid(&c, CHROME_STREAMS), 1}, run->hang->time_ns);
    if (!status && run->series && run->launches->children)
        write_child_counters(&c);
    chrome_close(&c.events);
    release(&c);
    return status;
}
