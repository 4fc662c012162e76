/* What the analyses cost, as ratios within one run: a pair is one push and one pop of a
 * binary heap that holds as many rows as the algorithm's set h. Prints one line per claim:
 * name, measured, limit, verdict. Exit status 1 if one fails. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gridcast/gridcast.h"
#include "papers/thesis/thesis.h"

#define KERNELS 1000000

static int failed;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void claim(const char *name, double value, double limit, const char *unit)
{
    int ok = value <= limit;
    failed += !ok;
    printf("%-52s %10.3f  at most %-7g %-6s %s\n", name, value, limit, unit, ok ? "ok" : "MISSED");
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A plain binary heap, as anyone would write it. */
typedef struct item {
    int64_t time;
    uint64_t payload;
} item;

static void push(item *h, size_t *n, item x)
{
    size_t i = (*n)++;
    while (i && h[(i - 1) / 2].time > x.time) {
        h[i] = h[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h[i] = x;
}

static item pop(item *h, size_t *n)
{
    item top = h[0], x = h[--*n];
    size_t i = 0, c;
    while ((c = 2 * i + 1) < *n) {
        if (c + 1 < *n && h[c + 1].time < h[c].time)
            c++;
        if (x.time <= h[c].time)
            break;
        h[i] = h[c];
        i = c;
    }
    h[i] = x;
    return top;
}

static double pair_ns(size_t live)
{
    item *h = malloc((live + 1) * sizeof *h);
    size_t n = 0, pairs = 3000000;
    uint64_t seed = 88172645463325252u, sum = 0;
    double best = 1e300;
    for (size_t i = 0; i < live; i++)
        push(h, &n, (item){(int64_t)(next_random(&seed) % 100000), i});
    for (int round = 0; round < 3; round++) {
        double start = now_ns();
        for (size_t i = 0; i < pairs; i++) {
            item x = pop(h, &n);
            x.time += 1000 + (int64_t)(next_random(&seed) % 100000);
            sum += x.payload;
            push(h, &n, x);
        }
        double elapsed = (now_ns() - start) / (double)pairs;
        best = elapsed < best ? elapsed : best;
    }
    free(h);
    return sum ? best : 0;
}

static void widest(void *data, const gcast_thesis_step *step)
{
    size_t *rows = data;
    *rows = step->row_count > *rows ? step->row_count : *rows;
}

/* 10^6 kernels of 2 to 100 blocks that take 20 to 100 us, as in the thesis' experiments. */
static void bench_thesis(uint32_t slots, gcast_thesis_kernel *kernels, int64_t *completions)
{
    gcast_thesis_pool pool = {.slots = slots};
    gcast_error err;
    uint64_t passes = 0;
    size_t rows = 0;
    double best = 1e300;
    char name[80];
    gcast_thesis_watch watch = {widest, &rows};
    if (gcast_thesis_completions(&pool, kernels, 1000, &watch, completions, NULL, &err) != GCAST_OK)
        exit(1);
    for (int round = 0; round < 3; round++) {
        double start = now_ns();
        if (gcast_thesis_completions(&pool, kernels, KERNELS, NULL, completions, &passes, &err) != GCAST_OK)
            exit(1);
        double elapsed = now_ns() - start;
        best = elapsed < best ? elapsed : best;
    }
    double pair = pair_ns(rows);
    snprintf(name, sizeof name, "f: a wave of 10^6 kernels on %u slots", slots);
    claim(name, best / (double)passes / pair, 4, "pairs");
    printf("   (%.0f ms for %llu waves; a pair at %zu rows: %.1f ns)\n", best / 1e6, (unsigned long long)passes, rows,
           pair);
}

int main(void)
{
    const uint32_t slots[] = {8, 128, 1056};
    gcast_thesis_kernel *kernels = malloc(KERNELS * sizeof *kernels);
    int64_t *completions = malloc(KERNELS * sizeof *completions);
    uint64_t seed = 88172645463325252u;
    if (!kernels || !completions)
        return 1;
    for (size_t i = 0; i < KERNELS; i++) {
        kernels[i].execution_ns = 20000 + (int64_t)(next_random(&seed) % 80001);
        kernels[i].blocks = 2 + next_random(&seed) % 99;
        kernels[i].release_ns = 0;
    }
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        bench_thesis(slots[i], kernels, completions);
    free(kernels);
    free(completions);
    return failed ? 1 : 0;
}
