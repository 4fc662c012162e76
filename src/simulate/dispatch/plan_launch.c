/* Launches of a kernel with a plan ("Policies" in docs/model.md): the planned one, and the repair, which does the jobs
 * that no worker came to. */
#include "simulate/dispatch/plan_launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "simulate/state/failure.h"

uint64_t plan_launch_blocks(const sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    if (op->kind != GCAST_KIND_KERNEL || op->policy == GCAST_POLICY_HARDWARE)
        return s->ops[o].block_count;
    return (uint64_t)s->gpu->sms * (op->fill ? op->fill : s->state[o].demand->max_blocks);
}

void plan_launch_start(sim *s, uint32_t o)
{
    const gcast_op *op = sim_spec(s, o);
    const gcast_plan *plan = op->plan;
    sim_launch *l = calloc(1, sizeof *l);
    if (!l) {
        sim_fail_memory(s);
        return;
    }
    s->host_ops[o].plan_launch = l;
    *l = (sim_launch){
        .plan = plan, .mapping = plan->mapping, .steal = plan->steal, .queues = plan->queues, .first = plan->first};
    l->job = plan->job;
    l->durations_equal = !op->block_ns && !s->options->noise_ns &&
                         (op->min_ns == op->max_ns || s->options->durations != GCAST_DURATIONS_RANDOM);
    l->next = malloc((plan->queues + 1) * sizeof *l->next);
    l->tickets = calloc((size_t)s->gpu->sms, sizeof *l->tickets);
    if (!l->next || !l->tickets)
        sim_fail_memory(s);
    else
        memcpy(l->next, plan->first, plan->queues * sizeof *l->next);
    s->ops[o].workers = s->state[o].launch_blocks;
}

bool plan_launch_take_slots(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    uint64_t resident = (uint64_t)s->gpu->sms * s->state[o].demand->max_blocks;
    uint32_t count = (uint32_t)min_u64(min_u64(s->state[o].launch_blocks, l->plan->jobs), resident), first = 0;
    size_t i = 0;
    while (i < s->slots.count && s->slots.at[i].first - first < count) {
        first = s->slots.at[i].first + s->slots.at[i].count;
        i++;
    }
    if (!vec_reserve(&s->slots, s->slots.count + 1) || !tournament_grow(&s->job_ends, (size_t)first + count) ||
        !vec_grow(&s->workers, &s->worker_cap, (size_t)first + count, sizeof *s->workers))
        return false;
    memmove(&s->slots.at[i + 1], &s->slots.at[i], (s->slots.count - i) * sizeof *s->slots.at);
    s->slots.at[i] = (sim_slots){first, count};
    s->slots.count++;
    l->slot_first = first;
    l->slot_cap = count;
    return true;
}

static void give_slots_back(sim *s, sim_launch *l)
{
    size_t i = 0;
    while (l->slot_cap && s->slots.at[i].first != l->slot_first)
        i++;
    if (l->slot_cap) {
        s->slots.count--;
        memmove(&s->slots.at[i], &s->slots.at[i + 1], (s->slots.count - i) * sizeof *s->slots.at);
    }
    l->slot_cap = l->slot_count = 0;
}

/* The position of the first job of this queue that no worker has taken, when all workers have ended. */
static uint32_t first_missing(const sim_launch *l, uint32_t queue)
{
    const gcast_plan *plan = l->plan;
    uint32_t first = l->first[queue], jobs = l->first[queue + 1] - first;
    if (l->mapping == GCAST_MAPPING_PERSISTENT || l->mapping == GCAST_MAPPING_QUEUES)
        return l->next[queue];
    uint32_t wanted = plan->workers[queue], came = min_u32(l->tickets[queue], wanted);
    if (l->mapping == GCAST_MAPPING_ONE_JOB)
        return first + min_u32(came, jobs);
    return wanted ? first + came * (jobs / wanted) + min_u32(came, jobs % wanted) : first;
}

void plan_launch_ends(sim *s, uint32_t o)
{
    const sim_launch *l = s->host_ops[o].plan_launch;
    bool missing = false;
    for (uint32_t q = 0; q < l->queues && !missing; q++)
        missing = first_missing(l, q) < l->first[q + 1];
    if (!missing)
        s->ops[o].end_ns = s->state[o].last_end_ns;
    sim_push(s, &s->events, s->state[o].last_end_ns, missing ? EVENT_INCOMPLETE : EVENT_DONE, o);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The next launch of o has one queue, of the jobs that are missing. */
static void make_repair(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    uint32_t count = 0, *missing = malloc((size_t)l->plan->jobs * sizeof *missing);
    if (!missing) {
        sim_fail_memory(s);
        return;
    }
    for (uint32_t q = 0; q < l->queues; q++)
        for (uint32_t at = first_missing(l, q); at < l->first[q + 1]; at++)
            missing[count++] = l->job[at];
    qsort(missing, count, sizeof *missing, by_number);
    give_slots_back(s, l);
    l->is_repair = true;
    l->mapping = GCAST_MAPPING_PERSISTENT;
    l->steal = false;
    l->queues = 1;
    l->job = l->missing = missing;
    l->missing_first[1] = count;
    l->first = l->missing_first;
    l->next[0] = 0;
    s->state[o].dispatched = 0;
    s->ops[o].repaired = count;
}

void plan_launch_event(sim *s, uint32_t o, uint32_t kind)
{
    if (kind == EVENT_REPAIR) {
        sim_push(s, &s->repairs, (int64_t)s->ops[o].entry, 0, o);
        return;
    }
    int64_t arrival = sim_add_ns(s, o, s->now, s->gpu->launch_latency_ns);
    s->resident_grids--;
    make_repair(s, o);
    sim_push(s, &s->events, sim_add_ns(s, o, arrival, s->gpu->stream_gap_ns), EVENT_REPAIR, o);
}

void plan_launch_free(sim *s, uint32_t o)
{
    sim_launch *l = s->host_ops[o].plan_launch;
    if (!l)
        return;
    give_slots_back(s, l);
    free(l->next);
    free(l->tickets);
    free(l->missing);
    free(l);
    s->host_ops[o].plan_launch = NULL;
}
