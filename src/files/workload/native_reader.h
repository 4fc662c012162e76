/* Shared by the files that read gridcast.workload/1: the state of the reader, and values of kernels and children. */
#ifndef FILES_WORKLOAD_NATIVE_READER_H
#define FILES_WORKLOAD_NATIVE_READER_H

#include "base/arena.h"
#include "base/index.h"
#include "files/document.h"
#include "files/workload/launch_items.h"
#include "gridcast/workload.h"

/* Defines a NULL-terminated list with the names of a table. X must be defined. */
#define NAMES(list, table) static const char *const list[] = {table(X) NULL}

/* The index of a name in a list. If the key is absent, `missing`, or an error if that is negative. */
int native_choice(const node *object, const char *key, const char *const *names, int missing);
/* Reads one to three numbers whose product must be below `limit`; `unit` is for the error. */
void native_dimensions(const node *object, const char *key, uint64_t limit, const char *unit, uint32_t out[3]);
/* Reads duration_ns if it is given. */
void native_duration(const node *object, gcast_op *op);
/* Reads the block of a kernel, and the resources that it needs of an SM. */
void native_shape(const node *n, gcast_op *op);

typedef struct native_reader {
    document doc;        /* the file, and the first error */
    gcast_workload *w;   /* the workload so far */
    hash_index labels;   /* finds ops of w by label */
    hash_index hosts;    /* finds hosts of w by name */
    bool streams_listed; /* the file lists streams: ops may use no others */
    bool has_after;      /* some op has `after` or `waits_for` */
    hash_index graphs;   /* finds launches of graphs by name */
    uint64_t jobs;       /* jobs of all plans so far: a few bytes of a file may stand for many */
    node root;           /* root of the file */
    node children;       /* /children; without a value: the file has none */
    hash_index names;    /* finds children by label */
    arena launches;      /* holds the launches of the current op */
    uint64_t launchers;  /* launchers of generators and nested levels so far: a few bytes may stand for many */
    power_law power;     /* the distribution that was used last */
} native_reader;

#endif
