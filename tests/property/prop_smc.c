/* Random programs, made SM-centric, against the interpreter of the originals: every mapping, random plans, more and
 * fewer workers than jobs, and placements of all kinds. Each job must have run exactly once, on the SM of the plan
 * where the mapping says so; where the placement kept workers from an SM, a second launch runs what is missing, and
 * nothing else. The test knows what the plan says and what marks say, not how the kernel finds its jobs.
 * GRIDCAST_PROPERTY_RUNS sets how many programs (default 120); `prop_smc SEED` shows one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/launch_placement.h"
#include "property/program.h"

#define HEADER_BYTES 72
#define MAX_SMS 6
#define MAX_JOBS 64

typedef struct trial {
    program_tree tree;
    gcast_plan *plan;
    gcast_placement_kind placement;
    uint32_t per_sm;
    uint64_t refused, repaired, mapped[GCAST_MAPPINGS], placed[GCAST_PLACEMENT_KINDS]; /* of all runs so far */
    char difference[1200];
} trial;

/* The variables of the transformed kernel that a program reads and writes. */
typedef struct variables {
    uint64_t header[HEADER_BYTES / 8];
    uint32_t first[2 * MAX_SMS + 1], job[MAX_JOBS], marks[MAX_JOBS], counters[3 * MAX_SMS + 1];
} variables;

static bool wrong(trial *t, const char *message, uint32_t value)
{
    snprintf(t->difference, sizeof t->difference, "%s (%" PRIu32 ")", message, value);
    return false;
}

static bool launch(trial *t, const gcast_ptx *p, tree_memory *m, variables *v, bool is_first)
{
    const gcast_plan *plan = t->plan;
    gcast_buffer buffers[] = {{"global", m->global, (size_t)m->threads * GLOBAL_BYTES},
                              {"saved", m->saved, (size_t)m->threads * SAVED_BYTES},
                              {"counters", m->counters, sizeof m->counters}};
    gcast_argument arguments[] = {{0, NULL, 0}, {1, NULL, 0}, {2, NULL, 0}};
    gcast_variable set[] = {{"k_smc_marks", v->marks, plan->jobs * 4, true},
                            {"k_smc_counters", v->counters, (2 * plan->sms + plan->queues + 1) * 4, true},
                            {"k_smc", v->header, HEADER_BYTES, !is_first},
                            {"k_smc_first", v->first, (2 * plan->queues + 1) * 4, !is_first},
                            {"k_smc_job", v->job, plan->jobs * 4, !is_first}};
    uint32_t blocks = plan->sms * t->per_sm, sm[MAX_SMS * MAX_JOBS], order[MAX_SMS * MAX_JOBS];
    gcast_launch l = {.grid = {blocks, 1, 1},
                      .block = {t->tree.block, 1, 1},
                      .arguments = 3,
                      .buffers = 3,
                      .argument = arguments,
                      .buffer = buffers,
                      .variables = 5,
                      .variable = set};
    gcast_error err = {0};
    assert_ok(gcast_placement_make(t->placement, t->tree.seed, plan->sms, t->per_sm, blocks, sm, order, &err), &err);
    gcast_simt_options o = gcast_simt_options_default();
    o.cores = 1 + t->tree.seed % 2;
    o.sms = plan->sms;
    o.block_sm = sm;
    o.block_order = order;
    o.placed_blocks = blocks;
    o.interleave = t->tree.seed % 3;
    gcast_simt_report *r = NULL;
    if (gcast_simt_run(p, &l, &o, &r, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "line %d: %s", err.line, err.message);
        return false;
    }
    gcast_simt_report_free(r);
    uint32_t queues = is_first ? plan->queues : 1;
    for (uint32_t i = 0; i < 2 * plan->sms + queues + 1; i++)
        if ((i < plan->sms + queues || i == 2 * plan->sms + queues) && v->counters[i])
            return wrong(t, "a counter is not ready for the next launch", i);
    return true;
}

