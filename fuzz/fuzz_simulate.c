/* Any workload that reads is simulated on a small GPU: the run passes the checker
 * (gcast_simulate sees to that), every explanation adds up, every report is written. */
#include <stdint.h>
#include <stdlib.h>

#include "gridcast/gridcast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Too much for one input of a fuzzer, not for the simulator. */
static bool is_small(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].blocks > 2000)
            return false;
        blocks += w->ops[i].blocks;
    }
    return blocks <= 5000 && w->op_count <= 200 && w->task_count <= 3;
}

static bool swallow(void *data, const char *bytes, size_t size)
{
    *(size_t *)data += size;
    return bytes != NULL;
}

static void report(const gcast_run *run)
{
    static const gcast_format formats[] = {GCAST_FORMAT_TABLE, GCAST_FORMAT_CSV,  GCAST_FORMAT_JSON,
                                           GCAST_FORMAT_SVG,   GCAST_FORMAT_HTML, GCAST_FORMAT_TRACE};
    gcast_report_options options = gcast_report_defaults();
    size_t bytes = 0;
    options.blocks = true;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (gcast_report(run, formats[i], &options, swallow, &bytes, NULL) != GCAST_OK)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_workload *w;
    gcast_gpu *gpu;
    gcast_run *run;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_defaults();
    options.record_blocks = options.merge_processes = true;
    options.horizon_ns = 1000000;
    if (gcast_workload_read((const char *)data, size, "fuzz", NULL, &w, &err) != GCAST_OK)
        return 0;
    if (is_small(w) && gcast_gpu_read_string("sms:3 cc:6.2", &gpu, NULL) == GCAST_OK) {
        gcast_status status = gcast_simulate(w, gpu, &options, &run, &err);
        if (status == GCAST_INTERNAL)
            abort();
        if (status == GCAST_OK) {
            for (size_t i = 0; i < run->op_count && i < 20; i++) {
                gcast_explanation *e;
                if (!run->ops[i].skipped && gcast_explain(run, i, &e, &err) != GCAST_OK)
                    abort();
                else if (!run->ops[i].skipped)
                    gcast_explanation_free(e);
            }
            report(run);
            gcast_run_free(run);
        }
        gcast_gpu_free(gpu);
    }
    gcast_workload_free(w);
    return 0;
}
