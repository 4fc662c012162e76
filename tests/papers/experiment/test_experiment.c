/* Experiments: the file, the generator, and the verdicts. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papers/experiment/experiment.h"
#include "papers/experiment/task_set.h"
#include "support/support.h"

#define TRIALS 20000

/* The example with 40 sets at each utilisation. */
static char *example_text(size_t *size)
{
    char *text = support_read("examples/experiment.json", size);
    text[*size] = '\0';
    char *sets = strstr(text, "\"sets\": 20,");
    assert_non_null(sets);
    memcpy(sets, "\"sets\": 40,", strlen("\"sets\": 40,"));
    return text;
}

static gcast_experiment *example(void)
{
    size_t size;
    gcast_error err;
    gcast_experiment *e;
    char *text = example_text(&size);
    assert_ok(gcast_experiment_read(text, size, "example", &e, &err), &err);
    free(text);
    return e;
}

/* The example with `old_text` replaced by `new_text`. */
static gcast_experiment *changed(const char *old_text, const char *new_text)
{
    size_t size;
    gcast_error err;
    gcast_experiment *e;
    char *text = example_text(&size), out[4096];
    char *at = strstr(text, old_text);
    assert_non_null(at);
    int n = snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, new_text, at + strlen(old_text));
    assert_ok(gcast_experiment_read(out, (size_t)n, "changed", &e, &err), &err);
    free(text);
    return e;
}

static int64_t sum(const int64_t *parts, int n)
{
    int64_t s = 0;
    for (int i = 0; i < n; i++)
        s += parts[i];
    return s;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (value < expected - tolerance || value > expected + tolerance)
        fail_msg("%f is not near %f", value, expected);
}

/* Of n uniform parts, one has mean 1/n, and exceeds x with a probability of (1 - x)^(n - 1). */
static void splits_uniformly(void **state)
{
    (void)state;
    set_random r = random_start(1, 2, 3);
    double mean[4] = {0}, half[4] = {0};
    for (int i = 0; i < TRIALS; i++) {
        int64_t parts[4];
        split_uniform(&r, SPLIT_FULL, 4, parts);
        assert_int_equal(sum(parts, 4), SPLIT_FULL);
        for (int k = 0; k < 4; k++) {
            assert_true(parts[k] >= 0);
            mean[k] += (double)parts[k] / SPLIT_FULL / TRIALS;
            half[k] += (parts[k] > SPLIT_FULL / 2) / (double)TRIALS;
        }
    }
    for (int k = 0; k < 4; k++) {
        assert_near(mean[k], 0.25, 0.006);
        assert_near(half[k], 0.125, 0.01);
    }
    int64_t one;
    split_uniform(&r, 77, 1, &one);
    assert_int_equal(one, 77);
}

/* Compared with uniform splits of which those out of bounds are thrown away. */
static void splits_within_bounds(void **state)
{
    (void)state;
    set_random r = random_start(1, 2, 3), other = random_start(4, 5, 6);
    int64_t lo = SPLIT_FULL / 10, hi = SPLIT_FULL / 2, parts[3];
    double mean = 0, high = 0, mean2 = 0, high2 = 0;
    for (int i = 0; i < TRIALS; i++) {
        assert_true(split_bounded(&r, SPLIT_FULL, lo, hi, 3, parts));
        assert_int_equal(sum(parts, 3), SPLIT_FULL);
        for (int k = 0; k < 3; k++)
            assert_in_range(parts[k], lo, hi);
        mean += (double)parts[0] / SPLIT_FULL / TRIALS;
        high += (parts[2] > SPLIT_FULL * 2 / 5) / (double)TRIALS;
        do
            split_uniform(&other, SPLIT_FULL, 3, parts);
        while (parts[0] < lo || parts[1] < lo || parts[2] < lo || parts[0] > hi || parts[1] > hi || parts[2] > hi);
        mean2 += (double)parts[0] / SPLIT_FULL / TRIALS;
        high2 += (parts[2] > SPLIT_FULL * 2 / 5) / (double)TRIALS;
    }
    assert_near(mean, mean2, 0.005);
    assert_near(high, high2, 0.015);
}

static void splits_whatever_the_bounds(void **state)
{
    (void)state;
    set_random r = random_start(7, 0, 0);
    int64_t parts[64], hi = 64000;
    for (int64_t all = 0; all <= 64 * hi; all += hi) {
        assert_true(split_bounded(&r, all, 0, hi, 64, parts));
        assert_int_equal(sum(parts, 64), all);
        for (int k = 0; k < 64; k++)
            assert_in_range(parts[k], 0, hi);
    }
}

