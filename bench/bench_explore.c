/* What method explore costs: kernels of one slot a block on 8 slots, durations within 10 % of each other, releases up
 * to 5 units late. A FIFO stream of them at 0.7 and 0.9 of what the slots can do, and bursts
 * that are released at once, in any order, or one after another faster than they are done. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "gridcast/gridcast.h"

#define SLOTS 8
#define UNIT INT64_C(1000)
#define JITTER (5 * UNIT)

typedef struct setting {
    const char *name;
    int jobs;
    int utilisation; /* percent; 0: a burst */
    int64_t apart;   /* of a burst */
} setting;

static const setting settings[] = {
    {"stream at 0.7, 1000 jobs", 1000, 70, 0},    {"stream at 0.9, 500 jobs", 500, 90, 0},
    {"stream at 0.9, 1000 jobs", 1000, 90, 0},    {"burst at once, 48 jobs", 48, 0, 0},
    {"burst at once, 100 jobs", 100, 0, 0},       {"burst one by one, 48 jobs", 48, 0, UNIT},
    {"burst one by one, 100 jobs", 100, 0, UNIT},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int64_t between(uint64_t *state, int64_t lo, int64_t hi)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return lo + (int64_t)(*state % (uint64_t)(hi - lo + 1));
}

/* Every job is a task of one kernel, on its own stream, that is released once. */
static bool add_job(gcast_workload *w, int number, int64_t release, int blocks, int64_t ns, gcast_error *err)
{
    int stream = gcast_workload_add_stream(w, (gcast_stream){.id = number + 1}, err);
    gcast_task task = {
        .name = "job", .stream = stream, .period_ns = INT64_C(1) << 40, .offset_ns = release, .jitter_ns = JITTER};
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = "kernel";
    op.stream = stream;
    op.grid[0] = (uint32_t)blocks;
    op.block[0] = 1024;
    op.max_ns = ns;
    op.min_ns = ns - ns / 10;
    return stream >= 0 && gcast_workload_add_task(w, &task, err) >= 0 && gcast_workload_add_op(w, &op, err) >= 0;
}

static gcast_workload *generate(const setting *s, gcast_error *err)
{
    uint64_t random = 88172645463325252u;
    gcast_workload *w = gcast_workload_create(s->name, err);
    int64_t release = 0;
    for (int i = 0; w && i < s->jobs; i++) {
        int blocks = (int)between(&random, 1, SLOTS);
        int64_t ns = between(&random, 10, 100) * UNIT;
        if (!add_job(w, i, release, blocks, ns, err))
            return NULL;
        /* Arrivals scatter by half around what keeps the slots so busy. */
        int64_t mean = s->utilisation ? ns * blocks * 100 / (SLOTS * s->utilisation) : 0;
        release += s->utilisation ? between(&random, mean / 2, mean + mean / 2) : s->apart;
    }
    return w;
}

static bool measure(const setting *s, const gcast_gpu *gpu)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_defaults();
    gcast_workload *w = generate(s, &err);
    options.horizon_ns = INT64_C(1) << 40;
    options.most_bytes = UINT64_C(1) << 32;
    double start = now();
    if (!w || gcast_analyze(w, gpu, GCAST_METHOD_EXPLORE, &options, &a, &err) != GCAST_OK) {
        printf("%s: %s\n", s->name, err.message);
        return false;
    }
    double seconds = now() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    int64_t worst = 0;
    for (size_t i = 0; i < a->response_count; i++)
        worst = a->responses[i].worst_ns > worst ? a->responses[i].worst_ns : worst;
    printf("%-28s %9.3f s %9" PRIu64 " states %7ld MiB at most so far   ", s->name, seconds, a->states,
           usage.ru_maxrss / 1024);
    if (a->complete)
        printf("worst response %" PRId64 "\n", worst / UNIT);
    else
        printf("given up: %s\n", a->why_not);
    bool complete = a->complete;
    gcast_analysis_free(a);
    gcast_workload_free(w);
    return complete;
}

int main(void)
{
    gcast_error err;
    gcast_gpu *gpu = gcast_gpu_create("bench", 6, 2, SLOTS / 2, &err);
    bool all = gpu != NULL;
    if (!gpu)
        return 1;
    gpu->connections = 0;
    gpu->limits.resident_grids = 0;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        all = measure(&settings[i], gpu) && all;
    gcast_gpu_free(gpu);
    return all ? 0 : 1;
}
