/* Transformed kernels on the SIMT machine: what the published transformation and its public copies get wrong. The
 * paper's figure admits one worker too many; jobs that do not divide evenly are dropped; an SM that got too few workers
 * loses its jobs in silence; a counter wraps at 1024; the third dimension is ignored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

#define MAX_JOBS 4096
#define MAX_SMS 8

/* Job (x, y, z) adds 1 to word x + y * nx + z * nx * ny of a, and writes x + 256 y + 65536 z to that of b. */
static const char indices[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                              ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
                              ".reg .b32 %r<12>; .reg .b64 %d<6>; .reg .pred %p<2>;\n"
                              "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;\n"
                              "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];\n"
                              "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;\n"
                              "mad.lo.u32 %r4, %r3, %nctaid.y, %r2; mad.lo.u32 %r4, %r4, %nctaid.x, %r1;\n"
                              "mul.wide.u32 %d3, %r4, 4; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;\n"
                              "red.global.add.u32 [%d1], 1;\n"
                              "shl.b32 %r2, %r2, 8; shl.b32 %r3, %r3, 16; or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3;\n"
                              "st.global.u32 [%d2], %r1;\nret;\n}\n";

typedef struct result {
    uint32_t a[MAX_JOBS], b[MAX_JOBS], marks[MAX_JOBS], counters[3 * MAX_SMS + 1];
    gcast_smc_record records[MAX_JOBS];
} result;
static result r;
static bool keeps_records;

/* Launches `blocks` workers, of which worker i falls on SM sm[i % sm_count]. */
static void run(const char *source, const gcast_plan *plan, uint32_t blocks, const uint32_t *sm, uint32_t sm_count)
{
    gcast_smc_options o = gcast_smc_options_default();
    gcast_simt_options simt = gcast_simt_options_default();
    gcast_error err = {0};
    gcast_ptx *p;
    char *out;
    size_t size;
    uint32_t *place = calloc(2 * (size_t)blocks, sizeof *place);
    memset(&r, 0, sizeof r);
    o.plan = plan;
    o.records = keeps_records;
    o.independent = true; /* `meeting` waits for workers that come in any case */
    assert_ok(gcast_smc_transform(source, strlen(source), NULL, &o, &out, &size, &err), &err);
    assert_ok(gcast_ptx_parse(out, size, NULL, &p, &err), &err);
    gcast_buffer buffers[] = {{"a", r.a, sizeof r.a}, {"b", r.b, sizeof r.b}};
    gcast_argument arguments[] = {{0, NULL, 0}, {1, NULL, 0}};
    gcast_variable variables[] = {{"k_smc_marks", r.marks, plan->jobs * 4, false},
                                  {"k_smc_counters", r.counters, (2 * (size_t)plan->sms + plan->queues + 1) * 4, false},
                                  {"k_smc_records", r.records, plan->jobs * sizeof *r.records, false}};
    gcast_launch l = {.grid = {blocks, 1, 1},
                      .block = {40, 1, 1},
                      .arguments = 2,
                      .buffers = 2,
                      .argument = arguments,
                      .buffer = buffers,
                      .variables = keeps_records ? 3 : 2,
                      .variable = variables};
    for (uint32_t i = 0; i < blocks; i++) {
        place[i] = sm[i % sm_count];
        place[blocks + i] = i;
    }
    simt.sms = plan->sms;
    simt.block_sm = place;
    simt.block_order = place + blocks;
    simt.placed_blocks = blocks;
    simt.check_races = blocks < 200 && !strstr(source, "volatile"); /* kernels that wait read what others write */
    gcast_simt_report *report;
    assert_ok(gcast_simt_run(p, &l, &simt, &report, &err), &err);
    assert_int_equal(report->races, 0);
    gcast_simt_report_free(report);
    gcast_ptx_free(p);
    free(out);
    free(place);
}

static bool deals_in_turn;

static gcast_plan *make(gcast_mapping mapping, uint32_t sms, uint32_t workers, uint32_t x, uint32_t y, uint32_t z)
{
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *plan;
    gcast_error err = {0};
    o.mapping = mapping;
    o.sms = sms;
    o.in_turn = deals_in_turn && mapping != GCAST_MAPPING_PERSISTENT;
    o.workers = mapping == GCAST_MAPPING_PERSISTENT ? 0 : workers;
    o.grid[0] = x;
    o.grid[1] = y;
    o.grid[2] = z;
    assert_ok(gcast_plan_make(&o, &plan, &err), &err);
    return plan;
}

static void each_job_once(const gcast_plan *p)
{
    for (uint32_t j = 0; j < p->jobs; j++) {
        uint32_t x = j % p->grid[0], y = j / p->grid[0] % p->grid[1], z = j / p->grid[0] / p->grid[1];
        assert_int_equal(r.a[j], 1);
        assert_int_equal(r.b[j], x | y << 8 | z << 16);
        assert_int_equal(r.marks[j] & 4095, 1);
    }
}

static const uint32_t two[] = {0, 1};

static void three_dimensions(void **state)
{
    (void)state;
    for (int m = 0; m < 2 * GCAST_MAPPINGS; m++) {
        deals_in_turn = m >= GCAST_MAPPINGS;
        gcast_plan *p = make((gcast_mapping)(m % GCAST_MAPPINGS), 2, 60, 3, 5, 7);
        deals_in_turn = false;
        run(indices, p, 120, two, 2);
        each_job_once(p);
        for (uint32_t sm = 0; sm < 2; sm++) /* workers of the last launch, after tickets and jobs taken */
            assert_int_equal(r.counters[2 + p->queues + sm], 60);
        gcast_plan_free(p);
    }
}

/* Few workers with many jobs each: steps across all dimensions. */
static void steps_in_three_dimensions(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 64; n++)
        for (int m = GCAST_MAPPING_SEGMENTS; m <= GCAST_MAPPING_QUEUES; m++) {
            deals_in_turn = true;
            gcast_plan *p = make((gcast_mapping)m, 2, 1 + n % 3, 1 + n % 4, 1 + n / 4 % 4, 1 + n / 16);
            deals_in_turn = false;
            run(indices, p, 8, two, 2);
            each_job_once(p);
            gcast_plan_free(p);
        }
}

