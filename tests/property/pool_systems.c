#include "property/pool_systems.h"

#include <inttypes.h>

#include "gridcast/names.h"
#include "model/workload/workload.h"
#include "property/generate.h"
#include "support/builders.h"

/* Most take a part of an SM of 2048 threads, 64 KiB each of registers and shared memory. */
static gcast_block_shape random_shape(support_random *r)
{
    gcast_block_shape shape = {.threads = (int)one_of(r, 32, 64, 96, 160, 256, 512, 704, 1024)};
    shape.registers = (int)one_of(r, 0, 16, 24, 32, shape.threads <= 512 ? 64 : 32);
    shape.dynamic_smem = percent(r, 50) ? 0 : one_of(r, 1000, 9000, 20000, 33000, 40000);
    return shape;
}

static system_op random_op(support_random *r, const system_kind *kind)
{
    system_op op = {.copy = percent(r, kind->copies),
                    .direction = (gcast_direction)support_between(r, 0, kind->one_way ? 0 : 2),
                    .release = percent(r, 20) ? support_between(r, 0, 3) : 0,
                    .min = support_between(r, 1, 6),
                    .blocks = (int)support_between(r, 1, kind->max_blocks)};
    op.max = op.min + support_between(r, 0, kind->max_range);
    if (op.copy)
        op.blocks = 1;
    op.listed = !op.copy && percent(r, kind->listed);
    if (kind->mixed)
        op.shape = random_shape(r);
    op.spins = kind->shapes && percent(r, 30);
    op.drivers = kind->shapes && percent(r, 15);
    return op;
}

/* Puts an op into another stream, and after earlier ones of its task; these are called before it. */
static void depend(support_random *r, const system_spec *s, const system_kind *kind, system_task *t, int number)
{
    system_op *op = &t->ops[number];
    if (percent(r, 50))
        op->stream = (int)support_between(r, 0, s->stream_count - 1);
    for (int i = 0; i < number; i++)
        if (t->ops[i].release <= op->release && percent(r, kind->after))
            op->after |= 1u << i;
}

static system_task random_task(support_random *r, const system_spec *s, const system_kind *kind, int number)
{
    system_task t = {.stream = kind->plain ? number % s->stream_count : (int)support_between(r, 0, s->stream_count - 1),
                     .offset = support_between(r, 0, percent(r, 30) ? 0 : 8),
                     .period = kind->once       ? 1000
                               : kind->periodic ? one_of(r, 15, 30, 60)
                                                : support_between(r, 8, 20),
                     .jitter = percent(r, 60) ? support_between(r, 0, kind->max_jitter) : 0,
                     .op_count = kind->plain ? 1 : (int)support_between(r, 1, kind->max_ops ? kind->max_ops : 2)};
    for (int i = 0; i < t.op_count; i++) {
        t.ops[i] = random_op(r, kind);
        t.ops[i].stream = t.stream;
    }
    t.sporadic = kind->sporadic && percent(r, kind->sporadic);
    for (int i = 0; i < t.op_count && kind->after; i++)
        depend(r, s, kind, &t, i);
    return t;
}

static gcast_gpu *random_gpu(support_random *r)
{
    gcast_error err;
    gcast_gpu *gpu = support_gpu("system", 6, 2, (int)support_between(r, 1, 3), &err);
    assert_non_null(gpu);
    gpu->connections = percent(r, 50) ? 0 : (int)support_between(r, SYSTEM_STREAMS, 2 * SYSTEM_STREAMS);
    gpu->turn_ns = percent(r, 50) ? 0 : support_between(r, 1, 4);
    gpu->priority_levels = (int)support_between(r, 1, 3);
    gpu->copy_engines = (int)support_between(r, 1, 3);
    gpu->placement = (gcast_placement)support_between(r, 0, GCAST_PLACEMENTS - 1);
    gpu->look_step_ns = percent(r, 50) ? 0 : support_between(r, 1, 2);
    gpu->launch_latency_ns = percent(r, 70) ? 0 : support_between(r, 0, 3);
    gpu->copy_latency_ns = percent(r, 70) ? 0 : support_between(r, 0, 3);
    gpu->copy_gap_ns = percent(r, 70) ? 0 : support_between(r, 0, 3);
    gpu->stream_gap_ns = percent(r, 70) ? 0 : support_between(r, 0, 2);
    gpu->handover_ns = percent(r, 70) ? 0 : support_between(r, 0, 2);
    gpu->switch_ns = percent(r, 70) ? 0 : support_between(r, 0, 2);
    return gpu;
}

