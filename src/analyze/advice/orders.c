/* The best and the worst order of calls. Small sets of ops are tried in all orders; larger
 * ones by hill climbing and, where prefixes have a lower bound, by branch and bound. The result is the same on every
 * machine unless time runs out. */
#include <stdlib.h>
#include <string.h>

#include "analyze/advice/advise.h"
#include "analyze/advice/judge.h"
#include "analyze/time_limit.h"
#include "base/integers.h"
#include "change/variant.h"
#include "gridcast/simulate.h"
#include "model/workload/attributes.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"
#include "simulate/blocks/sm.h"

#define CLOCK_MOVES 16    /* moves between two readings of the clock */
#define MAX_RUNS 200000   /* simulations, if the options say 0 */
#define MAX_SEARCHED 1000 /* ops; with more, only single moves are tried */

/* The ops that may change places: those without a host that are released once and at the same time, because calls due
 * at one time are made in the order of the workload. The order within a stream, and that with the NULL stream, is part
 * of the program and stays. */
typedef struct order_set {
    const gcast_workload *w;
    const gcast_gpu *gpu; /* NULL: the GPU of the workload */
    gcast_advise_options options;
    variant_base base;   /* the workload */
    variant copy;        /* gets one order after the other, and is simulated */
    arena *memory;       /* of all arrays here */
    size_t *places;      /* the slots of an order: indices in w->ops, by release, then by index */
    size_t count;        /* of `places` */
    bool is_fifo;        /* only kernels of one priority, each in a stream of its own, called at one time: they start
                          * in that order, and a later one never changes the times of an earlier one */
    time_limit limit;    /* of the whole search */
    size_t *best;        /* the order with the smallest value so far */
    size_t *worst;       /* the order with the largest value so far */
    int64_t given_value; /* of the order of the workload */
    int64_t best_value;
    int64_t worst_value;
    uint64_t runs;           /* simulations so far */
    const char *why_stopped; /* NULL: the search goes on */
    gcast_status status;     /* of the simulations */
    gcast_error *err;
} order_set;

static bool is_movable(const gcast_op *op)
{
    return op->host == GCAST_NO_HOST && gcast_kind_on_gpu(op->kind);
}

/* Are the ops of two places released at the same time? */
static bool same_release(const order_set *s, size_t place, size_t other)
{
    return s->w->ops[s->places[place]].release_ns == s->w->ops[s->places[other]].release_ns;
}

/* Must op a stay before op b? */
static bool must_precede(const order_set *s, size_t a, size_t b)
{
    const gcast_stream *x = &s->w->streams[s->w->ops[a].stream], *y = &s->w->streams[s->w->ops[b].stream];
    bool null_orders = (x->id == 0 && (y->id == 0 || y->blocking)) || (y->id == 0 && x->blocking);
    return a < b && (x == y || null_orders);
}

/* Are ops a and b equal but for their names? */
static bool are_interchangeable(const order_set *s, size_t a, size_t b)
{
    const gcast_op *x = &s->w->ops[a], *y = &s->w->ops[b];
    const gcast_block_shape *p = &x->shape, *q = &y->shape;
    bool same_shape = p->threads == q->threads && p->registers == q->registers && p->static_smem == q->static_smem &&
                      p->dynamic_smem == q->dynamic_smem && p->barriers == q->barriers;
    return same_shape && x->blocks == y->blocks && x->mask == y->mask && x->max_ns == y->max_ns && !x->block_ns &&
           !y->block_ns;
}

/* See order_set. `used`: by stream, all false. */
static bool is_fifo(const order_set *s, bool *used)
{
    const gcast_workload *w = s->w;
    if (w->task_count || s->count != w->op_count)
        return false;
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        const gcast_stream *x = &w->streams[op->stream], *first = &w->streams[w->ops[0].stream];
        if (op->kind != GCAST_KIND_KERNEL || op->release_ns != w->ops[0].release_ns || op->skip_ns != GCAST_NEVER ||
            x->id == 0 || x->priority != first->priority || x->process != first->process)
            return false;
        if (used[op->stream])
            return false;
        used[op->stream] = true;
    }
    return true;
}

/* An op that may move. */
typedef struct movable_op {
    int64_t release_ns;
    size_t op; /* index in the workload */
} movable_op;

