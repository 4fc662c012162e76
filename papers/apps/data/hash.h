/* Hashes and random numbers in integer arithmetic: the same bits on every machine, on the CPU and on the GPU. */
#ifndef PAPERS_APPS_DATA_HASH_H
#define PAPERS_APPS_DATA_HASH_H

#include <stdint.h>

/* Marks a function that kernels call too. */
#ifdef __CUDACC__
#define APP_BOTH __host__ __device__
#else
#define APP_BOTH
#endif

/* Mixes 64 bits: the last step of splitmix64. */
APP_BOTH static inline uint64_t app_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* A hash of two numbers of 32 bits; it depends on their order. */
APP_BOTH static inline uint32_t app_hash(uint32_t a, uint32_t b)
{
    return (uint32_t)(app_mix((((uint64_t)a << 32) | b) + UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* A sequence of random numbers (splitmix64). Equal seeds give equal sequences. */
typedef struct app_random {
    uint64_t state; /* advances by a constant with every number */
} app_random;

/* The sequence of a seed; `purpose` keeps sequences of one seed apart. */
APP_BOTH static inline app_random app_random_of(uint64_t seed, uint64_t purpose)
{
    app_random r;
    r.state = app_mix(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ app_mix(purpose * UINT64_C(0xd1342543de82ef95));
    return r;
}

APP_BOTH static inline uint64_t app_random_next(app_random *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return app_mix(r->state);
}

/* A number in 0..limit-1; limit > 0. */
APP_BOTH static inline uint32_t app_random_below(app_random *r, uint32_t limit)
{
    return (uint32_t)(((app_random_next(r) >> 32) * limit) >> 32);
}

#endif
