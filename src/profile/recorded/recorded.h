/* Reads recordings of `gridcast record` (gridcast.record/1, recorded_format.h). */
#ifndef PROFILE_RECORDED_RECORDED_H
#define PROFILE_RECORDED_RECORDED_H

#include "profile/reading.h"
#include "profile/trace.h"

/* A node of a CUDA graph. */
typedef struct recorded_node {
    int64_t pid;    /* its process */
    int64_t node;   /* its number, as `node` of operations */
    int64_t graph;  /* number of its graph; 0: unknown */
    int64_t type;   /* CUgraphNodeType: 0 kernel, 1 copy, 2 memset, 3 host, 4 graph, 5 empty, ... */
    int64_t origin; /* the node from which it was cloned, as in executable graphs; 0: the program made it */
} recorded_node;

/* An edge: `node` waits for `before`. */
typedef struct recorded_edge {
    int64_t pid;
    int64_t graph; /* 0: unknown */
    int64_t before, node;
    int64_t port; /* CUgraphKernelNodePort: 1 programmatic, 2 launch completion; 0: full, or unknown */
} recorded_edge;

/* Attributes of a launch. */
typedef struct recorded_launch {
    int64_t pid;
    int64_t correlation; /* correlation of its call */
    bool is_cooperative;
    bool is_programmatic; /* it may start before its predecessor in the stream has ended */
    bool has_event;       /* it has an event that fires before its end */
    bool has_priority;    /* `priority` is set */
    int priority;         /* as in CUDA: lower numbers first */
    uint32_t cluster[3];  /* 0: not given */
} recorded_launch;

/* Contents of a recording that a trace does not hold in this form. */
typedef struct recorded_extras {
    recorded_node *nodes; /* by process and number */
    size_t node_count;
    recorded_edge *edges; /* by process and `node`, without removed edges */
    size_t edge_count;
    recorded_launch *launches; /* by process and correlation */
    size_t launch_count;
} recorded_extras;

void recorded_extras_free(recorded_extras *e);
/* Follows clones back to the node that the program made; `node` itself if it is no clone. */
int64_t recorded_origin(const recorded_extras *e, int64_t pid, int64_t node);

/* Is the file a recording? False for files that cannot be read, and for "-", standard input. */
bool recorded_is_file(const char *path);
/* *t is NULL where this fails. */
gcast_status recorded_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err);
/* Reads files of several processes as one trace with the name `source`. `extras` may be NULL. */
gcast_status recorded_read_files(const char *source, const char *const *paths, size_t count,
                                 const prof_read_options *options, prof_trace **t, recorded_extras *extras,
                                 gcast_error *err);
/* Reads a recording in memory. `extras` may be NULL. */
gcast_status recorded_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t,
                                  recorded_extras *extras, gcast_error *err);

#endif
