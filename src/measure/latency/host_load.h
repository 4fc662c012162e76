/* Threads that keep the host's cores busy. */
#ifndef MEASURE_LATENCY_HOST_LOAD_H
#define MEASURE_LATENCY_HOST_LOAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "gridcast/error.h"

typedef struct host_load {
    pthread_t *threads;    /* one for every core but one */
    int count;             /* of these */
    _Atomic bool spinning; /* the threads spin; else they sleep */
    _Atomic bool ended;    /* the threads end */
} host_load;

/* Starts the threads, which sleep at first. */
gcast_status host_load_start(host_load *h, gcast_error *err);
/* Lets the threads spin or sleep, and waits until they do. */
void host_load_set(host_load *h, bool spinning);
/* Ends the threads. Fine also where none was started. */
void host_load_stop(host_load *h);

#endif
