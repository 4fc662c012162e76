#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "files/workload_formats.h"
#include "model/workload/workload.h"
#include "property/generate.h"
#include "support/builders.h"
#include "support/each_file.h"
#include "support/same_workload.h"

/* Writing and reading back changes nothing. */
static void round_trip(const gcast_workload *w)
{
    gcast_error err;
    gcast_workload *reread;
    char *text;
    size_t size;
    assert_ok(gcast_workload_write_native(w, &text, &size, &err), &err);
    assert_int_equal(size, strlen(text));
    assert_ok(gcast_workload_read_native(text, size, "again", &reread, &err), &err);
    const char *difference = workload_difference(w, reread);
    if (difference)
        print_error("%s: %s\n", w->source, difference);
    assert_null(difference);
    gcast_workload_free(reread);
    free(text);
}

static void config_round_trip(const char *path)
{
    gcast_error err;
    gcast_workload *w;
    size_t size;
    char *text = support_read(path, &size);
    assert_ok(gcast_workload_read(text, size, path, NULL, &w, &err), &err);
    round_trip(w);
    gcast_workload_free(w);
    free(text);
}

static void examiner_files_round_trip(void **state)
{
    (void)state;
    assert_int_equal(each_file("tests/data/examiner", ".json", config_round_trip), 102);
}

static void random_kernel(support_random *r, gcast_workload *w, gcast_op *op, int64_t block_ns[64])
{
    for (int d = 0; d < 3; d++) {
        op->grid[d] = (uint32_t)support_between(r, 1, 4);
        op->block[d] = (uint32_t)support_between(r, 1, 8);
    }
    op->shape.registers = (int)support_between(r, 0, 255);
    op->shape.static_smem = support_between(r, 0, 1) * support_between(r, 0, 49152);
    op->shape.dynamic_smem = support_between(r, 0, 1) * support_between(r, 0, 49152);
    op->shape.barriers = (int)support_between(r, 0, 16);
    op->body = (gcast_body)support_between(r, 0, GCAST_BODIES - 1);
    op->carveout = (gcast_op_carveout)support_between(r, 0, GCAST_OP_CARVEOUTS - 1);
    if (support_between(r, 0, 2) == 0) {
        gcast_mask mask = {{0}};
        mask.word[support_between(r, 0, GCAST_MAX_SMS / 64 - 1)] = support_next(r) | 1;
        op->mask = support_add_mask(w, &mask, NULL);
    }
    op->min_ns = support_between(r, 1, 1000);
    op->max_ns = op->min_ns + support_between(r, 0, 1) * support_between(r, 0, INT64_MAX / 8);
    if (support_between(r, 0, 3) == 0) {
        for (int i = 0; i < 64; i++)
            block_ns[i] = support_between(r, 1, 99);
        op->block_ns = block_ns;
        op->min_ns = op->max_ns = GCAST_UNKNOWN_NS;
    }
}

/* A plan with gaps in its numbers of jobs, and SMs without jobs. */
static gcast_plan *random_plan(support_random *r, const gcast_op *op)
{
    static const uint32_t sms[] = {3, 0, 4};
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *plan = NULL;
    gcast_error err;
    memcpy(o.grid, op->grid, sizeof o.grid);
    o.sms = 5;
    o.mapping = (gcast_mapping)support_between(r, 0, GCAST_MAPPINGS - 1);
    o.steal = o.mapping == GCAST_MAPPING_QUEUES && support_between(r, 0, 1);
    if (o.mapping != GCAST_MAPPING_PERSISTENT) {
        o.workers = o.mapping == GCAST_MAPPING_ONE_JOB ? 64 : (uint32_t)support_between(r, 1, 3);
        o.sm = support_between(r, 0, 1) ? sms : NULL;
        o.sm_count = o.sm ? 3 : 0;
    }
    assert_ok(gcast_plan_make(&o, &plan, &err), &err);
    for (uint32_t i = 0; i + 1 < plan->jobs && plan->queues == 1; i += 3) {
        uint32_t job = plan->job[i];
        plan->job[i] = plan->job[i + 1];
        plan->job[i + 1] = job;
    }
    return plan;
}

