/* C-jobs: the rules of the jobs of a kernel with a plan ("Policies" in docs/model.md). They are checked with the plan
 * and the jobs alone, and without code of the engine on purpose. A run says how many jobs a second launch did: these
 * are the last to start. */
#include "simulate/check/plan_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "simulate/check/run_order.h"
#include "simulate/run_ops.h"

#define DIGIT_BITS 11 /* bits of a time by which one pass sorts jobs */
#define DIGITS (1 << DIGIT_BITS)

/* What is checked. */
typedef struct job_check {
    const gcast_run *run; /* the run */
    size_t i;             /* the operation */
    const gcast_run_op *r;
    const gcast_op *op;   /* its op */
    plan_job *by_start;   /* its jobs by start: first those of the planned launch */
    plan_job *by_end;     /* the jobs of each launch by end */
    bool *repaired;       /* by job: a second launch did it */
    uint32_t *busy;       /* by SM: how many workers have a job */
    size_t planned_count; /* jobs of the planned launch */
    gcast_error *err;
} job_check;

bool check_has_plan(const gcast_run *run, size_t i)
{
    const gcast_op *op = run_spec(run, i);
    return !run->ops[i].skipped && op->kind == GCAST_KIND_KERNEL && op->policy != GCAST_POLICY_HARDWARE;
}

static int64_t time_of(const plan_job *job, bool by_end)
{
    return by_end ? job->end_ns : job->start_ns;
}

/* Sorts jobs by start or by end, stably: a radix sort, as there may be many. False without memory. */
static bool sort_jobs(plan_job *jobs, size_t count, bool by_end)
{
    plan_job *other = malloc((count + 1) * sizeof *other), *from = jobs, *to = other;
    int64_t min = INT64_MAX, max = INT64_MIN;
    if (!other)
        return false;
    for (size_t n = 0; n < count; n++) {
        min = min_i64(min, time_of(&jobs[n], by_end));
        max = max_i64(max, time_of(&jobs[n], by_end));
    }
    for (int shift = 0; count && shift < 64 && (uint64_t)(max - min) >> shift; shift += DIGIT_BITS) {
        size_t place[DIGITS + 1] = {0};
        for (size_t n = 0; n < count; n++)
            place[((uint64_t)(time_of(&from[n], by_end) - min) >> shift) % DIGITS + 1]++;
        for (size_t d = 1; d < DIGITS; d++)
            place[d] += place[d - 1];
        for (size_t n = 0; n < count; n++)
            to[place[((uint64_t)(time_of(&from[n], by_end) - min) >> shift) % DIGITS]++] = from[n];
        plan_job *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != jobs)
        memcpy(jobs, from, count * sizeof *jobs);
    free(other);
    return true;
}

bool check_list_jobs(const gcast_run *run, plan_job_list *list)
{
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!check_has_plan(run, i))
            continue;
        if (!vec_reserve(list, list->count + r->block_count))
            return false;
        for (uint64_t j = 0; j < r->block_count; j++)
            list->at[list->count++] = (plan_job){r->blocks[j].start_ns, r->blocks[j].end_ns, (uint32_t)i, (uint32_t)j};
    }
    return sort_jobs(list->at, list->count, false);
}

static gcast_status broken(const job_check *c, const char *problem)
{
    return check_broken(c->run, c->i, "C-jobs", problem, c->err);
}

static gcast_status check_counts(const job_check *c)
{
    uint64_t sms = (uint64_t)c->run->gpu->sms;
    if (c->r->workers == 0 || c->r->workers % sms || (c->op->fill && c->r->workers != sms * c->op->fill))
        return broken(c, "it was not launched with as many workers as it should");
    if (c->r->retreated > c->r->workers || c->r->repaired > c->r->block_count)
        return broken(c, "more workers retreated than there were, or more jobs were repaired");
    return GCAST_OK;
}

