#include "support/sample_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "support/builders.h"
#include "support/support.h"

struct sample {
    gcast_workload *workload;
    gcast_gpu *gpu;
    VEC(gcast_run_op) ops;
    arena memory;
    gcast_run run;
};

sample *sample_create(const char *name, int sms)
{
    gcast_error err;
    sample *s = calloc(1, sizeof *s);
    s->workload = support_workload(name, &err);
    s->gpu = support_gpu("sample", 6, 2, sms, &err);
    assert_non_null(s->workload);
    assert_non_null(s->gpu);
    return s;
}

void sample_free(sample *s)
{
    gcast_workload_free(s->workload);
    gcast_gpu_free(s->gpu);
    vec_free(&s->ops);
    arena_free(&s->memory);
    free(s);
}

gcast_workload *sample_workload(sample *s)
{
    return s->workload;
}

gcast_gpu *sample_gpu(sample *s)
{
    return s->gpu;
}

gcast_run_op *sample_op(sample *s, int op)
{
    return &s->ops.at[op];
}

const gcast_run *sample_run(sample *s)
{
    s->run = (gcast_run){
        .source = "simulated", .workload = s->workload, .gpu = s->gpu, .ops = s->ops.at, .op_count = s->ops.count};
    for (size_t i = 0; i < s->ops.count; i++) {
        if (s->ops.at[i].end_ns > s->run.end_ns)
            s->run.end_ns = s->ops.at[i].end_ns;
        s->run.blocks_recorded |= s->ops.at[i].blocks != NULL;
    }
    return &s->run;
}

static int add(sample *s, const gcast_op *op, int64_t call)
{
    gcast_error err;
    int index = support_add_op(s->workload, op, &err);
    assert_true(index >= 0);
    gcast_run_op o = {.op = (uint32_t)index,
                      .engine = -1,
                      .release_ns = call,
                      .call_ns = call,
                      .return_ns = call,
                      .arrive_ns = call,
                      .head_ns = call,
                      .enter_ns = call,
                      .start_ns = -1,
                      .dispatched_ns = -1,
                      .end_ns = -1,
                      .launch = s->ops.count,
                      .entry = s->ops.count,
                      .block_count = s->workload->ops[index].blocks};
    assert_true(vec_push(&s->ops, o));
    return (int)s->ops.count - 1;
}

int sample_kernel(sample *s, const char *label, int stream, int threads, uint64_t blocks, int64_t call)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = label;
    op.stream = support_get_stream(s->workload, stream, NULL);
    op.grid[0] = (uint32_t)blocks;
    op.block[0] = (uint32_t)threads;
    op.release_ns = call;
    return add(s, &op, call);
}

int sample_copy(sample *s, const char *label, int stream, int engine, gcast_direction d, int64_t start, int64_t end)
{
    gcast_op op = gcast_op_default(GCAST_KIND_COPY);
    op.label = label;
    op.stream = support_get_stream(s->workload, stream, NULL);
    op.direction = d;
    op.bytes = end - start;
    op.release_ns = start;
    int index = add(s, &op, start);
    s->ops.at[index].engine = engine;
    sample_times(s, index, start, end);
    return index;
}

int sample_job(sample *s, int op, uint32_t job, int64_t release)
{
    gcast_run_op o = s->ops.at[op];
    o.job = job;
    o.release_ns = o.call_ns = o.return_ns = o.arrive_ns = o.head_ns = o.enter_ns = release;
    o.start_ns = o.dispatched_ns = o.end_ns = -1;
    o.blocks = NULL;
    o.launch = o.entry = s->ops.count;
    assert_true(vec_push(&s->ops, o));
    return (int)s->ops.count - 1;
}

void sample_times(sample *s, int op, int64_t start, int64_t end)
{
    gcast_run_op *o = &s->ops.at[op];
    o->start_ns = o->dispatched_ns = start;
    o->end_ns = end;
}

void sample_block(sample *s, int op, uint64_t block, int sm, int64_t start, int64_t end)
{
    gcast_run_op *o = &s->ops.at[op];
    if (!o->blocks)
        o->blocks = arena_alloc_array(&s->memory, o->block_count, sizeof *o->blocks);
    assert_non_null(o->blocks);
    assert_true(block < o->block_count);
    ((gcast_block *)o->blocks)[block] = (gcast_block){.start_ns = start, .end_ns = end, .sm = (uint32_t)sm};
    if (o->start_ns < 0 || start < o->start_ns)
        o->start_ns = start;
    if (start > o->dispatched_ns)
        o->dispatched_ns = start;
    if (end > o->end_ns)
        o->end_ns = end;
}

