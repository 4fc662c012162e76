#include "cli/analyze/witness_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/text.h"
#include "base/units.h"
#include "base/vec.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "gridcast/explain.h"
#include "gridcast/names.h"
#include "gridcast/report.h"
#include "gridcast/simulate.h"
#include "model/workload/workload.h"
#include "report/format_names.h"
#include "report/phrases.h"

#define NO_JOB SIZE_MAX
#define NO_OP SIZE_MAX
#define MS 1000000      /* in nanoseconds */
#define MAX_DEPTH 20    /* operations of a job that waited for each other */
#define MAX_HOLDERS 4   /* operations that a wait names */
#define MAX_RESPONSES 3 /* a deadline within so many response times is shown */

/* Operations of a witness run once, with labels LABEL#JOB. Their labels tell their tasks and jobs. */

typedef struct witness_jobs {
    VEC(gcast_report_job) jobs; /* of all tasks */
    size_t *job_of;             /* by op of the witness: index in jobs; NO_JOB: it is of no task */
} witness_jobs;

static void witness_jobs_free(witness_jobs *j)
{
    vec_free(&j->jobs);
    free(j->job_of);
    *j = (witness_jobs){0};
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
static bool add_to_job(witness_jobs *j, const gcast_workload *w, const gcast_run *run, size_t i, const gcast_op *op,
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

/* `w` is what was analyzed, and `run` the simulation of its witness. False without memory. */
static bool witness_jobs_make(witness_jobs *j, const gcast_workload *w, const gcast_run *run)
{
    size_t separator = separator_length(w), count = 0;
    const gcast_op **sorted = malloc((w->op_count + 1) * sizeof *sorted);
    *j = (witness_jobs){.job_of = malloc((run->op_count + 1) * sizeof *j->job_of)};
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
        witness_jobs_free(j);
    return ok;
}

/* What did the late operation of a witness wait for? Where that is an earlier operation of its job, the waits of that
 * one are listed instead, and so on. */

typedef struct witness_waits {
    VEC(gcast_report_wait) waits; /* in order of time; their texts belong to them */
} witness_waits;

static void witness_waits_free(witness_waits *v)
{
    for (size_t i = 0; i < v->waits.count; i++)
        free((char *)v->waits.at[i].holders);
    vec_free(&v->waits);
}

typedef struct collector {
    const gcast_run *run;     /* the run whose operations waited */
    const witness_jobs *jobs; /* its jobs */
    witness_waits *found;     /* waits up to now */
    gcast_error *err;         /* of the first failure */
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
static gcast_status witness_waits_make(witness_waits *v, const gcast_run *run, const witness_jobs *jobs, size_t late,
                                       gcast_error *err)
{
    *v = (witness_waits){0};
    collector c = {run, jobs, v, err};
    gcast_status status = collect(&c, late, INT64_MIN, INT64_MAX, 0);
    if (status != GCAST_OK)
        witness_waits_free(v);
    return status;
}

/* --witness as a picture is the timeline of a late execution, with the deadlines of its jobs and the waits of the late
 * operation. */

/* Does the ending of the name say that the witness is drawn? */
static bool witness_is_picture(const char *path, gcast_format *format)
{
    return gcast_format_from_name(path, format) && (*format == GCAST_FORMAT_SVG || *format == GCAST_FORMAT_PNG ||
                                                    *format == GCAST_FORMAT_PDF || *format == GCAST_FORMAT_HTML);
}

/* Shows the job of the late operation from shortly before its release, and its deadline unless that is far away. */
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

/* `analyzed` is the workload that was analyzed, `witness` its execution as a workload, `late` the op of the witness
 * that is shown, and `title` says how late it is. Errors are printed. */
static gcast_status witness_draw(const char *path, gcast_format format, bool force, const gcast_workload *analyzed,
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

/* A search finds late executions; one of them is reported. */

/* Options that an analysis depends on, for a command that repeats it. */
static const char *const repeated[] = {"method", "any-order", "horizon",  "limit",       "launch-latency", "quantile",
                                       "gpu",    "sms",       "duration", "calibration", "iterations",     "search"};

static bool has_deadline_at_risk(const gcast_answer *answer)
{
    for (size_t i = 0; i < answer->response_count; i++) {
        gcast_deadline_verdict v = gcast_answer_verdict(answer, &answer->responses[i]);
        if (v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN)
            return true;
    }
    return false;
}

/* The op of --op; NO_OP: --op is not given, or names none. */
static size_t find_op(const args *a, const gcast_workload *w)
{
    const char *label = args_value(a, "op");
    for (size_t i = 0; label && i < w->op_count; i++)
        if (strcmp(w->ops[i].label, label) == 0 && gcast_kind_on_gpu(w->ops[i].kind))
            return i;
    return NO_OP;
}

static gcast_status check_op(const args *a, const gcast_workload *w)
{
    const char *label = args_value(a, "op");
    if (!label || find_op(a, w) != NO_OP)
        return GCAST_OK;
    suggestion s = suggest_for(label);
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            suggest_consider(&s, w->ops[i].label);
    return s.nearest ? say(GCAST_USAGE, "%s: no operation is called %s; did you mean %s?", w->source, label, s.nearest)
                     : say(GCAST_USAGE, "%s: no operation is called %s", w->source, label);
}

/* -o must not write to this file, too. */
static gcast_status check_outputs_differ(const args *a, const char *path)
{
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, "output") && atomic_file_same(a->given[i].value, path))
            return say(GCAST_USAGE, "--witness %s: -o names the same file", path);
    return GCAST_OK;
}

gcast_status witness_check(const args *a, const gcast_workload *w)
{
    const char *path = args_value(a, "witness");
    int64_t search_ns = -1;
    gcast_status status = args_time(a, "search", &search_ns);
    if (status != GCAST_OK)
        return status;
    if (!path)
        return args_has(a, "op") ? say(GCAST_USAGE, "--op needs --witness")
               : args_has(a, "force") && !args_has(a, "output")
                   ? say(GCAST_USAGE, "--force needs --witness or --output")
                   : GCAST_OK;
    if (search_ns == 0)
        return say(GCAST_USAGE, "--witness needs the search, which --search 0 leaves out");
    if (output_is_standard(path))
        return say(GCAST_USAGE, "--witness %s: standard output is already used by the answer", path);
    if (atomic_file_same(path, a->operands[0]))
        return say(GCAST_USAGE, "--witness %s: this file is the input", path);
    gcast_format format;
    bool has_format = gcast_format_from_name(path, &format);
    if (has_format && format != GCAST_FORMAT_JSON && !witness_is_picture(path, &format))
        return say(GCAST_USAGE, "--witness %s: a witness is written as .json .svg .png .pdf .html", path);
    if (!witness_is_picture(path, &format))
        status = output_check_workload("--witness", "analyze", path);
    else if (!gcast_format_available(format))
        status = say(GCAST_RESOURCE, "--witness %s: this build cannot write %s", path,
                     gcast_name(GCAST_NAMES_FORMAT, format));
    if (status == GCAST_OK)
        status = check_outputs_differ(a, path);
    if (status == GCAST_OK)
        status = output_check(path, args_has(a, "force"));
    return status == GCAST_OK ? check_op(a, w) : status;
}

/* Is a picture to be written? It shows the latest execution also if no deadline is missed. */
static bool is_picture(const args *a)
{
    gcast_format format;
    return args_has(a, "witness") && witness_is_picture(args_value(a, "witness"), &format);
}

/* How many hyperperiods show the worst response of method exact, which simulated `states` of them. */
static uint32_t exact_hyperperiods(const gcast_answer *answer)
{
    const gcast_workload *w = answer->workload;
    int64_t hyperperiod, release = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < answer->analysis_count; i++)
        if (answer->analyses[i]->complete && answer->analyses[i]->method == GCAST_METHOD_EXACT)
            count = answer->analyses[i]->states;
    if (!count || !gcast_workload_hyperperiod(w, &hyperperiod))
        return 0;
    for (size_t i = w->once_count; i < w->op_count; i++)
        release = max_i64(release, w->ops[i].release_ns);
    count += (uint64_t)div_up(release, hyperperiod) + 1;
    return (uint32_t)min_u64(count, UINT32_MAX);
}

/* For each op the response time that ends the search for it: its bound; 0: the op does not matter. */
static int64_t *enough_responses(const args *a, const gcast_answer *answer)
{
    int64_t *enough_ns = calloc(answer->workload->op_count + 1, sizeof *enough_ns);
    size_t chosen = find_op(a, answer->workload);
    for (size_t i = 0; enough_ns && i < answer->response_count; i++) {
        const gcast_response *r = &answer->responses[i];
        gcast_deadline_verdict v = gcast_answer_verdict(answer, r);
        if (args_has(a, "search") || (chosen == NO_OP && is_picture(a)) || r->op == chosen ||
            v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN)
            enough_ns[r->op] = r->never_called ? 0 : r->worst_ns;
    }
    return enough_ns;
}

/* Has some op of a task no bound, although all its jobs count? */
static bool may_grow(const gcast_answer *answer, const gcast_analyze_options *options)
{
    bool unbounded = false;
    for (size_t i = 0; i < answer->response_count; i++)
        unbounded =
            unbounded || (!answer->responses[i].never_called && answer->responses[i].worst_ns == GCAST_NO_BOUND);
    return unbounded && answer->workload->task_count && !options->horizon_ns;
}

gcast_status witness_search(const args *a, gcast_answer *answer, bool is_auto, const gcast_analyze_options *options,
                            progress *shown, gcast_witness **witness)
{
    gcast_witness_options own = gcast_witness_options_default();
    int64_t search_ns = is_auto ? own.max_ms * MS : 0; /* a safeguard: the search is limited by operations */
    bool is_given = args_has(a, "search"), is_written = args_has(a, "witness");
    *witness = NULL;
    gcast_status status = args_time(a, "search", &search_ns);
    if (status != GCAST_OK)
        return status;
    if (is_written && !search_ns)
        search_ns = own.max_ms * MS;
    bool at_risk = has_deadline_at_risk(answer) || args_has(a, "op") || is_picture(a);
    if (!search_ns || (answer->attained && !is_written) || (!at_risk && (!is_given || is_written)))
        return GCAST_OK;
    own.any_order = options->any_order;
    own.horizon_ns = options->horizon_ns;
    own.max_ms = div_up(search_ns, MS);
    own.launch_min_ns = options->launch_min_ns;
    own.launch_max_ns = options->launch_max_ns;
    own.copy_min_ns = options->copy_min_ns;
    own.copy_max_ns = options->copy_max_ns;
    own.quantile = options->quantile;
    own.growth = may_grow(answer, options);
    if (is_given)
        own.max_executions = own.max_operations = 0;
    if (answer->attained) { /* some execution attains the worst time: it is searched as long as an analysis may take */
        own.without_noise = true;
        own.hyperperiods = exact_hyperperiods(answer);
        own.max_ms = options->max_ms;
    }
    own.progress = progress_show;
    own.progress_data = shown;
    int64_t *enough_ns = enough_responses(a, answer);
    if (!enough_ns)
        return say_no_memory();
    own.enough_ns = enough_ns;
    progress_next(shown, "trying executions", own.max_ms);
    gcast_error err;
    status = gcast_workload_witness(answer->workload, answer->gpu, &own, witness, &err);
    free(enough_ns);
    if (status == GCAST_OK && !answer->attained && !(*witness)->why_not)
        status = gcast_answer_add_witness(answer, *witness, &err);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* The response to report: that of --op, else the one that misses its deadline by most. In a picture the deadline may be
 * met; without deadlines it is the longest response. NULL: there is none. */
static const gcast_response *choose_response(const args *a, const gcast_answer *answer, const gcast_witness *witness)
{
    const gcast_response *worst = NULL;
    size_t chosen = find_op(a, answer->workload);
    bool may_be_met = is_picture(a), has_deadlines = false;
    int64_t most_ns = may_be_met ? INT64_MIN : 0;
    for (size_t i = 0; i < answer->response_count; i++)
        has_deadlines = has_deadlines || answer->responses[i].deadline_ns;
    for (size_t i = 0; i < answer->response_count; i++) {
        const gcast_response *r = &answer->responses[i];
        int64_t seen_ns = witness->seen_ns[r->op];
        if (chosen != NO_OP ? r->op != chosen : !r->deadline_ns && (has_deadlines || !may_be_met))
            continue;
        int64_t late_ns = answer->workload->ops[r->op].release_ns + seen_ns - r->deadline_ns;
        if (!seen_ns || (chosen == NO_OP && late_ns <= most_ns))
            continue;
        most_ns = late_ns;
        worst = r;
    }
    return worst;
}

/* "detect ends 12ms after its deadline", "detect takes 3ms" */
static void put_lateness(text *t, const gcast_answer *answer, const gcast_response *r, int64_t seen_ns,
                         const char *label)
{
    char time[40];
    int64_t late_ns = answer->workload->ops[r->op].release_ns + seen_ns - r->deadline_ns;
    bool is_late = r->deadline_ns && late_ns > 0;
    units_format_time(is_late ? late_ns : seen_ns, time, sizeof time);
    text_str(t, label);
    text_printf(t, is_late ? " ends %s after its deadline" : " takes %s", time);
}

/* A word of a command, in quotes if a shell needs them. */
static void put_word(text *t, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,=:+#";
    if (*word && *word != '#' && word[strspn(word, plain)] == '\0') {
        text_str(t, word);
        return;
    }
    text_char(t, '\'');
    for (; *word; word++)
        if (*word == '\'')
            text_str(t, "'\\''");
        else
            text_char(t, *word);
    text_char(t, '\'');
}

static void put_command(text *t, const args *a)
{
    text_str(t, ": gridcast analyze ");
    put_word(t, a->operands[0]);
    for (size_t i = 0; i < a->given_count; i++)
        for (size_t k = 0; k < sizeof repeated / sizeof repeated[0]; k++) {
            if (!args_is(a, i, repeated[k]))
                continue;
            text_printf(t, " --%s", repeated[k]);
            if (a->given[i].value) {
                text_char(t, ' ');
                put_word(t, a->given[i].value);
            }
        }
    text_str(t, " --witness late.json; gridcast simulate late.json");
}

static gcast_status say_text(text *t)
{
    char *line = text_take(t, NULL);
    gcast_status status = line ? say(GCAST_OK, "%s", line) : say_no_memory();
    free(line);
    return status;
}

static gcast_status write_witness(const args *a, const gcast_answer *answer, const gcast_witness *witness,
                                  const gcast_response *r)
{
    const char *path = args_value(a, "witness");
    gcast_error err;
    gcast_workload *w;
    gcast_format format;
    size_t late;
    if (gcast_witness_workload(witness, r->op, &w, &late, &err) != GCAST_OK)
        return say_error(&err);
    text t;
    text_open(&t, NULL, NULL);
    put_lateness(&t, answer, r, witness->seen_ns[r->op], w->ops[late].label);
    char *lateness = text_take(&t, NULL);
    bool drawn = witness_is_picture(path, &format), force = args_has(a, "force");
    gcast_status status = !lateness ? say_no_memory()
                          : drawn   ? witness_draw(path, format, force, answer->workload, w, late, lateness)
                                    : output_workload(path, force, w);
    if (status == GCAST_OK) {
        text_open(&t, NULL, NULL);
        text_str(&t, path);
        text_str(&t, ": ");
        text_str(&t, lateness);
        if (!drawn) {
            text_str(&t, ", as gridcast simulate ");
            put_word(&t, path);
            text_str(&t, " shows");
        }
        status = say_text(&t);
    }
    free(lateness);
    gcast_workload_free(w);
    return status;
}

gcast_status witness_tell(const args *a, const gcast_answer *answer, const gcast_witness *witness)
{
    const char *path = args_value(a, "witness");
    if (witness && witness->why_not)
        say(GCAST_OK, "note: no execution was tried: %s", witness->why_not);
    const gcast_response *r = witness ? choose_response(a, answer, witness) : NULL;
    if (r && path)
        return write_witness(a, answer, witness, r);
    if (path)
        return say(GCAST_OK, "note: %s is not written: no execution was found%s", path,
                   is_picture(a) ? "" : " that misses a deadline");
    if (!r || answer->attained)
        return GCAST_OK;
    text t;
    text_open(&t, NULL, NULL);
    put_lateness(&t, answer, r, witness->seen_ns[r->op], answer->workload->ops[r->op].label);
    put_command(&t, a);
    return say_text(&t);
}
