/* Choices as drawn, and changed. */
#include "model/workload/workload.h"
#include "property/choices.h"

/* What a change is about. */
enum { DURATION, BLOCKS, RELEASE, DISTANCE, LATENCY, ORDER, SEED, NOISE, KINDS };

#define TRIES 12 /* until a change is found that the system allows */

/* 0 or max mostly, or anything between. */
static int64_t draw_to(support_random *r, int64_t max)
{
    return percent(r, 35) ? 0 : percent(r, 60) ? max : support_between(r, 0, max);
}

/* Another value from 0 to max: an end, one near, or any. */
static int64_t other_value(support_random *r, int64_t value, int64_t max)
{
    if (percent(r, 40))
        return percent(r, 40) ? 0 : max;
    if (percent(r, 40))
        return support_between(r, 0, max);
    int64_t step = one_of(r, 1, 1, 2, 3, 5, 8, 13, 21, 50, 100), next = percent(r, 50) ? value - step : value + step;
    return next < 0 ? 0 : next > max ? max : next;
}

static int64_t shortest(const choices *c, size_t op, uint64_t block)
{
    const gcast_op *o = &c->s->workload->ops[op];
    return o->block_ns ? o->block_ns[block] : o->min_ns;
}

static int64_t range(const choices *c, size_t op)
{
    const gcast_op *o = &c->s->workload->ops[op];
    bool has_time = gcast_kind_on_gpu(o->kind) && !o->block_ns && o->min_ns >= 0 && o->max_ns != GCAST_UNKNOWN_NS;
    return has_time ? o->max_ns - o->min_ns + c->noise_ns : 0;
}

/* What a block of a list takes more than its shortest. */
static int64_t listed_range(const choices *c, size_t op)
{
    return c->s->workload->ops[op].block_ns ? c->noise_ns : range(c, op);
}

static int64_t latency_range(const choices *c, size_t op)
{
    const random_system *s = c->s;
    bool is_kernel = s->workload->ops[op].kind == GCAST_KIND_KERNEL;
    int64_t least = is_kernel ? s->g.gpu->launch_latency_ns : s->g.gpu->copy_latency_ns;
    int64_t longest = is_kernel ? s->launch_max_ns : s->copy_max_ns;
    return longest > least ? longest - least : 0;
}

static void set_range(const choices *c, choice *x, size_t op, int64_t low, int64_t high)
{
    const gcast_op *o = &c->s->workload->ops[op];
    x->low_ns[op] = range(c, op) ? o->min_ns + low : o->min_ns;
    x->high_ns[op] = range(c, op) ? o->min_ns + high : o->max_ns;
}

static void draw_durations(const choices *c, choice *x, support_random *r)
{
    bool extremes = percent(r, 50), lists = percent(r, 25);
    x->durations = (gcast_durations)one_of(r, GCAST_DURATIONS_MAX, GCAST_DURATIONS_MIN, GCAST_DURATIONS_RANDOM,
                                           GCAST_DURATIONS_RANDOM);
    x->seed = support_next(r);
    for (size_t i = 0; i < c->s->workload->op_count; i++) {
        int64_t end = extremes && percent(r, 60) ? draw_to(r, range(c, i)) : -1;
        set_range(c, x, i, end < 0 ? 0 : end, end < 0 ? range(c, i) : end);
        x->is_listed[i] = lists && c->first_block[i] != SIZE_MAX && percent(r, 60);
        for (uint64_t b = 0; x->is_listed[i] && b < c->s->workload->ops[i].blocks; b++)
            x->block_ns[c->first_block[i] + b] = shortest(c, i, b) + draw_to(r, listed_range(c, i));
    }
}

static void swap(int64_t *at, size_t i, size_t k)
{
    int64_t moved = at[i];
    at[i] = at[k];
    at[k] = moved;
}

/* May the op that runs once change its place? */
static bool may_move(const choices *c, int64_t op)
{
    return c->s->workload->ops[op].host == GCAST_NO_HOST;
}

