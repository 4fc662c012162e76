/* Events of a Chrome trace, as Perfetto's importer reads them: times in
 * microseconds with three decimals from integer nanoseconds, threads from 1. */
#ifndef REPORT_TRACE_EVENT_H
#define REPORT_TRACE_EVENT_H

#include "base/text/text.h"

typedef struct chrome_track {
    int pid;
    uint32_t tid; /* from 1: 0 would be taken for the process */
} chrome_track;

typedef struct chrome_events {
    text *out;
    bool any;
} chrome_events;

void chrome_open(chrome_events *e, text *out);
void chrome_close(chrome_events *e);

void chrome_process(chrome_events *e, int pid, const char *name, int sort_index);
void chrome_thread(chrome_events *e, chrome_track at, const char *name);

/* A slice: its name and category are a piece of JSON from chrome_head, its
 * arguments (without braces) are what the caller writes between the two. */
void chrome_slice(chrome_events *e, const char *head, chrome_track at, int64_t start, int64_t end);
void chrome_slice_end(chrome_events *e);
/* `"name": ..., "cat": ...`; a long label is cut. For the caller to free; NULL without memory. */
char *chrome_head(const char *label, const char *category);
/* A label as a JSON string, cut in the same way. */
void chrome_label(chrome_events *e, const char *label);
/* A point in time, open for arguments as a slice is. */
void chrome_instant(chrome_events *e, const char *head, chrome_track at, int64_t ns);

/* An arrow from a slice to another, both written just before. */
void chrome_flow(chrome_events *e, bool start, uint64_t id, chrome_track at, int64_t ns);
void chrome_counter(chrome_events *e, int pid, const char *name, int64_t ns, int64_t value);

#endif
