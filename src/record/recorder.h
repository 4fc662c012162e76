/* The recorder of a process: CUPTI, the file, and the names that are in it already. */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include <pthread.h>
#include <stdbool.h>

#include "record/cupti.h"
#include "record/raw_file.h"

#define MAX_CALL_NAMES 4096 /* functions of the runtime, and of the driver */
#define MAX_THREADS 1024    /* further threads have no names */
#define SPARE_BUFFERS 8

typedef struct recorder {
    cupti cupti;
    raw_file file;
    pthread_mutex_t lock; /* protects the fields up to spare_lock: one buffer of CUPTI is processed at a time */
    texts texts;
    uint32_t call_names[2][MAX_CALL_NAMES]; /* text number of a function, by domain and number; 0: unknown yet */
    uint32_t threads[MAX_THREADS];          /* threads whose names are in the file */
    size_t thread_count;
    void *subscriber;              /* of callbacks; NULL: none */
    pthread_mutex_t spare_lock;    /* separate, as CUPTI may hold locks of its own when it requests a buffer */
    uint8_t *spare[SPARE_BUFFERS]; /* unused buffers */
    size_t spare_count;
    pthread_t flusher; /* thread that fetches records now and then */
    bool flushes;      /* there is such a thread */
    pthread_mutex_t flush_lock;
    pthread_cond_t flush_wake;
    bool ends; /* the thread is to end */
} recorder;

/* Each of these puts one of CUPTI's records into the file as a frame. */
void take_kernel(recorder *s, const void *record);
void take_copy(recorder *s, const void *record);
void take_peer_copy(recorder *s, const void *record);
void take_memset(recorder *s, const void *record);
void take_call(recorder *s, const void *record);
void take_event(recorder *s, const void *record);
void take_sync(recorder *s, const void *record);
void take_stream(recorder *s, const void *record);
void take_context(recorder *s, const void *record);
void take_device(recorder *s, const void *record);
void take_marker(recorder *s, const void *record);
void take_overhead(recorder *s, const void *record);

#endif