/* Fields of the GPU that matter only where blocks form no pool. */
static void mix(support_random *r, system_spec *s, const system_kind *kind)
{
    gcast_gpu *gpu = s->gpu;
    gcast_error err;
    gpu->connections = percent(r, 60) ? 0 : (int)support_between(r, 1, 6);
    gpu->copy_channels = percent(r, 60) ? 0 : (int)support_between(r, 1, 3);
    gpu->register_quarters = percent(r, 50);
    gpu->sms_per_tpc = (int)support_between(r, 1, 2);
    gpu->limits.resident_grids = percent(r, 80) ? 0 : (int)support_between(r, 1, 3);
    int reach[GCAST_MAX_SMS];
    for (int i = 0; i < gpu->sms; i++)
        reach[i] = (int)support_between(r, 0, 3);
    if (percent(r, 50))
        assert_ok(gcast_gpu_set_reach(gpu, reach, gpu->sms, &err), &err);
    if (kind->few_connections) {
        gpu->limits.resident_grids = 0;
        return;
    }
    if (kind->shapes) {
        gpu->starving_warps = percent(r, 70) ? 0 : (int)support_between(r, 1, 40);
        gpu->starved_ns = support_between(r, 1, 6);
        gpu->limits.carveouts = 0;
        for (int size = 8; size * 1024 < gpu->limits.smem_per_sm && percent(r, 40); size *= 2)
            gpu->limits.carveout[gpu->limits.carveouts++] = size * 1024;
        gpu->limits.carveout[gpu->limits.carveouts++] = gpu->limits.smem_per_sm;
        return;
    }
    if (percent(r, 40))
        s->id[support_between(r, 0, s->stream_count - 1)] = 0;
    for (int i = 0; i < s->stream_count; i++)
        s->blocking[i] = percent(r, 50);
}

static void shape_all(system_spec *s, gcast_block_shape shape)
{
    for (int i = 0; i < s->task_count; i++)
        for (int k = 0; k < s->tasks[i].op_count; k++)
            s->tasks[i].ops[k].shape = shape;
}

system_spec system_random(support_random *r, const system_kind *kind)
{
    system_spec s = {.task_count = (int)support_between(r, 1, kind->max_tasks),
                     .stream_count = (int)support_between(r, 1, SYSTEM_STREAMS),
                     .any_order = percent(r, 25),
                     .horizon = kind->once       ? 900
                                : kind->periodic ? 0
                                                 : 40,
                     .gpu = random_gpu(r)};
    if (kind->plain)
        s.stream_count = SYSTEM_STREAMS;
    for (int i = 0; i < s.stream_count; i++)
        s.id[i] = i + 1;
    for (int i = 0; i < s.stream_count; i++)
        s.priority[i] = kind->plain || percent(r, 50) ? 0 : (int)support_between(r, -2, 0);
    for (int i = 0; i < s.task_count; i++)
        s.tasks[i] = random_task(r, &s, kind, i);
    if (kind->after)
        s.gpu->event_gap_ns = percent(r, 60) ? 0 : support_between(r, 1, 4);
    if (kind->max_noise)
        s.gpu->noise_ns = support_between(r, 1, kind->max_noise);
    if (kind->mixed)
        mix(r, &s, kind);
    else if (percent(r, 50))
        shape_all(&s, (gcast_block_shape){.threads = 1024});
    else
        shape_all(&s, (gcast_block_shape){.threads = 64, .dynamic_smem = 40000}); /* one a SM */
    if (kind->few_connections)
        s.gpu->connections = (int)support_between(r, 1, 2);
    return s;
}

void pool_system_free(system_spec *s)
{
    gcast_gpu_free(s->gpu);
}

int system_range(const system_spec *s, const system_op *op)
{
    return (int)s->gpu->noise_ns + (op->listed ? 0 : (int)(op->max - op->min));
}