/* Of the first launch: nothing twice, nothing on another SM than planned; fills `missing`. */
static bool check_marks(trial *t, const variables *v, uint32_t *missing, uint32_t *missing_count)
{
    const gcast_plan *plan = t->plan;
    bool bound = plan->mapping != GCAST_MAPPING_PERSISTENT && !plan->steal;
    *missing_count = 0;
    for (uint32_t q = 0; q < plan->queues; q++)
        for (uint32_t i = plan->first[q]; i < plan->first[q + 1]; i++) {
            uint32_t job = plan->job[i], mark = v->marks[job];
            if (!mark)
                missing[(*missing_count)++] = job;
            else if ((mark & 4095) != 1)
                return wrong(t, "a job ran more than once", job);
            else if (bound && (mark >> 12) - 1 != q)
                return wrong(t, "a job ran on another SM than planned", job);
            else if ((mark >> 12) - 1 >= plan->sms)
                return wrong(t, "a job ran on no SM", job);
        }
    bool filled =
        t->placement <= GCAST_PLACEMENT_KIND_REVERSED || plan->mapping == GCAST_MAPPING_PERSISTENT || plan->steal;
    return !(filled && *missing_count) || wrong(t, "a job is missing though every SM had its workers", missing[0]);
}

/* A second launch with the missing jobs in one queue that all SMs take from. */
static bool repair(trial *t, const gcast_ptx *p, tree_memory *m, variables *v, const uint32_t *missing, uint32_t count)
{
    const gcast_plan *plan = t->plan;
    v->header[1] = plan->grid[2] | (uint64_t)1 << 32;
    v->header[3] = 1;
    memset(v->counters, 0, sizeof v->counters);
    memset(v->first, 0, sizeof v->first);
    v->first[1] = count;
    memcpy(v->job, missing, count * sizeof *missing);
    if (!launch(t, p, m, v, false))
        return false;
    for (uint32_t j = 0; j < plan->jobs; j++)
        if ((v->marks[j] & 4095) != 1)
            return wrong(t, "a job did not run exactly once after the repair", j);
    t->repaired++;
    return true;
}

static bool transformed_agrees(trial *t, const gcast_ptx *p, const tree_memory *expected)
{
    static variables v;
    tree_memory m;
    uint32_t missing[MAX_JOBS], count;
    char difference[256];
    memset(&v, 0, sizeof v);
    tree_memory_fill(&m, &t->tree);
    bool good = launch(t, p, &m, &v, true) && check_marks(t, &v, missing, &count) &&
                (!count || repair(t, p, &m, &v, missing, count));
    if (good && !tree_memory_same(&m, expected, difference, sizeof difference)) {
        snprintf(t->difference, sizeof t->difference, "%s", difference);
        good = false;
    }
    tree_memory_free(&m);
    return good;
}

static uint32_t below(support_random *r, uint32_t n)
{
    return (uint32_t)support_between(r, 0, (int64_t)n - 1);
}

