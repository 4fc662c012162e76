/* Policies of kernels: what goes together, on which GPUs, and that plans are copied. */
#include "support/support.h"

#include <string.h>

#include "model/workload/policy.h"
#include "support/builders.h"

static gcast_plan *make_plan(gcast_mapping mapping, uint32_t jobs)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *plan;
    gcast_error err;
    o.mapping = mapping;
    memcpy(o.grid, (uint32_t[]){jobs, 1, 1}, sizeof o.grid);
    o.sms = 3;
    o.workers = mapping == GCAST_MAPPING_PERSISTENT ? 0 : jobs;
    assert_ok(gcast_plan_make(&o, &plan, &err), &err);
    return plan;
}

static gcast_op kernel(gcast_policy policy, const gcast_plan *plan)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = "K";
    op.grid[0] = 4;
    op.block[0] = 64;
    op.min_ns = op.max_ns = 10;
    op.policy = policy;
    op.plan = plan;
    return op;
}

/* A workload of a copy and this op; where the op is refused at once, *err says why. */
static gcast_workload *workload_and(const gcast_op *op, gcast_error *err)
{
    gcast_workload *w = support_workload("one", NULL);
    gcast_op copy = gcast_op_default(GCAST_KIND_COPY), given = *op;
    copy.stream = given.stream = support_get_stream(w, 1, NULL);
    copy.min_ns = copy.max_ns = 5;
    assert_int_equal(support_add_op(w, &copy, NULL), 0);
    int index = -1;
    gcast_status status = gcast_workload_add_op(w, &given, &index, err);
    assert_int_equal(index, status == GCAST_OK ? 1 : -1);
    return w;
}

static gcast_workload *workload_with(const gcast_op *op)
{
    gcast_error err = {0};
    gcast_workload *w = workload_and(op, &err);
    assert_int_equal(err.code, GCAST_OK);
    return w;
}

static void refuse(gcast_op op, const char *path, const char *message)
{
    gcast_error err = {0};
    gcast_workload *w = workload_and(&op, &err);
    assert_int_equal(err.code ? err.code : gcast_workload_check(w, &err), GCAST_INPUT);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
    gcast_workload_free(w);
}

static void default_is_hardware(void **state)
{
    (void)state;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    assert_int_equal(op.policy, GCAST_POLICY_HARDWARE);
    assert_null(op.plan);
    assert_int_equal(op.fill, 0);
}

static void plans_are_copied(void **state)
{
    (void)state;
    gcast_plan *plan = make_plan(GCAST_MAPPING_QUEUES, 4);
    gcast_op op = kernel(GCAST_POLICY_SM_CENTRIC, plan);
    gcast_error err;
    op.fill = 2048;
    gcast_workload *w = workload_with(&op);
    memset(plan->job, 0, 4 * sizeof *plan->job);
    memset(plan->workers, 0, 3 * sizeof *plan->workers);
    memset(plan->first, 0, 4 * sizeof *plan->first);
    gcast_plan_free(plan);
    gcast_workload *copy = support_workload_copy(w, NULL);
    assert_ok(gcast_workload_check(w, &err), &err);
    gcast_workload_free(w);
    assert_ok(gcast_workload_check(copy, &err), &err);
    assert_int_equal(copy->ops[1].plan->job[3], 3);
    assert_int_equal(copy->ops[1].plan->workers[2], 4);
    assert_int_equal(copy->ops[1].fill, 2048);
    gcast_workload_free(copy);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    gcast_plan *queues = make_plan(GCAST_MAPPING_QUEUES, 4), *persistent = make_plan(GCAST_MAPPING_PERSISTENT, 4),
               *longer = make_plan(GCAST_MAPPING_QUEUES, 5);
    gcast_op op;
    refuse(kernel(GCAST_POLICY_HARDWARE, queues), "/ops/1/plan", "a plan needs the policy persistent or sm_centric");
    op = kernel(GCAST_POLICY_HARDWARE, NULL);
    op.fill = 1;
    refuse(op, "/ops/1/fill", "fill needs the policy persistent or sm_centric");
    refuse(kernel(GCAST_POLICY_PERSISTENT, NULL), "/ops/1", "a kernel with the policy persistent needs a plan");
    refuse(kernel(GCAST_POLICY_PERSISTENT, queues), "/ops/1/plan/mapping",
           "the mapping queues does not go with the policy persistent");
    refuse(kernel(GCAST_POLICY_SM_CENTRIC, persistent), "/ops/1/plan/mapping",
           "the mapping persistent does not go with the policy sm_centric");
    refuse(kernel(GCAST_POLICY_SM_CENTRIC, longer), "/ops/1/plan/grid",
           "the plan is for a grid of 5 x 1 x 1, the kernel has 4 x 1 x 1");
    op = kernel(GCAST_POLICY_SM_CENTRIC, queues);
    op.grid[0] = 1, op.grid[1] = 4;
    refuse(op, "/ops/1/plan/grid", "the plan is for a grid of 4 x 1 x 1, the kernel has 1 x 4 x 1");
    op = kernel(GCAST_POLICY_SM_CENTRIC, queues);
    op.fill = 2049;
    refuse(op, "/ops/1/fill", "must be from 0 to 2048, not 2049");
    op = kernel(GCAST_POLICY_SM_CENTRIC, queues);
    op.kind = GCAST_KIND_COPY;
    refuse(op, "/ops/1/policy", "a copy has no policy");
    op = kernel(GCAST_POLICY_SM_CENTRIC, queues);
    op.kind = GCAST_KIND_FREE;
    refuse(op, "/ops/1/policy", "a free has no policy");
    queues->workers[1] = 0;
    refuse(kernel(GCAST_POLICY_SM_CENTRIC, queues), "/ops/1/plan/queues/1", "SM 1 has 1 jobs, but no workers");
    gcast_plan_free(queues);
    gcast_plan_free(persistent);
    gcast_plan_free(longer);
}

