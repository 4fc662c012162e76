#include "report/trace/streams.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "model/run_children.h"
#include "model/run_op.h"
#include "report/run/packing.h"
#include "report/trace/op_slice.h"

static void wait_name(const chrome *c, size_t i, char *out, size_t size)
{
    const gcast_op *op = run_op(c->run, i);
    if (op->task >= 0)
        snprintf(out, size, "waiting: %.200s#%u", op->label, c->run->ops[i].job);
    else
        snprintf(out, size, "waiting: %.200s", op->label);
}

/* A slice from wait_ns to the start of operation i, and inside it a slice for each reason that it waited for. */
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
        head = chrome_head(parts[k].rule, "wait");
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

/* The part in which a kernel has no block left and waits for its children, inside its slice. */
static void write_wait_for_children(chrome *c, size_t i, chrome_track at)
{
    int64_t start_ns = run_blocks_end_ns(c->run, i), end_ns = c->run->ops[i].end_ns;
    if (start_ns >= end_ns || !view_holds(&c->shown, start_ns, end_ns))
        return;
    chrome_slice(&c->events, "\"name\": \"waiting for children\", \"cat\": \"wait\"", at, start_ns, end_ns);
    chrome_slice_end(&c->events);
}

/* By row, which is in span.block here. */
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

static bool collect(const chrome *c, row_fn row_of, span_list *spans)
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
static bool write_row(chrome *c, const span *spans, size_t count, chrome_track first, bool with_waits)
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

static bool write_process(chrome *c, int process, const char *name, row_fn row_of,
                          void (*title_of)(const chrome *, int, char *, size_t))
{
    chrome_track at = {chrome_pid(c, process), 1};
    span_list spans = {0};
    bool ok = collect(c, row_of, &spans), has_process = false, with_waits = process == CHROME_STREAMS;
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
        ok = write_row(c, &spans.at[i], n, at, with_waits);
        at.tid += lanes;
    }
    vec_free(&spans);
    return ok;
}

bool chrome_streams(chrome *c)
{
    return write_process(c, CHROME_STREAMS, "Streams", stream_row, stream_title);
}

bool chrome_engines(chrome *c)
{
    return write_process(c, CHROME_ENGINES, "Copy engines", engine_row, engine_title);
}
