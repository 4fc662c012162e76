/* "What there is", "Tasks" and "Durations" of docs/model.md. */
#include "property/oracle_state.h"

static int64_t job_release(const gcast_task *t, int64_t job)
{
    return t->offset_ns + job * t->period_ns;
}

static int64_t hyperperiod_horizon(const gcast_workload *w)
{
    int64_t lcm = 1, offset = 0;
    for (size_t i = 0; i < w->task_count; i++) {
        int64_t multiple = lcm;
        while (multiple % w->tasks[i].period_ns)
            multiple += lcm;
        lcm = multiple;
        if (w->tasks[i].offset_ns > offset)
            offset = w->tasks[i].offset_ns;
    }
    return w->task_count ? offset + lcm : 0;
}

static bool add(oracle_state *o, size_t op, uint32_t job, int64_t release)
{
    oracle_op *x = &o->ops[o->count++];
    x->op = &o->w->ops[op];
    x->connection = -1;
    x->copy_start_ns = -1;
    x->turn_ns = -1;
    x->repair_ns = -1;
    x->run = (gcast_run_op){.op = (uint32_t)op,
                            .job = job,
                            .engine = -1,
                            .connection = -1,
                            .channel = -1,
                            .release_ns = release + x->op->release_ns,
                            .call_ns = -1,
                            .return_ns = -1,
                            .arrive_ns = -1,
                            .head_ns = -1,
                            .enter_ns = -1,
                            .start_ns = -1,
                            .dispatched_ns = -1,
                            .end_ns = -1};
    if (!oracle_is_kernel(x))
        return true;
    x->run.block_count = x->op->blocks;
    x->launch_size = oracle_launch_size(o, x->op);
    if (oracle_has_plan(x))
        return oracle_plan_init(o, x);
    x->run.blocks = x->blocks = arena_alloc_array(o->memory, x->op->blocks, sizeof *x->blocks);
    x->age = arena_alloc_array(o->memory, x->op->blocks, sizeof *x->age);
    return x->blocks && x->age;
}

/* The task whose next job is released first, the earlier task among equals; -1: no more before the horizon. */
static int next_task(const oracle_state *o, const uint32_t *jobs)
{
    int best = -1;
    for (size_t k = 0; k < o->w->task_count; k++) {
        int64_t release = job_release(&o->w->tasks[k], jobs[k]);
        if (release < o->horizon_ns && (best < 0 || release < job_release(&o->w->tasks[best], jobs[best])))
            best = (int)k;
    }
    return best;
}

gcast_status oracle_expand(oracle_state *o, gcast_error *err)
{
    const gcast_workload *w = o->w;
    o->horizon_ns = w->task_count == 0 ? 0 : o->options->horizon_ns ? o->options->horizon_ns : hyperperiod_horizon(w);
    size_t max_count = 0;
    for (size_t i = 0; i < w->once_count; i++)
        max_count += 1 + oracle_max_children(&w->ops[i]);
    for (size_t k = 0; k < w->task_count; k++)
        for (int64_t j = 0; job_release(&w->tasks[k], j) < o->horizon_ns; j++)
            for (size_t i = 0; i < w->tasks[k].op_count; i++)
                max_count += 1 + oracle_max_children(&w->ops[w->tasks[k].first_op + i]);
    o->ops = arena_alloc_array(o->memory, max_count + 1, sizeof *o->ops);
    o->entering = arena_alloc_array(o->memory, max_count + 1, sizeof *o->entering);
    o->by_entry = arena_alloc_array(o->memory, max_count + 1, sizeof *o->by_entry);
    uint32_t *jobs = arena_alloc_array(o->memory, w->task_count + 1, sizeof *jobs);
    bool ok = o->ops && o->entering && o->by_entry && jobs;
    for (size_t i = 0; ok && i < w->once_count; i++)
        ok = add(o, i, 0, 0);
    for (int k; ok && (k = next_task(o, jobs)) >= 0; jobs[k]++)
        for (size_t i = 0; ok && i < w->tasks[k].op_count; i++)
            ok = add(o, w->tasks[k].first_op + i, jobs[k], job_release(&w->tasks[k], jobs[k]));
    o->all = o->count;
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

static int64_t drawn(const oracle_op *x, uint64_t block, uint64_t seed, int64_t lo, int64_t hi)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15 * (1 + (uint64_t)x->run.op) +
                 0xbf58476d1ce4e5b9 * (1 + (uint64_t)x->run.job) + 0x94d049bb133111eb * (1 + block);
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9;
    z ^= z >> 27;
    z *= 0x94d049bb133111eb;
    z ^= z >> 31;
    unsigned __int128 span = (unsigned __int128)(hi - lo) + 1;
    return lo + (int64_t)(z * span / ((unsigned __int128)1 << 64));
}