/* A plan of any mapping; jobs in order, dealt in turn, or shuffled. */
static void draw_plan(trial *t)
{
    support_random r = {t->tree.seed * 77 + 5};
    gcast_plan_options o = gcast_plan_options_default();
    double weight[MAX_SMS];
    gcast_error err = {0};
    o.sms = 1 + below(&r, MAX_SMS);
    o.mapping = (gcast_mapping)below(&r, GCAST_MAPPINGS);
    o.steal = o.mapping == GCAST_MAPPING_QUEUES && below(&r, 2);
    o.grid[0] = t->tree.grid;
    o.grid[1] = o.grid[2] = 1;
    t->per_sm = 1 + below(&r, 4);
    o.workers = 1 + below(&r, t->per_sm);
    if (o.mapping == GCAST_MAPPING_PERSISTENT)
        o.workers = 0;
    if (o.mapping == GCAST_MAPPING_ONE_JOB)
        t->per_sm = o.workers = (t->tree.grid + o.sms - 1) / o.sms;
    for (uint32_t i = 0; i < o.sms; i++)
        weight[i] = i ? below(&r, 4) : 1;
    if ((o.mapping == GCAST_MAPPING_SEGMENTS || o.mapping == GCAST_MAPPING_QUEUES) && below(&r, 2))
        o.weight = weight;
    o.in_turn = o.mapping != GCAST_MAPPING_PERSISTENT && below(&r, 2);
    assert_ok(gcast_plan_make(&o, &t->plan, &err), &err);
    for (uint32_t i = below(&r, 2) ? t->plan->jobs : 0; i-- > 1;) {
        uint32_t j = below(&r, i + 1), x = t->plan->job[i];
        t->plan->job[i] = t->plan->job[j];
        t->plan->job[j] = x;
    }
    assert_ok(gcast_plan_check(t->plan, &err), &err);
    t->placement = (gcast_placement_kind)below(&r, GCAST_PLACEMENT_KINDS);
    if (t->placement == GCAST_PLACEMENT_KIND_STARVED && o.sms == 1)
        t->placement = GCAST_PLACEMENT_KIND_HARDWARE;
}

static bool trial_agrees(trial *t, bool *ran)
{
    tree_memory expected;
    bool good = true;
    t->difference[0] = '\0';
    tree_memory_fill(&expected, &t->tree);
    *ran = t->tree.grid <= MAX_JOBS && program_run(&t->tree, &expected);
    if (*ran) {
        char *source = program_print(&t->tree), *text = NULL;
        size_t size;
        gcast_error err = {0};
        gcast_smc_options o = gcast_smc_options_default();
        gcast_ptx *p = NULL;
        assert_non_null(source);
        draw_plan(t);
        o.plan = t->plan;
        o.independent = true; /* each thread has atomics on its own memory, in loops */
        gcast_status status = gcast_smc_transform(source, strlen(source), NULL, &o, &text, &size, &err);
        if (status == GCAST_INPUT) {
            t->refused++;
            *ran = false;
            snprintf(t->difference, sizeof t->difference, "refused: line %d: %s", err.line, err.message);
        } else {
            assert_ok(status, &err);
            assert_ok(gcast_ptx_parse(text, size, NULL, &p, &err), &err);
            good = transformed_agrees(t, p, &expected);
            t->mapped[t->plan->mapping]++;
            t->placed[t->placement]++;
            gcast_ptx_free(p);
        }
        free(text);
        free(source);
        gcast_plan_free(t->plan);
    }
    tree_memory_free(&expected);
    return good;
}

static void show(trial *t)
{
    char *source = program_print(&t->tree);
    fprintf(stderr, "seed %" PRIu64 ": %s\ngrid %u, block %u, placement %d\n%s", t->tree.seed, t->difference,
            t->tree.grid, t->tree.block, (int)t->placement, source);
    free(source);
}

static void transformed_matches_interpreter(void **state)
{
    (void)state;
    static trial t;
    uint64_t runs = support_runs(120), done = 0;
    for (uint64_t seed = 1; done < runs; seed++) {
        bool ran;
        program_make(&t.tree, seed);
        bool good = trial_agrees(&t, &ran);
        if (!good)
            show(&t);
        assert_true(good);
        done += ran;
    }
    print_message("%" PRIu64 " programs, %" PRIu64 " refused, %" PRIu64 " repaired\n", done, t.refused, t.repaired);
    for (int i = 0; i < GCAST_MAPPINGS && runs >= 100; i++)
        assert_true(t.mapped[i] > 0);
    for (int i = 0; i < GCAST_PLACEMENT_KINDS && runs >= 100; i++)
        assert_true(t.placed[i] > 0);
    assert_true(t.repaired > 0 || runs < 100);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        static trial t;
        bool ran;
        program_make(&t.tree, strtoull(argv[1], NULL, 10));
        bool good = trial_agrees(&t, &ran);
        show(&t);
        return good ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(transformed_matches_interpreter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