static void draw_order(const choices *c, choice *x, support_random *r)
{
    const gcast_workload *w = c->s->workload;
    for (size_t i = 0; i < w->once_count; i++)
        x->order[i] = (int64_t)i;
    for (size_t i = 0; i < w->task_count; i++)
        x->tasks[i] = (int64_t)i;
    for (size_t i = 0; c->s->any_order && i < w->once_count; i++) {
        size_t k = (size_t)support_between(r, 0, (int64_t)i);
        if (may_move(c, x->order[i]) && may_move(c, x->order[k]))
            swap(x->order, i, k);
    }
    for (size_t i = 0; c->s->any_order && i < w->task_count; i++)
        swap(x->tasks, i, (size_t)support_between(r, 0, (int64_t)i));
}

static size_t job_end(const choices *c, size_t task)
{
    return task + 1 < c->s->workload->task_count ? c->first_job[task + 1] : c->job_count;
}

static void draw_releases(const choices *c, choice *x, support_random *r)
{
    const gcast_workload *w = c->s->workload;
    int style = (int)support_between(r, 0, 3);
    for (size_t t = 0; t < w->task_count; t++)
        for (size_t job = c->first_job[t]; job < job_end(c, t); job++) {
            int64_t jitter = w->tasks[t].jitter_ns;
            x->late_ns[job] = style == 0   ? 0
                              : style == 1 ? (job == c->first_job[t] ? jitter : 0)
                              : style == 2 ? draw_to(r, jitter)
                                           : support_between(r, 0, jitter);
            x->distance_ns[job] =
                w->tasks[t].sporadic && percent(r, 40) ? support_between(r, 0, w->tasks[t].period_ns) : 0;
        }
}

static size_t operation_end(const choices *c, size_t op)
{
    return op + 1 < c->s->workload->op_count ? c->first_operation[op + 1] : c->operation_count;
}

static void draw_latencies(const choices *c, choice *x, support_random *r)
{
    for (size_t i = 0; i < c->s->workload->op_count; i++)
        for (size_t o = c->first_operation[i]; o < operation_end(c, i); o++)
            x->latency_ns[o] = draw_to(r, latency_range(c, i));
}

void choice_draw(const choices *c, choice *x, support_random *r)
{
    draw_durations(c, x, r);
    draw_order(c, x, r);
    draw_releases(c, x, r);
    draw_latencies(c, x, r);
    x->noise_ns = !c->noise_ns && percent(r, 80) ? c->s->g.gpu->noise_ns : 0;
    x->noise_seed = support_next(r);
}

static size_t any(support_random *r, size_t count)
{
    return (size_t)support_between(r, 0, (int64_t)count - 1);
}

static bool change_duration(const choices *c, choice *x, support_random *r)
{
    size_t op = any(r, c->s->workload->op_count);
    int64_t max = range(c, op), min_ns = c->s->workload->ops[op].min_ns;
    if (!max)
        return false;
    int64_t low = x->low_ns[op] - min_ns, high = x->high_ns[op] - min_ns;
    x->is_listed[op] = false;
    if (percent(r, 60)) {
        low = high = other_value(r, high, max);
    } else if (percent(r, 50)) {
        low = 0;
        high = max;
    } else {
        high = other_value(r, high, max);
        low = support_between(r, 0, high);
    }
    set_range(c, x, op, low, high);
    return true;
}

static bool change_blocks(const choices *c, choice *x, support_random *r)
{
    size_t op = any(r, c->s->workload->op_count);
    if (c->first_block[op] == SIZE_MAX)
        return false;
    size_t blocks = (size_t)c->s->workload->ops[op].blocks, first = any(r, blocks);
    size_t end = percent(r, 60) ? first + 1 : first + 1 + any(r, blocks - first);
    int64_t *at = x->block_ns + c->first_block[op];
    bool at_end = x->durations == GCAST_DURATIONS_MIN;
    for (size_t b = 0; !x->is_listed[op] && b < blocks; b++)
        at[b] = c->s->workload->ops[op].block_ns ? shortest(c, op, b) : at_end ? x->low_ns[op] : x->high_ns[op];
    x->is_listed[op] = true;
    int64_t value = other_value(r, at[first] - shortest(c, op, first), listed_range(c, op));
    for (size_t b = first; b < end; b++)
        at[b] = shortest(c, op, b) + value;
    return true;
}

