#include "report/trace/host_calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/vec.h"
#include "model/run_op.h"
#include "report/trace/op_slice.h"

#define MAX_LABELS 100 /* listed for calls that are made at one time */

typedef struct call {
    int64_t start, end; /* from the call to its return, at least 1 ns */
    uint32_t op;        /* index in the operations of the run */
    uint32_t row;       /* its host thread + 1; 0: no host calls it */
} call;

typedef VEC(call) call_list;

/* By row, then by time; of calls at one time, those that wait come first. */
static int order(const void *a, const void *b)
{
    const call *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static bool collect(const chrome *c, call_list *calls)
{
    for (size_t i = 0; i < c->run->op_count; i++) {
        const gcast_run_op *o = &c->run->ops[i];
        if (o->call_ns < 0 || o->skipped)
            continue;
        call k = {o->call_ns, o->call_ns + 1, (uint32_t)i, (uint32_t)(run_op(c->run, i)->host + 1)};
        if (k.row && o->return_ns > k.end)
            k.end = o->return_ns;
        if (view_holds(&c->shown, k.start, k.end) && !vec_push(calls, k))
            return false;
    }
    if (calls->count)
        qsort(calls->at, calls->count, sizeof *calls->at, order);
    /* a host thread makes no call before the one before it has returned */
    int64_t next_call = INT64_MAX;
    for (size_t i = calls->count; i-- > 0;) {
        call *k = &calls->at[i], *next = i + 1 < calls->count && k[1].row == k->row ? k + 1 : NULL;
        next_call = !next ? INT64_MAX : next->start > k->start ? next->start : next_call;
        k->end = min_i64(k->end, next_call);
    }
    return true;
}

/* Several calls at one time, as one slice. */
static bool write_together(chrome *c, const call *calls, size_t count, chrome_track at)
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

static bool write_row(chrome *c, const call *calls, size_t count, chrome_track at)
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

bool chrome_calls(chrome *c)
{
    call_list calls = {0};
    chrome_track at = {chrome_pid(c, CHROME_CALLS), 1};
    bool ok = collect(c, &calls);
    if (ok && calls.count)
        chrome_process(&c->events, at.pid, "Host calls", CHROME_CALLS);
    for (size_t i = 0, n; ok && i < calls.count; i += n, at.tid++) {
        char title[128];
        for (n = 1; i + n < calls.count && calls.at[i + n].row == calls.at[i].row;)
            n++;
        snprintf(title, sizeof title, "%.100s",
                 calls.at[i].row ? c->run->workload->hosts[calls.at[i].row - 1] : "releases");
        chrome_thread(&c->events, at, title);
        ok = write_row(c, &calls.at[i], n, at);
    }
    vec_free(&calls);
    return ok;
}
