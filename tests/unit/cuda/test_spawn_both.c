/* The controller for CUDA programs (cuda/gridcast_spawn_rules.h) against that of the simulator: on random traces, the
 * same windows have the same averages, and the same averages give the same decision. Two things differ by design, and
 * are kept out: on a GPU, windows are closed by child blocks that end, and t_cta is published with them; the
 * simulator's averages are whole numbers. */
#include "support/support.h"

#include <math.h>

#include "gridcast_spawn_rules.h"
#include "simulate/engine/controller.h"

#define MAX_BLOCKS 1024

/* A child block of a trace, with one warp. */
typedef struct trace_block {
    int64_t start, end;
} trace_block;

typedef struct trace {
    trace_block block[MAX_BLOCKS];
    size_t blocks;
    int64_t window;
    long compared, skipped, launched, windows;
} trace;

static const gcast_spawn_idle idle_of[] = {
    [GRIDCAST_IDLE_LAST] = GCAST_SPAWN_IDLE_LAST,
    [GRIDCAST_IDLE_LAUNCH] = GCAST_SPAWN_IDLE_LAUNCH,
    [GRIDCAST_IDLE_ONE] = GCAST_SPAWN_IDLE_ONE,
};

/* The header's window that ends at `now`; blocks that end right then belong to the next one, as in the simulator. */
static void close_window(const trace *t, gridcast_averages *a, const gridcast_params *p, int64_t now)
{
    gridcast_window w = {.span_ns = (uint64_t)t->window};
    int64_t from = now - t->window;
    uint64_t before = 0, after = 0; /* words of running blocks at both ends */
    for (size_t i = 0; i < t->blocks; i++) {
        const trace_block *b = &t->block[i];
        before += b->start < from ? gridcast_running_begin((uint64_t)b->start) : 0;
        before += b->end < from ? gridcast_running_end((uint64_t)b->end) : 0;
        after += b->start < now ? gridcast_running_begin((uint64_t)b->start) : 0;
        after += b->end < now ? gridcast_running_end((uint64_t)b->end) : 0;
        if (b->end >= from && b->end < now) {
            w.ended++;
            w.ended_ns += (uint64_t)(b->end - b->start);
            w.warps++;
            w.warps_ns += (uint64_t)(b->end - b->start);
        }
    }
    w.block_time_ns = gridcast_block_time_between(gridcast_block_time(before, (uint64_t)from),
                                                  gridcast_block_time(after, (uint64_t)now));
    gridcast_close_window(a, p, &w);
}

static void compare_averages(trace *t, const controller *c, const gridcast_averages *a, int64_t now)
{
    double kept = c->options.idle == GCAST_SPAWN_IDLE_LAST ? a->last_n_con : a->n_con;
    double n_con = (double)c->last_sum / (double)t->window;
    if (!(fabs(kept - n_con) <= 1e-12 * n_con) || (int64_t)a->t_warp_ns != c->t_warp)
        fail_msg("time %lld: n_con %g, not %g; t_warp %g, not %lld", (long long)now, kept, n_con, a->t_warp_ns,
                 (long long)c->t_warp);
    t->windows++;
}

/* The header decides with the simulator's averages. */
static bool decision(const controller *c, const gridcast_params *p, uint64_t blocks, uint64_t items, bool *is_clear)
{
    gridcast_averages a = gridcast_averages_start();
    a.t_cta_ns = c->t_warp ? (double)c->t_cta : 0; /* the header learns both at once: until then it starts */
    a.t_warp_ns = (double)c->t_warp;
    a.n_con = a.last_n_con = (double)c->last_sum / (double)c->window;
    gridcast_snapshot s = gridcast_snapshot_of(&a, p);
    double n_con = a.n_con > 0 ? a.n_con : 1;
    double child = (double)p->overhead_ns + (double)(c->n + blocks) * a.t_cta_ns / n_con;
    double parent = (double)items * a.t_warp_ns;
    *is_clear = s.flags || c->n + blocks > p->max_queue || fabs(child - parent) > 1e-5 * fmax(child, parent);
    return gridcast_launches(p, &s, (uint32_t)items, (uint32_t)blocks, c->n, 0, 0);
}

