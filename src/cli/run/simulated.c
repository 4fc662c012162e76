#include "cli/run/simulated.h"

#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "cli/digits.h"
#include "cli/output/progress.h"
#include "cli/run/ranges.h"
#include "cli/run/timing_races.h"
#include "cli/run/unspecified.h"
#include "cli/run/workload_args.h"
#include "cli/say.h"
#include "gridcast/report.h"

#define MOST_RECORDED 8000000 /* blocks of a run for a page of some of its SMs: some 200 MB */

gcast_status durations_from_text(const char *value, gcast_simulate_options *o)
{
    for (int i = 0; i < GCAST_DURATIONS_COUNT; i++) {
        size_t n = strlen(durations_choices[i]);
        if (strncmp(value, durations_choices[i], n) != 0 ||
            (value[n] && (value[n] != ':' || i != GCAST_DURATIONS_RANDOM)))
            continue;
        o->durations = (gcast_durations)i;
        const char *seed = value + n + 1;
        if (!value[n] || (read_digits(&seed, &o->seed) && !*seed))
            return GCAST_OK;
    }
    return say(GCAST_USAGE, "--durations is max, min or random:SEED, not %s", value);
}

/* random or random:SEED. */
static gcast_status parse_placement(const char *value, gcast_simulate_options *o)
{
    const char *word = block_placement_choices[0], *seed = value + strlen(word);
    o->random_placement = true;
    if (strncmp(value, word, strlen(word)) == 0 &&
        (!*seed || (*seed++ == ':' && read_digits(&seed, &o->placement_seed) && !*seed)))
        return GCAST_OK;
    return say(GCAST_USAGE, "--placement is random or random:SEED, not %s", value);
}

static gcast_status simulate_options(const args *a, gcast_simulate_options *o)
{
    *o = gcast_simulate_options_default();
    o->as_measured = args_has(a, "as-measured");
    o->merge_processes = args_has(a, "merge-processes");
    const char *durations = args_value(a, "durations"), *placement = args_value(a, "placement");
    gcast_status status = durations ? durations_from_text(durations, o) : GCAST_OK;
    if (status == GCAST_OK && placement)
        status = parse_placement(placement, o);
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}

/* Are more operations unfinished at the end of the hyperperiod than at its start? Then the GPU has too much to do,
 * although one hyperperiod alone does not show it. */
static bool falls_behind(const gcast_workload *w, const gcast_run *run)
{
    int64_t start_ns = 0, end_ns = run->horizon_ns, pending_at_start = 0, pending_at_end = 0;
    for (size_t i = 0; i < w->task_count; i++)
        start_ns = max_i64(start_ns, w->tasks[i].offset_ns);
    for (size_t i = 0; i < run->op_count && w->task_count; i++) {
        const gcast_run_op *op = &run->ops[i];
        pending_at_start += op->release_ns < start_ns && op->end_ns > start_ns;
        pending_at_end += op->release_ns < end_ns && op->end_ns > end_ns;
    }
    return pending_at_end > pending_at_start;
}

/* Only blocks within --time-range are recorded, since no others are shown. Where kernels launch kernels all are, as
 * the blocks of children are in no window. */
static gcast_status record_only_range(const args *a, gcast_simulate_options *o)
{
    gcast_report_options report = gcast_report_options_default();
    gcast_status status = ranges_from_args(a, &report);
    o->record_from_ns = report.from_ns;
    o->record_to_ns = max_i64(report.to_ns, 0);
    return status;
}

static gcast_status simulate(const args *a, bool with_notes, simulated *s)
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
    if (with_notes)
        status = unspecified_note(s->gpu, &options, s->run);
    progress_next(&shown, "looking for races", 0);
    if (with_notes && status == GCAST_OK)
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

gcast_status simulated_each_block(void *data, bool (*take)(void *, const gcast_started_block *, size_t), void *taker,
                                  gcast_error *err)
{
    const simulated *s = data;
    gcast_simulate_options options = s->options;
    gcast_run *run = NULL;
    options.record_blocks = false;
    options.each_block = take;
    options.each_block_data = taker;
    gcast_status status = gcast_workload_simulate(s->w, s->gpu, &options, &run, err);
    gcast_run_free(run);
    return status;
}

/* Blocks of the run, or more than `most`. Of a workload without tasks its grids tell; else it is simulated, without
 * blocks, which takes little time. An error is left to the simulation that follows. */
static uint64_t count_blocks(const simulated *s, uint64_t most)
{
    const gcast_workload *w = s->w;
    gcast_run *run = NULL;
    gcast_error unused;
    uint64_t count = 0;
    for (size_t i = 0; i < w->op_count && count <= most; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            count += (uint64_t)w->ops[i].grid[0] * w->ops[i].grid[1] * w->ops[i].grid[2];
    if (count > most || !w->task_count)
        return count;
    count = 0;
    if (gcast_workload_simulate(w, s->gpu, &s->options, &run, &unused) == GCAST_OK)
        for (size_t i = 0; i < run->op_count; i++)
            count += run->ops[i].block_count;
    gcast_run_free(run);
    return count;
}

/* Are there more blocks than a page gives one by one, on the SMs that it shows, or than are recorded for it? */
static bool has_many_blocks(const args *a, const simulated *s)
{
    gcast_report_options shown = gcast_report_options_default();
    if (ranges_from_args(a, &shown) != GCAST_OK)
        return false; /* which is told later */
    uint64_t count = count_blocks(s, MOST_RECORDED), sms = (uint64_t)s->gpu->sms;
    uint64_t last = shown.last_sm < 0 ? sms - 1 : min_u64((uint64_t)shown.last_sm, sms - 1);
    uint64_t part = last < (uint64_t)shown.first_sm ? 0 : last - (uint64_t)shown.first_sm + 1;
    return count > MOST_RECORDED || count > GCAST_PAGE_BLOCKS * sms / max_u64(part, 1);
}

gcast_status simulated_from_args(const args *a, recorded_blocks blocks, bool with_notes, simulated *s)
{
    *s = (simulated){0};
    gcast_status status = simulate_options(a, &s->options);
    if (status == GCAST_OK)
        status = workload_from_args(a, a->operands[0], &s->w, &s->gpu);
    if (status == GCAST_OK && blocks == BLOCKS_FOR_PAGE && !args_has(a, "time-range") && !s->w->child_count &&
        has_many_blocks(a, s))
        blocks = BLOCKS_NONE;
    if (status == GCAST_OK && blocks >= BLOCKS_IN_RANGE && !s->w->child_count)
        status = record_only_range(a, &s->options);
    s->options.record_blocks = blocks != BLOCKS_NONE;
    if (status == GCAST_OK)
        status = simulate(a, with_notes, s);
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
