/* The SPAWN controller against a transcription of the published algorithm that counts cycle by cycle, as the paper's
 * hardware does: every decision of 10,000 random traces, and every counter at every decision. The transcription knows
 * the trace so far and the choices, nothing of the controller. */
#include "support/support.h"

#include "simulate/engine/controller.h"

#define TRACES 10000 /* or GRIDCAST_PROPERTY_RUNS */
#define MAX_BLOCKS 4096
#define MAX_CYCLES 200000

/* A child block of a trace. */
typedef struct trace_block {
    int64_t start, end;
    uint32_t warps;
} trace_block;

/* Algorithm 1 of Tang et al., and its counters. */
typedef struct published {
    const gcast_spawn_options *options;
    int64_t window;
    uint64_t n;                                        /* child CTAs in CCQS */
    int64_t t_cta;                                     /* average time of a child CTA */
    uint64_t n_con_sum;                                /* of the last window */
    uint64_t n_con_kept;                               /* of the last window in which n_con was not 0 */
    uint64_t n_con_most;                               /* of the window in which it was largest */
    int64_t t_warp;                                    /* average time of a child warp, of the last window with one */
    uint64_t cycle_sum;                                /* running CTAs, added up every cycle of this window */
    uint64_t warp_sum, warp_count, cta_sum, cta_count; /* of this window */
    uint64_t all_sum, all_count;
} published;

static uint64_t counter(const published *p, uint64_t value)
{
    if (p->options->counters == GCAST_SPAWN_COUNTER_SATURATE)
        return value > 65535 ? 65535 : value;
    return p->options->counters == GCAST_SPAWN_COUNTER_WRAP ? value % 65536 : value;
}

static void window_ends(published *p)
{
    p->n_con_sum = p->cycle_sum;
    if (p->options->fractions ? p->cycle_sum > 0 : p->cycle_sum / (uint64_t)p->window > 0)
        p->n_con_kept = p->cycle_sum;
    p->n_con_most = p->cycle_sum > p->n_con_most ? p->cycle_sum : p->n_con_most;
    if (p->warp_count)
        p->t_warp = (int64_t)(p->warp_sum / p->warp_count);
    if (p->cta_count && p->options->average == GCAST_SPAWN_AVERAGE_WINDOW)
        p->t_cta = (int64_t)(p->cta_sum / p->cta_count);
    p->cycle_sum = p->warp_sum = p->warp_count = p->cta_sum = p->cta_count = 0;
}

static void cta_ends(published *p, uint64_t time, uint32_t warps)
{
    uint64_t shown = counter(p, time);
    if (p->options->counters == GCAST_SPAWN_COUNTER_WRAP)
        p->n = (p->n + 65535) % 65536;
    else if (p->n)
        p->n--;
    p->all_sum += shown;
    p->all_count++;
    p->cta_sum += shown;
    p->cta_count++;
    p->warp_sum += shown * warps;
    p->warp_count += warps;
    if (p->options->average == GCAST_SPAWN_AVERAGE_ALL)
        p->t_cta = (int64_t)(p->all_sum / p->all_count);
    if (p->options->average == GCAST_SPAWN_AVERAGE_MOVING && p->all_count == 1)
        p->t_cta = (int64_t)shown;
    else if (p->options->average == GCAST_SPAWN_AVERAGE_MOVING)
        p->t_cta += ((int64_t)shown - p->t_cta) / 8;
}

/* What n_con is made of. */
static uint64_t n_con_of(const published *p)
{
    bool idle = p->options->fractions ? p->n_con_sum == 0 : p->n_con_sum < (uint64_t)p->window;
    if (idle && p->options->idle == GCAST_SPAWN_IDLE_LAST)
        return p->n_con_kept;
    return idle && p->options->idle == GCAST_SPAWN_IDLE_PEAK ? p->n_con_most : p->n_con_sum;
}

