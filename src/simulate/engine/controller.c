/* The controller of SPAWN: counters, windows and the decision. */
#include "simulate/engine/controller.h"

#include <stdlib.h>

#include "base/integers.h"

typedef unsigned __int128 wide;

#define COUNTER_MAX 65535 /* of a counter of 16 bits */
#define NO_BLOCK UINT32_MAX

void controller_init(controller *c, const gcast_spawn_options *options, int64_t window)
{
    *c = (controller){.options = *options, .window = window, .free_block = NO_BLOCK};
}

void controller_free(controller *c)
{
    vec_free(&c->ends.items);
    vec_free(&c->blocks);
    vec_free(&c->ending);
}

/* What a counter shows. */
static uint64_t counted(const controller *c, uint64_t value)
{
    switch (c->options.counters) {
    case GCAST_SPAWN_COUNTER_SATURATE:
        return min_u64(value, COUNTER_MAX);
    case GCAST_SPAWN_COUNTER_WRAP:
        return value & COUNTER_MAX;
    default:
        return value;
    }
}

/* Sets the average number of child blocks of a window, as the fraction *over / *under. */
static void concurrency(const controller *c, wide sum, wide *over, wide *under)
{
    *over = c->options.fractions ? sum : sum / (uint64_t)c->window;
    *under = c->options.fractions ? (wide)(uint64_t)c->window : 1;
}

/* A window ends, with `sum` running blocks summed over time. */
static void close_window(controller *c, wide sum)
{
    wide over, under;
    concurrency(c, sum, &over, &under);
    if (sum > c->peak_sum)
        c->peak_sum = sum;
    if (!over && c->options.idle == GCAST_SPAWN_IDLE_PEAK)
        c->last_sum = c->peak_sum;
    else if (over || c->options.idle != GCAST_SPAWN_IDLE_LAST)
        c->last_sum = sum;
    if (c->warps)
        c->t_warp = (int64_t)(c->warp_sum / c->warps);
    if (c->window_ended && c->options.average == GCAST_SPAWN_AVERAGE_WINDOW)
        c->t_cta = (int64_t)(c->window_ended_sum / c->window_ended);
    c->run_sum = c->warp_sum = c->window_ended_sum = 0;
    c->warps = c->window_ended = 0;
}

/* No block starts or ends between `now` of the controller and `time`. */
static void pass(controller *c, int64_t time)
{
    int64_t left = c->window - (c->now - c->window_start);
    if (time - c->now >= left) {
        close_window(c, c->run_sum + (wide)c->running * (uint64_t)left);
        c->now += left;
        int64_t skipped = (time - c->now) / c->window; /* windows in which nothing changes */
        if (skipped)
            close_window(c, (wide)c->running * (uint64_t)c->window);
        c->now += skipped * c->window;
        c->window_start = c->now;
    }
    c->run_sum += (wide)c->running * (uint64_t)(time - c->now);
    c->now = time;
}

/* A child block ends at `now`. */
static void block_ends(controller *c, const controller_block *block)
{
    uint64_t shown = block->shown;
    c->running--;
    if (c->n || c->options.counters == GCAST_SPAWN_COUNTER_WRAP)
        c->n = counted(c, c->n - 1);
    c->ended++;
    c->ended_sum += shown;
    c->window_ended++;
    c->window_ended_sum += shown;
    c->warps += block->warps;
    c->warp_sum += (wide)shown * block->warps;
    if (c->options.average == GCAST_SPAWN_AVERAGE_ALL)
        c->t_cta = (int64_t)(c->ended_sum / c->ended);
    else if (c->options.average == GCAST_SPAWN_AVERAGE_MOVING)
        c->t_cta = c->ended == 1 ? (int64_t)shown : c->t_cta + ((int64_t)shown - c->t_cta) / 8;
}

/* The next block that ends by `now` leaves the heap; false: there is none. */
static bool take_end(controller *c, int64_t now, int64_t *end, controller_block *block)
{
    const heap_item *top = heap_top(&c->ends);
    if (!top || top->time > now)
        return false;
    heap_item e = heap_pop(&c->ends);
    *end = e.time;
    *block = c->blocks.at[e.id];
    c->blocks.at[e.id].next = c->free_block;
    c->free_block = e.id;
    return true;
}

static int by_shown_duration(const void *a, const void *b)
{
    const controller_block *x = a, *y = b;
    return (x->shown > y->shown) - (x->shown < y->shown);
}