static int64_t bandwidth(const gcast_gpu *gpu, const gcast_op *op)
{
    if (op->kind == GCAST_KIND_MEMSET)
        return gpu->memset_bytes_per_s;
    return op->direction == GCAST_H2D   ? gpu->h2d_bytes_per_s
           : op->direction == GCAST_D2H ? gpu->d2h_bytes_per_s
                                        : gpu->d2d_bytes_per_s;
}

static int64_t given(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    const gcast_op *op = x->op;
    if (op->block_ns)
        return op->block_ns[block];
    if (op->min_ns == GCAST_UNKNOWN_NS) {
        int64_t per_s = bandwidth(o->gpu, op);
        int64_t ns = (op->bytes * 1000000000 + per_s - 1) / per_s;
        if (op->kind == GCAST_KIND_COPY && op->direction == GCAST_H2D)
            ns += o->gpu->h2d_overhead_ns;
        if (op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H)
            ns += o->gpu->d2h_overhead_ns;
        return ns < 1 ? 1 : ns;
    }
    if (o->options->durations == GCAST_DURATIONS_MAX)
        return op->max_ns;
    if (o->options->durations == GCAST_DURATIONS_MIN)
        return op->min_ns;
    return drawn(x, block, o->options->seed, op->min_ns, op->max_ns);
}

int64_t oracle_duration(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    uint64_t noise_seed = UINT64_MAX - o->options->noise_seed;
    int64_t items_ns = 0;
    if (oracle_is_rest(x))
        return x->child->launches->after_ns;
    if (x->child) {
        uint32_t items = oracle_block_items(x, block), threads = (uint32_t)x->op->shape.threads;
        items_ns = x->child->launches->child_item_ns * ((items + threads - 1) / threads);
    }
    return given(o, x, block) + items_ns + drawn(x, block, noise_seed, 0, o->options->noise_ns);
}

int64_t oracle_latency(const oracle_state *o, const oracle_op *x, bool pause)
{
    int64_t latency = oracle_is_kernel(x) ? o->gpu->launch_latency_ns : o->gpu->copy_latency_ns;
    if (x->op->graph != GCAST_NO_GRAPH)
        latency = oracle_graph_latency(o, x);
    int64_t noise = o->gpu->launch_noise_ns, min = pause ? 0 : -(noise / 2), max = pause ? 3 * noise : noise + min;
    if (o->options->scatter)
        latency += drawn(x, ((uint64_t)1 << 63) - 1, UINT64_MAX - o->options->noise_seed, min, max);
    return latency < 0 ? 0 : latency;
}

int64_t oracle_turn(const oracle_state *o, const oracle_op *x)
{
    return drawn(x, ((uint64_t)1 << 63) + 1, UINT64_MAX - o->options->noise_seed, 0, INT64_MAX);
}

int64_t oracle_starved_ns(const oracle_state *o, const oracle_op *x)
{
    int64_t average = o->gpu->starved_ns;
    if (!o->options->scatter)
        return average;
    return drawn(x, (uint64_t)1 << 63, UINT64_MAX - o->options->noise_seed, 0, average + average / 3);
}

int64_t oracle_draw_place(const oracle_state *o, const oracle_op *x, int64_t places)
{
    uint64_t block = oracle_is_rest(x) ? x->child->of.parent_block : x->started - x->launch_first;
    return drawn(x, ((uint64_t)1 << 62) + block, o->options->placement_seed, 0, places - 1);
}