/* Each job waits until six have begun, b[0]: all workers are at work before the first one takes more jobs. Job 77 then
 * waits for job 78, which another worker has to take. */
static const char meeting[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
    ".reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<2>;\n"
    "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;\n"
    "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; mov.u32 %r1, %ctaid.x;\n"
    "mul.wide.u32 %d3, %r1, 4; add.u64 %d1, %d1, %d3; red.global.add.u32 [%d1], 1;\n"
    "red.global.add.u32 [%d2], 1;\n"
    "all: ld.volatile.global.u32 %r2, [%d2]; setp.lt.u32 %p1, %r2, 6; @%p1 bra all;\n"
    "setp.ne.u32 %p1, %r1, 77; @%p1 exit;\n"
    "next: ld.volatile.global.u32 %r2, [%d1+4]; setp.eq.u32 %p1, %r2, 0; @%p1 bra next;\nret;\n}\n";

/* SM 0 has jobs 0 to 79. A worker that takes several at once, because many were left when it looked last, takes only
 * those that are still there. */
static void the_end_of_a_queue_is_kept(void **state)
{
    (void)state;
    gcast_plan *p = make(GCAST_MAPPING_QUEUES, 2, 3, 160, 1, 1);
    keeps_records = true;
    run(meeting, p, 16, two, 2);
    keeps_records = false;
    for (uint32_t j = 0; j < 160; j++) {
        assert_int_equal(r.a[j], 1);
        assert_int_equal(r.marks[j], 1 + ((j / 80 + 1) << 12));
        assert_true(r.records[j].ticket < 3);
    }
    assert_int_not_equal(r.records[77].ticket, r.records[78].ticket);
    gcast_plan_free(p);
}

/* Each record names the SM of the mark and a worker that stays; jobs of one worker do not overlap. */
static void records(void **state)
{
    (void)state;
    keeps_records = true;
    for (int m = 0; m < GCAST_MAPPINGS; m++) {
        gcast_plan *p = make((gcast_mapping)m, 2, m == GCAST_MAPPING_ONE_JOB ? 60 : 3, 3, 5, 7);
        run(indices, p, 120, two, 2);
        each_job_once(p);
        for (uint32_t j = 0; j < p->jobs; j++) {
            const gcast_smc_record *x = &r.records[j];
            assert_int_equal(r.marks[j] >> 12, x->sm + 1);
            assert_true(x->ticket < (m == GCAST_MAPPING_PERSISTENT ? 60 : p->workers[x->sm]));
            assert_true(x->begin_ns < x->end_ns);
            for (uint32_t i = 0; i < j; i++)
                if (r.records[i].sm == x->sm && r.records[i].ticket == x->ticket)
                    assert_true(r.records[i].end_ns <= x->begin_ns || x->end_ns <= r.records[i].begin_ns);
        }
        gcast_plan_free(p);
    }
    keeps_records = false;
}

static void jobs_that_do_not_divide_evenly(void **state)
{
    (void)state;
    for (uint32_t jobs = 1; jobs < 24; jobs++) {
        gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, 2, 3, jobs, 1, 1);
        run(indices, p, 8, two, 2);
        each_job_once(p);
        gcast_plan_free(p);
    }
}

