#include "cli/simulated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/workload_args.h"
#include "gridcast/report.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "gridcast/workload.h"
#include "model/run.h"
#include "model/workload/left_open.h"
#include "verify/score.h"

#define OPERATION_NAME_SIZE 232
#define QUICK_MAX_BLOCKS 100000 /* runs with at most this many blocks are simulated again for notes, unasked */
#define DEFAULT_TRIALS 8        /* of --races */
#define MAX_NOTES 5             /* on races */
#define MAX_RECORDED 8000000    /* blocks of a run for a page of some of its SMs: some 200 MB */

/* LABEL, or LABEL#JOB for an operation of a task; long labels are cut to 200 characters. */
static void operation_name(const gcast_run *run, size_t run_op, char name[OPERATION_NAME_SIZE])
{
    const gcast_run_op *r = &run->ops[run_op];
    const gcast_op *op = &run->workload->ops[r->op];
    char job[24] = "";
    if (op->task != GCAST_ONCE)
        snprintf(job, sizeof job, "#%u", r->job);
    snprintf(name, OPERATION_NAME_SIZE, "%.200s%s", op->label, job);
}

/* Copies the two parts of A-B. False: there is not exactly one dash, or a part is too long. */
static bool split_range(const char *value, char *first, char *second, size_t size)
{
    const char *dash = strchr(value, '-');
    size_t length = dash ? (size_t)(dash - value) : 0;
    if (!dash || strchr(dash + 1, '-') || length >= size || strlen(dash + 1) >= size)
        return false;
    snprintf(first, size, "%.*s", (int)length, value);
    snprintf(second, size, "%s", dash + 1);
    return true;
}

static bool parse_sm(const char *value, int *sm)
{
    uint64_t v;
    if (!read_digits(&value, &v) || *value || v >= GCAST_MAX_SMS)
        return false;
    *sm = (int)v;
    return true;
}

gcast_status ranges_from_args(const args *a, gcast_report_options *o)
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

/* A race: the prediction depends on a few nanoseconds. */

static bool note_race(gcast_run *run, const gcast_race *race)
{
    char note[500], name[OPERATION_NAME_SIZE], earliest[40], latest[40], noise[40], launches[80] = "";
    operation_name(run, race->run_op, name);
    units_format_time(race->earliest_ns, earliest, sizeof earliest);
    units_format_time(race->latest_ns, latest, sizeof latest);
    units_format_time(run->gpu->launch_noise_ns, noise, sizeof noise);
    if (run->gpu->launch_noise_ns)
        snprintf(launches, sizeof launches, " and launches scatter by %s", noise);
    units_format_time(run->gpu->noise_ns, noise, sizeof noise);
    snprintf(note, sizeof note, "a race: %s ends from %s to %s where blocks take up to %s longer%s", name, earliest,
             latest, noise, launches);
    return run_add_note(run, note);
}

static bool note_races(gcast_run *run, const gcast_race *races, size_t count)
{
    char note[80];
    bool ok = true;
    for (size_t i = 0; i < count && i < MAX_NOTES && ok; i++)
        ok = note_race(run, &races[i]);
    if (count > MAX_NOTES && ok) {
        snprintf(note, sizeof note, "%zu other operations have races, too", count - MAX_NOTES);
        ok = run_add_note(run, note);
    }
    return ok;
}

/* Looks for races as --races says, and adds those found to the run's notes. Errors are printed. */
static gcast_status races_from_args(const args *a, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                    gcast_run *run)
{
    int64_t trials = DEFAULT_TRIALS;
    gcast_error err;
    gcast_race *races;
    size_t count;
    gcast_status status = args_int(a, "races", 0, 1000000, &trials);
    if (status != GCAST_OK || !trials || (!run->gpu->noise_ns && !run->gpu->launch_noise_ns))
        return status;
    if (!args_has(a, "races") && !run_blocks_at_most(run, QUICK_MAX_BLOCKS))
        return run_add_note(run, "races were not looked for in this many blocks; --races N does") ? GCAST_OK
                                                                                                  : say_no_memory();
    if (gcast_run_find_races(run, gpu, options, (int)trials, &races, &count, &err) != GCAST_OK)
        return say_error(&err);
    bool ok = note_races(run, races, count);
    free(races);
    return ok ? GCAST_OK : say_no_memory();
}

/* A prediction may also depend on what the workload leaves open: the carveouts of its kernels, and whether its streams
 * wait for the NULL stream. */

typedef struct open_choice {
    left_open what;
    const char *choice_words; /* the other choice, in words */
    const char *key_words;    /* which key of the workload would specify it */
} open_choice;

static const open_choice open_choices[] = {
    {LEFT_OPEN_CARVEOUTS, "with CUDA's default carveouts", "\"carveout\" says which it is"},
    {LEFT_OPEN_BLOCKING, "with streams of cudaStreamCreate, which wait for the NULL stream and it for them,",
     "\"blocking\" of \"streams\" says which they are"},
};