/* All blocks in c->ending end. A moving average depends on their order: by the duration that counters show. */
static void end_together(controller *c)
{
    if (c->ending.count > 1 && c->options.average == GCAST_SPAWN_AVERAGE_MOVING)
        qsort(c->ending.at, c->ending.count, sizeof *c->ending.at, by_shown_duration);
    for (size_t i = 0; i < c->ending.count; i++)
        block_ends(c, &c->ending.at[i]);
    c->ending.count = 0;
}

void controller_advance(controller *c, int64_t now)
{
    controller_block block;
    int64_t end;
    while (take_end(c, now, &end, &block)) {
        pass(c, end);
        do
            c->ending.at[c->ending.count++] = block; /* there is memory for all blocks that run */
        while (take_end(c, end, &end, &block));
        end_together(c);
    }
    pass(c, now);
}

/* The product, or the largest number where it does not fit. */
static wide product(wide a, wide b)
{
    wide p;
    return __builtin_mul_overflow(a, b, &p) ? ~(wide)0 : p;
}

static wide sum(wide a, wide b)
{
    wide s;
    return __builtin_add_overflow(a, b, &s) ? ~(wide)0 : s;
}

/* Decides, and sets *why and the average number of child blocks, the fraction *over_out / *under_out. */
static bool decide(const controller *c, int64_t overhead, uint64_t blocks, uint64_t items, gcast_spawn_why *why,
                   wide *over_out, wide *under_out)
{
    wide over, under;
    concurrency(c, c->last_sum, &over, &under);
    if (!over && c->options.idle == GCAST_SPAWN_IDLE_ONE)
        over = under = 1;
    *over_out = over;
    *under_out = under;
    *why = c->t_cta == 0 ? GCAST_SPAWN_WHY_START : GCAST_SPAWN_WHY_UNKNOWN;
    if (c->t_cta == 0 || (c->t_warp == 0 && c->options.start == GCAST_SPAWN_START_KNOWN))
        return true;
    if (c->n + blocks > c->options.queue_limit) {
        *why = GCAST_SPAWN_WHY_QUEUE;
        return false;
    }
    if (!over)
        return true;
    *why = GCAST_SPAWN_WHY_FORMULA;
    wide child =
        sum(product((uint64_t)overhead, over), product(product((wide)c->n + blocks, (uint64_t)c->t_cta), under));
    return child <= product(product(items, (uint64_t)c->t_warp), over);
}

bool controller_says_launch(const controller *c, int64_t overhead, uint64_t blocks, uint64_t items)
{
    gcast_spawn_why why;
    wide over, under;
    return decide(c, overhead, blocks, items, &why, &over, &under);
}

gcast_spawn_decision controller_explain(const controller *c, int64_t overhead, uint64_t blocks, uint64_t items)
{
    wide over, under;
    gcast_spawn_decision d = {.time_ns = c->now,
                              .items = (uint32_t)items,
                              .blocks = (uint32_t)blocks,
                              .n = c->n,
                              .t_cta_ns = c->t_cta,
                              .t_warp_ns = c->t_warp,
                              .overhead_ns = overhead,
                              .child_ns = -1,
                              .parent_ns = -1};
    d.launches = decide(c, overhead, blocks, items, &d.why, &over, &under);
    d.n_con = (double)over / (double)under;
    if (c->t_cta && over && d.why != GCAST_SPAWN_WHY_UNKNOWN) {
        d.child_ns = (double)overhead + (double)(c->n + blocks) * (double)c->t_cta / d.n_con;
        d.parent_ns = (double)items * (double)c->t_warp;
    }
    return d;
}

void controller_launch(controller *c, uint64_t blocks)
{
    c->n = counted(c, c->n + blocks);
}

void controller_block_starts(controller *c, int64_t now)
{
    controller_advance(c, now);
    c->running++;
}

bool controller_block_ends_at(controller *c, int64_t start, int64_t end, uint32_t warps)
{
    uint32_t b = c->free_block;
    if (b != NO_BLOCK) {
        c->free_block = c->blocks.at[b].next;
    } else {
        b = (uint32_t)c->blocks.count;
        if (!vec_push(&c->blocks, ((controller_block){0})) || !vec_reserve(&c->ending, c->blocks.cap))
            return false;
    }
    c->blocks.at[b] = (controller_block){.shown = counted(c, (uint64_t)(end - start)), .warps = warps};
    return heap_push(&c->ends, (heap_item){.time = end, .id = b});
}
