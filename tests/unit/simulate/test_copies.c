/* Copies against an H200: ends predicted for tests/data/h200-other/copies.jsonl.gz, from the start of the first copy of
 * a group of operations on, in percent of what was measured. Prints the table of docs/results.md. GRIDCAST_COPIES
 * names another corpus of these scenarios, GRIDCAST_COPIES_GPU a file with a GPU. */
#include "model/scenario.h"
#include "support/support.h"
#include "verify/score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZES 7 /* 1, 2, 4, 8, 16, 32, 48 MiB */
#define MAX_RUNS 64
#define APART_NS 50000 /* an operation that is called this long after all others have ended begins a new group */

typedef struct cell {
    int ends;     /* of copies, in all runs */
    int right;    /* ends that are predicted to within 5 % */
    int same;     /* ends that are within 5 % of the median of the runs */
    int ops;      /* operations */
    int near;     /* operations whose median error is at most 5 % */
    double worst; /* largest median error of an operation */
} cell;

static const struct {
    const char *name, *text;
} patterns[] = {
    {"alone", "alone"},
    {"row", "three in a row, one stream"},
    {"same", "two of one direction, two streams"},
    {"three", "three of one direction, three streams"},
    {"kernel-h2d", "to the device beside a kernel"},
    {"kernel-d2h", "to the host beside a kernel"},
    {"pipeline", "in, kernel, out; two streams"},
    {"opposite-late", "48 MiB, and this size the other way 0.1 ms later"},
    {"opposite", "both ways at once"},
    {"kernel-both", "both ways beside a kernel"},
    {"order", "four wait for a fifth, five streams"},
    {"idle", "alone, after 5 ms of nothing"},
};
#define PATTERNS (sizeof patterns / sizeof patterns[0])
#define HELD                                                                                                           \
    (PATTERNS -                                                                                                        \
     2) /* without the last two: channels joined before the run and speeds of a session are different there */

static int pattern_of(const char *name)
{
    for (size_t i = 0; i < PATTERNS; i++)
        if (strncmp(name, patterns[i].name, strlen(patterns[i].name)) == 0)
            return (int)i;
    fail_msg("no pattern for %s", name);
    return -1;
}

