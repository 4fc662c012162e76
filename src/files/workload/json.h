/* The reader of gridcast.workload/1, shared by its files. */
#ifndef FILES_WORKLOAD_JSON_H
#define FILES_WORKLOAD_JSON_H

#include "base/index.h"
#include "files/json/object.h"
#include "gridcast/workload.h"

#define WORKLOAD_SCHEMA "gridcast.workload/1"

typedef struct native_reader {
    document doc;
    gcast_workload *w;
    hash_index labels, hosts; /* ops and hosts by name */
    bool streams_listed;      /* then ops may use no others */
} native_reader;

/* One element of /ops, or with task >= 0 of /tasks/N/ops. */
void native_op(native_reader *r, const node *n, int task);
/* The index of the stream that a key names. */
int native_stream(native_reader *r, const node *object, const char *key);

#endif
