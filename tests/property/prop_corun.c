/* Random kernels whose times depend smoothly on SMs and workers: how near the search for a co-run comes to the best of
 * all configurations. The oracle tries each of them, on purpose. `prop_corun SEED` tries one of each kind. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/launch_file.h"
#include "papers/corun/corun.h"
#include "support/support.h"

#define MAX_WORKERS 16

/* A launch takes as long as two parts, a and b / (SMs * throughput of an SM): one after the other, as of Amdahl, or at
 * the same time, so that the longer one counts most. */
typedef struct curve {
    double a, b;           /* part that SMs do not shorten, and part that they do */
    double power;          /* 1: one after the other; more: at the same time */
    double f[MAX_WORKERS]; /* by workers - 1: the throughput of an SM */
    double slowed;         /* what it is slowed down by the others where they use all of the GPU */
} curve;

/* What is drawn. */
typedef enum { APART, CONTENDING, STAIRS, THREE, KINDS } drawn_kind;

static const char *const kind_name[] = {"apart", "contending", "by job times", "three kernels"};

typedef struct drawn {
    drawn_kind kind;
    curve c[GCAST_CORUN_MAX];
    int64_t job_ns[GCAST_CORUN_MAX][MAX_WORKERS];
    gcast_launch_file launch[GCAST_CORUN_MAX]; /* of STAIRS */
    gcast_corun_launches launches;             /* of STAIRS */
    gcast_corun_options o;
    uint32_t calls; /* of time_of */
} drawn;

static double fraction(support_random *r)
{
    return (double)support_between(r, 0, 1000000) / 1e6;
}

static gcast_status time_of(void *data, const gcast_corun_config *config, double *ns, gcast_error *err)
{
    drawn *d = data;
    d->calls++;
    if (d->kind == STAIRS)
        return gcast_corun_predict(&d->launches, config, ns, err);
    for (uint32_t k = 0; k < d->o.kernels; k++) {
        const curve *c = &d->c[k];
        double of_others = 1 - (double)config->sms[k] / d->o.sms;
        double divided = c->b / (config->sms[k] * c->f[config->workers[k] - 1]);
        ns[k] = pow(pow(c->a, c->power) + pow(divided, c->power), 1 / c->power);
        ns[k] *= 1 + c->slowed * of_others;
    }
    return GCAST_OK;
}

/* Throughput saturates, or has a maximum and falls beyond it. */
static void draw_curve(drawn *d, support_random *r, uint32_t k)
{
    curve *c = &d->c[k];
    double peak = 1 + 20 * fraction(r);
    bool is_saturating = support_between(r, 0, 1);
    c->b = 1e4 + 1e6 * fraction(r);
    c->a = c->b / d->o.sms * pow(10, 3.5 * fraction(r) - 2);
    c->power = support_between(r, 0, 1) ? 1 : 1 + 7 * fraction(r);
    c->slowed = d->kind == CONTENDING ? fraction(r) : 0;
    for (int w = 1; w <= MAX_WORKERS; w++)
        c->f[w - 1] = is_saturating ? 1 - exp(-w / peak) : w / (1 + w / peak * (w / peak));
}

/* Jobs that take longer with others on their SM. */
static void draw_jobs(drawn *d, support_random *r, uint32_t k)
{
    gcast_launch_file *l = &d->launch[k];
    double one = 1e3 + 1e5 * fraction(r), knee = 1 + 16 * fraction(r);
    for (int w = 1; w <= MAX_WORKERS; w++)
        d->job_ns[k][w - 1] = (int64_t)(one * (1 + w / knee * fmax(0, w - knee) / MAX_WORKERS));
    *l = (gcast_launch_file){.name = "k", .job_ns = d->job_ns[k], .job_ns_count = MAX_WORKERS};
    l->grid[0] = (uint32_t)support_between(r, 1, 4000);
    l->grid[1] = l->grid[2] = 1;
    d->launches.launch[k] = l;
}

