#include "cli/run_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/carveouts.h"
#include "cli/examiner_logs.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/races.h"
#include "cli/workload_args.h"

static const char *const duration_names[] = {
#define X(id, name, text) name,
    GCAST_DURATIONS_TABLE(X)
#undef X
};

/* max, min, random or random:SEED. */
static gcast_status parse_durations(const char *text, gcast_simulate_options *o)
{
    for (int i = 0; i < GCAST_DURATIONS_COUNT; i++) {
        size_t n = strlen(duration_names[i]);
        if (strncmp(text, duration_names[i], n) != 0 || (text[n] && (text[n] != ':' || i != GCAST_DURATIONS_RANDOM)))
            continue;
        o->durations = (gcast_durations)i;
        char *end = NULL;
        errno = 0;
        if (text[n] == ':')
            o->seed = strtoull(text + n + 1, &end, 10);
        if (!text[n] || (text[n + 1] >= '0' && text[n + 1] <= '9' && !*end && !errno))
            return GCAST_OK;
    }
    return say(GCAST_USAGE, "--durations is max, min or random:SEED, not %s", text);
}

static gcast_status simulate_options(const args *a, gcast_simulate_options *o)
{
    *o = gcast_simulate_defaults();
    o->as_measured = args_has(a, "as-measured");
    o->merge_processes = args_has(a, "merge-processes");
    const char *durations = args_value(a, "durations");
    gcast_status status = durations ? parse_durations(durations, o) : GCAST_OK;
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}

/* One hyperperiod does not show that a GPU has too much to do, but work piles up in it. */
static bool falls_behind(const gcast_workload *w, const gcast_run *run)
{
    int64_t first = 0, last = run->horizon_ns, before = 0, after = 0;
    for (size_t i = 0; i < w->task_count; i++)
        if (w->tasks[i].offset_ns > first)
            first = w->tasks[i].offset_ns;
    for (size_t i = 0; i < run->op_count && w->task_count; i++) {
        const gcast_run_op *op = &run->ops[i];
        before += op->release_ns < first && op->end_ns > first;
        after += op->release_ns < last && op->end_ns > last;
    }
    return after > before;
}

/* A-B into its two halves; false where there is no single dash. */
static bool split_range(const char *text, char *first, char *second, size_t size)
{
    const char *dash = strchr(text, '-');
    if (!dash || strchr(dash + 1, '-') || (size_t)(dash - text) >= size || strlen(dash + 1) >= size)
        return false;
    memcpy(first, text, (size_t)(dash - text));
    first[dash - text] = '\0';
    strcpy(second, dash + 1);
    return true;
}

static bool parse_sm(const char *text, int *sm)
{
    char *end;
    long v = strtol(text, &end, 10);
    *sm = (int)v;
    return *text >= '0' && *text <= '9' && !*end && v < GCAST_MAX_SMS;
}

static gcast_status parse_ranges(const args *a, gcast_report_options *o)
{
    char first[32], second[32];
    const char *sms = args_value(a, "sm-range"), *times = args_value(a, "time-range");
    if (sms && (!split_range(sms, first, second, sizeof first) || !parse_sm(first, &o->first_sm) ||
                !parse_sm(second, &o->last_sm) || o->last_sm < o->first_sm))
        return say(GCAST_USAGE, "--sm-range is two SMs such as 0-7, not %s", sms);
    if (times && (!split_range(times, first, second, sizeof first) || !units_parse_time(first, &o->from_ns) ||
                  !units_parse_time(second, &o->to_ns) || o->to_ns <= o->from_ns))
        return say(GCAST_USAGE, "--time-range is two times such as 1ms-2.5ms, not %s", times);
    return GCAST_OK;
}

/* What is outside of --time-range is not shown, so that nothing needs to know of it. */
static gcast_status record_range(const args *a, gcast_simulate_options *o)
{
    gcast_report_options shown = gcast_report_defaults();
    gcast_status status = parse_ranges(a, &shown);
    o->record_from_ns = shown.from_ns;
    o->record_to_ns = shown.to_ns > 0 ? shown.to_ns : 0;
    return status;
}

gcast_status run_from_args(const args *a, run_blocks blocks, bool races, gcast_workload **w, gcast_run **run)
{
    gcast_gpu *gpu;
    gcast_error err;
    gcast_simulate_options options;
    progress shown;
    *run = NULL;
    *w = NULL;
    gcast_status status = simulate_options(a, &options);
    if (status == GCAST_OK && blocks == BLOCKS_IN_RANGE)
        status = record_range(a, &options);
    if (status == GCAST_OK)
        status = workload_from_args(a, a->operands[0], w, &gpu);
    if (status != GCAST_OK)
        return status;
    progress_start(&shown);
    options.record_blocks = blocks != BLOCKS_NONE;
    options.progress = progress_show;
    options.progress_data = &shown;
    status = gcast_simulate(*w, gpu, &options, run, &err);
    if (status != GCAST_OK) {
        progress_end(&shown);
        snprintf(err.file, sizeof err.file, "%s", (*w)->source);
        say_error(&err);
    } else {
        if (races)
            status = carveouts_note(gpu, &options, *run);
        if (races && status == GCAST_OK)
            status = races_from_args(a, gpu, &options, *run);
        progress_end(&shown);
    }
    gcast_gpu_free(gpu);
    if (status != GCAST_OK) {
        gcast_run_free(*run);
        gcast_workload_free(*w);
        *run = NULL;
        *w = NULL;
        return status;
    }
    for (size_t i = 0; i < (*run)->note_count; i++)
        say_note((*run)->notes[i]);
    if (options.as_measured && !(*run)->wake_ns)
        say_note("--as-measured changes nothing: the GPU has no wake_ns");
    if (!args_has(a, "horizon") && falls_behind(*w, *run))
        say_note("more is left to do at the end of the hyperperiod than at its start: later jobs may take longer; "
                 "analyze looks at all");
    return GCAST_OK;
}

