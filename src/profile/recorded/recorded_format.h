/* gridcast.record/1: the format that libgridcast-record.so writes while a CUDA program runs, and `gridcast import`
 * reads. gridcast-record(1) describes it; writer and reader both use this file.
 *
 * A file consists of RECORDED_MAGIC, padded with NUL to RECORDED_MAGIC_SIZE, and frames. A frame has:
 * - a head of 8 bytes: its kind (2 bytes), the number of its fields (2 bytes), the size of its text (4 bytes);
 * - fields of 8 bytes each, signed;
 * - a text, padded with NUL to a multiple of 8.
 * All numbers are little-endian. For a reader, missing fields are RECORDED_UNKNOWN; it ignores further fields, and
 * skips frames of unknown kinds.
 *
 * A PROCESS frame begins the frames of a process; a file may hold several processes, one after the other. A truncated
 * frame at the end of the file, or a process without END, means that the program was killed. */
#ifndef PROFILE_RECORDED_RECORDED_FORMAT_H
#define PROFILE_RECORDED_RECORDED_FORMAT_H

#include <stdint.h>

#define RECORDED_MAGIC "gridcast.record/1\n"
#define RECORDED_MAGIC_SIZE 24
#define RECORDED_HEAD_SIZE 8
#define RECORDED_MAX_FIELDS 64
#define RECORDED_MAX_TEXT (1 << 20)
#define RECORDED_UNKNOWN INT64_MIN

/* Kinds of frames (identifier, number, meaning of the text), and below their fields in order. Times are nanoseconds on
 * CUPTI's clock; names are numbers of earlier TEXT frames; other numbers are CUPTI's own. */
#define RECORDED_KIND_TABLE(X)                                                                                         \
    X(PROCESS, 1, "its name")                                                                                          \
    X(TEXT, 2, "the text")                                                                                             \
    X(DEVICE, 3, "the name of the GPU")                                                                                \
    X(CONTEXT, 4, "")                                                                                                  \
    X(STREAM, 5, "")                                                                                                   \
    X(KERNEL, 6, "")                                                                                                   \
    X(COPY, 7, "")                                                                                                     \
    X(MEMSET, 8, "")                                                                                                   \
    X(CALL, 9, "")                                                                                                     \
    X(EVENT, 10, "")                                                                                                   \
    X(SYNC, 11, "")                                                                                                    \
    X(MARKER, 12, "")                                                                                                  \
    X(THREAD, 13, "its name")                                                                                          \
    X(LAUNCH, 14, "")                                                                                                  \
    X(NODE, 15, "")                                                                                                    \
    X(EDGE, 16, "")                                                                                                    \
    X(EXEC, 17, "")                                                                                                    \
    X(OVERHEAD, 18, "")                                                                                                \
    X(NOTE, 19, "what happened")                                                                                       \
    X(CUPTI, 20, "the path of libcupti")                                                                               \
    X(END, 21, "")

#define PROCESS_FIELDS(X) X(PID)
#define TEXT_FIELDS(X) X(ID)
#define DEVICE_FIELDS(X)                                                                                               \
    X(DEVICE)                                                                                                          \
    X(SMS) X(CC_MAJOR) X(CC_MINOR) X(WARP_THREADS) X(WARPS) X(BLOCKS) X(REGISTERS) X(SMEM) X(BLOCK_SMEM) X(MEMORY)
#define CONTEXT_FIELDS(X) X(CONTEXT) X(DEVICE) X(NULL_STREAM) X(GREEN) X(SMS)
#define STREAM_FIELDS(X) X(CONTEXT) X(STREAM) X(PRIORITY) X(FLAG)
/* The first fields of all operations on the GPU. */
#define OP_FIELDS(X) X(START) X(END) X(DEVICE) X(CONTEXT) X(STREAM) X(CORRELATION) X(GRAPH) X(NODE) X(CHANNEL)
#define KERNEL_FIELDS(X)                                                                                               \
    OP_FIELDS(X)                                                                                                       \
    X(NAME) X(SYMBOL) KERNEL_SHAPE(X) X(REGISTERS) X(STATIC_SMEM) X(DYNAMIC_SMEM) X(SMEM_EXECUTED) X(LAUNCH_TYPE)
#define KERNEL_SHAPE(X)                                                                                                \
    X(GRID_X) X(GRID_Y) X(GRID_Z) X(BLOCK_X) X(BLOCK_Y) X(BLOCK_Z) X(CLUSTER_X) X(CLUSTER_Y) X(CLUSTER_Z)
#define COPY_FIELDS(X) OP_FIELDS(X) X(BYTES) X(COPY_KIND) X(SOURCE) X(TARGET) X(SOURCE_DEVICE) X(TARGET_DEVICE)
#define MEMSET_FIELDS(X) OP_FIELDS(X) X(BYTES) X(MEMORY)
#define CALL_FIELDS(X) X(START) X(END) X(THREAD) X(CORRELATION) X(NAME) X(DOMAIN) X(RESULT)
#define EVENT_FIELDS(X) X(CONTEXT) X(STREAM) X(CORRELATION) X(EVENT) X(RECORD) X(DEVICE)
#define SYNC_FIELDS(X) X(TYPE) X(START) X(END) X(CONTEXT) X(STREAM) X(CORRELATION) X(EVENT) X(RECORD)
#define MARKER_FIELDS(X) X(FLAGS) X(TIME) X(ID) X(THREAD) X(NAME)
#define THREAD_FIELDS(X) X(THREAD)
/* Attributes given to cuLaunchKernelEx. One that is not given is 0; the priority is UNKNOWN. */
#define LAUNCH_FIELDS(X)                                                                                               \
    X(CORRELATION)                                                                                                     \
    X(COOPERATIVE) X(PROGRAMMATIC) X(PROGRAMMATIC_EVENT) X(PRIORITY) X(CLUSTER_X) X(CLUSTER_Y) X(CLUSTER_Z)