static bool add_note(gcast_run *run, const gcast_run *alternative, size_t run_op, const open_choice *q)
{
    char note[500], name[OPERATION_NAME_SIZE], end[40], other_end[40];
    operation_name(run, run_op, name);
    units_format_time(run->ops[run_op].end_ns, end, sizeof end);
    units_format_time(alternative->ops[run_op].end_ns, other_end, sizeof other_end);
    bool hangs = alternative->ops[run_op].end_ns < 0;
    snprintf(note, sizeof note, "%s %s would %s%s, not %s: %s", q->choice_words, name, hangs ? "never end" : "end at ",
             hangs ? "" : other_end, end, q->key_words);
    return run_add_note(run, note);
}

static gcast_status try_other_choice(const open_choice *q, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                     gcast_run *run)
{
    gcast_error err;
    gcast_run *alternative = NULL;
    gcast_workload *w;
    if (gcast_workload_copy(run->workload, &w, &err) != GCAST_OK)
        return say_error(&err);
    workload_choose_other(w, q->what);
    gcast_status status = gcast_workload_simulate(w, gpu, options, &alternative, &err);
    if (status == GCAST_OK) {
        gcast_agreement a = gcast_run_compare(alternative, run);
        bool is_alike = a.error_ns <= run->end_ns / 100; /* both are simulated, so there is no scatter to allow for */
        status = is_alike || add_note(run, alternative, a.worst_op, q) ? GCAST_OK : say_no_memory();
    } else if (status == GCAST_INPUT) { /* such as an end past the latest time that can be counted */
        char note[500];
        snprintf(note, sizeof note, "%s: %.300s", q->choice_words, err.message);
        status = run_add_note(run, note) ? GCAST_OK : say_no_memory();
    } else {
        status = say_error(&err);
    }
    gcast_run_free(alternative);
    gcast_workload_free(w);
    return status;
}

/* For each open choice, simulates the workload again with the other choice, and adds a note to the run if an operation
 * ends at another time. `gpu` and `options` are those of the run. Errors are printed. */
static gcast_status note_open_choices(const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run)
{
    gcast_status status = GCAST_OK;
    gcast_simulate_options without_blocks = *options;
    without_blocks.record_blocks = false;
    /* `measure` sets carveouts and creates streams as they are simulated */
    if (options->as_measured || !run_blocks_at_most(run, QUICK_MAX_BLOCKS))
        return GCAST_OK;
    for (size_t i = 0; i < sizeof open_choices / sizeof open_choices[0] && status == GCAST_OK; i++)
        if (workload_leaves_open(run->workload, run->gpu, open_choices[i].what))
            status = try_other_choice(&open_choices[i], gpu, &without_blocks, run);
    return status;
}

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

/* Are more operations unfinished at the end of the hyperperiod than at its start? Then the GPU is overloaded, although
 * one hyperperiod alone does not show it. */
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

/* Records only the blocks within --time-range, since no others are shown. */
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
        status = note_open_choices(s->gpu, &options, s->run);
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

/* The number of blocks of the run, or a number above `max`. The grids of a workload without tasks tell; with tasks it
 * is simulated without recording blocks, which is quick. An error is left to the simulation that follows. */
static uint64_t count_blocks(const simulated *s, uint64_t max)
{
    const gcast_workload *w = s->w;
    gcast_run *run = NULL;
    gcast_error unused;
    uint64_t count = 0;
    for (size_t i = 0; i < w->op_count && count <= max; i++)
        if (w->ops[i].kind == GCAST_KIND_KERNEL)
            count += (uint64_t)w->ops[i].grid[0] * w->ops[i].grid[1] * w->ops[i].grid[2];
    if (count > max || !w->task_count)
        return count;
    count = 0;
    if (gcast_workload_simulate(w, s->gpu, &s->options, &run, &unused) == GCAST_OK)
        for (size_t i = 0; i < run->op_count; i++)
            count += run->ops[i].block_count;
    gcast_run_free(run);
    return count;
}

/* Are there more blocks than a page shows one by one on its SMs, or than are recorded for it? */
static bool has_many_blocks(const args *a, const simulated *s)
{
    gcast_report_options shown = gcast_report_options_default();
    if (ranges_from_args(a, &shown) != GCAST_OK)
        return false; /* the error is printed later */
    uint64_t count = count_blocks(s, MAX_RECORDED), sms = (uint64_t)s->gpu->sms;
    uint64_t last = shown.last_sm < 0 ? sms - 1 : min_u64((uint64_t)shown.last_sm, sms - 1);
    uint64_t part = last < (uint64_t)shown.first_sm ? 0 : last - (uint64_t)shown.first_sm + 1;
    return count > MAX_RECORDED || count > GCAST_PAGE_BLOCKS * sms / max_u64(part, 1);
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
    /* with children all blocks are recorded: a range would leave theirs out */
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