/* Checks each job by itself. */
static gcast_status check_each(const job_check *c)
{
    int64_t overhead = c->run->gpu->job_overhead_ns;
    for (uint64_t j = 0; j < c->r->block_count; j++) {
        const gcast_block *b = &c->r->blocks[j];
        int64_t duration = b->end_ns - b->start_ns;
        int64_t min = c->op->block_ns ? c->op->block_ns[j] : c->op->min_ns;
        int64_t max = c->op->block_ns ? c->op->block_ns[j] : c->op->max_ns;
        if (b->sm >= (uint32_t)c->run->gpu->sms)
            return broken(c, "a job ran on an SM that is not there");
        if (c->op->mask != GCAST_ALL_SMS &&
            !(c->run->workload->masks[c->op->mask].word[b->sm / 64] >> (b->sm % 64) & 1))
            return broken(c, "a job ran on an SM that its kernel may not use");
        if (duration < min || duration > max + c->run->noise_ns)
            return broken(c, "a job took longer or shorter than it should");
        if (b->start_ns < c->r->start_ns + overhead || b->end_ns > c->r->end_ns)
            return broken(c, "a job ran outside of its kernel's time");
    }
    return GCAST_OK;
}

/* The second launch comes when all jobs of the first have ended. */
static gcast_status check_repair_time(const job_check *c)
{
    const gcast_gpu *gpu = c->run->gpu;
    if (!c->planned_count || c->planned_count == c->r->block_count)
        return GCAST_OK;
    int64_t earliest =
        c->by_end[c->planned_count - 1].end_ns + gpu->launch_latency_ns + gpu->stream_gap_ns + gpu->job_overhead_ns;
    return c->by_start[c->planned_count].start_ns < earliest ? broken(c, "jobs were repaired before the launch ended")
                                                             : GCAST_OK;
}

/* Checks two adjacent jobs of a queue: jobs that workers took are in front of those that no worker came to, and where
 * workers take jobs one by one, they do so in this order. */
static gcast_status check_queue_pair(const job_check *c, uint32_t job, uint32_t next)
{
    const gcast_plan *plan = c->op->plan;
    bool in_order = plan->mapping == GCAST_MAPPING_PERSISTENT || plan->mapping == GCAST_MAPPING_QUEUES;
    if (c->repaired[job] && !c->repaired[next])
        return broken(c, "a job was repaired although one behind it in its queue was not");
    if (in_order && !c->repaired[next] && c->r->blocks[next].start_ns < c->r->blocks[job].start_ns)
        return broken(c, "jobs of a queue did not start in order");
    return GCAST_OK;
}

/* A worker does its segment without a pause. */
static gcast_status check_segments(const job_check *c, uint32_t sm)
{
    const gcast_plan *plan = c->op->plan;
    uint32_t at = plan->first[sm], count = plan->first[sm + 1] - at, segments = plan->workers[sm];
    for (uint32_t k = 0; k < segments; k++)
        for (uint32_t left = count / segments + (k < count % segments); left > 0; left--, at++) {
            if (left == 1)
                continue;
            uint32_t job = plan->job[at], next = plan->job[at + 1];
            int64_t start = c->r->blocks[job].end_ns + c->run->gpu->job_overhead_ns;
            if (c->repaired[job] != c->repaired[next] || (!c->repaired[job] && c->r->blocks[next].start_ns != start))
                return broken(c, "a worker did not do its segment in one go");
        }
    return GCAST_OK;
}

/* Checks each queue of the plan. */
static gcast_status check_queues(const job_check *c)
{
    const gcast_plan *plan = c->op->plan;
    bool own_sm = plan->mapping != GCAST_MAPPING_PERSISTENT && !plan->steal;
    gcast_status status = GCAST_OK;
    for (uint32_t q = 0; q < plan->queues && status == GCAST_OK; q++) {
        for (uint32_t at = plan->first[q]; at < plan->first[q + 1] && status == GCAST_OK; at++) {
            uint32_t job = plan->job[at];
            if (own_sm && !c->repaired[job] && c->r->blocks[job].sm != q)
                return broken(c, "a job ran on another SM than planned");
            if (at + 1 < plan->first[q + 1])
                status = check_queue_pair(c, job, plan->job[at + 1]);
        }
        if (status == GCAST_OK && plan->mapping == GCAST_MAPPING_SEGMENTS)
            status = check_segments(c, q);
    }
    return status;
}

