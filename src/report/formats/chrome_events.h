/* Events of a Chrome trace, as Perfetto's importer reads them. Times are written in microseconds with three decimals,
 * and a fourth where the importer would else lose a nanosecond. */
#ifndef REPORT_FORMATS_CHROME_EVENTS_H
#define REPORT_FORMATS_CHROME_EVENTS_H

#include "base/text.h"

typedef struct chrome_track {
    int pid;      /* of the process, from 1 */
    uint32_t tid; /* of the thread, from 1; 0 stands for the process itself */
} chrome_track;

typedef struct chrome_events {
    text *out;       /* where events are written */
    bool has_events; /* an event has been written */
} chrome_events;

void chrome_open(chrome_events *e, text *out);
void chrome_close(chrome_events *e);

void chrome_process(chrome_events *e, int pid, const char *name, int sort_index);
void chrome_thread(chrome_events *e, chrome_track at, const char *name);

/* A slice. `head` is from chrome_head; the caller writes its arguments (JSON members, without braces) between the two
 * calls. */
void chrome_slice(chrome_events *e, const char *head, chrome_track at, int64_t start, int64_t end);
void chrome_slice_end(chrome_events *e);
/* `"name": ..., "cat": ...`; a long label is cut. For the caller to free; NULL without memory. */
char *chrome_head(const char *label, const char *category);
/* A label as a JSON string, cut as chrome_head cuts it. */
void chrome_label(chrome_events *e, const char *label);

/* A moment of the whole trace. */
void chrome_moment(chrome_events *e, const char *name, chrome_track at, int64_t ns);

/* The start or the end of an arrow between two slices, each written just before. */
void chrome_flow(chrome_events *e, bool start, uint64_t id, chrome_track at, int64_t ns);
void chrome_counter(chrome_events *e, int pid, const char *name, int64_t ns, int64_t value);
/* The value is in thousandths. */
void chrome_counter_milli(chrome_events *e, int pid, const char *name, int64_t ns, int64_t value);

#endif
