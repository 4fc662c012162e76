/* What records a process: CUPTI, the file, and what was told already. */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include <pthread.h>
#include <stdbool.h>

#include "record/cupti.h"
#include "record/raw_file.h"
#include "record/texts.h"

#define MAX_CALL_NAMES 4096 /* functions of the runtime, and of the driver */
#define MAX_THREADS 1024    /* whose names are told */
#define SPARE_BUFFERS 8

typedef struct recorder {
    cupti cupti;
    raw_file file;
    pthread_mutex_t lock; /* of all that follows: one buffer of CUPTI is taken at a time */
    texts texts;
    uint32_t call_names[2][MAX_CALL_NAMES]; /* text of a function, by domain and number; 0: not asked for */
    uint32_t threads[MAX_THREADS];          /* that were told */
    size_t thread_count;
    void *subscriber;              /* of callbacks; NULL: none */
    pthread_mutex_t spare_lock;    /* of what follows; CUPTI may hold locks of its own when it asks for a buffer */
    uint8_t *spare[SPARE_BUFFERS]; /* buffers for CUPTI */
    size_t spare_count;
    pthread_t flusher; /* hands out records now and then, if there is one */
    bool flushes;
    pthread_mutex_t flush_lock; /* of what follows */
    pthread_cond_t flush_wake;
    bool ends; /* so does the thread */
} recorder;

/* One of CUPTI's records as a frame, by its kind. */
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
