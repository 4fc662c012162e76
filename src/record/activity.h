/* CUPTI's activity records: the kinds that are enabled, and the buffers in which they arrive. */
#ifndef RECORD_ACTIVITY_H
#define RECORD_ACTIVITY_H

#include "record/recorder.h"

/* Enables all kinds. False: CUPTI refused a kind that is needed, and none is enabled; *call failed with *result. */
bool activity_start(recorder *s, const char **call, CUptiResult *result);
/* Starts a thread that fetches records from CUPTI once a second. */
void activity_flush_often(recorder *s);
/* Ends that thread, and fetches all remaining records. */
void activity_flush(recorder *s);
/* Puts a note into the file. */
void put_note(recorder *s, recorded_note code, int64_t number, const char *words);
/* Puts a note that a call of CUPTI failed. */
void put_failure(recorder *s, recorded_note code, const char *call, CUptiResult result);

#endif
