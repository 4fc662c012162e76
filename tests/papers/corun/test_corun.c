/* Co-runs: the metrics, what the search refuses and finds, and predictions from launch files, all by hand. */
#include "model/launch_file.h"
#include "papers/corun/corun.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

static void metrics(void **state)
{
    (void)state;
    double alone[] = {100, 300, 50}, together[] = {200, 400, 200};
    gcast_corun_score two = gcast_corun_score_make(2, alone, together);
    assert_near(two.stp, 1.25); /* 1/2 + 3/4 */
    assert_near(two.antt, (2 + 4.0 / 3) / 2);
    gcast_corun_score three = gcast_corun_score_make(3, alone, together);
    assert_near(three.stp, 1.5);
    assert_near(three.antt, (2 + 4.0 / 3 + 4) / 3);
    gcast_corun_score ideal = gcast_corun_score_make(2, alone, alone);
    assert_near(ideal.stp, 2);
    assert_near(ideal.antt, 1);
}

/* Kernels whose launches take b[k] / (SMs * workers) up to best[k] workers, and from there on longer again. */
typedef struct kernels {
    double a[3], b[3];
    uint32_t best[3];
    uint32_t calls, fails_at; /* fails_at: the call that fails; 0: none */
    uint32_t kernels;
    double replaced; /* the time of the last kernel where it is not 0 */
} kernels;

static gcast_status time_of(void *data, const gcast_corun_config *config, double *ns, gcast_error *err)
{
    kernels *k = data;
    if (++k->calls == k->fails_at)
        return gcast_error_set(err, GCAST_GPU, NULL, "the GPU is gone");
    for (uint32_t i = 0; i < k->kernels; i++) {
        uint32_t w = config->workers[i], useful = w <= k->best[i] ? w : 2 * k->best[i] - w;
        ns[i] = k->a[i] + k->b[i] / (config->sms[i] * (double)useful);
    }
    if (k->replaced != 0)
        ns[k->kernels - 1] = k->replaced;
    return GCAST_OK;
}

static gcast_corun_options options(kernels *k, uint32_t sms)
{
    gcast_corun_options o = gcast_corun_options_default();
    o.kernels = k->kernels;
    o.sms = sms;
    o.time = time_of;
    o.time_data = k;
    for (uint32_t i = 0; i < k->kernels; i++) {
        o.max_workers[i] = 2 * k->best[i] - 1;
        o.alone_ns[i] = k->a[i] + k->b[i] / (sms * (double)k->best[i]);
    }
    return o;
}

/* By hand: the second kernel takes 900 + 1000 / SMs, so it needs hardly any. */
static void a_kernel_that_needs_few_sms(void **state)
{
    (void)state;
    kernels k = {.kernels = 2, .a = {0, 900}, .b = {10000, 1000}, .best = {3, 1}};
    gcast_corun_options o = options(&k, 20);
    gcast_corun found;
    gcast_error err;
    assert_ok(gcast_corun_search(&o, &found, &err), &err);
    assert_int_equal(found.config.workers[0], 3);
    assert_int_equal(found.config.workers[1], 1);
    assert_int_equal(found.config.sms[0] + found.config.sms[1], 20);
    assert_int_equal(found.tried, k.calls);
    double best = 0;
    uint32_t sms = 0;
    for (uint32_t n = 1; n < 20; n++) {
        double stp = n / 20.0 + (900 + 50) / (900 + 1000.0 / (20 - n));
        if (stp > best)
            best = stp, sms = n;
    }
    assert_int_equal(found.config.sms[0], sms);
    assert_near(found.score.stp, best);
    assert_near(found.together_ns[0], 10000.0 / (3 * sms));
}

static void equal_workers_become_fewer(void **state)
{
    (void)state;
    kernels k = {.kernels = 2, .a = {100, 100}, .b = {1e-9, 1e-9}, .best = {8, 8}};
    gcast_corun_options o = options(&k, 8);
    gcast_corun found;
    gcast_error err;
    assert_ok(gcast_corun_search(&o, &found, &err), &err);
    assert_true(found.tried < 60);
    k.b[0] = k.b[1] = 0; /* now they are exactly equal */
    assert_ok(gcast_corun_search(&o, &found, &err), &err);
    assert_int_equal(found.config.workers[0], 1);
    assert_int_equal(found.config.workers[1], 1);
}

