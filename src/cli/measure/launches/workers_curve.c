#include "cli/measure/launches/workers_curve.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "cli/measure/launches/job_prediction.h"
#include "cli/measure/launches/save_launch.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/report.h"

#define MAX_POINTS 32
#define ROUNDS 5            /* of timing */
#define MIN_RECORDED 2      /* runs with records: the first one warms caches, the last one counts */
#define MAX_RECORDED 4      /* of them, where SMs get fewer workers than planned */
#define SMS_PER_SHORT_SM 20 /* of so many SMs one may get fewer */

typedef struct points {
    const launches *l;               /* the launch */
    size_t count;                    /* of points */
    uint32_t workers[MAX_POINTS];    /* per SM */
    double measured_ns[MAX_POINTS];  /* of a launch; 0: not known */
    double predicted_ns[MAX_POINTS]; /* of a launch; 0: not known */
    double job_ns[MAX_POINTS];       /* median duration of a job; 0: not known */
} points;

static const char *stdout_option(const args *a)
{
    return args_has(a, "json") ? "--json" : args_has(a, "csv") ? "--csv" : NULL;
}

static gcast_status check_format(const char *path)
{
    gcast_format format;
    if (!gcast_format_from_name(path, &format) || format == GCAST_FORMAT_HTML || format == GCAST_FORMAT_TRACE)
        return say(GCAST_USAGE, "%s: a curve ends in .svg .png .pdf .csv .json or .txt", path);
    if (!gcast_format_available(format))
        return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_format_ending(format));
    return GCAST_OK;
}

gcast_status workers_curve_check(const args *a)
{
    static const char *const allowed[] = {"launch", "curve",  "save-launch", "independent", "whole-warps",
                                          "driver", "output", "force",       "json",        "csv",
                                          "quiet",  "color",  "help",        NULL};
    const char *saved = args_value(a, "save-launch"), *printed = stdout_option(a);
    size_t launch_count = 0;
    gcast_status status = args_only(a, "curve", allowed);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        launch_count += args_is(a, i, "launch");
        if (args_is(a, i, "output"))
            status = check_format(a->given[i].value);
    }
    if (status == GCAST_OK && launch_count > 1)
        status = say(GCAST_USAGE, "--curve is about one --launch");
    if (status == GCAST_OK && args_has(a, "json") && args_has(a, "csv"))
        status = say(GCAST_USAGE, "--json or --csv, not both");
    if (status == GCAST_OK && saved && output_is_standard(saved) && printed)
        status = say(GCAST_USAGE, "--save-launch %s: standard output is taken by %s", saved, printed);
    if (status == GCAST_OK)
        status = outputs_check(a, saved && output_is_standard(saved) ? "--save-launch" : printed);
    return status == GCAST_OK ? save_launch_check(a) : status;
}