static void draw(drawn *d, support_random *r, drawn_kind kind)
{
    gcast_corun_options *o = &d->o;
    gcast_corun_config all;
    double ns[GCAST_CORUN_MAX];
    memset(d, 0, sizeof *d);
    d->kind = kind;
    *o = gcast_corun_options_default();
    o->kernels = kind == THREE ? 3 : 2;
    o->step = (uint32_t)support_between(r, 1, 4);
    o->sms = o->step * (uint32_t)support_between(r, o->kernels, kind == THREE ? 30 : 40) +
             (uint32_t)support_between(r, 0, 1);
    o->goal = support_between(r, 0, 1) ? GCAST_CORUN_STP : GCAST_CORUN_ANTT;
    o->time = time_of;
    o->time_data = d;
    d->launches.kernels = o->kernels;
    for (uint32_t k = 0; k < o->kernels; k++) {
        o->max_workers[k] = (uint32_t)support_between(r, 1, kind == THREE ? 4 : MAX_WORKERS);
        draw_curve(d, r, k);
        draw_jobs(d, r, k);
        all.sms[k] = o->sms;
        all.workers[k] = o->max_workers[k];
    }
    time_of(d, &all, ns, NULL);
    memcpy(o->alone_ns, ns, sizeof ns);
    d->calls = 0;
}

static double value_of(const drawn *d, const gcast_corun_config *config)
{
    double ns[GCAST_CORUN_MAX], stp = 0, antt = 0;
    time_of((void *)d, config, ns, NULL);
    for (uint32_t k = 0; k < d->o.kernels; k++) {
        stp += d->o.alone_ns[k] / ns[k];
        antt += ns[k] / d->o.alone_ns[k] / d->o.kernels;
    }
    return d->o.goal == GCAST_CORUN_STP ? stp : 1 / antt;
}

static double best_of_workers(const drawn *d, gcast_corun_config *c, uint32_t kernel)
{
    double best = 0;
    if (kernel == d->o.kernels)
        return value_of(d, c);
    for (c->workers[kernel] = 1; c->workers[kernel] <= d->o.max_workers[kernel]; c->workers[kernel]++)
        best = fmax(best, best_of_workers(d, c, kernel + 1));
    return best;
}

/* Deals `left` SMs to the kernels from this one on. */
static double best_of_all(const drawn *d, gcast_corun_config *c, uint32_t kernel, uint32_t left)
{
    double best = 0;
    if (kernel == d->o.kernels - 1) {
        c->sms[kernel] = left;
        return best_of_workers(d, c, 0);
    }
    for (uint32_t n = d->o.step; n + (d->o.kernels - 1 - kernel) * d->o.step <= left; n += d->o.step) {
        c->sms[kernel] = n;
        best = fmax(best, best_of_all(d, c, kernel + 1, left - n));
    }
    return best;
}

static void assert_is_split(const drawn *d, const gcast_corun_config *c)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < d->o.kernels; k++) {
        assert_true(c->sms[k] >= d->o.step && c->workers[k] >= 1 && c->workers[k] <= d->o.max_workers[k]);
        assert_true(k == d->o.kernels - 1 || c->sms[k] % d->o.step == 0);
        sum += c->sms[k];
    }
    assert_int_equal(sum, d->o.sms);
}

static double even_value(const drawn *d)
{
    gcast_corun_config c;
    for (uint32_t k = 0; k < d->o.kernels; k++) {
        c.sms[k] = d->o.sms / d->o.kernels;
        c.workers[k] = d->o.max_workers[k];
    }
    return value_of(d, &c);
}

/* By run: what part of the best value there is. */
typedef struct parts {
    double *found;      /* by the search */
    double *exhaustive; /* by the exhaustive search */
    double *even;       /* on the even split with the maximum of workers */
    double tried;       /* sum of the configurations that the search tried */
} parts;

