/* gridcast simulate: predict the schedule of a workload. */
#include "base/units.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/run_outputs.h"
#include "cli/say.h"
#include "cli/simulated.h"
#include "cli/system/model_args.h"
#include "cli/system/system_outputs.h"
#include "gridcast/names.h"
#include "gridcast/run.h"
#include "report/format_names.h"

/* --queues shows the queues at one time or several, in place of the run. */

#define QUEUES_OPTION                                                                                                  \
    {                                                                                                                  \
        "queues", 0, "TIME", "show only the queues at TIME; may repeat"                                                \
    }

/* What is asked of the queues. */
typedef struct queues_request {
    int64_t times_ns[MAX_OPTIONS]; /* as given */
    const char *times[MAX_OPTIONS];
    size_t count; /* 0: the run is written, not the queues */
} queues_request;

static gcast_status check_file(const run_file *file)
{
    gcast_format f = file->format;
    if (f != GCAST_FORMAT_TABLE && f != GCAST_FORMAT_SVG && f != GCAST_FORMAT_PNG && f != GCAST_FORMAT_PDF)
        return say(GCAST_USAGE, "-o %s: with --queues the ending must be .txt .svg .png or .pdf", file->path);
    return GCAST_OK;
}

static gcast_status read_queues(const args *a, queues_request *q)
{
    static const char *const others[] = {"json",     "csv",        "blocks",  "no-blocks", "examiner-logs",
                                         "sm-range", "time-range", "no-fold", "width"};
    q->count = 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (args_has(a, "queues") && args_has(a, others[i]))
            return say(GCAST_USAGE, "give one of --queues and --%s", others[i]);
    for (size_t i = 0; i < a->given_count; i++) {
        const char *value = a->given[i].value;
        if (!args_is(a, i, "queues"))
            continue;
        if (!units_parse_time(value, &q->times_ns[q->count]) || q->times_ns[q->count] < 0)
            return say(GCAST_USAGE, "--queues needs a time such as 10us, 1.5ms or 2s, not %s", value);
        q->times[q->count++] = value;
    }
    return GCAST_OK;
}

/* Jobs released at the horizon or later are not in the run. */
static gcast_status check_times(const queues_request *q, const gcast_run *run)
{
    char horizon[40];
    units_format_time(run->horizon_ns, horizon, sizeof horizon);
    for (size_t i = 0; i < q->count && run->horizon_ns; i++)
        if (q->times_ns[i] >= run->horizon_ns)
            return say(GCAST_USAGE,
                       "--queues %s: only jobs released before %s are simulated; --horizon TIME adds later ones",
                       q->times[i], horizon);
    return GCAST_OK;
}

static gcast_status write_one(const queues_request *q, const gcast_run *run, const char *path, gcast_format format,
                              bool color, bool force)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, force);
    if (status != GCAST_OK)
        return status;
    color = color && out.file == stdout;
    return output_finish(
        &out, gcast_run_report_queues(run, q->times_ns, q->count, format, color, output_write, &out, &err), &err);
}

/* Writes every -o and prints the queues. All blocks of the run must be recorded. */
static gcast_status queues_write(const queues_request *q, const run_outputs *o, const gcast_run *run)
{
    gcast_status status = check_times(q, run);
    for (size_t i = 0; i < o->file_count && status == GCAST_OK; i++)
        status = write_one(q, run, o->files[i].path, o->files[i].format, o->report.color, o->force);
    if (status == GCAST_OK && !o->quiet)
        status = write_one(q, run, "-", GCAST_FORMAT_TABLE, o->report.color, false);
    return status;
}

/* AMALTHEA models are simulated as systems. */

#define SIMULATE_SYSTEM_OPTIONS                                                                                        \
    SYSTEM_OPTIONS, CONTEXTS_OPTION,                                                                                   \
    {                                                                                                                  \
        "ignore-offsets", 0, NULL, "tasks begin at random times; jitter is random too"                                 \
    }

