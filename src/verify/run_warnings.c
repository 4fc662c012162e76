/* gcast_run_add_warnings: what a prediction depends on, found by simulating the workload again: races, and what the
 * workload leaves open. */
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/units.h"
#include "gridcast/races.h"
#include "model/run.h"
#include "model/workload/left_open.h"
#include "verify/score.h"

#define QUICK_MAX_BLOCKS 100000 /* runs with at most this many blocks are simulated again unasked */
#define QUICK_TRIALS 8          /* for races */
#define MAX_RACES 5             /* that get a note each */
#define OPERATION_NAME_SIZE 232

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

static bool note_race(gcast_run *run, const gcast_race *race)
{
    char note[500], name[OPERATION_NAME_SIZE], earliest[40], latest[40], noise[40], launches[80] = "";
    operation_name(run, race->run_op, name);
    units_format_time(race->earliest_ns, earliest, sizeof earliest);
    units_format_time(race->latest_ns, latest, sizeof latest);
    units_format_time(run->gpu->launch_noise_ns, noise, sizeof noise);
    if (run->gpu->launch_noise_ns)
        snprintf(launches, sizeof launches, " and launch latencies vary by %s", noise);
    units_format_time(run->gpu->noise_ns, noise, sizeof noise);
    snprintf(note, sizeof note, "race: %s ends between %s and %s if blocks take up to %s longer%s", name, earliest,
             latest, noise, launches);
    return run_add_note(run, note);
}

static bool note_races(gcast_run *run, const gcast_race *races, size_t count)
{
    char note[80];
    bool ok = true;
    for (size_t i = 0; i < count && i < MAX_RACES && ok; i++)
        ok = note_race(run, &races[i]);
    snprintf(note, sizeof note, "%zu more operations have races", count > MAX_RACES ? count - MAX_RACES : 0);
    return ok && (count <= MAX_RACES || run_add_note(run, note));
}

/* `trials` below 0: as many as are quick. */
static gcast_status look_for_races(gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                   int trials, gcast_error *err)
{
    gcast_race *races;
    size_t count;
    if (!trials || (!run->gpu->noise_ns && !run->gpu->launch_noise_ns))
        return GCAST_OK;
    if (trials < 0 && !run_blocks_at_most(run, QUICK_MAX_BLOCKS))
        return run_add_note(run, "no search for races: too many blocks; --races N searches anyway")
                   ? GCAST_OK
                   : gcast_error_set_memory(err);
    gcast_status status =
        gcast_run_find_races(run, gpu, options, trials < 0 ? QUICK_TRIALS : trials, &races, &count, err);
    if (status != GCAST_OK)
        return status;
    bool ok = note_races(run, races, count);
    free(races);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* A prediction may also depend on what the workload leaves open: the carveouts of its kernels, and whether its streams
 * wait for the NULL stream. */

typedef struct open_choice {
    left_open what;
    const char *choice_words; /* the other choice, in words */
    const char *key_words;    /* which key of the workload would specify it */
} open_choice;

static const open_choice open_choices[] = {
    {LEFT_OPEN_CARVEOUTS, "with CUDA's default carveouts", "\"carveout\" in the workload says which they have"},
    {LEFT_OPEN_BLOCKING, "with blocking streams (cudaStreamCreate), which synchronize with the NULL stream,",
     "\"blocking\" of \"streams\" says whether they do"},
};

static bool note_other_end(gcast_run *run, const gcast_run *alternative, size_t run_op, const open_choice *q)
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

/* Compares the run with that of the other choice. */
static gcast_status compare_other(gcast_run *run, const gcast_workload *other, const gcast_gpu *gpu,
                                  const gcast_simulate_options *options, const open_choice *q, gcast_error *err)
{
    char note[500];
    gcast_run *alternative = NULL;
    bool ok;
    gcast_status status = gcast_workload_simulate(other, gpu, options, &alternative, err);
    if (status != GCAST_OK && status != GCAST_INPUT)
        return status;
    if (status == GCAST_INPUT) { /* such as an end past the latest time that can be counted */
        snprintf(note, sizeof note, "%s: %.300s", q->choice_words, err->message);
        ok = run_add_note(run, note);
    } else {
        gcast_agreement a = gcast_run_compare(alternative, run);
        bool alike = a.error_ns <= run->end_ns / 100; /* both are simulated, so there is no scatter to allow for */
        ok = alike || note_other_end(run, alternative, a.worst_op, q);
    }
    gcast_run_free(alternative);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status try_other_choice(gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                     const open_choice *q, gcast_error *err)
{
    gcast_workload *other;
    if (!workload_leaves_open(run->workload, run->gpu, q->what))
        return GCAST_OK;
    gcast_status status = gcast_workload_copy(run->workload, &other, err);
    if (status != GCAST_OK)
        return status;
    workload_choose_other(other, q->what);
    status = compare_other(run, other, gpu, options, q, err);
    gcast_workload_free(other);
    return status;
}

gcast_status gcast_run_add_warnings(gcast_run *run, const gcast_gpu *gpu, const gcast_simulate_options *given,
                                    int trials, gcast_error *err)
{
    gcast_error own;
    gcast_simulate_options options = gcast_simulate_options_default();
    if (!run)
        return argument_missing(err);
    gcast_status status = options_copy(&options, sizeof options, given, "gcast_simulate_options", err);
    options.record_blocks = false;
    /* `measure` sets carveouts and creates streams as they are simulated */
    bool with_choices = !options.as_measured && run_blocks_at_most(run, QUICK_MAX_BLOCKS);
    for (size_t i = 0; i < sizeof open_choices / sizeof open_choices[0] && with_choices && status == GCAST_OK; i++)
        status = try_other_choice(run, gpu, &options, &open_choices[i], err ? err : &own);
    return status == GCAST_OK ? look_for_races(run, gpu, &options, trials, err) : status;
}