/* Jobs 0 and 1 wait for job 3, which a worker of SM 1 does, the last one that comes. */
static const char waiting[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                              ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
                              ".reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<2>;\n"
                              "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;\n"
                              "ld.param.u64 %d1, [a]; mov.u32 %r1, %ctaid.x;\n"
                              "mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2; red.global.add.u32 [%d2], 1;\n"
                              "setp.gt.u32 %p1, %r1, 1; @%p1 exit;\n"
                              "wait: ld.volatile.global.u32 %r2, [%d1+12]; setp.eq.u32 %p1, %r2, 0; @%p1 bra wait;\n"
                              "ret;\n}\n";

/* Two of three workers on SM 0 stay. While both wait, a third one would take job 2. */
static void one_worker_more_would_be_seen(void **state)
{
    (void)state;
    static const uint32_t three_and_one[] = {0, 0, 0, 1};
    const double weight[] = {3, 1};
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *p;
    gcast_error err = {0};
    o.mapping = GCAST_MAPPING_QUEUES;
    o.sms = 2;
    o.workers = 2;
    o.weight = weight;
    o.grid[0] = 4;
    o.grid[1] = o.grid[2] = 1;
    assert_ok(gcast_plan_make(&o, &p, &err), &err);
    keeps_records = true;
    run(waiting, p, 4, three_and_one, 4);
    keeps_records = false;
    for (uint32_t j = 0; j < 4; j++) {
        assert_int_equal(r.a[j], 1);
        assert_int_equal(r.marks[j], 1 + ((j / 3 + 1) << 12));
        assert_true(r.records[j].ticket < 2);
    }
    gcast_plan_free(p);
}

/* Workers beyond those wanted come and retreat. */
static void as_many_workers_stay_as_wanted(void **state)
{
    (void)state;
    for (uint32_t wanted = 1; wanted < 4; wanted++) {
        gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, 2, wanted, 12, 1, 1);
        run(indices, p, 16, two, 2);
        each_job_once(p);
        for (uint32_t sm = 0; sm < 2; sm++)
            assert_int_equal(r.counters[2 + 2 + sm], 8);
        gcast_plan_free(p);
    }
}

static void more_workers_than_a_counter_of_1024(void **state)
{
    (void)state;
    const uint32_t one[] = {0};
    gcast_plan *p = make(GCAST_MAPPING_ONE_JOB, 1, 3000, 3000, 1, 1);
    run(indices, p, 3100, one, 1);
    each_job_once(p);
    gcast_plan_free(p);
}

/* 2 SMs and 4 workers that fall 3 and 1: SM 1 has two jobs and one worker. */
static void an_unfilled_sm_is_seen(void **state)
{
    (void)state;
    const uint32_t three_and_one[] = {0, 1, 0, 0};
    gcast_plan *p = make(GCAST_MAPPING_ONE_JOB, 2, 2, 4, 1, 1);
    run(indices, p, 4, three_and_one, 4);
    for (uint32_t j = 0; j < 4; j++)
        assert_int_equal(r.marks[j] & 4095, j != 3);
    assert_int_equal(r.counters[2 + 2], 3);
    assert_int_equal(r.counters[2 + 3], 1);
    gcast_plan_free(p);
    p = make(GCAST_MAPPING_QUEUES, 2, 2, 4, 1, 1); /* one worker works off the queue of its SM */
    run(indices, p, 4, three_and_one, 4);
    each_job_once(p);
    gcast_plan_free(p);
}