/* A node of a graph; ORIGIN is the node from which it was cloned, 0: the program made it. */
#define NODE_FIELDS(X) X(NODE) X(GRAPH) X(TYPE) X(ORIGIN) X(ORIGIN_GRAPH)
/* NODE waits for BEFORE. REMOVED 1: the edge was removed. PORT 1: it waits for the trigger, 2: for the start of all
 * blocks, 0: for the end, or unknown. */
#define EDGE_FIELDS(X) X(GRAPH) X(BEFORE) X(NODE) X(REMOVED) X(PORT)
#define EXEC_FIELDS(X) X(EXEC) X(GRAPH)
#define OVERHEAD_FIELDS(X) X(KIND) X(START) X(END)
#define NOTE_FIELDS(X) X(CODE) X(NUMBER)
#define CUPTI_FIELDS(X) X(VERSION) X(CUPTI_NS) X(REAL_NS)
#define END_FIELDS(X) X(FRAMES)

typedef enum {
#define X(id, number, text) RECORDED_##id = number,
    RECORDED_KIND_TABLE(X)
#undef X
        RECORDED_KINDS
} recorded_kind;

/* Indices of fields: KERNEL_START, ..., KERNEL_COUNT and so on. */
#define IN_PROCESS(f) PROCESS_##f,
#define IN_TEXT(f) TEXT_##f,
#define IN_DEVICE(f) DEVICE_##f,
#define IN_CONTEXT(f) CONTEXT_##f,
#define IN_STREAM(f) STREAM_##f,
#define IN_OP(f) OP_##f,
#define IN_KERNEL(f) KERNEL_##f,
#define IN_COPY(f) COPY_##f,
#define IN_MEMSET(f) MEMSET_##f,
#define IN_CALL(f) CALL_##f,
#define IN_EVENT(f) EVENT_##f,
#define IN_SYNC(f) SYNC_##f,
#define IN_MARKER(f) MARKER_##f,
#define IN_THREAD(f) THREAD_##f,
#define IN_LAUNCH(f) LAUNCH_##f,
#define IN_NODE(f) NODE_##f,
#define IN_EDGE(f) EDGE_##f,
#define IN_EXEC(f) EXEC_##f,
#define IN_OVERHEAD(f) OVERHEAD_##f,
#define IN_NOTE(f) NOTE_##f,
#define IN_CUPTI(f) CUPTI_##f,
#define IN_END(f) END_##f,

enum { PROCESS_FIELDS(IN_PROCESS) PROCESS_COUNT };
enum { TEXT_FIELDS(IN_TEXT) TEXT_COUNT };
enum { DEVICE_FIELDS(IN_DEVICE) DEVICE_COUNT };
enum { CONTEXT_FIELDS(IN_CONTEXT) CONTEXT_COUNT };
enum { STREAM_FIELDS(IN_STREAM) STREAM_COUNT };
enum { OP_FIELDS(IN_OP) OP_COUNT };
enum { KERNEL_FIELDS(IN_KERNEL) KERNEL_COUNT };
enum { COPY_FIELDS(IN_COPY) COPY_COUNT };
enum { MEMSET_FIELDS(IN_MEMSET) MEMSET_COUNT };
enum { CALL_FIELDS(IN_CALL) CALL_COUNT };
enum { EVENT_FIELDS(IN_EVENT) EVENT_COUNT };
enum { SYNC_FIELDS(IN_SYNC) SYNC_COUNT };
enum { MARKER_FIELDS(IN_MARKER) MARKER_COUNT };
enum { THREAD_FIELDS(IN_THREAD) THREAD_COUNT };
enum { LAUNCH_FIELDS(IN_LAUNCH) LAUNCH_COUNT };
enum { NODE_FIELDS(IN_NODE) NODE_COUNT };
enum { EDGE_FIELDS(IN_EDGE) EDGE_COUNT };
enum { EXEC_FIELDS(IN_EXEC) EXEC_COUNT };
enum { OVERHEAD_FIELDS(IN_OVERHEAD) OVERHEAD_COUNT };
enum { NOTE_FIELDS(IN_NOTE) NOTE_COUNT };
enum { CUPTI_FIELDS(IN_CUPTI) CUPTI_COUNT };
enum { END_FIELDS(IN_END) END_COUNT };

/* CALL_DOMAIN */
enum { RECORDED_DRIVER = 1, RECORDED_RUNTIME = 2 };

/* NOTE_CODE */
typedef enum {
    RECORDED_NOTE_NO_CUPTI = 1, /* libcupti was not found; the text is the last path that was tried */
    RECORDED_NOTE_FAILED = 2,   /* a call of CUPTI failed: nothing is recorded */
    RECORDED_NOTE_WITHOUT = 3,  /* a call of CUPTI failed: something is missing */
    RECORDED_NOTE_NEWER = 4,    /* CUPTI is newer than the known versions */
    RECORDED_NOTE_OLDER = 5,    /* CUPTI is older than the known versions: nothing is recorded */
    RECORDED_NOTE_DROPPED = 6,  /* CUPTI dropped NUMBER records */
} recorded_note;

#endif
