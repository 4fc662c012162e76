/* gridcast.record/1: whatever is read is a trace whose parts lead to each other, in order, and becomes a valid
 * workload. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile/recorded/recorded.h"
#include "profile_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static void check_recorded(const prof_trace *t)
{
    expect(t->op_count > 0, "a trace without operations");
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        expect(op->stream < t->stream_count, "an operation without a stream");
        expect(op->call == PROF_NONE || op->call < t->call_count, "an operation of no call");
        expect(op->start_ns > 0 && op->end_ns >= op->start_ns, "an operation without times");
        expect(!i || op->start_ns >= t->ops[i - 1].start_ns, "operations without an order");
        expect(op->kind != GCAST_KIND_KERNEL || (op->name && op->grid[0] && op->block[0]), "a kernel without a shape");
    }
    for (size_t i = 0; i < t->call_count; i++) {
        const prof_call *c = &t->calls[i];
        expect(c->thread < t->thread_count && c->name, "a call of no thread");
        expect(c->stream == PROF_NONE || c->stream < t->stream_count, "a call with a stream that is not there");
        expect(c->record == PROF_NONE || c->record < t->call_count, "a wait for nothing");
    }
    for (size_t i = 0; i < t->range_count; i++)
        expect(t->ranges[i].end_ns >= t->ranges[i].start_ns && t->ranges[i].name, "a range without times");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prof_trace *t;
    recorded_extras extras;
    gcast_error err;
    if (recorded_read_memory("fuzz", data ? data : (const uint8_t *)"", size, &t, &extras, &err) != GCAST_OK) {
        expect(t == NULL && err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return 0;
    }
    check_trace(t);
    check_recorded(t);
    check_made(t);
    for (size_t i = 0; i < extras.edge_count; i++)
        recorded_origin(&extras, extras.edges[i].pid, extras.edges[i].node);
    recorded_extras_free(&extras);
    prof_trace_free(t);
    return 0;
}
