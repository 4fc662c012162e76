/* Ways to spoil the jobs of a plan. */
#include "property/mutate.h"

static const gcast_op *op_of(const specimen *s, size_t i)
{
    return &s->run.workload->ops[s->ops[i].op];
}

static bool has_plan(const specimen *s, size_t i)
{
    return !s->ops[i].skipped && op_of(s, i)->policy != GCAST_POLICY_HARDWARE;
}

static void move_block(gcast_block *b, int64_t start)
{
    b->end_ns += start - b->start_ns;
    b->start_ns = start;
}

/* Where a plan gives each job an SM, one runs on another. */
bool mutate_job_elsewhere(specimen *s, size_t i)
{
    if (!has_plan(s, i) || op_of(s, i)->policy == GCAST_POLICY_PERSISTENT || op_of(s, i)->plan->steal ||
        s->ops[i].repaired || s->run.gpu->sms < 2)
        return false;
    s->blocks[i][0].sm = (s->blocks[i][0].sm + 1) % (uint32_t)s->run.gpu->sms;
    return true;
}

/* Two jobs of a queue from which workers take one by one change places. */
bool mutate_swapped_jobs(specimen *s, size_t i)
{
    const gcast_plan *p = op_of(s, i)->plan;
    if (!has_plan(s, i) || s->ops[i].repaired ||
        (p->mapping != GCAST_MAPPING_PERSISTENT && p->mapping != GCAST_MAPPING_QUEUES))
        return false;
    for (uint32_t q = 0; q < p->queues; q++)
        for (uint32_t k = p->first[q]; k + 1 < p->first[q + 1]; k++) {
            gcast_block *x = &s->blocks[i][p->job[k]], *y = &s->blocks[i][p->job[k + 1]], first = *x;
            if (x->start_ns == y->start_ns)
                continue;
            *x = *y;
            *y = first;
            return true;
        }
    return false;
}

/* One job more at a time than workers stay on an SM. */
bool mutate_one_worker_more(specimen *s, size_t i)
{
    const gcast_plan *p = op_of(s, i)->plan;
    if (!has_plan(s, i) || s->ops[i].repaired || p->mapping == GCAST_MAPPING_PERSISTENT || p->steal)
        return false;
    for (uint32_t q = 0; q < p->queues; q++) {
        if (p->first[q + 1] - p->first[q] <= p->workers[q])
            continue;
        for (uint32_t k = p->first[q]; k <= p->first[q] + p->workers[q]; k++)
            move_block(&s->blocks[i][p->job[k]], s->blocks[i][p->job[p->first[q]]].start_ns);
        return true;
    }
    return false;
}

/* A segment with a pause in it. */
bool mutate_paused_segment(specimen *s, size_t i)
{
    const gcast_plan *p = op_of(s, i)->plan;
    if (!has_plan(s, i) || s->ops[i].repaired || p->mapping != GCAST_MAPPING_SEGMENTS)
        return false;
    for (uint32_t q = 0; q < p->queues; q++)
        if (p->first[q + 1] - p->first[q] > p->workers[q]) { /* the first segment has two jobs */
            gcast_block *b = &s->blocks[i][p->job[p->first[q] + 1]];
            move_block(b, b->start_ns + 1);
            s->ops[i].end_ns += s->ops[i].end_ns < b->end_ns;
            return true;
        }
    return false;
}

bool mutate_wrong_workers(specimen *s, size_t i)
{
    if (!has_plan(s, i) || (s->run.gpu->sms == 1 && !op_of(s, i)->fill))
        return false;
    s->ops[i].workers++;
    return true;
}

/* Says of a job that was where it should be that a second launch did it. */
bool mutate_repaired_for_nothing(specimen *s, size_t i)
{
    if (!has_plan(s, i) || s->ops[i].repaired || s->ops[i].block_count < 2 ||
        op_of(s, i)->plan->mapping != GCAST_MAPPING_PERSISTENT || s->run.gpu->launch_latency_ns == 0)
        return false;
    gcast_block *blocks = s->blocks[i];
    int64_t last = blocks[0].start_ns, end = 0;
    for (uint64_t j = 0; j < s->ops[i].block_count; j++)
        last = blocks[j].start_ns > last ? blocks[j].start_ns : last;
    for (uint64_t j = 0; j < s->ops[i].block_count; j++)
        if (blocks[j].start_ns < last && blocks[j].end_ns > end)
            end = blocks[j].end_ns;
    if (last >= end + s->run.gpu->launch_latency_ns)
        return false;
    s->ops[i].repaired = 1;
    return true;
}
