#include "files/examiner/log/block_durations.h"

#include <stdlib.h>

#include "base/minmax.h"

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *log_block_durations(const log_set *set, size_t benchmark, size_t kernel)
{
    size_t runs = log_run_count(set), blocks = log_run_slice(set, 0, benchmark).kernels[kernel].block_count;
    int64_t *of_runs = calloc(runs, sizeof *of_runs), *durations = calloc(blocks, sizeof *durations);
    for (size_t block = 0; of_runs && durations && block < blocks; block++) {
        for (size_t run = 0; run < runs; run++) {
            const gcast_block *at = &log_run_slice(set, run, benchmark).kernels[kernel].blocks[block];
            of_runs[run] = at->end_ns - at->start_ns;
        }
        qsort(of_runs, runs, sizeof *of_runs, by_value);
        durations[block] = max_i64(of_runs[(runs - 1) / 2], 1);
    }
    if (!of_runs) {
        free(durations);
        durations = NULL;
    }
    free(of_runs);
    return durations;
}
