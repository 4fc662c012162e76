/* CUPTI's activity records: which kinds are asked for, and the buffers that they come in. */
#ifndef RECORD_ACTIVITY_H
#define RECORD_ACTIVITY_H

#include "record/recorder.h"

/* Starts the recording of all kinds. False: CUPTI refused one that must be there; nothing is left on. *result says why,
 * and *call which call failed. */
bool activity_start(recorder *s, const char **call, CUptiResult *result);
/* From now on, a thread of its own asks CUPTI once a second for what it has. */
void activity_flush_often(recorder *s);
/* The last: ends that thread, and asks for all that there is. */
void activity_flush(recorder *s);
/* A note in the file. */
void put_note(recorder *s, recorded_note code, int64_t number, const char *words);
/* A note that a call of CUPTI failed. */
void put_failure(recorder *s, recorded_note code, const char *call, CUptiResult result);

#endif
