/* What the files that read gridcast.workload/1 share. */
#ifndef FILES_WORKLOAD_STATE_H
#define FILES_WORKLOAD_STATE_H

#include "base/arena.h"
#include "base/index.h"
#include "files/json/object.h"
#include "files/workload/launches/generator.h"
#include "gridcast/workload.h"

typedef struct native_reader {
    document doc;        /* the file, and the first error */
    gcast_workload *w;   /* what is read so far */
    hash_index labels;   /* ops of w, by their labels */
    hash_index hosts;    /* hosts of w, by their names */
    bool streams_listed; /* the file lists streams: ops may use no others */
    bool has_after;      /* some op says what it is after, or whose blocks its own wait for */
    hash_index graphs;   /* launches of graphs, by their names */
    uint64_t jobs;       /* of all plans so far: a few bytes of a file may stand for many */
    node root;           /* of the file */
    node children;       /* of the file: kernels that launches name; without a value: none */
    hash_index names;    /* children, by their labels */
    arena launches;      /* what the op that is being read launches */
    uint64_t launchers;  /* of generators and nested levels so far: a few bytes of a file may stand for many */
    power_law power;     /* the one that was used last */
} native_reader;

#endif
