#include "support/small_trace.h"

#include <string.h>

#include "gridcast/read.h"
#include "profile/reading.h"

prof_trace *small_trace(void)
{
    prof_trace *t;
    gcast_error err;
    assert_ok(prof_trace_create("small", &t, &err), &err);
    return t;
}

int64_t small_call(prof_trace *t, int64_t tid, const char *function, int64_t start_ns, int64_t end_ns)
{
    static int64_t correlation = 1000;
    prof_call c = {.kind = call_kind_of(function),
                   .stream = PROF_NONE,
                   .name = prof_trace_text(t, function, strlen(function)),
                   .start_ns = start_ns,
                   .end_ns = end_ns,
                   .correlation = ++correlation,
                   .event = PROF_UNKNOWN};
    assert_true(prof_get_thread(t, 1, tid, &c.thread));
    assert_true(prof_add_call(t, &c));
    return correlation;
}

static uint32_t stream_at(prof_trace *t, int64_t number)
{
    uint32_t stream;
    prof_stream key = {.pid = 1, .context = 1, .number = number};
    if (number == PROF_UNKNOWN)
        return PROF_NONE;
    assert_true(prof_get_stream(t, &key, &stream));
    return stream;
}

static prof_op op_of(prof_trace *t, gcast_kind kind, int64_t stream, int64_t correlation, const char *name)
{
    return (prof_op){.kind = kind,
                     .stream = stream_at(t, stream),
                     .name = prof_trace_text(t, name, strlen(name)),
                     .correlation = correlation,
                     .registers = 32,
                     .smem_executed = PROF_UNKNOWN,
                     .channel = PROF_UNKNOWN,
                     .graph = PROF_UNKNOWN,
                     .node = PROF_UNKNOWN,
                     .bytes = 4096,
                     .direction = GCAST_H2D};
}

static void add_kernel(prof_trace *t, int64_t stream, int64_t correlation, const char *name, int64_t node,
                       uint32_t blocks, int64_t start_ns, int64_t end_ns)
{
    prof_op op = op_of(t, GCAST_KIND_KERNEL, stream, correlation, name);
    op.node = node;
    op.start_ns = start_ns;
    op.end_ns = end_ns;
    op.grid[0] = blocks;
    op.block[0] = 256;
    op.grid[1] = op.grid[2] = op.block[1] = op.block[2] = 1;
    assert_true(prof_add_op(t, &op));
}

void small_kernel(prof_trace *t, int64_t stream, int64_t correlation, const char *name, uint32_t blocks,
                  int64_t start_ns, int64_t end_ns)
{
    add_kernel(t, stream, correlation, name, PROF_UNKNOWN, blocks, start_ns, end_ns);
}

void small_node(prof_trace *t, int64_t stream, int64_t correlation, const char *name, int64_t node, int64_t start_ns,
                int64_t end_ns)
{
    add_kernel(t, stream, correlation, name, node, 1, start_ns, end_ns);
}

void small_op_of(prof_trace *t, int64_t stream, int64_t correlation, const char *name, prof_op op)
{
    prof_op base = op_of(t, GCAST_KIND_KERNEL, stream, correlation, name);
    op.kind = base.kind;
    op.stream = base.stream;
    op.name = base.name;
    op.correlation = correlation;
    assert_true(prof_add_op(t, &op));
}

void small_copy(prof_trace *t, int64_t stream, int64_t correlation, bool is_pageable, int64_t start_ns, int64_t end_ns)
{
    prof_op op = op_of(t, GCAST_KIND_COPY, stream, correlation, "copy");
    op.start_ns = start_ns;
    op.end_ns = end_ns;
    op.is_pageable = is_pageable;
    assert_true(prof_add_op(t, &op));
}

void small_tell(prof_trace *t, int64_t correlation, int64_t stream, int64_t record, int64_t record_stream)
{
    prof_call_told told = {.pid = 1,
                           .correlation = correlation,
                           .stream = stream_at(t, stream),
                           .event = PROF_UNKNOWN,
                           .record_correlation = record,
                           .record_stream = stream_at(t, record_stream)};
    assert_true(prof_tell_call(t, &told));
}

small_made small_make(prof_trace *t, const char *gpu, prof_make_options options)
{
    small_made m = {.t = t};
    gcast_error err;
    assert_ok(gcast_gpu_load(gpu, &m.gpu, &err), &err);
    assert_ok(prof_trace_finish(t, &err), &err);
    options.gpu = m.gpu;
    options.excess_ns = 0;
    assert_ok(prof_make(t, &options, &m.made, &err), &err);
    return m;
}

void small_made_free(small_made *m)
{
    prof_made_free(&m->made);
    prof_trace_free(m->t);
    gcast_gpu_free(m->gpu);
}

const gcast_op *small_op(const gcast_workload *w, const char *label)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (strcmp(w->ops[i].label, label) == 0)
            return &w->ops[i];
    fail_msg("there is no op %s", label);
    return NULL;
}

static uint64_t found_in(const prof_finding *list, size_t count, const char *part)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += strstr(list[i].text, part) ? list[i].count : 0;
    return sum;
}

uint64_t small_found(const small_made *m, const char *part)
{
    return found_in(m->t->findings, m->t->finding_count, part) +
           found_in(m->made.findings.list.at, m->made.findings.list.count, part);
}
