/* Clusters against what an H200 did: where they start, and how many run at a time. And what is refused. */
#include "property/hand.h"
#include "support/builders.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define KIB 1024
#define TIMES 3 /* launches of each kind: it is the last that was recorded */

static void add_clusters(gcast_workload *w, const char *label, uint32_t clusters, uint32_t size, int threads,
                         int64_t smem)
{
    gcast_error err;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = label;
    op.stream = support_get_stream(w, 1, &err);
    op.grid[0] = clusters * size;
    op.block[0] = (uint32_t)threads;
    op.cluster[0] = size;
    op.shape.dynamic_smem = smem;
    op.min_ns = op.max_ns = 40000;
    assert_true(support_add_op(w, &op, &err) >= 0);
}

static gcast_run *simulate(const gcast_workload *w, const char *gpu_name)
{
    gcast_error err;
    gcast_run *run;
    gcast_gpu *gpu;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    assert_ok(gcast_gpu_preset(gpu_name, &gpu, &err), &err);
    assert_ok(gcast_workload_simulate(w, gpu, &options, &run, &err), &err);
    gcast_gpu_free(gpu);
    return run;
}

/* Calls `each` with every line of the data: blocks of a cluster, clusters, and the SMs as text. */
static int for_lines(void (*each)(void *, uint32_t, uint32_t, const char *), void *context)
{
    size_t bytes;
    int lines = 0;
    char *data = support_read("tests/data/clusters/h200-places.txt", &bytes);
    for (char *line = strtok(data, "\n"); line; line = strtok(NULL, "\n")) {
        char *rest;
        if (line[0] == '#')
            continue;
        uint32_t size = (uint32_t)strtoul(line, &rest, 10), clusters = (uint32_t)strtoul(rest, &rest, 10);
        assert_int_equal(*rest, ':');
        each(context, size, clusters, rest + 1);
        lines++;
    }
    free(data);
    return lines;
}

static void add_line(void *context, uint32_t size, uint32_t clusters, const char *sms)
{
    (void)sms;
    for (int i = 0; i < TIMES; i++)
        add_clusters(context, "C", clusters, size, 256, 0);
}

/* A run, and how many lines of the data it has been compared with. */
typedef struct compared {
    const gcast_run *run;
    size_t lines;
} compared;

static void compare_line(void *context, uint32_t size, uint32_t clusters, const char *sms)
{
    compared *c = context;
    const gcast_run_op *r = &c->run->ops[c->lines++ * TIMES + TIMES - 1];
    char *rest = (char *)sms;
    assert_int_equal(r->block_count, size * clusters);
    for (uint64_t b = 0; b < r->block_count; b++)
        assert_int_equal(r->blocks[b].sm, strtoul(rest, &rest, 10));
}

static void clusters_go_where_an_h200_put_them(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = support_workload("places", &err);
    assert_int_equal(for_lines(add_line, w), 26);
    gcast_run *run = simulate(w, "h200");
    for_lines(compare_line, &(compared){.run = run});
    gcast_run_free(run);
    gcast_workload_free(w);
}

/* As many as cudaOccupancyMaxActiveClusters says, and as ran, on the H200 of the preset. */
static void as_many_run_as_cuda_says(void **state)
{
    (void)state;
    static const struct {
        int threads;
        int64_t smem;
        uint32_t most[7]; /* by sizes[] */
    } shapes[] = {{1024, 0, {132, 62, 30, 14, 79, 39, 16}},
                  {128, 200 * KIB, {66, 30, 15, 7, 39, 17, 7}},
                  {256, 100 * KIB, {132, 62, 30, 14, 79, 39, 16}},
                  {256, 0, {528, 248, 124, 58, 327, 163, 74}},
                  {64, 0, {528, 248, 124, 58, 327, 163, 74}}};
    static const uint32_t sizes[] = {2, 4, 8, 16, 3, 6, 12};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            gcast_error err;
            uint32_t started = 0;
            gcast_workload *w = support_workload("most", &err);
            add_clusters(w, "C", 600, sizes[i], shapes[k].threads, shapes[k].smem);
            gcast_run *run = simulate(w, "h200");
            for (uint64_t b = 0; b < run->ops[0].block_count; b++)
                started += run->ops[0].blocks[b].start_ns == run->ops[0].start_ns;
            assert_int_equal(started, shapes[k].most[i] * sizes[i]);
            gcast_block_shape shape = {.threads = shapes[k].threads, .dynamic_smem = shapes[k].smem};
            int64_t most;
            assert_ok(gcast_occupancy_clusters(run->gpu, &shape, GCAST_CARVEOUT_DEFAULT, (int)sizes[i], &most, &err),
                      &err);
            assert_int_equal(most, shapes[k].most[i]);
            gcast_run_free(run);
            gcast_workload_free(w);
        }
}

