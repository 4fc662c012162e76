/* What the tables of an export add to a trace. All are false where the error of the database is set. */
#ifndef PROFILE_NSYS_NSYS_TABLES_H
#define PROFILE_NSYS_NSYS_TABLES_H

#include "base/vec.h"
#include "profile/nsys/table_rows.h"

/* The GPU of a context of CUDA, as operations in it tell. */
typedef struct nsys_context {
    int64_t pid, context, device;
} nsys_context;

/* An export while it is read. */
typedef struct nsys_export {
    nsys_db *db;
    prof_trace *trace;
    VEC(nsys_context) contexts; /* that were seen; few */
    int64_t last_context;       /* index of the last one that was asked for */
    uint64_t kernels;           /* rows of kernels */
} nsys_export;

/* Process and thread in a number of Nsight Systems; PROF_UNKNOWN where that is not known. */
int64_t nsys_pid(int64_t global);
int64_t nsys_tid(int64_t global);
/* Does the table have all of these columns? The first that is missing is the error. */
bool nsys_need(const table_rows *rows, const char *const *columns, size_t count, const char *file, gcast_error *err);
/* The stream of a row with these numbers; its context becomes known. */
bool nsys_stream(nsys_export *x, const prof_stream *key, uint32_t *stream);
/* The GPU of a context; PROF_UNKNOWN: nothing ran in it. */
int64_t nsys_device_of(const nsys_export *x, int64_t pid, int64_t context);

bool nsys_read_version(nsys_export *x);                                     /* who wrote it */
bool nsys_read_gpus(nsys_export *x);                                        /* TARGET_INFO_GPU, ... */
bool nsys_read_streams(nsys_export *x);                                     /* priorities, NULL streams */
bool nsys_read_calls(nsys_export *x);                                       /* RUNTIME */
bool nsys_read_kernels(nsys_export *x, const char *file, gcast_error *err); /* KERNEL */
bool nsys_read_copies(nsys_export *x);                                      /* MEMCPY, MEMSET */
bool nsys_read_waits(nsys_export *x);                                       /* SYNCHRONIZATION, CUDA_EVENT */
bool nsys_read_ranges(nsys_export *x);                                      /* NVTX_EVENTS */
bool nsys_read_blocks(nsys_export *x);                                      /* BLOCK_TRACE */
bool nsys_read_graphs(nsys_export *x);                                      /* GRAPH_TRACE */

#endif
