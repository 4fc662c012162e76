#include "cli/analyze/witness/witness_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"

/* How many # are between a label and the number of a job: one more than follow each other in a label. */
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

/* A label that is not at the end of its string. */
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

/* The op of a task that a label LABEL#JOB is of, among those sorted by label; NULL: there is none. */
static const gcast_op *find_op(const gcast_op *const *sorted, size_t count, size_t separator, const char *label,
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
static bool add(witness_jobs *j, const gcast_workload *w, const gcast_run *run, size_t i, const gcast_op *op,
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

bool witness_jobs_make(witness_jobs *j, const gcast_workload *w, const gcast_run *run)
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
            count ? find_op(sorted, count, separator, run->workload->ops[run->ops[i].op].label, &job) : NULL;
        j->job_of[i] = NO_JOB;
        if (op)
            ok = add(j, w, run, i, op, job);
    }
    free(sorted);
    if (!ok)
        witness_jobs_free(j);
    return ok;
}

void witness_jobs_free(witness_jobs *j)
{
    vec_free(&j->jobs);
    free(j->job_of);
    *j = (witness_jobs){0};
}