/* Only threads limit blocks of the example, so that the share of a block is its threads over those of an SM. */
static void sets_have_their_utilisation(void **state)
{
    (void)state;
    gcast_experiment *e = example();
    gcast_error err;
    for (uint64_t set = 0; set < gcast_experiment_size(e); set++) {
        gcast_workload *w;
        double u = 0;
        assert_ok(gcast_experiment_set(e, set, &w, &err), &err);
        assert_ok(gcast_workload_check(w, &err), &err);
        assert_int_equal(w->task_count, e->tasks);
        for (size_t i = 0; i < w->task_count; i++) {
            const gcast_op *op = &w->ops[w->tasks[i].first_op];
            assert_in_range(op->blocks, e->grid_min, e->grid_max);
            assert_in_range(op->min_ns, op->max_ns / 2 - 1, op->max_ns / 2 + 1);
            u += (double)op->blocks * op->shape.threads / e->gpu->limits.threads_per_sm * (double)op->max_ns /
                 ((double)w->tasks[i].period_ns * e->gpu->sms);
        }
        assert_near(u, (double)e->percents.at[set / (uint64_t)e->sets] / 100, 1e-5);
        gcast_workload_free(w);
    }
    gcast_experiment_free(e);
}

static char *text_of(const gcast_experiment *e, uint64_t set)
{
    gcast_workload *w;
    gcast_error err;
    char *text;
    size_t size;
    assert_ok(gcast_experiment_set(e, set, &w, &err), &err);
    assert_ok(gcast_workload_write_native(w, &text, &size, &err), &err);
    gcast_workload_free(w);
    return text;
}

static void sets_depend_only_on_seed_and_number(void **state)
{
    (void)state;
    gcast_experiment *e = example(), *more = changed("\"to\": 100", "\"to\": 200"),
                     *other = changed("\"seed\": 1", "\"seed\": 2");
    char *a = text_of(e, 57), *b = text_of(e, 58), *c = text_of(more, 57), *d = text_of(other, 57);
    assert_string_equal(a, c);
    assert_string_not_equal(a, d);
    assert_string_not_equal(strstr(a, "tasks"), strstr(b, "tasks"));
    assert_true(e->hash != more->hash && e->hash != other->hash);
    free(a), free(b), free(c), free(d);
    gcast_experiment_free(e);
    gcast_experiment_free(more);
    gcast_experiment_free(other);
}

static void shorter_deadlines_go_first(void **state)
{
    (void)state;
    gcast_experiment *e = example();
    gcast_error err;
    for (uint64_t set = 0; set < 20; set++) {
        gcast_workload *w;
        int high = 0;
        assert_ok(gcast_experiment_set(e, set, &w, &err), &err);
        for (size_t i = 0; i < w->task_count; i++) {
            high += w->streams[i].priority == -1;
            for (size_t k = 0; k < w->task_count; k++)
                if (w->tasks[i].deadline_ns < w->tasks[k].deadline_ns)
                    assert_true(w->streams[i].priority <= w->streams[k].priority);
        }
        assert_int_equal(high, 3); /* of six, and two levels */
        gcast_workload_free(w);
    }
    gcast_experiment_free(e);
}

/* A simulation accepts or rejects every set, and hardly any is accepted at full utilisation. */
static void judges(void **state)
{
    (void)state;
    gcast_experiment *e = changed("[\"simulate\", \"bound\"]", "[\"simulate\"]");
    gcast_error err;
    int seen[GCAST_VERDICTS] = {0};
    for (uint64_t set = 0; set < gcast_experiment_size(e); set++) {
        uint32_t v;
        assert_ok(gcast_experiment_judge(e, set, &v, &err), &err);
        assert_true(v == GCAST_VERDICT_ACCEPTED || v == GCAST_VERDICT_REJECTED);
        seen[v]++;
        if (set >= 9 * (uint64_t)e->sets && v == GCAST_VERDICT_ACCEPTED)
            seen[0]++;
    }
    assert_true(seen[GCAST_VERDICT_ACCEPTED] > 100 && seen[GCAST_VERDICT_REJECTED] > 50);
    assert_true(seen[0] < 10); /* hardly any at full utilisation */
    gcast_experiment_free(e);
}

/* No simulation rejects a set that explore accepts, and explore accepts most sets that no simulation rejects. */
static void judges_by_explore(void **state)
{
    (void)state;
    gcast_experiment *e = changed("[\"simulate\", \"bound\"]", "[\"simulate\", \"bound\", \"explore\"]");
    gcast_error err;
    size_t simulated = 0, bound = 0, explored = 0;
    e->threads.count = 1; /* one pool of slots */
    for (uint64_t set = 0; set < gcast_experiment_size(e); set += 4) {
        uint32_t v;
        assert_ok(gcast_experiment_judge(e, set, &v, &err), &err);
        assert_true((v & 3) == GCAST_VERDICT_ACCEPTED || v >> 4 != GCAST_VERDICT_ACCEPTED);
        simulated += (v & 3) == GCAST_VERDICT_ACCEPTED;
        bound += (v >> 2 & 3) == GCAST_VERDICT_ACCEPTED;
        explored += v >> 4 == GCAST_VERDICT_ACCEPTED;
    }
    assert_true(explored > bound && explored * 10 > simulated * 9);
    gcast_experiment_free(e);
}