static void steps_and_the_rest(void **state)
{
    (void)state;
    kernels k = {.kernels = 3, .a = {0, 0, 0}, .b = {100, 100, 1000}, .best = {1, 1, 1}};
    gcast_corun_options o = options(&k, 19);
    gcast_corun found;
    gcast_error err;
    o.step = 4;
    o.goal = GCAST_CORUN_ANTT;
    o.alone_ns[0] = o.alone_ns[1] = o.alone_ns[2] = 100;
    assert_ok(gcast_corun_search(&o, &found, &err), &err);
    /* 4 units and 3 SMs: 1/4 + 1/4 + 10/11 is the least of 4 4 11, 4 8 7 and 8 4 7 */
    assert_int_equal(found.config.sms[0], 4);
    assert_int_equal(found.config.sms[1], 4);
    assert_int_equal(found.config.sms[2], 11);
    assert_near(found.score.antt, (1 / 4.0 + 1 / 4.0 + 10 / 11.0) / 3);
}

static void errors_of_the_callback(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 3; count++) {
        kernels k = {.kernels = count, .a = {10, 20, 30}, .b = {1000, 100, 500}, .best = {2, 3, 2}};
        gcast_corun_options o = options(&k, 12);
        gcast_corun found;
        gcast_error err;
        assert_ok(gcast_corun_search(&o, &found, &err), &err);
        uint32_t calls = k.calls;
        for (k.fails_at = 1; k.fails_at <= calls; k.fails_at++) {
            k.calls = 0;
            assert_int_equal(gcast_corun_search(&o, &found, &err), GCAST_GPU);
            assert_string_equal(err.message, "the GPU is gone");
            assert_int_equal(k.calls, k.fails_at);
            assert_int_equal(found.tried, 0);
        }
    }
}

static void assert_refused(const gcast_corun_options *o, const char *words)
{
    gcast_corun found;
    gcast_error err;
    assert_int_equal(gcast_corun_search(o, &found, &err), GCAST_USAGE);
    if (!strstr(err.message, words))
        fail_msg("%s", err.message);
}

static void refused(void **state)
{
    (void)state;
    kernels k = {.kernels = 3, .b = {1, 1, 1}, .best = {1, 1, 1}};
    gcast_corun_options good = options(&k, 12), o;
#define REFUSED(field, value, words) (o = good, o.field = (value), assert_refused(&o, words))
    REFUSED(time, NULL, "there is no function for the time");
    REFUSED(kernels, 1, "from 2 to 8 kernels, not 1");
    REFUSED(kernels, 9, "from 2 to 8 kernels, not 9");
    REFUSED(step, 0, "steps of 0");
    REFUSED(step, 5, "12 SMs are too few for 3 kernels with at least 5 each");
    REFUSED(sms, 5000, "at most 4096 SMs");
    REFUSED(goal, (gcast_corun_goal)7, "no goal number 7");
    REFUSED(exhaustive, true, "2 kernels, not for 3");
    REFUSED(every_worker, true, "only with every split");
    REFUSED(max_workers[1], 0, "kernel 2 has no workers");
    REFUSED(alone_ns[2], 0, "kernel 3 alone is not above 0");
    REFUSED(alone_ns[0], NAN, "kernel 1 alone is not above 0");
    k.replaced = -1;
    assert_refused(&good, "the time of kernel 3 with 1 workers on each of 4 SMs is not above 0");
    k.replaced = INFINITY;
    assert_refused(&good, "is not above 0");
}

static double alone(const gcast_launch_file *l, uint32_t workers, uint32_t sms)
{
    double ns;
    gcast_error err;
    assert_ok(gcast_corun_time_alone(l, workers, sms, &ns, &err), &err);
    return ns;
}

static void by_times(void **state)
{
    (void)state;
    /* Not in order. With 2 workers: 100 + 6000 / SMs. */
    static const gcast_launch_time times[] = {
        {2, 60, 200}, {4, 30, 180}, {2, 10, 700}, {4, 60, 150}, {2, 20, 400}, {8, 60, 130},
    };
    gcast_launch_file l = {.name = "k", .grid = {100, 1, 1}, .times = times, .time_count = 6};
    for (size_t i = 0; i < 6; i++)
        assert_near(alone(&l, times[i].workers, times[i].sms), (double)times[i].ns);
    assert_near(alone(&l, 2, 15), 500);
    assert_near(alone(&l, 2, 40), 250);
    assert_near(alone(&l, 2, 5), 1300);               /* beyond, on the line */
    assert_near(alone(&l, 2, 120), 150);              /* likewise */
    assert_near(alone(&l, 4, 15), 240);               /* 120 + 1800 / SMs */
    assert_near(alone(&l, 8, 30), 260);               /* a single time: in proportion */
    assert_near(alone(&l, 3, 60), 175);               /* halfway between 2 and 4 workers */
    assert_near(alone(&l, 5, 60), 145);               /* a quarter of the way from 4 to 8 */
    assert_near(alone(&l, 3, 30), (300 + 180) / 2.0); /* both interpolated */
    assert_near(alone(&l, 1, 20), 800);               /* fewer workers than measured: in proportion */
    assert_near(alone(&l, 12, 60), 130);              /* more: no gain */
}