static void refuse(const gcast_workload *w, const char *gpu_name, const char *path, const char *message)
{
    gcast_error err;
    gcast_run *run = NULL;
    gcast_gpu *gpu;
    gcast_simulate_options options = gcast_simulate_options_default();
    assert_ok(gcast_gpu_preset(gpu_name, &gpu, &err), &err);
    assert_int_equal(gcast_workload_simulate(w, gpu, &options, &run, &err), GCAST_INPUT);
    assert_string_equal(err.path, path);
    assert_string_equal(err.message, message);
    gcast_gpu_free(gpu);
}

static void clusters_that_no_gpu_runs_are_refused(void **state)
{
    (void)state;
    gcast_error err;
    gcast_workload *w = support_workload("refused", &err);
    add_clusters(w, "A", 2, 16, 64, 0);
    refuse(w, "a100", "/ops/0", "A has clusters, which need compute capability 9.0 or newer; a100 has 8.0");
    refuse(w, "b200", "/ops/0",
           "A has clusters, but the GPCs of b200 are not known: give \"gpcs\" in a GPU file (man 5 gridcast-gpu)");
    gcast_workload_set_partition(w, 64);
    refuse(w, "h200", "/ops/0",
           "A can never run on h200: a cluster needs 16 SMs of one GPC, and no GPC has more than 8 that it may use");
    gcast_workload_free(w);
}

static void gpcs_hold_each_sm_once(void **state)
{
    (void)state;
    gcast_error err;
    gcast_gpu *gpu = support_gpu("four", 9, 0, 4, &err);
    static const int list[] = {3, 2, 0, 1}, twice[] = {0, 1, 1, 2};
    assert_ok(gcast_gpu_set_gpcs(gpu, (const int[]){1, 3}, 2, list, &err), &err);
    assert_int_equal(gcast_gpu_set_gpcs(gpu, (const int[]){1, 3}, 2, twice, &err), GCAST_INPUT);
    assert_string_equal(err.message, "must list each SM from 0 to 3 once");
    assert_int_equal(gcast_gpu_set_gpcs(gpu, (const int[]){1, 2}, 2, list, &err), GCAST_INPUT);
    assert_string_equal(err.message, "lists 3 SMs, the GPU has 4");
    assert_int_equal(gcast_gpu_set_gpcs(gpu, (const int[]){1, 4}, 2, list, &err), GCAST_INPUT);
    assert_ok(gcast_gpu_partition(gpu, 2, &err), &err);
    assert_int_equal(gpu->gpc_count, 1);
    assert_int_equal(gpu->gpc_sizes[0], 2);
    assert_int_equal(gpu->gpc_sms[0], 0);
    assert_int_equal(gpu->gpc_sms[1], 1);
    gcast_gpu_free(gpu);
}

/* On a GPU with a GPC of six SMs and one of two, each with room for one block, and with two resident grids at most: at
 * 10 three of the six SMs become free. A kernel of higher priority needs all six and keeps the first kernel from them,
 * until a third one, behind both, starts on the other two. As the kernel of higher priority then waits for the limit of
 * resident grids, the first one goes on at the same time. */
static void a_kernel_behind_may_reach_the_limit_of_grids(void **state)
{
    fixture *f = *state;
    static const int64_t first_ns[] = {10, 10, 10, 30, 30, 30, 20, 20, 20};
    gcast_gpu_free(f->gpu);
    f->gpu = support_gpu("eight", 9, 0, 8, &f->err);
    f->gpu->limits.blocks_per_sm = 1;
    f->gpu->limits.resident_grids = 2;
    f->gpu->sms_per_tpc = 2;
    f->gpu->priority_levels = 2;
    assert_ok(gcast_gpu_set_gpcs(f->gpu, (const int[]){6, 2}, 2, (const int[]){0, 1, 2, 3, 4, 5, 6, 7}, &f->err),
              &f->err);
    gcast_op first = kernel(stream(f, 1, 0, false), 0, 9, 32, 10),
             high = kernel(stream(f, 2, -1, false), 10, 6, 32, 40),
             last = kernel(stream(f, 3, 0, false), 10, 2, 32, 50);
    first.cluster[0] = 3;
    first.block_ns = first_ns;
    high.cluster[0] = 6;
    last.cluster[0] = 2;
    add(f, first);
    add(f, high);
    add(f, last);
    run(f);
    assert_sms(f, 0, 0, 1, 2, 3, 4, 5, 0, 1, 2);
    assert_sms(f, 2, 6, 7);
    assert_int_equal(f->r.ops[0].blocks[6].start_ns, 10);
    assert_int_equal(f->r.ops[2].start_ns, 10);
    assert_ends(f, 30, 70, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_go_where_an_h200_put_them),    cmocka_unit_test(as_many_run_as_cuda_says),
        cmocka_unit_test(clusters_that_no_gpu_runs_are_refused), cmocka_unit_test(gpcs_hold_each_sm_once),
        HAND_CASE(a_kernel_behind_may_reach_the_limit_of_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
