/* The time that a page takes for each of its operations: of many operations against few. A page that grows no faster
 * than n log n has a ratio of 1.3 here; one that grows as n squared, of 8. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gridcast/gridcast.h"

#define FEW 5000
#define MANY 40000
#define ROUNDS 3
#define LIMIT 1.6

static bool discard(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)data += size;
    return true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(gcast_status status)
{
    if (status != GCAST_OK)
        exit(70);
}

/* Seconds for each operation of a page of `count` kernels in eight streams; the least of some rounds. */
static double time_page(const gcast_gpu *gpu, int count)
{
    gcast_error err;
    gcast_workload *w;
    gcast_run *run;
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_report_options report = gcast_report_options_default();
    double least = 1e9;
    options.record_blocks = true;
    report.explain = gcast_run_explain;
    must(gcast_workload_create("bench", &w, &err));
    for (int i = 0; i < count; i++) {
        char label[24];
        int index;
        snprintf(label, sizeof label, "K%d", i);
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.label = label;
        must(gcast_workload_get_stream(w, 1 + i % 8, &op.stream, &err));
        op.grid[0] = 40;
        op.block[0] = 256;
        op.min_ns = op.max_ns = 5000 + 37 * (i % 11);
        must(gcast_workload_add_op(w, &op, &index, &err));
    }
    must(gcast_workload_simulate(w, gpu, &options, &run, &err));
    for (int round = 0; round < ROUNDS; round++) {
        size_t bytes = 0;
        double start = now();
        must(gcast_run_report(run, GCAST_FORMAT_HTML, &report, discard, &bytes, &err));
        double took = now() - start;
        least = took < least ? took : least;
    }
    gcast_run_free(run);
    gcast_workload_free(w);
    return least / count;
}

int main(void)
{
    gcast_error err;
    gcast_gpu *gpu;
    must(gcast_gpu_load("h200", &gpu, &err));
    double few = time_page(gpu, FEW), many = time_page(gpu, MANY);
    printf("page of %d operations: %.1f us each; of %d: %.1f us each, ratio %.2f (limit %.1f)\n", FEW, few * 1e6, MANY,
           many * 1e6, many / few, LIMIT);
    gcast_gpu_free(gpu);
    return many / few <= LIMIT ? 0 : 1;
}