static bool algorithm_1(const published *p, int64_t t_overhead, uint64_t x, uint64_t workload)
{
    if (p->t_cta == 0 || (p->t_warp == 0 && p->options->start == GCAST_SPAWN_START_KNOWN))
        return true;
    if (p->n + x > p->options->queue_limit)
        return false;
    uint64_t kept = n_con_of(p);
    uint64_t w = (uint64_t)p->window;
    long double n_con = p->options->fractions ? (long double)kept / w : (long double)(kept / w);
    if (n_con == 0 && p->options->idle == GCAST_SPAWN_IDLE_ONE)
        n_con = 1;
    else if (n_con == 0)
        return true;
    if (p->options->fractions && kept) { /* exactly: both sides times kept */
        unsigned __int128 child = (unsigned __int128)(uint64_t)t_overhead * kept;
        child += (unsigned __int128)(p->n + x) * (uint64_t)p->t_cta * w;
        return child <= (unsigned __int128)workload * (uint64_t)p->t_warp * kept;
    }
    uint64_t whole = (uint64_t)n_con;
    unsigned __int128 child = (unsigned __int128)(uint64_t)t_overhead * whole;
    child += (unsigned __int128)(p->n + x) * (uint64_t)p->t_cta;
    return child <= (unsigned __int128)workload * (uint64_t)p->t_warp * whole;
}

/* A trace: launches at random times, whose blocks start some time after and last some time. */
typedef struct trace {
    trace_block block[MAX_BLOCKS];
    int count;
    int64_t cycles, longest, delay;
    int launches, spawned;
} trace;