/* These options of workloads are options for models, too. */
static const option_spec simulate_system_shared[] = {
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {"horizon", 0, NULL, NULL},
    {"durations", 0, NULL, NULL},
    {"output", 0, NULL, "also to .txt .json .html, or as a picture .svg .png .pdf"},
    {"force", 0, NULL, NULL},
    {"json", 0, NULL, "print gridcast.system-run/1 instead of the table"},
    {"no-blocks", 0, NULL, "pictures: leave out the rows of SMs"},
    {"sm-range", 0, NULL, NULL},
    {"time-range", 0, NULL, NULL},
    {"no-fold", 0, NULL, NULL},
    {"width", 0, NULL, "pictures: their width (default 1200)"},
    {"quiet", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

static gcast_status options_from_args(const args *a, gcast_system_simulate_options *o)
{
    gcast_simulate_options durations = gcast_simulate_options_default();
    const char *value = args_value(a, "durations");
    *o = gcast_system_simulate_options_default();
    gcast_status status = value ? durations_from_text(value, &durations) : GCAST_OK;
    o->durations = durations.durations;
    o->seed = durations.seed;
    o->random_offsets = args_has(a, "ignore-offsets");
    o->random_jitter = o->random_offsets || o->durations == GCAST_DURATIONS_RANDOM;
    o->record = args_has(a, "json") || args_has(a, "output");
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}

static gcast_status simulate_read(const args *a, const gcast_system *system, const gcast_system_simulate_options *o,
                                  const gcast_report_options *report)
{
    gcast_error err;
    progress shown;
    gcast_system_run *run;
    progress_start(&shown, "simulating");
    gcast_status status = gcast_system_simulate(system, o, &run, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_error(&err);
    system_output w = {.run = run, .options = *report};
    status = system_files_write(a, &w);
    if (status == GCAST_OK && !gcast_system_run_in_time(run))
        status = GCAST_NO;
    gcast_system_run_free(run);
    return status;
}

/* Notes that things of the model are doubtful, left out or assumed. */
static void say_findings(const gcast_system *system)
{
    size_t count = 0;
    while (gcast_system_finding(system, count))
        count++;
    if (count)
        say(GCAST_OK, "note: %zu part%s of the model %s doubtful, left out or assumed; gridcast analyze lists them",
            count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

static gcast_status simulate_system(const args *a)
{
    gcast_system *system;
    gcast_system_simulate_options o;
    gcast_report_options report;
    gcast_status status = options_from_args(a, &o);
    if (status == GCAST_OK)
        status = system_report_options_from_args(a, &report);
    if (status == GCAST_OK)
        status = system_files_check(a);
    if (status == GCAST_OK)
        status = system_from_args(a, &system);
    if (status != GCAST_OK)
        return status;
    say_findings(system);
    status = simulate_read(a, system, &o, &report);
    gcast_system_free(system);
    return status;
}

/* All that is asked of a workload. */
typedef struct workload_command {
    simulate_request simulate;
    queues_request queues;
    run_outputs outputs;
} workload_command;

static gcast_status read_command(const args *a, workload_command *c)
{
    *c = (workload_command){0};
    gcast_status status = read_queues(a, &c->queues);
    if (status == GCAST_OK)
        status = run_outputs_from_args(a, &c->outputs);
    for (size_t i = 0; i < c->outputs.file_count && c->queues.count && status == GCAST_OK; i++)
        status = check_file(&c->outputs.files[i]);
    if (status == GCAST_OK)
        status = simulate_request_read(a, &c->simulate);
    c->simulate.with_warnings = true;
    c->simulate.shown = &c->outputs.report;
    c->simulate.blocks = c->queues.count ? BLOCKS_ALL : c->outputs.needs_blocks;
    return status;
}

static gcast_status simulate_workload(const args *a)
{
    simulated s;
    workload_command c;
    gcast_status status = read_command(a, &c);
    if (status == GCAST_OK)
        status = simulated_make(&c.simulate, &s);
    if (status != GCAST_OK)
        return status;
    c.outputs.report.each_block = simulated_each_block;
    c.outputs.report.each_block_data = &s;
    status = c.queues.count ? queues_write(&c.queues, &c.outputs, s.run) : run_outputs_write(&c.outputs, s.run);
    if (status == GCAST_OK)
        status = run_deadlines_status(s.run);
    simulated_free(&s);
    return status;
}

static gcast_status run_command(const args *a)
{
    gcast_status status = system_options_check(a);
    if (status != GCAST_OK)
        return status;
    return system_wanted(a) ? simulate_system(a) : simulate_workload(a);
}

static const option_spec options[] = {
    WORKLOAD_OPTIONS, SIMULATE_OPTIONS, RACES_OPTION, REPORT_OPTIONS, QUEUES_OPTION, {NULL, 0, NULL, NULL},
};

static const option_spec system_options[] = {SIMULATE_SYSTEM_OPTIONS, {NULL, 0, NULL, NULL}};

const command cmd_simulate = {
    .name = "simulate",
    .operands = "WORKLOAD|MODEL.amxmi...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "predict the schedule of a workload",
    .options = options,
    .system_options = system_options,
    .shared_options = simulate_system_shared,
    .system_example = "gridcast simulate examples/12-car.amxmi --gpu tx2 -o car.svg",
    .examples = {"gridcast simulate examples/thesis.json -o timeline.svg",
                 "gridcast simulate examples/thesis.json --gpu h200 --sms 2 --json --blocks"},
    .run = run_command,
};
