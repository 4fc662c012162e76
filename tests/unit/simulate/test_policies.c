/* Kernels with a plan, worked out by hand: the oracle and the simulator must agree with it. Workers have 512 threads,
 * of which an SM of the GPU holds four; a kernel of 1024 threads on SM 1 leaves room for two there. */
#include <string.h>

#include "property/hand.h"
#include "support/builders.h"

#define THREADS 512
#define JOB_NS 10
#define RETREAT_NS 5
#define OVERHEAD_NS 2

/* The queues of a plan for two SMs: the first `on_0` jobs are of SM 0, and so many workers stay on each. */
typedef struct two_sms {
    uint32_t workers[2], first[3], job[16];
    gcast_plan plan;
} two_sms;

static void plan_of(two_sms *p, gcast_mapping mapping, uint32_t jobs, uint32_t on_0, uint32_t workers_0,
                    uint32_t workers_1)
{
    *p = (two_sms){.workers = {workers_0, workers_1}, .first = {0, on_0, jobs}};
    for (uint32_t i = 0; i < jobs; i++)
        p->job[i] = i;
    p->plan = (gcast_plan){.mapping = mapping,
                           .grid = {jobs, 1, 1},
                           .jobs = jobs,
                           .sms = 2,
                           .workers = p->workers,
                           .queues = mapping == GCAST_MAPPING_PERSISTENT ? 1 : 2,
                           .first = p->first,
                           .job = p->job};
    if (mapping == GCAST_MAPPING_PERSISTENT)
        p->first[1] = jobs;
}

static gcast_op planned(fixture *f, const two_sms *p, uint32_t fill)
{
    gcast_op op = kernel(stream(f, 2, 0, false), 0, p->plan.jobs, THREADS, JOB_NS);
    op.label = "planned";
    op.policy = p->plan.mapping == GCAST_MAPPING_PERSISTENT ? GCAST_POLICY_PERSISTENT : GCAST_POLICY_SM_CENTRIC;
    op.plan = &p->plan;
    op.fill = fill;
    f->gpu->retreat_ns = RETREAT_NS;
    f->gpu->job_overhead_ns = OVERHEAD_NS;
    assert_ok(gcast_plan_check(&p->plan, &f->err), &f->err);
    return op;
}

/* Another kernel holds half of SM 1: of four workers three come to SM 0, and one to SM 1. */
static void hold_half_of_sm_1(fixture *f)
{
    gcast_op holder = kernel(stream(f, 1, 0, false), 0, 1, 1024, 1000);
    gcast_mask mask = {.word = {2}};
    holder.mask = support_add_mask(f->w, &mask, &f->err);
    add(f, holder);
}

#define assert_starts(f, op, ...)                                                                                      \
    do {                                                                                                               \
        const int64_t want[] = {__VA_ARGS__};                                                                          \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.ops[op].blocks[i_].start_ns, want[i_]);                                            \
    } while (0)

static void assert_counts(const fixture *f, size_t op, uint64_t workers, uint64_t retreated, uint64_t repaired)
{
    assert_int_equal(f->r.ops[op].workers, workers);
    assert_int_equal(f->r.ops[op].retreated, retreated);
    assert_int_equal(f->r.ops[op].repaired, repaired);
}

/* Two jobs for each SM, but SM 1 gets one worker: job 3 is missing, and a second launch does it. */
static void one_job_is_missing(void **state)
{
    fixture *f = *state;
    two_sms p;
    plan_of(&p, GCAST_MAPPING_ONE_JOB, 4, 2, 2, 2);
    hold_half_of_sm_1(f);
    add(f, planned(f, &p, 2));
    f->gpu->launch_latency_ns = 30;
    f->gpu->stream_gap_ns = 4;
    run(f);
    assert_counts(f, 1, 4, 1, 1);
    assert_sms(f, 1, 0, 0, 1, 0);
    assert_starts(f, 1, 32, 32, 32, 42 + 34 + OVERHEAD_NS); /* launched at 30, ended at 42 */
    assert_ends(f, 1030, 42 + 34 + OVERHEAD_NS + JOB_NS);
    gcast_run *simulated;
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &simulated, &f->err), &f->err);
    assert_int_equal(simulated->note_count, 1);
    assert_string_equal(simulated->notes[0], "planned: no worker did 1 of its 4 jobs; a second launch did them");
    gcast_run_free(simulated);
}

/* An idle GPU fills its SMs evenly: nothing is missing. */
static void nothing_is_missing(void **state)
{
    fixture *f = *state;
    two_sms p;
    plan_of(&p, GCAST_MAPPING_ONE_JOB, 4, 2, 2, 2);
    add(f, planned(f, &p, 2));
    run(f);
    assert_counts(f, 0, 4, 0, 0);
    assert_ends(f, OVERHEAD_NS + JOB_NS);
}