/* Lines that fall the wrong way, or to below 0, are cut off beyond the times. */
static void beyond_the_times(void **state)
{
    (void)state;
    static const gcast_launch_time rising[] = {{1, 10, 100}, {1, 20, 110}}, steep[] = {{1, 10, 1000}, {1, 20, 100}};
    gcast_launch_file l = {.name = "k", .grid = {1, 1, 1}, .times = rising, .time_count = 2};
    assert_near(alone(&l, 1, 5), 100);
    assert_near(alone(&l, 1, 40), 110);
    l.times = steep;
    assert_near(alone(&l, 1, 5), 2000);
    assert_near(alone(&l, 1, 40), 50);
}

static void by_job_times(void **state)
{
    (void)state;
    static const int64_t job_ns[] = {100, 110, 130, 170};
    gcast_launch_file l = {.name = "k", .grid = {10, 5, 2}, .job_ns = job_ns, .job_ns_count = 4};
    assert_near(alone(&l, 1, 1), 100 * 100);
    assert_near(alone(&l, 1, 16), 7 * 100); /* 100 jobs on 16 SMs: at most 7 */
    assert_near(alone(&l, 2, 16), 4 * 110);
    assert_near(alone(&l, 3, 16), 3 * 130);
    assert_near(alone(&l, 4, 16), 2 * 170);
    assert_near(alone(&l, 4, 50), 1 * 110);     /* 2 jobs, so 2 workers */
    assert_near(alone(&l, 4, 200), 1 * 100);    /* one at most */
    assert_near(alone(&l, 8, 10), 2 * 170 * 2); /* more than known: no more per SM and time than 4 */
}

static void together(void **state)
{
    (void)state;
    static const int64_t job_ns[] = {100};
    static const gcast_launch_time times[] = {{1, 10, 1000}};
    gcast_launch_file a = {.file = "a.json", .name = "a", .grid = {12, 1, 1}, .job_ns = job_ns, .job_ns_count = 1};
    gcast_launch_file b = {.file = "b.json", .name = "b", .grid = {1, 1, 1}, .times = times, .time_count = 1};
    gcast_corun_launches both = {2, {&a, &b}};
    gcast_corun_config c = {.sms = {4, 20}, .workers = {1, 1}};
    double ns[2];
    gcast_error err;
    assert_ok(gcast_corun_predict(&both, &c, ns, &err), &err);
    assert_near(ns[0], 300);
    assert_near(ns[1], 500);
    b.time_count = 0;
    assert_int_equal(gcast_corun_predict(&both, &c, ns, &err), GCAST_INPUT);
    assert_string_equal(err.file, "b.json");
    assert_string_equal(err.path, "/job_ns");
    c.sms[0] = 0;
    assert_int_equal(gcast_corun_predict(&both, &c, ns, &err), GCAST_USAGE);
}

static void deals(uint32_t n, const uint32_t *count, uint32_t sms, const uint32_t *wanted)
{
    uint32_t kernel_of[16];
    gcast_corun_config c = {0};
    memcpy(c.sms, count, n * sizeof *count);
    gcast_corun_deal_sms(&c, n, sms, kernel_of);
    for (uint32_t s = 0; s < sms; s++)
        assert_int_equal(kernel_of[s], wanted[s]);
}

static void sms_of_each_kernel(void **state)
{
    (void)state;
    deals(2, (uint32_t[]){4, 4}, 8, (uint32_t[]){0, 0, 1, 1, 0, 0, 1, 1});
    deals(2, (uint32_t[]){2, 6}, 8, (uint32_t[]){1, 1, 0, 0, 1, 1, 1, 1});
    deals(2, (uint32_t[]){2, 2}, 6, (uint32_t[]){0, 0, 1, 1, 2, 2}); /* nobody has the last ones */
    deals(2, (uint32_t[]){0, 3}, 4, (uint32_t[]){1, 1, 1, 2});
    deals(2, (uint32_t[]){1, 1}, 2, (uint32_t[]){0, 1});
    deals(3, (uint32_t[]){2, 2, 2}, 6, (uint32_t[]){0, 0, 1, 1, 2, 2});
}

/* Each kernel has as many SMs as it should; where all numbers are even, those of a TPC are of one kernel; and in each
 * quarter of the SMs there is about a quarter of every kernel's. */