static void add_op(gcast_workload *w, const system_spec *s, const system_extra *extra, int task, int number)
{
    const system_op *o = &s->tasks[task].ops[number];
    gcast_error err;
    gcast_op op = gcast_op_default(o->copy ? GCAST_KIND_COPY : GCAST_KIND_KERNEL);
    int64_t block_ns[SYSTEM_BLOCKS];
    op.label = "op";
    op.stream = o->stream;
    op.release_ns = o->release;
    op.min_ns = o->min;
    op.max_ns = o->max;
    op.direction = o->direction;
    if (!o->copy) {
        op.grid[0] = (uint32_t)o->blocks;
        op.block[0] = (uint32_t)o->shape.threads;
        op.shape = o->shape;
        op.body = o->spins ? GCAST_BODY_TIMER_SPIN : op.body;
        op.carveout = o->drivers ? GCAST_OP_CARVEOUT_DRIVER : op.carveout;
    }
    if (extra || o->listed) {
        for (int b = 0; b < o->blocks; b++)
            block_ns[b] =
                o->min + (o->listed ? b * 5 % (o->max - o->min + 1) : 0) + (extra ? (*extra)[task][number][b] : 0);
        if (o->copy)
            op.min_ns = op.max_ns = block_ns[0];
        else
            op.block_ns = block_ns;
    }
    int index = support_add_op(w, &op, &err);
    if (index < 0)
        fail_msg("%s", err.message);
    uint32_t after[SYSTEM_OPS];
    size_t count = 0;
    for (int i = 0; i < number; i++)
        if (o->after >> i & 1)
            after[count++] = (uint32_t)(index - number + i);
    assert_true(workload_set_after(w, (size_t)index, after, count));
}

gcast_workload *system_workload(const system_spec *s, const int *order, const system_extra *extra)
{
    gcast_error err;
    gcast_workload *w = support_workload("system", &err);
    assert_non_null(w);
    for (int i = 0; i < s->stream_count; i++)
        support_add_stream(w, (gcast_stream){.id = s->id[i], .priority = s->priority[i], .blocking = s->blocking[i]},
                           &err);
    for (int i = 0; i < s->task_count; i++) {
        int task = order ? order[i] : i;
        const system_task *t = &s->tasks[task];
        gcast_task add = {.name = "task",
                          .stream = t->stream,
                          .period_ns = t->period,
                          .offset_ns = t->offset,
                          .jitter_ns = t->jitter,
                          .sporadic = t->sporadic};
        if (support_add_task(w, &add, &err) < 0)
            fail_msg("%s", err.message);
        for (int k = 0; k < t->op_count; k++)
            add_op(w, s, extra, task, k);
    }
    return w;
}

void system_print(FILE *out, const system_spec *s)
{
    const gcast_gpu *g = s->gpu;
    fprintf(out, "%d SMs, %d levels, %d engines, looks %" PRId64 ", latency %" PRId64 " %" PRId64 ", gap %" PRId64,
            g->sms, g->priority_levels, g->copy_engines, g->look_step_ns, g->launch_latency_ns, g->copy_latency_ns,
            g->stream_gap_ns);
    fprintf(out, " %" PRId64 ", handover %" PRId64 " %" PRId64 ", switch %" PRId64 ", noise %" PRId64 "%s\n",
            g->event_gap_ns, g->handover_ns, g->copy_gap_ns, g->switch_ns, g->noise_ns,
            s->any_order ? ", any order" : "");
    fprintf(out, "%d connections, turn %" PRId64 ", %d channels, %squarters, %d SMs a TPC, %d grids, %s\n",
            g->connections, g->turn_ns, g->copy_channels, g->register_quarters ? "" : "no ", g->sms_per_tpc,
            g->limits.resident_grids, gcast_name(GCAST_NAMES_PLACEMENT, g->placement));
    for (int i = 0; i < s->stream_count; i++)
        fprintf(out, "stream %d: id %d%s\n", i, s->id[i], s->blocking[i] ? ", blocking" : "");
    for (int i = 0; i < s->task_count; i++) {
        const system_task *t = &s->tasks[i];
        fprintf(out, "task %d: stream %d (%d), offset %" PRId64 ", period %" PRId64 ", jitter %" PRId64 "%s\n", i,
                t->stream, s->priority[t->stream], t->offset, t->period, t->jitter, t->sporadic ? ", sporadic" : "");
        for (int k = 0; k < t->op_count; k++)
            fprintf(out,
                    "  %s %d: at %" PRId64 ", %d x %" PRId64 " to %" PRId64
                    ", %d threads, %d registers, %d bytes, stream %d, "
                    "after %x\n",
                    t->ops[k].copy     ? "copy"
                    : t->ops[k].listed ? "listed"
                                       : "kernel",
                    (int)t->ops[k].direction, t->ops[k].release, t->ops[k].blocks, t->ops[k].min, t->ops[k].max,
                    t->ops[k].shape.threads, t->ops[k].shape.registers, (int)t->ops[k].shape.dynamic_smem,
                    t->ops[k].stream, t->ops[k].after);
    }
}
