/* Random launches: what kernels launch, and the limits of the GPU for it. Few children, of few different times, so that
 * many things happen at one time. */
#include <stdlib.h>
#include <string.h>

#include "property/generate.h"

#define MAX_LEVELS 3
#define MAX_LAUNCHERS 40960 /* of a level: 40 blocks of 1024 threads */
#define LONG_NS 70000       /* more than 16 bits hold */
#define LONG_WINDOW_NS 2000 /* of SPAWN, on GPUs where children take that long */

/* The launches that are being made: by level. */
static gcast_launches levels[MAX_LEVELS];
static gcast_op children[MAX_LEVELS];
static uint32_t items[MAX_LEVELS][MAX_LAUNCHERS];

static uint32_t random_items(support_random *r, bool few)
{
    return (uint32_t)(few ? one_of(r, 1, 1, 1, 2, 2, 3, 5) : one_of(r, 1, 1, 2, 3, 5, 8, 20, 32, 33, 64, 100, 200));
}

/* Gives some of the launchers items, few of them many; the sum. */
static uint64_t deal_items(support_random *r, gcast_launches *l, int level, uint64_t launchers, int max_children,
                           bool few)
{
    uint64_t sum = 0;
    l->item_count = launchers;
    l->items = items[level];
    memset(items[level], 0, launchers * sizeof *items[level]);
    bool dense = percent(r, 50); /* neighbours have items */
    uint64_t next = (uint64_t)support_between(r, 0, (int64_t)launchers - 1);
    for (int i = 0; i < max_children && launchers; i++) {
        items[level][next] = random_items(r, few);
        next = dense ? (next + 1) % launchers : (uint64_t)support_between(r, 0, (int64_t)launchers - 1);
    }
    if (percent(r, 10)) /* launchers beyond have none */
        l->item_count = (uint64_t)support_between(r, 1, (int64_t)launchers);
    for (uint64_t i = 0; i < l->item_count; i++)
        sum += items[level][i];
    return sum;
}

static void random_policy(support_random *r, const gcast_gpu *gpu, gcast_launches *l)
{
    l->policy =
        (gcast_spawn_policy)one_of(r, GCAST_SPAWN_ALWAYS, GCAST_SPAWN_ALWAYS, GCAST_SPAWN_ALWAYS, GCAST_SPAWN_FLAT,
                                   GCAST_SPAWN_THRESHOLD, GCAST_SPAWN_THRESHOLD, GCAST_SPAWN_SPAWN, GCAST_SPAWN_SPAWN,
                                   GCAST_SPAWN_SPAWN, GCAST_SPAWN_PREDICT, GCAST_SPAWN_PREDICT);
    if (gpu->spawn_window_ns == LONG_WINDOW_NS && percent(r, 70))
        l->policy = GCAST_SPAWN_SPAWN;
    l->threshold = (uint32_t)one_of(r, 1, 2, 3, 10, 50);
    l->min_items = percent(r, 80) ? 1 : (uint32_t)one_of(r, 2, 3, 20);
}

static void random_stream(support_random *r, const gcast_gpu *gpu, gcast_launches *l)
{
    l->stream = (gcast_child_stream)support_between(r, 0, GCAST_CHILD_STREAMS - 1);
    if (l->stream == GCAST_CHILD_STREAM_NAMED || l->stream == GCAST_CHILD_STREAM_IN_TURN)
        l->streams = (uint32_t)support_between(r, 1, 4);
    if (l->stream == GCAST_CHILD_STREAM_NAMED)
        l->named = (uint32_t)support_between(r, 0, l->streams - 1);
    l->wait = (gcast_child_wait)one_of(r, GCAST_CHILD_WAIT_NONE, GCAST_CHILD_WAIT_NONE, GCAST_CHILD_WAIT_TAIL,
                                       GCAST_CHILD_WAIT_BLOCK, GCAST_CHILD_WAIT_BLOCK);
    if (l->wait == GCAST_CHILD_WAIT_BLOCK && !gpu->child_sync)
        l->wait = GCAST_CHILD_WAIT_NONE;
    if (l->wait == GCAST_CHILD_WAIT_BLOCK)
        l->after_ns = percent(r, 30) ? 0 : one_of(r, 1, 3, 5, 10, 30);
}

static void random_child(support_random *r, const gcast_gpu *gpu, gcast_launches *l, gcast_op *child, bool launches)
{
    *child = gcast_op_default(GCAST_KIND_KERNEL);
    child->label = "child";
    generate_shape(r, gpu, percent(r, 60), child);
    child->min_ns = child->max_ns = one_of(r, 1, 2, 3, 5, 5, 10, 10, 20, 50) + (launches ? 3 : 0);
    if (percent(r, 20))
        child->max_ns += one_of(r, 1, 2, 5, 10);
    child->body = percent(r, 50) ? GCAST_BODY_SPIN : GCAST_BODY_TIMER_SPIN;
    if (gpu->limits.carveouts > 1 && percent(r, 30))
        child->carveout = GCAST_OP_CARVEOUT_DRIVER;
    l->child = child;
    l->child_item_ns = one_of(r, 0, 1, 2, 5, 10);
    if (gpu->spawn_window_ns == LONG_WINDOW_NS)
        l->child_item_ns = one_of(r, LONG_NS, LONG_NS, LONG_NS / 2, LONG_NS / 20);
    uint32_t threads = child->block[0];
    if (percent(r, 50))
        l->items_per_block = (uint32_t)one_of(r, 1, 2, 8, 32, 40, 64, 300);
    if (launches && l->items_per_block > threads)
        l->items_per_block = threads;
}