/* Whoever is there takes the next job: of eight SM 1, with one of four workers, does two. */
static void persistent_is_uneven(void **state)
{
    fixture *f = *state;
    two_sms p;
    plan_of(&p, GCAST_MAPPING_PERSISTENT, 8, 8, 0, 0);
    hold_half_of_sm_1(f);
    add(f, planned(f, &p, 2));
    run(f);
    assert_counts(f, 1, 4, 0, 0);
    assert_sms(f, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    assert_starts(f, 1, 2, 2, 2, 2, 14, 14, 14, 14);
    assert_ends(f, 1000, 24);
}

/* Filled with eight workers, of which one stays on each SM; the six others retreat. */
static void workers_retreat(void **state)
{
    fixture *f = *state;
    two_sms p;
    plan_of(&p, GCAST_MAPPING_SEGMENTS, 6, 4, 1, 1);
    add(f, planned(f, &p, 0));
    run(f);
    assert_counts(f, 0, 8, 6, 0);
    assert_sms(f, 0, 0, 0, 0, 0, 1, 1);
    assert_starts(f, 0, 2, 14, 26, 38, 2, 14);
    assert_ends(f, 48);
}

/* A kernel that retreats leaves room for others after its retreat. */
static void retreat_takes_time(void **state)
{
    fixture *f = *state;
    two_sms p;
    plan_of(&p, GCAST_MAPPING_SEGMENTS, 2, 1, 1, 1);
    add(f, planned(f, &p, 0));
    add(f, kernel(stream(f, 1, 0, false), 0, 2, 1024, 100));
    run(f);
    assert_ends(f, OVERHEAD_NS + JOB_NS, RETREAT_NS + 100);
}

/* Five jobs on SM 0 for two workers: the first has three in a segment; from a queue the one that is free takes it. */
static void segments_and_queues(void **state)
{
    static const int64_t block_ns[] = {30, 10, 10, 10, 10};
    fixture *f = *state;
    two_sms segments, queues;
    plan_of(&segments, GCAST_MAPPING_SEGMENTS, 5, 5, 2, 0);
    plan_of(&queues, GCAST_MAPPING_QUEUES, 5, 5, 2, 0);
    gcast_op op = planned(f, &segments, 2);
    op.block_ns = block_ns;
    add(f, op);
    op.plan = &queues.plan;
    op.release_ns = 1000;
    add(f, op);
    run(f);
    assert_starts(f, 0, 2, 34, 46, 2, 14);
    assert_starts(f, 1, 1002, 1002, 1014, 1026, 1034);
    assert_ends(f, 56, 1044);
}

/* The worker of SM 1 has one job, and then helps SM 0, whose worker has four; nobody takes a job twice. */
static void workers_steal(void **state)
{
    fixture *f = *state;
    two_sms p;
    plan_of(&p, GCAST_MAPPING_QUEUES, 5, 4, 1, 1);
    p.plan.steal = true;
    add(f, planned(f, &p, 1));
    run(f);
    assert_sms(f, 0, 0, 0, 1, 0, 1);
    assert_starts(f, 0, 2, 14, 14, 26, 2);
    assert_ends(f, 36);
}

/* Nothing but the jobs of the plan is to be blamed: the last one was behind others in its worker's segment. */
static void waits_are_explained(void **state)
{
    fixture *f = *state;
    two_sms p;
    gcast_run *simulated;
    gcast_explanation *e;
    plan_of(&p, GCAST_MAPPING_SEGMENTS, 4, 4, 1, 0);
    add(f, planned(f, &p, 1));
    run(f);
    f->options.record_blocks = true;
    assert_ok(gcast_workload_simulate(f->w, f->gpu, &f->options, &simulated, &f->err), &f->err);
    assert_ok(gcast_run_explain(simulated, 0, &e, &f->err), &f->err);
    assert_int_equal(e->critical_block, 3);
    assert_int_equal(e->wait_count, 2);
    assert_int_equal(e->waits[0].reason, GCAST_WHY_JOBS);
    assert_int_equal(e->waits[0].to_ns, 36);
    assert_int_equal(e->waits[1].reason, GCAST_WHY_RUN);
    gcast_explanation_free(e);
    gcast_run_free(simulated);
}

static void plan_of_another_gpu(void **state)
{
    fixture *f = *state;
    two_sms p;
    gcast_run *simulated;
    plan_of(&p, GCAST_MAPPING_QUEUES, 5, 4, 1, 1);
    add(f, planned(f, &p, 1));
    f->gpu->sms = 4;
    assert_int_equal(gcast_workload_simulate(f->w, f->gpu, &f->options, &simulated, &f->err), GCAST_INPUT);
    assert_non_null(strstr(f->err.message, "2 SMs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(one_job_is_missing), HAND_CASE(nothing_is_missing),  HAND_CASE(persistent_is_uneven),
        HAND_CASE(workers_retreat),    HAND_CASE(retreat_takes_time),  HAND_CASE(segments_and_queues),
        HAND_CASE(workers_steal),      HAND_CASE(waits_are_explained), HAND_CASE(plan_of_another_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
