/* What kernels that launch kernels cost: nanoseconds, and pairs, of each launcher and its child of one block, and bytes
 * of each live child. A pair is one push and one pop of a binary heap with as many elements as the GPU holds such
 * blocks. Prints one line per claim: name, measured, limit, verdict. Exit status 1 if one fails. An argument: how many
 * children. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gridcast/gridcast.h"

#define MAX_PAIRS 10     /* three are operations of heaps; the rest is the way of a child, and 200 bytes of memory */
#define MAX_PAIRS_FAR 30 /* streams that are shared, and nested kernels: their children are far apart in memory */
#define MAX_LIVE_BYTES 300
#define REPEATS 3 /* the fastest counts, as other programs share the caches */

static int failed;

static void claim(const char *name, double value, double limit, const char *unit)
{
    bool ok = value <= limit;
    failed += !ok;
    printf("%-55s %10.3f  at most %-7g %-6s %s\n", name, value, limit, unit, ok ? "ok" : "MISSED");
}

/* Of this process, so that others on the machine count less. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void die(const gcast_error *err)
{
    fprintf(stderr, "bench_launches: %s %s\n", err->message, err->path);
    exit(1);
}

/* A plain binary heap, as bench_engine measures it. */
static double pair_ns(size_t live)
{
    typedef struct item {
        int64_t time;
        uint64_t payload;
    } item;
    item *h = calloc(live + 1, sizeof *h);
    const size_t pairs = 2000000;
    uint64_t seed = 88172645463325252u, sum = 0;
    for (size_t i = 0; i < live; i++) /* ascending times are a heap */
        h[i].time = (int64_t)i * 25;
    int64_t start = cpu_ns();
    for (size_t p = 0; p < pairs; p++) {
        item top = h[0], last = h[live - 1];
        size_t n = live - 1, i = 0, child;
        while ((child = 2 * i + 1) < n) {
            child += child + 1 < n && h[child + 1].time < h[child].time;
            if (last.time <= h[child].time)
                break;
            h[i] = h[child];
            i = child;
        }
        h[i] = last;
        sum += top.payload;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        top.time += 1000 + (int64_t)((seed >> 32) % 100000);
        for (i = n; i && h[(i - 1) / 2].time > top.time; i = (i - 1) / 2)
            h[i] = h[(i - 1) / 2];
        h[i] = top;
    }
    double ns = (double)(cpu_ns() - start) / (double)pairs;
    free(h);
    return ns + (double)(sum & 1) * 1e-9;
}

/* How children are launched. */
typedef struct launch_case {
    const char *name;
    gcast_child_stream stream;
    gcast_spawn_policy policy;
    int64_t min_ns, max_ns; /* of a child's block */
    bool nested;            /* each child launches one */
    int level;              /* 0: children wait for all blocks of their parent; 1: they go before them */
    bool limited;           /* pool, hardware queues, and times between launches, as the GPU has them */
} launch_case;

/* Each thread of a kernel of 256 threads per block launches one child of 32 threads. */
static double simulate(const gcast_gpu *given, const launch_case *c, uint32_t children, gcast_launch_stats *stats)
{
    gcast_error err;
    gcast_workload *w;
    gcast_gpu *gpu;
    gcast_run *run;
    gcast_launches launches = gcast_launches_default(), below = launches;
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL), child = op, grandchild;
    if (gcast_gpu_copy(given, &gpu, &err) != GCAST_OK)
        die(&err);
    gpu->child_level = c->level;
    if (!c->limited)
        gpu->child_pool = gpu->child_queues = gpu->limits.resident_grids = 0;
    if (!c->limited)
        gpu->child_service_ns = gpu->child_call_service_ns = gpu->child_end_ns = 0;
    op.label = "parent";
    op.grid[0] = children / 256 / (c->nested ? 2 : 1);
    op.block[0] = 256;
    op.min_ns = op.max_ns = 20000;
    child.label = "child";
    child.block[0] = 32;
    child.min_ns = c->min_ns;
    child.max_ns = c->max_ns;
    grandchild = child;
    below.items_each = launches.items_each = 1;
    launches.stream = c->stream;
    below.policy = launches.policy = c->policy;
    below.child = &grandchild;
    launches.child = &child;
    if (c->nested)
        child.launches = &below;
    op.launches = &launches;
    if (gcast_workload_create("bench", &w, &err) != GCAST_OK ||
        gcast_workload_get_stream(w, 1, &op.stream, &err) != GCAST_OK ||
        gcast_workload_add_op(w, &op, NULL, &err) != GCAST_OK)
        die(&err);
    gcast_simulate_options options = gcast_simulate_options_default();
    options.durations = GCAST_DURATIONS_RANDOM;
    int64_t start = cpu_ns();
    if (gcast_workload_simulate(w, gpu, &options, &run, &err) != GCAST_OK)
        die(&err);
    double elapsed = (double)(cpu_ns() - start);
    *stats = *run->launches;
    gcast_run_free(run);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
    return elapsed;
}