static void marks_name_the_sm(void **state)
{
    (void)state;
    gcast_plan *p = make(GCAST_MAPPING_SEGMENTS, 2, 1, 4, 1, 1);
    run(indices, p, 4, two, 2);
    for (uint32_t j = 0; j < 4; j++)
        assert_int_equal(r.marks[j] >> 12, 1 + j / 2);
    gcast_plan_free(p);
}

static void without_a_plan_it_traps(void **state)
{
    (void)state;
    gcast_smc_options o = gcast_smc_options_default();
    gcast_error err = {0};
    gcast_ptx *p;
    char *out;
    size_t size;
    gcast_simt_report *report;
    assert_ok(gcast_smc_transform(indices, strlen(indices), NULL, &o, &out, &size, &err), &err);
    assert_ok(gcast_ptx_parse(out, size, NULL, &p, &err), &err);
    gcast_buffer buffers[] = {{"a", r.a, sizeof r.a}, {"b", r.b, sizeof r.b}};
    gcast_argument arguments[] = {{0, NULL, 0}, {1, NULL, 0}};
    gcast_launch l = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = 2, .buffers = 2, .argument = arguments, .buffer = buffers};
    assert_int_not_equal(gcast_simt_run(p, &l, NULL, &report, &err), GCAST_OK);
    assert_non_null(strstr(err.message, "trap"));
    gcast_ptx_free(p);
    free(out);
}

/* Threads end before the others' barriers: one of the last warp in the first half, one of each warp in the second. The
 * rest pass a value on through shared memory. */
static void early_returns_before_barriers(void **state)
{
    (void)state;
    static const char source[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
        ".reg .b32 %r<12>; .reg .b64 %d<6>; .reg .pred %p<4>; .shared .align 4 .b32 s[40];\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r9, s;\n"
        "mad.lo.u32 %r9, %r1, 4, %r9;\n"
        "setp.gt.u32 %p1, %r1, 36; @%p1 exit;\n" /* threads 37 to 39 */
        "mad.lo.u32 %r3, %r2, 100, %r1; st.shared.u32 [%r9], %r3; bar.sync 0;\n"
        "setp.eq.u32 %p2, %r1, 36; @%p2 ret;\n" /* thread 36 */
        "ld.shared.u32 %r4, [%r9+4]; bar.sync 0; st.shared.u32 [%r9], %r4; bar.sync 0;\n"
        "and.b32 %r5, %r1, 31; setp.eq.u32 %p3, %r5, 3; @%p3 bra out;\n" /* threads 3 and 35 */
        "bar.sync 0;\n"
        "setp.ne.u32 %p1, %r1, 0; @%p1 bra out;\n"
        "ld.shared.u32 %r6, [s+80]; ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; mul.wide.u32 %d3, %r2, 4;\n"
        "add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3; red.global.add.u32 [%d1], 1; st.global.u32 [%d2], %r6;\n"
        "out: ret;\n}\n";
    for (int m = 0; m < GCAST_MAPPINGS; m++) {
        gcast_plan *p = make((gcast_mapping)m, 2, 9, 17, 1, 1);
        run(source, p, 20, two, 2);
        for (uint32_t j = 0; j < 17; j++) {
            assert_int_equal(r.a[j], 1);
            assert_int_equal(r.b[j], j * 100 + 21);
        }
        gcast_plan_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_dimensions),
        cmocka_unit_test(records),
        cmocka_unit_test(steps_in_three_dimensions),
        cmocka_unit_test(the_end_of_a_queue_is_kept),
        cmocka_unit_test(one_worker_more_would_be_seen),
        cmocka_unit_test(jobs_that_do_not_divide_evenly),
        cmocka_unit_test(as_many_workers_stay_as_wanted),
        cmocka_unit_test(more_workers_than_a_counter_of_1024),
        cmocka_unit_test(an_unfilled_sm_is_seen),
        cmocka_unit_test(marks_name_the_sm),
        cmocka_unit_test(without_a_plan_it_traps),
        cmocka_unit_test(early_returns_before_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
