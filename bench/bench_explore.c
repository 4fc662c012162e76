/* What method explore costs: kernels whose blocks take one of 8 slots each, whose durations scatter by 10 % and whose
 * releases are up to 5 units late. A FIFO stream of them at 0.7 and 0.9 of what the slots can do; bursts that are
 * released at once, in any order, and one after another faster than they are done. None may take a minute or 4 GiB.
 * Beside its worst response: the largest of executions that are drawn, and of those in which one job is late and all
 * others are not; and the sum of all bounds over the sum of the observed responses. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "gridcast/gridcast.h"

#define SLOTS 8
#define UNIT INT64_C(1000)
#define JITTER (5 * UNIT)
#define LONGEST 100
#define SHORTEST 10
#define DRAWN 50
#define MAX_SECONDS 60
#define MAX_MIB 4096

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
    int stream;
    if (gcast_workload_add_stream(w, &(gcast_stream){.id = number + 1}, &stream, err) != GCAST_OK)
        return false;
    gcast_task task = {
        .name = "job", .stream = stream, .period_ns = INT64_C(1) << 40, .offset_ns = release, .jitter_ns = JITTER};
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    op.label = "kernel";
    op.stream = stream;
    op.grid[0] = (uint32_t)blocks;
    op.block[0] = 1024;
    op.max_ns = ns;
    op.min_ns = ns - ns / 10;
    return gcast_workload_add_task(w, &task, NULL, err) == GCAST_OK &&
           gcast_workload_add_op(w, &op, NULL, err) == GCAST_OK;
}

static gcast_workload *generate(const setting *s, gcast_error *err)
{
    uint64_t random = 88172645463325252u;
    gcast_workload *w;
    gcast_workload_create(s->name, &w, err);
    int64_t release = 0;
    for (int i = 0; w && i < s->jobs; i++) {
        int blocks = (int)between(&random, 1, SLOTS);
        int64_t ns = between(&random, SHORTEST, LONGEST) * UNIT;
        if (!add_job(w, i, release, blocks, ns, err))
            return NULL;
        int64_t mean = (SHORTEST + LONGEST) * UNIT / 2 * (SLOTS + 1) / 2;
        release += s->utilisation ? between(&random, 0, 2 * mean * 100 / (SLOTS * s->utilisation)) : s->apart;
    }
    return w;
}

/* One execution; the largest response of each op so far goes to observed[]. */
static bool execute(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                    int64_t *observed)
{
    gcast_error err;
    gcast_run *run;
    if (gcast_workload_simulate(w, gpu, options, &run, &err) != GCAST_OK)
        return false;
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t response = gcast_response_ns(&run->ops[i]), *at = &observed[run->ops[i].op];
        *at = response > *at ? response : *at;
    }
    gcast_run_free(run);
    return true;
}

/* Releases drawn, and durations too or the longest; then, with the longest, one job late and the others not. */
static bool draw(const gcast_workload *w, const gcast_gpu *gpu, int64_t horizon, int64_t *observed)
{
    uint64_t random = 1;
    gcast_simulate_options options = gcast_simulate_options_default();
    int64_t *releases = malloc(w->op_count * sizeof *releases);
    bool ok = releases != NULL;
    options.horizon_ns = horizon;
    options.releases = releases;
    options.release_count = w->op_count;
    for (size_t n = 0; ok && n < DRAWN + w->op_count; n++) {
        for (size_t i = 0; i < w->op_count; i++) /* tasks are in the order of their releases */
            releases[i] = w->tasks[i].offset_ns + (n < DRAWN        ? between(&random, 0, JITTER)
                                                   : n - DRAWN == i ? JITTER
                                                                    : 0);
        options.seed = n;
        options.durations = n < DRAWN && n % 2 ? GCAST_DURATIONS_RANDOM : GCAST_DURATIONS_MAX;
        ok = execute(w, gpu, &options, observed);
    }
    free(releases);
    return ok;
}

static bool print(const gcast_workload *w, const gcast_gpu *gpu, int64_t horizon, const gcast_analysis *a)
{
    int64_t worst = 0, largest = 0, bound_sum = 0, observed_sum = 0, *observed = calloc(w->op_count, sizeof *observed);
    bool ok = observed && draw(w, gpu, horizon, observed);
    for (size_t i = 0; i < a->response_count && ok; i++) {
        int64_t ns = a->responses[i].worst_ns, s = observed[a->responses[i].op];
        worst = ns > worst ? ns : worst;
        largest = s > largest ? s : largest;
        bound_sum += ns;
        observed_sum += s;
    }
    printf("worst %" PRId64 ", seen %" PRId64 ", all said over seen %.3f\n", worst / UNIT, largest / UNIT,
           observed_sum ? (double)bound_sum / (double)observed_sum : 0);
    free(observed);
    return ok;
}

static bool measure(const setting *s, const gcast_gpu *gpu)
{
    gcast_error err;
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_options_default();
    gcast_workload *w = generate(s, &err);
    options.horizon_ns = INT64_C(1) << 40;
    options.max_bytes = UINT64_C(1) << 32;
    double start = now();
    if (!w || gcast_workload_analyze(w, gpu, GCAST_METHOD_EXPLORE, &options, &a, &err) != GCAST_OK) {
        printf("%s: %s\n", s->name, err.message);
        return false;
    }
    double seconds = now() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    long mib = usage.ru_maxrss / 1024;
    printf("%-28s %7.3f s %7" PRIu64 " states, peak %3ld MiB   ", s->name, seconds, a->states, mib);
    bool ok = a->complete;
    if (ok)
        ok = print(w, gpu, options.horizon_ns, a) && seconds < MAX_SECONDS && mib < MAX_MIB;
    else
        printf("given up: %s\n", a->why_not);
    gcast_analysis_free(a);
    gcast_workload_free(w);
    return ok;
}

int main(void)
{
    gcast_error err;
    gcast_gpu *gpu;
    bool all = gcast_gpu_create("bench", 6, 2, SLOTS / 2, &gpu, &err) == GCAST_OK;
    if (!all)
        return 1;
    gpu->connections = 0;
    gpu->limits.resident_grids = 0;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        all = measure(&settings[i], gpu) && all;
    gcast_gpu_free(gpu);
    return all ? 0 : 1;
}