static int by_release(const void *a, const void *b)
{
    const movable_op *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Keeps the ops that share their release with another one. */
static void keep_movable(order_set *s, const movable_op *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((i && all[i - 1].release_ns == all[i].release_ns) ||
            (i + 1 < n && all[i + 1].release_ns == all[i].release_ns))
            s->places[s->count++] = all[i].op;
}

/* Collects the ops of the set. False without memory. */
static bool collect_ops(order_set *s)
{
    const gcast_workload *w = s->w;
    s->places = arena_alloc_array(s->memory, w->once_count + 1, sizeof *s->places);
    s->best = arena_alloc_array(s->memory, w->once_count + 1, sizeof *s->best);
    s->worst = arena_alloc_array(s->memory, w->once_count + 1, sizeof *s->worst);
    movable_op *all = arena_alloc_array(s->memory, w->once_count + 1, sizeof *all);
    bool *used = arena_alloc_array(s->memory, w->stream_count + 1, sizeof *used);
    size_t n = 0;
    if (!s->places || !s->best || !s->worst || !all || !used)
        return false;
    for (size_t i = 0; i < w->once_count; i++)
        if (is_movable(&w->ops[i]))
            all[n++] = (movable_op){w->ops[i].release_ns, i};
    qsort(all, n, sizeof *all, by_release);
    keep_movable(s, all, n);
    s->is_fifo = is_fifo(s, used);
    return true;
}

/* How many jobs miss their deadline. The ops of a job are next to each other in a run. */
static int64_t late_jobs(const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    const gcast_run_op *last = NULL;
    int64_t late_count = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = &w->ops[r->op];
        if (op->task == GCAST_ONCE || judge_in_time(&w->tasks[op->task], r->end_ns - (r->release_ns - op->release_ns)))
            continue;
        late_count += !last || last->job != r->job || w->ops[last->op].task != op->task;
        last = r;
    }
    return late_count;
}

static int64_t value_of(const gcast_run *run, gcast_goal goal)
{
    int64_t longest = 0, total = 0;
    if (goal == GCAST_GOAL_MAKESPAN)
        return run->end_ns;
    if (goal == GCAST_GOAL_LATE)
        return late_jobs(run);
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t response = gcast_response_ns(&run->ops[i]);
        if (!gcast_kind_on_gpu(run->workload->ops[run->ops[i].op].kind) || response < 0)
            continue;
        longest = max_i64(response, longest);
        if (!checked_add(total, response, &total))
            total = INT64_MAX;
    }
    return goal == GCAST_GOAL_TOTAL ? total : longest;
}

/* May the search continue? If not, sets s->why_stopped. */
static bool may_continue(order_set *s)
{
    const gcast_advise_options *o = &s->options;
    double fraction = o->max_runs ? (double)s->runs / (double)o->max_runs : 0;
    if (o->max_runs && s->runs >= o->max_runs)
        s->why_stopped = "it reached its maximum number of simulations";
    else if (limit_passed(&s->limit))
        s->why_stopped = "it reached its time limit";
    else if (o->progress && !o->progress(o->progress_data, ADVISE_ORDERS, fraction))
        s->why_stopped = "it was stopped";
    return !s->why_stopped;
}

static void keep_extremes(order_set *s, const size_t *order, int64_t value)
{
    if (s->runs == 1)
        s->given_value = value;
    if (s->runs == 1 || value < s->best_value) {
        s->best_value = value;
        memcpy(s->best, order, s->count * sizeof *order);
    }
    if (s->runs == 1 || value > s->worst_value) {
        s->worst_value = value;
        memcpy(s->worst, order, s->count * sizeof *order);
    }
}

static bool in_time(void *data, double fraction)
{
    order_set *s = data;
    (void)fraction;
    if (limit_passed(&s->limit))
        s->why_stopped = "it reached its time limit";
    return !s->why_stopped;
}

/* Simulates an order, and keeps it if it is the best or the worst so far. False: the search stops. `run` may be NULL;
 * otherwise free *run. */
static bool simulate_order(order_set *s, const size_t *order, gcast_run **run, int64_t *value)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    gcast_run *simulated;
    options.horizon_ns = s->options.horizon_ns;
    options.record_blocks = run != NULL;
    for (size_t i = 0; i < s->count; i++) { /* which no workload refuses */
        change c = {.kind = CHANGE_PLACE, .at = s->places[i], .value = (int64_t)order[i]};
        variant_change(&s->copy, &c, NULL);
    }
    options.progress = in_time;
    options.progress_data = s;
    if (s->runs && !may_continue(s))
        return false;
    s->status = gcast_workload_simulate(s->copy.w, s->gpu, &options, &simulated, s->err);
    if (s->status != GCAST_OK && s->why_stopped) { /* stopped by in_time */
        s->status = GCAST_OK;
        return false;
    }
    if (s->status != GCAST_OK) {
        s->why_stopped = "a simulation failed";
        return false;
    }
    s->runs++;
    *value = value_of(simulated, s->options.goal);
    keep_extremes(s, order, *value);
    if (run)
        *run = simulated;
    else
        gcast_run_free(simulated);
    return true;
}