static size_t any_job(const choices *c, support_random *r, size_t *task)
{
    *task = any(r, c->s->workload->task_count);
    return c->first_job[*task] + any(r, job_end(c, *task) - c->first_job[*task]);
}

/* Releases a job together with another, if it may be that late. */
static bool meet(const choices *c, choice *x, support_random *r, size_t task, size_t job)
{
    const gcast_workload *w = c->s->workload;
    size_t other_task, other = any_job(c, r, &other_task);
    const gcast_task *t = &w->tasks[task], *o = &w->tasks[other_task];
    int64_t nominal_ns = t->offset_ns + (int64_t)(job - c->first_job[task]) * t->period_ns;
    int64_t other_ns = o->offset_ns + (int64_t)(other - c->first_job[other_task]) * o->period_ns + x->late_ns[other];
    if (t->sporadic || o->sporadic || other_ns < nominal_ns || other_ns > nominal_ns + t->jitter_ns)
        return false;
    x->late_ns[job] = other_ns - nominal_ns;
    return true;
}

static bool change_release(const choices *c, choice *x, support_random *r, bool of_distance)
{
    size_t task;
    if (!c->job_count)
        return false;
    size_t job = any_job(c, r, &task);
    const gcast_task *t = &c->s->workload->tasks[task];
    if (of_distance ? !t->sporadic : !t->jitter_ns)
        return false;
    if (of_distance)
        x->distance_ns[job] = other_value(r, x->distance_ns[job], t->period_ns);
    else if (!meet(c, x, r, task, job))
        x->late_ns[job] = other_value(r, x->late_ns[job], t->jitter_ns);
    return true;
}

static bool change_latency(const choices *c, choice *x, support_random *r)
{
    size_t op = any(r, c->s->workload->op_count);
    int64_t max = latency_range(c, op);
    if (!max)
        return false;
    size_t o = c->first_operation[op] + any(r, operation_end(c, op) - c->first_operation[op]);
    x->latency_ns[o] = other_value(r, x->latency_ns[o], max);
    return true;
}

static bool change_order(const choices *c, choice *x, support_random *r)
{
    const gcast_workload *w = c->s->workload;
    bool of_tasks = w->once_count < 2 || percent(r, 50);
    size_t count = of_tasks ? w->task_count : w->once_count;
    if (!c->s->any_order || count < 2 || percent(r, 60)) /* a new order costs more than an execution */
        return false;
    size_t i = any(r, count), k = any(r, count);
    if (i == k || (!of_tasks && !(may_move(c, x->order[i]) && may_move(c, x->order[k]))))
        return false;
    swap(of_tasks ? x->tasks : x->order, i, k);
    return true;
}

static bool change_seed(choice *x, support_random *r)
{
    if (percent(r, 60) && x->durations == GCAST_DURATIONS_RANDOM)
        x->seed = support_next(r);
    else
        x->durations = (gcast_durations)one_of(r, GCAST_DURATIONS_MAX, GCAST_DURATIONS_MIN, GCAST_DURATIONS_RANDOM);
    return true;
}

static bool change_one(const choices *c, choice *x, support_random *r)
{
    switch (support_between(r, 0, KINDS - 1)) {
    case DURATION:
        return change_duration(c, x, r);
    case BLOCKS:
        return change_blocks(c, x, r);
    case RELEASE:
        return change_release(c, x, r, false);
    case DISTANCE:
        return change_release(c, x, r, true);
    case LATENCY:
        return change_latency(c, x, r);
    case ORDER:
        return change_order(c, x, r);
    case SEED:
        return change_seed(x, r);
    default:
        x->noise_seed = support_next(r);
        return x->noise_ns > 0;
    }
}

void choice_change(const choices *c, choice *x, support_random *r)
{
    for (int64_t n = one_of(r, 1, 1, 1, 2, 2, 3); n > 0; n--)
        for (int i = 0; i < TRIES && !change_one(c, x, r); i++)
            ;
}