static void random_op(support_random *r, gcast_workload *w, bool in_task, int stream)
{
    static const char *const texts[] = {"plain", "quote \" and \\", "caf\xc3\xa9", "tab\there", "\x7f", "a/b~c"};
    char label[64];
    int64_t block_ns[64];
    gcast_op op = gcast_op_default((gcast_kind)support_between(r, 0, in_task ? 2 : GCAST_KINDS - 1));
    bool gpu = gcast_kind_on_gpu(op.kind);
    snprintf(label, sizeof label, "%s %zu", texts[support_between(r, 0, 5)], w->op_count);
    op.label = label;
    op.stream = gpu || (op.kind == GCAST_KIND_SYNC && support_between(r, 0, 1)) ? stream : -1;
    op.release_ns = support_between(r, 0, 1) * support_between(r, 0, INT64_MAX / 4);
    op.extra_latency_ns = gpu ? support_between(r, 0, 1) * support_between(r, 0, 100) : 0;
    if (!in_task) {
        op.host = (int)support_between(r, -1, (int64_t)w->host_count - 1);
        op.delay_ns = op.host >= 0 ? support_between(r, 0, 50) : 0;
        op.event_pause_ns = support_between(r, 0, op.delay_ns);
        op.host_waits = op.host >= 0 && gpu && support_between(r, 0, 1);
        op.skip_ns = support_between(r, 0, 1) ? GCAST_NEVER : support_between(r, 0, 1000);
    }
    if (op.kind == GCAST_KIND_KERNEL)
        random_kernel(r, w, &op, block_ns);
    gcast_plan *plan = NULL;
    if (op.kind == GCAST_KIND_KERNEL && op.mask == GCAST_ALL_SMS && support_between(r, 0, 2) == 0) {
        op.plan = plan = random_plan(r, &op);
        op.policy = plan->mapping == GCAST_MAPPING_PERSISTENT ? GCAST_POLICY_PERSISTENT : GCAST_POLICY_SM_CENTRIC;
        op.fill = (uint32_t)(support_between(r, 0, 1) * support_between(r, 0, 2048));
    }
    if (op.kind == GCAST_KIND_COPY)
        op.direction = (gcast_direction)support_between(r, 0, GCAST_DIRECTIONS - 1);
    if (op.kind == GCAST_KIND_COPY || op.kind == GCAST_KIND_MEMSET || op.kind == GCAST_KIND_MALLOC)
        op.bytes = support_between(r, 0, INT64_MAX - 1);
    if (op.kind == GCAST_KIND_BARRIER)
        op.barrier = (int)support_between(r, 0, 5);
    assert_true(support_add_op(w, &op, NULL) >= 0);
    gcast_plan_free(plan);
}

static gcast_workload *random_workload(support_random *r)
{
    gcast_error err;
    gcast_workload *w = support_workload("random \xe2\x82\xac", NULL);
    if (support_between(r, 0, 1))
        gcast_workload_set_gpu(w, support_gpu(support_between(r, 0, 1) ? "tx2" : "mine", 7, 0, 80, &err));
    gcast_workload_set_partition(w, (int)support_between(r, 0, 3));
    gcast_workload_set_connections(w, (int)support_between(r, -1, 8));
    int64_t streams = support_between(r, 1, 5);
    for (int s = 0; s < streams; s++)
        support_add_stream(w,
                           (gcast_stream){.id = s,
                                          .priority = (int)support_between(r, -5, 0),
                                          .blocking = s == 0 || support_between(r, 0, 1),
                                          .process = (int)support_between(r, 0, 1)},
                           NULL);
    support_add_host(w, "host \"A\"", NULL);
    support_add_host(w, "B", NULL);
    for (int64_t i = support_between(r, 0, 20); i > 0; i--)
        random_op(r, w, false, (int)support_between(r, 0, streams - 1));
    for (int64_t t = support_between(r, 0, 2); t > 0; t--) {
        gcast_task task = {.name = "task", .stream = (int)support_between(r, 0, streams - 1)};
        task.period_ns = support_between(r, 1, 1000);
        task.deadline_ns = support_between(r, 0, 2000);
        task.offset_ns = support_between(r, 0, 10);
        task.jitter_ns = support_between(r, 0, 10);
        task.sporadic = support_between(r, 0, 1);
        support_add_task(w, &task, NULL);
        for (int64_t i = support_between(r, 1, 4); i > 0; i--)
            random_op(r, w, true, task.stream);
    }
    if (support_between(r, 0, 1))
        generate_dependencies(r, w, &(gcast_gpu){0});
    return w;
}

static void random_workloads_round_trip(void **state)
{
    (void)state;
    support_random r = {.state = 20170612};
    for (int i = 0; i < 300; i++) {
        gcast_workload *w = random_workload(&r);
        gcast_workload *copy = support_workload_copy(w, NULL);
        round_trip(w);
        assert_null(workload_difference(w, copy));
        gcast_workload_free(w);
        round_trip(copy);
        gcast_workload_free(copy);
    }
}

static void notes_are_kept_for_people(void **state)
{
    (void)state;
    gcast_workload *w = support_workload("n", NULL);
    assert_int_equal(gcast_workload_add_note(w, "left out", NULL), GCAST_OK);
    char *text;
    size_t size;
    assert_int_equal(gcast_workload_write_native(w, &text, &size, NULL), GCAST_OK);
    assert_non_null(strstr(text, "\"x-notes\": [\n    \"left out\"]"));
    free(text);
    round_trip(w);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examiner_files_round_trip),
        cmocka_unit_test(random_workloads_round_trip),
        cmocka_unit_test(notes_are_kept_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
