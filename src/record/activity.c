#include "record/activity.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record/records.h"

#define BUFFER_SIZE ((size_t)2 << 20)
#define FLUSH_PERIOD_S 1 /* a program that is killed may lose the records of this time */

static recorder *of_process; /* CUPTI's callbacks for buffers have no user data */

/* Kinds of records: number, function that takes them, is recording impossible without them? */
static const struct {
    int kind;
    void (*take)(recorder *s, const void *record);
    bool needed;
} kinds[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, take_kernel, true},
    {CUPTI_ACTIVITY_KIND_RUNTIME, take_call, true},
    {CUPTI_ACTIVITY_KIND_DRIVER, take_call, true},
    {CUPTI_ACTIVITY_KIND_MEMCPY, take_copy, true},
    {CUPTI_ACTIVITY_KIND_MEMSET, take_memset, true},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, take_peer_copy, false},
    {CUPTI_ACTIVITY_KIND_DEVICE, take_device, false},
    {CUPTI_ACTIVITY_KIND_CONTEXT, take_context, false},
    {CUPTI_ACTIVITY_KIND_STREAM, take_stream, false},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, take_event, false},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, take_sync, false},
    {CUPTI_ACTIVITY_KIND_MARKER, take_marker, false},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, take_overhead, false},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

void put_note(recorder *s, recorded_note code, int64_t number, const char *words)
{
    const int64_t f[NOTE_COUNT] = {[NOTE_CODE] = code, [NOTE_NUMBER] = number};
    raw_put(&s->file, RECORDED_NOTE, f, NOTE_COUNT, words, strlen(words));
}

void put_failure(recorder *s, recorded_note code, const char *call, CUptiResult result)
{
    const char *reason = NULL;
    char words[256];
    if (!s->cupti.cuptiGetResultString || s->cupti.cuptiGetResultString(result, &reason) != CUPTI_SUCCESS)
        reason = NULL;
    snprintf(words, sizeof words, "%s: %s (%d)", call, reason ? reason : "failed", result);
    put_note(s, code, 1, words);
}

static void take(recorder *s, const uint8_t *record)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    if (kind == CUPTI_ACTIVITY_KIND_KERNEL)
        kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    for (size_t i = 0; i < KINDS; i++)
        if ((uint32_t)kinds[i].kind == kind)
            kinds[i].take(s, record);
}

static void on_requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
    recorder *s = of_process;
    *max_records = 0;
    *buffer = NULL;
    pthread_mutex_lock(&s->spare_lock);
    if (s->spare_count)
        *buffer = s->spare[--s->spare_count];
    pthread_mutex_unlock(&s->spare_lock);
    if (!*buffer)
        *buffer = malloc(BUFFER_SIZE);
    *size = *buffer ? BUFFER_SIZE : 0;
}

static void give_back(recorder *s, uint8_t *buffer)
{
    pthread_mutex_lock(&s->spare_lock);
    if (buffer && s->spare_count < SPARE_BUFFERS) {
        s->spare[s->spare_count++] = buffer;
        buffer = NULL;
    }
    pthread_mutex_unlock(&s->spare_lock);
    free(buffer);
}

static void on_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size)
{
    recorder *s = of_process;
    const uint8_t *record = NULL;
    size_t dropped = 0;
    (void)size;
    pthread_mutex_lock(&s->lock);
    while (valid_size && s->cupti.cuptiActivityGetNextRecord(buffer, valid_size, &record) == CUPTI_SUCCESS)
        take(s, record);
    pthread_mutex_unlock(&s->lock);
    if (s->cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped)
        put_note(s, RECORDED_NOTE_DROPPED, (int64_t)dropped, "");
    raw_flush(&s->file);
    give_back(s, buffer);
}

static void disable_first(recorder *s, size_t count)
{
    for (size_t i = 0; i < count; i++)
        s->cupti.cuptiActivityDisable(kinds[i].kind);
}

bool activity_start(recorder *s, const char **call, CUptiResult *result)
{
    const cupti *c = &s->cupti;
    of_process = s;
    *call = "cuptiActivityRegisterCallbacks";
    *result = c->cuptiActivityRegisterCallbacks(on_requested, on_completed);
    if (*result != CUPTI_SUCCESS)
        return false;
    if (c->cuptiSetThreadIdType)
        c->cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    *call = "cuptiActivityEnable";
    for (size_t i = 0; i < KINDS; i++) {
        *result = c->cuptiActivityEnable(kinds[i].kind);
        if (*result == CUPTI_SUCCESS)
            continue;
        if (kinds[i].needed) {
            disable_first(s, i);
            return false;
        }
        put_failure(s, RECORDED_NOTE_WITHOUT, "cuptiActivityEnable", *result);
    }
    return true;
}

/* CUPTI's own periodic flush hands out full buffers only. */
static void *flush_often(void *data)
{
    recorder *s = data;
    pthread_mutex_lock(&s->flush_lock);
    while (!s->ends) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += FLUSH_PERIOD_S;
        pthread_cond_timedwait(&s->flush_wake, &s->flush_lock, &until);
        if (s->ends)
            break;
        pthread_mutex_unlock(&s->flush_lock);
        s->cupti.cuptiActivityFlushAll(0);
        raw_flush(&s->file);
        pthread_mutex_lock(&s->flush_lock);
    }
    pthread_mutex_unlock(&s->flush_lock);
    return NULL;
}

void activity_flush_often(recorder *s)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's own threads must get its signals */
    s->flushes = pthread_create(&s->flusher, NULL, flush_often, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void activity_flush(recorder *s)
{
    pthread_mutex_lock(&s->flush_lock);
    s->ends = true;
    pthread_cond_signal(&s->flush_wake);
    pthread_mutex_unlock(&s->flush_lock);
    if (s->flushes)
        pthread_join(s->flusher, NULL);
    s->cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}
