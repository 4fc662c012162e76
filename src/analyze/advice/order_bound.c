/* What no order can beat. An op takes at least its longest block; and what all blocks need of an SM,
 * times how long they need it, is at most what the SMs have times the time there is.
 *
 * A block that takes a share x of a resource counts as x, and also as more: as floor((k + 1) x) / k
 * where (k + 1) x is not whole. Shares that are at most 1 together are so after that too (Fekete and
 * Schepers, "New classes of fast lower bounds for bin packing problems", 2001), and it sees that
 * of two blocks of 0.6 of an SM only one is there at a time. */
#include "analyze/advice/order.h"
#include "model/workload/edit.h"
#include "simulate/blocks/sm.h"

enum { ROUNDINGS = 5, MEASURES = GCAST_RESOURCES * ROUNDINGS };

typedef struct measure {
    int64_t of[MEASURES];
} measure;

/* What a block needs by each measure, and how much an SM has. Quarters are summed. */
static void measure_block(const gcast_gpu *gpu, const gcast_op *op, measure *need, measure *has)
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
            bool whole = k == 0 || cap == 0 || (k + 1) * x % cap == 0;
            has->of[at] = k ? k * cap : cap;
            need->of[at] = whole ? (k ? k * x : x) : (k + 1) * x / cap * cap;
        }
    }
}

static order_work block_time(const gcast_op *op)
{
    order_work time = op->block_ns ? 0 : (order_work)op->blocks * op->max_ns;
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        time += op->block_ns[b];
    return time;
}

/* What the end, the largest response and the sum of all responses are at least. */
typedef struct least {
    order_work sum[MEASURES];
    measure has;
    int64_t end, response;
    order_work total;
} least;

static void add_blocks(least *l, const gcast_gpu *gpu, const gcast_op *op, order_work time)
{
    measure need;
    measure_block(gpu, op, &need, &l->has);
    for (int m = 0; m < MEASURES; m++)
        l->sum[m] += (order_work)((unsigned __int128)need.of[m] * (unsigned __int128)time);
}

/* How long the SMs need for the blocks added. */
static int64_t least_time(const least *l, int sms)
{
    order_work longest = 0;
    for (int m = 0; m < MEASURES; m++) {
        order_work has = (order_work)l->has.of[m] * sms;
        order_work time = has ? (l->sum[m] + has - 1) / has : 0;
        longest = time > longest ? time : longest;
    }
    return longest < WORKLOAD_MAX_NS ? (int64_t)longest : WORKLOAD_MAX_NS;
}

static void add_op(least *l, int64_t release, int64_t end)
{
    l->end = end > l->end ? end : l->end;
    l->response = end - release > l->response ? end - release : l->response;
    l->total += end - release;
}

static int64_t least_value(const least *l, gcast_goal goal)
{
    const order_work values[GCAST_GOALS] = {
        [GCAST_GOAL_MAKESPAN] = l->end, [GCAST_GOAL_RESPONSE] = l->response, [GCAST_GOAL_TOTAL] = l->total};
    return values[goal] < INT64_MAX ? (int64_t)values[goal] : INT64_MAX;
}

int64_t order_bound(const order_set *s)
{
    const gcast_workload *w = s->w;
    const gcast_gpu *gpu = s->gpu ? s->gpu : w->gpu;
    int sms = w->partition_sms && w->partition_sms < gpu->sms ? w->partition_sms : gpu->sms;
    int64_t first = INT64_MAX;
    least l = {0};
    for (size_t i = 0; i < w->once_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->host != GCAST_NO_HOST || op->kind != GCAST_KIND_KERNEL || op->skip_ns != GCAST_NEVER)
            continue;
        add_blocks(&l, gpu, op, block_time(op));
        add_op(&l, op->release_ns, op->release_ns + workload_longest_block(op));
        first = op->release_ns < first ? op->release_ns : first;
    }
    int64_t all = first == INT64_MAX ? 0 : first + least_time(&l, sms);
    l.end = all > l.end ? all : l.end;
    return least_value(&l, s->options.goal);
}

/* All of a fifo set are released at one time, so that the last end gives the largest response. */
int64_t order_bound_after(const order_set *s, const gcast_run *run, const size_t *order, size_t k)
{
    const gcast_run_op *before = &run->ops[s->places[k - 1]];
    int64_t from = before->dispatched_ns, release = before->release_ns; /* nothing else starts before that */
    least l = {0};
    for (size_t i = 0; i < s->count; i++) {
        const gcast_op *op = &s->w->ops[order[i]];
        const gcast_run_op *r = &run->ops[s->places[i]];
        order_work time = i < k ? 0 : block_time(op);
        for (uint64_t b = 0; i < k && r->end_ns > from && b < r->block_count; b++)
            time += r->blocks[b].end_ns > from ? r->blocks[b].end_ns - from : 0;
        add_blocks(&l, run->gpu, op, time);
        add_op(&l, release, i < k ? r->end_ns : from + workload_longest_block(op));
    }
    int64_t all = from + least_time(&l, run->gpu->sms);
    l.end = all > l.end ? all : l.end;
    l.response = l.end - release > l.response ? l.end - release : l.response;
    return least_value(&l, s->options.goal);
}