/* Lower bounds of all orders. An op takes at least as long as its longest block; and the demand of all blocks, times
 * their durations, is at most the capacity of the SMs times the available time.
 *
 * A block with a share x of a resource counts as x, and also as floor((k + 1) x) / k where (k + 1) x is not an integer.
 * Shares with a sum of at most 1 keep such a sum (Fekete and Schepers, "New classes of fast lower bounds for bin
 * packing problems", 2001). This shows, for example, that two blocks of 0.6 of an SM are never resident together. */

/* Values of k; 0 stands for x itself. */
enum { ROUNDINGS = 5, MEASURES = GCAST_RESOURCES * ROUNDINGS };

typedef __int128 work; /* amount of a resource x time */

typedef struct measures {
    int64_t amount[MEASURES];
} measures;

/* The demand of a block and the capacity of an SM by each measure. Quarters are summed. */
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
            capacity->amount[at] = k ? k * cap : cap;
            demand->amount[at] = is_integer ? (k ? k * x : x) : (k + 1) * x / cap * cap;
        }
    }
}

/* The sum of the durations of all blocks. */
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
    int64_t end_ns;     /* bound of the last end */
    int64_t response;   /* bound of the largest response */
    work total;         /* bound of the sum of all responses */
} lower_bounds;

static void add_blocks(lower_bounds *l, const gcast_gpu *gpu, const gcast_op *op, work time)
{
    measures demand;
    measure_block(gpu, op, &demand, &l->capacity);
    for (int m = 0; m < MEASURES; m++)
        l->sum[m] += (work)((unsigned __int128)demand.amount[m] * (unsigned __int128)time);
}