static void assert_dealt(const gcast_corun_config *c, uint32_t n, uint32_t sms)
{
    uint32_t kernel_of[256], all = 0, dealt[GCAST_CORUN_MAX + 1] = {0};
    bool is_even = true;
    gcast_corun_deal_sms(c, n, sms, kernel_of);
    for (uint32_t k = 0; k < n; k++) {
        all += c->sms[k];
        is_even = is_even && c->sms[k] % 2 == 0;
    }
    for (uint32_t s = 0; s < sms; s++) {
        assert_true(kernel_of[s] <= n);
        assert_int_equal(kernel_of[s] == n, s >= all);
        assert_true(!is_even || s % 2 == 0 || kernel_of[s] == kernel_of[s - 1] || s >= all);
        dealt[kernel_of[s]]++;
    }
    for (uint32_t k = 0; k < n; k++) {
        assert_int_equal(dealt[k], c->sms[k]);
        for (uint32_t quarter = 0; quarter < 4; quarter++) {
            uint32_t begin = all * quarter / 4, end = all * (quarter + 1) / 4, here = 0;
            for (uint32_t s = begin; s < end; s++)
                here += kernel_of[s] == k;
            if (fabs(here - (double)c->sms[k] * (end - begin) / all) > 4)
                fail_msg("kernel %u of %u has %u of %u SMs in quarter %u", k, n, here, c->sms[k], quarter);
        }
    }
}

static void sms_are_spread(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 5000; round++) {
        gcast_corun_config c = {0};
        uint32_t all = 0, step = round % 2 + 1;
        seed = seed * 1664525 + 1013904223;
        uint32_t n = 2 + (seed >> 16) % (GCAST_CORUN_MAX - 1);
        for (uint32_t k = 0; k < n; k++) {
            seed = seed * 1664525 + 1013904223;
            c.sms[k] = ((seed >> 16) % (248 / n / step) + 1) * step;
            all += c.sms[k];
        }
        assert_dealt(&c, n, all + (seed >> 8) % 5);
    }
}

static double odd_ns; /* what time_odd says; 0: nothing */

static gcast_status time_odd(void *data, const gcast_corun_config *config, double *together_ns, gcast_error *err)
{
    (void)data, (void)config, (void)err;
    for (int i = 0; odd_ns != 0 && i < GCAST_CORUN_MAX; i++)
        together_ns[i] = odd_ns;
    return GCAST_OK;
}

static gcast_status search_odd(double ns, double alone_ns, uint32_t count)
{
    gcast_corun_options options = gcast_corun_options_default();
    gcast_corun out;
    gcast_error err;
    odd_ns = ns;
    options.kernels = count;
    options.sms = 8;
    options.time = time_odd;
    for (uint32_t k = 0; k < count; k++) {
        options.max_workers[k] = 2;
        options.alone_ns[k] = alone_ns;
    }
    gcast_status status = gcast_corun_search(&options, &out, &err);
    options.exhaustive = true;
    gcast_corun_search(&options, &out, NULL);
    return status;
}

/* Times that cannot be compared are refused; others may be very long or short. */
static void odd_times(void **state)
{
    (void)state;
    search_odd(1e308, 1000, 2);
    search_odd(1e308, 1000, 3);
    search_odd(1e-308, 1000, 2);
    assert_int_not_equal(search_odd(1e300, 1e-300, 2), GCAST_OK);
    assert_int_not_equal(search_odd(NAN, 1000, 2), GCAST_OK);
    assert_int_not_equal(search_odd(-1, 1000, 2), GCAST_OK);
    assert_int_not_equal(search_odd(0, 1000, 2), GCAST_OK);
}

/* Launch files whose lists are missing, or whose only time is of no workers. */
static void odd_files(void **state)
{
    (void)state;
    static const gcast_launch_time no_time = {0, 0, 0};
    gcast_launch_file files[] = {{.grid = {8, 1, 1}, .time_count = 2},
                                 {.grid = {8, 1, 1}, .job_ns_count = 5},
                                 {.grid = {8, 1, 1}, .times = &no_time, .time_count = 1}};
    gcast_error err;
    double ns;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_not_equal(gcast_corun_time_alone(&files[i], 1, 1, &ns, &err), GCAST_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics),
        cmocka_unit_test(a_kernel_that_needs_few_sms),
        cmocka_unit_test(equal_workers_become_fewer),
        cmocka_unit_test(steps_and_the_rest),
        cmocka_unit_test(errors_of_the_callback),
        cmocka_unit_test(refused),
        cmocka_unit_test(by_times),
        cmocka_unit_test(beyond_the_times),
        cmocka_unit_test(by_job_times),
        cmocka_unit_test(together),
        cmocka_unit_test(sms_of_each_kernel),
        cmocka_unit_test(sms_are_spread),
        cmocka_unit_test(odd_times),
        cmocka_unit_test(odd_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
