#include "cli/system/simulate_system.h"

#include "cli/output/progress.h"
#include "cli/run/simulated.h"
#include "cli/say.h"
#include "cli/system/opened_system.h"
#include "cli/system/system_files.h"
#include "report/system/job_due.h"
#include "simulate/system/system_simulate.h"

const option_spec simulate_system_shared[] = {
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {"horizon", 0, NULL, NULL},
    {"durations", 0, NULL, NULL},
    {"output", 0, NULL, "also to .txt .json .html, or as a picture .svg .png .pdf"},
    {"force", 0, NULL, NULL},
    {"json", 0, NULL, "print gridcast.system-run/1 instead of the table"},
    {"no-blocks", 0, NULL, "pictures: no rows of SMs"},
    {"sm-range", 0, NULL, NULL},
    {"time-range", 0, NULL, NULL},
    {"no-fold", 0, NULL, NULL},
    {"width", 0, NULL, "of pictures (default 1200)"},
    {"quiet", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

static gcast_status options_from_args(const args *a, sys_simulate_options *o)
{
    gcast_simulate_options durations = gcast_simulate_options_default();
    const char *value = args_value(a, "durations");
    *o = (sys_simulate_options){.durations = durations.durations};
    gcast_status status = value ? durations_from_text(value, &durations) : GCAST_OK;
    o->durations = durations.durations;
    o->seed = durations.seed;
    o->random_offsets = args_has(a, "ignore-offsets");
    o->random_jitter = o->random_offsets || o->durations == GCAST_DURATIONS_RANDOM;
    o->record = args_has(a, "json") || args_has(a, "output");
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}

static bool is_in_time(const sys_run *run)
{
    for (size_t i = 0; i < run->job_count; i++)
        if (job_missed(run, &run->jobs[i]))
            return false;
    return true;
}

static gcast_status simulate_opened(const args *a, const sys_system *s, const sys_simulate_options *o,
                                    const sys_report_options *report)
{
    gcast_error err;
    progress shown;
    sys_run *run;
    progress_start(&shown, "simulating");
    gcast_status status = system_simulate(s, NULL, o, &run, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_system_error(s, &err);
    system_output w = {.run = run, .options = *report};
    status = system_files_write(a, &w);
    if (status == GCAST_OK && !is_in_time(run))
        status = GCAST_NO;
    system_run_free(run);
    return status;
}

/* Notes that the model may be wrong, or that what is simulated may not be all of it. */
static void say_findings(const sys_system *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->finding_count; i++)
        count += s->findings[i].doubtful || s->findings[i].effects;
    if (count)
        say(GCAST_OK, "note: %zu thing%s of the model %s doubtful, left out or assumed; gridcast analyze lists them",
            count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

gcast_status simulate_system(const args *a)
{
    opened_system opened;
    sys_simulate_options o;
    sys_report_options report;
    gcast_status status = options_from_args(a, &o);
    if (status == GCAST_OK)
        status = system_report_options_from_args(a, &report);
    if (status == GCAST_OK)
        status = system_files_check(a);
    if (status == GCAST_OK)
        status = opened_system_from_args(a, &opened);
    if (status != GCAST_OK)
        return status;
    say_findings(opened.s);
    status = simulate_opened(a, opened.s, &o, &report);
    opened_system_free(&opened);
    return status;
}
