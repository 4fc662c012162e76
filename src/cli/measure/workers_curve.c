#include "cli/measure/workers_curve.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/integers.h"
#include "cli/args.h"
#include "cli/measure/launches.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/report.h"
#include "measure/smc/smc_session.h"
#include "model/launch_file.h"
#include "report/format_names.h"
#include "report/plots/workers_report.h"

/* --save-launch writes the launch file with the measured times. */

/* Can the file be written, and is it none of -o? Errors are printed. */
static gcast_status save_launch_check(const args *a)
{
    const char *path = args_value(a, "save-launch");
    if (!path)
        return GCAST_OK;
    for (size_t i = 0; i < a->given_count; i++) {
        const char *other = a->given[i].value;
        if (args_is(a, i, "output") && !output_is_standard(other) && !output_is_standard(path) &&
            atomic_file_same(other, path))
            return say(GCAST_USAGE, "--save-launch %s: -o names the same file", path);
    }
    return output_check(path, args_has(a, "force"));
}

/* Are two files in one folder? False also if that is not known. */
static bool is_same_folder(const char *file_a, const char *file_b)
{
    const char *file[] = {file_a, file_b};
    struct stat folder[2];
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        size_t length = path_folder_length(file[i]);
        if (length >= sizeof path)
            return false;
        memcpy(path, length ? file[i] : ".", length ? length : 1);
        path[length ? length : 1] = '\0';
        if (stat(path, &folder[i]) != 0)
            return false;
    }
    return folder[0].st_dev == folder[1].st_dev && folder[0].st_ino == folder[1].st_ino;
}

/* Does the argument name a file relative to the folder of the launch file? */
static bool names_a_file(const char *arg)
{
    const char *at = strstr(arg, ":file:");
    return at && at[strlen(":file:")] != '/';
}

/* The path of the PTX as in the launch file: without the folder that the reader put before it. */
static const char *path_as_given(const gcast_launch_file *launch)
{
    size_t folder = path_folder_length(launch->file);
    return strncmp(launch->ptx, launch->file, folder) == 0 ? launch->ptx + folder : launch->ptx;
}

/* The absolute path. Errors are printed. */
static gcast_status make_absolute(const char *path, char out[PATH_MAX])
{
    size_t length = 0;
    *out = '\0';
    if (path[0] != '/' && !getcwd(out, PATH_MAX - 1))
        return say(GCAST_RESOURCE, "the current folder: %s", strerror(errno));
    length = strlen(out);
    if (length && out[length - 1] != '/')
        out[length++] = '/';
    if (length + strlen(path) >= PATH_MAX)
        return say_unreadable(path, ENAMETOOLONG);
    memcpy(out + length, path, strlen(path) + 1);
    return GCAST_OK;
}

/* Files that arguments name must be found from the folder of --save-launch, too. Errors are printed. */
static gcast_status save_launch_check_args(const args *a, const gcast_launch_file *launch)
{
    const char *path = args_value(a, "save-launch");
    for (size_t i = 0; path && i < launch->arg_count; i++)
        if (names_a_file(launch->args[i]) && !is_same_folder(path, launch->file))
            return say(GCAST_USAGE, "--save-launch %s: %s is from the folder of %s: save the launch there", path,
                       launch->args[i], launch->file);
    return GCAST_OK;
}

/* Writes the launch to the file of --save-launch, with these times and `job_count` durations in place of its own, and a
 * path of its PTX that holds there. Errors are printed. */
static gcast_status save_launch(const args *a, const gcast_launch_file *launch, const gcast_launch_time *times,
                                size_t time_count, const int64_t *job_ns, size_t job_count)
{
    const char *path = args_value(a, "save-launch");
    char absolute[PATH_MAX], *json;
    gcast_launch_file saved = *launch;
    gcast_error err;
    bool is_beside = is_same_folder(path, launch->file);
    gcast_status status = is_beside ? GCAST_OK : make_absolute(launch->ptx, absolute);
    if (status != GCAST_OK)
        return status;
    saved.ptx = is_beside ? path_as_given(launch) : absolute;
    saved.times = times;
    saved.time_count = time_count;
    saved.job_ns = job_ns;
    saved.job_ns_count = job_count;
    if (gcast_launch_file_write(&saved, &json, &err) != GCAST_OK)
        return say_error(&err);
    status = output_bytes(path, args_has(a, "force"), json, strlen(json));
    free(json);
    return status;
}

/* The curve has a point for each number of workers per SM. */

#define MAX_POINTS 32
#define ROUNDS 5            /* of timing */
#define MIN_RECORDED 2      /* runs with records: the first one warms caches, the last one counts */
#define MAX_RECORDED 4      /* runs with records if SMs get fewer workers than planned */
#define SMS_PER_SHORT_SM 20 /* one of so many SMs may get fewer workers */

typedef struct points {
    const launches *l;               /* the launch */
    size_t count;                    /* how many points there are */
    uint32_t workers[MAX_POINTS];    /* per SM */
    double measured_ns[MAX_POINTS];  /* of a launch; 0: not known */
    double predicted_ns[MAX_POINTS]; /* of a launch; 0: not known */
    double job_ns[MAX_POINTS];       /* median duration of a job; 0: not known */
} points;

static const char *stdout_option(const args *a)
{
    return args_has(a, "json") ? "--json" : args_has(a, "csv") ? "--csv" : NULL;
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
            status = output_check_format(a->given[i].value, FORMATS_PLOT,
                                         "a curve needs a name that ends in .svg .png .pdf .csv .json or .txt");
    }
    if (status == GCAST_OK && launch_count > 1)
        status = say(GCAST_USAGE, "--curve takes one --launch");
    if (status == GCAST_OK && args_has(a, "json") && args_has(a, "csv"))
        status = say(GCAST_USAGE, "--json or --csv, not both");
    if (status == GCAST_OK && saved && output_is_standard(saved) && printed)
        status = say(GCAST_USAGE, "--save-launch %s: standard output is already used by %s", saved, printed);
    if (status == GCAST_OK)
        status = outputs_check(a, saved && output_is_standard(saved) ? "--save-launch" : printed);
    return status == GCAST_OK ? save_launch_check(a) : status;
}

/* Takes every number of workers up to as many as an SM holds; if these are too many, some of them. */
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

/* Measures the time of a launch. If jobs were missing it is not known. */
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

/* Runs the plan with records until nearly all SMs got their workers. *short_sms: how many did not in the last run; 0:
 * few enough. */
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

/* Measures how long jobs take, and predicts from that how long the launch takes. The plan was timed just before. */
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
    if (job_count < p->count) /* durations are by number of workers, without gaps */
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
