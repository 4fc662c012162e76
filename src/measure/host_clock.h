/* The host's clock. */
#ifndef MEASURE_HOST_CLOCK_H
#define MEASURE_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t host_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