static double peak_bytes(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)r.ru_maxrss * 1024;
}

/* In a process of its own, so that memory is that of this case alone. */
static void bench(const gcast_gpu *gpu, const launch_case *c, uint32_t children, double pair)
{
    fflush(stdout);
    pid_t child = fork();
    if (child > 0) {
        int status = 1;
        waitpid(child, &status, 0);
        failed += status != 0;
        return;
    }
    gcast_launch_stats stats;
    char name[96];
    double before = peak_bytes(), ns = simulate(gpu, c, children, &stats);
    for (int i = 1; i < REPEATS; i++) {
        double again = simulate(gpu, c, children, &stats);
        ns = again < ns ? again : ns;
    }
    double per_child = ns / (double)children;
    double bytes = stats.max_live ? (peak_bytes() - before) / (double)stats.max_live : 0;
    printf("   (%s: %llu children, %llu live, %.2f s, %.0f ns a launcher)\n", c->name,
           (unsigned long long)stats.children, (unsigned long long)stats.max_live, ns / 1e9, per_child);
    snprintf(name, sizeof name, "launcher with a child of one block, %s", c->name);
    claim(name, per_child / pair, c->nested || c->stream ? MAX_PAIRS_FAR : MAX_PAIRS, "pairs");
    if (stats.max_live > 100000) {
        snprintf(name, sizeof name, "live child, %s", c->name);
        claim(name, bytes, MAX_LIVE_BYTES, "B");
    } else {
        printf("   (%.1f MB in all)\n", (peak_bytes() - before) / 1e6);
    }
    fflush(stdout);
    _Exit(failed > 0);
}

int main(int argc, char **argv)
{
    static const launch_case cases[] = {
        {"equal durations", GCAST_CHILD_STREAM_OWN, GCAST_SPAWN_ALWAYS, 10000, 10000, false, 0, false},
        {"own durations", GCAST_CHILD_STREAM_OWN, GCAST_SPAWN_ALWAYS, 5000, 15000, false, 0, false},
        {"before the parent", GCAST_CHILD_STREAM_OWN, GCAST_SPAWN_ALWAYS, 5000, 15000, false, 1, false},
        {"streams of blocks", GCAST_CHILD_STREAM_BLOCK, GCAST_SPAWN_ALWAYS, 5000, 15000, false, 1, false},
        {"nested", GCAST_CHILD_STREAM_OWN, GCAST_SPAWN_ALWAYS, 5000, 15000, true, 1, false},
        {"SPAWN", GCAST_CHILD_STREAM_OWN, GCAST_SPAWN_SPAWN, 5000, 15000, false, 1, false},
        {"limits of the GPU", GCAST_CHILD_STREAM_OWN, GCAST_SPAWN_ALWAYS, 5000, 15000, false, 1, true},
    };
    uint32_t children = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    gcast_gpu *gpu;
    gcast_error err;
    if (gcast_gpu_preset("h200", &gpu, &err) != GCAST_OK)
        die(&err);
    if (children < 512)
        return 2;
    double pair = pair_ns((size_t)gpu->sms * 32);
    printf("   (a pair: %.1f ns)\n", pair);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        bench(gpu, &cases[i], children, pair);
    gcast_gpu_free(gpu);
    return failed > 0;
}