/* More executions find more sets that miss a deadline, never fewer, and none that an analysis accepts. */
static void executions_find_misses(void **state)
{
    (void)state;
    gcast_experiment *one = changed("[\"simulate\", \"bound\"]", "[\"simulate\", \"bound\"], \"jitter_percent\": 20");
    gcast_experiment *many =
        changed("[\"simulate\", \"bound\"]", "[\"simulate\", \"bound\"], \"jitter_percent\": 20, \"executions\": 30");
    gcast_error err;
    size_t found = 0;
    assert_int_equal(one->executions, 0);
    assert_int_equal(many->executions, 30);
    for (uint64_t set = 200; set < 360; set += 10) { /* from 60 to 90 percent */
        uint32_t a, b;
        assert_ok(gcast_experiment_judge(one, set, &a, &err), &err);
        assert_ok(gcast_experiment_judge(many, set, &b, &err), &err);
        assert_int_equal(a >> 2, b >> 2);
        assert_true((a & 3) == GCAST_VERDICT_ACCEPTED || (b & 3) == GCAST_VERDICT_REJECTED);
        found += (a & 3) != (b & 3);
    }
    assert_true(found > 0);
    gcast_experiment_free(one);
    gcast_experiment_free(many);
}

static bool append(void *data, const char *bytes, size_t size)
{
    strncat(data, bytes, size);
    return true;
}

/* Shown, missed and open sets are counted set by set, not from the counts of the methods. */
static void counts_open_sets(void **state)
{
    (void)state;
    gcast_experiment *e =
        changed("[\"simulate\", \"bound\"]", "[\"simulate\", \"bound\", \"explore\", \"thesis\"], \"executions\": 5");
    gcast_error err;
    char csv[4000] = "";
    uint32_t *v = calloc(gcast_experiment_size(e), sizeof *v);
    for (int i = 0; i < 400; i++) /* accepted by none, by bound, by explore, by both, by thesis alone; then missed */
        v[i] = i < 5    ? 1 | 2 << 2 | 3 << 4 | 2 << 6
               : i < 12 ? 1 | 1 << 2 | 3 << 4 | 2 << 6
               : i < 15 ? 1 | 2 << 2 | 1 << 4 | 2 << 6
               : i < 17 ? 1 | 1 << 2 | 1 << 4 | 2 << 6
               : i < 18 ? 1 | 2 << 2 | 2 << 4 | 1 << 6
                        : 2 | 2 << 2 | 3 << 4 | 1 << 6;
    assert_ok(gcast_acceptance_report(e, v, GCAST_FORMAT_CSV, append, csv, &err), &err);
    assert_non_null(strstr(csv, "\n10,thesis,23,17,0,40\n10,together,12,22,6,40\n20,simulate,0,40,0,40\n"));
    free(v);
    gcast_experiment_free(e);
}

static void counts(void **state)
{
    (void)state;
    gcast_experiment *e = changed("{\"from\": 10, \"to\": 100, \"step\": 10}", "[50, 20]");
    gcast_error err;
    char csv[1000] = "";
    uint32_t *v = calloc(gcast_experiment_size(e), sizeof *v);
    for (int i = 0; i < 80; i++)
        v[i] = i < 30 ? 1 | 3 << 2 : 2 | 1 << 2;
    assert_ok(gcast_acceptance_report(e, v, GCAST_FORMAT_CSV, append, csv, &err), &err);
    assert_string_equal(csv,
                        "utilisation_percent,method,accepted,rejected,unknown,sets\n"
                        "50,simulate,30,10,0,40\n50,bound,10,0,30,40\n20,simulate,0,40,0,40\n20,bound,40,0,0,40\n");
    assert_int_equal(gcast_acceptance_report(e, v, GCAST_FORMAT_HTML, append, csv, &err), GCAST_USAGE);
    free(v);
    gcast_experiment_free(e);
}

/* A test or a format of a wrong number is refused, and has no name. */
static void wrong_numbers(void **state)
{
    (void)state;
    static const int tests[] = {-1, INT_MIN, GCAST_TESTS, INT_MAX}, formats[] = {-1, INT_MIN, GCAST_FORMATS, INT_MAX};
    gcast_experiment *e = example();
    gcast_error err;
    uint32_t verdict, *verdicts = calloc(gcast_experiment_size(e), sizeof *verdicts);
    char nothing[8] = "";
    for (int i = 0; i < 4; i++) {
        assert_int_equal(gcast_acceptance_report(e, verdicts, (gcast_format)formats[i], append, nothing, &err),
                         GCAST_USAGE);
        assert_string_equal(gcast_test_name(tests[i]), "?");
        e->tests[0] = tests[i];
        assert_int_equal(gcast_experiment_judge(e, 0, &verdict, &err), GCAST_USAGE);
    }
    free(verdicts);
    gcast_experiment_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_uniformly),
        cmocka_unit_test(splits_within_bounds),
        cmocka_unit_test(splits_whatever_the_bounds),
        cmocka_unit_test(sets_have_their_utilisation),
        cmocka_unit_test(sets_depend_only_on_seed_and_number),
        cmocka_unit_test(shorter_deadlines_go_first),
        cmocka_unit_test(judges),
        cmocka_unit_test(judges_by_explore),
        cmocka_unit_test(executions_find_misses),
        cmocka_unit_test(counts_open_sets),
        cmocka_unit_test(counts),
        cmocka_unit_test(wrong_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