/* Every number of workers that an SM holds; where these are many, some of them. */
static void choose_workers(points *p)
{
    static const uint32_t some[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    uint32_t holds = p->l->at[0].facts.holds[1];
    if (holds <= MAX_POINTS)
        for (uint32_t w = 1; w <= holds; w++)
            p->workers[p->count++] = w;
    else
        for (size_t i = 0; i < sizeof some / sizeof *some; i++)
            p->workers[p->count++] = some[i];
}

/* The time of a launch. Where jobs were missing it is not known. */
static gcast_status time_point(points *p, size_t i, const gcast_plan *plan)
{
    char note[128];
    double round[ROUNDS];
    uint32_t in_a_row, missing, max_missing = 0;
    gcast_status status = launches_in_a_row(p->l, 0, plan, &in_a_row);
    for (int k = 0; k < ROUNDS && status == GCAST_OK; k++) {
        status = launches_time_row(p->l, 0, plan, in_a_row, &round[k], &missing);
        max_missing = max_u32(max_missing, missing);
    }
    if (status != GCAST_OK)
        return status;
    if (!max_missing) {
        p->measured_ns[i] = launches_median(round, ROUNDS);
        return GCAST_OK;
    }
    snprintf(note, sizeof note, "with %u workers per SM %u jobs were missing: no time is measured", p->workers[i],
             max_missing);
    say_note(note);
    return GCAST_OK;
}

/* Runs the plan with records until nearly all SMs got their workers. *short_sms: those that did not in the last run. */
static gcast_status record_jobs(const launches *l, gcast_smc_record *records, uint32_t *short_sms)
{
    gcast_status status = GCAST_OK;
    uint32_t max_short = (uint32_t)l->gpu->sms / SMS_PER_SHORT_SM;
    *short_sms = 0;
    for (int run = 0; run < MAX_RECORDED && (run < MIN_RECORDED || *short_sms > max_short); run++) {
        gcast_smc_outcome outcome;
        gcast_error err;
        status = gcast_smc_session_run(l->session, 0, 0, &outcome, records, &err);
        gcast_smc_coverage_free(outcome.coverage);
        if (status != GCAST_OK)
            return say_error(&err);
        *short_sms = outcome.short_sms > max_short ? outcome.short_sms : 0;
    }
    return GCAST_OK;
}

static gcast_status find_median_job(points *p, size_t i, const gcast_smc_record *records, uint32_t jobs)
{
    double *duration = malloc((size_t)jobs * sizeof *duration);
    if (!duration)
        return say_no_memory();
    for (uint32_t j = 0; j < jobs; j++)
        duration[j] = (double)record_job_ns(&records[j]);
    p->job_ns[i] = launches_median(duration, jobs);
    free(duration);
    return GCAST_OK;
}

/* How long jobs take, and by that how long the launch should take. The plan is the one that was timed last. */
static gcast_status predict_point(points *p, size_t i, const gcast_plan *plan)
{
    char note[128];
    uint32_t short_sms;
    gcast_smc_record *records = calloc(plan->jobs, sizeof *records);
    if (!records)
        return say_no_memory();
    gcast_status status = record_jobs(p->l, records, &short_sms);
    if (status == GCAST_OK && short_sms) {
        snprintf(note, sizeof note, "with %u workers per SM %u SMs got fewer: no time is predicted", p->workers[i],
                 short_sms);
        say_note(note);
    } else if (status == GCAST_OK) {
        status = find_median_job(p, i, records, plan->jobs);
        if (status == GCAST_OK)
            status = predict_from_records(p->l, 0, plan, records, &p->predicted_ns[i]);
    }
    free(records);
    return status;
}

static gcast_status measure_points(points *p)
{
    static const plan_form form = {"queues, in turn", GCAST_MAPPING_QUEUES, false, true};
    progress shown;
    gcast_status status = GCAST_OK;
    progress_start(&shown, "measuring");
    for (size_t i = 0; i < p->count && status == GCAST_OK; i++) {
        gcast_plan *plan = NULL;
        progress_show(&shown, (double)i / (double)p->count);
        status = launches_plan(p->l, 0, &form, p->workers[i], NULL, 0, &plan);
        if (status == GCAST_OK)
            status = time_point(p, i, plan);
        if (status == GCAST_OK)
            status = predict_point(p, i, plan);
        gcast_plan_free(plan);
    }
    progress_end(&shown);
    return status;
}

static gcast_status save(const points *p)
{
    gcast_launch_time times[MAX_POINTS];
    int64_t job_ns[MAX_POINTS];
    size_t time_count = 0, job_count = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (p->measured_ns[i] > 0)
            times[time_count++] = (gcast_launch_time){p->workers[i], (uint32_t)p->l->gpu->sms,
                                                      max_i64(1, (int64_t)(p->measured_ns[i] + 0.5))};
        if (p->job_ns[i] > 0 && p->workers[i] == job_count + 1)
            job_ns[job_count++] = (int64_t)p->job_ns[i];
    }
    if (job_count < p->count) /* they are by number of workers, without gaps */
        job_count = 0;
    return save_launch(p->l->a, p->l->at[0].file, times, time_count, job_ns, job_count);
}

static gcast_status write_curve(const args *a, const gcast_workers_curve *c, gcast_format format, const char *path)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    status = gcast_workers_report(c, format, output_write, &out, &err);
    return output_finish(&out, status, &err);
}

static gcast_status write_all(const points *p)
{
    const args *a = p->l->a;
    const char *saved = args_value(a, "save-launch");
    gcast_workers_curve c = {.gpu = p->l->gpu->title ? p->l->gpu->title : p->l->gpu->name,
                             .kernel = p->l->at[0].file->name,
                             .sms = (uint32_t)p->l->gpu->sms,
                             .count = p->count,
                             .workers = p->workers,
                             .measured_ns = p->measured_ns,
                             .predicted_ns = p->predicted_ns};
    bool stdout_is_used = saved && output_is_standard(saved);
    gcast_status status = saved ? save(p) : GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *path = a->given[i].value;
        gcast_format format;
        if (!args_is(a, i, "output") || !gcast_format_from_name(path, &format))
            continue;
        stdout_is_used = stdout_is_used || output_is_standard(path);
        status = write_curve(a, &c, format, path);
    }
    if (status != GCAST_OK || stdout_is_used)
        return status;
    if (args_has(a, "json") || args_has(a, "csv"))
        return write_curve(a, &c, args_has(a, "json") ? GCAST_FORMAT_JSON : GCAST_FORMAT_CSV, "-");
    return args_has(a, "quiet") ? GCAST_OK : write_curve(a, &c, GCAST_FORMAT_TABLE, "-");
}

gcast_status workers_curve(const launches *l)
{
    points p = {.l = l};
    choose_workers(&p);
    if (!p.count)
        return say(GCAST_GPU, "no SM of this GPU holds a worker of %s", l->at[0].file->name);
    gcast_status status = save_launch_check_args(l->a, l->at[0].file);
    if (status == GCAST_OK)
        status = measure_points(&p);
    return status == GCAST_OK ? write_all(&p) : status;
}