void generate_launches(support_random *r, const gcast_gpu *gpu, int max_children, gcast_op *op)
{
    int depth = (int)one_of(r, 1, 1, 1, 2, 2, 3);
    gcast_op *parent = op;
    uint64_t launchers = 0;
    for (int level = 0; level < depth && (level == 0 || launchers); level++) {
        gcast_launches *l = &levels[level];
        bool launches = level + 1 < depth;
        *l = gcast_launches_default();
        l->by = level ? GCAST_LAUNCHER_THREAD : (gcast_launcher)support_between(r, 0, GCAST_LAUNCHERS - 1);
        if (level == 0)
            launchers = (uint64_t)op->grid[0] * op->grid[1] *
                        (l->by == GCAST_LAUNCHER_THREAD ? op->block[0]
                         : l->by == GCAST_LAUNCHER_WARP ? (op->block[0] + 31) / 32
                                                        : 1);
        l->at_ns = support_between(r, 1, 3);
        random_policy(r, gpu, l);
        random_stream(r, gpu, l);
        random_child(r, gpu, l, &children[level], launches);
        l->item_ns = one_of(r, 0, 1, 2, 5, 10, 30);
        if (launchers <= (uint64_t)max_children && percent(r, 30)) {
            l->items_each = (uint32_t)one_of(r, 0, 1, 1, 2, 3, 5);
            launchers *= l->items_each;
        } else {
            launchers = deal_items(r, l, level, launchers, max_children, launches);
        }
        parent->launches = l;
        parent = &children[level];
    }
}

void generate_launch_times(support_random *r, gcast_gpu *gpu)
{
    gcast_error err;
    if (gpu->limits.cc_major * 10 + gpu->limits.cc_minor < 35)
        gpu->limits.cc_major = 6;
    gpu->child_launch_ns = one_of(r, 0, 0, 1, 5, 10, 50);
    gpu->child_step_ns = one_of(r, 0, 0, 1, 3);
    gpu->child_call_ns = one_of(r, 0, 0, 1, 4);
    gpu->child_call_step_ns = one_of(r, 0, 0, 1, 2);
    gpu->child_call_service_ns = one_of(r, 0, 0, 1, 3);
    gpu->child_end_ns = one_of(r, 0, 0, 1, 5);
    gpu->child_refused_ns = one_of(r, 0, 0, 2, 20);
    gpu->child_service_ns = one_of(r, 0, 0, 1, 2, 7);
    gpu->child_pool = (int)one_of(r, 0, 0, 1, 1, 1, 2, 2, 3, 5, 8);
    gpu->child_pool_grows = percent(r, 60);
    gpu->child_queues = (int)one_of(r, 0, 0, 1, 1, 1, 2, 3, 4);
    gpu->child_forget = percent(r, 50);
    gpu->child_level = (int)support_between(r, 0, 2);
    gpu->child_sync = percent(r, 80);
    gpu->spawn_window_ns = percent(r, 8) ? LONG_WINDOW_NS : one_of(r, 3, 10, 10, 32, 50, 200);
    if (percent(r, 15) && gpu->sms > 1 && !gpu->tie_list && !gpu->reach_ns)
        gpu->sms = (int)one_of(r, 16, 20, 24);
    assert_ok(gcast_gpu_check(gpu, &err), &err);
}

void generate_spawn_options(support_random *r, generated *g)
{
    if (percent(r, 10)) {
        g->options.override_spawn = true;
        g->options.spawn_policy = (gcast_spawn_policy)support_between(r, 0, GCAST_SPAWN_POLICIES - 1);
        g->options.spawn_threshold = (uint32_t)support_between(r, 1, 10);
    }
    if (percent(r, 30))
        return;
    g->spawn = malloc(sizeof *g->spawn);
    assert_non_null(g->spawn);
    *g->spawn = gcast_spawn_options_default();
    g->spawn->window_ns = percent(r, 70) ? 0 : one_of(r, 5, 20, 100);
    g->spawn->queue_limit = percent(r, 50) ? 65536 : (uint64_t)one_of(r, 0, 1, 3, 10);
    g->spawn->idle = (gcast_spawn_idle)support_between(r, 0, GCAST_SPAWN_IDLES - 1);
    g->spawn->average = (gcast_spawn_average)support_between(r, 0, GCAST_SPAWN_AVERAGES - 1);
    g->spawn->counters = (gcast_spawn_counter)support_between(r, 0, GCAST_SPAWN_COUNTERS - 1);
    g->spawn->start = (gcast_spawn_start)support_between(r, 0, GCAST_SPAWN_STARTS - 1);
    g->spawn->fractions = percent(r, 50);
    g->options.spawn = g->spawn;
}
