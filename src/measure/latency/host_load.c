#define _GNU_SOURCE /* sched_getaffinity */
#include "measure/latency/host_load.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/minmax.h"

#define NAP_NS 50000     /* between two looks of a thread that sleeps */
#define SETTLE_NS 500000 /* in which all threads see a change */
#define MAX_THREADS 1024

static void sleep_ns(long ns)
{
    nanosleep(&(struct timespec){0, ns}, NULL);
}

static void *load_thread(void *data)
{
    host_load *h = data;
    while (!h->ended)
        if (!h->spinning)
            sleep_ns(NAP_NS);
    return NULL;
}

/* The cores that the container's quota of processor time is worth, less one for what else it runs; INT_MAX: it has no
 * quota. Threads beyond the quota would be stopped for milliseconds, which says nothing about the GPU. */
static int quota_cores(void)
{
    long long quota = 0, period = 0;
    FILE *in = fopen("/sys/fs/cgroup/cpu.max", "r");
    int read = in ? fscanf(in, "%lld %lld", &quota, &period) : 0;
    if (in)
        fclose(in);
    return read == 2 && quota > 0 && period > 0 ? (int)max_i64(min_i64(quota / period, MAX_THREADS) - 1, 1)
                                                : MAX_THREADS;
}

/* Those that this process may use. */
static int usable_cores(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)online;
    return min_int(allowed, quota_cores());
}

gcast_status host_load_start(host_load *h, gcast_error *err)
{
    int wanted = min_int(usable_cores() - 1, MAX_THREADS);
    h->threads = calloc((size_t)max_int(wanted, 1), sizeof *h->threads);
    if (!h->threads)
        return gcast_error_set_memory(err);
    while (h->count < wanted) {
        if (pthread_create(&h->threads[h->count], NULL, load_thread, h) != 0)
            return gcast_error_set(err, GCAST_RESOURCE, NULL, "a thread that keeps the host busy cannot be made");
        h->count++;
    }
    return GCAST_OK;
}

void host_load_set(host_load *h, bool spinning)
{
    if (h->spinning == spinning)
        return;
    h->spinning = spinning;
    sleep_ns(SETTLE_NS);
}

void host_load_stop(host_load *h)
{
    h->ended = true;
    for (int i = 0; i < h->count; i++)
        pthread_join(h->threads[i], NULL);
    free(h->threads);
    h->threads = NULL;
    h->count = 0;
}