sample *sample_thesis(void)
{
    static const int64_t ms = 1000000;
    static const struct {
        int kernel, block, sm, start, end;
    } blocks[] = {{0, 0, 0, 0, 4},  {0, 1, 1, 0, 4},  {1, 0, 0, 0, 6},  {1, 1, 1, 0, 6},
                  {1, 2, 0, 0, 6},  {1, 3, 1, 0, 6},  {1, 4, 0, 0, 6},  {1, 5, 1, 0, 6},
                  {1, 6, 0, 4, 10}, {2, 0, 1, 4, 10}, {2, 1, 0, 6, 12}, {3, 0, 1, 6, 11},
                  {3, 1, 0, 6, 11}, {3, 2, 1, 6, 11}, {3, 3, 0, 6, 11}, {3, 4, 1, 6, 11}};
    sample *s = sample_create("four kernels on two SMs", 2);
    sample_kernel(s, "K1", 1, 512, 2, 0);
    sample_kernel(s, "K2", 2, 512, 7, 0);
    sample_kernel(s, "K3", 3, 512, 2, 1 * ms);
    sample_kernel(s, "K4", 4, 512, 5, 2 * ms);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        sample_block(s, blocks[i].kernel, (uint64_t)blocks[i].block, blocks[i].sm, blocks[i].start * ms,
                     blocks[i].end * ms);
    return s;
}

sample *sample_large(uint64_t blocks, bool ragged)
{
    enum { SMS = 132, AT_ONCE = 8 };
    sample *s = sample_create("three large kernels", SMS);
    support_random r = {88172645463325252u};
    int64_t free_at[SMS][AT_ONCE] = {{0}};
    static const char *const labels[] = {"gemm", "softmax", "reduce"};
    for (int k = 0; k < 3; k++) {
        int op = sample_kernel(s, labels[k], k + 1, 256, blocks, 1000 * k);
        for (uint64_t b = 0; b < blocks; b++) {
            int sm = (int)(b % SMS), slot = (int)(b / SMS % AT_ONCE);
            int64_t start = free_at[sm][slot];
            int64_t length = 20000 * (k + 1) + (ragged ? support_between(&r, 0, 9999) : 0);
            sample_block(s, op, b, sm, start, start + length);
            free_at[sm][slot] = start + length;
        }
    }
    return s;
}

sample *sample_random(uint64_t seed)
{
    support_random r = {seed * 2654435761u + 88172645463325252u};
    int sms = (int)support_between(&r, 1, 40), kernels = (int)support_between(&r, 0, 30);
    sample *s = sample_create("random", sms);
    for (int k = 0; k < kernels; k++) {
        char label[] = {'k', (char)('a' + k % 26), '\0'};
        uint64_t blocks = (uint64_t)support_between(&r, 1, 60);
        int64_t call = support_between(&r, 0, 100000);
        if (support_between(&r, 0, 4) == 0) {
            sample_copy(s, label, k % 7, 0, GCAST_H2D, call, call + support_between(&r, 0, 5000));
            continue;
        }
        int op = sample_kernel(s, label, k % 7, (int)support_between(&r, 1, 1024), blocks, call);
        int64_t length = support_between(&r, 0, 20000);
        for (uint64_t b = 0; b < blocks; b++) {
            int64_t start = call + support_between(&r, 0, 5) * 3000;
            sample_block(s, op, b, (int)support_between(&r, 0, sms - 1), start, start + length);
        }
    }
    return s;
}

static bool collect(void *data, const char *bytes, size_t size)
{
    text_bytes(data, bytes, size);
    return true;
}

sample_text sample_report(const gcast_run *run, gcast_format format, const gcast_report_options *options)
{
    text t;
    gcast_error err;
    sample_text out;
    text_open(&t, NULL, NULL);
    assert_ok(gcast_run_report(run, format, options, collect, &t, &err), &err);
    out.data = text_take(&t, &out.size);
    assert_non_null(out.data);
    return out;
}