/* Checks the jobs from `first` to before `end` of by_start[]: never more run at a time than there are workers and, with
 * `limited`, on no SM more than workers stay. A worker is busy from the overhead before a job to the end of the job. */
static gcast_status check_workers(const job_check *c, size_t first, size_t end, bool limited)
{
    size_t ended = first;
    for (size_t n = first; n < end; n++) {
        const plan_job *job = &c->by_start[n];
        uint32_t sm = c->r->blocks[job->job].sm;
        for (; c->by_end[ended].end_ns <= job->start_ns - c->run->gpu->job_overhead_ns; ended++)
            c->busy[c->r->blocks[c->by_end[ended].job].sm]--;
        if (++c->busy[sm] > c->op->plan->workers[sm] && limited)
            return broken(c, "more workers had jobs on an SM than stay there");
        if (n + 1 - ended > c->r->workers)
            return broken(c, "more workers had jobs than were launched");
    }
    return GCAST_OK;
}

/* The second launch takes its jobs in the order of their numbers. */
static gcast_status check_repair_order(const job_check *c)
{
    int64_t last = INT64_MIN;
    for (uint64_t j = 0; j < c->r->block_count; j++) {
        if (!c->repaired[j])
            continue;
        if (c->r->blocks[j].start_ns < last)
            return broken(c, "jobs were not repaired in order");
        last = c->r->blocks[j].start_ns;
    }
    return GCAST_OK;
}

static gcast_status check_all(const job_check *c)
{
    size_t count = c->r->block_count;
    gcast_status status = check_repair_time(c);
    if (status == GCAST_OK)
        status = check_queues(c);
    if (status == GCAST_OK)
        status = check_repair_order(c);
    if (status == GCAST_OK)
        status = check_workers(c, 0, c->planned_count, c->op->plan->mapping != GCAST_MAPPING_PERSISTENT);
    if (status == GCAST_OK)
        status = check_workers(c, c->planned_count, count, false);
    return status;
}

/* Fills in the jobs in both orders, and which were repaired; false without memory. */
static bool order_jobs(const job_check *c)
{
    size_t count = c->r->block_count, repaired = count - c->planned_count;
    for (size_t j = 0; j < count; j++)
        c->by_start[j] = (plan_job){c->r->blocks[j].start_ns, c->r->blocks[j].end_ns, (uint32_t)c->i, (uint32_t)j};
    if (!sort_jobs(c->by_start, count, false))
        return false;
    for (size_t n = 0; n < count; n++) {
        c->by_end[n] = c->by_start[n];
        c->repaired[c->by_start[n].job] = n >= c->planned_count;
    }
    return sort_jobs(c->by_end, c->planned_count, true) && sort_jobs(c->by_end + c->planned_count, repaired, true);
}

gcast_status check_plan_jobs(const gcast_run *run, size_t i, gcast_error *err)
{
    const gcast_run_op *r = &run->ops[i];
    job_check c = {.run = run, .i = i, .r = r, .op = run_spec(run, i), .err = err};
    if (r->block_count != c.op->blocks)
        return broken(&c, "it has not as many jobs as its grid has blocks");
    gcast_status status = check_counts(&c);
    if (status == GCAST_OK)
        status = check_each(&c);
    if (status != GCAST_OK)
        return status;
    size_t count = r->block_count;
    c.planned_count = count - r->repaired;
    c.by_start = malloc((count + 1) * sizeof *c.by_start);
    c.by_end = malloc((count + 1) * sizeof *c.by_end);
    c.repaired = calloc(count + 1, sizeof *c.repaired);
    c.busy = calloc((size_t)run->gpu->sms, sizeof *c.busy);
    bool ok = c.by_start && c.by_end && c.repaired && c.busy;
    status = ok && order_jobs(&c) ? check_all(&c) : gcast_error_set_memory(err);
    free(c.by_start);
    free(c.by_end);
    free(c.repaired);
    free(c.busy);
    return status;
}
