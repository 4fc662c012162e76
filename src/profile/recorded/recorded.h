/* Recordings of `gridcast record` (gridcast.record/1, recorded_format.h). */
#ifndef PROFILE_RECORDED_RECORDED_H
#define PROFILE_RECORDED_RECORDED_H

#include "profile/reading.h"
#include "profile/trace.h"

/* A node of a CUDA graph. */
typedef struct recorded_node {
    int64_t pid;    /* of its process */
    int64_t node;   /* its number, as `node` of operations */
    int64_t graph;  /* of the graph that it is in; 0: not told */
    int64_t type;   /* CUgraphNodeType: 0 kernel, 1 copy, 2 memset, 3 host, 4 graph, 5 empty, ... */
    int64_t origin; /* the node that it was cloned from, as the nodes of executable graphs are; 0: it was created */
} recorded_node;

/* An edge: `node` waits for `before`. */
typedef struct recorded_edge {
    int64_t pid;
    int64_t graph; /* 0: not told */
    int64_t before, node;
    int64_t port; /* CUgraphKernelNodePort: 1 programmatic, 2 launch completion; 0: full, or not known */
} recorded_edge;

/* What a launch was given beside grid and block. */
typedef struct recorded_launch {
    int64_t pid;
    int64_t correlation; /* of its call */
    bool is_cooperative;
    bool is_programmatic; /* it may start before the kernel before it in the stream has ended */
    bool has_event;       /* it has an event that is seen before its end */
    bool has_priority;    /* `priority` is told */
    int priority;         /* as in CUDA: lower numbers first */
    uint32_t cluster[3];  /* 0: not given */
} recorded_launch;

/* What a recording holds that no profile does. */
typedef struct recorded_extras {
    recorded_node *nodes; /* by process and number */
    size_t node_count;
    recorded_edge *edges; /* by process and `node`; those that were removed are not there */
    size_t edge_count;
    recorded_launch *launches; /* by process and correlation */
    size_t launch_count;
} recorded_extras;

void recorded_extras_free(recorded_extras *e);
/* The node that was made by the program, behind all clones; `node` itself where that is not told. */
int64_t recorded_origin(const recorded_extras *e, int64_t pid, int64_t node);

/* Does a file with these first bytes hold a recording? */
bool recorded_begins(const void *head, size_t size);
/* Does the file? Not where it cannot be read, nor "-", standard input. */
bool recorded_is_file(const char *path);
/* *t is NULL where this fails. */
gcast_status recorded_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err);
/* Files of several processes, as one trace with the name `source`. `extras` may be NULL. */
gcast_status recorded_read_files(const char *source, const char *const *paths, size_t count,
                                 const prof_read_options *options, prof_trace **t, recorded_extras *extras,
                                 gcast_error *err);
/* A recording from memory. `extras` may be NULL. */
gcast_status recorded_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t,
                                  recorded_extras *extras, gcast_error *err);

#endif
