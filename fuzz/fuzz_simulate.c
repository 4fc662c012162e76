/* Any workload that reads is simulated on a small GPU, and once more as measured, with calls
 * that the input's bytes move: the runs pass the checker (gcast_workload_simulate sees to that), every
 * explanation adds up, every report is written. */
#include <stdint.h>
#include <stdlib.h>

#include "analyze/advice/remedy.h"
#include "gridcast/gridcast.h"
#include "paths.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Too much for one input of a fuzzer, not for the simulator. */
static bool is_small(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].blocks > 2000)
            return false;
        blocks += w->ops[i].blocks;
        for (const gcast_launches *l = w->ops[i].launches; l; l = l->child->launches) {
            if (l->total_items > 2000 || l->launchers > 5000)
                return false;
            blocks += l->total_items;
        }
    }
    return blocks <= 5000 && w->op_count <= 200 && w->task_count <= 3;
}

static bool count_bytes(void *data, const char *bytes, size_t size)
{
    *(size_t *)data += size;
    return bytes != NULL;
}

static void report(const gcast_run *run)
{
    static const gcast_format formats[] = {GCAST_FORMAT_TABLE, GCAST_FORMAT_CSV,  GCAST_FORMAT_JSON,
                                           GCAST_FORMAT_SVG,   GCAST_FORMAT_HTML, GCAST_FORMAT_TRACE};
    gcast_report_options options = gcast_report_options_default();
    size_t bytes = 0;
    options.blocks = true;
    options.explain = gcast_run_explain;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (gcast_run_report(run, formats[i], &options, count_bytes, &bytes, NULL) != GCAST_OK)
            abort();
}

/* An operation by itself, and beside the one before it; for the first pair also what would help. */
static void explain(const gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options, size_t i,
                    size_t before)
{
    gcast_error err;
    gcast_explanation *e;
    gcast_totals *t;
    gcast_pair *p;
    gcast_remedies *r = NULL;
    if (gcast_run_explain(run, i, &e, &err) != GCAST_OK || gcast_run_sum_waits(run, e, &t, &err) != GCAST_OK)
        abort();
    gcast_totals_free(t);
    gcast_explanation_free(e);
    if (before == SIZE_MAX || gcast_run_explain_pair(run, before, i, &p, &err) != GCAST_OK)
        return;
    if (i < 3 && gcast_run_find_remedies(run, gpu, options, p, &r, &err) == GCAST_INTERNAL)
        abort();
    gcast_remedies_free(r);
    gcast_pair_free(p);
}

/* NULL where the workload cannot run; what can, passes the checker and can be explained. */
static gcast_run *simulate(const gcast_workload *w, const char *machine, const gcast_simulate_options *options)
{
    gcast_gpu *gpu;
    gcast_run *run;
    gcast_error err;
    if (gcast_gpu_read_string(machine, &gpu, &err) != GCAST_OK)
        abort();
    gcast_status status = gcast_workload_simulate(w, gpu, options, &run, &err);
    if (status == GCAST_INTERNAL)
        abort();
    size_t before = SIZE_MAX;
    for (size_t i = 0; status == GCAST_OK && i < run->op_count && i < 20; i++) {
        if (run->ops[i].skipped)
            continue;
        explain(run, gpu, options, i, before);
        before = i;
    }
    gcast_gpu_free(gpu);
    if (status != GCAST_OK)
        return NULL;
    report(run);
    return run;
}

/* Calls as of a recorded run: any order and time, some before 0, and for bytes that are not ASCII up to 2^63 - 1. */
static int64_t *moved_calls(const gcast_run *run, const uint8_t *data, size_t size)
{
    int64_t *calls = malloc((run->op_count + 1) * sizeof *calls);
    if (!calls)
        abort();
    for (size_t i = 0; i < run->op_count; i++) {
        uint8_t byte = data[(size - 1) * (i + 1) / (run->op_count + 1)];
        calls[i] = byte < 128 ? run->ops[i].call_ns + ((int64_t)1 << byte % 16) - 1024
                              : (int64_t)(((uint64_t)1 << byte % 64) - 1);
    }
    return calls;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_workload *w;
    gcast_error err;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = options.merge_processes = true;
    options.horizon_ns = 1000000;
    if (names_a_root_path(data, size) ||
        gcast_workload_read((const char *)data, size, FUZZ_FILE, NULL, &w, &err) != GCAST_OK)
        return 0;
    gcast_run *run = is_small(w) ? simulate(w, "sms:3 cc:6.2", &options) : NULL;
    if (run) {
        int64_t *calls = moved_calls(run, data, size);
        options.as_measured = true;
        options.releases = calls;
        options.release_count = run->op_count;
        gcast_run_free(run);
        gcast_run_free(simulate(
            w, "sms:3 cc:6.2 wake:128ns handover:224ns look:24ns switch:40ns starving:8 starved:1us", &options));
        free(calls);
    }
    gcast_workload_free(w);
    return 0;
}
