/* Which SM of a TPC gets the blocks of a kernel that waits, when blocks on both SMs end at one tick: the simulator
 * against 6,000 such cases recorded on an H200 (tests/data/h200-other/exits.txt.gz). */
#include <stdio.h>
#include <zlib.h>

#include "support/builders.h"
#include "support/support.h"

#define TICK 128
#define CALL_DISTANCE_NS 20000 /* between two calls */
#define MAX_RESIDENTS 64

typedef struct resident {
    int sm, warps, quarter;
    bool ends;
} resident;

typedef struct recorded_case {
    int warps, blocks; /* of the kernel that waits */
    resident residents[MAX_RESIDENTS];
    int count;
    int took[2]; /* by SM: how many of its blocks started then */
} recorded_case;

static recorded_case parse(const char *line)
{
    recorded_case c = {0};
    int used;
    assert_int_equal(sscanf(line, "%d %d;%n", &c.warps, &c.blocks, &used), 2);
    for (line += used; *line != ';'; c.count++) {
        resident *r = &c.residents[c.count];
        assert_true(c.count < MAX_RESIDENTS);
        assert_int_equal(sscanf(line, " %d:%d:%d%n", &r->sm, &r->warps, &r->quarter, &used), 3);
        line += used;
        r->ends = *line == '*';
        line += r->ends;
    }
    for (int sm; sscanf(++line, "%d%n", &sm, &used) == 1; line += used) {
        assert_in_range(sm, 0, 1);
        c.took[sm]++;
    }
    return c;
}

typedef struct scene {
    gcast_workload *w;
    gcast_error err;
    int sm_mask[2]; /* masks */
    int64_t next_call_ns;
} scene;

static void launch(scene *s, int mask, int warps, int blocks, int64_t ns)
{
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    gcast_stream stream = {.id = (int)s->w->stream_count + 1};
    op.stream = support_add_stream(s->w, stream, &s->err);
    op.release_ns = s->next_call_ns;
    op.grid[0] = (uint32_t)blocks;
    op.block[0] = 32 * (uint32_t)warps;
    op.min_ns = op.max_ns = ns;
    op.mask = mask;
    assert_true(support_add_op(s->w, &op, &s->err) >= 0);
    s->next_call_ns += CALL_DISTANCE_NS;
}

/* Blocks of one warp, until the next block starts at the quarter at which the first one did. */
static void advance_quarters(scene *s, const recorded_case *c)
{
    bool first[2] = {true, true};
    for (int i = 0; i < c->count; i++) {
        for (int q = 0; first[c->residents[i].sm] && q < c->residents[i].quarter; q++)
            launch(s, s->sm_mask[c->residents[i].sm], 1, 1, 1000);
        first[c->residents[i].sm] = false;
    }
}

/* Does the simulator dispatch as many blocks on each SM as the GPU did? */
static bool agrees(const gcast_gpu *gpu, const recorded_case *c)
{
    scene s = {.w = support_workload("case", &s.err)};
    assert_non_null(s.w);
    s.w->connections = 0;
    for (int sm = 0; sm < 2; sm++)
        s.sm_mask[sm] = support_add_mask(s.w, &(gcast_mask){.word = {UINT64_C(1) << sm}}, &s.err);
    advance_quarters(&s, c);
    int64_t tick = (s.next_call_ns + (c->count + 4) * CALL_DISTANCE_NS) / TICK * TICK;
    for (int i = 0; i < c->count; i++) {
        int64_t until_tick = tick - s.next_call_ns - gpu->launch_latency_ns;
        launch(&s, s.sm_mask[c->residents[i].sm], c->residents[i].warps, 1,
               c->residents[i].ends ? until_tick : until_tick + 100 * CALL_DISTANCE_NS);
    }
    launch(&s, GCAST_ALL_SMS, c->warps, c->blocks, 1000 * CALL_DISTANCE_NS);

    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *run;
    options.record_blocks = options.as_measured = true;
    assert_ok(gcast_workload_simulate(s.w, gpu, &options, &run, &s.err), &s.err);
    const gcast_run_op *waited = &run->ops[run->op_count - 1];
    int took[2] = {0};
    for (uint64_t b = 0; b < waited->block_count; b++)
        took[waited->blocks[b].sm] += waited->blocks[b].start_ns < tick + CALL_DISTANCE_NS;
    for (size_t i = 0; i + 1 < run->op_count; i++) /* as they were recorded */
        assert_true(run->ops[i].start_ns < tick);
    assert_true(waited->start_ns > tick);
    gcast_run_free(run);
    gcast_workload_free(s.w);
    return took[0] == c->took[0] && took[1] == c->took[1];
}

static void most_cases_agree(void **state)
{
    (void)state;
    char line[4096];
    int cases = 0, right = 0;
    gcast_error err;
    gcast_gpu *gpu;
    assert_ok(gcast_gpu_preset("h200", &gpu, &err), &err);
    assert_ok(gcast_gpu_partition(gpu, 2, &err), &err);
    gzFile in = gzopen(SOURCE_DIR "/tests/data/h200-other/exits.txt.gz", "rb");
    assert_non_null(in);
    while (gzgets(in, line, sizeof line)) {
        if (line[0] == '#')
            continue;
        recorded_case c = parse(line);
        cases++;
        right += agrees(gpu, &c);
    }
    gzclose(in);
    gcast_gpu_free(gpu);
    printf("%d of %d cases as recorded\n", right, cases);
    assert_int_equal(cases, 6000);
    assert_true(right >= 5300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(most_cases_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
