/* A recording that is being read. Frames of a process come in any order: they are kept, and its end adds them to the
 * trace. */
#ifndef PROFILE_RECORDED_RECORDED_PROCESS_H
#define PROFILE_RECORDED_RECORDED_PROCESS_H

#include "base/index.h"
#include "base/vec.h"
#include "profile/recorded/frames.h"
#include "profile/recorded/recorded.h"

#define RECORDED_MAX_CONTEXTS 256 /* of a process; streams of further contexts get no kind and priority */
#define RECORDED_MAX_DEVICES 64

/* A CUDA context and its GPU. */
typedef struct recorded_context {
    int64_t context, device;
} recorded_context;

/* The kind and priority of a stream. */
typedef struct recorded_stream {
    int64_t context, number;
    prof_stream told;
} recorded_stream;

/* A record of an event, or a wait. */
typedef struct recorded_event {
    int64_t context, stream; /* stream PROF_UNKNOWN: no stream */
    int64_t correlation;     /* correlation of the call */
    int64_t event;           /* number of the event; PROF_UNKNOWN: no event */
    int64_t record;          /* number of this record of the event; PROF_UNKNOWN: unknown */
} recorded_event;

/* The begin or the end of an NVTX range. */
typedef struct recorded_marker {
    int64_t flags, time_ns, id;
    int64_t thread; /* the operating system's number; PROF_UNKNOWN: no thread */
    const char *name;
} recorded_marker;

/* A node was cloned, or a graph became executable: removing edges from the original afterwards changes nothing. */
typedef struct recorded_use {
    int64_t pid, number; /* process and number of the node or graph */
    bool is_graph;
    uint64_t frame; /* number of frames before it */
} recorded_use;

/* An edge that was removed. */
typedef struct recorded_removal {
    recorded_edge edge;
    uint64_t frame; /* number of frames before it */
} recorded_removal;

/* The frames of one process. */
typedef struct recorded_process {
    int64_t pid;             /* made unique if a process executed another program */
    VEC(const char *) texts; /* the text with number i + 1; NULL: missing */
    VEC(recorded_context) contexts;
    VEC(recorded_stream) streams;
    VEC(prof_call) calls;
    VEC(prof_op) ops;
    VEC(recorded_event) records; /* records of events */
    VEC(recorded_event) syncs;   /* waits */
    VEC(recorded_marker) markers;
    size_t first_launch; /* index in the recording's launches[] */
    bool has_ended;      /* it has its END */
} recorded_process;

typedef struct recording {
    prof_trace *trace;
    recorded_process process; /* the process that is being read */
    bool in_process;          /* there is one */
    VEC(int64_t) pids;        /* processes so far */
    VEC(int64_t) devices;     /* GPUs that were added */
    VEC(recorded_node) nodes;
    VEC(recorded_edge) edges;
    VEC(recorded_removal) removed;
    VEC(recorded_use) uses;
    VEC(recorded_launch) launches;
    uint64_t frame_count;  /* frames so far */
    uint64_t op_count;     /* operations of all processes */
    bool any_time;         /* `first_ns` is set */
    int64_t first_ns;      /* the earliest start */
    int64_t version;       /* of CUPTI; RECORDED_UNKNOWN */
    int64_t note;          /* why nothing was recorded (recorded_note); 0: something was */
    const char *note_text; /* text of that note */
} recording;

/* All of these are false without memory. */
bool take_op_frame(recording *r, const frame *f);   /* KERNEL, COPY, MEMSET */
bool take_host_frame(recording *r, const frame *f); /* calls, events, waits, ranges, threads, GPUs, contexts, streams */

/* A field; PROF_UNKNOWN if it is negative or missing. */
int64_t recorded_number(const frame *f, size_t field);

/* Ends a process: adds its frames to the trace. False without memory. */
bool recorded_process_end(recording *r);
void recorded_process_free(recorded_process *p);

#endif
