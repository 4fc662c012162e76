/* Changes that searches make to a copy: what follows from each, what is refused, and that tries start from the base. */
#include "support/support.h"

#include <string.h>

#include "change/variant.h"
#include "support/builders.h"

static gcast_workload *w;
static gcast_gpu *gpu;

static int add_kernel(const char *label, int stream, int host)
{
    gcast_error err;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = label;
    op.stream = support_get_stream(w, stream, &err);
    op.host = host;
    op.grid[0] = 4;
    op.block[0] = 128;
    op.min_ns = op.max_ns = 100;
    return support_add_op(w, &op, &err);
}

/* A and B in stream 1, then a wait of their host for it. */
static int setup(void **state)
{
    (void)state;
    gcast_error err;
    w = support_workload("w", &err);
    gpu = support_gpu("two", 8, 6, 2, &err);
    int host = support_add_host(w, "main", &err);
    add_kernel("A", 1, host);
    add_kernel("B", 1, host);
    gcast_op sync = gcast_op_default(GCAST_KIND_SYNC);
    sync.label = "wait";
    sync.host = host;
    sync.stream = 0;
    return support_add_op(w, &sync, &err) == 2 ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
    return 0;
}

static gcast_status make(const change *changes, size_t count, variant *v, gcast_error *err)
{
    static variant_base base;
    base = (variant_base){.w = w, .gpu = gpu};
    return variant_make(&base, changes, count, v, err);
}

static void refused(change c, const char *part)
{
    gcast_error err;
    variant v;
    assert_int_equal(make(&c, 1, &v, &err), GCAST_INPUT);
    if (!strstr(err.message, part))
        fail_msg("%s", err.message);
    variant_free(&v);
}

/* The host waits for an operation wherever it is; a later change of its stream is of the new one. */
static void own_stream(void **state)
{
    (void)state;
    gcast_error err;
    variant v;
    const change both[] = {{.kind = CHANGE_OWN_STREAM, .at = 1}, {.kind = CHANGE_LEVEL, .at = 1, .value = -1}};
    assert_ok(make(both, 2, &v, &err), &err);
    assert_int_equal(v.w->stream_count, 2);
    assert_int_equal(v.w->ops[1].stream, 1);
    assert_int_equal(v.w->ops[2].stream, -1);
    assert_int_equal(v.w->streams[0].priority, 0);
    assert_int_equal(v.w->streams[1].priority, -1);
    assert_int_equal(w->ops[2].stream, 0); /* the base is as it was */
    variant_free(&v);
}

static void what_follows(void **state)
{
    (void)state;
    gcast_error err;
    variant v;
    const change all[] = {{.kind = CHANGE_OP_CARVEOUT, .at = 0, .value = GCAST_OP_CARVEOUT_DRIVER},
                          {.kind = CHANGE_REGISTERS, .at = 0, .value = 16},
                          {.kind = CHANGE_THREADS, .at = 0, .value = 64},
                          {.kind = CHANGE_AT_MOST, .at = 1, .value = 3},
                          {.kind = CHANGE_SMS, .value = 1}};
    assert_ok(make(all, 5, &v, &err), &err);
    const gcast_op *a = &v.w->ops[0];
    assert_true(a->carveout == GCAST_OP_CARVEOUT_DRIVER && a->carveout_given && a->registers_given);
    assert_int_equal(a->blocks, 8);
    assert_int_equal(a->block[0], 64);
    assert_int_equal(v.w->ops[1].blocks, 3);
    assert_int_equal(v.gpu->sms, 1);
    assert_int_equal(v.w->partition_sms, 1);
    variant_free(&v);
}

static void what_cannot_be(void **state)
{
    (void)state;
    gcast_error err;
    gcast_mask mask = {{1}};
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = "C";
    op.stream = 0;
    op.min_ns = op.max_ns = 100;
    assert_ok(gcast_workload_add_mask(w, &mask, &op.mask, &err), &err);
    assert_int_equal(support_add_op(w, &op, &err), 3);
    refused((change){.kind = CHANGE_ON_SMS, .at = 3, .other = 2}, "C has SMs of its own");
    refused((change){.kind = CHANGE_THREADS, .at = 0, .value = 96}, "cannot be divided like this");
    refused((change){.kind = CHANGE_GPU_FIELD, .name = "connections", .value = -5}, "must be");
}

/* Each try starts from what the base has. */
static void tries_on_one_copy(void **state)
{
    (void)state;
    gcast_error err;
    variant v;
    variant_base base = {.w = w};
    static const int64_t times_ns[] = {1000, 1, 250, 100};
    assert_ok(variant_open(&base, &v, &err), &err);
    assert_null(v.gpu);
    for (size_t i = 0; i < sizeof times_ns / sizeof *times_ns; i++) {
        change c = {.kind = CHANGE_DURATION, .at = 0, .value = times_ns[i]};
        assert_ok(variant_change(&v, &c, &err), &err);
        assert_int_equal(v.w->ops[0].max_ns, times_ns[i]);
        assert_int_equal(v.w->ops[0].min_ns, times_ns[i] < 100 ? times_ns[i] : 100);
    }
    variant_free(&v);
    base = (variant_base){.gpu = gpu};
    assert_ok(variant_open(&base, &v, &err), &err);
    assert_null(v.w);
    assert_ok(variant_change(&v, &(change){.kind = CHANGE_GPU_FIELD, .name = "noise_ns", .value = 7}, &err), &err);
    assert_int_equal(v.gpu->noise_ns, 7);
    variant_free(&v);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(own_stream), CASE(what_follows), CASE(what_cannot_be),
                                       CASE(tries_on_one_copy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
