/* gcast_answer_report_late: the timeline of a late execution, with the deadlines of its jobs and the waits of the late
 * operation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "base/text.h"
#include "base/vec.h"
#include "gridcast/analyze.h"
#include "gridcast/explain.h"
#include "gridcast/names.h"
#include "gridcast/report.h"
#include "gridcast/simulate.h"
#include "report/canvas/canvas.h"
#include "report/phrases.h"

#define NO_JOB SIZE_MAX
#define MAX_DEPTH 20    /* operations of a job that waited for each other */
#define MAX_HOLDERS 4   /* operations that a wait names */
#define MAX_RESPONSES 3 /* a deadline within so many response times is shown */

/* Operations of a late execution run once, with labels LABEL#JOB. Their labels tell their tasks and jobs. */

typedef struct late_jobs {
    VEC(gcast_report_job) jobs; /* of all tasks */
    size_t *job_of;             /* by op of the execution: index in jobs; NO_JOB: it is of no task */
} late_jobs;

static void late_jobs_free(late_jobs *j)
{
    vec_free(&j->jobs);
    free(j->job_of);
    *j = (late_jobs){0};
}

/* How many # are between a label and its job: one more than the longest run of # in a label of the workload. */
static size_t separator_length(const gcast_workload *w)
{
    size_t longest = 0;
    for (size_t i = 0; i < w->op_count; i++)
        for (const char *s = w->ops[i].label; *s; s++) {
            size_t length = strspn(s, "#");
            longest = length > longest ? length : longest;
        }
    return longest + 1;
}

static int by_label(const void *a, const void *b)
{
    const gcast_op *x = *(const gcast_op *const *)a, *y = *(const gcast_op *const *)b;
    return strcmp(x->label, y->label);
}

/* A label at the start of a longer string. */
typedef struct label_part {
    const char *start; /* its first character */
    size_t length;     /* in bytes */
} label_part;

static int compare_label(const void *key, const void *element)
{
    const label_part *part = key;
    const gcast_op *op = *(const gcast_op *const *)element;
    int order = strncmp(part->start, op->label, part->length);
    return order ? order : -(op->label[part->length] != '\0');
}

/* The op whose label is LABEL in `label`, which is LABEL#JOB, among ops of tasks sorted by label; NULL: none. */
static const gcast_op *find_op_of_job(const gcast_op *const *sorted, size_t count, size_t separator, const char *label,
                                      uint32_t *job)
{
    size_t length = strlen(label), digits = 0;
    while (digits < length && label[length - digits - 1] >= '0' && label[length - digits - 1] <= '9')
        digits++;
    if (!digits || length < digits + separator)
        return NULL;
    label_part part = {label, length - digits - separator};
    if (strspn(label + part.length, "#") != separator)
        return NULL;
    *job = (uint32_t)strtoul(label + length - digits, NULL, 10);
    const gcast_op *const *found = bsearch(&part, sorted, count, sizeof *sorted, compare_label);
    return found ? *found : NULL;
}

/* Adds an operation to its job, which may be new. Operations of a job follow each other in most workloads. */
static bool add_to_job(late_jobs *j, const gcast_workload *w, const gcast_run *run, size_t i, const gcast_op *op,
                       uint32_t job)
{
    const gcast_task *task = &w->tasks[op->task];
    const gcast_run_op *o = &run->ops[i];
    int64_t end_ns = o->skipped ? -1 : o->end_ns;
    size_t k = j->jobs.count;
    while (k-- > 0)
        if (j->jobs.at[k].row == op->task && j->jobs.at[k].job == job)
            break;
    if (k == NO_JOB) {
        int64_t release_ns = o->release_ns - op->release_ns;
        gcast_report_job new_job = {.task = task->name,
                                    .row = op->task,
                                    .job = job,
                                    .stream = task->stream,
                                    .release_ns = release_ns,
                                    .deadline_ns = release_ns + task->deadline_ns,
                                    .end_ns = end_ns};
        k = j->jobs.count;
        if (!vec_push(&j->jobs, new_job))
            return false;
    }
    gcast_report_job *of = &j->jobs.at[k];
    of->end_ns = of->end_ns < 0 || end_ns < 0 ? -1 : max_i64(of->end_ns, end_ns);
    j->job_of[i] = k;
    return true;
}

