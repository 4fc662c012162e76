/* An op takes at least as long as its longest block. And the demand of all blocks, times how long they hold it, is at
 * most the capacity of the SMs times the time there is.
 *
 * A block that takes a share x of a resource counts as x, and also as more: as floor((k + 1) x) / k where (k + 1) x is
 * not an integer. Shares with a sum of at most 1 have a sum of at most 1 after that too (Fekete and Schepers, "New
 * classes of fast lower bounds for bin packing problems", 2001), and it tells that of two blocks of 0.6 of an SM only
 * one is resident at a time. */
#include "analyze/advice/order_bound.h"

#include "base/minmax.h"
#include "model/workload/edit.h"
#include "simulate/blocks/sm.h"

/* The values of k: 0 stands for x itself. */
enum { ROUNDINGS = 5, MEASURES = GCAST_RESOURCES * ROUNDINGS };

typedef __int128 work; /* amount of a resource x time */

typedef struct measures {
    int64_t of[MEASURES];
} measures;

/* What a block needs by each measure, and the capacity of an SM. Quarters are summed. */
static void measure_block(const gcast_gpu *gpu, const gcast_op *op, measures *demand, measures *capacity)
{
    sm_demand d = sm_demand_of(gpu, op);
    sm_state empty;
    sm_empty(gpu, &empty);
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        int64_t cap = empty.free[r], x = d.need[r];
        if (r == GCAST_RES_WARPS)
            x = d.warps;
        if (r == GCAST_RES_REGISTERS)
            x = (int64_t)d.warps * d.warp_registers;
        for (int k = 0; k < ROUNDINGS; k++) {
            int at = r * ROUNDINGS + k;
            bool is_integer = k == 0 || cap == 0 || (k + 1) * x % cap == 0;
            capacity->of[at] = k ? k * cap : cap;
            demand->of[at] = is_integer ? (k ? k * x : x) : (k + 1) * x / cap * cap;
        }
    }
}

/* The durations of all blocks, summed. */
static work block_time(const gcast_op *op)
{
    work time = op->block_ns ? 0 : (work)op->blocks * op->max_ns;
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        time += op->block_ns[b];
    return time;
}

typedef struct lower_bounds {
    work sum[MEASURES]; /* demand x time of all blocks, by measure */
    measures capacity;  /* of an SM */
    int64_t end_ns;     /* of the last end */
    int64_t response;   /* of the largest response */
    work total;         /* of the sum of all responses */
} lower_bounds;

static void add_blocks(lower_bounds *l, const gcast_gpu *gpu, const gcast_op *op, work time)
{
    measures demand;
    measure_block(gpu, op, &demand, &l->capacity);
    for (int m = 0; m < MEASURES; m++)
        l->sum[m] += (work)((unsigned __int128)demand.of[m] * (unsigned __int128)time);
}

/* The least time in which the SMs can run the blocks added. */
static int64_t min_time(const lower_bounds *l, int sms)
{
    work longest = 0;
    for (int m = 0; m < MEASURES; m++) {
        work capacity = (work)l->capacity.of[m] * sms;
        work time = capacity ? (l->sum[m] + capacity - 1) / capacity : 0;
        longest = time > longest ? time : longest;
    }
    return longest < WORKLOAD_MAX_NS ? (int64_t)longest : WORKLOAD_MAX_NS;
}

static void add_op(lower_bounds *l, int64_t release_ns, int64_t end_ns)
{
    l->end_ns = max_i64(end_ns, l->end_ns);
    l->response = max_i64(end_ns - release_ns, l->response);
    l->total += end_ns - release_ns;
}

static int64_t min_value(const lower_bounds *l, gcast_goal goal)
{
    const work values[GCAST_GOALS] = {
        [GCAST_GOAL_MAKESPAN] = l->end_ns, [GCAST_GOAL_RESPONSE] = l->response, [GCAST_GOAL_TOTAL] = l->total};
    return values[goal] < INT64_MAX ? (int64_t)values[goal] : INT64_MAX;
}

int64_t order_bound(const order_set *s)
{
    const gcast_workload *w = s->w;
    const gcast_gpu *gpu = s->gpu ? s->gpu : w->gpu;
    int sms = w->partition_sms && w->partition_sms < gpu->sms ? w->partition_sms : gpu->sms;
    int64_t first_ns = INT64_MAX;
    lower_bounds l = {0};
    for (size_t i = 0; i < w->once_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->host != GCAST_NO_HOST || op->kind != GCAST_KIND_KERNEL || op->skip_ns != GCAST_NEVER)
            continue;
        add_blocks(&l, gpu, op, block_time(op));
        add_op(&l, op->release_ns, op->release_ns + workload_longest_block(op));
        first_ns = min_i64(op->release_ns, first_ns);
    }
    l.end_ns = max_i64(l.end_ns, first_ns == INT64_MAX ? 0 : first_ns + min_time(&l, sms));
    return min_value(&l, s->options.goal);
}

/* All ops of a FIFO set are released at one time, so that the last end gives the largest response. */
int64_t order_bound_after(const order_set *s, const gcast_run *run, const size_t *order, size_t prefix)
{
    const gcast_run_op *last = &run->ops[s->places[prefix - 1]];
    int64_t release_ns = last->release_ns, dispatched_ns = last->dispatched_ns; /* no later op starts before that */
    lower_bounds l = {0};
    for (size_t i = 0; i < s->count; i++) {
        const gcast_op *op = &s->w->ops[order[i]];
        const gcast_run_op *r = &run->ops[s->places[i]];
        work time = i < prefix ? 0 : block_time(op);
        for (uint64_t b = 0; i < prefix && r->end_ns > dispatched_ns && b < r->block_count; b++)
            time += max_i64(r->blocks[b].end_ns - dispatched_ns, 0);
        add_blocks(&l, run->gpu, op, time);
        add_op(&l, release_ns, i < prefix ? r->end_ns : dispatched_ns + workload_longest_block(op));
    }
    l.end_ns = max_i64(l.end_ns, dispatched_ns + min_time(&l, run->gpu->sms));
    l.response = max_i64(l.end_ns - release_ns, l.response);
    return min_value(&l, s->options.goal);
}
