#include "cli/run/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/units.h"
#include "cli/output/progress.h"
#include "cli/run/timing_races.h"
#include "cli/run/unsaid.h"
#include "cli/run/workload_args.h"

/* max, min, random or random:SEED. */
static gcast_status parse_durations(const char *given, gcast_simulate_options *o)
{
    for (int i = 0; i < GCAST_DURATIONS_COUNT; i++) {
        size_t n = strlen(durations_choices[i]);
        if (strncmp(given, durations_choices[i], n) != 0 ||
            (given[n] && (given[n] != ':' || i != GCAST_DURATIONS_RANDOM)))
            continue;
        o->durations = (gcast_durations)i;
        char *end = NULL;
        errno = 0;
        if (given[n] == ':')
            o->seed = strtoull(given + n + 1, &end, 10);
        if (!given[n] || (given[n + 1] >= '0' && given[n + 1] <= '9' && !*end && !errno))
            return GCAST_OK;
    }
    return say(GCAST_USAGE, "--durations is max, min or random:SEED, not %s", given);
}

static gcast_status simulate_options(const args *a, gcast_simulate_options *o)
{
    *o = gcast_simulate_options_default();
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

/* What is outside of --time-range is not shown, so that nothing needs to know of it. */
static gcast_status record_range(const args *a, gcast_simulate_options *o)
{
    gcast_report_options shown = gcast_report_options_default();
    gcast_status status = run_ranges(a, &shown);
    o->record_from_ns = shown.from_ns;
    o->record_to_ns = shown.to_ns > 0 ? shown.to_ns : 0;
    return status;
}

static gcast_status simulate(const args *a, bool races, simulated *s)
{
    gcast_error err;
    progress shown;
    gcast_simulate_options options = s->options;
    progress_start(&shown, "simulating");
    options.progress = progress_show;
    options.progress_data = &shown;
    gcast_status status = gcast_workload_simulate(s->w, s->gpu, &options, &s->run, &err);
    if (status != GCAST_OK) {
        progress_end(&shown);
        snprintf(err.file, sizeof err.file, "%s", s->w->source);
        return say_error(&err);
    }
    progress_next(&shown, "simulating what the workload leaves open", 0);
    if (races)
        status = unsaid_note(s->gpu, &options, s->run);
    progress_next(&shown, "looking for races", 0);
    if (races && status == GCAST_OK)
        status = races_from_args(a, s->gpu, &options, s->run);
    progress_end(&shown);
    return status;
}

void simulated_free(simulated *s)
{
    gcast_run_free(s->run);
    gcast_workload_free(s->w);
    gcast_gpu_free(s->gpu);
    *s = (simulated){0};
}

gcast_status run_from_args(const args *a, run_blocks blocks, bool races, simulated *s)
{
    *s = (simulated){0};
    gcast_status status = simulate_options(a, &s->options);
    if (status == GCAST_OK && blocks == BLOCKS_IN_RANGE)
        status = record_range(a, &s->options);
    if (status == GCAST_OK)
        status = workload_from_args(a, a->operands[0], &s->w, &s->gpu);
    s->options.record_blocks = blocks != BLOCKS_NONE;
    if (status == GCAST_OK)
        status = simulate(a, races, s);
    if (status != GCAST_OK) {
        simulated_free(s);
        return status;
    }
    for (size_t i = 0; i < s->run->note_count; i++)
        say_note(s->run->notes[i]);
    if (s->options.as_measured && !s->run->wake_ns)
        say_note("--as-measured changes nothing: the GPU has no wake_ns");
    if (!args_has(a, "horizon") && falls_behind(s->w, s->run))
        say_note("more is left to do at the end of the hyperperiod than at its start: later jobs may take longer; "
                 "analyze looks at all");
    return GCAST_OK;
}

gcast_status run_deadlines(const gcast_run *run)
{
    return gcast_run_in_time(run) ? GCAST_OK : GCAST_NO;
}
