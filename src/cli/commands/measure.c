/* gridcast measure: run a workload on this machine's GPU, and record every block. */
#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "cli/args.h"
#include "cli/measure/calibrate.h"
#include "cli/measure/corpus.h"
#include "cli/measure/measure_launches.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/run_outputs.h"
#include "cli/say.h"
#include "cli/workload_args.h"
#include "model/cost.h"
#include "model/exec.h"

/* measure --cost measures the figures of the cost model. */

static void print_hundredths(uint32_t v)
{
    printf(" %6u.%02u", v / 100, v % 100);
}

/* Prints one instruction per line. `library` is the driver; NULL: the default. */
static gcast_status measure_cost(const args *a, const char *library)
{
    static const char *const allowed[] = {"cost", "driver", "color", "help", NULL};
    gcast_gpu_exec_options options = gcast_gpu_exec_options_default();
    gcast_cost_measured m;
    gcast_error err;
    if (a->operand_count)
        return say(GCAST_USAGE, "--cost takes no WORKLOAD: it has its own kernels");
    gcast_status status = args_only(a, "cost", allowed);
    if (status != GCAST_OK)
        return status;
    if (library)
        options.library = library;
    progress shown;
    progress_start(&shown, "measuring instructions");
    options.progress = progress_show;
    options.progress_data = &shown;
    status = gcast_cost_measure(&options, &m, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_error(&err);
    printf("# %s at up to %u MHz; cycles alone, busy, the first time (docs/exec.md)\n", m.gpu, m.clock_mhz);
    for (size_t i = 0; i < m.probes; i++) {
        printf("%-16s", m.probe[i].name);
        print_hundredths(m.probe[i].alone);
        print_hundredths(m.probe[i].busy);
        if (m.probe[i].first)
            print_hundredths(m.probe[i].first);
        printf("\n");
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? GCAST_OK : say(GCAST_RESOURCE, "cannot be written");
}

/* Without --cost, --launch and --calibrate a workload is measured. */

#define CONNECTIONS "CUDA_DEVICE_MAX_CONNECTIONS" /* the driver reads it when it starts */
#define DEFAULT_CONNECTIONS 8                     /* of the driver without that variable */
#define MAX_CONNECTIONS 32
#define MAX_RUNS 1000
#define CALIBRATION_RUNS 5
#define MAX_LATENCIES_NS INT64_C(3600000000000)

/* Sets the driver's number of connections to that of the workload. If the workload has none, *connections is the number
 * that the driver will use. */
static gcast_status set_connections(const gcast_workload *w, int *connections)
{
    char number[16];
    int wanted = w->connections;
    const char *value = getenv(CONNECTIONS);
    if (wanted < 0) {
        char *end;
        long n = value && *value ? strtol(value, &end, 10) : DEFAULT_CONNECTIONS;
        if (value && *value && (*end || n < 1 || n > MAX_CONNECTIONS))
            return say(GCAST_USAGE, CONNECTIONS " is a number from 1 to %d, not %s", MAX_CONNECTIONS, value);
        *connections = (int)n;
        return GCAST_OK;
    }
    if (wanted == 0) /* one per stream */
        wanted = (int)min_size(w->stream_count, MAX_CONNECTIONS);
    if (wanted > MAX_CONNECTIONS)
        return say(GCAST_INPUT, "%s: a GPU has at most %d connections (/connections)", w->source, MAX_CONNECTIONS);
    *connections = wanted;
    snprintf(number, sizeof number, "%d", wanted);
    return setenv(CONNECTIONS, number, 1) == 0 ? GCAST_OK : say_no_memory();
}

/* --latencies is an hour at most; 0 is allowed. */
static gcast_status latency_time(const args *a, int64_t *ns)
{
    gcast_status status = args_time(a, "latencies", ns);
    if (status == GCAST_OK && (*ns < 0 || *ns > MAX_LATENCIES_NS))
        return say(GCAST_USAGE, "--latencies is a time of an hour at most, not %s", args_value(a, "latencies"));
    return status;
}

static gcast_status measure_options(const args *a, gcast_measure_options *o, int64_t *repeat)
{
    *o = gcast_measure_options_default();
    *repeat = args_has(a, "calibrate") ? CALIBRATION_RUNS : 1;
    const char *corpus = args_value(a, "corpus"), *library = args_value(a, "driver");
    if (library)
        o->library = library;
    if (corpus && path_ends_with(corpus, ".gz"))
        return say(GCAST_USAGE, "--corpus %s: lines can only be added to plain text, not to .gz", corpus);
    if (args_has(a, "family") && !corpus)
        return say(GCAST_USAGE, "--family needs --corpus FILE");
    if (args_has(a, "cudadevrt") && !args_has(a, "calibrate"))
        return say(GCAST_USAGE, "--cudadevrt needs --calibrate");
    if (args_has(a, "latencies") && !args_has(a, "calibrate"))
        return say(GCAST_USAGE, "--latencies needs --calibrate");
    if (args_has(a, "curve") && !args_has(a, "launch"))
        return say(GCAST_USAGE, "--curve needs --launch FILE");
    if (args_has(a, "save-launch") && !args_has(a, "curve"))
        return say(GCAST_USAGE, "--save-launch needs --curve");
    gcast_status status = args_has(a, "launch") ? GCAST_OK : args_int(a, "repeat", 1, MAX_RUNS, repeat);
    if (status == GCAST_OK)
        status = args_span(a, "horizon", &o->horizon_ns);
    if (status == GCAST_OK)
        status = latency_time(a, &o->latency_ns);
    return status == GCAST_OK ? args_span(a, "limit", &o->limit_ns) : status;
}

/* Notes hangs of several runs, of which only the last is shown. */
static void note_hangs(gcast_run *const *runs, size_t count)
{
    char note[80];
    size_t hangs = 0;
    for (size_t i = 0; i < count; i++)
        hangs += runs[i]->hang != NULL;
    snprintf(note, sizeof note, "%zu of %zu runs hang", hangs, count);
    if (hangs && count > 1)
        say_note(note);
}

static gcast_status write_all(const args *a, const run_outputs *outputs, gcast_workload *w, gcast_run *const *runs,
                              size_t count)
{
    const gcast_run *last = runs[count - 1];
    const char *corpus = args_value(a, "corpus"), *family = args_value(a, "family");
    for (size_t i = 0; i < last->note_count; i++)
        say_note(last->notes[i]);
    note_hangs(runs, count);
    gcast_status status = GCAST_OK;
    if (corpus) /* first, since writing to a pipe may end the process */
        status = corpus_append(corpus, family ? family : w->name, w, runs, count);
    if (status == GCAST_OK)
        status = run_outputs_write(outputs, last);
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = run_deadlines_status(runs[i]);
    return status;
}

static gcast_status measure(const args *a, const run_outputs *outputs, gcast_workload *w,
                            gcast_measure_options *options, size_t count)
{
    gcast_error err;
    gcast_status status = set_connections(w, &options->connections);
    if (status != GCAST_OK)
        return status;
    gcast_run **runs = calloc(count, sizeof(gcast_run *));
    if (!runs)
        return say_no_memory();
    progress shown;
    progress_start(&shown, "measuring");
    progress_next(&shown, "measuring", options->limit_ns / 1000000 * (int64_t)count);
    options->progress = progress_show;
    options->progress_data = &shown;
    status = gcast_workload_measure(w, options, runs, count, &err);
    progress_end(&shown);
    if (status != GCAST_OK) {
        if (err.path[0])
            snprintf(err.file, sizeof err.file, "%s", w->source);
        say_error(&err);
    } else {
        status = write_all(a, outputs, w, runs, count);
    }
    for (size_t i = 0; i < count; i++)
        gcast_run_free(runs[i]);
    free(runs);
    return status;
}

static gcast_status run_command(const args *a)
{
    gcast_workload *w;
    workload_request request;
    run_outputs outputs;
    gcast_measure_options options;
    int64_t repeat;
    gcast_status status = measure_options(a, &options, &repeat);
    if (status == GCAST_OK && args_has(a, "cost"))
        return measure_cost(a, options.library);
    if (status == GCAST_OK && args_has(a, "launch"))
        return measure_launches(a, options.library);
    static const char *const with_launch[] = {"plan", "hold", "independent", "whole-warps"};
    for (size_t i = 0; i < sizeof with_launch / sizeof *with_launch && status == GCAST_OK; i++)
        if (args_has(a, with_launch[i]))
            status = say(GCAST_USAGE, "--%s needs --launch FILE", with_launch[i]);
    if (status == GCAST_OK && args_has(a, "calibrate"))
        return calibrate_command(a, &options, (size_t)repeat);
    if (status == GCAST_OK && !a->operand_count)
        status = say(GCAST_USAGE, "usage: gridcast measure [options] WORKLOAD");
    if (status == GCAST_OK)
        status = run_outputs_from_args(a, &outputs);
    if (status == GCAST_OK)
        status = workload_request_read(a, &request);
    if (status == GCAST_OK)
        status = workload_open_plain(&request, NULL, &w);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "corpus"))
        status = corpus_check(a, args_value(a, "corpus"), w);
    if (status == GCAST_OK)
        status = measure(a, &outputs, w, &options, (size_t)repeat);
    gcast_workload_free(w);
    return status;
}

