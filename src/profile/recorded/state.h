/* A recording while it is read. */
#ifndef PROFILE_RECORDED_STATE_H
#define PROFILE_RECORDED_STATE_H

#include "base/index.h"
#include "base/vec.h"
#include "profile/recorded/frames.h"
#include "profile/recorded/recorded.h"

#define RECORDED_MAX_CONTEXTS 256 /* of a process; of streams in further ones nothing is told */
#define RECORDED_MAX_DEVICES 64

/* A context of CUDA and its GPU. */
typedef struct recorded_context {
    int64_t context, device;
} recorded_context;

/* A stream of which something is told. */
typedef struct recorded_stream {
    int64_t context, number;
    prof_stream told;
} recorded_stream;

/* An event that was recorded, or that was waited for. */
typedef struct recorded_event {
    int64_t context, stream; /* stream PROF_UNKNOWN: of no stream */
    int64_t correlation;     /* of the call */
    int64_t event;           /* number of the event; PROF_UNKNOWN: of none */
    int64_t record;          /* number of this record of it; PROF_UNKNOWN: not told */
} recorded_event;

/* The begin or the end of a range. */
typedef struct recorded_marker {
    int64_t flags, time_ns, id;
    int64_t thread; /* of the operating system; PROF_UNKNOWN: of none */
    const char *name;
} recorded_marker;

/* When a node was first cloned, or a graph became executable: edges that are removed later count. */
typedef struct recorded_use {
    int64_t pid, number; /* of the node, or of the graph */
    bool is_graph;
    uint64_t frame; /* how many frames came before */
} recorded_use;

/* An edge that was removed. */
typedef struct recorded_removal {
    recorded_edge edge;
    uint64_t frame; /* how many frames came before */
} recorded_removal;

/* What one process recorded, kept until its last frame, as frames come in any order. */
typedef struct recorded_process {
    int64_t pid;             /* made unique, where a process executed another program */
    VEC(const char *) texts; /* text of number i + 1; NULL: not there */
    VEC(recorded_context) contexts;
    VEC(recorded_stream) streams;
    VEC(prof_call) calls;
    VEC(prof_op) ops;
    VEC(recorded_event) records; /* of events */
    VEC(recorded_event) syncs;
    VEC(recorded_marker) markers;
    size_t first_launch; /* index in launches of the recording of its first */
    bool has_ended;      /* it has its END */
} recorded_process;

typedef struct recording {
    prof_trace *trace;
    recorded_process process; /* that is being read */
    bool in_process;          /* there is one */
    VEC(int64_t) pids;        /* that were seen */
    VEC(int64_t) devices;     /* GPUs that were added */
    VEC(recorded_node) nodes;
    VEC(recorded_edge) edges;
    VEC(recorded_removal) removed;
    VEC(recorded_use) uses;
    uint64_t frame_count; /* that were read */
    VEC(recorded_launch) launches;
    uint64_t op_count;     /* of all processes */
    bool any_time;         /* `first_ns` is set */
    int64_t first_ns;      /* the least start */
    int64_t version;       /* of CUPTI; RECORDED_UNKNOWN */
    int64_t note;          /* why nothing was recorded (recorded_note); 0: it was */
    const char *note_text; /* what was said about that */
} recording;

/* All of these are false without memory. */
bool take_op_frame(recording *r, const frame *f);    /* KERNEL, COPY, MEMSET */
bool take_host_frame(recording *r, const frame *f);  /* what hosts did, and with what */
bool take_graph_frame(recording *r, const frame *f); /* LAUNCH, NODE, EDGE, EXEC */
/* The text of a number; NULL: there is none. */
const char *recorded_text(const recording *r, int64_t number);
/* A context of CUDA is on this GPU. */
bool recorded_add_context(recorded_process *p, recorded_context c);
/* A field that cannot be negative; PROF_UNKNOWN where it is, or is not told. */
int64_t recorded_number(const frame *f, size_t field);
/* Is this a time? Notes the least. */
bool recorded_times(recording *r, int64_t start_ns, int64_t end_ns);
/* Ranges of the process. */
bool recorded_add_ranges(recording *r);
/* All of a process is read: to the trace with it. */
bool recorded_process_end(recording *r);
void recorded_process_free(recorded_process *p);
/* Nodes, edges and launches of all processes are there: sorts them, and leaves out edges that were removed. */
void recorded_settle(recording *r);
/* Nodes and edges, to the trace with them. */
bool recorded_tell_graphs(recording *r);
/* Hands over nodes, edges and launches. */
void recorded_extras_take(recording *r, recorded_extras *e);

#endif
