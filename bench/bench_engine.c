/* What the engine costs, as ratios within one run: a pair is one push and one pop
 * of a binary heap that holds as many elements as the GPU holds blocks. Prints
 * one line per claim: name, measured, limit, verdict. Exit status 1 if one fails. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "gridcast/gridcast.h"

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

/* A plain binary heap, as anyone would write it. */
typedef struct item {
    int64_t time;
    uint64_t payload;
} item;

static inline __attribute__((always_inline)) void push(item *h, size_t *n, item x)
{
    size_t i = (*n)++;
    while (i && h[(i - 1) / 2].time > x.time) {
        h[i] = h[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h[i] = x;
}

static inline __attribute__((always_inline)) item pop(item *h, size_t *n)
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

/* A heap without a branch in the choice of child: behind the last element is one that is
 * later than all. How long the plain one takes is much up to the compiler; this is not. */
static inline __attribute__((always_inline)) item pop_smooth(item *h, size_t *n)
{
    item top = h[0], x = h[--*n];
    size_t i = 0, c;
    h[*n].time = INT64_MAX;
    while ((c = 2 * i + 1) < *n) {
        c += h[c + 1].time < h[c].time;
        if (x.time <= h[c].time)
            break;
        h[i] = h[c];
        i = c;
    }
    h[i] = x;
    return top;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Not inlined, so that every size is measured with the same code. */
static inline __attribute__((always_inline)) double measure_pair(size_t live, bool smooth)
{
    item *h = malloc((live + 2) * sizeof *h);
    size_t n = 0, pairs = 3000000;
    uint64_t seed = 88172645463325252u, sum = 0;
    for (size_t i = 0; i < live; i++)
        push(h, &n, (item){(int64_t)(next_random(&seed) % 100000), i});
    double best = 1e300;
    for (int round = 0; round < 3; round++) {
        double start = now_ns();
        for (size_t i = 0; i < pairs; i++) {
            item x = smooth ? pop_smooth(h, &n) : pop(h, &n);
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

static __attribute__((noinline)) double pair_ns(size_t live)
{
    return measure_pair(live, false);
}

static __attribute__((noinline)) double smooth_pair_ns(size_t live)
{
    return measure_pair(live, true);
}

static void die(const gcast_error *err)
{
    fprintf(stderr, "bench_engine: %s %s\n", err->message, err->path);
    exit(1);
}

#define MIXED 0      /* threads: 128, 256 and 512 in turn, 256 in the middle */
#define WAITED_FOR 0 /* kernels: one, and one of a block that waits for it, so that it is not alone */

/* `kernels` kernels of `blocks` blocks each, over `streams` streams. */
static double simulate_ns(const gcast_gpu *gpu, size_t kernels, uint64_t blocks, uint32_t threads, int streams,
                          int64_t min, int64_t max, bool record)
{
    gcast_error err;
    gcast_workload *w;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.grid[0] = blocks < 1000000 ? (uint32_t)blocks : 1000000;
    op.grid[1] = (uint32_t)(blocks / op.grid[0] < 50000 ? blocks / op.grid[0] : 50000);
    op.grid[2] = (uint32_t)(blocks / op.grid[0] / op.grid[1]);
    op.shape.registers = 32;
    op.min_ns = min;
    op.max_ns = max;
    if (gcast_workload_create("bench", &w, &err) != GCAST_OK)
        die(&err);
    for (size_t i = 0; i < (kernels == WAITED_FOR ? 2 : kernels); i++) {
        if (kernels == WAITED_FOR && i == 1)
            op.grid[0] = op.grid[1] = op.grid[2] = 1;
        op.block[0] = threads == MIXED ? (uint32_t[]){128, 256, 512}[i % 3] : threads;
        if (gcast_workload_get_stream(w, 1 + (int)(i % (size_t)streams), &op.stream, &err) != GCAST_OK ||
            gcast_workload_add_op(w, &op, NULL, &err) != GCAST_OK)
            die(&err);
    }
    gcast_simulate_options options = gcast_simulate_options_default();
    options.durations = GCAST_DURATIONS_RANDOM;
    options.record_blocks = record;
    gcast_run *run;
    double start = now_ns();
    if (gcast_workload_simulate(w, gpu, &options, &run, &err) != GCAST_OK)
        die(&err);
    double elapsed = now_ns() - start;
    gcast_run_free(run);
    gcast_workload_free(w);
    return elapsed;
}

static double best_of(int rounds, const gcast_gpu *gpu, size_t kernels, uint64_t blocks, uint32_t threads, int streams,
                      int64_t min, int64_t max, bool record)
{
    double best = 1e300;
    for (int i = 0; i < rounds; i++) {
        double t = simulate_ns(gpu, kernels, blocks, threads, streams, min, max, record);
        best = t < best ? t : best;
    }
    return best;
}

static double peak_bytes(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)r.ru_maxrss * 1024;
}

/* Blocks of one kernel, of many kernels of one shape, and of many of different shapes. */
static void bench_blocks(const gcast_gpu *gpu)
{
    const uint32_t sizes[] = {64, 128, 256, 672, 1024};
    const double n = 2e6;
    char name[80];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint32_t threads = sizes[i];
        size_t live = (size_t)gpu->sms * (2048 / threads);
        double pair = pair_ns(live);
        snprintf(name, sizeof name, "a: block of its own duration, %u threads", threads);
        claim(name, best_of(3, gpu, 1, (uint64_t)n, threads, 1, 50000, 150000, false) / n / pair, 2, "pairs");
        snprintf(name, sizeof name, "b: block of equal duration, %u threads", threads);
        claim(name, best_of(3, gpu, WAITED_FOR, (uint64_t)(4 * n), threads, 2, 100000, 100000, false) / (4 * n) / pair,
              0.25, "pairs");
        double row = best_of(3, gpu, 40, (uint64_t)n / 10, threads, 40, 100000, 100000, false) / (4 * n) / pair;
        printf("   (%.3f in 40 kernels, since the next one's blocks start a little later than the last one's)\n", row);
        printf("   (a pair at %zu live elements: %.1f ns, %.1f without a branch in it)\n", live, pair,
               smooth_pair_ns(live));
    }
    double pair = pair_ns((size_t)gpu->sms * 8);
    claim("a: block of 10^4 kernels of 100, one shape",
          best_of(3, gpu, 10000, 100, 256, 32, 50000, 150000, false) / 1e6 / pair, 2, "pairs");
    claim("a: block of 10^4 kernels of 100, three shapes",
          best_of(3, gpu, 10000, 100, MIXED, 32, 50000, 150000, false) / 1e6 / pair, 2, "pairs");
}

static void bench_waves(const gcast_gpu *gpu)
{
    double few = best_of(3, gpu, 1, 2000000, 256, 1, 50000, 150000, false);
    claim("c: 10^12 equal blocks of a kernel over 2 * 10^6 others",
          simulate_ns(gpu, 1, 1000000000000u, 256, 1, 1000, 1000, false) / few, 1, "times");
}

static void bench_memory(const gcast_gpu *gpu)
{
    double before = peak_bytes();
    simulate_ns(gpu, 1, 10000000, 256, 1, 50000, 150000, false);
    double without = peak_bytes();
    claim("d: bytes that 10^7 blocks take without recording", (without - before) / 1e7, 0.5, "B");
    simulate_ns(gpu, 1, 10000000, 256, 1, 50000, 150000, true);
    claim("d: bytes a block with recording", (peak_bytes() - without) / 1e7, 24.1, "B");
}

/* Time a unit at the large end over time a unit in the middle: 1 is linear. Sizes
 * take turns, so that a busy moment of the machine does not fall on one of them. */
static void bench_growth(const gcast_gpu *gpu)
{
    const double block_counts[] = {1e4, 1e5, 1e6, 1e7}, kernel_counts[] = {1, 10, 100, 1e3, 1e4, 1e5};
    double blocks[4], kernels[6];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 4; i++) {
            double t = simulate_ns(gpu, 1, (uint64_t)block_counts[i], 256, 1, 50000, 150000, false) / block_counts[i];
            blocks[i] = round && blocks[i] < t ? blocks[i] : t;
        }
        for (int i = 0; i < 6; i++) {
            double t =
                simulate_ns(gpu, (size_t)kernel_counts[i], 100, 256, 32, 50000, 150000, false) / kernel_counts[i];
            kernels[i] = round && kernels[i] < t ? kernels[i] : t;
        }
    }
    printf("   ns a block at 10^4 .. 10^7 blocks:");
    for (int i = 0; i < 4; i++)
        printf(" %.1f", blocks[i]);
    printf("\n   ns a kernel at 10^0 .. 10^5 kernels of 100 blocks:");
    for (int i = 0; i < 6; i++)
        printf(" %.0f", kernels[i]);
    printf("\n");
    claim("e: a block at 10^7 over a block at 10^5", blocks[3] / blocks[1], 1.5, "times");
    claim("e: a kernel at 10^5 over a kernel at 10^3", kernels[5] / kernels[3], 1.5, "times");
}

/* How the blocks of a kernel come to its SMs. */
typedef struct policy_case {
    const char *name;
    gcast_policy policy;
    gcast_mapping mapping;
    bool steal;
} policy_case;

static gcast_plan_options plan_options(const gcast_gpu *gpu, const policy_case *c, uint32_t blocks)
{
    gcast_plan_options make = gcast_plan_options_default();
    make.mapping = c->mapping;
    make.steal = c->steal;
    make.grid[0] = blocks;
    make.grid[1] = make.grid[2] = 1;
    make.sms = (uint32_t)gpu->sms;
    make.workers = c->policy == GCAST_POLICY_SM_CENTRIC ? 8 : 0;
    return make;
}

/* One kernel of `blocks` blocks alone, whose workers fill the SMs. block_ns NULL: all take 100 microseconds. */
static double policy_ns(const gcast_gpu *gpu, const policy_case *c, uint32_t blocks, const int64_t *block_ns,
                        bool record)
{
    gcast_error err;
    gcast_workload *w;
    gcast_plan *plan = NULL;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.grid[0] = blocks;
    op.block[0] = 256;
    op.shape.registers = 32;
    op.min_ns = op.max_ns = 100000;
    op.block_ns = block_ns;
    op.policy = c->policy;
    gcast_plan_options make = plan_options(gpu, c, blocks);
    if (c->policy != GCAST_POLICY_HARDWARE && gcast_plan_make(&make, &plan, &err) != GCAST_OK)
        die(&err);
    op.plan = plan;
    if (gcast_workload_create("bench", &w, &err) != GCAST_OK ||
        gcast_workload_get_stream(w, 1, &op.stream, &err) != GCAST_OK ||
        gcast_workload_add_op(w, &op, NULL, &err) != GCAST_OK)
        die(&err);
    gcast_simulate_options options = gcast_simulate_options_default();
    options.record_blocks = record;
    gcast_run *run;
    double start = now_ns();
    if (gcast_workload_simulate(w, gpu, &options, &run, &err) != GCAST_OK)
        die(&err);
    double elapsed = now_ns() - start;
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_plan_free(plan);
    return elapsed;
}

/* What it takes to look at each job of a plan once, a job: no simulation of a plan can take less. */
static double plan_check_ns(const gcast_gpu *gpu, const policy_case *c, uint32_t blocks)
{
    gcast_error err;
    gcast_plan *plan;
    gcast_plan_options make = plan_options(gpu, c, blocks);
    double best = 1e300;
    if (gcast_plan_make(&make, &plan, &err) != GCAST_OK)
        die(&err);
    for (int round = 0; round < 3; round++) {
        double start = now_ns();
        if (gcast_plan_check(plan, &err) != GCAST_OK)
            die(&err);
        double elapsed = now_ns() - start;
        best = elapsed < best ? elapsed : best;
    }
    gcast_plan_free(plan);
    return best / blocks;
}

/* Workers of a plan beside the hardware's own blocks: with a duration of its own for each, and all equal. */
static void bench_policies(const gcast_gpu *gpu)
{
    static const policy_case cases[] = {
        {"hardware", GCAST_POLICY_HARDWARE, 0, false},
        {"persistent", GCAST_POLICY_PERSISTENT, GCAST_MAPPING_PERSISTENT, false},
        {"segments", GCAST_POLICY_SM_CENTRIC, GCAST_MAPPING_SEGMENTS, false},
        {"queues", GCAST_POLICY_SM_CENTRIC, GCAST_MAPPING_QUEUES, false},
        {"queues, stealing", GCAST_POLICY_SM_CENTRIC, GCAST_MAPPING_QUEUES, true},
    };
    const uint32_t n = 2000000;
    int64_t *block_ns = malloc(n * sizeof *block_ns);
    uint64_t seed = 88172645463325252u;
    for (uint32_t i = 0; i < n; i++)
        block_ns[i] = 50000 + (int64_t)(next_random(&seed) % 100000);
    for (int equal = 0; equal < 2; equal++) {
        double hardware = 0;
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            double best = 1e300;
            char name[80];
            for (int round = 0; round < 3; round++) {
                double t = policy_ns(gpu, &cases[c], n, equal ? NULL : block_ns, false) / n;
                best = t < best ? t : best;
            }
            if (c == 0)
                hardware = best;
            printf("   (%.2f ns a block of %s duration, %s)\n", best, equal ? "equal" : "its own", cases[c].name);
            snprintf(name, sizeof name, "f: block of %s duration, %s", equal ? "equal" : "its own", cases[c].name);
            if (c && !equal)
                claim(name, best / hardware, 2, "times");
            else if (c)
                claim(name, best / plan_check_ns(gpu, &cases[c], n), 2, "checks");
        }
    }
    free(block_ns);
}

int main(void)
{
    gcast_error err;
    gcast_gpu *gpu;
    if (gcast_gpu_preset("h200", &gpu, &err) != GCAST_OK)
        die(&err);
    bench_memory(gpu);
    bench_blocks(gpu);
    bench_waves(gpu);
    bench_growth(gpu);
    bench_policies(gpu);
    gcast_gpu_free(gpu);
    return failed ? 1 : 0;
}