static int size_of(int64_t bytes)
{
    static const int sizes[SIZES] = {1, 2, 4, 8, 16, 32, 48};
    for (int i = 0; i < SIZES; i++)
        if (bytes == (int64_t)sizes[i] << 20)
            return i;
    fail_msg("no column for %lld bytes", (long long)bytes);
    return -1;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(const double *v, size_t n)
{
    double sorted[MAX_RUNS];
    memcpy(sorted, v, n * sizeof *v);
    qsort(sorted, n, sizeof *sorted, by_value);
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/* The group of operations that begins with `first`; returns the first operation after it. */
static size_t group_end(const gcast_run *run, size_t first)
{
    int64_t group_end_ns = run->ops[first].end_ns;
    size_t i = first + 1;
    for (; i < run->op_count && run->ops[i].call_ns < group_end_ns + APART_NS; i++)
        group_end_ns = run->ops[i].end_ns > group_end_ns ? run->ops[i].end_ns : group_end_ns;
    return i;
}

static const gcast_op *op_of(const gcast_scenario *s, size_t i)
{
    return &s->workload->ops[s->runs[0]->ops[i].op];
}

static int column_of(const gcast_scenario *s, size_t first, size_t end)
{
    int64_t min_bytes = INT64_MAX;
    for (size_t i = first; i < end; i++)
        if (op_of(s, i)->kind == GCAST_KIND_COPY && op_of(s, i)->bytes < min_bytes)
            min_bytes = op_of(s, i)->bytes;
    return size_of(min_bytes);
}

static void add_op(const gcast_scenario *s, gcast_run *const *predicted, size_t first, size_t i, cell *c)
{
    double measured_ns[MAX_RUNS], error[MAX_RUNS];
    for (size_t r = 0; r < s->run_count; r++) {
        measured_ns[r] = (double)(s->runs[r]->ops[i].end_ns - s->runs[r]->ops[first].start_ns);
        double end = (double)(predicted[r]->ops[i].end_ns - predicted[r]->ops[first].start_ns);
        error[r] = (end - measured_ns[r]) / measured_ns[r];
    }
    double median_ns = median(measured_ns, s->run_count), median_error = median(error, s->run_count);
    for (size_t r = 0; r < s->run_count; r++) {
        c->ends++;
        c->right += magnitude(error[r]) <= 0.05;
        c->same += magnitude(measured_ns[r] - median_ns) <= 0.05 * median_ns;
    }
    c->ops++;
    c->near += magnitude(median_error) <= 0.05;
    if (magnitude(median_error) > magnitude(c->worst))
        c->worst = median_error;
    if (getenv("GRIDCAST_COPIES_OPS"))
        printf("%s %s: %.1f %%\n", s->workload->name, op_of(s, i)->label, 100 * median_error);
}

static void add_scenario(const gcast_scenario *s, const gcast_gpu *gpu, cell (*table)[SIZES])
{
    gcast_error err;
    gcast_run *predicted[MAX_RUNS];
    assert_in_range(s->run_count, 1, MAX_RUNS);
    for (size_t r = 0; r < s->run_count; r++)
        assert_ok(gcast_scenario_predict(s, r, gpu, false, &predicted[r], &err), &err);
    cell *row = table[pattern_of(s->workload->name)];
    for (size_t first = 0, end; first < s->runs[0]->op_count; first = end) {
        end = group_end(s->runs[0], first);
        while (first < end && op_of(s, first)->kind != GCAST_KIND_COPY)
            first++;
        for (size_t i = first; i < end; i++)
            if (op_of(s, i)->kind == GCAST_KIND_COPY && strncmp(op_of(s, i)->label, "wake", 4) != 0)
                add_op(s, predicted, first, i, &row[column_of(s, first, end)]);
    }
    for (size_t r = 0; r < s->run_count; r++)
        gcast_run_free(predicted[r]);
}

static void add_cell(cell *sum, const cell *c)
{
    sum->ends += c->ends;
    sum->right += c->right;
    sum->same += c->same;
    sum->ops += c->ops;
    sum->near += c->near;
}

static void print_table(const cell (*table)[SIZES], const cell *sum)
{
    printf("| MiB | 1 | 2 | 4 | 8 | 16 | 32 | 48 |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t p = 0; p < PATTERNS; p++) {
        printf("| %s |", patterns[p].text);
        for (const cell *c = table[p]; c < table[p] + SIZES; c++)
            if (c->ends)
                printf(" %+.0f, %d/%d |", 100 * c->worst, 100 * c->right / c->ends, 100 * c->same / c->ends);
            else
                printf(" |");
        printf("\n");
    }
    printf(
        "but for the last two rows: %d of %d operations to 5 %%; of %d ends %d, and %d within 5 %% of their median\n",
        sum->near, sum->ops, sum->ends, sum->right, sum->same);
}

static gcast_gpu *gpu_of_environment(void)
{
    gcast_error err;
    gcast_gpu *gpu = NULL;
    const char *path = getenv("GRIDCAST_COPIES_GPU");
    if (path)
        assert_ok(gcast_gpu_load(path, &gpu, &err), &err);
    return gpu;
}

/* At least `percent` of all operations have a median error of at most 5 %, and all of 8 MiB or more do. Nearly as many
 * ends are within 5 % of the prediction as are within 5 % of the median of their runs. */
static void check_corpus(const char *path, int percent)
{
    static cell table[PATTERNS][SIZES];
    memset(table, 0, sizeof table);
    gcast_gpu *gpu = gpu_of_environment();
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s;
    cell sum = {0};
    assert_ok(gcast_corpus_open(path, &corpus, &err), &err);
    while (gcast_corpus_next(corpus, &s, &err) == GCAST_OK && s) {
        add_scenario(s, gpu, table);
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
    gcast_gpu_free(gpu);
    for (size_t p = 0; p < HELD; p++)
        for (int i = 0; i < SIZES; i++)
            add_cell(&sum, &table[p][i]);
    print_table((const cell(*)[SIZES])table, &sum);
    for (size_t p = 0; p < HELD; p++)
        for (int i = 3; i < SIZES; i++)
            if (magnitude(table[p][i].worst) > 0.05)
                fail_msg("%s, %d MiB: %.1f %%", patterns[p].text, i < 6 ? 1 << i : 48, 100 * table[p][i].worst);
    assert_true(sum.ops > 0 && 100 * sum.near >= percent * sum.ops);
    assert_true(100 * sum.right >= 100 * sum.same - 6 * sum.ends);
}

static void first_recording(void **state)
{
    (void)state;
    const char *other = getenv("GRIDCAST_COPIES");
    check_corpus(other ? other : SOURCE_DIR "/tests/data/h200-other/copies.jsonl.gz", other ? 0 : 91);
}

static void later_recording(void **state)
{
    (void)state;
    check_corpus(SOURCE_DIR "/tests/data/h200-other/copies-later.jsonl.gz", 97);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_recording), cmocka_unit_test(later_recording)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