/* `w` is what was analyzed, and `run` the simulation of its execution. False without memory. */
static bool late_jobs_make(late_jobs *j, const gcast_workload *w, const gcast_run *run)
{
    size_t separator = separator_length(w), count = 0;
    const gcast_op **sorted = malloc((w->op_count + 1) * sizeof *sorted);
    *j = (late_jobs){.job_of = malloc((run->op_count + 1) * sizeof *j->job_of)};
    bool ok = sorted && j->job_of;
    for (size_t i = 0; ok && i < w->op_count; i++)
        if (w->ops[i].task != GCAST_ONCE)
            sorted[count++] = &w->ops[i];
    if (count)
        qsort(sorted, count, sizeof *sorted, by_label);
    for (size_t i = 0; ok && i < run->op_count; i++) {
        uint32_t job = 0;
        const gcast_op *op =
            count ? find_op_of_job(sorted, count, separator, run->workload->ops[run->ops[i].op].label, &job) : NULL;
        j->job_of[i] = NO_JOB;
        if (op)
            ok = add_to_job(j, w, run, i, op, job);
    }
    free(sorted);
    if (!ok)
        late_jobs_free(j);
    return ok;
}

/* What did the late operation wait for? Where that is an earlier operation of its job, the waits of that
 * one are listed instead, and so on. */

typedef struct late_waits {
    VEC(gcast_report_wait) waits; /* in order of time; their texts belong to them */
} late_waits;

static void late_waits_free(late_waits *v)
{
    for (size_t i = 0; i < v->waits.count; i++)
        free((char *)v->waits.at[i].holders);
    vec_free(&v->waits);
}

typedef struct collector {
    const gcast_run *run;  /* the run whose operations waited */
    const late_jobs *jobs; /* its jobs */
    late_waits *found;     /* waits up to now */
    gcast_error *err;      /* of the first failure */
} collector;

/* The names of the operations that held what was needed; NULL without memory. */
static char *name_holders(const gcast_run *run, const gcast_wait *w)
{
    text t;
    text_open(&t, NULL, NULL);
    for (size_t i = 0; i < w->holder_count && i < MAX_HOLDERS; i++) {
        text_str(&t, i ? ", " : "");
        phrase_op(&t, run, w->holders[i].run_op);
    }
    if (w->holder_count > MAX_HOLDERS)
        text_printf(&t, " and %zu more", w->holder_count - MAX_HOLDERS);
    return text_take(&t, NULL);
}

/* Adds a wait from from_ns to to_ns; if it continues the last wait, that one is extended. */
static gcast_status add_wait(const collector *c, const gcast_wait *w, int64_t from_ns, int64_t to_ns)
{
    char *holders = name_holders(c->run, w);
    gcast_report_wait wait = {.from_ns = from_ns,
                              .to_ns = to_ns,
                              .runs = w->reason == GCAST_WHY_RUN || w->reason == GCAST_WHY_COPY_RUN,
                              .op = c->run->workload->ops[c->run->ops[w->run_op].op].label,
                              .rule = gcast_wait_rule(w->reason, w->resources),
                              .reason = gcast_text(GCAST_NAMES_REASON, w->reason),
                              .holders = holders};
    gcast_report_wait *last = c->found->waits.count ? &c->found->waits.at[c->found->waits.count - 1] : NULL;
    if (!holders)
        return gcast_error_set_memory(c->err);
    if (last && strcmp(last->op, wait.op) == 0 && strcmp(last->rule, wait.rule) == 0 &&
        strcmp(last->reason, wait.reason) == 0 && strcmp(last->holders, holders) == 0) {
        last->to_ns = to_ns;
        free(holders);
        return GCAST_OK;
    }
    if (vec_push(&c->found->waits, wait))
        return GCAST_OK;
    free(holders);
    return gcast_error_set_memory(c->err);
}

/* The earlier operation of the same job that `op` waited for; NO_JOB: it waited for none. */
static size_t earlier_of_job(const collector *c, size_t op, const gcast_wait *w)
{
    bool is_order = w->reason == GCAST_WHY_STREAM || w->reason == GCAST_WHY_AFTER;
    for (size_t i = 0; is_order && i < w->holder_count; i++) {
        size_t holder = w->holders[i].run_op;
        if (holder < c->run->op_count && holder != op && c->jobs->job_of[holder] != NO_JOB &&
            c->jobs->job_of[holder] == c->jobs->job_of[op])
            return holder;
    }
    return NO_JOB;
}