static void try_seed(uint64_t seed, drawn_kind kind, parts *p, uint64_t run)
{
    static drawn d;
    support_random r = {seed * 0x9e3779b97f4a7c15u + 1};
    gcast_corun found, exhaustive;
    gcast_corun_config c;
    gcast_error err;
    draw(&d, &r, kind);
    assert_ok(gcast_corun_search(&d.o, &found, &err), &err);
    assert_int_equal(found.tried, d.calls);
    p->tried += found.tried;
    assert_is_split(&d, &found.config);
    double value = value_of(&d, &found.config), best = best_of_all(&d, &c, 0, d.o.sms);
    double said = d.o.goal == GCAST_CORUN_STP ? found.score.stp : 1 / found.score.antt;
    assert_true(fabs(said - value) <= 1e-9 * value);
    if (value > best * (1 + 1e-9))
        fprintf(stderr, "seed %" PRIu64 ", %s: %g is better than the best, %g\n", seed, kind_name[kind], value, best);
    assert_true(value <= best * (1 + 1e-9));
    p->found[run] = value / best;
    p->even[run] = even_value(&d) / best;
    if (kind != THREE) {
        d.o.exhaustive = true;
        assert_ok(gcast_corun_search(&d.o, &exhaustive, &err), &err);
        double all_splits = value_of(&d, &exhaustive.config);
        assert_true(all_splits <= best * (1 + 1e-9));
        d.o.every_worker = true;
        assert_ok(gcast_corun_search(&d.o, &exhaustive, &err), &err);
        assert_true(fabs(value_of(&d, &exhaustive.config) - best) <= 1e-9 * best); /* workers are independent here */
        p->exhaustive[run] = all_splits / best;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many of them have at least this part of the best. */
static double percent_from(const double *part, uint64_t runs, double min)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < runs; i++)
        count += part[i] >= min;
    return 100.0 * (double)count / (double)runs;
}

static void print_parts(const double *part, uint64_t runs, const char *title)
{
    printf("  %-10s the best in %.1f %%, within 1 %% of it in %.1f %%, 2 %% in %.1f %%, 5 %% in %.1f %%, at worst %.1f "
           "%%\n",
           title, percent_from(part, runs, 1 - 1e-9), percent_from(part, runs, 0.99), percent_from(part, runs, 0.98),
           percent_from(part, runs, 0.95), 100 * part[0]);
}

static void nearly_best(void **state)
{
    (void)state;
    static const double required[KINDS] = {0.95, 0.95, 0.75, 0.95}; /* of the best value, in 95 % of all */
    uint64_t runs = support_runs(300);
    parts p = {calloc(runs, sizeof(double)), calloc(runs, sizeof(double)), calloc(runs, sizeof(double)), 0};
    assert_true(p.found && p.exhaustive && p.even);
    for (drawn_kind kind = 0; kind < KINDS; kind++) {
        p.tried = 0;
        for (uint64_t i = 0; i < runs; i++)
            try_seed(i + 1, kind, &p, i);
        qsort(p.found, runs, sizeof(double), ascending);
        qsort(p.exhaustive, runs, sizeof(double), ascending);
        qsort(p.even, runs, sizeof(double), ascending);
        printf("%s: %.1f configurations tried\n", kind_name[kind], p.tried / (double)runs);
        print_parts(p.found, runs, "found");
        if (kind != THREE)
            print_parts(p.exhaustive, runs, "exhaustive");
        print_parts(p.even, runs, "even");
        assert_true(p.found[runs / 20] >= required[kind]);
    }
    free(p.found);
    free(p.exhaustive);
    free(p.even);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        double found, exhaustive, even;
        parts p = {&found, &exhaustive, &even, 0};
        for (drawn_kind kind = 0; kind < KINDS; kind++) {
            try_seed(strtoull(argv[1], NULL, 10), kind, &p, 0);
            printf("%s: %g of the best\n", kind_name[kind], found);
        }
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearly_best)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
