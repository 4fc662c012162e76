/* Host calls, streams and copy engines: operations as slices, a thread each and
 * more where slices of one overlap. */
#include <stdio.h>
#include <stdlib.h>

#include "report/chrome.h"
#include "report/lanes.h"

/* One process: which thread an operation is in (-1: none), from when to when,
 * and what the thread is called. */
typedef struct kind {
    int process;
    const char *name;
    int (*row)(const chrome *c, size_t op);
    void (*times)(const gcast_run_op *o, int64_t *start, int64_t *end);
    void (*title)(const chrome *c, int row, char *out, size_t size);
} kind;

static int stream_row(const chrome *c, size_t op)
{
    return run_op_ran(c->run, op) ? run_op(c->run, op)->stream : -1;
}

static int engine_row(const chrome *c, size_t op)
{
    return run_op_ran(c->run, op) && run_op(c->run, op)->kind != GCAST_KIND_KERNEL ? c->run->ops[op].engine : -1;
}

/* Row 0 is for what no host thread calls. */
static int call_row(const chrome *c, size_t op)
{
    return c->run->ops[op].call_ns >= 0 && !c->run->ops[op].skipped ? run_op(c->run, op)->host + 1 : -1;
}

static void run_times(const gcast_run_op *o, int64_t *start, int64_t *end)
{
    *start = o->start_ns;
    *end = o->end_ns;
}

/* A call takes no time here; its slice takes 1 ns, so that an arrow can start in it. */
static void call_times(const gcast_run_op *o, int64_t *start, int64_t *end)
{
    *start = o->call_ns;
    *end = o->return_ns > o->call_ns ? o->return_ns : o->call_ns + 1;
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

static void call_title(const chrome *c, int row, char *out, size_t size)
{
    snprintf(out, size, "%.100s", row ? c->run->workload->hosts[row - 1] : "releases");
}

static const kind kinds[] = {
    {CHROME_CALLS, "Host calls", call_row, call_times, call_title},
    {CHROME_STREAMS, "Streams", stream_row, run_times, stream_title},
    {CHROME_ENGINES, "Copy engines", engine_row, run_times, engine_title},
};

static void arrow(chrome *c, const kind *k, const span *s, chrome_track at)
{
    const gcast_run_op *o = &c->run->ops[s->op];
    if (!run_op_ran(c->run, s->op) || o->call_ns < 0 || o->call_ns > o->start_ns)
        return;
    if (k->process == CHROME_CALLS)
        chrome_flow(&c->events, true, (uint64_t)s->op + 1, at, s->start);
    if (k->process == CHROME_STREAMS && c->first_block[s->op] == CHROME_NO_BLOCK)
        chrome_flow(&c->events, false, (uint64_t)s->op + 1, at, s->start);
}

static void slice(chrome *c, const kind *k, const span *s, chrome_track at)
{
    const gcast_run_op *o = &c->run->ops[s->op];
    const gcast_op *op = run_op(c->run, s->op);
    chrome_slice(&c->events, c->head[o->op], at, s->start, s->end);
    text_str(c->events.out, "\"kind\": \"");
    text_str(c->events.out, gcast_kind_name(op->kind));
    text_str(c->events.out, "\", \"job\": ");
    text_uint(c->events.out, o->job);
    if (op->kind == GCAST_KIND_KERNEL) {
        text_str(c->events.out, ", \"blocks\": ");
        text_uint(c->events.out, o->block_count);
    } else if (op->kind == GCAST_KIND_COPY || op->kind == GCAST_KIND_MEMSET) {
        text_str(c->events.out, ", \"bytes\": ");
        text_int(c->events.out, op->bytes);
    }
    chrome_slice_end(&c->events);
    arrow(c, k, s, at);
}

/* span.block is the row here. */
static int by_row(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return span_order(a, b);
}

static bool collect(const chrome *c, const kind *k, span_list *spans)
{
    spans->count = 0;
    for (size_t i = 0; i < c->run->op_count; i++) {
        int row = k->row(c, i);
        int64_t start, end;
        k->times(&c->run->ops[i], &start, &end);
        if (row >= 0 && view_holds(&c->shown, start, end) &&
            !vec_push(spans, ((span){.start = start, .end = end, .op = (uint32_t)i, .block = (uint32_t)row})))
            return false;
    }
    if (spans->count)
        qsort(spans->at, spans->count, sizeof *spans->at, by_row);
    return true;
}

static bool write_process(chrome *c, const kind *k, span_list *spans)
{
    int pid = chrome_pid(c, k->process);
    uint32_t next_tid = 1;
    if (!collect(c, k, spans))
        return false;
    if (spans->count)
        chrome_process(&c->events, pid, k->name, k->process);
    for (size_t i = 0; i < spans->count;) {
        size_t n = 1;
        uint32_t lanes;
        char title[128], numbered[160];
        while (i + n < spans->count && spans->at[i + n].block == spans->at[i].block)
            n++;
        if (!lanes_colour(&spans->at[i], n, &lanes))
            return false;
        k->title(c, (int)spans->at[i].block, title, sizeof title);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            snprintf(numbered, sizeof numbered, lane ? "%s (%u)" : "%s", title, lane + 1);
            chrome_thread(&c->events, (chrome_track){pid, next_tid + lane}, numbered);
        }
        for (size_t last = i + n; i < last; i++)
            slice(c, k, &spans->at[i], (chrome_track){pid, next_tid + spans->at[i].place});
        next_tid += lanes;
    }
    return true;
}

gcast_status chrome_bars(chrome *c, gcast_error *err)
{
    span_list spans = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof kinds / sizeof kinds[0]; i++)
        ok = write_process(c, &kinds[i], &spans);
    vec_free(&spans);
    return ok ? GCAST_OK : gcast_fail_memory(err);
}