static bool draws_blocks(gcast_format f)
{
    return f == GCAST_FORMAT_SVG || f == GCAST_FORMAT_PNG || f == GCAST_FORMAT_PDF || f == GCAST_FORMAT_HTML ||
           f == GCAST_FORMAT_TRACE;
}

static gcast_status check_file(const char *path, gcast_format *format)
{
    if (!gcast_format_from_name(path, format))
        return say(GCAST_USAGE, "-o %s: its ending is none of .json .csv .svg .png .pdf .html .trace.json .txt", path);
    if (!gcast_format_available(*format))
        return say(GCAST_RESOURCE, "-o %s: this build cannot write %s (it was made without cairo)", path,
                   gcast_format_ending(*format));
    return GCAST_OK;
}

static gcast_status check_printed(const args *a)
{
    const char *held = args_has(a, "json") ? "--json" : args_has(a, "csv") ? "--csv" : NULL;
    if (args_has(a, "json") && args_has(a, "csv"))
        return say(GCAST_USAGE, "give one of --json and --csv; -o writes the other");
    if (held && args_has(a, "quiet"))
        return say(GCAST_USAGE, "give one of --quiet and %s", held);
    return outputs_check(a, held);
}

gcast_status run_outputs_from_args(const args *a, run_outputs *o)
{
    *o = (run_outputs){.report = gcast_report_defaults(), .print = GCAST_FORMAT_TABLE};
    int64_t width = 0;
    bool blocks = args_has(a, "blocks");
    gcast_status status = parse_ranges(a, &o->report);
    if (status == GCAST_OK)
        status = args_int(a, "width", GCAST_WIDTH_LEAST, GCAST_WIDTH_MOST, &width);
    if (status == GCAST_OK)
        status = check_printed(a);
    if (args_has(a, "json"))
        o->print = GCAST_FORMAT_JSON;
    else if (args_has(a, "csv"))
        o->print = GCAST_FORMAT_CSV;
    o->quiet = args_has(a, "quiet");
    o->needs_blocks = blocks || args_has(a, "examiner-logs") ? BLOCKS_ALL : BLOCKS_NONE;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format format;
        const char *path = a->given[i].value;
        if (strcmp(a->given[i].spec->name, "output") != 0)
            continue;
        status = check_file(path, &format);
        if (status == GCAST_OK && draws_blocks(format) && o->needs_blocks == BLOCKS_NONE)
            o->needs_blocks = BLOCKS_IN_RANGE;
        o->quiet = o->quiet || output_is_standard(path);
    }
    if (width)
        o->report.width = (int)width;
    o->report.blocks = blocks;
    o->report.fold = !args_has(a, "no-fold");
    o->report.color = want_color(a);
    return status;
}

static gcast_status write_one(const gcast_run *run, const char *path, gcast_format format,
                              const gcast_report_options *options, bool force)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, force);
    if (status != GCAST_OK)
        return status;
    gcast_report_options plain = *options;
    plain.color = options->color && out.file == stdout;
    gcast_status written = gcast_report(run, format, &plain, output_write, &out, &err);
    status = output_close(&out, written == GCAST_OK);
    if (status != GCAST_OK)
        return status;
    return written == GCAST_OK ? GCAST_OK : say_error(&err);
}

gcast_status run_outputs_write(const args *a, const run_outputs *o, const gcast_run *run)
{
    gcast_status status = GCAST_OK;
    if (o->report.last_sm >= run->gpu->sms)
        return say(GCAST_USAGE, "--sm-range: %s has SMs 0 to %d", run->gpu->name, run->gpu->sms - 1);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        gcast_format format;
        const char *path = a->given[i].value;
        if (strcmp(a->given[i].spec->name, "output") == 0 && gcast_format_from_name(path, &format))
            status = write_one(run, path, format, &o->report, args_has(a, "force"));
    }
    const char *logs = args_value(a, "examiner-logs");
    if (status == GCAST_OK && logs)
        status = examiner_logs_write(run, logs, args_has(a, "force"));
    if (status == GCAST_OK && !o->quiet)
        status = write_one(run, "-", o->print, &o->report, false);
    return status;
}

gcast_status run_deadlines(const gcast_run *run)
{
    return gcast_run_in_time(run) ? GCAST_OK : GCAST_NO;
}