/* A kernel of four jobs on three SMs: SM 0 has one, SM 1 one, SM 2 two. */
static gcast_status check_masked(gcast_mapping mapping, bool steal, uint64_t mask, gcast_error *err)
{
    gcast_plan *plan = make_plan(mapping, 4);
    plan->steal = steal;
    gcast_op op = kernel(mapping == GCAST_MAPPING_PERSISTENT ? GCAST_POLICY_PERSISTENT : GCAST_POLICY_SM_CENTRIC, plan);
    gcast_workload *w = support_workload("", NULL);
    op.stream = support_get_stream(w, 1, NULL);
    op.mask = support_add_mask(w, &(gcast_mask){{mask}}, NULL);
    support_add_op(w, &op, NULL);
    gcast_status status = gcast_workload_check(w, err);
    gcast_workload_free(w);
    gcast_plan_free(plan);
    return status;
}

static void sms_with_jobs_must_be_allowed(void **state)
{
    (void)state;
    gcast_error err;
    assert_ok(check_masked(GCAST_MAPPING_PERSISTENT, false, 1, &err), &err);
    assert_ok(check_masked(GCAST_MAPPING_QUEUES, true, 2, &err), &err);
    assert_ok(check_masked(GCAST_MAPPING_SEGMENTS, false, 7, &err), &err);
    assert_int_equal(check_masked(GCAST_MAPPING_SEGMENTS, false, 5, &err), GCAST_INPUT);
    assert_string_equal(err.message, "SM 1, which has jobs in the plan, is missing");
    assert_string_equal(err.path, "/ops/0/allowed_sms");
    assert_int_equal(check_masked(GCAST_MAPPING_QUEUES, false, 6, &err), GCAST_INPUT);
    assert_int_equal(check_masked(GCAST_MAPPING_ONE_JOB, false, 3, &err), GCAST_INPUT);
}

static void a_plan_is_for_gpus_with_as_many_sms(void **state)
{
    (void)state;
    gcast_error err;
    gcast_plan *plan = make_plan(GCAST_MAPPING_ONE_JOB, 4);
    gcast_op op = kernel(GCAST_POLICY_SM_CENTRIC, plan);
    gcast_workload *w = workload_with(&op);
    gcast_gpu *three = support_gpu("three", 7, 0, 3, &err), *four = support_gpu("four", 7, 0, 4, &err);
    assert_ok(policy_check_on_gpu(w, three, &err), &err);
    assert_int_equal(policy_check_on_gpu(w, four, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the plan of K is for a GPU with 3 SMs, four has 4");
    assert_string_equal(err.path, "/ops/1/plan/sms");
    assert_int_equal(policy_refuse(w, "no", &err), GCAST_INPUT);
    assert_string_equal(err.message, "K has the policy sm_centric: no");
    assert_string_equal(err.path, "/ops/1/policy");
    gcast_gpu_free(three);
    gcast_gpu_free(four);
    gcast_workload_free(w);
    gcast_plan_free(plan);
}

static void hardware_is_never_refused(void **state)
{
    (void)state;
    gcast_op op = kernel(GCAST_POLICY_HARDWARE, NULL);
    gcast_workload *w = workload_with(&op);
    gcast_error err;
    gcast_gpu *gpu = support_gpu("any", 7, 0, 3, &err);
    assert_ok(policy_refuse(w, "no", &err), &err);
    assert_ok(policy_check_on_gpu(w, gpu, &err), &err);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_is_hardware),
        cmocka_unit_test(plans_are_copied),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(sms_with_jobs_must_be_allowed),
        cmocka_unit_test(a_plan_is_for_gpus_with_as_many_sms),
        cmocka_unit_test(hardware_is_never_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
