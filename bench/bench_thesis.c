/* The thesis' figures 3.11 to 3.13 again: what algorithm 2 costs by the number of
 * kernels, the slots and the blocks of a kernel. Prints the passes through its loop, the
 * thesis' estimate n g / g_max of them, and the time; the middle of many random sets. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gridcast/gridcast.h"
#include "papers/thesis/thesis.h"

#define SETS 401
#define MAX_KERNELS 20

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double middle(double *values)
{
    qsort(values, SETS, sizeof *values, by_value);
    return values[SETS / 2];
}

/* C uniform in 20 to 100, g in 2 to max_blocks. */
static uint64_t draw(gcast_thesis_kernel *kernels, size_t count, uint64_t max_blocks, uint64_t *seed)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < count; i++) {
        kernels[i].execution_ns = 20 + (int64_t)(next_random(seed) % 81);
        kernels[i].blocks = 2 + next_random(seed) % (max_blocks - 1);
        kernels[i].release_ns = 0;
        blocks += kernels[i].blocks;
    }
    return blocks;
}

static void row(const char *figure, uint32_t slots, uint64_t max_blocks, size_t count, double thesis_s)
{
    static double passes[SETS], estimates[SETS], times[SETS];
    gcast_thesis_kernel kernels[MAX_KERNELS];
    gcast_thesis_pool pool = {.slots = slots};
    int64_t completions[MAX_KERNELS];
    uint64_t seed = 88172645463325252u, taken;
    gcast_error err;
    for (int set = 0; set < SETS; set++) {
        estimates[set] = (double)draw(kernels, count, max_blocks, &seed) / slots;
        double start = now_us();
        if (gcast_thesis_completions(&pool, kernels, count, NULL, completions, &taken, &err) != GCAST_OK)
            exit(1);
        times[set] = now_us() - start;
        passes[set] = (double)taken;
    }
    printf("%-6s %7zu %6u %7llu %8.0f %10.1f %9.2f", figure, count, slots, (unsigned long long)max_blocks,
           middle(passes), middle(estimates), middle(times));
    if (thesis_s > 0)
        printf(" %10.0f", thesis_s * 1e6);
    printf("\n");
}

int main(void)
{
    printf("figure kernels  g_max  g up to  passes  n g/g_max    us here  us there\n");
    for (size_t n = 5; n <= MAX_KERNELS; n += 5)
        row("3.11", 10, 100, n, n == MAX_KERNELS ? 0.25 : 0);
    for (size_t n = 5; n <= MAX_KERNELS; n += 5)
        row("3.11", 30, 100, n, n == MAX_KERNELS ? 0.15 : 0);
    const double slots_s[] = {0.97, 0.44, 0.16, 0.10, 0.05}, blocks_s[] = {0.010, 0.022, 0.05, 0.104};
    for (int i = 0; i < 5; i++)
        row("3.12", 8u << i, 200, MAX_KERNELS, slots_s[i]);
    const uint64_t max_blocks[] = {10, 25, 50, 100};
    for (int i = 0; i < 4; i++)
        row("3.13", 32, max_blocks[i], MAX_KERNELS, blocks_s[i]);
    return 0;
}