static int by_shown(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* The ends of a cycle, the smaller times first. */
static void ends_of_cycle(published *p, const trace *t, int64_t now)
{
    uint64_t ending[MAX_BLOCKS][2];
    size_t count = 0;
    for (int i = 0; i < t->count; i++)
        if (t->block[i].end == now) {
            ending[count][0] = counter(p, (uint64_t)(now - t->block[i].start));
            ending[count++][1] = t->block[i].warps;
        }
    qsort(ending, count, sizeof ending[0], by_shown);
    for (size_t i = 0; i < count; i++)
        cta_ends(p, ending[i][0], (uint32_t)ending[i][1]);
}

static void compare_counters(const controller *c, const published *p, int64_t now)
{
    if (c->n != p->n || c->t_cta != p->t_cta || c->t_warp != p->t_warp)
        fail_msg("cycle %lld: n %llu, not %llu; t_cta %lld, not %lld; t_warp %lld, not %lld", (long long)now,
                 (unsigned long long)c->n, (unsigned long long)p->n, (long long)c->t_cta, (long long)p->t_cta,
                 (long long)c->t_warp, (long long)p->t_warp);
    assert_true(c->last_sum == n_con_of(p));
    assert_true(c->run_sum == p->cycle_sum);
}

/* One launch at `now`, decided by both. */
static void decide(controller *c, published *p, trace *t, support_random *r, int64_t now)
{
    uint64_t x = (uint64_t)support_between(r, 1, support_between(r, 0, 3) ? 4 : 40);
    uint64_t items = (uint64_t)support_between(r, 1, support_between(r, 0, 1) ? 8 : 2000);
    int64_t overhead = support_between(r, 0, support_between(r, 0, 1) ? 50 : t->longest * 4);
    bool expected = algorithm_1(p, overhead, x, items);
    assert_int_equal(controller_says_launch(c, overhead, x, items), expected);
    t->launches++;
    if (!expected || t->count + (int)x > MAX_BLOCKS)
        return;
    t->spawned++;
    p->n = counter(p, p->n + x);
    controller_launch(c, x);
    for (uint64_t i = 0; i < x; i++) {
        int64_t start = now + 1 + support_between(r, 0, t->delay);
        t->block[t->count++] =
            (trace_block){start, start + support_between(r, 1, t->longest), (uint32_t)support_between(r, 1, 8)};
    }
}

static void run_trace(trace *t, support_random *r, const gcast_spawn_options *options, int64_t window, int64_t between)
{
    controller c;
    published p = {.options = options, .window = window};
    t->count = 0;
    controller_init(&c, options, window);
    for (int64_t now = 0; now < t->cycles; now++) {
        int running = 0;
        if (now && now % window == 0)
            window_ends(&p);
        ends_of_cycle(&p, t, now);
        if (support_between(r, 1, between) == 1) {
            controller_advance(&c, now);
            compare_counters(&c, &p, now);
            for (int64_t k = support_between(r, 1, 3); k > 0; k--)
                decide(&c, &p, t, r, now);
        }
        for (int i = 0; i < t->count; i++) {
            if (t->block[i].start == now) {
                controller_block_starts(&c, now);
                assert_true(controller_block_ends_at(&c, now, t->block[i].end, t->block[i].warps));
            }
            running += t->block[i].start <= now && now < t->block[i].end;
        }
        p.cycle_sum += (uint64_t)running;
    }
    controller_free(&c);
}

static gcast_spawn_options random_options(support_random *r, int number)
{
    gcast_spawn_options o = gcast_spawn_options_default();
    if (number % 4 == 0)
        return o; /* as published, with our defaults */
    o.idle = (gcast_spawn_idle)support_between(r, 0, GCAST_SPAWN_IDLES - 1);
    o.average = (gcast_spawn_average)support_between(r, 0, GCAST_SPAWN_AVERAGES - 1);
    o.counters = (gcast_spawn_counter)support_between(r, 0, GCAST_SPAWN_COUNTERS - 1);
    o.fractions = support_between(r, 0, 1);
    o.start = (gcast_spawn_start)support_between(r, 0, GCAST_SPAWN_STARTS - 1);
    if (support_between(r, 0, 2) == 0)
        o.queue_limit = (uint64_t)support_between(r, 1, 60);
    return o;
}

static void decisions_are_those_published(void **state)
{
    (void)state;
    static trace t;
    int decided = 0, spawned = 0;
    support_random r = {0x5bd1e995};
    for (int i = 0; i < (int)support_runs(TRACES); i++) {
        gcast_spawn_options o = random_options(&r, i);
        t = (trace){.cycles = support_between(&r, 50, 400),
                    .longest = support_between(&r, 1, 60),
                    .delay = support_between(&r, 0, 30)};
        run_trace(&t, &r, &o, support_between(&r, 1, 40), support_between(&r, 2, 20));
        decided += t.launches;
        spawned += t.spawned;
    }
    assert_true(decided > 100000 || support_runs(TRACES) < TRACES); /* and both answers are common */
    assert_true(spawned > decided / 10 && spawned < decided - decided / 10);
}

/* Blocks longer than 16 bits can count, and more than 65,535 blocks. */
static void counters_of_16_bits(void **state)
{
    (void)state;
    static trace t;
    support_random r = {7};
    for (int i = 0; i < 6; i++) {
        gcast_spawn_options o = gcast_spawn_options_default();
        o.counters = (gcast_spawn_counter)(i % GCAST_SPAWN_COUNTERS);
        o.average = (gcast_spawn_average)(i % GCAST_SPAWN_AVERAGES);
        t = (trace){.cycles = MAX_CYCLES, .longest = 100000, .delay = 1000};
        run_trace(&t, &r, &o, 1024, 20000);
    }
    for (int i = 0; i < GCAST_SPAWN_COUNTERS; i++) {
        controller c;
        gcast_spawn_options o = gcast_spawn_options_default();
        o.counters = (gcast_spawn_counter)i;
        controller_init(&c, &o, 1024);
        controller_launch(&c, 65536 + 10);
        static const uint64_t n[] = {65546, 65535, 10};
        assert_int_equal(c.n, n[i]);
        controller_free(&c);
    }
}

/* Long idle times are passed at once, not window by window. */
static void idle_times_cost_nothing(void **state)
{
    (void)state;
    controller c;
    gcast_spawn_options o = gcast_spawn_options_default();
    o.idle = GCAST_SPAWN_IDLE_ONE;
    controller_init(&c, &o, 1);
    controller_launch(&c, 1);
    controller_block_starts(&c, 5);
    assert_true(controller_block_ends_at(&c, 5, INT64_MAX / 4, 2));
    controller_advance(&c, INT64_MAX / 8);
    assert_true(c.last_sum == 1);
    controller_advance(&c, INT64_MAX / 2);
    assert_true(c.last_sum == 0);
    assert_int_equal(c.n, 0);
    assert_int_equal(c.t_cta, INT64_MAX / 4 - 5);
    controller_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_are_those_published),
        cmocka_unit_test(counters_of_16_bits),
        cmocka_unit_test(idle_times_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