/* The least time in which the SMs can run all blocks that were added. */
static int64_t min_time(const lower_bounds *l, int sms)
{
    work longest = 0;
    for (int m = 0; m < MEASURES; m++) {
        work capacity = (work)l->capacity.amount[m] * sms;
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

/* A lower bound of the value of every order. */
static int64_t value_bound(const order_set *s)
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

/* A lower bound of the value of all orders that begin with the first `prefix` ops of `order`. `run` is the run of
 * `order`, and the set is FIFO: its ops are released together, so the last end gives the largest response. */
static int64_t prefix_bound(const order_set *s, const gcast_run *run, const size_t *order, size_t prefix)
{
    const gcast_run_op *last = &run->ops[s->places[prefix - 1]];
    int64_t release_ns = last->release_ns, dispatched_ns = last->dispatched_ns; /* later ops start no earlier */
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

/* Moves the op at `source` to `target`. */
static void move_op(size_t *order, size_t source, size_t target)
{
    size_t op = order[source];
    if (source < target)
        memmove(order + source, order + source + 1, (target - source) * sizeof *order);
    else
        memmove(order + target + 1, order + target, (source - target) * sizeof *order);
    order[target] = op;
}

/* May the op at `candidate` be called directly after the first `prefix` ops? */
static bool may_be_next(const order_set *s, const size_t *order, size_t prefix, size_t candidate)
{
    for (size_t i = prefix; i < candidate; i++)
        if (must_precede(s, order[i], order[candidate]))
            return false;
    return true;
}

/* Tries all orders that begin with the first `prefix` ops. */
static void try_after(order_set *s, size_t *order, size_t prefix)
{
    int64_t value;
    if (prefix == s->count) {
        simulate_order(s, order, NULL, &value);
        return;
    }
    for (size_t j = prefix; j < s->count && same_release(s, prefix, j) && !s->why_stopped; j++) {
        if (!may_be_next(s, order, prefix, j))
            continue;
        move_op(order, j, prefix);
        try_after(s, order, prefix + 1);
        move_op(order, prefix, j);
    }
}

/* Tries all orders; true: none was left out. */
static bool try_all_orders(order_set *s, size_t *order)
{
    try_after(s, order, 0);
    return !s->why_stopped;
}

/* Was an op that is equal to the candidate but for its name tried after this prefix? */
static bool was_tried(const order_set *s, const size_t *order, size_t prefix, size_t candidate)
{
    for (size_t i = prefix; i < candidate; i++)
        if (are_interchangeable(s, order[i], order[candidate]))
            return true;
    return false;
}

/* Tries every op as the next one after the first `prefix` ops, with the others in their order: that run gives a bound
 * for all orders that begin so. `given` is the run of `order`, and no order has a value below `bound`. */
static void branch_after(order_set *s, size_t *order, size_t prefix, const gcast_run *given, int64_t bound)
{
    for (size_t j = prefix; j < s->count && s->count - prefix > 1 && !s->why_stopped && s->best_value > bound; j++) {
        gcast_run *moved = NULL;
        int64_t value;
        if (was_tried(s, order, prefix, j))
            continue;
        move_op(order, j, prefix);
        if (j == prefix || simulate_order(s, order, &moved, &value)) {
            const gcast_run *run = moved ? moved : given;
            if (prefix_bound(s, run, order, prefix + 1) < s->best_value)
                branch_after(s, order, prefix + 1, run, bound);
        }
        gcast_run_free(moved);
        move_op(order, prefix, j);
    }
}

/* Tries all orders that may be better than the best one; true: none was left out. */
static bool branch_and_bound(order_set *s, size_t *order)
{
    gcast_run *run;
    int64_t value;
    if (!simulate_order(s, order, &run, &value))
        return false;
    branch_after(s, order, 0, run, value_bound(s));
    gcast_run_free(run);
    return !s->why_stopped;
}

/* Is the order still valid after the op at `target` was moved there from `source`? */
static bool may_be_moved(const order_set *s, const size_t *order, size_t source, size_t target)
{
    for (size_t i = source; i < target; i++)
        if (must_precede(s, order[target], order[i]))
            return false;
    for (size_t i = target + 1; i <= source; i++)
        if (must_precede(s, order[i], order[target]))
            return false;
    return true;
}

/* Makes the first move that helps; false: none does. */
static bool climb_once(order_set *s, size_t *order, bool maximize, uint64_t max_runs, int64_t *value)
{
    uint64_t moves = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->count; j++) {
            int64_t moved_value;
            if (i == j || i == j + 1 || !same_release(s, i, j)) /* a move by one place is made once */
                continue;
            move_op(order, i, j);
            if (may_be_moved(s, order, i, j)) {
                if (s->runs >= max_runs || !simulate_order(s, order, NULL, &moved_value))
                    return false;
                if (maximize ? moved_value > *value : moved_value < *value) {
                    *value = moved_value;
                    return true;
                }
            }
            move_op(order, j, i);
            if (++moves % CLOCK_MOVES == 0 && !may_continue(s))
                return false;
        }
    return false;
}

/* From `order` on, moves one op at a time while that makes the value smaller or, with `maximize`, larger. */
static void climb(order_set *s, size_t *order, bool maximize, uint64_t max_runs)
{
    int64_t value;
    if (!simulate_order(s, order, NULL, &value))
        return;
    while (climb_once(s, order, maximize, max_runs, &value))
        ;
}

static void search_orders(order_set *s, size_t *order, gcast_orders *o)
{
    size_t bytes = s->count * sizeof *order;
    uint64_t max_runs = s->options.max_runs;
    if (s->count <= s->options.exhaustive_ops && s->count <= MAX_SEARCHED) {
        s->options.max_runs = 0;
        o->best_proven = o->worst_proven = try_all_orders(s, order);
        return;
    }
    climb(s, order, false, max_runs / 4);
    memcpy(order, s->places, bytes);
    climb(s, order, true, max_runs / 2);
    if (s->why_stopped || s->count > MAX_SEARCHED)
        return;
    memcpy(order, s->best, bytes);
    if (s->is_fifo)
        o->best_proven = branch_and_bound(s, order);
    else
        o->best_proven = o->worst_proven = try_all_orders(s, order);
}

static void fill_orders(const order_set *s, gcast_orders *o)
{
    o->goal = s->options.goal;
    o->count = s->count;
    o->given = s->places;
    o->best = s->best;
    o->worst = s->worst;
    o->given_value = s->given_value;
    o->best_value = s->best_value;
    o->worst_value = s->worst_value;
    o->runs = s->runs;
    o->stopped = s->why_stopped;
    if (!s->why_stopped && !o->best_proven && s->count > MAX_SEARCHED)
        o->stopped = "there are too many operations to try more";
    if (!s->runs)
        return;
    int64_t bound = value_bound(s);
    o->best_proven = o->best_proven || bound >= o->best_value;
    o->bound = o->best_proven ? o->best_value : bound;
}

gcast_status orders_find(const gcast_workload *w, const gcast_gpu *gpu, const gcast_advise_options *options,
                         arena *memory, gcast_orders *o, gcast_error *err)
{
    *o = (gcast_orders){0};
    order_set s = {.w = w, .base = {.w = w}, .gpu = gpu, .options = *options, .memory = memory, .err = err};
    gcast_status status = attributes_refuse_special(
        w, "a search for orders needs kernels without plans and without launches of kernels", err);
    if (status == GCAST_OK)
        status = dependencies_refuse(w, "a search for orders needs operations without dependencies", err);
    if (status != GCAST_OK)
        return status;
    if (!s.options.max_runs)
        s.options.max_runs = MAX_RUNS;
    s.limit = limit_from_now(s.options.max_ms);
    size_t *order = arena_alloc_array(memory, w->once_count + 1, sizeof *order);
    if (!order || !collect_ops(&s))
        return gcast_error_set_memory(err);
    memcpy(order, s.places, s.count * sizeof *order);
    s.status = variant_open(&s.base, &s.copy, err);
    if (s.status == GCAST_OK)
        search_orders(&s, order, o);
    variant_free(&s.copy);
    if (s.status == GCAST_OK)
        fill_orders(&s, o);
    return s.status;
}