static const option_spec options[] = {
    PARTITION_OPTIONS,
    {"horizon", 0, "TIME", "only jobs released before TIME (as simulate)"},
    {"repeat", 0, "N", "run N times; the last run is shown"},
    {"corpus", 0, "FILE", "add workload and runs to FILE (gridcast.corpus/1)"},
    {"family", 0, "NAME", "family in the corpus (default: workload's name)"},
    {"calibrate", 0, NULL, "measure the GPU itself; -o GPU.json; no WORKLOAD"},
    {"cudadevrt", 0, "FILE", "with --calibrate: libcudadevrt.a (default: found)"},
    {"latencies", 0, "TIME", "--calibrate: time for latencies (default 60s)"},
    {"cost", 0, NULL, "measure times of instructions, for exec --cost"},
    {"launch", 0, "FILE", "gridcast.launch/1, also SM-centric; may repeat"},
    {"plan", 0, "FILE", "gridcast.plan/1 for that launch (default: some)"},
    {"hold", 0, "N", "with --launch: another kernel holds N SMs"},
    {"independent", 0, NULL, "with --launch: like this option of gridcast smc"},
    {"whole-warps", 0, NULL, "with --launch: like this option of gridcast smc"},
    {"curve", 0, NULL, "--launch: times by workers per SM; -o draws them"},
    {"save-launch", 0, "FILE", "--curve: write the launch file with these times"},
    {"limit", 0, "TIME", "stop when a run takes longer"},
    {"driver", 0, "FILE", "the CUDA driver (default: libcuda.so.1)"},
    REPORT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const command cmd_measure = {
    .name = "measure",
    .operands = "WORKLOAD",
    .min_operands = 0,
    .max_operands = 1,
    .summary = "run a workload on this machine's GPU",
    .options = options,
    .examples = {"gridcast measure examples/thesis.json --sms 2"},
    .run = run_command,
};