/* A launch at `now`, decided by both; the simulator's decision counts. */
static void decide(trace *t, controller *c, gridcast_params *p, support_random *r, int64_t now, int64_t longest)
{
    bool is_clear;
    uint64_t blocks = (uint64_t)support_between(r, 1, support_between(r, 0, 3) ? 4 : 40);
    uint64_t items = (uint64_t)support_between(r, 1, support_between(r, 0, 1) ? 8 : 2000);
    int64_t overhead = support_between(r, 0, support_between(r, 0, 1) ? 50 : longest * 4);
    p->overhead_ns = (float)overhead;
    bool launches = controller_says_launch(c, overhead, blocks, items);
    bool same = decision(c, p, blocks, items, &is_clear) == launches;
    if (is_clear && !same)
        fail_msg("time %lld: %llu blocks, %llu items, n %llu, t_cta %lld, t_warp %lld: simulated %d", (long long)now,
                 (unsigned long long)blocks, (unsigned long long)items, (unsigned long long)c->n, (long long)c->t_cta,
                 (long long)c->t_warp, launches);
    t->compared += is_clear;
    t->skipped += !is_clear;
    t->launched += launches;
    if (!launches || t->blocks + blocks > MAX_BLOCKS)
        return;
    controller_launch(c, blocks);
    for (uint64_t i = 0; i < blocks; i++) {
        int64_t start = now + support_between(r, 1, 30);
        t->block[t->blocks++] = (trace_block){start, start + support_between(r, 1, longest)};
    }
}

static void run_trace(trace *t, support_random *r)
{
    controller c;
    gcast_spawn_options o = gcast_spawn_options_default();
    gridcast_params p = gridcast_params_default();
    gridcast_averages a = gridcast_averages_start();
    int64_t longest = support_between(r, 1, 60), between = support_between(r, 2, 20);
    t->window = support_between(r, 1, 40);
    t->blocks = 0;
    p.policy = GRIDCAST_SPAWN;
    p.min_items = 1;
    p.idle = (uint32_t)support_between(r, GRIDCAST_IDLE_LAST, GRIDCAST_IDLE_ONE);
    p.max_queue = (uint32_t)(support_between(r, 0, 2) ? 65536 : support_between(r, 1, 60));
    o.idle = idle_of[p.idle];
    o.queue_limit = p.max_queue;
    o.fractions = true;
    o.start = GCAST_SPAWN_START_KNOWN;
    controller_init(&c, &o, t->window);
    for (int64_t now = 0, last = support_between(r, 50, 400); now < last; now++) {
        if (now && now % t->window == 0) {
            controller_advance(&c, now);
            close_window(t, &a, &p, now);
            compare_averages(t, &c, &a, now);
        }
        if (support_between(r, 1, between) == 1) {
            controller_advance(&c, now);
            decide(t, &c, &p, r, now, longest);
        }
        for (size_t i = 0; i < t->blocks; i++)
            if (t->block[i].start == now) {
                controller_block_starts(&c, now);
                assert_true(controller_block_ends_at(&c, now, t->block[i].end, 1));
            }
    }
    controller_free(&c);
}

static void both_controllers_decide_alike(void **state)
{
    (void)state;
    static trace t;
    support_random r = {0x9e3779b9};
    for (int i = 0; i < 5000; i++)
        run_trace(&t, &r);
    assert_true(t.compared > 50000 && t.windows > 20000);
    assert_true(t.skipped < t.compared / 100); /* small whole numbers are often equal */
    assert_true(t.launched > t.compared / 10 && t.launched < t.compared - t.compared / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_controllers_decide_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
