#include "cli/analyze/witness/witness_picture.h"

#include <stdio.h>

#include "base/minmax.h"
#include "cli/analyze/witness/witness_jobs.h"
#include "cli/analyze/witness/witness_waits.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "gridcast/simulate.h"

#define MAX_RESPONSES 3 /* in which a deadline is near */

bool witness_is_picture(const char *path, gcast_format *format)
{
    return gcast_format_from_name(path, format) && (*format == GCAST_FORMAT_SVG || *format == GCAST_FORMAT_PNG ||
                                                    *format == GCAST_FORMAT_PDF || *format == GCAST_FORMAT_HTML);
}

/* Shows the job of the late operation, from somewhat before its release on, and its deadline unless that is far away.
 */
static void choose_range(const gcast_run *run, const witness_jobs *jobs, size_t late, gcast_report_options *options)
{
    const gcast_run_op *o = &run->ops[late];
    int64_t from_ns = o->release_ns, to_ns = o->end_ns;
    if (jobs->job_of[late] != NO_JOB) {
        const gcast_report_job *job = &jobs->jobs.at[jobs->job_of[late]];
        from_ns = min_i64(from_ns, job->release_ns);
        if ((job->deadline_ns - from_ns) / MAX_RESPONSES <= to_ns - from_ns)
            to_ns = max_i64(to_ns, job->deadline_ns);
    }
    int64_t margin_ns = (to_ns - from_ns) / 8 + 1;
    options->from_ns = max_i64(0, from_ns - margin_ns);
    options->to_ns = to_ns + margin_ns;
}

static gcast_status draw(const char *path, gcast_format format, bool force, const gcast_workload *analyzed,
                         const gcast_run *run, size_t late, const char *title)
{
    gcast_error err;
    output out;
    witness_jobs jobs;
    witness_waits waits;
    char label[120];
    if (!witness_jobs_make(&jobs, analyzed, run))
        return say_no_memory();
    gcast_status status = witness_waits_make(&waits, run, &jobs, late, &err);
    if (status != GCAST_OK) {
        witness_jobs_free(&jobs);
        return say_error(&err);
    }
    snprintf(label, sizeof label, "why %.100s", run->workload->ops[run->ops[late].op].label);
    gcast_report_options options = gcast_report_options_default();
    options.jobs = jobs.jobs.at;
    options.job_count = jobs.jobs.count;
    options.waits = waits.waits.at;
    options.wait_count = waits.waits.count;
    options.waits_label = label;
    options.waits_title = title;
    options.explain = gcast_run_explain;
    choose_range(run, &jobs, late, &options);
    status = output_open(&out, path, force);
    if (status == GCAST_OK)
        status = output_finish(&out, gcast_run_report(run, format, &options, output_write, &out, &err), &err);
    witness_waits_free(&waits);
    witness_jobs_free(&jobs);
    return status;
}

gcast_status witness_draw(const char *path, gcast_format format, bool force, const gcast_workload *analyzed,
                          const gcast_workload *witness, size_t late, const char *title)
{
    gcast_error err;
    gcast_run *run;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    if (gcast_workload_simulate(witness, NULL, &options, &run, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = draw(path, format, force, analyzed, run, late, title);
    gcast_run_free(run);
    return status;
}