/* Adds the waits of an operation from from_ns to to_ns. */
static gcast_status collect(const collector *c, size_t op, int64_t from_ns, int64_t to_ns, int depth)
{
    gcast_explanation *e;
    gcast_status status = gcast_run_explain(c->run, op, &e, c->err);
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < e->wait_count && status == GCAST_OK; i++) {
        const gcast_wait *w = &e->waits[i];
        int64_t start_ns = max_i64(w->from_ns, from_ns), end_ns = min_i64(w->to_ns, to_ns);
        size_t earlier = depth < MAX_DEPTH ? earlier_of_job(c, op, w) : NO_JOB;
        if (start_ns >= end_ns)
            continue;
        if (earlier != NO_JOB) {
            int64_t known_from = max_i64(start_ns, c->run->ops[earlier].release_ns);
            int64_t known_to = min_i64(end_ns, c->run->ops[earlier].end_ns);
            if (known_from < known_to) {
                if (start_ns < known_from)
                    status = add_wait(c, w, start_ns, known_from);
                if (status == GCAST_OK)
                    status = collect(c, earlier, known_from, known_to, depth + 1);
                start_ns = known_to;
            }
        }
        if (status == GCAST_OK && start_ns < end_ns)
            status = add_wait(c, w, start_ns, end_ns);
    }
    gcast_explanation_free(e);
    return status;
}

/* All blocks of the run must be recorded. */
static gcast_status late_waits_make(late_waits *v, const gcast_run *run, const late_jobs *jobs, size_t late,
                                    gcast_error *err)
{
    *v = (late_waits){0};
    collector c = {run, jobs, v, err};
    gcast_status status = collect(&c, late, INT64_MIN, INT64_MAX, 0);
    if (status != GCAST_OK)
        late_waits_free(v);
    return status;
}

/* Shows the job of the late operation from shortly before its release, and its deadline unless that is far away. */
static void choose_range(const gcast_run *run, const late_jobs *jobs, size_t late, gcast_report_options *options)
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

static gcast_status draw(const gcast_run *run, const late_jobs *jobs, size_t late, const char *title,
                         gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    late_waits waits;
    char label[120];
    gcast_status status = late_waits_make(&waits, run, jobs, late, err);
    if (status != GCAST_OK)
        return status;
    snprintf(label, sizeof label, "why %.100s", run->workload->ops[run->ops[late].op].label);
    gcast_report_options options = gcast_report_options_default();
    options.jobs = jobs->jobs.at;
    options.job_count = jobs->jobs.count;
    options.waits = waits.waits.at;
    options.wait_count = waits.waits.count;
    options.waits_label = label;
    options.waits_title = title;
    options.explain = gcast_run_explain;
    choose_range(run, jobs, late, &options);
    status = gcast_run_report(run, format, &options, write, data, err);
    late_waits_free(&waits);
    return status;
}

/* Draws an execution of the analyzed workload. */
static gcast_status draw_execution(const gcast_workload *analyzed, const gcast_workload *execution, size_t late,
                                   const char *title, gcast_format format, gcast_write_fn write, void *data,
                                   gcast_error *err)
{
    gcast_run *run;
    late_jobs jobs;
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = true;
    gcast_status status = gcast_workload_simulate(execution, NULL, &options, &run, err);
    if (status != GCAST_OK)
        return status;
    if (late_jobs_make(&jobs, analyzed, run)) {
        status = draw(run, &jobs, late, title, format, write, data, err);
        late_jobs_free(&jobs);
    } else {
        status = gcast_error_set_memory(err);
    }
    gcast_run_free(run);
    return status;
}

gcast_status gcast_answer_report_late(const gcast_answer *answer, size_t op, gcast_format format, gcast_write_fn write,
                                      void *data, gcast_error *err)
{
    gcast_late seen;
    gcast_workload *execution;
    size_t late;
    text t;
    if (!answer || !write)
        return argument_missing(err);
    if (!canvas_writes(format) && format != GCAST_FORMAT_HTML)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a late execution cannot be drawn as %s",
                               gcast_name(GCAST_NAMES_FORMAT, format));
    if (op == GCAST_NO_OP || !gcast_answer_find_late(answer, op, &seen))
        return gcast_error_set(err, GCAST_USAGE, NULL, "no response of this op was seen");
    gcast_status status = gcast_answer_late_execution(answer, op, &execution, &late, err);
    if (status != GCAST_OK)
        return status;
    text_open(&t, NULL, NULL);
    phrase_late(&t, execution->ops[late].label, &seen);
    char *title = text_take(&t, NULL);
    status = title ? draw_execution(answer->workload, execution, late, title, format, write, data, err)
                   : gcast_error_set_memory(err);
    free(title);
    gcast_workload_free(execution);
    return status;
}
